"""What the table shows is what the engine says, on positions of games played by chance."""

import random
import re

import pytest
from tests.playing import game_with_voyage, random_game
from tests.standing import TABLES, games_on_the_way
from tests.web.drawn_tables import ENGLISH, InMemory, Reading, looked_at, seated, table_of

from elcapitan.engine.actions import family
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.vocabulary import BANK, CITIES, NEUTRAL_OFFSET, NOBODY, PIRATE, SITES, two_colours
from elcapitan.game.game import Game
from elcapitan.position.facts import DecodedPosition
from elcapitan.service import Table
from elcapitan.text.names import MINUS
from elcapitan.web.view.table_view import TableView, table_view

EVERY = pytest.mark.parametrize(("players", "tiles"), TABLES)
SOME = pytest.mark.parametrize(("players", "tiles"), TABLES[1:3])


def check_board(table: Table, seen: TableView, page: Reading) -> None:
    """Warehouses, fortresses, ships and payments of every city, in the scene and on the page."""
    s, palette = table.game.position, table.settings.palette()
    assert [each.city.number for each in seen.cities if 0 <= each.city.number < CITIES] == [
        each.number for each in DecodedPosition.of(s, table.game.figures).cities
    ]
    drawn = {(element["id"], element["href"]) for element in page.elements if element.tag == "use" and element["id"]}
    for city in (each.city for each in seen.cities):
        houses = {site: palette[colour] for site, colour in enumerate(s.site[city.number].tolist()) if colour != NOBODY}
        assert {house.site: house.colour for house in city.houses} == houses
        assert {(f"house-{city.number}-{site}", f"#w{colour}") for site, colour in houses.items()} <= drawn
        towers = {site: palette[seat] for site, seat in enumerate(s.fortress[city.number].tolist()) if seat != NOBODY}
        assert {tower.site: tower.colour for tower in city.towers} == towers
        assert {(f"tower-{city.number}-{site}", f"#f{colour}") for site, colour in towers.items()} <= drawn
        shut = [palette[c] for c, count in enumerate(s.closed[city.number].tolist()) for _ in range(count)]
        assert [colour for _box, colour in (city.closed.pieces if city.closed else ())] == shut
        moored = [who for who in s.harbour[city.number].tolist() if who != NOBODY]
        names = ["pirate" if who == PIRATE else f"ship-{who}" for who in moored]
        assert [ship.name for ship in city.ships if ship.berth] == names
        free = {part.box for part in city.free} | {vacated.part.box for vacated in city.vacated} | {city.coin.box}
        standing = {house.cell for house in city.houses}
        assert not standing & free
        assert len(standing | {box for box in free if box in seen.layout.spaces}) == SITES + 1
        assert page.by_id(f"coin-{city.number}").text.strip() == str(city.pays)
    assert len([name for name, _ in drawn if name.startswith("house-")]) == int((s.site != NOBODY).sum())


def check_merchants(table: Table, seen: TableView, page: Reading) -> None:
    """Purses, debts, stocks, cards and forecasts of everybody."""
    s, figures, palette = table.game.position, table.game.figures, table.settings.palette()
    players = table.game.players
    starter = int(s.starter)
    assert [each.seat for each in seen.merchants] == [(starter + number) % players for number in range(players)]
    owed = (s.loans.astype(int) * figures.board.loan_due).sum(axis=(1, 2))
    for merchant, income in ((each, table.game.forecast()[each.seat]) for each in seen.merchants):
        seat = merchant.seat
        assert merchant.colour == palette[seat]
        assert merchant.cash == s.cash[seat] and merchant.debt == owed[seat]
        assert merchant.stock == s.stock[seat] and merchant.fortresses == s.fortresses[seat]
        assert merchant.neutral_stock == (s.stock[seat + NEUTRAL_OFFSET] if two_colours(players) else None)
        assert sum(1 << card.card for card in merchant.cards) == int(s.hand[seat])
        row = f"merchant-{seat}"
        if table.game.over:  # no payday is to come
            assert merchant.earnings is None and page.inside(row, "now", "forecast") == []
        else:
            parts = merchant.earnings
            assert parts is not None and parts.total == income.total
            assert parts.proliferation + parts.majority + parts.fortress + parts.bonus == income.total
            assert page.inside(row, "now", "forecast") == [str(income.total)]
        assert page.inside(row, "now", "purse") == [str(merchant.cash).replace("-", MINUS)]
        assert merchant.worth == int(s.cash[seat]) - owed[seat]
        worth = f"({merchant.worth})".replace("-", MINUS)
        assert page.inside(row, "net") == ([worth] if merchant.debt else [])
        assert page.inside(row, "debt") == [f"owes {merchant.debt}" if merchant.debt else "no debt"]


