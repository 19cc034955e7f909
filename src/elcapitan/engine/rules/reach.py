"""G-06: can this turn still end in a build?

A purchase, a leg or a pirate move is legal only if afterwards some purchases and legs still lead to a placement or a
fortress. The answer is exact. It is cheap because harbours held by others never open during the search, so where a
ship arriving with so much cash could build is a set of cities that a few operations on bits give (`payable`). What is
left is a voyage: reach such a city. Voyages of one leg are settled by sets as well; only where that does not decide
are longer ones searched.

The search keeps labels (city, cash, cards left) and drops a label when an earlier one in the same city has no less
cash and no fewer cards. Links need not be compared: if the better label's way has used a link that the worse one
would still use, it has been at both its ends already, with no less of anything, and could go on from there. The one
exception is a voyage back to the very city the search began in, so links that name that city are compared too.
"""

from typing import Any

import numpy as np

from elcapitan.engine.jit import lowest, rule, whole
from elcapitan.engine.rules.fortresses import fortress_site, may_fortify, places_to_fortify
from elcapitan.engine.rules.pirate import charge_in, has_buildings
from elcapitan.engine.rules.sailing import (
    anchored,
    arrival_space,
    free_for,
    free_spaces,
    in_city,
    legs_of,
    usable,
)
from elcapitan.engine.rules.two_players import colour_of, colours_each
from elcapitan.engine.rules.warehouses import may_build, may_reopen, places_to_build, places_to_reopen
from elcapitan.engine.state import LABELS, ROOM_FOR_LEGS, Board, Desk, State
from elcapitan.engine.vocabulary import (
    CANARIAS,
    CITIES,
    DESTINATION_CARDS,
    DUE,
    FORTRESS_SITES,
    FREE,
    MADE,
    MOST_FLORINS,
    NEVER,
    SPACES,
)

AS_IT_IS = 0  # the two outlooks on a desk
WHAT_IF = 1
EVERY_CITY = (1 << CITIES) - 1
FOUND = -1
NOT_FOUND = 0
NO_ROOM = -2


@rule
def need_of(price: int) -> int:
    """[G-58] The cash needed for a price: what costs nothing can be done in debt."""
    return FREE if price == 0 else price


@rule
def cheapest_build(s: State, b: Board, seat: int, city: int, space: int) -> int:
    """[TURN-03, G-06] The least cash with which `seat`, anchored on `space`, could do a main action in the city."""
    need = NEVER
    for which in range(colours_each(s)):
        colour = colour_of(seat, which)
        if may_reopen(s, city, colour):
            return FREE
        if may_build(s, city, colour):
            need = need_of(whole(b.harbour_price[city, space]))
    if may_fortify(s, city, seat):
        need = min(need, need_of(whole(b.fortress_price[city, fortress_site(s, city)])))
    return need


@rule
def best_charge(s: State, b: Board, seat: int, space: int) -> int:
    """[CANA-03, G-43, G-44] The most that the free move brings a ship anchored on `space` of Islas Canarias."""
    best = 0
    for city in range(CITIES):
        room = free_spaces(s, city, seat)
        if city == CANARIAS:
            room &= ~(1 << space)
        if room != 0 and city != s.pirate_city and (whole(s.in_play) >> city) & 1 and has_buildings(s, city):
            best = max(best, charge_in(s, b, city, seat))
    return best


@rule
def need_at_canarias(s: State, b: Board, seat: int, space: int) -> int:
    """[CANA-04, G-43, G-48, G-50] The same as `cheapest_build` where the free move is due: its charge counts.

    The pirate may also take the mover's own space and push her to the other one, at its price.
    """
    need = cheapest_build(s, b, seat, CANARIAS, space)
    if need == FREE or need == NEVER:
        return need
    need -= best_charge(s, b, seat, space)
    other = free_spaces(s, CANARIAS, seat) & ~(1 << space)
    if s.pirate_city != CANARIAS and other != 0:
        pushed = cheapest_build(s, b, seat, CANARIAS, lowest(other))
        if pushed != FREE:
            pushed -= charge_in(s, b, CANARIAS, seat)
        need = min(need, pushed)
    return need


