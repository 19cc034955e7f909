"""Games played side by side by one thread: of self-play, or of a test against captains."""

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np

from elcapitan.board.figures import packaged
from elcapitan.bots.bot import weights
from elcapitan.engine import play, think
from elcapitan.engine.network.evaluate import choose_turns
from elcapitan.engine.network.features import CELLS
from elcapitan.engine.network.learning import Lessons, Memory, learn_from_ended, remember_turns
from elcapitan.engine.network.turns import (
    NOTHING_CHOSEN,
    OUTCOMES,
    Offer,
    Offering,
    Setup,
    dealing,
    empty_rows,
)
from elcapitan.engine.record import Float32s, Int8s, zeros
from elcapitan.engine.rng import generator
from elcapitan.engine.vocabulary import OVER

PLANS_A_GAME: Final = 20  # rows that are kept for each game; turns with more plans make others wait
SPARE_ROWS: Final = 400
MOST_TURNS: Final = 280  # of a game that are remembered
LESSONS_A_GAME: Final = 16  # rows that may be learned from at once, for each game

Value = Callable[[Int8s], Float32s]  # from rows to outcomes


class Games:
    """Games side by side, and the rows of their next turns."""

    def __init__(
        self,
        count: int,
        setups: list[Setup],
        seed: int,
        *,
        captains: int,
        learning: bool,
    ) -> None:
        self.games = play.states(count)
        cast(Any, self.games)["stage"] = OVER  # nothing was dealt yet
        self.offers = zeros(Offer, count)
        self._chosen, self._best = np.full(count, NOTHING_CHOSEN, np.int16), np.zeros(count, np.int32)
        self._arrays = think.SearchArrays(
            think.lines(),
            packaged().boards,
            play.desks(),
            think.search_buffers(),
            weights("worth"),
            generator(seed),
            think.trees(1),
        )
        self.rows = empty_rows(rows_for(count))
        self.dealing = dealing(count, setups, captains)
        self._offering = Offering(self.offers, self._chosen, self._arrays.lines, self.rows, self.dealing)
        remembered = count if learning else 0
        self._memory = Memory(
            np.zeros(remembered, np.int32),
            np.zeros((remembered, MOST_TURNS, CELLS), np.int8),
            np.zeros((remembered, MOST_TURNS), np.int8),
            np.zeros((remembered, MOST_TURNS), np.int8),
            np.zeros((remembered, MOST_TURNS, OUTCOMES), np.float32),
        )
        lessons = lessons_for(remembered)
        self.lessons = Lessons(np.zeros((lessons, CELLS), np.int8), np.zeros((lessons, OUTCOMES), np.float32))
        self._rng = np.random.default_rng(seed)
        self.learning, self.count = learning, 0
        self.ended, self.won, self.decided = 0, 0.0, 0

    def advance(self, value: Value, epsilon: float, money_counts: float, decay: float) -> int:
        """Value the rows, choose, and play on to the next turns; return the number of lessons.

        `epsilon` is the share of turns that are chosen at random; for `decay` see `learn_from_ended`.
        """
        offers, games, rows = self.offers, self.games, self.rows
        outcomes = value(rows.features[: self.count])
        over = rows.over[: self.count] == 1
        outcomes[over] = rows.outcome[: self.count][over]
        first, plans, seats, players = offers["first"], offers["plans"], games["seat"], games["players"].copy()
        choose_turns(first, plans, players, outcomes, money_counts, self._chosen, self._best)
        if self.learning:
            self._explore(plans, epsilon)
            remember_turns(first, seats, players, rows.features, outcomes, self._chosen, self._best, self._memory)
        captains = self.dealing.played_by_captains.copy()
        self.decided += int((plans > 0).sum())
        self.count = think.offer_turns(games, self._arrays, self._offering)
        self._note_results(captains, players)
        if not self.learning:
            return 0
        return learn_from_ended(self.dealing.ended, self.dealing.outcome, players, self._memory, decay, self.lessons)

    def _explore(self, plans: Int8s, epsilon: float) -> None:
        """Choose any of the plans instead in a share of the games."""
        explored = (self._rng.random(len(plans)) < epsilon) & (plans > 0)
        self._chosen[explored] = (self._rng.random(explored.sum()) * plans[explored]).astype(np.int16)

    def _note_results(self, captains: Int8s, players: Int8s) -> None:
        """Count the games that have ended, and what the seat without a captain won of those that had any."""
        self.ended += int(self.dealing.ended.sum())
        for i in np.flatnonzero(self.dealing.ended & (captains != 0)).tolist():
            mine = next(seat for seat in range(players[i]) if not captains[i] >> seat & 1)
            self.won += float(self.dealing.outcome[i, mine])


def rows_for(count: int) -> int:
    """How many rows so many games need."""
    return count * PLANS_A_GAME + SPARE_ROWS


def lessons_for(count: int) -> int:
    """How many lessons so many games may bring at once."""
    return count * LESSONS_A_GAME + (MOST_TURNS * 4 if count else 0)
