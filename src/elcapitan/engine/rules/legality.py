"""G-06 and G-52 applied: which purchases, legs and pirate moves leave a way to finish the turn.

The desk `d` holds what was worked out for the position (`look_here`); each question first asks whether that already
settles it and only then searches.
"""

import numpy as np

from elcapitan.engine.actions import BERTHINGS, berthing_shift, berthing_space
from elcapitan.engine.jit import highest, lowest, roomy_rule, rule, whole
from elcapitan.engine.record import Int64s
from elcapitan.engine.rules.build_options import (
    AS_IT_IS,
    EVERY_CITY,
    cheapest_build,
    goals,
)
from elcapitan.engine.rules.expansion import charge_in, fare, may_berth, move_pirate
from elcapitan.engine.rules.loans import any_loan_left, loan_turn_open
from elcapitan.engine.rules.reach import (
    FOUND,
    LESS,
    NOT_FOUND,
    OWN,
    can_build_after,
    find_exits,
    look_around,
    look_within,
    one_leg,
    two_legs,
    voyage_exists,
    worth_buying,
)
from elcapitan.engine.rules.sailing import (
    anchored,
    can_pay,
    cards_for,
    free_space,
    leave,
    legs_of,
    prices_of,
    take_space,
    usable,
)
from elcapitan.engine.simd import touching, united
from elcapitan.engine.state import Board, Desk, State
from elcapitan.engine.vocabulary import (
    BUY_BEFORE_LOAN,
    CANARIAS,
    CARDS,
    CITIES,
    DONE,
    MADE,
    NOBODY,
    PIRATE,
    PIRATE_BEFORE_LOAN,
    TRANSIT,
)

NO_ROOM = -3  # for more labels
ROOM_FOR_LEGS = CARDS * CITIES  # labels that one label can lead to, at the most
LABELS = 2 * ROOM_FOR_LEGS


@rule
def purchases_leaving_voyage(s: State, b: Board, d: Desk, cards: int, cash: int) -> int:
    """[BUY-04, D-01, G-05, G-06] Those displayed cards of one price whose purchase leaves a voyage to a build.

    `cash` is what is left. First those that lead to a build alone, or before or after a card of the hand. If not even
    all the others together allow a voyage, no single one does; a voyage on which none of them serves is there whichever
    she buys, and one on which a single one serves is there if she buys that.
    """
    seat = whole(s.seat)
    place, hand, display = whole(s.ship_city[seat]), whole(s.hand[seat]), whole(s.display)
    cities = goals(s, b, d, AS_IT_IS, cash)
    find_exits(b, d, LESS, cities)
    ahead, behind = whole(s.in_play) & touching(b.cards_to, place, hand), touching(d.exits, LESS, hand)
    serving = whole(d.exits[LESS, place]) | united(d.exits, LESS, ahead)
    serving |= united(b.cards_to, place, whole(s.in_play) & behind)
    kept, left = cards & serving, cards & ~serving
    while left != 0 and voyage_exists(s, b, d, AS_IT_IS, place, cash, hand | left, display & ~left):
        serving = whole(d.trail) & left
        if serving == 0:
            return kept | left
        one = serving & -serving
        if one == serving or voyage_exists(s, b, d, AS_IT_IS, place, cash, hand | one, display & ~one):
            kept |= one
        left &= ~one
    return kept


@rule
def loan_may_follow(s: State, option: int) -> bool:
    """[TURN-08, BUY-06, G-06, G-45] Whether a loan can be taken after what this table option allows before one."""
    return bool(whole(s.options) & option) and loan_turn_open(s) and any_loan_left(s)


@rule
def purchases(s: State, b: Board, d: Desk, cards: int) -> int:
    """[BUY-01, BUY-02, TURN-05, D-01, G-06, G-11] Those of some displayed cards that may be bought now.

    First those that leave enough to build where the ship lies; of the others the dearest first, because what leaves
    enough for a voyage at a high price does so at every lower one.
    """
    cash = whole(s.cash[whole(s.seat)])
    cards &= cards_for(b, cash)
    if s.stage == DONE or loan_may_follow(s, BUY_BEFORE_LOAN):
        return cards
    bought = 0
    if d.here <= cash:
        bought = cards & cards_for(b, cash - whole(d.here))
    if s.free_move == MADE or cards == bought:
        return bought
    look_around(s, b, d)
    cards = worth_buying(s, b, d, AS_IT_IS, cash, cards & ~bought)
    prices = prices_of(b, cards)
    while prices != 0:
        i = highest(prices)
        prices &= ~(1 << i)
        rest = cash - whole(b.price[i])
        if one_leg(s, b, d, rest, EVERY_CITY):
            return bought | cards
        alike = cards & whole(b.cards_at[i])
        bought |= purchases_leaving_voyage(s, b, d, alike, rest)
        cards &= ~alike
    return bought


