"""Twelve cities and the pirate: moved for nothing, for money and by cards."""

import json

import pytest
from playwright.sync_api import Page, expect
from tests.browser.positions import TILES, UNIFORM, game_where, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TASTE, TablePlayer, family_of, number_of, purses

from elcapitan.engine.actions import family
from elcapitan.game.game import Game
from elcapitan.records import json_record as record

pytestmark = pytest.mark.compiled


def offers(game: Game, kind: str) -> bool:
    """Whether an action of a kind is legal."""
    return game.seat is not None and any(family(number) == kind for number in game.legal())


def now(server: RunningServer, page: Page) -> Game:
    """The game on the table, by its record."""
    return record.from_json(json.loads(server.get(page.url.removeprefix(server.address) + "/export/json")))


def pirate(page: Page) -> int:
    """The city on the board where the pirate lies."""
    return int(page.locator(".city:has(#pirate)").get_attribute("data-city") or -1)


def test_a_game_with_all_tiles_against_computer_players(server: RunningServer, page: Page) -> None:
    page.goto(server.table("human", "trader", "wanderer", tiles=TILES, seed=21))
    expect(page.locator("#board .city")).to_have_count(12)
    sitting = TablePlayer(page, seed=8, taste={**TASTE, "free_pirate": 20})
    assert sitting.to_the_end().over
    assert {"build", "free_pirate"} <= {family_of(each) for each in sitting.played}
    game = now(server, page)
    assert purses(page) == dict(enumerate(game.money))
    assert pirate(page) == int(game.position.pirate_city)
    ranking = [number_of(each) for each in page.locator("#final .ranking .money").all_inner_texts()]
    assert ranking == sorted(game.money, reverse=True)


@pytest.mark.parametrize("kind", ["free_pirate", "paid_pirate"])
def test_the_pirate_is_sent_from_a_list(server: RunningServer, page: Page, kind: str) -> None:
    start = game_where(lambda game: offers(game, kind), 3, TILES, seed=8, policy=UNIFORM)
    page.goto(server.brought(written(start)))
    sitting = TablePlayer(page, seed=1)
    sitting.wait_for_turn()
    assert pirate(page) == int(start.position.pirate_city)
    page.locator("#open-pirate").click()
    expect(page.locator("#pirate-panel")).to_be_visible()
    page.keyboard.press("Escape")
    seen = sitting.see()
    wanted = next(each for each in seen.of(kind) if moves(start, int(each)))
    sitting.play(wanted)
    game = now(server, page)
    assert len(game.events) > len(start.events)
    assert pirate(page) == int(game.position.pirate_city) != int(start.position.pirate_city)
    assert purses(page) == dict(enumerate(game.money))


def moves(game: Game, number: int) -> bool:
    """Whether an action takes the pirate to another city."""
    trial = game.copy()
    trial.play(number)
    return int(trial.position.pirate_city) != int(game.position.pirate_city)


def test_the_pirate_sails_by_cards(server: RunningServer, page: Page) -> None:
    start = game_where(lambda game: offers(game, "pirate_sail"), 3, TILES, seed=3, policy=UNIFORM)
    page.goto(server.brought(written(start)))
    sitting = TablePlayer(page, seed=1)
    seen = sitting.wait_for_turn()
    seen = sitting.play(seen.of("pirate_sail")[0])
    expect(page.locator(".voyage")).to_be_visible()
    while not seen.of("pirate_land"):
        seen = sitting.play(seen.of("pirate_sail")[0])
    sitting.play(seen.of("pirate_land")[0])
    expect(page.locator(".voyage")).to_have_count(0)
    game = now(server, page)
    assert pirate(page) == int(game.position.pirate_city)
    assert purses(page) == dict(enumerate(game.money))

    # All of it can be taken back, card by card, as long as nothing was turned up.
    while page.locator("#undo-one").is_enabled():
        number = sitting.see().number
        page.locator("#undo-one").click()
        sitting.wait_for_turn(number)
    assert pirate(page) == int(start.position.pirate_city)
    assert purses(page) == dict(enumerate(start.money))
