"""The clock of a process: wall time when the process began, plus the time that has passed since.

Setting the machine's wall clock therefore changes nothing while a process runs. A process that begins with a wall clock
behind what is stored begins at the last stored time instead, so that times in logs never go backwards.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Now = Callable[[], datetime]


def utc() -> datetime:
    """What the wall clock says."""
    return datetime.now(UTC)


def seconds_since_boot() -> float:
    """Seconds since some fixed moment; where the system can tell, the time a machine was asleep counts too."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class ProcessClock:
    """Tells the time, which only ever goes forward."""

    def __init__(self, wall: Now = utc, elapsed: Callable[[], float] = seconds_since_boot) -> None:
        self._elapsed = elapsed
        self._begun = elapsed()
        self._start = wall()

    def __call__(self) -> datetime:
        """What time it is."""
        return self._start + timedelta(seconds=self._elapsed() - self._begun)

    def not_before(self, moment: datetime) -> None:
        """Go forward to a moment, unless it is past already."""
        self._start += max(timedelta(0), moment - self())