@rule
def may_buy(s: State, b: Board, d: Desk, card: int) -> bool:
    """[BUY-01, BUY-02, D-01] A displayed card may be bought now."""
    return purchases(s, b, d, 1 << card) != 0


@rule
def legs_leaving_build(s: State, b: Board, d: Desk, card: int, cities: int) -> int:
    """[SAIL-04, SAIL-05, D-02, D-03, D-04, G-02, G-06] The cities to which this card leaves a build in reach.

    She can build there, or another card leads from anywhere straight to where she can, or a voyage goes on.
    """
    look_around(s, b, d)
    if whole(d.direct) & ~(1 << card) != 0:
        return cities
    seat = whole(s.seat)
    if d.aims[OWN] == NOBODY:
        find_exits(b, d, OWN, goals(s, b, d, AS_IT_IS, whole(s.cash[seat])))
    hand = whole(s.hand[seat]) & ~(1 << card)
    reached = cities & (whole(d.aims[OWN]) | touching(d.exits, OWN, hand))
    left = cities & ~reached
    while left != 0:
        if goes_on(s, b, d, lowest(left), hand):
            reached |= left & -left
        left &= left - 1
    return reached


@rule
def goes_on(s: State, b: Board, d: Desk, city: int, hand: int) -> bool:
    """[G-02, G-06] A voyage leads to a build from a city from where no single leg with the hand does."""
    if two_legs(s, b, d, OWN, city, hand) != 0:
        return True
    if (look_within(s, b, d) >> city) & 1 == 0:
        return False
    return voyage_exists(s, b, d, AS_IT_IS, city, whole(s.cash[whole(s.seat)]), hand, whole(s.display))


@rule
def free_move_leaves_build(s: State, b: Board, city: int, berthing: int) -> bool:
    """[D-11, G-50] Before the main action the free move must leave a build at Islas Canarias; its charge counts."""
    seat = whole(s.seat)
    space = whole(s.ship_space[seat])
    if city == CANARIAS and berthing_space(berthing) == space:
        space = berthing_shift(berthing)
    cash = whole(s.cash[seat]) + charge_in(s, b, city, seat)
    return cheapest_build(s, b, seat, CANARIAS, space) <= cash


@rule
def take_pirate_back(s: State, home: int, space: int, berthing: int, anchorage: int, free_move: int) -> None:
    """[G-06] Undo a pirate move that was only considered."""
    seat = whole(s.seat)
    if s.ship_space[seat] != anchorage and anchorage == TRANSIT:
        leave(s, seat)  # it had anchored where the pirate left (G-49)
        s.ship_space[seat] = TRANSIT
    s.free_move = free_move
    city, taken, shift = whole(s.pirate_city), berthing_space(berthing), berthing_shift(berthing)
    free_space(s, city, taken)
    if shift != TRANSIT:
        shifted = whole(s.harbour[city, shift])
        free_space(s, city, shift)
        take_space(s, city, taken, shifted)
        s.ship_space[shifted] = taken
    s.pirate_city = home
    s.pirate_space = space
    take_space(s, home, space, PIRATE)


@rule
def shifts_own_ship(s: State, city: int, berthing: int) -> bool:
    """[G-48] Whether the pirate would push the mover's own ship aside."""
    seat = whole(s.seat)
    return bool(s.ship_city[seat] == city and s.ship_space[seat] == berthing_space(berthing))


@rule
def builds_anyway(s: State, b: Board, cash: int) -> bool:
    """[G-06] The ship can build where it lies with this cash, wherever the pirate goes without pushing it."""
    seat = whole(s.seat)
    if not anchored(s, seat):
        return False
    return cheapest_build(s, b, seat, whole(s.ship_city[seat]), whole(s.ship_space[seat])) <= cash


@rule
def pirate_leaves_build(s: State, b: Board, d: Desk, city: int, berthing: int, cash: int, hand: int) -> bool:
    """[D-12, G-06, G-45] With the pirate in that berth, and this cash and hand left, a build is in reach.

    The move is made on the record, looked at, and taken back.
    """
    home, space = whole(s.pirate_city), whole(s.pirate_space)
    anchorage, free_move = whole(s.ship_space[whole(s.seat)]), whole(s.free_move)
    move_pirate(s, city, berthing)
    found = can_build_after(s, b, d, cash, hand)
    take_pirate_back(s, home, space, berthing, anchorage, free_move)
    return found