@rule
def need_here(s: State, b: Board, seat: int) -> int:
    """[TURN-10, TURN-12, G-06] The least cash for a main action where the ship lies; NEVER if it is not anchored."""
    if not anchored(s, seat):
        return NEVER
    city, space = whole(s.ship_city[seat]), whole(s.ship_space[seat])
    if city == CANARIAS and s.free_move == DUE:
        return need_at_canarias(s, b, seat, space)
    return cheapest_build(s, b, seat, city, space)


@rule
def look_out(s: State, b: Board, d: Desk, outlook: int) -> None:
    """[SAIL-03, SAIL-05, G-01, G-02, G-06] Where the seat's ship, arriving, would get which space and could build."""
    seat = whole(s.seat)
    to_build, to_reopen = 0, 0
    for which in range(colours_each(s)):
        to_build |= places_to_build(s, colour_of(seat, which))
        to_reopen |= places_to_reopen(s, colour_of(seat, which))
    free = 0
    for space in range(SPACES):
        arriving = free_for(s, space, seat) & ~free & whole(s.in_play)
        d.houses_at[outlook, space] = arriving & to_build & ~(1 << CANARIAS)
        free |= arriving
    d.reopenings[outlook] = free & to_reopen
    for site in range(FORTRESS_SITES):
        d.fortresses_at[outlook, site] = free & places_to_fortify(s, seat, site) & ~(1 << CANARIAS)
    d.canarias[outlook] = NEVER
    d.charged[outlook] = 0
    if (free >> CANARIAS) & 1:
        d.canarias[outlook] = cheapest_build(s, b, seat, CANARIAS, arrival_space(s, CANARIAS, seat))


@rule
def payable_at_canarias(s: State, b: Board, d: Desk, outlook: int, cash: int) -> bool:
    """[G-43, G-50] A ship arriving at Islas Canarias with this cash could build; the charge is counted when needed."""
    if d.canarias[outlook] > cash and d.canarias[outlook] != NEVER and d.charged[outlook] == 0:
        seat = whole(s.seat)
        d.charged[outlook] = 1
        d.canarias[outlook] = need_at_canarias(s, b, seat, arrival_space(s, CANARIAS, seat))
    return bool(d.canarias[outlook] <= cash)


@rule
def payable_cities(b: Board, d: Desk, outlook: int, cash: int) -> int:
    """[G-06, G-58] The cities, Islas Canarias aside, where a ship arriving with this cash could build, as bits."""
    florins = min(max(cash, 0), MOST_FLORINS)
    cities = whole(d.reopenings[outlook])
    for space in range(SPACES):
        cities |= whole(d.houses_at[outlook, space]) & whole(b.house_at_most[space, florins])
    for site in range(FORTRESS_SITES):
        cities |= whole(d.fortresses_at[outlook, site]) & whole(b.fortress_at_most[site, florins])
    return cities


@rule
def payable(s: State, b: Board, d: Desk, outlook: int, cash: int, goals: int) -> bool:
    """[G-06, G-58] Whether a ship arriving with this cash could build in one of the `goals`."""
    if payable_cities(b, d, outlook, cash) & goals != 0:
        return True
    return (goals >> CANARIAS) & 1 == 1 and payable_at_canarias(s, b, d, outlook, cash)


@rule
def dominated(labels: Any, count: int, keep: int, city: int, cash: int, cards: int) -> bool:
    """[G-06] Whether an earlier label is at least as good as this one."""
    for i in range(count):
        if labels[i, 0] == city and labels[i, 1] >= cash:
            theirs = (labels[i, 2] | labels[i, 3]) & keep
            if (cards & keep) & ~theirs == 0:
                return True
    return False


