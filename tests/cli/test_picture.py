"""`elcapitan replay --picture`: the result of a game as SVG and as PNG."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import resvg_py
from tests.cli.running import flat, mistake, output
from tests.playing import random_game

from elcapitan.cli import check_records
from elcapitan.cli.record_files import write_text
from elcapitan.records.capitan import to_capitan

PNG = b"\x89PNG\r\n\x1a\n"
pytestmark = pytest.mark.compiled


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The record of a finished game."""
    file = tmp_path / "evening.capitan"
    write_text(file, to_capitan(random_game(3, seed=4), {"Names": "Inês, Marco, Leyla"}))
    return file


def test_the_result_as_svg_and_png(tmp_path: Path, game: Path) -> None:
    svg, png = tmp_path / "result.svg", tmp_path / "result.PNG"
    assert flat(output("replay", game, "--picture", svg, "--language", "de")).endswith("result.svg ist gespeichert.")
    drawn = svg.read_text(encoding="utf-8")
    assert ET.fromstring(drawn).tag.endswith("svg")
    assert "Inês" in drawn and "Teuerster Fehler" in drawn and "gewinnt" in drawn
    output("replay", game, "--picture", png)
    content = png.read_bytes()
    assert content.startswith(PNG) and len(content) > 20_000
    assert (int.from_bytes(content[16:20]), int.from_bytes(content[20:24])) == (2400, 1800)


def test_what_cannot_be_drawn_is_said_in_a_sentence(
    tmp_path: Path, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the game is judged, which takes seconds."""
    monkeypatch.setattr(check_records, "dearest_mistake", None)
    assert ".svg or .png" in mistake("replay", game, "--picture", tmp_path / "result.jpg")
    assert "cannot be written" in mistake("replay", game, "--picture", tmp_path / "nowhere" / "result.svg")
    begun = tmp_path / "begun.capitan"
    write_text(begun, to_capitan(random_game(3, seed=4, most=9)))
    assert "is not over" in mistake("replay", begun, "--picture", tmp_path / "result.svg")
    monkeypatch.setattr(resvg_py, "svg_to_bytes", lambda **_drawing: PNG)
    assert "no fonts" in mistake("replay", game, "--picture", tmp_path / "result.png")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert "elcapitan[pictures]" in mistake("replay", game, "--picture", tmp_path / "result.png")
    assert not list(tmp_path.glob("result.*"))
