"""G-06: can this turn still end in a build?

A purchase, a leg or a pirate move is legal only if afterwards some purchases and legs still lead to a placement or a
fortress. The answer is exact. It is cheap because harbours held by others never open during the search, so where a
ship arriving with so much cash could build is a set of cities that a few operations on bits give (`payable`). What is
left is a voyage: reach such a city. Voyages of one leg are settled by sets as well.

Longer ones are looked for on a map of places (`course`), where the most cash with which each can be reached is all
that matters, but for one thing: a card serves only once. That is forgotten at first. Every real voyage is then among
those looked at, so a no is a no; and a voyage on which no card serves twice is real, so such a yes is a yes. Where a
card did serve twice, the map is drawn again with that card's use remembered. Few voyages need this, hardly any for
more than one card.
"""

from typing import Any

import numpy as np

from elcapitan.engine.jit import highest, lowest, many, roomy_rule, rule, whole
from elcapitan.engine.rules.cards import cards_for, prices_of
from elcapitan.engine.rules.fortresses import places_to_fortify
from elcapitan.engine.rules.pirate import charge_in, has_buildings
from elcapitan.engine.rules.sailing import (
    anchored,
    arrival_space,
    free_for,
    free_spaces,
    legs_of,
    usable,
)
from elcapitan.engine.rules.two_players import colour_of, colours_each
from elcapitan.engine.rules.warehouses import may_build, may_reopen, places_to_build, places_to_reopen
from elcapitan.engine.state import TRACKED, Board, Desk, State
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
    PLACES,
    SPACES,
)

AS_IT_IS = 0  # the two outlooks on a desk
WHAT_IF = 1
EVERY_CITY = (1 << CITIES) - 1
KINDS = SPACES + FORTRESS_SITES  # what can be built: a house from each space, a fortress on each site
EVERY_KIND = sum(1 << kind * CITIES for kind in range(KINDS))  # times a set of cities: that set for every kind
FEW = 3  # cards: for so few it is remembered from the beginning that each serves only once
FOUND = -1
NOT_FOUND = -2
TWICE = 1 << 60  # plus a card: on this way it served twice


@rule
def need_of(price: int) -> int:
    """[G-58] The cash needed for a price: what costs nothing can be done in debt."""
    return FREE if price == 0 else price


@rule
def cheapest_build(s: State, b: Board, seat: int, city: int, space: int) -> int:
    """[TURN-03, G-06] The least cash with which `seat`, anchored on `space`, could do a main action in the city."""
    need, house = NEVER, need_of(whole(b.harbour_price[city, space]))
    for which in range(colours_each(s)):
        colour = colour_of(seat, which)
        if may_reopen(s, city, colour):
            return FREE
        if may_build(s, city, colour):
            need = house
    for site in range(FORTRESS_SITES):
        fortress = need_of(whole(b.fortress_price[city, site]))
        if (places_to_fortify(s, seat, site) >> city) & 1:
            need = min(need, fortress)
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
    to_build, to_reopen, openings = 0, 0, 0
    for which in range(colours_each(s)):
        to_build |= places_to_build(s, colour_of(seat, which))
        to_reopen |= places_to_reopen(s, colour_of(seat, which))
    free = 0
    for space in range(SPACES):
        arriving = free_for(s, space, seat) & ~free & whole(s.in_play)
        openings |= (arriving & to_build & ~(1 << CANARIAS)) << space * CITIES
        free |= arriving
    for site in range(FORTRESS_SITES):
        fortresses = free & places_to_fortify(s, seat, site) & ~(1 << CANARIAS)
        openings |= fortresses << (SPACES + site) * CITIES
    d.openings[outlook] = openings
    d.reopenings[outlook] = free & to_reopen
    d.canarias[outlook] = NEVER
    d.charged[outlook] = 0
    if (free >> CANARIAS) & 1:
        d.canarias[outlook] = cheapest_build(s, b, seat, CANARIAS, arrival_space(s, CANARIAS, seat))


@rule
def payable_at_canarias(s: State, b: Board, d: Desk, outlook: int, cash: int) -> bool:
    """[G-43, G-50] A ship arriving at Islas Canarias with this cash could build; the charge is counted when needed."""
    if d.canarias[outlook] == NEVER:
        return False
    if d.canarias[outlook] > cash and d.charged[outlook] == 0:
        seat = whole(s.seat)
        d.charged[outlook] = 1
        d.canarias[outlook] = need_at_canarias(s, b, seat, arrival_space(s, CANARIAS, seat))
    return bool(d.canarias[outlook] <= cash)


