"""The cheapest way to every city, with one or two cards from hand and display.

A card of the hand costs half its price here: it could have served later.
"""

from elcapitan.engine.jit import lowest, rule, whole
from elcapitan.engine.rules.cards import cards_for
from elcapitan.engine.rules.sailing import free_for, legs_of, usable
from elcapitan.engine.state import Board, State
from elcapitan.engine.thought.mind import NO_CARD, Mind
from elcapitan.engine.vocabulary import CITIES, NEVER, SPACES


@rule
def harbours_open(s: State, seat: int) -> int:
    """[SAIL-04] Cities where the seat's ship, arriving, would find a free harbour space, as bits."""
    free = 0
    for space in range(SPACES):
        free |= free_for(s, space, seat)
    return free & whole(s.in_play)


@rule
def note_way(m: Mind, city: int, fare: int, first: int, via: int, second: int) -> None:
    """Keep a way if it is cheaper than the one known."""
    if fare < m.fare[city]:
        m.fare[city] = fare
        m.via[city] = via
        m.card[city, 0] = first
        m.card[city, 1] = second


@rule
def find_ways(s: State, b: Board, m: Mind) -> None:
    """[SAIL-02, SAIL-05, BUY-02] The cheapest ways from where the ship is, to all cities with a free harbour."""
    for city in range(CITIES):
        m.fare[city] = NEVER
    seat = whole(s.seat)
    hand, cash = whole(s.hand[seat]), whole(s.cash[seat])
    place, in_play, free = whole(s.ship_city[seat]), whole(s.in_play), harbours_open(s, seat)
    cards = usable(b, place, hand | whole(s.display) & cards_for(b, cash))
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        price = whole(b.card_price[card])
        owned = (hand >> card) & 1
        left = cash if owned else cash - price
        fare = price if owned else 2 * price
        targets = legs_of(b, place, card, in_play)
        while targets != 0:
            city = lowest(targets)
            targets &= targets - 1
            if (free >> city) & 1:
                note_way(m, city, fare, card, city, NO_CARD)
            find_second_legs(s, b, m, city, card, left, fare, free)


@rule
def find_second_legs(s: State, b: Board, m: Mind, via: int, first: int, cash: int, fare: int, free: int) -> None:
    """[SAIL-05] Go on from a city with another card."""
    hand = whole(s.hand[whole(s.seat)])
    cards = usable(b, via, (hand | whole(s.display) & cards_for(b, cash)) & ~(1 << first))
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        price = whole(b.card_price[card])
        total = fare + (price if (hand >> card) & 1 else 2 * price)
        targets = legs_of(b, via, card, whole(s.in_play)) & free
        while targets != 0:
            note_way(m, lowest(targets), total, first, via, card)
            targets &= targets - 1
