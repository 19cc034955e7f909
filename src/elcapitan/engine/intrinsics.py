"""What is compiled instead of the functions of `words`: one machine instruction for each."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from elcapitan.engine.words import add, highest, lowest, many, put, record_at, whole, word


@intrinsic  # type: ignore[untyped-decorator]
def _count_trailing_zeros(_context: Any, _bits: Any) -> Any:
    def code(_c: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def _count_leading_zeros(_context: Any, _bits: Any) -> Any:
    def code(_c: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def _count_ones(_context: Any, _bits: Any) -> Any:
    def code(_c: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), code


@overload(whole)  # type: ignore[untyped-decorator]
def _whole(number: Any) -> Any:
    def compiled(number: Any) -> Any:
        return types.int64(number)

    return compiled


@overload(word)  # type: ignore[untyped-decorator]
def _word(bits: int) -> Any:
    def compiled(bits: int) -> Any:
        return types.uint64(bits)

    return compiled


@overload(lowest)  # type: ignore[untyped-decorator]
def _lowest(bits: int) -> Any:
    def compiled(bits: int) -> Any:
        return _count_trailing_zeros(types.int64(bits))

    return compiled


@overload(highest)  # type: ignore[untyped-decorator]
def _highest(bits: int) -> Any:
    def compiled(bits: int) -> Any:
        return 63 - _count_leading_zeros(types.int64(bits))

    return compiled


@overload(many)  # type: ignore[untyped-decorator]
def _many(bits: int) -> Any:
    def compiled(bits: int) -> Any:
        return _count_ones(types.int64(bits))

    return compiled


def _atomic(what: str) -> Any:
    """Emit an atomic read-modify-write instruction."""

    def instruction(_context: Any, numbers: Any, _at: Any, _number: Any) -> Any:
        def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
            array = context.make_array(numbers)(context, builder, args[0])
            return builder.atomic_rmw(what, builder.gep(array.data, [args[1]]), args[2], "seq_cst")

        return types.int64(numbers, types.int64, types.int64), code

    return intrinsic(instruction)


_atomic_add, _atomic_put = _atomic("add"), _atomic("xchg")


@overload(add)  # type: ignore[untyped-decorator]
def _add(numbers: Any, at: int, amount: int) -> Any:
    def compiled(numbers: Any, at: int, amount: int) -> Any:
        return _atomic_add(numbers, types.int64(at), types.int64(amount))

    return compiled


@overload(put)  # type: ignore[untyped-decorator]
def _put(numbers: Any, at: int, number: int) -> Any:
    def compiled(numbers: Any, at: int, number: int) -> None:
        _atomic_put(numbers, types.int64(at), types.int64(number))

    return compiled


@intrinsic  # type: ignore[untyped-decorator]
def _pointed_to(_context: Any, kind: Any, _address: Any) -> Any:
    def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.inttoptr(args[1], context.get_value_type(kind.dtype))

    return kind.dtype(kind, types.int64), code


@overload(record_at)  # type: ignore[untyped-decorator]
def _record_at(kind: Any, address: int) -> Any:
    def compiled(kind: Any, address: int) -> Any:
        return _pointed_to(kind, types.int64(address))

    return compiled