@rule
def payable_openings(b: Board, d: Desk, outlook: int, cash: int) -> int:
    """[G-06, G-58] Of the openings of an outlook those that this cash pays for."""
    return whole(d.openings[outlook]) & whole(b.for_florins[min(max(cash, 0), MOST_FLORINS)])


@rule
def payable_cities(b: Board, d: Desk, outlook: int, cash: int) -> int:
    """[G-06, G-58] The cities, Islas Canarias aside, where a ship arriving with this cash could build, as bits."""
    kinds = payable_openings(b, d, outlook, cash)
    cities = whole(d.reopenings[outlook])
    for kind in range(KINDS):
        cities |= kinds >> kind * CITIES
    return cities & EVERY_CITY


@rule
def payable(s: State, b: Board, d: Desk, outlook: int, cash: int, goals: int) -> bool:
    """[G-06, G-58] Whether a ship arriving with this cash could build in one of the `goals`."""
    if payable_openings(b, d, outlook, cash) & goals * EVERY_KIND != 0 or whole(d.reopenings[outlook]) & goals != 0:
        return True
    return (goals >> CANARIAS) & 1 == 1 and payable_at_canarias(s, b, d, outlook, cash)


@rule
def course(  # noqa: PLR0912 - one loop inside the other, as in every search for the best ways
    s: State,
    b: Board,
    d: Desk,
    outlook: int,
    place: int,
    cash: int,
    hand: int,
    display: int,
    once: int,
    left: Any,
    used: Any,
    seen: Any,
    fresh: Any,
) -> int:
    """[G-02, G-06] Look for a voyage on which the cards of `once` serve at most once: FOUND, NOT_FOUND, or a card.

    Other cards may serve more than once. A card is the answer where a voyage leads to a build only because that card
    served twice. Noted is the most cash with which each place can be reached, for each set of used cards of `once`,
    and which cards were used on the way. A card is bought only when it is played. A full city can be passed.
    """
    layers = 1 << many(once)
    for layer in range(layers):
        seen[layer] = 0
        fresh[layer] = 0
    left[place] = cash
    used[place] = 0
    seen[0] = fresh[0] = 1 << place
    answer = NOT_FOUND
    layer = 0
    while layer < layers:
        if fresh[layer] == 0:
            layer += 1
            continue
        at = lowest(whole(fresh[layer]))
        fresh[layer] = whole(fresh[layer]) & ~(1 << at)
        most, trail = whole(left[layer * PLACES + at]), whole(used[layer * PLACES + at])
        cards = usable(b, at, hand | display & cards_for(b, most))
        while cards != 0:
            card = lowest(cards)
            bit = cards & -cards
            cards &= cards - 1
            onward = layer
            if once & bit:
                onward |= 1 << many(once & (bit - 1))
                if onward == layer:
                    continue
            rest = most
            if not hand & bit:
                rest -= whole(b.card_price[card])
                if not payable(s, b, d, outlook, rest, EVERY_CITY):
                    continue
            further = trail
            if trail & TWICE == 0:
                further = TWICE | card if trail & bit else trail | bit
            targets = legs_of(b, at, card, whole(s.in_play))
            if payable(s, b, d, outlook, rest, targets):
                if further & TWICE == 0:
                    d.trail = further
                    return FOUND
                answer = further & ~TWICE
            known = targets & whole(seen[onward])
            seen[onward] = whole(seen[onward]) | targets
            while targets != 0:
                city = lowest(targets)
                targets &= targets - 1
                if not (known >> city) & 1 or rest > left[onward * PLACES + city]:
                    left[onward * PLACES + city] = rest
                    used[onward * PLACES + city] = further
                    fresh[onward] = whole(fresh[onward]) | 1 << city
    return answer


@rule
def worth_buying(s: State, b: Board, d: Desk, outlook: int, cash: int, cards: int) -> int:
    """[G-06, BUY-02] Those of some cards after whose purchase the rest could still pay a build somewhere."""
    cards &= cards_for(b, cash)
    prices = prices_of(b, cards)
    while prices != 0:
        i = highest(prices)
        prices &= ~(1 << i)
        if payable(s, b, d, outlook, cash - whole(b.price[i]), EVERY_CITY):
            return cards
        cards &= ~whole(b.cards_at[i])
    return 0


@roomy_rule
def course_of_many(
    s: State, b: Board, d: Desk, outlook: int, place: int, cash: int, hand: int, display: int, once: int
) -> int:
    """[G-06] A `course` for which the desk has no room, because so many cards are in `once`."""
    layers = 1 << many(once)
    left, used = np.empty(PLACES * layers, np.int16), np.empty(PLACES * layers, np.int64)
    seen, fresh = np.empty(layers, np.int16), np.empty(layers, np.int16)
    return course(s, b, d, outlook, place, cash, hand, display, once, left, used, seen, fresh)


