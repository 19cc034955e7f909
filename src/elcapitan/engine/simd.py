"""Many bytes of a record or of a row at once, or sixteen sets of sixty-four, as machines of today work on them.

Like all that is compiled, each of these is the same interpreted. Rows are those of an array of bytes; a write past
the end of a row is not checked. `simd_intrinsics` has what is compiled instead.
"""

from typing import Any, Final

WIDE: Final = 64  # bytes that are worked on at once
LANES: Final = 16  # sets of 64 that are worked on at once
FOUR: Final = 4  # rows of which a table for `gather` has all sets
NAMES: Final = 5  # that can be given to bytes


def peek(record: Any, at: int) -> int:
    """Eight bytes of a record from the byte `at` on, as one word: what stands in small fields side by side."""
    return int.from_bytes(record.tobytes()[at : at + 8], "little")


def poke(rows: Any, i: int, at: int, bits: int) -> None:
    """Write a word over eight bytes of row `i`, from the byte `at` on."""
    rows[i, at : at + 8] = list((int(bits) & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "little"))


def poke_set(rows: Any, i: int, at: int, members: int) -> None:
    """Write a set over 64 bytes of row `i`: 1 for each of 64 that is in it, else 0."""
    rows[i, at : at + WIDE] = [members >> k & 1 for k in range(WIDE)]


def poke_renamed(rows: Any, i: int, at: int, record: Any, begin: int, names: int) -> None:
    """Write 64 bytes of a record over 64 bytes of row `i`: for a number below 5 that byte of `names`, else 0."""
    known = dict(enumerate(int(names).to_bytes(8, "little")[:NAMES]))
    rows[i, at : at + WIDE] = [known.get(each, 0) for each in record.tobytes()[begin : begin + WIDE]]


def poke_merged(rows: Any, i: int, at: int, record: Any, one: int, of_one: int, other: int, of_other: int) -> None:
    """Write bytes of a record over 64 bytes of row `i`: those in two sets of 64, which have none in common; else 0.

    The first of them begin at the byte `one` of the record, the second at the byte `other`.
    """
    content = record.tobytes()
    for k in range(WIDE):
        first, second = content[one + k] * (of_one >> k & 1), content[other + k] * (of_other >> k & 1)
        rows[i, at + k] = first | second


def fetch(rows: Any, i: int, length: int) -> None:
    """Bring the first bytes of a row, or of a record, into the cache: they will be wanted soon."""


def gather(out: Any, i: int, table: Any, rows: int) -> None:
    """Unite the sets of some of twelve rows, lane by lane, into row `i` of a table.

    The other table has a row for every set of the first four of them, then of the second and of the third four.
    """
    first, second, third = (k << FOUR | rows >> k * FOUR & (1 << FOUR) - 1 for k in range(3))
    out[i] = table[first] | table[second] | table[third]


def touching(table: Any, i: int, members: int) -> int:
    """Return the lanes of a row whose sets have something in common with another set, as bits."""
    return sum(1 << k for k in range(LANES) if int(table[i, k]) & members)


def united(table: Any, i: int, lanes: int) -> int:
    """Unite the sets in some lanes of a row."""
    union = 0
    for k in range(LANES):
        if lanes >> k & 1:
            union |= int(table[i, k])
    return union


def one_each(table: Any, i: int, other: Any, j: int, members: int) -> int:
    """Return the lanes in which a set of `members` has two elements, one from each of two rows, as bits."""
    lanes = 0
    for k in range(LANES):
        one, two = int(table[i, k]) & members, int(other[j, k]) & members
        if one and two and (one | two).bit_count() > 1:
            lanes |= 1 << k
    return lanes