def check_cards(table: Table, seen: TableView) -> None:
    """The display, the decks, the chart and the bank."""
    s, figures = table.game.position, table.game.figures
    displayed = [each.card.card for pile in (seen.destinations, seen.links) for each in pile.cards]
    assert sum(1 << card for card in displayed) == int(s.display)
    assert [seen.destinations.deck, seen.links.deck] == s.deck_left.tolist()
    assert seen.destinations.discards + seen.links.discards == int(s.discard).bit_count()
    assert sum(1 << each.card.card for each in seen.hand) == int(s.hand[seen.me.seat])
    assert [loan.left for loan in seen.side.loans] == s.loans_left.tolist()
    assert {seat for seat, _name, _colour in seen.side.moored} == {
        seat for seat in range(table.game.players) if s.ship_city[seat] == BANK
    }
    for space in seen.side.chart:
        assert space.pays == figures.board.chart[space.cities]
        there = [income for income in table.game.forecast() if income.cities == space.cities]
        assert len(space.merchants) == len(there)


@EVERY
def test_the_table_shows_what_the_engine_says(players: int, tiles: tuple[str, ...]) -> None:
    memory = InMemory()
    for game in games_on_the_way(players, tiles, 30 + players, every=43):
        table = memory.seated(game)
        seen = table_view(table, ENGLISH)
        page = Reading(table_of(seen))
        check_board(table, seen, page)
        check_merchants(table, seen, page)
        check_cards(table, seen)
        assert set(page.actions) == set(game.legal())


@EVERY
def test_what_pays_and_who_earns(players: int, tiles: tuple[str, ...]) -> None:
    """The coin lies on the amount, and the ranks in a city's head are those of the forecast."""
    memory = InMemory()
    for game in games_on_the_way(players, tiles, 60 + players, every=59):
        table = memory.seated(game)
        incomes, palette = game.forecast(), table.settings.palette()
        seen = table_view(table, ENGLISH)
        for city in (each.city for each in seen.cities):
            track = game.figures.board.track[city.number].tolist()
            assert track[seen.layout.spaces.index(city.coin.box)] == city.pays
            earned = {
                palette[income.seat]: income.majority[city.name] for income in incomes if city.name in income.majority
            }
            assert {colour: rank.amount for rank in city.ranks for colour in rank.colours} == earned
            assert [rank.amount for rank in city.ranks] == sorted((r.amount for r in city.ranks), reverse=True)


@pytest.mark.compiled
@EVERY
def test_a_preview_on_the_board_is_what_happens(players: int, tiles: tuple[str, ...]) -> None:
    dice = random.Random(players)
    looked_ahead = 0
    memory = InMemory()
    for game in games_on_the_way(players, tiles, 90 + players, every=11):
        seen = table_view(memory.seated(game), ENGLISH)
        for offer in dice.sample(seen.offers.builds, min(2, len(seen.offers.builds))):
            after = game.copy()
            seat, before = game.seat, game.forecast()
            assert seat is not None
            after.play(int(offer.actions))
            if after.paydays[len(game.paydays) :]:
                continue
            looked_ahead += 1
            gains = [new.total - old.total for old, new in zip(before, after.forecast(), strict=True)]
            assert offer.cost == game.money[seat] - after.money[seat]
            assert offer.gain == gains[seat]
            for merchant in seen.merchants:
                assert merchant.earnings is not None
                told = {each.actions: each.total for each in merchant.earnings.prospects}
                assert told.get(offer.actions, before[merchant.seat].total) == after.forecast()[merchant.seat].total
            (target,) = (each for city in seen.cities for each in city.targets if each.offer == offer)
            (ahead,) = (each for city in seen.cities for each in city.ahead if each.actions == offer.actions)
            then = {each.city.number: each.city for each in table_view(memory.seated(after), ENGLISH).cities}[
                offer.city or 0
            ]
            if ahead.house:
                assert ahead.house in [(house.box, house.colour) for house in then.houses]
                assert (ahead.coin or (then.coin.box, then.pays)) == (then.coin.box, then.pays)
            else:
                assert ahead.tower in [(tower.box, tower.colour) for tower in then.towers]
            assert target.label.startswith(offer.words)
    assert looked_ahead


def test_a_voyage_of_the_pirate_is_offered_piece_by_piece() -> None:
    game, voyage = game_with_voyage(seed=2)
    for number in voyage:
        page = looked_at(seated(game))
        assert set(page.actions) == set(game.legal()) and number in page.actions
        game.play(number)


