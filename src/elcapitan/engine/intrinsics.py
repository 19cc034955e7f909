"""What is compiled instead of the functions of `words`: one machine instruction for each.

Numba has decorators for this, `overload` and `intrinsic`; but each use of such a function is then compiled by itself
and linked, and there are thousands. These are known to Numba as its own operators are.
"""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin

from elcapitan.engine.words import add, highest, lowest, many, put, record_at, whole, word

Code = Callable[[Any, Any, Any, Any], Any]  # context, builder, signature, arguments: the value that is returned
NUMBER: Final = types.int64
NOTHING: Final = types.void


def instruction(function: Callable[..., Any], signature: Callable[..., Any]) -> Callable[[Code], Code]:
    """Compile the decorated code for every call of a function; `signature` gets the types of the arguments."""

    class Instruction(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, _kws: Any) -> Any:
            return signature(*(types.unliteral(each) for each in args))

    infer_global(function)(Instruction)
    decorate: Callable[[Code], Code] = lower_builtin(function, types.VarArg(types.Any))
    return decorate


@instruction(whole, NUMBER)
def _whole(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.cast(builder, args[0], sig.args[0], NUMBER)


@instruction(word, types.uint64)
def _word(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.cast(builder, args[0], sig.args[0], types.uint64)


@instruction(lowest, lambda _bits: NUMBER(NUMBER))
def _lowest(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
    return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))


@instruction(highest, lambda _bits: NUMBER(NUMBER))
def _highest(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
    return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1)))


@instruction(many, lambda _bits: NUMBER(NUMBER))
def _many(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
    return builder.ctpop(args[0])


def _atomic(what: str, context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Emit an atomic read-modify-write instruction."""
    array = context.make_array(sig.args[0])(context, builder, args[0])
    return builder.atomic_rmw(what, builder.gep(array.data, [args[1]]), args[2], "seq_cst")


@instruction(add, lambda numbers, _at, _amount: NUMBER(numbers, NUMBER, NUMBER))
def _add(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _atomic("add", context, builder, sig, args)


@instruction(put, lambda numbers, _at, _number: NOTHING(numbers, NUMBER, NUMBER))
def _put(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    _atomic("xchg", context, builder, sig, args)
    return context.get_dummy_value()


@instruction(record_at, lambda kind, _address: kind.dtype(kind, NUMBER))
def _record_at(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.inttoptr(args[1], context.get_value_type(sig.return_type))
