"""The newest lessons, on the device that learns."""

import threading
from typing import Any

import numpy as np

from elcapitan.engine.network.features import CELLS
from elcapitan.engine.network.learning import Lessons
from elcapitan.engine.network.turns import OUTCOMES


class Ring:
    """Room for lessons; the newest take the place of the oldest."""

    def __init__(self, xp: Any, room: int) -> None:
        self._xp, self._room = xp, room
        self._rows, self._outcomes = xp.zeros((room, CELLS), xp.int8), xp.zeros((room, OUTCOMES), xp.float32)
        self.filled, self.total = 0, 0
        self._next, self._lock = 0, threading.Lock()

    def add(self, lessons: Lessons, count: int) -> None:
        """Add the first lessons. They count when they have arrived."""
        with self._lock:
            begin = self._next if self._next + count <= self._room else 0
            self._next = begin + count
            self._copy(self._rows[begin : self._next], lessons.rows[:count])
            self._copy(self._outcomes[begin : self._next], lessons.outcomes[:count])
            if self._xp is not np:
                self._xp.cuda.get_current_stream().synchronize()
            self.filled = max(self.filled, self._next)
            self.total += count

    def _copy(self, to: Any, given: Any) -> None:
        """Copy an array to the device."""
        if self._xp is np:
            to[:] = given
        else:
            to.set(given)

    def sample(self, count: int) -> tuple[Any, Any]:
        """Return so many lessons, drawn at random: rows and outcomes."""
        which = self._xp.random.randint(0, self.filled, count)
        return self._rows[which], self._outcomes[which]
