"""G-06: can this turn still end in a build?

A purchase, a leg or a pirate move is legal only if afterwards some purchases and legs still lead to a placement or a
fortress. The answer is exact. Where a ship arriving with so much cash could build is known from the outlook
(build_options.py). What is left is a voyage: reach such a city.

Most voyages need no purchase, and cards are sets: which of them lead from each place straight to such a city is worked
out for all places at once (`find_exits`). One and two legs with the hand follow exactly. Where not even all cards would
lead there, if they were free and each served as often as she likes, there is no voyage (`out_of_reach`). Three and more
legs with the hand are first looked for along one way to each city (`more_legs`).

The rest is looked for on a map of places (`course`), where the most cash with which each can be reached is all that
matters, but for one thing: a card serves only once. That is forgotten at first. Every real voyage is then among those
looked at, so a no is a no; and a voyage on which no card serves twice is real, so such a yes is a yes. Where a card did
serve twice, the map is drawn again with that card's use remembered.
"""

import numpy as np

from elcapitan.engine.jit import highest, lowest, many, roomy_rule, rule, whole
from elcapitan.engine.record import Int16s, Int64s
from elcapitan.engine.rules.build_options import (
    AS_IT_IS,
    EVERY_CITY,
    WHAT_IF,
    count_charge,
    goals,
    look_out,
    need_here,
    payable,
    payable_at_canarias,
    payable_cities,
)
from elcapitan.engine.rules.sailing import cards_for, cards_leaving, destinations, legs_of, usable
from elcapitan.engine.simd import gather, one_each, touching, united
from elcapitan.engine.state import TRACKED, Board, Desk, State
from elcapitan.engine.vocabulary import CANARIAS, MADE, NOBODY, PLACES

OWN = 0  # the exits on a desk: to where she can build with the cash she has
LESS = 1  # to where she could with what a purchase or a leg that is considered leaves
SPARE = 2  # to the cities that `cities_within` found last

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
    worth = cards & cards_leaving(b, cash, whole(d.least[outlook]))
    if worth != cards:
        count_charge(s, b, d, outlook)
        worth |= cards & cards_leaving(b, cash, whole(d.canarias[outlook]))
    return worth


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
def find_exits(b: Board, d: Desk, which: int, cities: int) -> None:
    """[G-06] Note which cards lead straight to these cities, from every place."""
    if d.aims[which] != cities:
        d.aims[which] = cities
        gather(d.exits, which, b.cards_into, cities)


@rule
def two_legs(s: State, b: Board, d: Desk, which: int, place: int, hand: int) -> int:
    """[G-02, G-06] Two cards of a hand that lead from a place to where she looks for, as bits; 0 if none do."""
    vias = one_each(b.cards_to, place, d.exits, which, hand) & whole(s.in_play)
    if vias == 0:
        return 0
    via = lowest(vias)
    first, second = hand & whole(b.cards_to[place, via]), hand & whole(d.exits[which, via])
    if first & (first - 1) != 0:
        first &= ~(second & -second)
    else:
        second &= ~first
    return (first & -first) | (second & -second)


@rule
def more_legs(s: State, b: Board, d: Desk, which: int, place: int, hand: int) -> int:
    """[G-02, G-06] Cards of a hand that lead by three or more legs to one of the cities looked for, as bits; 0 if none.

    To every city only one way is followed, so a voyage can be missed.
    """
    seen = fresh = 1 << place
    d.trails[place] = 0
    while fresh != 0:
        at = lowest(fresh)
        fresh &= fresh - 1
        trail = whole(d.trails[at])
        left = hand & ~trail
        ahead = touching(b.cards_to, at, left) & whole(s.in_play) & ~seen
        seen |= ahead
        fresh |= ahead
        while ahead != 0:
            city = lowest(ahead)
            ahead &= ahead - 1
            onward = trail | 1 << highest(left & whole(b.cards_to[at, city]))
            d.trails[city] = onward
            last = two_legs(s, b, d, which, city, hand & ~onward)
            if last != 0:
                return onward | last
    return 0


@rule
def cities_within(s: State, b: Board, d: Desk, cities: int, cards: int, wanted: int) -> int:
    """[G-06] From where cards would lead to one of the cities, if they were free and each served often, as bits.

    Found are all of them, or the nearer ones as soon as one that is wanted is among them.
    """
    found = fresh = cities
    while fresh != 0 and found & wanted == 0:
        gather(d.exits, SPARE, b.cards_into, fresh)
        fresh = touching(d.exits, SPARE, cards) & whole(s.in_play) & ~found
        found |= fresh
    return found


