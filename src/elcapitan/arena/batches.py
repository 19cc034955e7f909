"""The games of a schedule in portions that are worth sending to a worker."""

import math
from collections.abc import Iterator
from typing import Final

from elcapitan.arena.match import Batch

LONG_ENOUGH: Final = 0.5  # seconds of play
MOST: Final = 1000  # games


class Batches:
    """Hands out the numbers of all games, at first one by one, then as many as make a batch long enough."""

    def __init__(self, games: int, workers: int) -> None:
        self._games = games
        self._workers = workers
        self._handed_out = 0
        self._pace = math.inf  # seconds of the quickest game so far

    def note(self, batch: Batch) -> None:
        """Learn from a batch how long games take; the quickest tells, because workers need time to get going."""
        self._pace = min(self._pace, batch.seconds / len(batch.games))

    def __iter__(self) -> Iterator[range]:
        return self

    def __next__(self) -> range:
        left = self._games - self._handed_out
        if not left:
            raise StopIteration
        first = self._handed_out
        self._handed_out += min(self._size(), -(-left // self._workers))
        return range(first, self._handed_out)

    def _size(self) -> int:
        """How many games make a batch long enough."""
        if math.isinf(self._pace):
            return 1
        return MOST if self._pace * MOST <= LONG_ENOUGH else math.ceil(LONG_ENOUGH / self._pace)
