"""The dealer of a table: knows the secret that decides which cards come, and tells them one by one.

The game on the table is told its cards, so whatever is shown, searched or exported from it cannot tell what is face
down. A dealer is asked for nothing but the next card. There is one for each scheme of `notation.shuffles`: one with
a key, which keeps nothing else, and one with a seed, for games that were begun with one.
"""

import hashlib
from collections.abc import Callable
from typing import TypeAlias

from elcapitan.errors import ElCapitanError
from elcapitan.game import Game
from elcapitan.history import Deal, Reveal
from elcapitan.notation import keyed_chance
from elcapitan.notation.shuffles import Secret
from elcapitan.report import face_down

Cards: TypeAlias = Deal | Reveal


class KeyedDealer:
    """A dealer with a key. Every card follows from the key and from what lies on the table, so it never changes."""

    def __init__(self, key: str) -> None:
        self._key = key

    def copy(self) -> "KeyedDealer":
        """The dealer for a copy of the game: the same one."""
        return self

    def next_cards(self, game: Game) -> Cards:
        """Draw the opening display, or the card that is turned up next on the table."""
        if not game.dealt:
            return keyed_chance.opening(self._key)
        return Reveal(keyed_chance.next_card(self._key, game.view_for(0), game.turned_up))

    def brings(self, cards: Cards, game: Game) -> bool:
        """Whether these are the cards that come next on the table: the log of a game tells them too."""
        return game.card_due and self.next_cards(game) == cards

    def arranged(self, game: Game) -> Game:
        """The game with its decks in the order in which they will come, as nobody at the table may see it."""
        decks = zip(game.turned_up, face_down(game.view_for(0)), strict=True)
        return game.arranged([keyed_chance.in_order(self._key, count, cards) for count, cards in decks])

    def dice(self, number: int) -> int:
        """Draw a seed for the dice of a computer player that thinks after so many entries of the log."""
        return keyed_chance.dice(self._key, number)

    def repeat(self, _step: Callable[[Game], None]) -> None:
        """Do nothing when something is done on the table."""

    def in_step(self, _game: Game) -> bool:
        """Find no fault with the game on the table: `brings` has looked at every card."""
        return True


class SeededDealer:
    """A dealer with a seed: a second game, which repeats every action and draws its cards by itself.

    Somebody who sees enough cards could compute its seed. It is there for games that were begun before there were
    keys, and for those whose seed somebody has chosen, so that the same seed brings the same cards.
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    @classmethod
    def of(cls, game: Game, seed: int) -> "SeededDealer":
        """Shuffle what is face down in a game that begins, or is played on from here."""
        if game.dealt:
            twin = game.copy()
            twin.shuffle(seed)
            return cls(twin)
        return cls(Game.from_setup(game.setup, game.figures, seed=seed))

    def copy(self) -> "SeededDealer":
        """A dealer whose game can go another way."""
        return SeededDealer(self._game.copy())

    def next_cards(self, game: Game) -> Cards:
        """The cards that the second game has drawn and the table has not seen yet."""
        following = self._game.events[len(game.events) :]
        if following and isinstance(following[0], Deal | Reveal):
            return following[0]
        raise ElCapitanError("other-position")

    def brings(self, _cards: Cards, _game: Game) -> bool:
        """Leave it to `in_step`, which compares everything at once."""
        return True

    def arranged(self, _game: Game) -> Game:
        """The second game; while cards are due on the table it is ahead of it."""
        return self._game

    def dice(self, number: int) -> int:
        """Hash the seed to one for the dice of a computer player that thinks after so many entries of the log."""
        content = f"{self._game.seed} thinks at {number}".encode()
        return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest())

    def repeat(self, step: Callable[[Game], None]) -> None:
        """Do in the second game what is done on the table."""
        step(self._game)

    def in_step(self, game: Game) -> bool:
        """Whether both games differ in nothing but what is face down."""
        return self._game.view_for(0).tobytes() == game.view_for(0).tobytes()


Dealer: TypeAlias = KeyedDealer | SeededDealer


def dealer_of(game: Game, secret: Secret) -> Dealer:
    """The dealer who shuffles what is face down in a game: with a key, or with a seed."""
    return KeyedDealer(secret) if isinstance(secret, str) else SeededDealer.of(game, secret)
