"""Earlier moments of a game: which one is shown, and how to go on from there."""

from dataclasses import dataclass

from elcapitan.engine.vocabulary import NOBODY
from elcapitan.game import Act, Game
from elcapitan.text.names import plainly
from elcapitan.web.scene.company import may_go_back
from elcapitan.web.scene.journal import chronicle
from elcapitan.web.scene.sight import Sight


@dataclass(frozen=True)
class Replay:
    """Where in the game one is."""

    at: int  # events so far
    last: int
    turns: tuple[int, ...]  # after which events a turn begins
    branch: bool  # whether one can try another move from here
    back: str  # whether one may "ask" to go back to here, or just go "back"
    told: str  # what has just happened

    @property
    def before(self) -> int:
        """The moment before."""
        return max(self.at - 1, 1)

    @property
    def after(self) -> int:
        """The moment after."""
        return min(self.at + 1, self.last)

    @property
    def turn_before(self) -> int:
        """The beginning of the turn, or of the one before."""
        return max((number for number in self.turns if number < self.at), default=1)

    @property
    def turn_after(self) -> int:
        """The beginning of the next turn."""
        return min((number for number in self.turns if number > self.at), default=self.last)


def moment(game: Game, at: int) -> Game:
    """A game as it was after so many events; a voyage of the pirate is one event."""
    then = game.copy()
    if plainly(then.position.pirate_at) != NOBODY:
        then.take_back()  # a voyage that has not landed is no event yet
    then.take_back(max(0, len(then.events) - max(at, 1)))  # nothing can be seen before the deal
    return then


def replay(sight: Sight, whole: Game, at: int) -> Replay:
    """The moment that is shown, among all of them."""
    events = whole.events
    turns = []
    seat: int | None = None
    for number, event in enumerate(events):
        if isinstance(event, Act):
            if event.seat != seat:
                turns.append(number)
            seat = event.seat
    now = min(max(at, 1), len(events))
    branch = sight.game.seat is not None
    return Replay(now, len(events), tuple(turns), branch, may_go_back(sight, now), _told(sight, now))


def told_before(sight: Sight, at: int) -> str:
    """What there was to tell last before a moment."""
    entries = chronicle(sight.table).entries(sight.table.game, sight.teller)
    return next((" ".join(entry.sentences) for entry in reversed(entries) if entry.number < at), "")


def _told(sight: Sight, at: int) -> str:
    """What the event before this moment was."""
    entries = chronicle(sight.table).entries(sight.table.game, sight.teller)
    return " ".join(sentence for entry in entries if entry.number == at - 1 for sentence in entry.sentences)
