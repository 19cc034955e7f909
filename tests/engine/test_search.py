"""The kernels of the search: ways to the cities, what a position is counted by, chances."""

from itertools import permutations

import numpy as np
import pytest
from tests.bots.asked_bots import BOARDS, TABLES, Thinker, texts, walk
from tests.drawings import Position, position

from elcapitan.bots.bot import SPREAD, WEIGHED
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.search.tree import BY_PLAY, BY_WORTH, ROOT, TO_PAYDAY
from elcapitan.engine.search.worth import FEATURES, N_FEATURES, NO_CARD, WEIGHTS_SHAPE, Weights
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import CARDS, CITIES, DESTINATIONS, MADE, NEVER, NOBODY, UNDER_WAY

BOARD = BOARDS[0]

# ---------------------------------------------------------------------------------------------------------------- ways


def _targets(s: State, card: int, place: int) -> list[int]:
    """Where a card leads to from a place [CARD-04, CARD-05, CARD-06]."""
    cities = [city for city in range(CITIES) if int(s.in_play) >> city & 1 and city != place]
    if card >= DESTINATIONS:
        ends = BOARD.card_city[card].tolist()
        return [city for city in cities if city in ends and place in ends]
    seals = int(BOARD.seals[card])
    near = [city for city in cities if place < CITIES and 1 <= BOARD.distance[place, city] <= seals]
    return sorted({*near, *(city for city in cities if city == BOARD.card_city[card, 0])})


def _has_harbour(s: State, city: int) -> bool:
    """Whether the deciding ship, which leaves its own space, could anchor in a city [SAIL-04, G-03]."""
    spaces = range(int(BOARD.harbours[city]))
    return any(s.harbour[city, space] in (NOBODY, s.seat) for space in spaces)


def _fares(s: State) -> list[int]:
    """The least that one or two cards cost to each city, tried one after another; a card of the hand at half price."""
    seat, cash, place = int(s.seat), int(s.cash[s.seat]), int(s.ship_city[s.seat])
    hand = [card for card in range(CARDS) if int(s.hand[seat]) >> card & 1]
    shown = [card for card in range(CARDS) if int(s.display) >> card & 1]
    fares = [NEVER] * CITIES
    for cards in [*permutations(hand + shown, 1), *permutations(hand + shown, 2)]:
        prices = [int(BOARD.card_price[card]) for card in cards]
        bought = sum(price for card, price in zip(cards, prices, strict=True) if card in shown)
        if bought > max(cash, 0):
            continue
        ends = [place]
        for card in cards:
            ends = [city for end in ends for city in _targets(s, card, end)]
        for city in ends:
            if _has_harbour(s, city):
                fares[city] = min(fares[city], sum(prices) + bought)
    return fares


@pytest.mark.parametrize(("players", "tiles"), TABLES[::2] if COMPILED else TABLES[1::6])
def test_the_way_to_each_city_is_the_cheapest_of_all_ways_of_one_or_two_cards(players: int, tiles: int) -> None:
    compared = 0
    for seed in range(3 if COMPILED else 1):
        for _, states in walk(players, tiles, 7 * players + tiles + 50 * seed, of_each=3 if COMPILED else 2):
            s = states[0]
            if s.stage > UNDER_WAY or s.free_move == MADE or s.pirate_at != NOBODY:
                continue
            thinker = Thinker(states)
            thinker.think(0, 0)
            assert thinker.buffers[0].fare.tolist() == _fares(s)
            compared += 1
    assert compared >= (15 if COMPILED else 2)


def test_a_card_of_the_hand_is_preferred_to_one_that_has_to_be_bought() -> None:
    """[SAIL-05] Both lead to Tunis for 4; that of the hand costs half, and nothing now."""
    here = position("4 players, R to move \n R 20 florins; hand Tunis/3 \n Bank [R] \n Display: Tunis/1, Tanger/1")
    thinker = Thinker(here.states)
    thinker.think(0, 0)
    tunis, tanger, buffer = 7, 6, thinker.buffers[0]
    assert (int(buffer.fare[tunis]), int(buffer.fare[tanger])) == (6, 2 * 4)
    assert here.figures.cards[buffer.card[tunis, 0]] == "Tunis/3" and buffer.card[tunis, 1] == NO_CARD


