"""`elcapitan games`: the games of the browser, looked after from the command line."""

import asyncio
import json
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest
from tests.cli.running import flat, mistake, output, run
from tests.playing import random_game

from elcapitan.cli.command_line import Terminal
from elcapitan.records import capitan
from elcapitan.records import json_record as record
from elcapitan.service import HUMAN, Seat, Tables, TableSettings
from elcapitan.store.schema import NEWEST


@pytest.fixture
def games(own_data: Path) -> list[str]:
    """Two games in the user's data folder, the older first."""
    plans = [
        TableSettings((Seat(HUMAN, "Inês", 0), Seat("captain", "Marco", 1)), title="Évora", first=0, seed=1),
        TableSettings((Seat(HUMAN, "", 0), Seat("admiral", "", 1), Seat(HUMAN, "Bo", 2)), first=0, seed=2),
    ]

    async def create() -> list[str]:
        async with Tables.open(own_data / "games.db", bots=False) as tables:
            return [(await tables.create(plan)).id for plan in plans]

    return asyncio.run(create())


@pytest.fixture
def saved(tmp_path: Path) -> list[Path]:
    """Two records in files."""
    one, two = tmp_path / "one.capitan", tmp_path / "two.json"
    one.write_text(capitan.to_capitan(random_game(3, seed=1, most=20)), encoding="utf-8")
    two.write_text(json.dumps(record.to_json(random_game(2, seed=2, most=20))), encoding="utf-8")
    return [one, two]


def test_help_without_a_command() -> None:
    page = output("games")
    assert page == output("games", "--help")
    assert all(word in page for word in ("list", "export", "import", "delete", "backup"))


def test_nothing_there_yet(own_data: Path) -> None:
    assert flat(output("games", "list")) == f"No games are kept in {own_data}/games.db."
    assert json.loads(output("games", "list", "--json")) == []
    assert not own_data.exists(), "looking makes nothing"


def test_a_list(games: list[str], own_data: Path) -> None:
    lines = output("games", "list", COLUMNS="200").splitlines()
    assert lines[0].split() == ["game", "merchants", "stands", "at", "changed"]
    assert lines[1].startswith(games[1]) and "a person, admiral, Bo" in lines[1] and "phase 1, round 1" in lines[1]
    assert lines[2].startswith(games[0]) and "Évora" in lines[2]
    assert "Inês, Marco (captain)" in lines[3]
    assert lines[-1] == f"2 games in {own_data}/games.db"
    found = json.loads(output("games", "list", "--json"))
    assert [game["id"] for game in found] == games[::-1]
    assert found[1]["seats"] == [{"player": HUMAN, "name": "Inês"}, {"player": "captain", "name": "Marco"}]
    assert found[1]["entries"] == 2 and found[1]["deciding"] == 0 and found[1]["money"] == found[1]["money"]
    assert datetime.fromisoformat(found[0]["changed"]).tzinfo is not None


