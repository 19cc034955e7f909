"""The sets by which rules decide: each compared with a plain count over single cards and cities, interpreted only."""

from itertools import permutations

import numpy as np
import pytest
from tests.drawings import Position, position
from tests.playing import other_board, random_game

from elcapitan.board.figures import packaged
from elcapitan.engine import play
from elcapitan.engine.actions import LEGS, N_ACTIONS, leg_card
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.legal_actions import is_offered
from elcapitan.engine.policies import UNIFORM
from elcapitan.engine.rules import build_options, legality, reach, sailing
from elcapitan.engine.rules.build_options import AS_IT_IS
from elcapitan.engine.state import Board, Desk, State
from elcapitan.engine.vocabulary import (
    CARDS,
    CITIES,
    DESTINATIONS,
    FORTRESS_SITES,
    FREE,
    MAIN_CITIES,
    MOST_FLORINS,
    NEVER,
    PLACES,
    SPACES,
)

pytestmark = pytest.mark.skipif(COMPILED, reason="rules can be called from Python only where they are interpreted")


def with_a_free_card() -> Board:
    """A board on which the first card costs nothing."""
    boards = packaged().boards.copy()
    boards[0].card_price[0] = 0
    boards[0].cards_at_most[:] |= 1
    return boards[0]


BOARDS = {"usual": packaged().boards[0], "other": other_board().boards[0], "free card": with_a_free_card()}
TILES = ("Porto", "Lisboa", "Islas Canarias")
ALL_IN_PLAY = "4 players, R to move \n Porto [R . .] \n Lisboa [Y .] \n Canarias [G *]"
DICE = np.random.default_rng(19)
BEGINNING = DICE.bit_generator.state


@pytest.fixture(autouse=True)
def same_dice() -> None:
    """Begin every test with the same dice, whichever tests run before it."""
    DICE.bit_generator.state = BEGINNING


@pytest.fixture(params=BOARDS)
def b(request: pytest.FixtureRequest) -> Board:
    """Each of two boards."""
    return BOARDS[request.param]


def members(bits: int) -> list[int]:
    """The numbers in a set."""
    return [number for number in range(64) if int(bits) >> number & 1]


def some_of(count: int, share: float) -> int:
    """A set of numbers below `count`, each in it with this chance."""
    return sum(1 << int(number) for number in np.flatnonzero(DICE.random(count) < share))


def games(count: int, most: int) -> list[Position]:
    """Positions of games with all tiles in which players spend everything on cards."""
    found = []
    for seed in range(count):
        game = random_game(2 + seed % 4, TILES, seed=seed, policy=UNIFORM, most=most)
        if game.seat is not None:
            found.append(Position(game.view_for(game.seat), game.figures))
    return found


def desk_of(here: Position, cash: int | None = None) -> tuple[State, Board, Desk]:
    """A position and a desk that knows what can be built in it."""
    s, b, d = here.s, here.figures.boards[0], play.desks()[0]
    if cash is not None:
        s.cash[int(s.seat)] = cash
    reach.look_afresh(d)
    reach.look_around(s, b, d)
    return s, b, d


def test_destination_cards_of_cities(b: Board) -> None:
    """[CARD-02]"""
    for cities in range(1 << MAIN_CITIES):
        cards = [card for card in range(DESTINATIONS) if cities >> int(b.card_city[card, 0]) & 1]
        assert members(sailing.destinations(cities)) == cards


def test_a_card_leads_where_one_of_its_legs_fits(b: Board) -> None:
    """[CARD-04, CARD-05, CARD-06, SAIL-06]"""
    s = position(ALL_IN_PLAY).s
    for place in range(PLACES):
        fitting: dict[int, set[int]] = {card: set() for card in range(CARDS)}
        for leg in range(LEGS):
            if sailing.leg_fits(s, b, place, leg):
                fitting[leg_card(leg)].add(sailing.leg_target(b, leg))
        for card, cities in fitting.items():
            assert sorted(cities) == members(sailing.legs_of(b, place, card, int(s.in_play)))


def test_cards_whose_purchase_leaves_enough(b: Board) -> None:
    """[BUY-02, G-58]"""
    for cash in range(-2, 30):
        for least in (FREE, *range(13), NEVER):
            cards = [
                card
                for card in range(CARDS)
                if (b.card_price[card] == 0 or b.card_price[card] <= cash) and cash - int(b.card_price[card]) >= least
            ]
            assert members(sailing.cards_leaving(b, cash, least)) == cards


def test_the_least_price_of_a_single_opening(b: Board) -> None:
    """[G-06, G-58]"""
    assert build_options.least_price(b, 0) == NEVER
    for city in range(CITIES):
        prices = [*b.harbour_price[city].tolist(), *b.fortress_price[city].tolist()]
        assert len(prices) == SPACES + FORTRESS_SITES
        for kind, price in enumerate(prices):
            if price <= MOST_FLORINS:
                assert build_options.least_price(b, 1 << kind * CITIES + city) == (price or FREE)


