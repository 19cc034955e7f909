"""G-06: can this turn still end in a build?

A purchase, a leg or a pirate move is legal only if afterwards some purchases and legs still lead to a placement or a
fortress. The answer is exact. It stays cheap because harbours held by others never open during the search, so for
each city one number says it all: the least cash with which the seat could arrive there and build (`fill_needs`). What
is left is a voyage: reach a city with at least that cash. One leg is looked at with sets of bits; only where that
does not settle it are longer voyages searched.

The search keeps labels (city, cash, cards left) and drops a label when an earlier one in the same city has no less
cash and no fewer cards. Links need not be compared: if the better label's way has used a link that the worse one
would still use, it has been at both its ends already, with no less of anything, and could go on from there. The one
exception is a voyage back to the very city the search began in, so links that name that city are compared too.
"""

from typing import Any

import numpy as np

from elcapitan.engine.jit import lowest, rule, whole
from elcapitan.engine.rules.fortresses import fortress_site, may_fortify
from elcapitan.engine.rules.pirate import charge_in
from elcapitan.engine.rules.sailing import anchored, free_spaces, in_city, legs_of
from elcapitan.engine.rules.two_players import colour_of, colours_each
from elcapitan.engine.rules.warehouses import may_build, may_reopen, next_site
from elcapitan.engine.state import Board, Desk, State
from elcapitan.engine.vocabulary import (
    CANARIAS,
    CARDS,
    CITIES,
    DESTINATION_CARDS,
    DUE,
    FREE,
    MADE,
    NEVER,
    NO_SITE,
)

FOUND = -1
ROOM_FOR_LEGS = CARDS * CITIES  # more labels than one can lead to


@rule
def need_of(price: int) -> int:
    """[G-58] The cash needed for a price: what costs nothing can be done in debt."""
    return FREE if price == 0 else price


@rule
def cheapest_build(s: State, b: Board, seat: int, city: int, space: int) -> int:
    """[TURN-03, G-06] The least cash with which `seat`, anchored on `space`, could do a main action in the city."""
    need = NEVER
    if may_fortify(s, b, city, seat):
        need = need_of(whole(b.fortress_price[city, fortress_site(s, b, city)]))
    site = next_site(s, city)
    if site == NO_SITE:
        return need
    for which in range(colours_each(s)):
        colour = colour_of(seat, which)
        if may_reopen(s, city, colour, site):
            return FREE
        if may_build(s, city, colour, site):
            need = min(need, need_of(whole(b.harbour_price[city, space])))
    return need


@rule
def best_charge(s: State, b: Board, seat: int, space: int) -> int:
    """[CANA-03, G-43, G-44] The most that the free move brings a ship anchored on `space` of Islas Canarias."""
    best = 0
    for city in range(CITIES):
        room = free_spaces(s, b, city, seat)
        if city == CANARIAS:
            room &= ~(1 << space)
        if room != 0 and city != s.pirate_city and (whole(s.in_play) >> city) & 1:
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
    other = free_spaces(s, b, CANARIAS, seat) & ~(1 << space)
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
def need_on_arrival(s: State, b: Board, seat: int, city: int) -> int:
    """[SAIL-03, SAIL-05, G-02] The least cash with which the seat could arrive in a city and build there."""
    free = free_spaces(s, b, city, seat)
    if free == 0 or not (whole(s.in_play) >> city) & 1:
        return NEVER
    if city == CANARIAS:
        return need_at_canarias(s, b, seat, lowest(free))
    return cheapest_build(s, b, seat, city, lowest(free))


@rule
def fill_needs(s: State, b: Board, seat: int, need: Any) -> None:
    """[G-06] `need_on_arrival` for every city."""
    for city in range(CITIES):
        need[city] = need_on_arrival(s, b, seat, city)


@rule
def payable(need: Any, cash: int) -> int:
    """[G-06] The cities where a ship arriving with this cash could build, as bits."""
    cities = 0
    for city in range(CITIES):
        if need[city] <= cash:
            cities |= 1 << city
    return cities


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
def follow_legs(b: Board, need: Any, in_play: int, labels: Any, i: int, count: int, keep: int) -> int:
    """[G-02, G-06] Try every card from label `i`: FOUND if one leads to a build, else the new number of labels.

    A card is bought only when it is played. A full city can be passed.
    """
    place, cash = whole(labels[i, 0]), whole(labels[i, 1])
    hand, display = whole(labels[i, 2]), whole(labels[i, 3])
    cards = hand | display
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        bit = 1 << card
        price = 0 if hand & bit else whole(b.card_price[card])
        if price > 0 and cash < price:
            continue
        good = payable(need, cash - price)
        if good == 0:
            continue
        targets = legs_of(b, place, card, in_play)
        if targets & good != 0:
            return FOUND
        while targets != 0:
            city = lowest(targets)
            targets &= targets - 1
            count = add_label(labels, count, keep, city, cash - price, hand & ~bit, display & ~bit)
    return count


