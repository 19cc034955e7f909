"""Where an unfinished game is kept, so that a closed terminal loses nothing."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
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


def keep(game: Game, table: Table) -> bool:
    """Keep an unfinished game; whether that was possible."""
    folder = data_folder()
    board = str(table.board.absolute()) if table.board else None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        records.write(folder / RECORD, game)
        records.write_text(folder / TABLE, json.dumps({"names": table.names, "board": board}, ensure_ascii=False))
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
    return resume_file(folder / RECORD, table.board), table


def resume_file(path: Path, board: Path | None) -> Game:
    """A game from a record, ready to be played on: what is face down is shuffled anew."""
    game = records.read(path, load(board))
    if not game.over:
        game.shuffle()
    return game


def _table(path: Path) -> Table:
    """Who sits where; nothing is lost but names if the file is gone."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        names: Sequence[str] = content["names"]
        return Table(tuple(str(name) for name in names), Path(content["board"]) if content["board"] else None)
    except (OSError, ValueError, KeyError, TypeError):
        return Table()
