"""How often a table may be changed without its game going on, so that its log stays short enough to be read."""

import math
import time
from collections.abc import Callable
from typing import Final

CHANGES_AT_ONCE: Final = 120  # changes of settings, undos, redos and wishes by one seat or the host, after a rest
CHANGES_PER_SECOND: Final = 0.5  # such changes by one seat or the host a second, in the long run
MOST_ENTRIES: Final = 20_000  # entries of a game's log; then players' moves alone are written. Long games have hundreds
MOST_HOST_ENTRIES: Final = 22_000  # entries up to which the host can still remove players and change settings


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
