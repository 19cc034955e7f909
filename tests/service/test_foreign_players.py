"""What comes from outside names levels only: no program and no module of its choice runs on the server."""

import json
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tests.playing import random_game

from elcapitan.board.figures import packaged
from elcapitan.errors import BadBot
from elcapitan.players import python_players
from elcapitan.records.json_record import to_json
from elcapitan.service import imports_exports
from elcapitan.service.bot_worker import TurnQuestion, decide
from elcapitan.service.table_settings import HUMAN, check_level, check_player

FOREIGN = ["cmd:touch run", "py:of_somebody:Mine", "of_somebody", "of_somebody:weights"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module that leaves a file when it is loaded, and a package that has registered it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    source = "open('run', 'w').close()\nclass Mine:\n    choose = print\n"
    (tmp_path / "of_somebody.py").write_text(source, encoding="utf-8")
    point = EntryPoint("of_somebody", "of_somebody:Mine", python_players.GROUP)
    monkeypatch.setattr(python_players, "registered", lambda: {"of_somebody": point})
    return tmp_path


@pytest.mark.parametrize("player", FOREIGN)
def test_no_table_takes_such_a_player(folder: Path, player: str) -> None:
    for check in (check_player, check_level):
        with pytest.raises(BadBot) as refused:
            check(player)
        assert refused.value.reason == "no-program-here"
    assert not (folder / "run").exists()


@pytest.mark.parametrize("player", FOREIGN)
def test_imported_seats_of_such_players_are_played_by_people(folder: Path, player: str) -> None:
    record = to_json(random_game(2, (), seed=3, most=20), seats=[player, "captain"])
    imported = imports_exports.read(json.dumps(record), "", packaged())
    assert [seat.player for seat in imported.settings().seats] == [HUMAN, "captain"]
    assert not (folder / "run").exists()


@pytest.mark.parametrize("player", FOREIGN)
def test_a_process_of_the_server_makes_levels_only(folder: Path, player: str) -> None:
    """Even if a table had come to such a player."""
    game = random_game(2, (), seed=3, most=20)
    with pytest.raises(BadBot, match="There is no computer player"):
        decide(TurnQuestion(player, game.view_for(game.seat or 0).tobytes(), 1))
    assert not (folder / "run").exists()
