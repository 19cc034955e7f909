"""Many bytes of a record or of a row at once, or sixteen sets of sixty-four, as machines of today work on them.

Like all that is compiled, each of these is the same interpreted. Rows are those of an array of bytes; a write past
the end of a row is not checked.
"""

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

WIDE: Final = 64  # bytes that are worked on at once
LANES: Final = 16  # sets of 64 that are worked on at once
FOUR: Final = 4  # rows of which a table for `gather` has all sets
NAMES: Final = 5  # that can be given to bytes

BYTE: Final = ir.IntType(8)
WORD: Final = ir.IntType(64)
EIGHT: Final = ir.VectorType(BYTE, 8)
CELLS: Final = ir.VectorType(BYTE, WIDE)
PLACES: Final = ir.VectorType(ir.IntType(32), WIDE)
NONE: Final = ir.Constant(CELLS, [0] * WIDE)
SETS: Final = ir.VectorType(WORD, LANES)
EMPTY: Final = ir.Constant(SETS, [0] * LANES)
ONES: Final = ir.Constant(SETS, [1] * LANES)


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


# ------------------------------------------------------------------------------------------------------------ compiled


def _load(builder: Any, record: Any, begin: Any, kind: Any) -> Any:
    """Something of a record, from the byte `begin` on."""
    place = builder.gep(builder.bitcast(record, BYTE.as_pointer()), [begin])
    return builder.load(builder.bitcast(place, kind.as_pointer()), align=1)


def _store(context: Any, builder: Any, rows: Any, args: Any, value: Any) -> Any:
    """Write a value into row args[1] of the array args[0], from the byte args[2] on."""
    array = context.make_array(rows)(context, builder, args[0])
    length = cgutils.unpack_tuple(builder, array.strides)[0]
    offset = builder.add(builder.mul(args[1], length), args[2])
    place = builder.gep(builder.bitcast(array.data, BYTE.as_pointer()), [offset])
    builder.store(value, builder.bitcast(place, value.type.as_pointer()), align=1)
    return context.get_dummy_value()


