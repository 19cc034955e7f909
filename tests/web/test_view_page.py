"""The table as a page: well-formed, strict, in every language, small, and with every thing explained."""

import functools
import re
from importlib import resources

import pytest
from tests.playing import random_game
from tests.standing import TILES
from tests.web.drawn_tables import ENGLISH, Reading, page_of, seated, table_of
from tests.web.page_client import english_left

from elcapitan.engine.actions import family
from elcapitan.game.game import Game
from elcapitan.position.routes import ways_to
from elcapitan.text.catalogue import LANGUAGES
from elcapitan.text.rulebook import chapters
from elcapitan.web.render import environment, payday_fragment, rendered
from elcapitan.web.view.help_topics import PARTS, TOPICS
from elcapitan.web.view.previews import routes_view
from elcapitan.web.view.results import payday_view
from elcapitan.web.view.table_view import TableView, table_at_payday, table_view
from elcapitan.web.viewer import Viewer

MOST_BYTES = 80_000  # of the fullest table: it is sent again after every move (some 9 kB when compressed)
TEMPLATES = environment("en").list_templates(filter_func=lambda name: name.startswith(("table/", "parts/")))


@functools.cache
def game_of(players: int, tiles: tuple[str, ...], most: int) -> Game:
    """A game played for a while."""
    return random_game(players, tiles, seed=players + most, most=most)


POSITIONS = [(2, (), 0), (2, TILES, 25), (3, ("Lisboa",), 30), (4, TILES, 12), (5, TILES, 38), (5, (), 33)]
SOME = pytest.mark.parametrize(("players", "tiles", "most"), POSITIONS)


def seen_at(players: int, tiles: tuple[str, ...], most: int, viewer: Viewer = ENGLISH) -> TableView:
    """The scene of such a game."""
    return table_view(seated(game_of(players, tiles, most)), viewer)


@SOME
def test_the_page_is_well_formed(players: int, tiles: tuple[str, ...], most: int) -> None:
    page = Reading(page_of(seen_at(players, tiles, most)))
    assert not page.mismatched and not page.unclosed
    names = [element["id"] for element in page.elements if element["id"]]
    assert len(names) == len(set(names))


def test_a_finished_game_has_no_forecast_of_a_payday() -> None:
    running, over = seen_at(3, ("Lisboa",), 30), table_view(seated(random_game(3, (), seed=1)), ENGLISH)
    assert all(each.earnings for each in running.merchants) and "payday now" in table_of(running)
    assert over.over and not any(each.earnings for each in over.merchants)
    assert "payday now" not in table_of(over)


def _can_end_or_pay_the_pirate(game: Game) -> bool:
    """Whether a turn can end, or the pirate be moved for money first."""
    return {"end", "paid_pirate"} <= {family(each) for each in game.legal()}


def test_a_pirate_for_money_comes_after_what_most_turns_need() -> None:
    games = (random_game(4, TILES, seed=1, most=most) for most in range(20, 200))
    game = next(each for each in games if _can_end_or_pay_the_pirate(each))
    names = [element["id"] for element in Reading(table_of(table_view(seated(game), ENGLISH))).elements]
    assert names.count("open-pirate") == 1
    assert names.index("act-end") < names.index("open-pirate")


@SOME
def test_everything_referred_to_is_there(players: int, tiles: tuple[str, ...], most: int) -> None:
    page = Reading(page_of(seen_at(players, tiles, most)))
    names = {element["id"] for element in page.elements}
    topics = {element["data-topic"] for element in page.elements}
    for element in page.elements:
        if element.tag == "use":
            assert element["href"].removeprefix("#") in names, element["href"]
        assert element["popovertarget"] in names
        assert element["form"] in names
        assert element["data-help"] in topics, element["data-help"]
        for painted in re.findall(r"url\(#([a-z]+)\)", " ".join(element.attributes.values())):
            assert painted in names


@SOME
def test_nothing_runs_or_is_styled_inside_the_page(players: int, tiles: tuple[str, ...], most: int) -> None:
    """The content policy allows only files of ours."""
    for element in Reading(page_of(seen_at(players, tiles, most))).elements:
        assert element.tag not in ("script", "style", "iframe", "img")
        assert "style" not in element.attributes
        assert not [name for name in element.attributes if name.startswith("on")]


@SOME
def test_whatever_can_be_reached_has_a_name(players: int, tiles: tuple[str, ...], most: int) -> None:
    for element in Reading(page_of(seen_at(players, tiles, most))).elements:
        if element.tag in ("button", "a") or element["role"] in ("img", "button", "dialog", "group"):
            assert element["aria-label"] or element.text.strip(), element.attributes


