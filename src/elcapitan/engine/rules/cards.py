"""CARD and BUY: two decks, the display, hands and discards.

Cards are sets of bits; only what is face down has an order. Choosing the next card (`draw`) and a given card
appearing (`reveal`) are two functions, so that replays and environments can supply the outcome.
"""

from elcapitan.engine.jit import lowest, many, rule, whole
from elcapitan.engine.rng import shuffle
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import (
    BOUGHT,
    DESTINATION_CARDS,
    DESTINATIONS,
    DISPLAYED_DESTINATIONS,
    DISPLAYED_LINKS,
    LINK_CARDS,
    MOST_FLORINS,
    NOBODY,
    START,
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
