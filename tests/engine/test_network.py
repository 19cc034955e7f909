"""What the network reads of a position, and that it says the same however it is evaluated."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.bots.asked_bots import BOARDS, TABLES, walk
from tests.drawings import position

from elcapitan.bots.bot import NO_TREE, weights
from elcapitan.engine import play, think
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.network import features
from elcapitan.engine.network.evaluate import Layers, choose_turns, evaluate, evaluate_plainly, liking
from elcapitan.engine.network.features import CELLS, CITY_CELLS, CITY_PARTS, SEAT_CELLS, SEAT_PARTS, SEATS_AT, Parts
from elcapitan.engine.network.turns import NOTHING_CHOSEN, OUTCOMES, Offer, Offering, dealing, empty_rows
from elcapitan.engine.record import Int8s, zeros
from elcapitan.engine.rng import generator
from elcapitan.engine.search.plans import AFTER
from elcapitan.engine.search.worth import PLANS
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import AWAY, BANK, CARDS, CITIES, COLOURS, NOBODY, SEATS, SITES


def rows_of(states: States, chosen: int = NOTHING_CHOSEN) -> tuple[Int8s, Any, States]:
    """The rows of all plans of the deciding seat, the offer, and the positions after the plans."""
    games, offers, rows = states.copy(), zeros(Offer, 1), empty_rows(PLANS)
    arrays = think.SearchArrays(
        think.lines(), BOARDS, play.desks(), think.search_buffers(), weights("worth"), generator(3), NO_TREE
    )
    offering = Offering(offers, np.full(1, chosen, np.int16), arrays.lines, rows, dealing(1))
    count = think.offer_turns(games, arrays, offering)
    return rows.features[:count], offers[0], arrays.lines[AFTER : AFTER + count]


def part(row: Int8s, at: int, parts: Parts, name: str) -> list[int]:
    """The cells of one part of a block."""
    begin = at
    for each, (shape, _scale, _tells) in parts.items():
        size = int(np.prod(shape))
        if each == name:
            return [int(cell) for cell in row[begin : begin + size]]
        begin += size
    raise KeyError(name)


def in_order(s: State, me: int, values: list[int]) -> list[int]:
    """What each seat has, as one of them sees it: itself first; 0 where nobody plays."""
    players = int(s.players)
    return [values[(me + after) % players] if after < players else 0 for after in range(SEATS)]


def colours_in_order(s: State, me: int, values: list[int]) -> list[int]:
    """What each colour has; with two players the neutral ones come last."""
    if s.players == 2:
        return [values[me], values[1 - me], values[2 + me], values[3 - me], 0]
    return in_order(s, me, values)


@pytest.mark.parametrize(("players", "tiles"), TABLES if COMPILED else TABLES[::6])
def test_features_say_what_a_plain_count_says(players: int, tiles: int) -> None:
    looked = 0
    for _what, states in walk(players, tiles, 31 * players + tiles, of_each=2, options=tiles % 8):
        me = int(states[0].seat)
        rows, _offer, after = rows_of(states)
        for row, s in zip(rows, after, strict=True):
            looked += 1
            check_cities(row, s, me)
            check_seats(row, s, me)
            check_cards(row, s, me)
    assert looked > 20


def check_cities(row: Int8s, s: State, me: int) -> None:
    """Compare the blocks of all cities with the fields of the position."""
    for city in range(CITIES):
        at = city * CITY_CELLS
        if not int(s.in_play) >> city & 1:
            assert not row[at : at + CITY_CELLS].any()
            continue
        site, closed = s.site[city], [int(number) for number in s.closed[city]]
        stands = [place for place in range(SITES) if site[place] != NOBODY]
        houses = [sum(int(site[place]) == colour for place in stands) for colour in range(COLOURS)]
        front = [min((p for p in stands if site[p] == colour), default=SITES) for colour in range(COLOURS)]
        assert part(row, at, CITY_PARTS, "houses") == colours_in_order(s, me, houses)
        assert part(row, at, CITY_PARTS, "any") == colours_in_order(s, me, [int(n > 0) for n in houses])
        assert part(row, at, CITY_PARTS, "two") == colours_in_order(s, me, [int(n > 1) for n in houses])
        assert part(row, at, CITY_PARTS, "three") == colours_in_order(s, me, [int(n > 2) for n in houses])
        assert part(row, at, CITY_PARTS, "foremost") == colours_in_order(s, me, [SITES - place for place in front])
        assert part(row, at, CITY_PARTS, "closed") == colours_in_order(s, me, closed)
        room = [int(s.room[colour]) >> city & 1 for colour in range(COLOURS)]
        assert part(row, at, CITY_PARTS, "room") == colours_in_order(s, me, room)
        for name, where in (("front", 0), ("last", -1)):
            stands_there = [int(bool(stands) and site[stands[where]] == colour) for colour in range(COLOURS)]
            assert part(row, at, CITY_PARTS, name) == colours_in_order(s, me, stands_there)
        ships = [int(s.ship_city[seat] == city) for seat in range(SEATS)]
        assert part(row, at, CITY_PARTS, "ship") == in_order(s, me, ships)
        forts = [int(s.fortified[seat]) >> city & 1 for seat in range(SEATS)]
        assert part(row, at, CITY_PARTS, "fortress") == in_order(s, me, forts)
        assert part(row, at, CITY_PARTS, "open") == [len(stands)]
        assert part(row, at, CITY_PARTS, "full") == [int(s.last[city] == SITES - 1)]
        assert part(row, at, CITY_PARTS, "pirate") == [int(s.pirate_city == city)]
        assert part(row, at, CITY_PARTS, "spaces") == [sum(int(free) >> city & 1 for free in s.free)]


def check_seats(row: Int8s, s: State, me: int) -> None:
    """Compare the blocks of all seats with the fields of the position and with its forecast."""
    here = play.states(1)
    here[0] = s
    forecast, facts = play.forecasts(1), play.facts(here, 0, BOARDS)[0]
    play.forecast(here, 0, BOARDS, forecast, 0)
    for after in range(SEATS):
        at = SEATS_AT + after * SEAT_CELLS
        if after >= s.players:
            assert not row[at : at + SEAT_CELLS].any()
            continue
        seat = (me + after) % int(s.players)
        cash, paid = int(s.cash[seat]), forecast[0]
        majority = sum(min(127, int(each)) for each in paid.majority[seat])
        income = int(paid.proliferation[seat]) + majority + int(paid.fortress[seat].sum())
        assert part(row, at, SEAT_PARTS, "present") == [1]
        assert part(row, at, SEAT_PARTS, "cash") == [max(-127, min(127, cash // 2))]
        assert part(row, at, SEAT_PARTS, "little_cash") == [max(-24, min(24, cash))]
        assert part(row, at, SEAT_PARTS, "debt") == [min(127, int(facts.debt[seat]))]
        assert part(row, at, SEAT_PARTS, "stock") == [int(s.stock[seat])]
        assert part(row, at, SEAT_PARTS, "cities").index(1) == int(paid.cities[seat])
        assert part(row, at, SEAT_PARTS, "income") == [min(127, income // 2)]
        assert part(row, at, SEAT_PARTS, "chart") == [int(paid.proliferation[seat])]
        assert part(row, at, SEAT_PARTS, "away") == [int(s.ship_city[seat] == place) for place in (AWAY, BANK)]
        assert part(row, at, SEAT_PARTS, "cards") == [int(s.hand[seat]).bit_count()]


def check_cards(row: Int8s, s: State, me: int) -> None:
    """Compare the sets of cards with those of the position."""
    sets = [int(s.display), int(s.discard), *in_order(s, me, [int(hand) for hand in s.hand])]
    for k, cards in enumerate(sets):
        cells = row[features.CARDS_AT + 64 * k :][:64]
        assert [int(cell) for cell in cells] == [cards >> card & 1 for card in range(64)]
        assert cards < 1 << CARDS


def random_layers(seed: int) -> Layers:
    """A small network of chance."""
    rng = np.random.default_rng(seed)
    sizes = (CELLS, 32, 24, 16, 10)
    parts: list[Any] = []
    for into, out in pairwise(sizes):
        parts += [rng.normal(size=(into, out)).astype(np.float32) / 8, rng.normal(size=out).astype(np.float32)]
    parts.append(rng.normal(size=(CELLS, 10)).astype(np.float32) / 50)
    return Layers(*parts)


@pytest.mark.parametrize(("players", "tiles"), TABLES[::5])
def test_the_compiled_network_agrees_with_matrix_products(players: int, tiles: int) -> None:
    layers = random_layers(players)
    for _what, states in walk(players, tiles, players, of_each=2):
        rows, _offer, _after = rows_of(states)
        outcomes = evaluate(rows, layers)
        assert np.allclose(outcomes, evaluate_plainly(rows, layers), atol=2e-4)
        assert np.allclose(outcomes[:, :players].sum(axis=1), 1, atol=1e-5)
        assert not outcomes[:, players:SEATS].any() and not outcomes[:, SEATS + players :].any()


def test_who_sits_where_makes_no_difference() -> None:
    """The same position with other colours is the same row."""
    drawn = "4 players, {} to move\n Tunis [{} .]\n Napoli [. .] {} {}"
    rows = []
    for me, next_one in (("R", "Y"), ("Y", "G"), ("G", "B")):
        here = position(drawn.format(me, me, next_one, me)).states
        rows.append(rows_of(here)[0])
    for other in rows[1:]:
        starter = features.STARTER
        same = np.delete(rows[0], range(starter, starter + SEATS), axis=1)
        assert (np.delete(other, range(starter, starter + SEATS), axis=1) == same).all()


def test_every_plan_is_legal_step_by_step() -> None:
    looked = 0
    for _what, states in walk(4, 7, 5, of_each=3):
        rows, offer, _after = rows_of(states)
        assert len(rows) == offer.plans > 0
        for k in range(int(offer.plans)):
            here, desks = states.copy(), play.desks()
            for step in offer.steps[k][: offer.length[k]].tolist():
                count = play.legal(here, 0, BOARDS, desks, 0)
                assert step in desks[0].actions[:count]
                play.apply(here, 0, BOARDS, step)
            looked += 1
    assert looked > 50


def test_who_moves_likes_to_win_and_a_little_to_have_more_than_the_others() -> None:
    outcomes = np.zeros((3, OUTCOMES), np.float32)
    outcomes[:, 0] = 0.5, 0.25, 0.25
    outcomes[:, SEATS : SEATS + 3] = (2, 1, 1), (1, 1, 1), (3, 1, 0)
    assert liking(outcomes, 3, 0.1).tolist() == pytest.approx([0.6, 0.25, 0.5])
    assert liking(outcomes[:1], 2, 0.1).tolist() == pytest.approx([0.5])
    chosen, best = np.full(3, 7, np.int16), np.full(3, 7, np.int32)
    first, plans, players = np.array([0, 0, 2]), np.array([2, 0, 1]), np.array([3, 3, 3])
    choose_turns(first, plans, players, outcomes, 0.1, chosen, best)
    assert chosen.tolist() == [0, NOTHING_CHOSEN, 0] and best.tolist() == [0, -1, 2]
