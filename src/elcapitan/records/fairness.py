"""Check whether the cards of a recorded game came as they were shuffled, by computing every card again.

Every shuffle of a record names a hash, the commitment, that was shown when it happened. Of a game that is over it also
tells the secret (a key, or a seed) and the salt. Two things are checked: that they make this hash, and that every card
which was dealt or turned up since is the one that the secret brings. What lay on the table before the first shuffle, as
in a game that was brought from elsewhere, cannot be checked and is counted apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.errors import ElCapitanError
from elcapitan.game.game import Game
from elcapitan.game.history import Act, Counts, Deal, Event, Moment, Reveal, cards_of
from elcapitan.records import shuffles
from elcapitan.records.shuffles import Promise

FAIR: Final = "fair"  # every card is what the shuffles bring
PARTLY: Final = "partly"  # so are all since the first shuffle, but there were cards before
UNKNOWN: Final = "unknown"  # nothing is told about any shuffle
SEALED: Final = "sealed"  # commitments are there, but not yet what is behind them
BROKEN: Final = "broken"  # a secret and its salt do not make the hash
OTHER_CARDS: Final = "other-cards"  # a card came that the secret does not bring


@dataclass(frozen=True)
class Finding:
    """The result of checking a game."""

    verdict: str
    promises: tuple[Promise, ...]
    cards: int  # dealt and turned up in all
    checked: int  # that are what the shuffles bring
    at: int | None = None  # the event with the first card that is not, or the shuffle that does not hold
    found: int | None = None  # that card
    wanted: int | None = None  # the card that should have come

    @property
    def fair(self) -> bool:
        """Whether every card of the game is proved."""
        return self.verdict == FAIR


def check(game: Game, promises: Sequence[Promise]) -> Finding:
    """Shuffle again as the record says, let the seats do what they did, and compare all cards."""
    told, moments = tuple(promises), list(game.history())
    cards = _count(moments)
    if not told:
        return Finding(UNKNOWN, told, cards, 0)
    if not all(each.told for each in told):
        return Finding(SEALED, told, cards, 0)
    for each in told:
        if not each.holds:
            return Finding(BROKEN, told, cards, 0, at=each.at)
    checked = 0
    for each, end in zip(told, [*(other.at for other in told[1:]), len(moments)], strict=True):
        due = _due(game, moments, each, end)
        for number, moment in enumerate(moments[each.at : end]):
            expected = due[number] if number < len(due) else ()
            for place, card in enumerate(cards_of(moment.event)):
                wanted = expected[place] if place < len(expected) else None
                if card != wanted:
                    return Finding(OTHER_CARDS, told, cards, checked, each.at + number, card, wanted)
                checked += 1
    return Finding(PARTLY if _count(moments[: told[0].at]) else FAIR, told, cards, checked)


def _count(moments: Sequence[Moment]) -> int:
    """Count the cards that came in these events."""
    return sum(len(cards_of(moment.event)) for moment in moments)


def _due(game: Game, moments: Sequence[Moment], promise: Promise, end: int) -> list[tuple[int, ...]]:
    """The cards that a shuffle brings with each event since, up to some event."""
    if isinstance(promise.secret, str):
        return _drawn_again(promise.secret, moments, promise.at, end)
    return _dealt_again(game, [moment.event for moment in moments], promise, end)


def _drawn_again(key: str, moments: Sequence[Moment], at: int, end: int) -> list[tuple[int, ...]]:
    """The cards that a key brings, each drawn in the position in which the record has one."""
    turned_up = [0, 0]
    due: list[tuple[int, ...]] = []
    for number, moment in enumerate(moments[:end]):
        if number >= at:
            due.append(_drawn(key, moment, (turned_up[0], turned_up[1])))
        for card in cards_of(moment.event):
            turned_up[shuffles.kind_of(card)] += 1
    return due


def _drawn(key: str, moment: Moment, turned_up: Counts) -> tuple[int, ...]:
    """The cards that a key brings instead of those of an event."""
    match moment.event:
        case Deal():
            return cards_of(shuffles.opening(key))
        case Reveal():
            return (shuffles.next_card(key, moment.before, turned_up),)
        case _:
            return ()


def _dealt_again(game: Game, events: Sequence[Event], promise: Promise, end: int) -> list[tuple[int, ...]]:
    """The cards that a seed brings when the same is done again, up to the first action that is impossible then."""
    again = Game.from_setup(game.setup, game.figures)
    try:
        for event in events[: promise.at]:
            again.apply(event)
        again = _shuffled(again, promise.seed)
        for event in events[promise.at : end]:
            if isinstance(event, Act):
                again.play_all(event.numbers)
    except ElCapitanError:
        pass  # another card came than in the record: it is found by comparing
    return [cards_of(event) for event in again.events[promise.at :]]


def _shuffled(game: Game, seed: int | None) -> Game:
    """The game with what is face down in the order of a seed, and cards drawn until a seat has to decide."""
    if game.dealt:
        game.shuffle(seed)
        return game
    return Game.from_setup(game.setup, game.figures, seed=seed)


def first_by_lot(game: Game, promises: Sequence[Promise]) -> bool | None:
    """Whether the secret of the first shuffle draws the seat that begins; `None` where it cannot be known."""
    if not promises or promises[0].at or not promises[0].told:
        return None
    if promises[0].key:
        return shuffles.first_seat(promises[0].key, game.players) == game.setup.first
    drawn = Game.new(game.players, game.setup.tiles, seed=promises[0].seed, figures=game.figures)
    return drawn.setup.first == game.setup.first