def _in_each(builder: Any, byte: Any) -> Any:
    """A byte in each of the cells."""
    alone = builder.insert_element(NONE, byte, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(alone, NONE, ir.Constant(PLACES, [0] * WIDE))


def _members(builder: Any, bits: Any) -> Any:
    """Which of the cells are in a set: every eight of them get one of its bytes, and each looks at a bit of its own."""
    parts = builder.bitcast(bits, EIGHT)
    spread = builder.shuffle_vector(parts, parts, ir.Constant(PLACES, [k >> 3 for k in range(WIDE)]))
    own = ir.Constant(CELLS, [1 << (k & 7) for k in range(WIDE)])
    return builder.icmp_unsigned("!=", builder.and_(spread, own), NONE)


@intrinsic  # type: ignore[untyped-decorator]
def _load_word(_context: Any, record: Any, _at: Any) -> Any:
    def code(_c: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return _load(builder, args[0], args[1], WORD)

    return types.int64(record, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def _store_word(_context: Any, rows: Any, _i: Any, _at: Any, _bits: Any) -> Any:
    def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return _store(context, builder, rows, args, args[3])

    return types.void(rows, *[types.int64] * 3), code


@intrinsic  # type: ignore[untyped-decorator]
def _store_set(_context: Any, rows: Any, _i: Any, _at: Any, _bits: Any) -> Any:
    def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return _store(context, builder, rows, args, builder.zext(_members(builder, args[3]), CELLS))

    return types.void(rows, *[types.int64] * 3), code


@intrinsic  # type: ignore[untyped-decorator]
def _store_renamed(_context: Any, rows: Any, _i: Any, _at: Any, record: Any, _begin: Any, _names: Any) -> Any:
    def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        cells, renamed = _load(builder, args[3], args[4], CELLS), NONE
        names = builder.bitcast(args[5], EIGHT)
        for k in range(NAMES):
            name = builder.extract_element(names, ir.Constant(ir.IntType(32), k))
            same = builder.icmp_unsigned("==", cells, ir.Constant(CELLS, [k] * WIDE))
            renamed = builder.select(same, _in_each(builder, name), renamed)
        return _store(context, builder, rows, args, renamed)

    return types.void(rows, types.int64, types.int64, record, types.int64, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def _store_merged(
    _context: Any, rows: Any, _i: Any, _at: Any, record: Any, _one: Any, _of_one: Any, _other: Any, _of_other: Any
) -> Any:
    def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        one = builder.select(_members(builder, args[5]), _load(builder, args[3], args[4], CELLS), NONE)
        other = builder.select(_members(builder, args[7]), _load(builder, args[3], args[6], CELLS), NONE)
        return _store(context, builder, rows, args, builder.or_(one, other))

    return types.void(rows, types.int64, types.int64, record, *[types.int64] * 4), code


@overload(peek)  # type: ignore[untyped-decorator]
def _peek(record: Any, at: int) -> Any:
    def compiled(record: Any, at: int) -> Any:
        return _load_word(record, types.int64(at))

    return compiled


@overload(poke)  # type: ignore[untyped-decorator]
def _poke(rows: Any, i: int, at: int, bits: int) -> Any:
    def compiled(rows: Any, i: int, at: int, bits: int) -> None:
        _store_word(rows, types.int64(i), types.int64(at), types.int64(bits))

    return compiled


@overload(poke_set)  # type: ignore[untyped-decorator]
def _poke_set(rows: Any, i: int, at: int, members: int) -> Any:
    def compiled(rows: Any, i: int, at: int, members: int) -> None:
        _store_set(rows, types.int64(i), types.int64(at), types.int64(members))

    return compiled


@overload(poke_renamed)  # type: ignore[untyped-decorator]
def _poke_renamed(rows: Any, i: int, at: int, record: Any, begin: int, names: int) -> Any:
    def compiled(rows: Any, i: int, at: int, record: Any, begin: int, names: int) -> None:
        _store_renamed(rows, types.int64(i), types.int64(at), record, types.int64(begin), types.int64(names))

    return compiled


@overload(poke_merged)  # type: ignore[untyped-decorator]
def _poke_merged(rows: Any, i: int, at: int, record: Any, one: int, of_one: int, other: int, of_other: int) -> Any:
    def compiled(rows: Any, i: int, at: int, record: Any, one: int, of_one: int, other: int, of_other: int) -> None:
        _store_merged(
            rows, types.int64(i), types.int64(at), record,
            types.int64(one), types.int64(of_one), types.int64(other), types.int64(of_other),
        )  # fmt: skip

    return compiled


def _row(context: Any, builder: Any, kind: Any, table: Any, i: Any) -> Any:
    """Point to the sets in a row of a table."""
    data = builder.bitcast(context.make_array(kind)(context, builder, table).data, WORD.as_pointer())
    begin = builder.mul(i, ir.Constant(WORD, LANES))
    return builder.bitcast(builder.gep(data, [begin]), SETS.as_pointer())


def _broadcast(builder: Any, members: Any) -> Any:
    """The same set in every lane."""
    alone = builder.insert_element(EMPTY, members, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(alone, EMPTY, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def _as_bits(builder: Any, lanes: Any) -> Any:
    """Yes or no for each lane, as a whole number."""
    return builder.zext(builder.bitcast(lanes, ir.IntType(LANES)), WORD)


@intrinsic  # type: ignore[untyped-decorator]
def _fetch(_context: Any, rows: Any, _i: Any, _length: Any) -> Any:
    def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        array = context.make_array(rows)(context, builder, args[0])
        stride = cgutils.unpack_tuple(builder, array.strides)[0]
        row = builder.gep(builder.bitcast(array.data, BYTE.as_pointer()), [builder.mul(args[1], stride)])
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [BYTE.as_pointer(), number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        to_write, often, data = (ir.Constant(number, each) for each in (1, 3, 1))
        with cgutils.for_range_slice(builder, ir.Constant(WORD, 0), args[2], ir.Constant(WORD, WIDE)) as (at, _):
            builder.call(function, [builder.gep(row, [at]), to_write, often, data])
        return context.get_dummy_value()

    return types.void(rows, types.int64, types.int64), code


@overload(fetch)  # type: ignore[untyped-decorator]
def _fetch_row(rows: Any, i: int, length: int) -> Any:
    def compiled(rows: Any, i: int, length: int) -> None:
        _fetch(rows, types.int64(i), types.int64(length))

    return compiled


@intrinsic  # type: ignore[untyped-decorator]
def _gather(_context: Any, out: Any, _i: Any, table: Any, _rows: Any) -> Any:
    def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        union = EMPTY
        for k in range(3):
            four = builder.lshr(args[3], ir.Constant(WORD, k * FOUR))
            four = builder.and_(four, ir.Constant(WORD, (1 << FOUR) - 1))
            row = builder.or_(four, ir.Constant(WORD, k << FOUR))
            union = builder.or_(union, builder.load(_row(context, builder, table, args[2], row), align=1))
        builder.store(union, _row(context, builder, out, args[0], args[1]), align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, table, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def _touching(_context: Any, table: Any, _i: Any, _members: Any) -> Any:
    def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        sets = builder.load(_row(context, builder, table, args[0], args[1]), align=1)
        common = builder.and_(sets, _broadcast(builder, args[2]))
        return _as_bits(builder, builder.icmp_unsigned("!=", common, EMPTY))

    return types.int64(table, types.int64, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def _united(_context: Any, table: Any, _i: Any, _lanes: Any) -> Any:
    def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        sets = builder.load(_row(context, builder, table, args[0], args[1]), align=1)
        wanted = builder.bitcast(builder.trunc(args[2], ir.IntType(LANES)), ir.VectorType(ir.IntType(1), LANES))
        sets, width = builder.select(wanted, sets, EMPTY), LANES
        while width > 1:  # the upper half on the lower half
            width //= 2
            halves = [
                ir.Constant(ir.VectorType(ir.IntType(32), width), list(range(first, first + width)))
                for first in (0, width)
            ]
            sets = builder.or_(*(builder.shuffle_vector(sets, sets, half) for half in halves))
        return builder.extract_element(sets, ir.Constant(ir.IntType(32), 0))

    return types.int64(table, types.int64, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def _one_each(_context: Any, table: Any, _i: Any, other: Any, _j: Any, _members: Any) -> Any:
    def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        members = _broadcast(builder, args[4])
        one = builder.and_(builder.load(_row(context, builder, table, args[0], args[1]), align=1), members)
        two = builder.and_(builder.load(_row(context, builder, other, args[2], args[3]), align=1), members)
        both = builder.or_(one, two)
        several = builder.and_(both, builder.sub(both, ONES))
        found = builder.icmp_unsigned("!=", several, EMPTY)
        for each in (one, two):
            found = builder.and_(found, builder.icmp_unsigned("!=", each, EMPTY))
        return _as_bits(builder, found)

    return types.int64(table, types.int64, other, types.int64, types.int64), code


@overload(gather)  # type: ignore[untyped-decorator]
def _gather_rows(out: Any, i: int, table: Any, rows: int) -> Any:
    def compiled(out: Any, i: int, table: Any, rows: int) -> None:
        _gather(out, types.int64(i), table, types.int64(rows))

    return compiled


@overload(touching)  # type: ignore[untyped-decorator]
def _touching_lanes(table: Any, i: int, members: int) -> Any:
    def compiled(table: Any, i: int, members: int) -> Any:
        return _touching(table, types.int64(i), types.int64(members))

    return compiled


@overload(united)  # type: ignore[untyped-decorator]
def _united_lanes(table: Any, i: int, lanes: int) -> Any:
    def compiled(table: Any, i: int, lanes: int) -> Any:
        return _united(table, types.int64(i), types.int64(lanes))

    return compiled


@overload(one_each)  # type: ignore[untyped-decorator]
def _one_each_lanes(table: Any, i: int, other: Any, j: int, members: int) -> Any:
    def compiled(table: Any, i: int, other: Any, j: int, members: int) -> Any:
        return _one_each(table, types.int64(i), other, types.int64(j), types.int64(members))

    return compiled