@rule
def out_of_reach(s: State, b: Board, d: Desk, place: int, cities: int, cards: int) -> bool:
    """[G-06] None of the cities could be reached from a place even if these cards were free and each served often.

    A card without which she cannot leave the place serves but once.
    """
    first = usable(b, place, cards)
    if first & (first - 1) == 0:
        ahead = legs_of(b, place, lowest(first), whole(s.in_play))
        return ahead & cities_within(s, b, d, cities, cards & ~first, ahead) == 0
    ahead = touching(b.cards_to, place, cards) & whole(s.in_play)
    return ahead & cities_within(s, b, d, cities, cards, ahead) == 0


@rule
def voyage_exists(s: State, b: Board, d: Desk, outlook: int, place: int, cash: int, hand: int, display: int) -> bool:
    """[G-02, G-06, G-08] Whether one or more legs from `place` lead to a build.

    Displayed cards too dear to leave a build are left out. What one or two cards of the hand settle is settled by sets,
    and so is what even all cards together do not reach.
    """
    display = worth_buying(s, b, d, outlook, cash, display)
    cards = hand | display
    if usable(b, place, cards) == 0:
        return False
    cities = goals(s, b, d, outlook, cash)
    if cities == 0:
        return False
    find_exits(b, d, LESS, cities)
    one = hand & whole(d.exits[LESS, place])
    d.trail = one & -one if one != 0 else two_legs(s, b, d, LESS, place, hand)
    if d.trail != 0:
        return True
    if out_of_reach(s, b, d, place, cities, cards):
        return False
    d.trail = more_legs(s, b, d, LESS, place, hand)
    return bool(d.trail != 0) or course_exists(s, b, d, outlook, place, cash, hand, display)


@rule
def course_exists(s: State, b: Board, d: Desk, outlook: int, place: int, cash: int, hand: int, display: int) -> bool:
    """[G-02, G-06] The same by a search for courses.

    Unless there are few cards it is forgotten at first that each serves only once, and remembered again for those for
    which it matters.
    """
    cards = hand | display
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
    d.within = NOBODY
    d.aims[OWN] = NOBODY
    d.aims[LESS] = NOBODY


@rule
def look_here(s: State, b: Board, d: Desk) -> None:
    """[G-06] What it takes to build where the ship lies."""
    d.here = need_here(s, b, whole(s.seat))


@rule
def look_around(s: State, b: Board, d: Desk) -> None:
    """[G-06] Once a position: where arriving ships could build, and which destination cards lead there."""
    if d.known == 1:
        return
    d.known = 1
    look_out(s, b, d, AS_IT_IS)
    seat = whole(s.seat)
    good = payable_cities(b, d, AS_IT_IS, whole(s.cash[seat]))
    d.good = good
    d.ahead = touching(b.cards_to, whole(s.ship_city[seat]), whole(s.hand[seat]))
    d.direct = whole(s.hand[seat]) & destinations(good)


@rule
def look_within(s: State, b: Board, d: Desk) -> int:
    """[G-06] Once a position, if needed: the cities from which she could perhaps go on to a build, as bits."""
    if d.within == NOBODY:
        seat = whole(s.seat)
        cards = whole(s.hand[seat]) | worth_buying(s, b, d, AS_IT_IS, whole(s.cash[seat]), whole(s.display))
        d.within = cities_within(s, b, d, whole(d.aims[OWN]), cards, 0)
    return whole(d.within)


@rule
def nothing_payable(s: State, b: Board, d: Desk) -> bool:
    """[G-06] With the cash she has, the seat could build in no city at all, wherever cards might bring her."""
    look_around(s, b, d)
    return d.good == 0 and not payable_at_canarias(s, b, d, AS_IT_IS, whole(s.cash[whole(s.seat)]))


@rule
def one_leg(s: State, b: Board, d: Desk, cash: int, cities: int) -> bool:
    """[G-06] Whether a single leg, paid from this cash, leads to a build in one of some cities."""
    look_around(s, b, d)
    cities &= whole(d.good) | 1 << CANARIAS & whole(s.in_play)  # more than she has is never at hand
    if s.free_move == MADE:
        return False
    if payable(s, b, d, AS_IT_IS, cash, cities & whole(d.ahead)):
        return True
    place = whole(s.ship_city[whole(s.seat)])
    cards = worth_buying(s, b, d, AS_IT_IS, cash, whole(s.display) & united(b.cards_to, place, cities))
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        if payable(s, b, d, AS_IT_IS, cash - whole(b.card_price[card]), legs_of(b, place, card, cities)):
            return True
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
