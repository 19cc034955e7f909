"""How peers are measured: a turn, and what several engines need for one."""

import os
import random
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

Turn = Callable[[], tuple[float, int]]
BATCH: Final = 4096
SEARCHED: Final = 200  # play-outs in a portion of search


def timed(work: Callable[[], int]) -> Turn:
    """A turn all of which is the engine's work."""

    def turn() -> tuple[float, int]:
        begun = time.perf_counter()
        count = work()
        return time.perf_counter() - begun, count

    return turn


def agents(env: Any) -> Callable[[], int]:
    """A complete game of random agents through PettingZoo."""
    dice = random.Random(1)

    def work() -> int:
        env.reset(seed=dice.randrange(2**31))
        count = 0
        for _agent in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            env.step(None if ended or cut else dice.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            count += not (ended or cut)
        return count

    return work


def cores() -> set[int]:
    """The cores this process may use."""
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))