@rule
def add_label(labels: Any, count: int, keep: int, city: int, cash: int, hand: int, display: int) -> int:
    """[G-06] Note a place the search has come to, unless it is dominated; the new number of labels."""
    if dominated(labels, count, keep, city, cash, hand | display):
        return count
    labels[count, 0] = city
    labels[count, 1] = cash
    labels[count, 2] = hand
    labels[count, 3] = display
    return count + 1


@rule
def arrives_to_build(s: State, b: Board, d: Desk, outlook: int, place: int, cash: int, hand: int, display: int) -> bool:
    """[G-06] Whether a single card of hand or display leads from `place` to a build."""
    good = payable_cities(b, d, outlook, cash)
    if payable_at_canarias(s, b, d, outlook, cash):
        good |= 1 << CANARIAS
    cards = usable(b, place, hand)
    while cards != 0:
        if legs_of(b, place, lowest(cards), whole(s.in_play)) & good != 0:
            return True
        cards &= cards - 1
    cards = usable(b, place, display)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        price = whole(b.card_price[card])
        paid = price == 0 or cash >= price
        if paid and payable(s, b, d, outlook, cash - price, legs_of(b, place, card, whole(s.in_play))):
            return True
    return False


@rule
def follow_legs(s: State, b: Board, d: Desk, outlook: int, labels: Any, i: int, count: int, keep: int) -> int:
    """[G-02, G-06] Try every card from label `i`: FOUND if one leads to a build, else the new number of labels.

    A card is bought only when it is played. A full city can be passed.
    """
    place, cash = whole(labels[i, 0]), whole(labels[i, 1])
    hand, display = whole(labels[i, 2]), whole(labels[i, 3])
    if arrives_to_build(s, b, d, outlook, place, cash, hand, display):
        return FOUND
    cards = usable(b, place, hand | display)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        bit = 1 << card
        price = 0 if hand & bit else whole(b.card_price[card])
        if (price > 0 and cash < price) or not payable(s, b, d, outlook, cash - price, EVERY_CITY):
            continue
        targets = legs_of(b, place, card, whole(s.in_play))
        while targets != 0:
            city = lowest(targets)
            targets &= targets - 1
            count = add_label(labels, count, keep, city, cash - price, hand & ~bit, display & ~bit)
    return count


@rule
def worth_searching(s: State, b: Board, d: Desk, outlook: int, place: int, cash: int, hand: int, display: int) -> bool:
    """[G-06] Some card can be played from `place` that leaves enough cash to build anywhere at all."""
    if not payable(s, b, d, outlook, cash, EVERY_CITY):
        return False
    if usable(b, place, hand) != 0:
        return True
    cards = usable(b, place, display)
    while cards != 0:
        price = whole(b.card_price[lowest(cards)])
        if (price == 0 or price <= cash) and payable(s, b, d, outlook, cash - price, EVERY_CITY):
            return True
        cards &= cards - 1
    return False


@rule
def search(
    s: State, b: Board, d: Desk, outlook: int, labels: Any, place: int, cash: int, hand: int, display: int
) -> int:
    """[G-02, G-06] Follow legs from `place`, nearest first: FOUND, NOT_FOUND, or NO_ROOM for more labels."""
    keep = DESTINATION_CARDS
    if in_city(place):
        keep |= whole(b.links_of[place])
    count = add_label(labels, 0, keep, place, cash, hand, display)
    i = 0
    while i < count:
        if len(labels) - count < ROOM_FOR_LEGS:
            return NO_ROOM
        count = follow_legs(s, b, d, outlook, labels, i, count, keep)
        if count == FOUND:
            return FOUND
        i += 1
    return NOT_FOUND