@rule
def voyage_exists(b: Board, need: Any, in_play: int, place: int, cash: int, hand: int, display: int) -> bool:
    """[G-02, G-06, G-08] Whether one or more legs from `place` lead to a build."""
    leg = one_leg(b, need, in_play, place, cash, hand, display)
    if leg != 0:
        return leg == FOUND
    keep = DESTINATION_CARDS
    if in_city(place):
        keep |= whole(b.links_of[place])
    labels = np.empty((2 * ROOM_FOR_LEGS, 4), np.int64)
    count = add_label(labels, 0, keep, place, cash, hand, display)
    i = 0
    while i < count:
        if len(labels) - count < ROOM_FOR_LEGS:
            more = np.empty((2 * len(labels), 4), np.int64)
            more[:count] = labels[:count]
            labels = more
        count = follow_legs(b, need, in_play, labels, i, count, keep)
        if count == FOUND:
            return True
        i += 1
    return False


@rule
def one_leg(b: Board, need: Any, in_play: int, place: int, cash: int, hand: int, display: int) -> int:
    """[G-06] FOUND if a single card leads to a build; 1 if none does and more cards cannot help; 0 if they might."""
    reach, helps = 0, False
    cards = hand
    while cards != 0:
        reach |= legs_of(b, place, lowest(cards), in_play)
        cards &= cards - 1
    if reach != 0:
        good = payable(need, cash)
        if reach & good != 0:
            return FOUND
        helps = good != 0
    cards = display
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        price = whole(b.card_price[card])
        targets = legs_of(b, place, card, in_play)
        if targets != 0 and (price == 0 or cash >= price):
            good = payable(need, cash - price)
            if targets & good != 0:
                return FOUND
            helps = helps or good != 0
    return 0 if helps else 1


@rule
def can_build_with(s: State, b: Board, need: Any, cash: int, hand: int, display: int) -> bool:
    """[G-06] `can_still_build` worked out anew, for the seat's ship where it is and the cash and cards given."""
    seat = whole(s.seat)
    if need_here(s, b, seat) <= cash:
        return True
    if s.free_move == MADE:
        return False  # the voyage is over
    fill_needs(s, b, seat, need)
    return voyage_exists(b, need, whole(s.in_play), whole(s.ship_city[seat]), cash, hand, display)


@rule
def slack_of(need: int, cash: int, price: int) -> int:
    """[G-06, G-58] What is left to spend on other things by who pays `price` for a card and needs `need` to build."""
    if price == 0:
        return NEVER if need == FREE else cash - need
    return cash - price if need <= 0 else cash - price - need


@rule
def witness(d: Desk, city: int, slack: int) -> None:
    """[G-06] Remember the two most frugal ways to a build, in two different cities."""
    if city == d.witness[0]:
        d.slack[0] = max(whole(d.slack[0]), slack)
    elif slack > d.slack[0]:
        d.slack[1] = d.slack[0]
        d.witness[1] = d.witness[0]
        d.slack[0] = slack
        d.witness[0] = city
    elif slack > d.slack[1]:
        d.slack[1] = slack
        d.witness[1] = city


@rule
def look_here(s: State, b: Board, d: Desk) -> None:
    """[G-06] Begin a new position on the desk: what building where the ship lies would leave to spend."""
    seat = whole(s.seat)
    d.known = 0
    d.slack[:] = -NEVER
    d.witness[:] = NO_SITE
    d.here = need_here(s, b, seat)
    if d.here <= s.cash[seat]:
        witness(d, whole(s.ship_city[seat]), slack_of(whole(d.here), whole(s.cash[seat]), 0))


@rule
def look_around(s: State, b: Board, d: Desk) -> None:
    """[G-06] Fill in, once a position, what each city needs and what voyages of one leg would leave to spend."""
    if d.known == 1:
        return
    d.known = 1
    seat = whole(s.seat)
    fill_needs(s, b, seat, d.need)
    if s.free_move == MADE:
        return
    hand, cash = whole(s.hand[seat]), whole(s.cash[seat])
    cards = hand | whole(s.display)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        price = 0 if (hand >> card) & 1 else whole(b.card_price[card])
        if price == 0 or cash >= price:
            targets = legs_of(b, whole(s.ship_city[seat]), card, whole(s.in_play)) & payable(d.need, cash - price)
            while targets != 0:
                city = lowest(targets)
                targets &= targets - 1
                witness(d, city, slack_of(whole(d.need[city]), cash, price))


@rule
def can_still_build(s: State, b: Board, d: Desk) -> bool:
    """[G-06] Whether the seat's turn, as it stands, can end in a build without a paid pirate move."""
    if d.slack[0] >= 0:
        return True
    look_around(s, b, d)
    if d.slack[0] >= 0:
        return True
    seat = whole(s.seat)
    if s.free_move == MADE:
        return False
    place, hand = whole(s.ship_city[seat]), whole(s.hand[seat])
    return voyage_exists(b, d.need, whole(s.in_play), place, whole(s.cash[seat]), hand, whole(s.display))
