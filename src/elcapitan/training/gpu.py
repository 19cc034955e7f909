"""Valuing rows on a GPU: every thread that plays has a stream of its own, so that none waits for another."""

from typing import Any, Final

from elcapitan.engine.record import Float32s, Int8s
from elcapitan.training.learner import Learner

AT_ONCE: Final = 32768  # rows


class ValuesOnGpu:
    """Values rows with the learner's average."""

    def __init__(self, learner: Learner, rows: Int8s, *others: Any) -> None:
        """The rows are those that will be valued; others will be copied to the GPU as well."""
        self._learner, xp = learner, learner.xp
        self.stream = xp.cuda.Stream(non_blocking=True)
        for each in (rows, *others):
            if each.nbytes:  # pages that stay where they are are copied several times as fast
                xp.cuda.runtime.hostRegister(each.ctypes.data, each.nbytes, 0)
        self._rows = xp.empty(rows.shape, xp.int8)

    def __call__(self, rows: Int8s) -> Float32s:
        """Return the outcomes of rows."""
        with self.stream:
            parts = []
            for begin in range(0, max(1, len(rows)), AT_ONCE):
                part = self._rows[begin : min(len(rows), begin + AT_ONCE)]
                part.set(rows[begin : begin + AT_ONCE])
                parts.append(self._learner.values(part))
            outcomes: Float32s = self._learner.xp.concatenate(parts).get()
            return outcomes
