"""Chance: a small counting generator whose whole state is three numbers inside a record.

A number is the counter mixed with the two halves of the seed, so the same seed gives the same game on every machine,
compiled or interpreted, and a generator can be copied with its record. The functions take the record, a state or
dice of one's own, not the bare numbers: an array handed from function to function would be counted at every step.
"""

from typing import Annotated, Protocol

from elcapitan.engine.jit import rule, whole
from elcapitan.engine.record import Int8s, Record, Records, UInt32s, zeros

HIGHEST_SEED = 2**64 - 1
_LOW_32 = 0xFFFFFFFF


class HasRng(Protocol):
    """A record with a generator in it."""

    rng: UInt32s


class HasDeck(HasRng, Protocol):
    """A record with a generator and a deck to be shuffled."""

    deck: Int8s


class Generator(Record):
    """A generator alone, for policies and tests."""

    rng: Annotated[UInt32s, 3]  # the seed's lower half, its upper half, and how many numbers were drawn


Generators = Records[Generator]


def generator(seed: int) -> Generators:
    """Make an array of one generator, the form that kernels take."""
    dice = zeros(Generator, 1)
    dice[0].rng[:] = (seed & _LOW_32, seed >> 32, 0)
    return dice


@rule
def sow(g: HasRng, low: int, high: int) -> None:
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
def number(g: HasRng) -> int:
    """The next 32 random bits."""
    count = whole(g.rng[2])
    g.rng[2] = (count + 1) & 0xFFFFFFFF
    mixed = _mix((count * 0x9E3779B9 + whole(g.rng[0])) & 0xFFFFFFFF)
    return whole(_mix((mixed + whole(g.rng[1]) + 0x7F4A7C15) & 0xFFFFFFFF))


@rule
def below(g: HasRng, bound: int) -> int:
    """A random number from 0 to `bound` - 1."""
    return (number(g) * bound) >> 32


@rule
def shuffle(s: HasDeck, first: int, beyond: int) -> None:
    """Bring the cards s.deck[first:beyond] into a random order."""
    for i in range(beyond - 1, first, -1):
        j = first + below(s, i - first + 1)
        s.deck[i], s.deck[j] = s.deck[j], s.deck[i]
