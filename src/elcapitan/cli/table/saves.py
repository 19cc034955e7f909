"""Where an unfinished game is kept, so that a closed terminal loses nothing."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from elcapitan.cli import records
from elcapitan.cli.mistakes import BadInput
from elcapitan.figures import load
from elcapitan.game import Game

RECORD, TABLE = "unfinished.json", "unfinished-table.json"


def data_folder() -> Path:
    """The folder of the user's games: ELCAPITAN_DATA, or the usual place for data."""
    chosen = os.environ.get("ELCAPITAN_DATA")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "elcapitan"


@dataclass(frozen=True)
class Table:
    """What a record does not tell: who sits where, and the board file that is played with."""

    names: tuple[str, ...] = ()
    board: Path | None = None
    seats: tuple[str, ...] = ()  # who plays each, "human" or a computer player; empty if all are human


def keep(game: Game, table: Table) -> bool:
    """Keep an unfinished game; whether that was possible."""
    folder = data_folder()
    board = str(table.board.absolute()) if table.board else None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        records.write(folder / RECORD, game)
        content = {"names": table.names, "board": board, "seats": table.seats}
        records.write_text(folder / TABLE, json.dumps(content, ensure_ascii=False))
    except (OSError, BadInput):
        return False
    return True


def forget() -> None:
    """The game is finished: nothing needs to be resumed."""
    for name in (RECORD, TABLE):
        (data_folder() / name).unlink(missing_ok=True)


def resume() -> tuple[Game, Table]:
    """The unfinished game, ready to be played on."""
    folder = data_folder()
    if not (folder / RECORD).exists():
        raise BadInput("nothing-saved")
    table = _table(folder / TABLE)
    game, _ = resume_file(folder / RECORD, table.board)
    return game, table if len(table.seats) in (0, game.players) else replace(table, seats=())


def resume_file(path: Path, board: Path | None) -> tuple[Game, Table]:
    """A game from a record, ready to be played on: what is face down is shuffled anew."""
    game, seats = records.read_with_seats(path, load(board))
    if not game.over:
        game.shuffle()
    return game, Table(board=board, seats=seats)


def _table(path: Path) -> Table:
    """Who sits where; if the file is gone, nothing is lost but names and computer players."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        names: Sequence[str] = content["names"]
        seats: Sequence[str] = content.get("seats", ())  # games kept earlier have none
        board = Path(content["board"]) if content["board"] else None
        return Table(tuple(map(str, names)), board, tuple(map(str, seats)))
    except (OSError, ValueError, KeyError, TypeError):
        return Table()
