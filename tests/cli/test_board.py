"""Showing and checking boards."""

import json
from importlib import resources
from pathlib import Path

from tests.cli.running import mistake, output

PACKAGED = (resources.files("elcapitan") / "data" / "mediterranean.toml").read_text(encoding="utf-8")


def test_every_figure_is_shown_with_its_source() -> None:
    page = output("board", COLUMNS="140")
    assert "The board “mediterranean”" in page
    marseille = next(line for line in page.splitlines() if line.startswith("Marseille "))
    track = "0 4 8 12 16 20 24 28 32 28 24 20 16"
    assert " ".join(marseille.split()) == f"Marseille 4 5 A 8 10 A {track} I 7 9 11 I 5 I"
    assert "Marseille-Napoli" in page and "Islas Canarias" in page and "attested" in page


def test_for_programs() -> None:
    content = json.loads(output("board", "--json"))
    assert content["name"] == "mediterranean" and content["differs"] == []
    assert content["figures"]["cities.Marseille.harbours"] == {"is": [4, 5], "source": "A", "note": ""}


def test_a_copy_is_the_same_board(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(PACKAGED, encoding="utf-8")
    assert "has the figures of the packaged board" in " ".join(output("board", "--file", mine).split())


def test_what_differs_is_told(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(PACKAGED.replace("start = { is = 20,", "start = { is = 25,"), encoding="utf-8")
    page = output("board", "--file", mine)
    assert "1 figure differs from the packaged board" in " ".join(page.split())
    assert page.splitlines()[-1].split() == ["money.start", "25", "A", "20", "A"]
    assert json.loads(output("board", "--file", mine, "--json"))["differs"] == ["money.start"]


def test_a_bad_file_is_refused(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(PACKAGED.replace("dark = { is = [7, 9, 11]", "dark = { is = [2, 9, 11]", 1), encoding="utf-8")
    assert "has a shut-down site on site 2" in mistake("board", "--file", mine)
    assert "einen Stilllegungsplatz auf Bauplatz 2" in mistake("board", "--file", mine, "--language", "de")
