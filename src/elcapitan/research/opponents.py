"""Computer players that play all seats of a fleet but one, by level: those that plan a turn, compiled.

| level | who plays |
|---|---|
| `trader`, `captain` | the level of that name |
| `champion:sims=1` | the network of the champion, which values every plan of its turn and takes the best |

Against three of them a step takes about 6, 10 and 230 microseconds of one core, against three light players half a
microsecond; so every core takes some of the games.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

import numpy as np

from elcapitan.bots.bot import NO_TREE, View, weights
from elcapitan.bots.champion import MONEY_COUNTS, ParallelGames, value_plans
from elcapitan.bots.network import packaged_network
from elcapitan.engine import play, think
from elcapitan.engine.fleet import FleetArrays
from elcapitan.engine.network.evaluate import liking
from elcapitan.engine.network.turns import NOTHING_CHOSEN, Offer, Offering, dealing, empty_rows
from elcapitan.engine.policies import POLICY_NAMES
from elcapitan.engine.record import zeros
from elcapitan.engine.rng import generator
from elcapitan.engine.vocabulary import OVER
from elcapitan.players.python_players import BatchPlayer, is_python, player_of

AT_ONCE: Final = 16  # games that a planner is called with


class Opponent(Protocol):
    """Plays in some games of a fleet; each thread has one of its own."""

    def play(self, fleet: FleetArrays, first: int, beyond: int) -> None:
        """Play all turns in these games until each is over or its own seat has to decide."""


class PlanningOpponent:
    """Plays like the level that judges plans by these weights."""

    def __init__(self, values: str, fleet: FleetArrays) -> None:
        self._lines, self._dealing = think.lines(), dealing(AT_ONCE)
        self._seats = (1 << int(fleet.terms[0].players)) - 1
        buffers, one = (play.desks(), think.search_buffers()), generator(0)  # plans do not depend on cards face down
        self._arrays = think.SearchArrays(self._lines, fleet.boards, *buffers, weights(values), one, NO_TREE)
        chosen = np.full(AT_ONCE, NOTHING_CHOSEN, np.int16)
        self._offering = Offering(zeros(Offer, AT_ONCE), chosen, self._lines, empty_rows(0), self._dealing)

    def play(self, fleet: FleetArrays, first: int, beyond: int) -> None:
        """Play all turns in these games until each is over or its own seat has to decide."""
        self._dealing.played_by_captains[: beyond - first] = self._seats & ~(1 << fleet.own[first:beyond])
        think.offer_turns(fleet.states[first:beyond], self._arrays, self._offering)


class NetworkOpponent:
    """Plays like the champion that plays nothing on: its network values every plan of the turn."""

    def __init__(self, fleet: FleetArrays) -> None:
        self._network, self._game = packaged_network(int(fleet.terms[0].players)), ParallelGames(1)
        if not self._network.fits(fleet.boards):
            raise ValueError("the champion's network was not trained for this board; see docs/levels.md")

    def play(self, fleet: FleetArrays, first: int, beyond: int) -> None:
        """Play all turns in these games until each is over or its own seat has to decide."""
        for i in range(first, beyond):
            game, dice = fleet.states[i : i + 1], fleet.dice[i : i + 1]
            while game[0].stage != OVER and game[0].seat != fleet.own[i]:
                plans, valued = value_plans(self._game, View(game, fleet.boards), dice, self._network)
                for action in plans[int(liking(valued, int(game[0].players), MONEY_COUNTS).argmax())]:
                    play.apply(game, 0, fleet.boards, action)
                play.turn_up(game, 0, fleet.boards)


LEVELS: Final[dict[str, Callable[[FleetArrays], Opponent]]] = {
    "trader": lambda fleet: PlanningOpponent("forecast", fleet),
    "captain": lambda fleet: PlanningOpponent("worth", fleet),
    "champion:sims=1": NetworkOpponent,
}


def named_opponent(who: str | BatchPlayer | None) -> str | BatchPlayer | None:
    """Make the player that a name stands for, if it is that of a Python player; return all else as it is.

    Raises BadBot if it is not found, and ValueError if it cannot play many games at once.
    """
    if not isinstance(who, str) or who in (*POLICY_NAMES, *LEVELS) or not is_python(who):
        return who
    player = player_of(who)()
    if not callable(getattr(player, "choose_many", None)):
        raise ValueError(f"the player {who} has no method choose_many, so it cannot play the other seats of a fleet")
    return player  # type: ignore[no-any-return]


class Opponents:
    """The players of all seats but the own ones in a fleet, on several cores."""

    def __init__(self, level: str, fleet: FleetArrays, threads: int) -> None:
        self._fleet = fleet
        self._players = [LEVELS[level](fleet) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def play(self) -> None:
        """Play in every game until it is over or its own seat has to decide."""
        shares = range(len(self._players))
        if self._pool is None:
            for j in shares:
                self._play_share(j)
            return
        others = [self._pool.submit(self._play_share, j) for j in shares[1:]]
        self._play_share(0)
        for other in others:
            other.result()

    def _play_share(self, j: int) -> None:
        """Play in the games of one thread: every so many games one batch."""
        fleet, games = self._fleet, len(self._fleet.states)
        for first in range(j * AT_ONCE, games, len(self._players) * AT_ONCE):
            self._players[j].play(fleet, first, min(first + AT_ONCE, games))

    def close(self) -> None:
        """Stop the threads; the calling one plays alone from now on."""
        if self._pool:
            self._pool.shutdown()
        self._pool = None