@rule
def voyage_unharmed(s: State, b: Board, d: Desk, city: int, cash: int) -> bool:
    """[G-06] A voyage of one leg leads, with this cash, to a build where the pirate's move changes nothing.

    The move changes the city it leaves, the city it goes to, and what the charge at Islas Canarias can bring.
    """
    return one_leg(s, b, d, cash, EVERY_CITY & ~(1 << city | 1 << whole(s.pirate_city) | 1 << CANARIAS))


@rule
def may_move_for_money(s: State, b: Board, d: Desk, city: int, berthing: int) -> bool:
    """[PIRATE-08, D-12, G-06, G-45, G-57] The pirate may be moved for money to this berth."""
    seat, price = whole(s.seat), fare(s, b, city)
    if not can_pay(s, seat, price) or not may_berth(s, b, city, berthing):
        return False
    if s.stage == DONE or loan_may_follow(s, PIRATE_BEFORE_LOAN):
        return True
    cash = whole(s.cash[seat]) - price
    if not shifts_own_ship(s, city, berthing) and builds_anyway(s, b, cash):
        return True
    if voyage_unharmed(s, b, d, city, cash):
        return True
    return pirate_leaves_build(s, b, d, city, berthing, cash, whole(s.hand[seat]))


@rule
def may_land(s: State, b: Board, d: Desk, city: int, berthing: int, hand: int) -> bool:
    """[PIRATE-02, PIRATE-04, D-12, G-52] A voyage by cards may end in this berth, with this hand left."""
    if not may_berth(s, b, city, berthing):
        return False
    if s.stage == DONE or loan_may_follow(s, PIRATE_BEFORE_LOAN):
        return True
    cash = whole(s.cash[whole(s.seat)])
    if not shifts_own_ship(s, city, berthing) and builds_anyway(s, b, cash):
        return True
    return pirate_leaves_build(s, b, d, city, berthing, cash, hand)


@rule
def may_land_in(s: State, b: Board, d: Desk, city: int, hand: int) -> bool:
    """[G-52] A voyage by cards may end somewhere in this city."""
    for berthing in range(BERTHINGS):
        if may_land(s, b, d, city, berthing, hand):
            return True
    return False


@rule
def landings(s: State, b: Board, d: Desk, hand: int) -> int:
    """[G-52] The cities in which a voyage by cards may end with this hand left, as bits; with less, no others."""
    cities = 0
    for city in range(CITIES):
        if may_land_in(s, b, d, city, hand):
            cities |= 1 << city
    return cities


@rule
def pirate_leg_lands(s: State, b: Board, d: Desk, card: int, city: int) -> bool:
    """[G-45, G-52] After this card, which brings the pirate to a city, its voyage can end there or by more cards."""
    hand = whole(s.hand[whole(s.seat)]) & ~(1 << card)
    if may_land_in(s, b, d, city, hand):
        return True
    if hand == 0:
        return False
    goals = landings(s, b, d, hand)
    return goals != 0 and longer_pirate_voyage(s, b, d, city, hand, goals)


@rule
def add_pirate_label(labels: Int64s, count: int, city: int, hand: int) -> int:
    """[G-52] Note how far the pirate has come, unless it has been there with no fewer cards."""
    for i in range(count):
        if labels[i, 0] == city and hand & ~labels[i, 1] == 0:
            return count
    labels[count, 0] = city
    labels[count, 1] = hand
    return count + 1


@roomy_rule
def longer_pirate_voyage(s: State, b: Board, d: Desk, start: int, cards: int, goals: int) -> bool:
    """[G-52] Whether the pirate, in `start`, can be brought on to a landing in a goal with some of these cards."""
    room = LABELS
    found = NO_ROOM
    while found == NO_ROOM:
        found = search_landing(s, b, d, np.empty((room, 2), np.int64), start, cards, goals)
        room *= 2
    return found == FOUND


@rule
def search_landing(s: State, b: Board, d: Desk, labels: Int64s, start: int, cards: int, goals: int) -> int:
    """[G-52] Follow the pirate's legs, nearest first: FOUND, NOT_FOUND, or NO_ROOM for more labels."""
    count = add_pirate_label(labels, 0, start, cards)
    i = 0
    while i < count:
        if len(labels) - count < ROOM_FOR_LEGS:
            return NO_ROOM
        at, hand = whole(labels[i, 0]), whole(labels[i, 1])
        if (goals >> at) & 1 and may_land_in(s, b, d, at, hand):
            return FOUND
        left = usable(b, at, hand)
        while left != 0:
            card = lowest(left)
            left &= left - 1
            targets = legs_of(b, at, card, whole(s.in_play))
            while targets != 0:
                count = add_pirate_label(labels, count, lowest(targets), hand & ~(1 << card))
                targets &= targets - 1
        i += 1
    return NOT_FOUND
