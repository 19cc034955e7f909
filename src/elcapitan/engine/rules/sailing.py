"""CARD, BUY and SAIL: the sailing cards, and voyages by destination, sea route and link; all harbour spaces.

Cards are sets of bits; only what is face down has an order. Choosing the next card (`draw`) and a given card
appearing (`reveal`) are two functions, so that replays and environments can supply the outcome.
"""

from elcapitan.engine.actions import LINK_LEGS, ROUTE_LEGS, leg_card
from elcapitan.engine.jit import lowest, many, rule, whole
from elcapitan.engine.rng import shuffle
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import (
    BANK,
    BOUGHT,
    CANARIAS,
    CITIES,
    DESTINATION_CARDS,
    DESTINATIONS,
    DISPLAYED_DESTINATIONS,
    DISPLAYED_LINKS,
    DONE,
    DUE,
    LINK_CARDS,
    MAIN_CITIES,
    MOST_FLORINS,
    NOBODY,
    NOT_DUE,
    SPACES,
    START,
    TRANSIT,
    UNDER_WAY,
)

DESTINATION_DECK = 0
LINK_DECK = 1


@rule
def deck_of(card: int) -> int:
    """[SET-06, CARD-01] Which of the two decks a card belongs to."""
    return DESTINATION_DECK if card < DESTINATIONS else LINK_DECK


@rule
def cards_of(deck: int) -> int:
    """[CARD-01] All cards of a deck, as bits."""
    return DESTINATION_CARDS if deck == DESTINATION_DECK else LINK_CARDS


@rule
def can_turn_up(s: State, deck: int) -> bool:
    """[CARD-08, G-11] A card is left in the deck, or in the discards it is renewed from."""
    return bool(s.deck_left[deck] > 0 or (whole(s.discard) & cards_of(deck)) != 0)


@rule
def deck_to_turn_up(s: State) -> int:
    """[SET-07, CARD-09, G-11] The deck from which the display lacks a card that can be had, or NOBODY."""
    shown = whole(s.display)
    if many(shown & DESTINATION_CARDS) < DISPLAYED_DESTINATIONS and can_turn_up(s, DESTINATION_DECK):
        return DESTINATION_DECK
    if many(shown & LINK_CARDS) < DISPLAYED_LINKS and can_turn_up(s, LINK_DECK):
        return LINK_DECK
    return NOBODY


@rule
def renew(s: State, deck: int) -> None:
    """[CARD-08, G-11] An empty deck is made anew by shuffling its discards."""
    first = deck * DESTINATIONS
    cards = whole(s.discard) & cards_of(deck)
    s.discard = whole(s.discard) & ~cards
    beyond = first
    while cards != 0:
        s.deck[beyond] = lowest(cards)
        cards &= cards - 1
        beyond += 1
    s.deck_left[deck] = beyond - first
    shuffle(s, first, beyond)


@rule
def draw(s: State) -> int:
    """[SET-06] Choose the next card to be turned up: the top of the deck that lacks one on the display."""
    deck = deck_to_turn_up(s)
    if s.deck_left[deck] == 0:
        renew(s, deck)
    return whole(s.deck[deck * DESTINATIONS + whole(s.deck_left[deck]) - 1])


@rule
def reveal(s: State, card: int) -> None:
    """[SET-07, CARD-09] A given face-down card appears on the display."""
    deck = deck_of(card)
    if s.deck_left[deck] == 0:
        renew(s, deck)
    top = deck * DESTINATIONS + whole(s.deck_left[deck]) - 1
    at = top
    while whole(s.deck[at]) != card:
        at -= 1
    s.deck[at] = s.deck[top]
    s.deck[top] = card
    s.deck_left[deck] -= 1
    s.display = whole(s.display) | (1 << card)


@rule
def may_turn_up(s: State, card: int) -> bool:
    """[CARD-08] Whether this card can be the next to appear."""
    deck = deck_to_turn_up(s)
    if deck != deck_of(card):
        return False
    if s.deck_left[deck] == 0:
        return bool((whole(s.discard) >> card) & 1)
    for i in range(whole(s.deck_left[deck])):
        if whole(s.deck[deck * DESTINATIONS + i]) == card:
            return True
    return False