def test_times_are_those_of_the_reader(games: list[str], own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = sqlite3.connect(own_data / "games.db")
    connection.execute("UPDATE games SET changed = '2026-03-01 23:30:00.000000'")
    connection.commit()
    connection.close()
    here = datetime.fromisoformat("2026-03-01T23:30+00:00").astimezone()
    assert here.strftime("%d.%m.%y, %H:%M") in output("games", "list", "--language", "de", COLUMNS="200")


def test_out_and_in_again(games: list[str], tmp_path: Path) -> None:
    printed = output("games", "export", games[0])
    assert '[Title "Évora"]' in printed and '[Names "Inês, Marco"]' in printed and '[Seats "human, captain"]' in printed
    assert json.loads(output("games", "export", games[0][:6], "--format", "json"))["seats"] == ["human", "captain"]
    file = tmp_path / "evening.capitan"
    assert flat(output("games", "export", games[0], file)) == f"The game is saved in {file}."
    assert file.read_text(encoding="utf-8") == printed
    other = tmp_path / "other.db"
    name = output("games", "import", file, "--database", other).strip()
    (game,) = json.loads(output("games", "list", "--json", "--database", other))
    assert game["id"] == name and game["title"] == "Évora" and game["seats"][0]["name"] == "Inês"


def test_several_at_once_or_none(saved: list[Path], tmp_path: Path, own_data: Path) -> None:
    assert len(output("games", "import", *saved).split()) == 2
    bad = tmp_path / "bad.json"
    bad.write_text("{}", encoding="utf-8")
    assert mistake("games", "import", saved[0], bad).startswith(f"In {bad}: ")
    assert len(json.loads(output("games", "list", "--json"))) == 2, "the first of them is not there either"


def test_thrown_away(games: list[str]) -> None:
    assert mistake("games", "delete", games[0], "zzz") == "There is no game zzz."
    assert len(json.loads(output("games", "list", "--json"))) == 2
    assert output("games", "delete", games[0], games[0][:5]) == "1 game is deleted.\n"
    assert [game["id"] for game in json.loads(output("games", "list", "--json"))] == [games[1]]


def test_somebody_who_sits_there_is_asked(games: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Terminal, "interactive", property(lambda _self: True))
    assert run("games", "delete", games[0], keys="n\n").exit_code == 0
    assert len(json.loads(output("games", "list", "--json"))) == 2
    assert "deleted" in output("games", "delete", games[0], keys="y\n")
    assert "deleted" in output("games", "delete", games[1], "--yes")
    assert json.loads(output("games", "list", "--json")) == []


def test_a_backup_can_be_used_in_its_place(games: list[str], own_data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert flat(output("games", "backup", copy)) == f"All games are copied to {copy}."
    assert len(json.loads(output("games", "list", "--json", "--database", copy))) == 2
    assert mistake("games", "backup", copy) == f"{copy} is there already; choose another name."
    output("games", "backup")
    assert len(list(own_data.glob("games-backup-*.db"))) == 1


def test_beginnings_must_be_enough(games: list[str], own_data: Path) -> None:
    connection = sqlite3.connect(own_data / "games.db")
    connection.execute("PRAGMA foreign_keys = OFF")
    for number, name in enumerate(games):
        connection.execute("UPDATE games SET id = ? WHERE id = ?", (f"same{number}", name))
        connection.execute("UPDATE entries SET game = ? WHERE game = ?", (f"same{number}", name))
        connection.execute("UPDATE snapshots SET game = ? WHERE game = ?", (f"same{number}", name))
    connection.commit()
    connection.close()
    assert mistake("games", "export", "same") == "same is the beginning of several games: same1, same0."
    assert "Évora" in output("games", "export", "same0")


def test_mistakes(games: list[str], tmp_path: Path, own_data: Path) -> None:
    letter = tmp_path / "letter.db"
    letter.write_text("Dear friend, " * 99, encoding="utf-8")
    assert mistake("games", "list", "--database", tmp_path / "no.db") == f"There is no file {tmp_path}/no.db."
    assert mistake("games", "list", "--database", letter).startswith(f"{letter} cannot be used to keep games in: ")
    assert mistake("games", "exprot") == "There is no command exprot; the nearest is export."
    assert mistake("games", "export").startswith("GAME is missing")
    assert mistake("games", "export", games[0], "game.txt").startswith("game.txt is not a game record")
    assert mistake("games", "export", games[0], "--format", "pgn").startswith("--format wants one of capitan, json")
    assert mistake("games", "export", games[0], tmp_path / "no" / "game.json").endswith("No such file or directory.")
    assert mistake("games", "import", "letter.txt").startswith("letter.txt is not a game record")
    assert mistake("games", "import", tmp_path / "no.json") == f"There is no file {tmp_path}/no.json."
    assert "pg_dump" in mistake("games", "backup", "--database", "postgresql://host/games")
    assert mistake("games", "delete", "x", ELCAPITAN_DATA=str(tmp_path / "empty")).startswith("There is no file ")
    connection = sqlite3.connect(own_data / "games.db")
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    assert "newer version of El Capitán" in mistake("games", "list")
    assert NEWEST < "9999"


@pytest.mark.parametrize(("language", "word"), [("de", "Partie"), ("fr", "partie")])
def test_in_the_language_of_the_reader(games: list[str], language: str, word: str) -> None:
    assert word in output("games", "list", "--language", language)
    assert word in mistake("games", "export", "zzz", "--language", language)
