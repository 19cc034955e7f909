"""Whether the cards of a recorded game came as they were shuffled: everything is worked out again from the record.

Every shuffle of a record names a hash, the commitment, that was shown when it happened. Of a game that is over it also
tells the seed and the salt. Two things are checked: that they make this hash, and that every card which was dealt or
turned up since is the one that the seed brings. What lay on the table before the first shuffle, as in a game that was
brought from elsewhere, cannot be checked and is counted apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.errors import ElCapitanError
from elcapitan.game import Game
from elcapitan.history import Act, Deal, Event, Reveal
from elcapitan.notation.shuffles import Promise

FAIR: Final = "fair"  # every card is what the shuffles bring
PARTLY: Final = "partly"  # so are all since the first shuffle, but there were cards before
UNKNOWN: Final = "unknown"  # nothing is told about any shuffle
SEALED: Final = "sealed"  # commitments are there, but not yet what is behind them
BROKEN: Final = "broken"  # a seed and its salt do not make the hash
OTHER_CARDS: Final = "other-cards"  # a card came that the seed does not bring


@dataclass(frozen=True)
class Finding:
    """What came of checking a game."""

    verdict: str
    promises: tuple[Promise, ...]
    cards: int  # dealt and turned up in all
    checked: int  # that are what the shuffles bring
    at: int | None = None  # the event with the first card that is not, or the shuffle that does not hold
    found: int | None = None  # that card
    wanted: int | None = None  # the card that should have come

    @property
    def fair(self) -> bool:
        """Whether everything is proved."""
        return self.verdict == FAIR


def check(game: Game, promises: Sequence[Promise]) -> Finding:
    """Shuffle again as the record says, let the seats do what they did, and compare all cards."""
    told, events = tuple(promises), game.events
    cards = sum(map(len, map(cards_of, events)))
    if not told:
        return Finding(UNKNOWN, told, cards, 0)
    if not all(each.told for each in told):
        return Finding(SEALED, told, cards, 0)
    for each in told:
        if not each.holds:
            return Finding(BROKEN, told, cards, 0, at=each.at)
    before = sum(map(len, map(cards_of, events[: told[0].at])))
    dealt = _dealt_again(game, events, told)
    checked = 0
    for number, event in enumerate(events[told[0].at :], start=told[0].at):
        came = cards_of(event)
        due = cards_of(dealt[number]) if number < len(dealt) else ()
        for place, card in enumerate(came):
            wanted = due[place] if place < len(due) else None
            if card != wanted:
                return Finding(OTHER_CARDS, told, cards, checked, number, card, wanted)
            checked += 1
    return Finding(PARTLY if before else FAIR, told, cards, checked)


def cards_of(event: Event) -> tuple[int, ...]:
    """The cards that an event brings."""
    match event:
        case Deal(destination, link):
            return (*destination, *link)
        case Reveal(card):
            return (card,)
        case _:
            return ()


def _dealt_again(game: Game, events: Sequence[Event], promises: Sequence[Promise]) -> list[Event]:
    """What happens when the same is done with cards shuffled like this, up to the first action that is impossible."""
    seeds = {each.at: each.seed for each in promises}
    setup = game.setup
    again = Game.bare(setup.players, setup.tiles, first=setup.first, options=setup.options, figures=game.figures)
    try:
        for number, event in enumerate(events):
            if number in seeds:
                again = _shuffled(again, seeds[number])
            match event:
                case Act(_, numbers):
                    again.play_all(numbers)
                case Deal(destination, link) if not again.dealt:
                    again.deal(destination, link)
                case Reveal(card) if again.seed is None:
                    again.reveal(card)
    except ElCapitanError:
        pass  # another card came than in the record: it is found by comparing
    return again.events


def _shuffled(game: Game, seed: int | None) -> Game:
    """The game with what is face down in the order of a seed, and cards drawn until somebody has to decide."""
    if game.dealt:
        game.shuffle(seed)
        return game
    setup = game.setup
    agreed = setup.players, setup.tiles
    return Game.new(*agreed, first=setup.first, options=setup.options, seed=seed, figures=game.figures)


def first_by_lot(game: Game, promises: Sequence[Promise]) -> bool | None:
    """Whether the seed of the first shuffle would draw the seat that begins; `None` where it cannot be known."""
    if not promises or promises[0].at or promises[0].seed is None:
        return None
    drawn = Game.new(game.players, game.setup.tiles, seed=promises[0].seed, figures=game.figures)
    return drawn.setup.first == game.setup.first
