"""What is compiled instead of the functions of `simd`: instructions that work on vectors."""

from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils

from elcapitan.engine.intrinsics import NOTHING, NUMBER, instruction
from elcapitan.engine.simd import (
    FOUR,
    LANES,
    NAMES,
    WIDE,
    fetch,
    gather,
    one_each,
    peek,
    poke,
    poke_merged,
    poke_renamed,
    poke_set,
    touching,
    united,
)

BYTE: Final = ir.IntType(8)
WORD: Final = ir.IntType(64)
EIGHT: Final = ir.VectorType(BYTE, 8)
CELLS: Final = ir.VectorType(BYTE, WIDE)
PLACES: Final = ir.VectorType(ir.IntType(32), WIDE)
NONE: Final = ir.Constant(CELLS, [0] * WIDE)
SETS: Final = ir.VectorType(WORD, LANES)
EMPTY: Final = ir.Constant(SETS, [0] * LANES)
ONES: Final = ir.Constant(SETS, [1] * LANES)


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


@instruction(peek, lambda record, _at: NUMBER(record, NUMBER))
def _peek(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
    return _load(builder, args[0], args[1], WORD)


@instruction(poke, lambda rows, _i, _at, _bits: NOTHING(rows, *[NUMBER] * 3))
def _poke(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _store(context, builder, sig.args[0], args, args[3])


@instruction(poke_set, lambda rows, _i, _at, _members: NOTHING(rows, *[NUMBER] * 3))
def _poke_set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _store(context, builder, sig.args[0], args, builder.zext(_members(builder, args[3]), CELLS))


@instruction(poke_renamed, lambda rows, _i, _at, record, *_: NOTHING(rows, NUMBER, NUMBER, record, NUMBER, NUMBER))
def _poke_renamed(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    cells, renamed = _load(builder, args[3], args[4], CELLS), NONE
    names = builder.bitcast(args[5], EIGHT)
    for k in range(NAMES):
        name = builder.extract_element(names, ir.Constant(ir.IntType(32), k))
        same = builder.icmp_unsigned("==", cells, ir.Constant(CELLS, [k] * WIDE))
        renamed = builder.select(same, _in_each(builder, name), renamed)
    return _store(context, builder, sig.args[0], args, renamed)


@instruction(poke_merged, lambda rows, _i, _at, record, *_: NOTHING(rows, NUMBER, NUMBER, record, *[NUMBER] * 4))
def _poke_merged(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    one = builder.select(_members(builder, args[5]), _load(builder, args[3], args[4], CELLS), NONE)
    other = builder.select(_members(builder, args[7]), _load(builder, args[3], args[6], CELLS), NONE)
    return _store(context, builder, sig.args[0], args, builder.or_(one, other))


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


@instruction(fetch, lambda rows, _i, _length: NOTHING(rows, NUMBER, NUMBER))
def _fetch(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array = context.make_array(sig.args[0])(context, builder, args[0])
    stride = cgutils.unpack_tuple(builder, array.strides)[0]
    row = builder.gep(builder.bitcast(array.data, BYTE.as_pointer()), [builder.mul(args[1], stride)])
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [BYTE.as_pointer(), number, number, number])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    to_write, often, data = (ir.Constant(number, each) for each in (1, 3, 1))
    with cgutils.for_range_slice(builder, ir.Constant(WORD, 0), args[2], ir.Constant(WORD, WIDE)) as (at, _):
        builder.call(function, [builder.gep(row, [at]), to_write, often, data])
    return context.get_dummy_value()


@instruction(gather, lambda out, _i, table, _rows: NOTHING(out, NUMBER, table, NUMBER))
def _gather(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    union = EMPTY
    for k in range(3):
        four = builder.lshr(args[3], ir.Constant(WORD, k * FOUR))
        four = builder.and_(four, ir.Constant(WORD, (1 << FOUR) - 1))
        row = builder.or_(four, ir.Constant(WORD, k << FOUR))
        union = builder.or_(union, builder.load(_row(context, builder, sig.args[2], args[2], row), align=1))
    builder.store(union, _row(context, builder, sig.args[0], args[0], args[1]), align=1)
    return context.get_dummy_value()


@instruction(touching, lambda table, _i, _members: NUMBER(table, NUMBER, NUMBER))
def _touching(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    sets = builder.load(_row(context, builder, sig.args[0], args[0], args[1]), align=1)
    common = builder.and_(sets, _broadcast(builder, args[2]))
    return _as_bits(builder, builder.icmp_unsigned("!=", common, EMPTY))


@instruction(united, lambda table, _i, _lanes: NUMBER(table, NUMBER, NUMBER))
def _united(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    sets = builder.load(_row(context, builder, sig.args[0], args[0], args[1]), align=1)
    wanted = builder.bitcast(builder.trunc(args[2], ir.IntType(LANES)), ir.VectorType(ir.IntType(1), LANES))
    sets, width = builder.select(wanted, sets, EMPTY), LANES
    while width > 1:  # the upper half on the lower half
        width //= 2
        halves = [
            ir.Constant(ir.VectorType(ir.IntType(32), width), list(range(first, first + width))) for first in (0, width)
        ]
        sets = builder.or_(*(builder.shuffle_vector(sets, sets, half) for half in halves))
    return builder.extract_element(sets, ir.Constant(ir.IntType(32), 0))


@instruction(one_each, lambda table, _i, other, _j, _members: NUMBER(table, NUMBER, other, NUMBER, NUMBER))
def _one_each(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    members = _broadcast(builder, args[4])
    one = builder.and_(builder.load(_row(context, builder, sig.args[0], args[0], args[1]), align=1), members)
    two = builder.and_(builder.load(_row(context, builder, sig.args[2], args[2], args[3]), align=1), members)
    both = builder.or_(one, two)
    several = builder.and_(both, builder.sub(both, ONES))
    found = builder.icmp_unsigned("!=", several, EMPTY)
    for each in (one, two):
        found = builder.and_(found, builder.icmp_unsigned("!=", each, EMPTY))
    return _as_bits(builder, found)