@rule
def can_pay(s: State, seat: int, price: int) -> bool:
    """[BUY-02, BUY-07, G-58] No credit; what costs nothing can be had even in debt."""
    return bool(price == 0 or whole(s.cash[seat]) >= price)


@rule
def cards_for(b: Board, cash: int) -> int:
    """[BUY-02, BUY-07, G-58] All sailing cards that cost no more than this cash, as bits; in debt the free ones."""
    return whole(b.cards_at_most[min(max(cash, 0), MOST_FLORINS)])


@rule
def cards_leaving(b: Board, cash: int, least: int) -> int:
    """[BUY-02, BUY-07, G-58] All sailing cards after whose purchase at least so much of this cash is left, as bits."""
    if cash < least:
        return 0
    return cards_for(b, min(cash, cash - least))


@rule
def prices_of(b: Board, cards: int) -> int:
    """[BUY-02] The prices of some cards as bits, the lowest bit for the lowest price there is."""
    prices = 0
    for i in range(whole(b.prices)):
        prices |= (1 if cards & whole(b.cards_at[i]) != 0 else 0) << i
    return prices


@rule
def buy(s: State, b: Board, card: int) -> None:
    """[BUY-02, BUY-03, BUY-05] Pay the printed price and take the card from the display; the gap stays open."""
    seat = whole(s.seat)
    s.cash[seat] -= b.card_price[card]
    s.display = whole(s.display) & ~(1 << card)
    s.hand[seat] = whole(s.hand[seat]) | (1 << card)
    if s.stage == START:
        s.stage = BOUGHT


@rule
def discard(s: State, seat: int, card: int) -> None:
    """[CARD-03, CARD-07] A card serves once and goes to the discards of its kind."""
    s.hand[seat] = whole(s.hand[seat]) & ~(1 << card)
    s.discard = whole(s.discard) | (1 << card)


@rule
def in_city(place: int) -> bool:
    """[BOARD-11, SET-12] Whether a ship's place is a city, not the bank and not off-board."""
    return place < CITIES


@rule
def take_space(s: State, city: int, space: int, who: int) -> None:
    """[SAIL-10, PIRATE-01] A ship or the pirate takes a harbour space."""
    s.harbour[city, space] = who
    s.free[space] = whole(s.free[space]) & ~(1 << city)


@rule
def free_space(s: State, city: int, space: int) -> None:
    """[SAIL-10] A harbour space becomes free."""
    s.harbour[city, space] = NOBODY
    s.free[space] = whole(s.free[space]) | 1 << city


@rule
def free_for(s: State, space: int, seat: int) -> int:
    """[SAIL-04, SAIL-10, PIRATE-01, G-48] Cities in which a harbour space is free for `seat`'s ship, as bits.

    The space her own ship holds counts as free: whoever arrives has left it (G-03).
    """
    free = whole(s.free[space])
    if seat != NOBODY and s.ship_space[seat] == space:
        free |= 1 << whole(s.ship_city[seat])
    return free


@rule
def free_spaces(s: State, city: int, seat: int) -> int:
    """[SAIL-04, G-48] The harbour spaces of a city that are free for `seat` to arrive on, as bits."""
    spaces = 0
    for space in range(SPACES):
        spaces |= ((free_for(s, space, seat) >> city) & 1) << space
    return spaces


@rule
def arrival_space(s: State, city: int, seat: int) -> int:
    """[SAIL-03, G-01] The lowest free harbour space, or TRANSIT where there is none."""
    free = free_spaces(s, city, seat)
    return lowest(free) if free != 0 else TRANSIT


@rule
def leg_target(b: Board, leg: int) -> int:
    """[CARD-04, CARD-05, CARD-06] The city a leg leads to."""
    if leg < ROUTE_LEGS:
        return whole(b.card_city[leg, 0])
    if leg < LINK_LEGS:
        return (leg - ROUTE_LEGS) % CITIES
    return whole(b.card_city[leg_card(leg), (leg - LINK_LEGS) % 2])


