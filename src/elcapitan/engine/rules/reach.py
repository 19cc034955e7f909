"""G-06: can this turn still end in a build?

A purchase, a leg or a pirate move is legal only if afterwards some purchases and legs still lead to a placement or a
fortress. The answer is exact. Where a ship arriving with so much cash could build is known from the outlook
(build_options.py). What is left is a voyage: reach such a city. Voyages of one leg are settled by sets.

Longer ones are looked for on a map of places (`course`), where the most cash with which each can be reached is all
that matters, but for one thing: a card serves only once. That is forgotten at first. Every real voyage is then among
those looked at, so a no is a no; and a voyage on which no card serves twice is real, so such a yes is a yes. Where a
card did serve twice, the map is drawn again with that card's use remembered. Few voyages need this, hardly any for
more than one card.
"""

import numpy as np

from elcapitan.engine.jit import highest, lowest, many, roomy_rule, rule, whole
from elcapitan.engine.record import Int16s, Int64s
from elcapitan.engine.rules.build_options import (
    AS_IT_IS,
    EVERY_CITY,
    WHAT_IF,
    look_out,
    need_here,
    payable,
    payable_at_canarias,
    payable_cities,
)
from elcapitan.engine.rules.sailing import cards_for, legs_of, prices_of, usable
from elcapitan.engine.state import TRACKED, Board, Desk, State
from elcapitan.engine.vocabulary import CANARIAS, DESTINATION_CARDS, MADE, PLACES

FEW = 3  # cards: for so few it is remembered from the beginning that each serves only once
FOUND = -1
NOT_FOUND = -2
TWICE = 1 << 60  # plus a card: on this way it served twice


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
    left: Int16s,
    used: Int64s,
    seen: Int16s,
    fresh: Int16s,
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