def test_a_city_without_a_free_harbour_can_be_passed_and_not_be_the_end() -> None:
    """[SAIL-04, SAIL-05] Tunis is full: Napoli behind it can be had."""
    here = position("4 players, R to move \n R hand Tunis/1, Napoli-Tunis \n Bank [R] \n Tunis [Y G]")
    thinker = Thinker(here.states)
    thinker.think(0, 0)
    tunis, napoli, buffer = 7, 4, thinker.buffers[0]
    assert (int(buffer.fare[tunis]), int(buffer.fare[napoli]), int(buffer.via[napoli])) == (NEVER, 4 + 1, tunis)


# --------------------------------------------------------------------------------------------------------------- worth


def _unit(name: str) -> Weights:
    """Weights that count one thing."""
    table = np.zeros(WEIGHTS_SHAPE)
    table[:, :, WEIGHED.index(name)] = 1
    table[:, :, WEIGHED.index(SPREAD)] = 40
    return table


def _counted(here: Position) -> dict[str, list[float]]:
    """What a position is counted by, for every seat: what the plan to end the turn is worth if that alone weighs."""
    found = {}
    for name in FEATURES:
        (end,) = (plan for plan in Thinker(here.states, _unit(name)).plans() if texts(plan.steps) == ["end"])
        found[name] = list(end.worth)
    return found


def test_everything_a_position_is_counted_by() -> None:
    here = position("""
        4 players, phase 3, R done
        R 9 florins, 3 houses, 1 fortress, 2nd bonus; owes 10 16!; hand Tunis/1, Napoli-Tunis
        Y 50 florins, 5 houses, 0 fortresses, 1st bonus
        G 2 houses, 1 fortress
        B 6 houses, 3 fortresses
        Marseille [R .] . . R R Y G shut(R R) forts(R .)
        Venezia Y R
        Athina Y G B forts(R Y)
        Tanger R
        Tunis Y Y R
        Alexandria Y G R
    """)
    assert {name: worth[0] for name, worth in _counted(here).items()} == {
        "one": 1,
        "cash": 9,
        "debt": 12 + 30,
        "shortage": 7 * (3 + 1) - 9,
        "proliferation": 15,  # five cities
        "next_city": 20 - 15,
        "cities": 5,
        "first": 24 + 2,  # Marseille and Tanger
        "second": 3 + 3,  # half of 6 in Venezia and in Tunis; nothing as third in Alexandria
        "fortress": 24 + 3,  # Marseille is the fullest city; half of 6 in Athina
        "bonus": 10,
        "closed": 1,
        "stock": 3,
        "fortresses": 1,
        "hand": 4 + 1,
        "lead": (2 + 1) - (3 + 1),  # Green has fewest
    }
    others = _counted(here)
    assert others["cash"] == [9, 50, 20, 20]
    assert others["shortage"] == [19, 0, 1, 7 * 9 - 20]
    assert others["lead"] == [-1, 3 - 5, 4 - 3, 3 - 9]
    assert others["fortress"] == [27, 3, 0, 0]


def test_a_neutral_colour_is_counted_only_as_stock() -> None:
    """[TWO-12, TWO-13] Red's own neutral house is first in Tunis, where only the first is paid."""
    here = position("""
        2 players, phase 2, R done
        R 20 florins, 3+1 houses, 1 fortress
        Y 20 florins, 6+2 houses, 1 fortress
        Tunis [R .] r R
        Napoli . . R y R Y shut(r)
    """)
    counted = {name: worth[0] for name, worth in _counted(here).items()}
    assert (counted["stock"], counted["fortresses"], counted["shortage"]) == (3 + 1, 1, 7 * 5 - 20)
    assert (counted["cities"], counted["first"], counted["second"], counted["closed"]) == (2, 18, 0, 0)
    assert counted["lead"] == 9 - 5


