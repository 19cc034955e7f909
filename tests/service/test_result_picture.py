"""The result of a game as a picture: well-formed, complete, and without anything that only the server knows."""

import re
import xml.etree.ElementTree as ET

import pytest
from tests.playing import random_game

from elcapitan.engine.jit import COMPILED
from elcapitan.experiments.drawing import NAMESPACE
from elcapitan.game.game import Game
from elcapitan.service.result_picture import COLOURS, game_result, picture, worth_chart
from elcapitan.text.catalogue import translator
from elcapitan.text.consequences import Teller
from elcapitan.web.static_files import STATIC_FILES

NAMES = ["Inês", "<script>alert(1)</script>", 'M"&amp;', "日本", "x" * 300]
PLAYERS = range(2, 6) if COMPILED else (3,)


def drawn(game: Game, language: str = "en") -> ET.Element:
    """A picture of the result, read again."""
    teller = Teller(translator(language), game.figures, NAMES[: game.players])
    return ET.fromstring(picture(game_result(game, teller), teller, "Friday & friends"))


@pytest.mark.parametrize("players", PLAYERS)
def test_everything_is_in_it(players: int) -> None:
    game = random_game(players, seed=players)
    root = drawn(game)
    words = [text.text or "" for text in root.iter(f"{{{NAMESPACE}}}text")]
    assert "Inês" in words and "Friday & friends" in words
    for money in game.money:
        assert f"{money}\N{NO-BREAK SPACE}ƒ".replace("-", "\N{MINUS SIGN}") in words
    assert {f"Payday {number}" for number in (1, 2, 3)} <= set(words)
    assert len(list(root.iter(f"{{{NAMESPACE}}}polyline"))) == players
    assert all(len(word) < 120 for word in words), "long names are shortened"


def test_nothing_in_it_can_load_or_run_anything() -> None:
    root = drawn(random_game(3, seed=3))
    assert {element.tag.removeprefix(f"{{{NAMESPACE}}}") for element in root.iter()} <= {
        *("svg", "title", "g", "rect", "path", "line", "polyline", "text"),
    }
    for element in root.iter():
        assert not any(name.lower().startswith("on") or "href" in name or name == "style" for name in element.attrib)
        assert not any("url(" in value for value in element.attrib.values())


def test_its_colours_are_those_of_the_pages() -> None:
    theme = (STATIC_FILES / "theme.css").read_text(encoding="utf-8")
    for place, colours in enumerate(COLOURS):
        for part, colour in zip(("", "-sign", "-edge"), colours, strict=True):
            assert re.search(rf"--player-{place}{part}: light-dark\({colour},", theme), (place, part)


@pytest.mark.parametrize("players", PLAYERS)
def test_curves_jump_where_the_paydays_are(players: int) -> None:
    game = random_game(players, seed=players)
    chart = worth_chart(game_result(game, Teller(translator("en"), game.figures)))
    assert [payday for _x, payday in chart.paydays] == [1, 2, 3]
    for x, payday in chart.paydays:
        jumps = 0
        for curve in chart.curves:
            points = [tuple(map(float, point.split(","))) for point in curve.points.split()]
            jumps += len({y for at, y in points if at == x}) > 1
        paid = sum(income.total > 0 for income in game.paydays[payday - 1].paid)
        assert jumps >= paid > 0
