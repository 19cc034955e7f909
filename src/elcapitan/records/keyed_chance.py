"""The scheme `hmac-sha256`: how a secret key decides the cards, who begins, and the dice of computer players.

Every decision asks HMAC-SHA256 under a label of its own, so no answer tells anything about another one. The order of
a deck is kept nowhere: the next card is drawn from the face-down cards when it is turned up. Drawing one of those that
are left, again and again, is the shuffle of Fisher and Yates. A card depends on the key, on how many cards of its kind
came before it, and on the cards that could come; so going back and playing on brings the same cards again.
docs/notation.md describes the scheme for those who want to check it with a program of their own.
"""

import hmac
import itertools
import secrets
from collections.abc import Iterable, Sequence
from typing import Final

from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import CARDS, DESTINATIONS, DISPLAYED_DESTINATIONS, DISPLAYED_LINKS
from elcapitan.game.history import Counts, Deal
from elcapitan.game.income import cards_to_come

SCHEME: Final = "hmac-sha256"
KEY_BYTES: Final = 32  # 256 bits, as many as the hash has
KINDS: Final = ("destination", "link")
_NUMBERS: Final = 2**256  # that an answer can be
_DICE: Final = 2**64  # seeds of the generator that computer players use


def any_key() -> str:
    """Draw a new key from the system's randomness, in hexadecimal digits."""
    return secrets.token_hex(KEY_BYTES)


def below(key: str, label: str, bound: int) -> int:
    """Decide on a number from 0 to `bound` - 1, each as likely as any other; a different label decides anew."""
    even = _NUMBERS - _NUMBERS % bound  # from here on some numbers would be likelier than others
    for attempt in itertools.count():
        answer = hmac.digest(bytes.fromhex(key), f"{label}|{attempt}".encode(), "sha256")
        number = int.from_bytes(answer)
        if number < even:
            return number % bound
    raise AssertionError("counting never ends")


def first_seat(key: str, players: int) -> int:
    """Draw the seat that begins."""
    return below(key, "first seat", players)


def dice(key: str, number: int) -> int:
    """Draw a seed for the dice of a computer player that thinks after so many entries of the log."""
    return below(key, f"dice {number}", _DICE)


def drawn(key: str, turned_up: int, cards: Sequence[int]) -> int:
    """Draw one of these cards of one kind, in ascending order, after so many of this kind were turned up."""
    label = f"{KINDS[kind_of(cards[0])]} {turned_up}|{','.join(map(str, cards))}"
    return cards[below(key, label, len(cards))]


def in_order(key: str, turned_up: int, cards: Iterable[int]) -> list[int]:
    """Draw all these cards of one kind, one after another: the order in which they will be turned up."""
    left = sorted(cards)
    order: list[int] = []
    while left:
        order.append(drawn(key, turned_up + len(order), left))
        left.remove(order[-1])
    return order


def opening(key: str) -> Deal:
    """Draw the opening display [SET-07]."""
    destination = in_order(key, 0, range(DESTINATIONS))
    link = in_order(key, 0, range(DESTINATIONS, CARDS))
    return Deal(tuple(destination[:DISPLAYED_DESTINATIONS]), tuple(link[:DISPLAYED_LINKS]))


def next_card(key: str, states: States, turned_up: Counts) -> int:
    """Draw the card that is turned up next in a position, after so many of each kind were turned up."""
    cards = cards_to_come(states)
    return drawn(key, turned_up[kind_of(cards[0])], cards)


def kind_of(card: int) -> int:
    """Which of KINDS a card is."""
    return int(card >= DESTINATIONS)
