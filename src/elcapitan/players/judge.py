"""Which turn of a finished game cost its player most, by the estimate of the strongest computer player.

It counts by the chance to win, because that is what this player maximises; its estimates of money vary much more.

All other code calls `dearest_mistake` only, so that a better judge can replace what is behind it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final

from elcapitan.bots import registry
from elcapitan.bots.bot import Budget, SearchedPlan, View
from elcapitan.engine import play
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.rng import generator
from elcapitan.engine.vocabulary import SETTLING
from elcapitan.game.game import Act, Game
from elcapitan.game.history import turn_of
from elcapitan.game.position_queries import legal_in, position, without_secrets
from elcapitan.players.seats import HINT_BUDGETS, adviser, searching_level

SEED: Final = 1  # the same game gets the same answer
ONCE: Final = dict.fromkeys(HINT_BUDGETS, Budget(simulations=1))  # where rules are interpreted
# For every turn of the game, then before and after each turn that seems to have cost most.
FIRST_LOOK: Final = (
    {registry.STRONGEST: Budget(simulations=6), registry.ON_OTHER_BOARDS: Budget(simulations=300)} if COMPILED else ONCE
)
SECOND_LOOK: Final = (
    {registry.STRONGEST: Budget(simulations=48), registry.ON_OTHER_BOARDS: Budget(simulations=3000)}
    if COMPILED
    else ONCE
)
SUSPECTS: Final = 6  # turns that are looked at twice
LEAST: Final = 0.1  # of the chance to win: the estimates are not exact enough to call less than that a mistake


@dataclass(frozen=True, slots=True)
class Mistake:
    """A turn after which its player was less likely to win, and what the judge would have done."""

    seat: int
    at: int  # how many events had happened when the turn began
    events: int  # of the turn
    better: tuple[int, ...]  # the actions of the better turn
    before: float  # the player's chance to win with the better turn, from 0 to 1
    after: float  # and with the turn that was played

    @property
    def cost(self) -> float:
        """The chance that was lost."""
        return self.before - self.after


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn of the game with a choice, and the position in which it began."""

    seat: int
    at: int
    played: tuple[int, ...]  # the actions
    events: int
    before: bytes
    after: bytes | None  # where the next turn begins; None for the last one


def dearest_mistake(game: Game, enough: Callable[[], bool] | None = None) -> Mistake | None:
    """Return the turn that cost its player most by the estimate of the strongest level; None if none cost much.

    All turns are judged quickly, those that seem to have cost most again and more carefully. If `enough` returns true,
    what was found by then counts.
    """
    turns = _turns(game)
    judge = _Judge(game, enough or (lambda: False))
    first_look = {turn: judge.verdict(turn, FIRST_LOOK) for turn in turns if judge.may_go_on()}
    suspects = sorted(first_look, key=lambda turn: -first_look[turn].cost)[:SUSPECTS]
    found: list[Mistake] = []
    for turn in suspects:
        if not judge.may_go_on():
            break
        verdict = judge.verdict(turn, SECOND_LOOK)
        if verdict.cost >= LEAST and verdict.better != turn.played:
            found.append(verdict)
    return max(found, key=lambda mistake: mistake.cost, default=None)


class _Judge:
    """Searches from positions of one game, each position and budget once."""

    def __init__(self, game: Game, enough: Callable[[], bool]) -> None:
        self._game = game
        self._enough = enough
        self._level = adviser(game)
        self._known: dict[tuple[bytes, Budget], SearchedPlan] = {}

    def may_go_on(self) -> bool:
        """Whether there is time for another position."""
        return not self._enough()

    def verdict(self, turn: _Turn, budgets: Mapping[str, Budget]) -> Mistake:
        """Estimate how much a turn has cost its player, if anything, and what would have been better."""
        best = self._best(turn.before, budgets)
        chances = self._game.win_shares if turn.after is None else self._best(turn.after, budgets).win
        return Mistake(turn.seat, turn.at, turn.events, best.actions, best.win[turn.seat], chances[turn.seat])

    def _best(self, before: bytes, budgets: Mapping[str, Budget]) -> SearchedPlan:
        """Search for the best turn in a position, without knowing which cards will come."""
        asked = before, budgets[self._level]
        if asked not in self._known:
            view = View(without_secrets(position(before)), self._game.figures.boards)
            self._known[asked] = searching_level(self._level, budgets).lines(view, generator(SEED))[0]
        return self._known[asked]


def _turns(game: Game) -> list[_Turn]:
    """Return the turns in which a seat had a choice, decisions after a payday left out."""
    begun: list[tuple[int, int, bytes]] = []  # seat, events before it, position
    played: dict[int, list[tuple[int, ...]]] = {}  # the actions of each turn, by how many events came before it
    running = None
    for number, moment in enumerate(game.history()):
        before = moment.before[0]
        if not isinstance(moment.event, Act) or int(before.stage) >= SETTLING:
            continue
        if turn_of(before) != running:
            running = turn_of(before)
            begun.append((moment.event.seat, number, moment.was))
        played.setdefault(begun[-1][1], []).append(moment.event.numbers)
    later = [was for _seat, _at, was in begun[1:]]
    return [
        _Turn(seat, at, tuple(chain.from_iterable(played[at])), len(played[at]), was, after)
        for (seat, at, was), after in zip(begun, [*later, None], strict=True)
        if len(legal_in(position(was), game.figures, play.desks())) > 1
    ]