@pytest.mark.compiled
def test_every_kind_of_action_is_offered_somewhere() -> None:
    wanted = {"buy", "sail", "build", "fortress", "loan", "end", "repay", "extend", "starter"}
    wanted |= {"free_pirate", "paid_pirate", "pirate_sail", "reopen"}
    for seed in range(4):
        memory = InMemory()
        for game in games_on_the_way(4, ("Islas Canarias",), 200 + seed, every=1 + seed):
            legal = {family(action) for action in game.legal()}
            if wanted & legal:  # drawing takes time: only where something is still to be seen
                wanted -= {family(action) for action in looked_at(memory.seated(game)).actions}
    assert not wanted


def test_who_looks_on_is_offered_nothing() -> None:
    game = random_game(3, seed=5, most=20)
    nobody = seated(game, people=[(game.seat or 0) + 1 - 3 * ((game.seat or 0) == 2)], thinking=True)
    page = looked_at(nobody)
    assert not page.actions and "thinking" in page.by_id("sentence").text
    assert page.by_id("undo-one").attributes.keys() >= {"disabled"}


def test_what_is_refused_has_its_reason_and_rule() -> None:
    game = Game.new(3, first=0, seed=4)
    page = looked_at(seated(game))
    loans = page.ids("loan-")
    assert loans and all(loan["aria-disabled"] == "true" and loan["data-why"] and loan["data-rule"] for loan in loans)
    assert {loan["data-rule"] for loan in loans} == {"LOAN-06"}


@pytest.mark.parametrize(("forecast", "shown"), [("all", 3), ("own", 1), ("off", 0)])
def test_whose_payday_is_foretold(forecast: str, shown: int) -> None:
    game = random_game(3, seed=6, most=30)
    table = seated(game, forecast=forecast)
    seen = table_view(table, ENGLISH)
    assert sum(merchant.earnings is not None for merchant in seen.merchants) == shown
    assert seen.me.earnings is not None or not shown
    html = table_of(seen)
    assert html.count('class="earn r"') == shown
    assert ("change at payday" in Reading(html).inside("acts", "hint")) == bool(
        shown and (seen.offers.builds or seen.near)
    )


def gains_shown(page: Reading) -> list[str]:
    """The changes of the payday in the list of actions."""
    return [
        element.text
        for element in page.elements
        if element.tag == "span"
        and {"up", "down", "even"} & set(element.classes)
        and any(each["id"] == "acts" for each in element.within)
    ]


@SOME
def test_a_change_of_the_payday_always_has_a_heading(players: int, tiles: tuple[str, ...]) -> None:
    shown = 0
    for game in games_on_the_way(players, tiles, seed=players):
        seen = table_view(seated(game), ENGLISH)
        page = Reading(table_of(seen))
        gains = gains_shown(page)
        assert ("change at payday" in page.inside("acts", "hint")) == bool(gains)
        assert all(each.endswith("payday") for each in gains)
        shown += bool(seen.near) + bool(seen.offers.builds)
    assert shown


@SOME
def test_builds_are_ordered_by_what_they_earn_then_by_price(players: int, tiles: tuple[str, ...]) -> None:
    several = 0
    for game in games_on_the_way(players, tiles, seed=players):
        for forecast in ("all", "off"):
            seen = table_view(seated(game, forecast=forecast), ENGLISH)
            values = [(-each.gain * (forecast == "all"), each.cost) for each in seen.offers.builds]
            assert values == sorted(values)
            near = [(each.total, -each.gain) for each in seen.near]
            costs = [(int(re.sub(r"\D", "", total)) * (-1 if "+" in total else 1), gain) for total, gain in near]
            assert costs == sorted(costs)
            several += len(set(values)) > 1
    assert several or not COMPILED


def test_a_guide_offers_only_its_move() -> None:
    game = random_game(3, seed=6, most=30)
    chosen = game.legal()[0]
    before = game.position.tobytes()
    page = looked_at(seated(game), only=[chosen], base="/guide/3")
    assert set(page.actions) == {chosen}
    assert page.by_id("turn")["action"] == "/guide/3/act"
    assert game.position.tobytes() == before


def test_nothing_shows_the_order_of_the_face_down_cards() -> None:
    game = random_game(4, ("Islas Canarias",), seed=8, most=25)
    other = game.copy()
    other.shuffle(99)
    assert other.position.deck.tolist() != game.position.deck.tolist()
    assert table_of(table_view(seated(other), ENGLISH)) == table_of(table_view(seated(game), ENGLISH))


def test_looking_changes_nothing() -> None:
    game = random_game(4, ("Porto",), seed=9, most=40)
    before, events = game.position.tobytes(), game.events
    table_view(seated(game), ENGLISH)
    table_view(seated(game), ENGLISH, 5)
    assert game.position.tobytes() == before and game.events == events
