"""Whole numbers as rules use them: fields of records, sets of 64 as bits, and numbers that several threads share.

Like all that is compiled, each of these is the same interpreted; `intrinsics` has what is compiled instead.
"""

import ctypes
from typing import Any

import numpy as np


def whole(number: Any) -> int:
    """A field of a record as a plain whole number.

    Compiled, Numba's own `int` would keep the eight bits of a field, and a rule called with eight bits here and
    sixty-four there would be compiled twice; interpreted, NumPy's small integers would wrap.
    """
    return int(number)


def word(bits: int) -> Any:
    """The lowest 64 bits, as one word of a longer set; compiled numbers have no more, interpreted ones can."""
    return int(bits) & 0xFFFFFFFFFFFFFFFF


def lowest(bits: int) -> int:
    """The position of the lowest bit that is set; `bits` is not zero."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1


def highest(bits: int) -> int:
    """The position of the highest bit that is set; `bits` is not zero."""
    return int(bits).bit_length() - 1


def many(bits: int) -> int:
    """How many bits are set."""
    return int(bits).bit_count()


def add(numbers: Any, at: int, amount: int) -> int:
    """Add atomically to a number that several threads share; return what it was before."""
    before = int(numbers[at])
    numbers[at] = before + amount
    return before


def put(numbers: Any, at: int, number: int) -> None:
    """Write atomically a number that several threads share, after all earlier writes."""
    numbers[at] = number


def record_at(kind: "np.dtype[Any]", address: int) -> Any:
    """The record of a kind that lies at an address; nobody checks that there is one."""
    return np.frombuffer(memoryview((ctypes.c_char * kind.itemsize).from_address(int(address))), kind)[0]
