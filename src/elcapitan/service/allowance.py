"""How often a table may be changed without its game going on, so that its log stays short enough to be read."""

import math
import time
from collections.abc import Callable
from typing import Final

CHANGES_AT_ONCE: Final = 240  # changes of settings, undos, redos and wishes of one table, after a rest
CHANGES_PER_SECOND: Final = 1.0  # such changes of one table a second, in the long run
MOST_ENTRIES: Final = 20_000  # entries of a game's log; then only moves are written. Long games have some hundred


class Allowance:
    """A token bucket: `size` tokens at most, `rate` more each second."""

    def __init__(self, size: int, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._size, self._rate, self._clock = size, rate, clock
        self._left, self._when = float(size), clock()

    def take(self) -> int:
        """Take a token and return 0; if there is none, return the seconds until there is one."""
        now = self._clock()
        self._left = min(self._size, self._left + (now - self._when) * self._rate)
        self._when = now
        if self._left < 1:
            return math.ceil((1 - self._left) / self._rate)
        self._left -= 1
        return 0
