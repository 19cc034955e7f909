"""Game records in files: which form a file has is told by its name."""

import contextlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from elcapitan.cli.mistakes import BadFile, BadInput
from elcapitan.errors import BadRecord, ElCapitanError
from elcapitan.figures import Figures
from elcapitan.game import Game
from elcapitan.notation import capitan, record
from elcapitan.notation.shuffles import Promise
from elcapitan.players.seats import split

FORMS = (".json", ".capitan")
SEATS = "Seats"  # the header of a .capitan file that tells who plays them


def read(path: Path, figures: Figures) -> Game:
    """The game of a record, every line of it checked."""
    return read_with_seats(path, figures)[0]


def read_with_seats(path: Path, figures: Figures) -> tuple[Game, tuple[str, ...]]:
    """The game of a record, and who plays its seats if it tells."""
    form = form_of(path)
    content = _content(path)
    try:
        if form == ".json":
            return record.from_json(content, figures), record.seats_in(content)
        score = capitan.from_capitan(content, figures)
        return score.game, split(score.headers.get(SEATS, ""))
    except ElCapitanError as error:
        raise BadFile(str(path), error) from None


def read_with_shuffles(path: Path, figures: Figures) -> tuple[Game, tuple[Promise, ...]]:
    """The game of a record, and what it tells about how its cards were shuffled."""
    form = form_of(path)
    content = _content(path)
    try:
        if form == ".json":
            return record.with_shuffles(content, figures)
        score = capitan.from_capitan(content, figures)
        return score.game, score.shuffles
    except ElCapitanError as error:
        raise BadFile(str(path), error) from None


def _content(path: Path) -> str:
    """What stands in a file."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadRecord("no-file", file=path) from None
    except UnicodeDecodeError:
        raise BadRecord("unreadable", file=path, problem="UTF-8") from None
    except OSError as error:
        raise BadRecord("unreadable", file=path, problem=error.strerror or error) from None


def form_of(path: Path) -> str:
    """The form of a record by the name of its file."""
    if path.suffix not in FORMS:
        raise BadInput("not-a-record", file=path)
    return path.suffix


def as_text(game: Game, form: str, *, trace: bool = False, seats: Sequence[str] = ()) -> str:
    """A game as the content of a file."""
    if form == ".json":
        return json.dumps(record.to_json(game, trace=trace, seats=seats), ensure_ascii=False) + "\n"
    return capitan.to_capitan(game, {SEATS: ", ".join(seats)} if seats else None)


def write(path: Path, game: Game, *, trace: bool = False, seats: Sequence[str] = ()) -> None:
    """Write a record; the old content of the file is lost only when the new one is there."""
    write_text(path, as_text(game, form_of(path), trace=trace, seats=seats))


def write_text(path: Path, content: str) -> None:
    """Replace the content of a file as a whole."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(content, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise BadInput("cannot-write", file=path, problem=error.strerror or error) from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)  # it is still there if something came in between
