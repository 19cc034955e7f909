"""Decorators that mark rules and kernels. They do not import Numba.

`rule` marks a function over records; it is compiled into its callers. `kernel` marks an entry from Python: it
takes arrays of records and indices (a call costs under 2 us that way, and six times as much when a record itself is
passed) and its machine code is kept on disk, from where `object_code` loads it. Only if it is not there, `compiler` and
with it Numba are imported, which takes half a second, and the kernel is compiled.

Printed figures cannot go stale in it, because the board is an argument. Set NUMBA_DISABLE_JIT=1 to run the same source
interpreted.
"""

import functools
import hashlib
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar, cast

import numpy as np
from llvmlite import binding

from elcapitan.engine import object_code
from elcapitan.engine.code_folder import COMPILED, FOLDER
from elcapitan.engine.words import add, highest, lowest, many, put, record_at, whole, word

__all__ = [
    "COMPILED",
    "add",
    "array_kernel",
    "array_rule",
    "highest",
    "kernel",
    "locked_kernel",
    "lowest",
    "many",
    "prepared",
    "put",
    "record_at",
    "roomy_rule",
    "rule",
    "whole",
    "word",
]

F = TypeVar("F", bound=Callable[..., Any])


class Rule:
    """A function that is compiled into kernels, as soon as one that needs it is compiled."""

    def __init__(self, function: Callable[..., Any], how: str) -> None:
        functools.update_wrapper(self, function)
        self._function, self._how = function, how

    def __call__(self, *_: Any) -> Any:
        """Refuse to be called from Python."""
        raise TypeError(f"{self._function.__name__} is a rule: compiled kernels call it, Python cannot")

    @functools.cached_property
    def dispatcher(self) -> Any:
        """What Numba knows this function by."""
        from elcapitan.engine import compiler  # noqa: PLC0415 - imports Numba

        return compiler.MAKERS[self._how](self._function)

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks for when it compiles a call of this function."""
        return self.dispatcher._numba_type_


class Kernel(functools.partial[Any], Rule):
    """A function that Python calls, in one compiled form: without a check of the arguments' types.

    Numba would check them at every call, which for records takes as long as the rules do. The form is for numbers of
    any width and arrays with or without gaps; records of a wrong kind are noticed by their size.

    It is a `partial` of that form without arguments: Python calls those faster than an object with a `__call__`.
    """

    def __new__(cls, _function: Callable[..., Any], _how: str) -> Self:
        """Make a kernel that loads or compiles its form when it is first called."""

        def first_call(*given: Any) -> Any:
            form = made.form(given, widest=True)
            made.__setstate__((form, (), {}, made.__dict__))  # type: ignore[attr-defined]
            return form(*given)

        made = super().__new__(cls, first_call)
        return made

    def form(self, given: tuple[Any, ...], *, widest: bool) -> Callable[..., Any]:
        """Load or compile the function for such arguments: of exactly these types, or the widest of each kind."""
        file = self.file(given, widest=widest)
        if file and (loaded := object_code.load(file)):
            return loaded
        from elcapitan.engine import compiler  # noqa: PLC0415 - imports Numba

        return compiler.compile_kernel(self.dispatcher, given, widest=widest, file=file)

    def file(self, given: tuple[Any, ...], *, widest: bool) -> Path | None:
        """Return where the function compiled for such arguments is kept on this kind of machine; None if nowhere.

        A function without a source, or with variables of the function that has made it, is not kept.
        """
        code = self._function.__code__
        if code.co_freevars:
            return None
        try:
            source = Path(code.co_filename).stat()
        except OSError:
            return None
        stamp = (code.co_filename, code.co_firstlineno, source.st_mtime_ns, source.st_size)
        described = (stamp, [_description(one, widest) for one in given], _machine())
        digest = hashlib.sha256(repr(described).encode()).hexdigest()[:16]
        return cast(Path, FOLDER) / f"{self._function.__name__}-{digest}.kernel"


class ArrayKernel(Rule):
    """A function over arrays of numbers that Python calls, compiled and kept on disk by Numba's own means."""

    def __call__(self, *given: Any) -> Any:
        """Call the compiled function."""
        return self.dispatcher(*given)


def _description(given: Any, widest: bool) -> str:
    """Describe the type of an argument, as far as another type is compiled for in another way."""
    if isinstance(given, tuple):
        return f"{type(given).__qualname__}({', '.join(_description(one, widest) for one in given)})"
    if isinstance(given, np.ndarray):
        kind, flags = given.dtype, given.flags
        layout = "A" if widest else "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return f"{kind.str} {kind.type.__qualname__} {given.ndim} {layout} {flags.writeable} {flags.aligned}"
    if isinstance(given, float | np.floating):
        return "float"
    return "number" if widest else type(given).__name__


@functools.cache
def _machine() -> tuple[str, ...]:
    """What compiled code depends on of the machine that it is made for."""
    return platform.machine(), sys.platform, binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()


def rule(function: F) -> F:
    """Mark a rule: a function over records, compiled into its callers and not to be called from Python.

    Interpreted it is a plain function. Without an entry from Python it compiles in half the time. It makes no arrays,
    so it needs no reference counts, whose atomic updates would make threads wait for one another.
    """
    return _marked(function, Rule, "rule")


def roomy_rule(function: F) -> F:
    """Mark a rule that makes arrays for itself."""
    return _marked(function, Rule, "roomy rule")


def kernel(function: F) -> F:
    """Mark an entry from Python into the rules: compiled once, kept on disk, without the interpreter lock."""
    return _marked(_with_plain_numbers(function), Kernel, "kernel")


def locked_kernel(function: F) -> F:
    """Mark a kernel that keeps the interpreter lock: giving it away takes longer than a short call."""
    return _marked(_with_plain_numbers(function), Kernel, "locked kernel")


def array_kernel(function: F) -> F:
    """Mark a function over arrays of numbers, compiled by Numba's own pipeline, which works on several at once.

    Products may be added to a sum without rounding them first, as machines do in one instruction.
    """
    return _marked(function, ArrayKernel, "array kernel")


def array_rule(function: F) -> F:
    """Mark a function like an array kernel that is only called by array kernels, and compiles sooner for that."""
    return _marked(function, Rule, "array rule")


def _marked(function: F, kind: type[Rule], how: str) -> F:
    """Return what stands for a function where rules are compiled; interpreted, the function itself."""
    return cast(F, kind(function, how)) if COMPILED else function


def _with_plain_numbers(function: F) -> F:
    """Return the function of a kernel; interpreted, one to which NumPy's numbers are passed as Python's."""
    if COMPILED:
        return function

    @functools.wraps(function)
    def interpreted(*given: Any) -> Any:
        return function(*(whole(one) if isinstance(one, np.integer) else one for one in given))

    return cast(F, interpreted)


def prepared(function: F, *given: Any) -> F:
    """Return a kernel compiled for arguments of exactly these types, to be called without a check of the types."""
    return cast(F, cast(Kernel, function).form(given, widest=False)) if COMPILED else function
