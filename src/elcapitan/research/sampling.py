"""Drawing an action in every game of a fleet by the logits of a network, compiled, on several cores."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from elcapitan.engine import sampling
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.fleet import FleetArrays
from elcapitan.engine.jit import prepared
from elcapitan.engine.record import aligned_zeros
from elcapitan.engine.state import WORDS
from elcapitan.research.arguments import from_zero, logits_of

WORTH_A_THREAD: Final = 2048  # games; for fewer, waking a thread takes longer than their draws


class Sampler:
    """Draws an action for every game of a fleet; the arrays that it fills are made once."""

    def __init__(self, arrays: FleetArrays, threads: int) -> None:
        games = len(arrays.states)
        shares = min(threads, max(1, games // WORTH_A_THREAD))
        self.log_probs = aligned_zeros(games, np.float32)
        self._shares = [(j, games * j // shares, games * (j + 1) // shares) for j in range(shares)]
        self._pool = ThreadPoolExecutor(shares - 1) if shares > 1 else None
        self._arrays, self._odds = arrays, np.zeros((shares, WORDS * 64 + 1))
        example = self._given(np.zeros((1, N_ACTIONS), np.float32), 1.0)
        self._sample: Callable[..., int] = prepared(sampling.sample, *example, 0, 0, 0)

    def _given(self, logits: npt.NDArray[np.float32], temperature: float) -> tuple[Any, ...]:
        """Return what the kernel is given for every share of the games."""
        arrays = self._arrays
        return arrays.masks, logits, temperature, arrays.dice, self._odds, arrays.actions, self.log_probs

    def sample(self, logits: npt.ArrayLike, temperature: float) -> None:
        """Fill the actions of the fleet and `log_probs`. Raises ValueError if nothing can be drawn in a game."""
        rows = logits_of(logits, len(self.log_probs))
        given = self._given(rows, from_zero("a temperature", temperature))
        if self._pool is None:
            wrong = [self._sample(*given, *share) for share in self._shares]
        else:
            others = [self._pool.submit(self._sample, *given, *share) for share in self._shares[1:]]
            wrong = [self._sample(*given, *self._shares[0]), *(other.result() for other in others)]
        if (game := max(wrong)) != sampling.ALL_DRAWN:
            raise ValueError(
                f"no action can be drawn in game {game}: the logits of legal actions are numbers or minus infinity, "
                "and one of them is a number"
            )

    def close(self) -> None:
        """Stop the threads; the calling one draws alone from now on."""
        if self._pool:
            self._pool.shutdown()
        self._pool = None
