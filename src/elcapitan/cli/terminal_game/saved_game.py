"""The unfinished game, saved after every action so that it can be resumed."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from elcapitan.board.figures import load
from elcapitan.cli import record_files
from elcapitan.cli.command_line import BadInput
from elcapitan.game.game import Game

RECORD, TABLE = "unfinished.json", "unfinished-table.json"


def data_folder() -> Path:
    """Return the folder of the user's games: ELCAPITAN_DATA, or the usual place for data."""
    chosen = os.environ.get("ELCAPITAN_DATA")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "elcapitan"


@dataclass(frozen=True)
class TableSetup:
    """What a record does not hold: the names and players of the seats, and the board file."""

    names: tuple[str, ...] = ()
    board: Path | None = None
    seats: tuple[str, ...] = ()  # who plays each, "human" or a computer player; empty if all are human


def keep(game: Game, setup: TableSetup) -> bool:
    """Save an unfinished game; returns whether that was possible."""
    folder = data_folder()
    board = str(setup.board.absolute()) if setup.board else None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        record_files.write(folder / RECORD, game)
        content = {"names": setup.names, "board": board, "seats": setup.seats}
        record_files.write_text(folder / TABLE, json.dumps(content, ensure_ascii=False))
    except (OSError, BadInput):
        return False
    return True


def forget() -> None:
    """Delete the saved game, once it is over."""
    for name in (RECORD, TABLE):
        (data_folder() / name).unlink(missing_ok=True)


def resume() -> tuple[Game, TableSetup]:
    """Load the unfinished game, ready to be played on."""
    folder = data_folder()
    if not (folder / RECORD).exists():
        raise BadInput("nothing-saved")
    setup = _read_setup(folder / TABLE)
    game, _ = resume_file(folder / RECORD, setup.board)
    return game, setup if len(setup.seats) in (0, game.players) else replace(setup, seats=())


def resume_file(path: Path, board: Path | None) -> tuple[Game, TableSetup]:
    """Load a game from a record, ready to be played on: face-down cards are shuffled anew."""
    game, seats = record_files.read_with_seats(path, load(board))
    if not game.over:
        game.shuffle()
    return game, TableSetup(board=board, seats=seats)


def _read_setup(path: Path) -> TableSetup:
    """Read names, players and board; without the file, the game goes on with the defaults."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        names: Sequence[str] = content["names"]
        seats: Sequence[str] = content.get("seats", ())  # games kept earlier have none
        board = Path(content["board"]) if content["board"] else None
        return TableSetup(tuple(map(str, names)), board, tuple(map(str, seats)))
    except (OSError, ValueError, KeyError, TypeError):
        return TableSetup()