@rule
def voyage_exists(s: State, b: Board, d: Desk, outlook: int, place: int, cash: int, hand: int, display: int) -> bool:
    """[G-02, G-06, G-08] Whether one or more legs from `place` lead to a build.

    The desk has room for the labels of nearly every search; it is made anew with more room where it has not.
    """
    if not worth_searching(s, b, d, outlook, place, cash, hand, display):
        return False
    found = search(s, b, d, outlook, d.labels, place, cash, hand, display)
    room = LABELS
    while found == NO_ROOM:
        room *= 2
        labels = np.empty((room, 4), np.int64)
        found = search(s, b, d, outlook, labels, place, cash, hand, display)
    return found == FOUND


@rule
def can_build_after(s: State, b: Board, d: Desk, cash: int, hand: int) -> bool:
    """[G-06] `can_still_build` after a pirate move that is being considered, with the cash and hand it leaves."""
    if need_here(s, b, whole(s.seat)) <= cash:
        return True
    if s.free_move == MADE:
        return False  # the voyage is over
    look_out(s, b, d, WHAT_IF)
    place = whole(s.ship_city[whole(s.seat)])
    return voyage_exists(s, b, d, WHAT_IF, place, cash, hand, whole(s.display))


@rule
def look_here(s: State, b: Board, d: Desk) -> None:
    """[G-06] Begin a new position on the desk: what it takes to build where the ship lies."""
    d.known = 0
    d.here = need_here(s, b, whole(s.seat))


@rule
def add_way(d: Desk, cities: int, fare: int) -> None:
    """[G-06] Note a voyage of one leg."""
    d.way[d.ways] = cities
    d.fare[d.ways] = fare
    d.ways += 1


@rule
def look_around(s: State, b: Board, d: Desk) -> None:
    """[G-06] Once a position: where arriving ships could build, and where one leg leads for which fare."""
    if d.known == 1:
        return
    d.known = 1
    d.ways = 0
    look_out(s, b, d, AS_IT_IS)
    seat = whole(s.seat)
    d.good = payable_cities(b, d, AS_IT_IS, whole(s.cash[seat]))
    if s.free_move == MADE:
        return
    place, in_play = whole(s.ship_city[seat]), whole(s.in_play)
    cities = 0
    cards = usable(b, place, whole(s.hand[seat]))
    while cards != 0:
        cities |= legs_of(b, place, lowest(cards), in_play)
        cards &= cards - 1
    add_way(d, cities, 0)
    cards = usable(b, place, whole(s.display))
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        add_way(d, legs_of(b, place, card, in_play), whole(b.card_price[card]))


@rule
def nothing_payable(s: State, b: Board, d: Desk) -> bool:
    """[G-06] With the cash she has, the seat could build in no city at all, wherever cards might bring her."""
    look_around(s, b, d)
    return not payable(s, b, d, AS_IT_IS, whole(s.cash[whole(s.seat)]), EVERY_CITY)


@rule
def one_leg(s: State, b: Board, d: Desk, cash: int, goals: int) -> bool:
    """[G-06] Whether a single leg, paid from this cash, leads to a build in one of the `goals`."""
    for i in range(whole(d.ways)):
        fare = whole(d.fare[i])
        paid = fare == 0 or cash >= fare
        if paid and payable(s, b, d, AS_IT_IS, cash - fare, whole(d.way[i]) & goals):
            return True
    return False


@rule
def leaves(s: State, b: Board, d: Desk, price: int) -> bool:
    """[G-06] Whether this much can be spent first and then be built, here or after a voyage of one leg."""
    cash = whole(s.cash[whole(s.seat)]) - price
    if d.here <= cash:
        return True
    look_around(s, b, d)
    return one_leg(s, b, d, cash, EVERY_CITY)


@rule
def can_still_build(s: State, b: Board, d: Desk) -> bool:
    """[G-06] Whether the seat's turn, as it stands, can end in a build without a paid pirate move."""
    if leaves(s, b, d, 0):
        return True
    seat = whole(s.seat)
    if s.free_move == MADE:
        return False
    place, cash, hand = whole(s.ship_city[seat]), whole(s.cash[seat]), whole(s.hand[seat])
    return voyage_exists(s, b, d, AS_IT_IS, place, cash, hand, whole(s.display))
