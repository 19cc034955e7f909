"""Dealers: each knows the secret that decides which cards come, and tells them one by one.

The game on the table is told its cards, so whatever is shown, searched or exported from it cannot tell what is face
down. There is one dealer for each scheme of `records.shuffles`: with a key, from which every card follows, and with a
seed, for games that were begun with one.
"""

import hashlib
from dataclasses import dataclass
from typing import TypeAlias

from elcapitan.engine import play
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import DISPLAYED_DESTINATIONS, DISPLAYED_LINKS
from elcapitan.game.game import Game
from elcapitan.game.history import Deal, Reveal
from elcapitan.game.position_queries import face_down, position, with_decks
from elcapitan.records import shuffles
from elcapitan.records.shuffles import Secret

Cards: TypeAlias = Deal | Reveal


class KeyedDealer:
    """A dealer with a key. Every card follows from the key and from what lies on the table, so it never changes."""

    def __init__(self, key: str) -> None:
        self._key = key

    def copy(self) -> "KeyedDealer":
        """Return the dealer for a copy of the game: the same one."""
        return self

    def next_cards(self, game: Game) -> Cards:
        """Draw the opening display, or the card that is turned up next on the table."""
        if not game.dealt:
            return shuffles.opening(self._key)
        return Reveal(shuffles.next_card(self._key, game.view_for(0), game.turned_up))

    def arranged(self, game: Game) -> Game:
        """Return the game with its decks in the order in which they will come, which no player may see."""
        decks = zip(game.turned_up, face_down(game.view_for(0)), strict=True)
        return game.arranged([shuffles.in_order(self._key, count, cards) for count, cards in decks])

    def dice(self, number: int) -> int:
        """Draw a seed for the dice of a computer player that moves after `number` entries of the log."""
        return shuffles.dice(self._key, number)


@dataclass(frozen=True, slots=True)
class _Order:
    """The cards of both decks as the engine stores them, and how many numbers its generator has drawn."""

    deck: bytes
    drawn: int


class SeededDealer:
    """A dealer with a seed of the engine's generator, which shuffles the decks at first and whenever one is empty.

    An attacker who sees enough cards could compute the seed. This dealer is for games that were begun before there were
    keys, and for those whose seed was chosen, so that the same seed brings the same cards.
    """

    def __init__(self, game: Game, seed: int) -> None:
        """Shuffle what is face down in a game that begins, or is played on from here."""
        self._seed = seed
        # By how many cards have been turned up, so that after going back the same cards come again.
        self._orders = {sum(game.turned_up): _order_of(_shuffled(game, seed))}

    def copy(self) -> "SeededDealer":
        """Return a dealer for a copy of the game, which can go another way."""
        twin = SeededDealer.__new__(SeededDealer)
        twin._seed, twin._orders = self._seed, dict(self._orders)
        return twin

    def next_cards(self, game: Game) -> Cards:
        """Draw the opening display, or the card that is turned up next on the table."""
        order = self._orders[sum(game.turned_up)]
        states = with_decks(position(game.position.tobytes()), order.deck, self._seed, order.drawn)
        count = 1 if game.dealt else DISPLAYED_DESTINATIONS + DISPLAYED_LINKS
        cards = []
        for _ in range(count):
            cards.append(play.next_card(states, 0))
            play.chance(states, 0, game.figures.boards, cards[-1])
        self._orders[sum(game.turned_up) + count] = _order_of(states)
        if game.dealt:
            return Reveal(cards[0])
        return Deal(tuple(cards[:DISPLAYED_DESTINATIONS]), tuple(cards[DISPLAYED_DESTINATIONS:]))

    def arranged(self, game: Game) -> Game:
        """Return the game with its decks in the order in which they will come, which no player may see.

        A game with cards that this dealer has not brought is returned as it is.
        """
        order = self._orders.get(sum(game.turned_up))
        return game.with_decks(order.deck, self._seed, order.drawn) if order else game

    def dice(self, number: int) -> int:
        """Hash the seed to one for the dice of a computer player that moves after `number` entries of the log."""
        content = f"{self._seed} thinks at {number}".encode()
        return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest())


def _shuffled(game: Game, seed: int) -> States:
    """Return the position of a game after a shuffle, before any card is turned up."""
    if not game.dealt:
        return position(Game(game.setup, game.figures, seed).position.tobytes())
    twin = game.copy()
    twin.shuffle(seed)
    twin.take_back(twin.event_count - game.event_count)
    return position(twin.position.tobytes())


def _order_of(states: States) -> _Order:
    """Read the order of the decks from a position."""
    return _Order(states[0].deck.tobytes(), int(states[0].rng[2]))


Dealer: TypeAlias = KeyedDealer | SeededDealer


def dealer_of(game: Game, secret: Secret) -> Dealer:
    """Return the dealer who shuffles what is face down in a game: with a key, or with a seed."""
    return KeyedDealer(secret) if isinstance(secret, str) else SeededDealer(game, secret)


def brings(dealer: Dealer, cards: Cards, game: Game) -> bool:
    """Whether a dealer would bring exactly these cards now. The log repeats every card, so this checks the log."""
    return game.card_due and dealer.next_cards(game) == cards
