"""Game records in files, and the unfinished game, which is saved after every action so that it can be resumed."""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from elcapitan.board.figures import Figures, load
from elcapitan.cli.command_line import BadFile, BadInput, writing
from elcapitan.engine.vocabulary import COLOURS, two_colours
from elcapitan.errors import BadRecord, ElCapitanError
from elcapitan.game.game import Game
from elcapitan.players.seats import split
from elcapitan.records import capitan
from elcapitan.records import json_record as record
from elcapitan.records.shuffles import Promise

FORMS = (".json", ".capitan")
NAMES = "Names"  # the header of a .capitan file with the names of the merchants
SEATS = "Seats"  # the header of a .capitan file that tells who plays them
RECORD, TABLE = "unfinished.json", "unfinished-table.json"


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


def read_with_names(path: Path, figures: Figures) -> tuple[Game, tuple[str, ...]]:
    """Read the game of a record, and the names of the merchants if it tells them."""
    with _reading(path) as (form, content):
        if form == ".json":
            return record.from_json(content, figures), ()
        score = capitan.from_capitan(content, figures)
        return score.game, tuple(name.strip() for name in score.headers.get(NAMES, "").split(","))


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


def data_folder() -> Path:
    """Return the folder of the user's games: ELCAPITAN_DATA, or the usual place for data."""
    chosen = os.environ.get("ELCAPITAN_DATA")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "elcapitan"


@dataclass(frozen=True)
class TableSetup:
    """What a record does not hold: the names, players and colours of the seats, and the board file."""

    names: tuple[str, ...] = ()
    board: Path | None = None
    seats: tuple[str, ...] = ()  # who plays each, "human" or a computer player; empty if all are human
    colours: tuple[int, ...] = ()  # of COLOUR_NAMES: of the seats, then neutral ones; empty for the usual ones


def save_unfinished(game: Game, setup: TableSetup) -> bool:
    """Save an unfinished game; returns whether that was possible."""
    folder = data_folder()
    board = str(setup.board.absolute()) if setup.board else None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write(folder / RECORD, game)
        content = {"names": setup.names, "board": board, "seats": setup.seats, "colours": setup.colours}
        write_text(folder / TABLE, json.dumps(content, ensure_ascii=False))
    except (OSError, BadInput):
        return False
    return True


def forget_unfinished() -> None:
    """Delete the saved game, once it is over."""
    for name in (RECORD, TABLE):
        (data_folder() / name).unlink(missing_ok=True)


def resume_unfinished() -> tuple[Game, TableSetup]:
    """Load the unfinished game, ready to be played on."""
    folder = data_folder()
    if not (folder / RECORD).exists():
        raise BadInput("nothing-saved")
    setup = _read_setup(folder / TABLE)
    game, _ = resume_file(folder / RECORD, setup.board)
    seats = setup.seats if len(setup.seats) in (0, game.players) else ()
    colours = setup.colours if may_choose(setup.colours, game.players) else ()
    return game, replace(setup, seats=seats, colours=colours)


def may_choose(colours: Sequence[int], players: int) -> bool:
    """Whether merchants can have these colours: each one of its own, and two players also two neutral ones."""
    counts = (0, players, 2 * players) if two_colours(players) else (0, players)
    known = all(type(colour) is int and 0 <= colour < COLOURS for colour in colours)
    return known and len(colours) in counts and len(set(colours)) == len(colours)


def resume_file(path: Path, board: Path | None) -> tuple[Game, TableSetup]:
    """Load a game from a record, ready to be played on: face-down cards are shuffled anew."""
    game, seats = read_with_seats(path, load(board))
    if not game.over:
        game.shuffle()
    return game, TableSetup(board=board, seats=seats)


def _read_setup(path: Path) -> TableSetup:
    """Read names, players and board; without the file, the game goes on with the defaults."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        names: Sequence[str] = content["names"]
        seats: Sequence[str] = content.get("seats", ())  # games kept earlier have none
        colours: Sequence[int] = content.get("colours", ())
        board = Path(content["board"]) if content["board"] else None
        return TableSetup(tuple(map(str, names)), board, tuple(map(str, seats)), tuple(colours))
    except (OSError, ValueError, KeyError, TypeError):
        return TableSetup()
