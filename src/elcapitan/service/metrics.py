"""What a service counts about its own work, for the metrics page of the server."""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds
SLOW: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Durations:
    """A histogram of durations: how many were no longer than each of some bounds, and their sum."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)  # the last one: longer than all bounds
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Add one measured duration, in seconds."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count how long a `with` block takes, unless it raises."""
        began = perf_counter()
        yield
        self.add(perf_counter() - began)


@dataclass
class Metrics:
    """Durations since the service was opened."""

    moves: Durations = field(default_factory=lambda: Durations(QUICK))  # checked and stored
    thoughts: Durations = field(default_factory=lambda: Durations(SLOW))  # of computer players, asked from here