def test_worth_is_the_sum_of_what_is_counted_times_its_weight() -> None:
    here = position("3 players, phase 2, R done \n R 13 florins, 4 houses, 1 fortress \n Tunis [R .] R \n Athina Y R")
    table = np.zeros(WEIGHTS_SHAPE)
    table[1, 1, :] = np.arange(1, N_FEATURES + 2)  # three players, phase 2
    (end,) = (plan for plan in Thinker(here.states, table).plans() if texts(plan.steps) == ["end"])
    counted = _counted(here)
    for seat in range(3):
        assert end.worth[seat] == sum((i + 1) * counted[name][seat] for i, name in enumerate(FEATURES))


def test_what_follows_a_payday_is_judged_as_the_next_phase_with_its_new_pieces() -> None:
    """[AFTER-08, PHASE-05] A card is repaid or extended with the warehouses in mind that will have to be paid for."""
    here = position("4 players, phase 1, R settling \n R 30 florins, 0 houses, 0 fortresses; owes 10")
    for name, repaid, extended in [("shortage", 7 * 7 - 18, 7 * 7 - 30), ("stock", 6, 6), ("debt", 0, 16)]:
        table = np.zeros(WEIGHTS_SHAPE)
        table[2, 1] = _unit(name)[2, 1]  # phase 2 only
        worth = {texts(plan.steps)[0]: plan.worth[0] for plan in Thinker(here.states, table).plans()}
        assert worth == {"repay 10": repaid, "extend 10": extended}


# ------------------------------------------------------------------------------------------------------------- chances


@pytest.mark.parametrize("cut", [BY_WORTH, BY_PLAY, TO_PAYDAY])
@pytest.mark.parametrize(
    ("florins", "shares"),
    [((40, 30, 20, 10), (1, 0, 0, 0)), ((7, 9, 9, 8), (0, 0.5, 0.5, 0)), ((5, 5, 5, 5), (0.25, 0.25, 0.25, 0.25))],
)
def test_a_game_that_is_over_is_worth_its_money(cut: int, florins: tuple[int, ...], shares: tuple[float, ...]) -> None:
    """[END-05] The richest has won; equals share it."""
    purses = "\n".join(f"{letter} {amount} florins" for letter, amount in zip("RYGB", florins, strict=True))
    thinker = Thinker(position(f"4 players, phase 3, over \n {purses}").states)
    assert thinker.think(0, 3, cut) == 1
    root = thinker.nodes[ROOT]
    assert (root.money[:4] / 3).tolist() == list(florins)
    assert (root.won[:4] / 3).tolist() == list(shares)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_equal_seats_have_equal_chances(players: int) -> None:
    nothing = np.zeros(WEIGHTS_SHAPE)
    nothing[:, :, WEIGHED.index(SPREAD)] = 40
    thinker = Thinker(position(f"{players} players, R to move \n Tunis [R .]").states, nothing)
    thinker.think(0, 1, BY_WORTH)
    children = thinker.children(ROOT)
    assert children
    for child in children:
        assert thinker.nodes[child].won[:players] == pytest.approx(1 / players)


def test_the_richer_has_the_better_chance_and_the_less_so_the_less_is_sure() -> None:
    here = position("3 players, phase 3, R done \n R 50 florins \n Y 40 florins \n G 40 florins \n Tunis [R .] R")
    chances = []
    for spread in (5, 40):
        table = _unit("cash")
        table[:, :, WEIGHED.index(SPREAD)] = spread
        thinker = Thinker(here.states, table)
        thinker.think(0, 1, BY_WORTH)
        (end,) = (child for child in thinker.children(ROOT) if thinker.nodes[child].length == 1)
        chances.append(thinker.nodes[end].won[:3].tolist())
    for red, yellow, green in chances:
        assert red > yellow == green and red + yellow + green == pytest.approx(1)
    assert chances[0][0] > chances[1][0]
    assert chances[0][0] == pytest.approx(1 / (1 + 2 * np.exp(-10 / 3)))


def test_the_harbour_of_ones_own_ship_counts_as_free() -> None:
    """[G-03] Out and back: the space that Red leaves in Tunis is free when Red returns."""
    here = position("4 players, R to move \n R hand Napoli-Tunis, Tunis/1 \n Tunis [R Y]")
    thinker = Thinker(here.states)
    thinker.think(0, 0)
    assert int(thinker.buffers[0].fare[7]) == 1 + 4