@rule
def leg_fits(s: State, b: Board, place: int, leg: int) -> bool:
    """[CARD-04, CARD-05, CARD-06, SAIL-06, EXP-06, G-03, G-04, G-61] Whether a leg can start at `place`.

    A destination can be sailed to from anywhere, a sea route or a link only from a city, and no card leads back to
    the city it started from. A tile city that is not in play can be passed on a sea route, not reached (G-39).
    """
    target = leg_target(b, leg)
    if target == place or not (whole(s.in_play) >> target) & 1:
        return False
    if leg < ROUTE_LEGS:
        return True
    if not in_city(place):
        return False
    if leg < LINK_LEGS:
        return bool((whole(b.near[place, b.seals[leg_card(leg)]]) >> target) & 1)
    return bool((whole(b.links_of[place]) >> leg_card(leg)) & 1)


@rule
def leave(s: State, seat: int) -> None:
    """[SAIL-10] The ship gives up its harbour space, which is free from now on."""
    city, space = whole(s.ship_city[seat]), whole(s.ship_space[seat])
    if in_city(city) and space != TRANSIT:
        free_space(s, city, space)


@rule
def arrive(s: State, seat: int, city: int) -> None:
    """[SAIL-03, SAIL-04, CANA-02, G-01, G-49] Anchor on the lowest free space, or stay in transit where none is.

    Anchoring at Islas Canarias makes the free pirate move due; sailing on takes that back (G-43, G-56).
    """
    space = arrival_space(s, city, seat)
    s.ship_city[seat] = city
    s.ship_space[seat] = space
    s.free_move = NOT_DUE
    if space != TRANSIT:
        take_space(s, city, space, seat)
        if city == CANARIAS:
            s.free_move = DUE


@rule
def sail(s: State, b: Board, leg: int) -> None:
    """[SAIL-02, SAIL-11, CARD-07] One card carries the ship to another city."""
    seat = whole(s.seat)
    discard(s, seat, leg_card(leg))
    leave(s, seat)
    arrive(s, seat, leg_target(b, leg))
    set_out(s)


@rule
def set_out(s: State) -> None:
    """[TURN-03, G-06, G-62] Before the main action a leg or a pirate move makes this a turn that builds."""
    if s.stage != DONE:
        s.stage = UNDER_WAY


@rule
def go_to_bank(s: State, seat: int) -> None:
    """[SAIL-07, SAIL-08] Into the bank harbour, without a card, from anywhere; it has room for all."""
    leave(s, seat)
    s.ship_city[seat] = BANK
    s.ship_space[seat] = TRANSIT


@rule
def anchored(s: State, seat: int) -> bool:
    """[TURN-12, WARE-01, FORT-01] In a harbour of a city, where alone something can be built."""
    return bool(in_city(whole(s.ship_city[seat])) and s.ship_space[seat] != TRANSIT)


@rule
def usable(b: Board, place: int, cards: int) -> int:
    """[CARD-06, SAIL-06, EXP-07, G-04] Those of the cards that lead somewhere from `place`.

    From the bank and from off the board only destinations, none of which is a tile city.
    """
    return cards & whole(b.usable[place])


@rule
def legs_of(b: Board, place: int, card: int, in_play: int) -> int:
    """[CARD-04, CARD-05, CARD-06, EXP-08, SAIL-09, PORTO-02, G-03] Every city a card leads to, as bits.

    Never the city the ship is in: nobody changes the harbour space during a stay.
    """
    return whole(b.leads[place, card]) & in_play


@rule
def destinations(cities: int) -> int:
    """[CARD-02, CARD-04] The destination cards of some cities, as bits: two for each of the main ones."""
    bits = cities & (1 << MAIN_CITIES) - 1
    bits = (bits | bits << 8) & 0b1_00000000_11111111
    bits = (bits | bits << 4) & 0b1_0000_1111_0000_1111
    bits = (bits | bits << 2) & 0b1_00_11_00_11_00_11_00_11
    bits = (bits | bits << 1) & 0b1_01_01_01_01_01_01_01_01
    return bits * 0b11
