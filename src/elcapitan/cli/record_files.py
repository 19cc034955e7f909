"""Game records in files; the name of a file tells its form."""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from elcapitan.board.figures import Figures
from elcapitan.cli.command_line import BadFile, BadInput, writing
from elcapitan.errors import BadRecord, ElCapitanError
from elcapitan.game.game import Game
from elcapitan.players.seats import split
from elcapitan.records import capitan
from elcapitan.records import json_record as record
from elcapitan.records.shuffles import Promise

FORMS = (".json", ".capitan")
SEATS = "Seats"  # the header of a .capitan file that tells who plays them


def read(path: Path, figures: Figures) -> Game:
    """Read the game of a record and check every line of it."""
    return read_with_seats(path, figures)[0]


def read_with_seats(path: Path, figures: Figures) -> tuple[Game, tuple[str, ...]]:
    """Read the game of a record, and the players of its seats if they are named."""
    with _reading(path) as (form, content):
        if form == ".json":
            return record.from_json(content, figures), record.seats_in(content)
        score = capitan.from_capitan(content, figures)
        return score.game, split(score.headers.get(SEATS, ""))


def read_with_shuffles(path: Path, figures: Figures) -> tuple[Game, tuple[Promise, ...]]:
    """Read the game of a record, and how its cards were shuffled."""
    with _reading(path) as (form, content):
        if form == ".json":
            return record.with_shuffles(content, figures)
        score = capitan.from_capitan(content, figures)
        return score.game, score.shuffles


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[tuple[str, str]]:
    """Read the form and the content of a record; an error about the content is raised again with the file's name."""
    form, content = form_of(path), read_bytes(path)
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise BadRecord("unreadable", file=path, problem="UTF-8") from None
    try:
        yield form, text
    except ElCapitanError as error:
        raise BadFile(str(path), error) from None


def read_bytes(path: Path) -> bytes:
    """Read a file; raise `BadRecord` if it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise BadRecord("no-file", file=path) from None
    except OSError as error:
        raise BadRecord("unreadable", file=path, problem=error.strerror or error) from None


def form_of(path: Path) -> str:
    """Return the form of a record by the name of its file."""
    if path.suffix not in FORMS:
        raise BadInput("not-a-record", file=path)
    return path.suffix


def as_text(game: Game, form: str, *, trace: bool = False, seats: Sequence[str] = ()) -> str:
    """Write a game in one of the forms of a record."""
    if form == ".json":
        return json.dumps(record.to_json(game, trace=trace, seats=seats), ensure_ascii=False) + "\n"
    return capitan.to_capitan(game, {SEATS: ", ".join(seats)} if seats else None)


def write(path: Path, game: Game, *, trace: bool = False, seats: Sequence[str] = ()) -> None:
    """Write a record to a file."""
    write_text(path, as_text(game, form_of(path), trace=trace, seats=seats))


def write_text(path: Path, content: str) -> None:
    """Replace the content of a file as a whole: the old one is lost only when the new one is complete."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with writing(path):
            draft.write_text(content, encoding="utf-8")
            draft.replace(path)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)  # still there if writing was interrupted
