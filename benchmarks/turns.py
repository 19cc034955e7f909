"""How peers are measured: a turn, and what several engines need for one."""

import functools
import os
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

BATCH: Final = 4096
SEARCHED: Final = 200  # play-outs in a portion of search
LOOKED_AT: Final = 50  # games that are played to see what they are like


class Done(NamedTuple):
    """What was done in a turn: how long the engine worked, and for how many actions and play-outs."""

    seconds: float
    actions: float
    playouts: int = 0


Turn = Callable[[], Done]


class Game(NamedTuple):
    """What random games of an engine are like."""

    decisions: float  # in a game
    choices: float  # legal actions at a decision
    size: int  # bytes of a position, 0 if the engine does not tell

    @classmethod
    def of(cls, games: int, choices: Sequence[int], size: int) -> "Game":
        """Describe so many games, from the number of legal actions at each of their decisions."""
        return cls(len(choices) / games, sum(choices) / len(choices), size)


@functools.cache
def clock() -> Callable[[], float]:
    """What tells the seconds: on one core the processor time, because nobody else's work is to count."""
    return time.process_time if len(cores()) == 1 else time.perf_counter


def timed(work: Callable[[], float]) -> Turn:
    """A turn all of which is the engine's work; `work` tells how many actions it did."""
    now = clock()

    def turn() -> Done:
        begun = now()
        count = work()
        return Done(now() - begun, count)

    return turn


def searched(work: Callable[[], object], length: float) -> Turn:
    """A turn of a search, whose play-outs have so many actions each."""
    now = clock()

    def turn() -> Done:
        begun = now()
        work()
        return Done(now() - begun, SEARCHED * length, SEARCHED)

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


def bind(count: int) -> None:
    """Use only so many cores, where the system can be told."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(cores())[:count])
