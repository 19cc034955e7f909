"""Chance: a small counting generator whose whole state is three numbers inside a record.

A number is the counter mixed with the two halves of the seed, so the same seed gives the same game on every machine,
compiled or interpreted, and a generator can be copied with its record. The functions take the record, a state or
dice of one's own, not the bare numbers: an array handed from function to function would be counted at every step.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from elcapitan.engine.jit import rule, whole
from elcapitan.engine.record import record

GENERATOR = np.dtype((np.uint32, (3,)))
HIGHEST_SEED = 2**64 - 1
_LOW_32 = 0xFFFFFFFF


DICE = record([("rng", GENERATOR)])


def generator(seed: int) -> npt.NDArray[np.void]:
    """Dice of one's own, for policies and tests: an array of one record."""
    dice = np.zeros(1, DICE)
    dice[0].rng[:] = (seed & _LOW_32, seed >> 32, 0)
    return dice


@rule
def sow(g: Any, low: int, high: int) -> None:
    """Begin a sequence from the two halves of a 64-bit seed."""
    g.rng[0] = low
    g.rng[1] = high
    g.rng[2] = 0


@rule
def _mix(x: int) -> int:
    """Spread every bit of a 32-bit number over all 32 (the last step of MurmurHash3)."""
    x ^= x >> 16
    x = (x * 0x85EBCA6B) & 0xFFFFFFFF
    x ^= x >> 13
    x = (x * 0xC2B2AE35) & 0xFFFFFFFF
    return x ^ (x >> 16)


@rule
def number(g: Any) -> int:
    """The next 32 random bits."""
    count = whole(g.rng[2])
    g.rng[2] = (count + 1) & 0xFFFFFFFF
    mixed = _mix((count * 0x9E3779B9 + whole(g.rng[0])) & 0xFFFFFFFF)
    return whole(_mix((mixed + whole(g.rng[1]) + 0x7F4A7C15) & 0xFFFFFFFF))


@rule
def below(g: Any, bound: int) -> int:
    """A random number from 0 to `bound` - 1."""
    return (number(g) * bound) >> 32


@rule
def shuffle(s: Any, first: int, beyond: int) -> None:
    """Bring the cards s.deck[first:beyond] into a random order."""
    for i in range(beyond - 1, first, -1):
        j = first + below(s, i - first + 1)
        s.deck[i], s.deck[j] = s.deck[j], s.deck[i]