@rule
def voyage_exists(s: State, b: Board, d: Desk, outlook: int, place: int, cash: int, hand: int, display: int) -> bool:
    """[G-02, G-06, G-08] Whether one or more legs from `place` lead to a build.

    Displayed cards too dear to leave a build are left out. Then, unless there are few, it is forgotten that a card
    serves only once, and remembered again for those cards for which it matters.
    """
    display = worth_buying(s, b, d, outlook, cash, display)
    cards = hand | display
    if usable(b, place, cards) == 0 or not payable(s, b, d, outlook, cash, EVERY_CITY):
        return False
    once, answer = cards if many(cards) <= FEW else 0, 0
    while answer >= 0:
        if many(once) <= TRACKED:
            answer = course(s, b, d, outlook, place, cash, hand, display, once, d.left, d.used, d.seen, d.fresh)
        else:
            answer = course_of_many(s, b, d, outlook, place, cash, hand, display, once)
        if answer >= 0:
            once |= 1 << answer
    return answer == FOUND


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
def look_afresh(d: Desk) -> None:
    """[G-06] Begin a new position on the desk, of which nothing is known."""
    d.known = 0


@rule
def look_here(s: State, b: Board, d: Desk) -> None:
    """[G-06] What it takes to build where the ship lies."""
    d.here = need_here(s, b, whole(s.seat))


@rule
def by_hand(s: State, b: Board, place: int, hand: int) -> int:
    """[CARD-04, CARD-05, CARD-06] Every city that one of these cards leads to from `place`, as bits."""
    cities = 0
    cards = usable(b, place, hand)
    while cards != 0:
        cities |= legs_of(b, place, lowest(cards), whole(s.in_play))
        cards &= cards - 1
    return cities


@rule
def look_around(s: State, b: Board, d: Desk) -> None:
    """[G-06] Once a position: where arriving ships could build, and where a leg with a card of the hand leads."""
    if d.known == 1:
        return
    d.known = 1
    d.by_hand = 0
    d.direct = 0
    d.ways = 0
    look_out(s, b, d, AS_IT_IS)
    seat = whole(s.seat)
    good = payable_cities(b, d, AS_IT_IS, whole(s.cash[seat]))
    d.good = good
    if s.free_move == MADE:
        return
    place, hand = whole(s.ship_city[seat]), whole(s.hand[seat])
    d.by_hand = by_hand(s, b, place, hand)
    d.unseen = usable(b, place, whole(s.display)) & cards_for(b, whole(s.cash[seat]))
    cards = hand & DESTINATION_CARDS
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        if (good >> whole(b.card_city[card, 0])) & 1:
            d.direct = whole(d.direct) | 1 << card


@rule
def look_further(s: State, b: Board, d: Desk) -> bool:
    """[G-06] Note where a leg with the cheapest displayed cards leads that were not looked at; False if none are left.

    In most positions the first price settles what is asked.
    """
    cards = whole(d.unseen)
    if cards == 0:
        return False
    i, ways = lowest(prices_of(b, cards)), whole(d.ways)
    d.unseen = cards & ~whole(b.cards_at[i])
    d.way[ways] = by_hand(s, b, whole(s.ship_city[whole(s.seat)]), cards & whole(b.cards_at[i]))
    d.fare[ways] = b.price[i]
    d.ways = ways + 1
    return True


@rule
def nothing_payable(s: State, b: Board, d: Desk) -> bool:
    """[G-06] With the cash she has, the seat could build in no city at all, wherever cards might bring her."""
    look_around(s, b, d)
    return d.good == 0 and not payable_at_canarias(s, b, d, AS_IT_IS, whole(s.cash[whole(s.seat)]))


@rule
def one_leg(s: State, b: Board, d: Desk, cash: int, goals: int) -> bool:
    """[G-06] Whether a single leg, paid from this cash, leads to a build in one of the `goals`."""
    look_around(s, b, d)
    goals &= whole(d.good) | 1 << CANARIAS  # more than she has is never at hand
    if s.free_move == MADE or goals == 0:
        return False
    if payable(s, b, d, AS_IT_IS, cash, whole(d.by_hand) & goals):
        return True
    i = 0
    while i < d.ways or look_further(s, b, d):
        fare = whole(d.fare[i])
        if fare != 0 and cash < fare:
            return False
        if payable(s, b, d, AS_IT_IS, cash - fare, whole(d.way[i]) & goals):
            return True
        i += 1
    return False


@rule
def leaves(s: State, b: Board, d: Desk, price: int) -> bool:
    """[G-06] Whether this much can be spent first and then be built, here or after a voyage of one leg."""
    cash = whole(s.cash[whole(s.seat)]) - price
    if d.here <= cash:
        return True
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