@pytest.mark.parametrize("language", LANGUAGES)
@SOME
def test_the_page_speaks_every_language(players: int, tiles: tuple[str, ...], most: int, language: str) -> None:
    viewer = Viewer(language)
    assert not english_left(page_of(seen_at(players, tiles, most, viewer), viewer), language)


@pytest.mark.parametrize("name", TEMPLATES)
def test_no_template_has_words_of_its_own(name: str) -> None:
    """Whatever somebody reads goes through the translator; only the name of the game does not."""
    content = (resources.files("elcapitan.web") / "templates" / name).read_text(encoding="utf-8")
    content = re.sub(r"{#.*?#}|{%.*?%}|{{.*?}}", "", content, flags=re.DOTALL)
    spoken = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', content)
    text = re.sub(r"<[^>]*>", " ", content)
    for piece in (*spoken, text):
        assert not re.search(r"[^\W\d_]{2,}", re.sub(r"El Capitán|Ctrl|Shift", "", piece).replace("+Z", "")), piece


@pytest.mark.parametrize("most", [10, 38])
def test_the_table_is_small(most: int) -> None:
    assert len(table_of(seen_at(5, TILES, most)).encode()) < MOST_BYTES


def test_every_topic_of_help_cites_a_rule() -> None:
    for language in LANGUAGES:
        known = {item.name for chapter in chapters(language) for item in chapter.items}
        assert {rule for _text, rule in TOPICS.values()} - {""} <= known


@pytest.mark.parametrize("topic", PARTS)
def test_every_topic_about_a_part_is_about_something_on_the_table(topic: str) -> None:
    written = " ".join((resources.files("elcapitan.web") / "templates" / name).read_text() for name in TEMPLATES)
    assert topic in TOPICS
    for name in re.findall(r"[#.]([a-z][a-z-]*)(?=[\s,:.)]|$)|\[href='(#[a-z-]+)'\]", PARTS[topic]):
        word = (name[0] or name[1]).removeprefix("#i-")
        assert re.search(rf"\b{re.escape(word)}\b", written), word


@pytest.mark.compiled
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finished_game_and_its_paydays(language: str) -> None:
    viewer, game = Viewer(language), random_game(4, TILES, seed=3)
    table = seated(game)
    seen = table_view(table, viewer)
    assert seen.result and seen.over and not seen.acting
    page = page_of(seen, viewer)
    assert not english_left(page, language)
    rulebook_html = Reading(page)
    assert not rulebook_html.mismatched
    assert [each for each in rulebook_html.elements if each.tag == "polyline"]
    for held in game.paydays:
        shown = payday_view(table, viewer, held.number)
        assert shown is not None
        html = str(payday_fragment(table, viewer, held.number))
        stage = Reading(html)
        assert not english_left(html, language) and not stage.mismatched
        assert not [why for why in stage.inside("stage", "why") if re.search(r"[A-Z]-\d\d\w", why)]
    assert payday_view(table, viewer, 4) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_ways_to_a_city(language: str) -> None:
    viewer = Viewer(language)
    game = game_of(4, TILES, 12)
    for city in (each.city for each in table_view(seated(game), viewer).cities):
        ways = ways_to(game, city.number)
        html = rendered("table/routes.html", viewer, ways=routes_view(seated(game), viewer, city.number, ways))
        assert not english_left(html, language)
        offered = [element["value"] for element in Reading(html).elements if element["name"] == "actions"]
        wanted = [list(way.actions) for way in ways if way.actions]
        wanted += [[*way.actions, build.action] for way in ways for build in way.builds]
        assert sorted(map(str.split, offered)) == sorted([str(action) for action in each] for each in wanted)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_moment_of_a_replay(language: str) -> None:
    viewer = Viewer(language)
    table = seated(game_of(3, ("Lisboa",), 30))
    last = len(table.game.events)
    for at in (1, last // 2, last):
        seen = table_view(table, viewer, at)
        assert seen.replay and (seen.replay.at, seen.replay.last) == (at, last)
        page = page_of(seen, viewer)
        assert not Reading(page).actions
        assert not english_left(page, language)


@pytest.mark.compiled
def test_nothing_on_the_stage_of_a_payday_is_ahead_of_it() -> None:
    game = random_game(4, TILES, seed=3)
    table = seated(game)
    for held in game.paydays:
        shown = table_at_payday(table, ENGLISH, held.number)
        assert shown is not None and shown.payday is not None
        assert shown.paydays == held.number - 1 and not shown.over and shown.result is None and not shown.live
        assert {each.seat: each.cash for each in shown.merchants} == dict(enumerate(shown.payday.before.purses))
        assert not any(each.earnings or each.deciding for each in shown.merchants)
        lines = [line for turn in shown.journal.turns for line in turn.lines]
        assert held.number not in {line.payday for line in lines}
    assert table_at_payday(table, ENGLISH, 4) is None