def test_what_is_payable_in_a_city_is_payable_in_a_set_with_it() -> None:
    """[G-06, G-43] Houses from every space, fortresses, re-openings and Islas Canarias alike."""
    by_city = set()
    for here in games(12, 40):
        for cash in (0, 4, 8, 40):
            s, b, d = desk_of(here, cash)
            payable = build_options.goals(s, b, d, AS_IT_IS, cash)
            for city in range(CITIES):
                assert build_options.payable(s, b, d, AS_IT_IS, cash, 1 << city) == bool(payable >> city & 1)
                by_city.add((city, bool(payable >> city & 1)))
    assert len(by_city) == 2 * CITIES


def leads(b: Board, place: int, cards: tuple[int, ...], in_play: int, goals: int) -> bool:
    """Whether cards in this order lead from a place to a goal."""
    at = {place}
    for card in cards:
        at = {city for each in at for city in members(sailing.legs_of(b, each, card, in_play))}
    return any(goals >> city & 1 for city in at)


def test_two_cards_of_a_hand_are_found_if_there_are_two() -> None:
    """[G-06]"""
    s, b, d = desk_of(position(ALL_IN_PLAY))
    seen = set()
    for _ in range(300):
        place, hand, goals = int(DICE.integers(PLACES)), some_of(CARDS, 0.06), some_of(CITIES, 0.1)
        reach.find_exits(b, d, reach.LESS, goals)
        found = members(reach.two_legs(s, b, d, reach.LESS, place, hand))
        exists = any(leads(b, place, two, int(s.in_play), goals) for two in permutations(members(hand), 2))
        seen.add(exists)
        assert bool(found) == exists
        if found:
            assert len(found) == 2 and {*found} <= {*members(hand)}
            assert any(leads(b, place, two, int(s.in_play), goals) for two in permutations(found))
    assert seen == {True, False}


def test_more_cards_that_are_found_lead_to_a_goal() -> None:
    """[G-06]"""
    s, b, d = desk_of(position(ALL_IN_PLAY))
    count = 0
    for _ in range(300):
        place, hand, goals = int(DICE.integers(CITIES)), some_of(CARDS, 0.08), 1 << int(DICE.integers(CITIES))
        reach.find_exits(b, d, reach.LESS, goals)
        found = members(reach.more_legs(s, b, d, reach.LESS, place, hand))
        count += bool(found)
        if found:
            assert any(leads(b, place, cards, int(s.in_play), goals) for cards in permutations(found))
    assert count > 20


def test_the_pirate_lands_where_some_order_of_cards_brings_it() -> None:
    """[G-52] Each card serves once."""
    seen = set()
    for here in games(12, 40):
        s, b, d = desk_of(here)
        for _ in range(4):
            start, cards, goals = int(DICE.integers(CITIES)), some_of(CARDS, 0.05), some_of(CITIES, 0.4)
            come = {(start, cards)}
            while (
                further := {
                    (city, hand & ~(1 << card))
                    for at, hand in come
                    for card in members(hand)
                    for city in members(sailing.legs_of(b, at, card, int(s.in_play)))
                }
                - come
            ):
                come |= further
            exists = any(goals >> at & 1 and legality.may_land_in(s, b, d, at, hand) for at, hand in come)
            assert legality.longer_pirate_voyage(s, b, d, start, cards, goals) == exists
            seen.add(exists)
    assert seen == {True, False}


def test_a_search_for_a_landing_asks_for_room_in_time() -> None:
    """[G-52]"""
    s, b, d = desk_of(position(ALL_IN_PLAY))
    labels = np.zeros((legality.ROOM_FOR_LEGS, 2), np.int64)
    assert legality.search_landing(s, b, d, labels, 0, 1, 0) == legality.NO_ROOM


def test_what_is_listed_is_offered() -> None:
    """[TURN-03]"""
    for here in games(4, 20):
        desks = play.desks()
        count = play.legal(here.states, 0, here.figures.boards, desks, 0)
        listed = set(desks[0].actions[:count].tolist())
        assert {action for action in range(N_ACTIONS) if is_offered(desks[0], action)} == listed


def test_a_voyage_is_found_however_many_cards_are_followed_from_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """[G-06, G-08] With none remembered, with few, and with more than the desk has room for."""
    seen = set()
    for here in games(8, 40):
        s, b, d = desk_of(here, 8)
        for _ in range(4):
            place = int(DICE.integers(CITIES))
            cards = DICE.choice(CARDS, 7, replace=False).tolist()
            hand, display = (sum(1 << card for card in each) for each in (cards[:5], cards[5:]))
            answers = set()
            for few in (0, reach.FEW, 7):
                monkeypatch.setattr(reach, "FEW", few)
                answers.add(reach.course_exists(s, b, d, AS_IT_IS, place, 8, hand, display))
            assert len(answers) == 1
            seen |= answers
    assert seen == {True, False}
