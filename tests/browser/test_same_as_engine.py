"""What the page shows is what the engine says, on the board and as tables, in games played by chance."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.positions import settled, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import number_of
from tests.playing import random_game
from tests.standing import TABLES

from elcapitan.engine.policies import UNIFORM
from elcapitan.engine.vocabulary import CITY_NAMES, NOBODY, PIRATE
from elcapitan.game.game import Game
from elcapitan.position.facts import DecodedPosition

pytestmark = pytest.mark.compiled
SHARES = (0.15, 0.45, 0.75, 1.0)  # of a game

# Everything that stands on the board, by city, and everything beside it.
BOARD = """() => ({
    cities: Object.fromEntries([...document.querySelectorAll("#board .city")].map((city) => [city.dataset.city, {
        houses: [...city.querySelectorAll('[id^="house-"]')].map((each) => [each.id, each.getAttribute("class")]),
        towers: [...city.querySelectorAll('[id^="tower-"]')].map((each) => [each.id, each.getAttribute("class")]),
        ships: [...city.querySelectorAll(".ship[id]")].map((each) => [each.id, each.getAttribute("aria-label")]),
        closed: [...city.querySelectorAll('[data-help="closed"] use')].map((each) => each.getAttribute("class")),
        coin: city.querySelector('[id^="coin-"] text').textContent,
        pennant: Boolean(city.querySelector('[data-help="pennant"]')),
        ranks: [...city.querySelectorAll(".ranks text")].map((each) => each.textContent),
    }])),
    merchants: [...document.querySelectorAll(".merchant")].map((each) => ({
        seat: Number(each.id.replace("merchant-", "")),
        purse: each.querySelector(".purse .now").textContent,
        debt: each.querySelector(".debt").textContent,
        forecast: each.querySelector(".earn .forecast .now").textContent,
        stock: [...each.querySelectorAll('.stock [data-help="stock"]')].map((one) => one.textContent),
        cards: each.querySelector(".hand-of").textContent,
    })),
    display: [...document.querySelectorAll(".display .card[id]")].map((each) => each.id),
    moored: [...document.querySelectorAll("#bank .ship[id]")].map((each) => each.id),
    tables: [...document.querySelectorAll("#as-tables table")].map((table) => [...table.querySelectorAll("tbody tr")]
        .map((row) => [...row.children].map((cell) => cell.textContent.trim()))),
})"""


@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_the_page_shows_the_position(server: RunningServer, page: Page, players: int, tiles: tuple[str, ...]) -> None:
    whole = random_game(players, tiles, seed=players * 10 + len(tiles), policy=UNIFORM, most=300)
    page.context.add_cookies([{"name": "view", "value": "tables", "url": server.address}])
    for share in SHARES:
        game = settled(whole, max(2, int(share * len(whole.events))))
        page.goto(server.brought(written(game)))
        page.wait_for_selector("#table")
        shown: dict[str, Any] = page.evaluate(BOARD)
        check_board(shown, game)
        check_merchants(shown, game)
        check_tables(shown, game)


def check_board(shown: dict[str, Any], game: Game) -> None:
    """Pieces, payments and ranks of every city."""
    s = game.position
    looks = DecodedPosition.of(s, game.figures).cities
    assert list(shown["cities"]) and set(shown["cities"]) == {str(each.number) for each in looks}
    for each in looks:
        city = shown["cities"][str(each.number)]
        houses = {
            (f"house-{each.number}-{site}", f"p{colour}") for site, colour in enumerate(each.sites) if colour >= 0
        }
        assert {(name, colour_of(classes)) for name, classes in city["houses"]} == houses
        towers = {
            (f"tower-{each.number}-{site}", f"p{slot.occupant}")
            for site, slot in enumerate(each.fortresses)
            if slot.occupant != NOBODY
        }
        assert {(name, colour_of(classes)) for name, classes in city["towers"]} == towers
        ships = {
            ("pirate" if slot.occupant == PIRATE else f"ship-{slot.occupant}", number)
            for number, slot in enumerate(each.harbours, start=1)
            if slot.occupant != NOBODY
        }
        berthed = {(name, number_of(label)) for name, label in city["ships"] if label.startswith("harbour")}
        assert berthed == ships
        assert {name for name, label in city["ships"]} - {name for name, _ in ships} == {
            f"ship-{seat}" for seat in each.passing
        }
        assert sorted(map(colour_of, city["closed"])) == sorted(f"p{colour}" for colour in each.closed)
        assert number_of(city["coin"]) == each.pays
        assert city["pennant"] == each.fullest
        amounts = [amount for _seat, amount in each.earners]
        assert {int(rank) for rank in city["ranks"]} == set(amounts)
    at_bank = {f"ship-{seat}" for seat in range(game.players)} - {
        name for city in shown["cities"].values() for name, _ in city["ships"]
    }
    assert set(shown["moored"]) <= at_bank


def colour_of(classes: str) -> str:
    """The colour among the classes of a piece."""
    return next(each for each in classes.split() if re.fullmatch(r"p\d", each))


def check_merchants(shown: dict[str, Any], game: Game) -> None:
    """Purses, debts, forecasts, stocks and hands."""
    looks = {each.seat: each for each in DecodedPosition.of(game.position, game.figures).merchants}
    incomes = {income.seat: income.total for income in game.forecast()}
    assert {each["seat"] for each in shown["merchants"]} == set(looks)
    for each in shown["merchants"]:
        merchant = looks[each["seat"]]
        assert number_of(each["purse"]) == merchant.cash
        assert merchant.debt == (number_of(each["debt"]) if re.search(r"\d", each["debt"]) else 0)
        assert number_of(each["forecast"]) == incomes[each["seat"]]
        assert [number_of(words) for words in each["stock"]] == [*merchant.stock, merchant.fortresses]
        assert number_of(each["cards"]) == len(merchant.hand)
    if not game.over:
        destinations, links = DecodedPosition.of(game.position, game.figures).display
        assert sorted(shown["display"]) == sorted(f"card-{card.card}" for card in (*destinations, *links))


def check_tables(shown: dict[str, Any], game: Game) -> None:
    """The same, read in tables."""
    cities, merchants = shown["tables"][:2]
    looks = {each.name: each for each in DecodedPosition.of(game.position, game.figures).cities}
    assert len(cities) == len(looks)
    for row in cities:
        city = looks[next(name for name in CITY_NAMES if row[0].startswith(name))]
        assert number_of(row[1]) == city.pays
        standing = re.findall(r" (\d+)(?: \((\d+) ƒ\))?(?:;|$)", row[2])
        assert [(int(houses), int(earns or 0)) for houses, earns in standing] == [
            (each.houses, each.earns) for each in city.order
        ]
        sites = [int(each) - 1 for each in re.findall(r"site (\d+)", row[3])]
        assert sites == [site for site, colour in enumerate(city.sites) if colour >= 0]
        assert ("⚑" in row[0]) == city.fullest
        assert len(re.findall(r"harbour \d", row[5])) == len(city.harbours)
        assert row[6].count("free") == sum(slot.occupant == NOBODY for slot in city.fortresses)
    incomes = {income.seat: income.total for income in game.forecast()}
    order = [(int(game.position.starter) + number) % game.players for number in range(game.players)]
    for seat, row in zip(order, merchants, strict=True):
        merchant = DecodedPosition.of(game.position, game.figures).merchants[seat]
        assert [number_of(each) for each in (*row[1:4], row[6])] == [
            merchant.cash,
            merchant.debt,
            merchant.worth,
            incomes[seat],
        ]
        assert [int(each) for each in re.findall(r"\d+", row[4])] == list(merchant.stock)
        assert number_of(row[5]) == merchant.fortresses
