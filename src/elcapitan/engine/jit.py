"""How rules and kernels are compiled and where the compiled code lies; with `wide`, all that knows how.

`rule` marks a function over records; it is compiled into whatever calls it. `kernel` marks a door from Python: it
takes arrays of records and indices (a call costs under 2 us that way, and six times as much when a record itself is
passed) and its machine code is kept on disk.

Numba's cache does not notice a change in a callee of another module. So the cache folder is named by a digest of all
sources that are compiled: a changed rule finds an empty folder and is compiled anew. Printed figures cannot go stale,
because the board is an argument. Set NUMBA_DISABLE_JIT=1 to run the same
source interpreted.
"""

import ctypes
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import binding, ir
from numba import _dynfunc, njit, types
from numba.core import callconv, codegen, cpu
from numba.extending import intrinsic, overload
from numba.np import arrayobj

F = TypeVar("F", bound=Callable[..., Any])

COMPILED_SOURCES = Path(__file__).resolve().parent  # rules and kernels live in this package and nowhere else
FORGET_AFTER_DAYS = 30


def source_digest(package: Path = COMPILED_SOURCES) -> str:
    """A digest of everything that compiled code depends on: sources, where and when they were written, versions.

    Place and time belong to it because Numba compiles again for a source that was moved or touched.
    """
    digest = hashlib.sha256(str(package).encode())
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package).as_posix()} {path.stat().st_mtime_ns}".encode())
        digest.update(path.read_bytes())
    digest.update(f"{numba.__version__} {sys.version} {numba.config.BOUNDSCHECK}".encode())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The folder of all compiled engines: ELCAPITAN_CACHE, or the user's cache folder."""
    chosen = os.environ.get("ELCAPITAN_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "elcapitan"


def cache_folder() -> Path:
    """This version's folder, writable; a temporary one, with a warning, where the usual place cannot be written."""
    folder = cache_root() / source_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
        _forget_old(folder)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"elcapitan-{source_digest()}"
        folder.mkdir(exist_ok=True)
        warnings.warn(f"compiled code is kept in {folder}, because {cache_root()} is not writable", stacklevel=2)
    return folder


def _forget_old(current: Path) -> None:
    """Remove the compiled code of versions not used for a month."""
    for folder in current.parent.iterdir():
        old = time.time() - folder.stat().st_mtime > FORGET_AFTER_DAYS * 86400
        if folder != current and old and folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)


COMPILED = not numba.config.DISABLE_JIT
if COMPILED:
    numba.config.CACHE_DIR = str(cache_folder())
    # Our loops take three to twelve turns. Vectorised they compile three times as long and run slower.
    numba.config.LOOP_VECTORIZE = 0
    numba.config.SLP_VECTORIZE = 0

RULE = "rule "  # the names of rules begin with this for the compiler
MANGLED_RULE = RULE.replace(" ", "_20")  # the names that the linker sees have this in them
OURS = __name__.partition(".")[0]  # the names of rules and kernels have this in them
# What Python reaches when it calls a compiled rule as if it were a kernel: a TypeError.
REFUSE = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value


def _optimise_kernels_only() -> None:
    """Teach Numba that a rule is only ever linked into kernels.

    Numba optimises every function and makes machine code of it before it is linked into its callers, and optimises it
    again there; and what a function calls is linked into it and so, over and over, into whatever calls it. For some
    two hundred small rules that is most of the time of a cold start. A rule stays as it was lowered, alone; the kernel
    that needs it links all its rules once and is optimised as a whole, knowing that nobody else calls them, so that it
    can take them apart. This touches Numba's inside, so it is left out, at the price of a slow cold start, where that
    looks different.
    """
    library, context = codegen.CPUCodeLibrary, cpu.CPUContext
    inside = ("finalize", "_optimize_functions", "_optimize_final_module")
    if not all(hasattr(library, name) for name in inside):
        return
    optimise_kernel = library._optimize_final_module
    finalize, executable, optimise = library.finalize, context.get_executable, library._optimize_functions

    def finalize_rule(self: Any) -> None:
        if self.name.startswith(RULE):
            self._finalized = True
            return
        linked = dict.fromkeys(self._linking_libraries)
        called = list(linked)
        while called:
            inner = called.pop()
            if inner.name.startswith(RULE):
                called += [each for each in inner._linking_libraries if each not in linked]
                linked |= dict.fromkeys(inner._linking_libraries)
        self._linking_libraries = list(linked)
        finalize(self)

    def executable_rule(self: Any, library: Any, description: Any, environment: Any) -> Any:
        if not library.name.startswith(RULE):
            return executable(self, library, description, environment)
        name = description.qualname.split(".")[-1]
        return _dynfunc.make_function(description.lookup_module(), name, "a rule", REFUSE, environment, (library,))

    def optimise_rule(self: Any, module: Any) -> None:
        if self.name.startswith(RULE):
            module.data_layout = self._codegen._data_layout
        else:
            optimise(self, module)

    def keep_to_itself(self: Any) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        optimise_kernel(self)

    library.finalize, library._optimize_functions = finalize_rule, optimise_rule
    library._optimize_final_module = keep_to_itself
    context.get_executable = executable_rule


def _count_from_the_front() -> None:
    """Teach Numba that no rule and no kernel here counts from the end of an array.

    Otherwise the sign of every index is looked at. With bounds checks a negative index is then an error.
    """
    if not hasattr(arrayobj, "fix_integer_index"):
        return
    fix = arrayobj.fix_integer_index

    def fix_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        if OURS not in builder.function.name:
            return fix(context, builder, kind, index, size)
        return context.cast(builder, index, kind, types.intp)

    arrayobj.fix_integer_index = fix_index


def _keep_records_apart() -> None:
    """Teach Numba that what is passed to a rule never overlaps: a position, a board, a desk, the arrays of a fleet.

    So what was read from one need not be read again because something was written to another.
    """
    convention = callconv.CPUCallConv
    if not hasattr(convention, "decorate_function"):
        return
    decorate = convention.decorate_function

    def decorate_rule(self: Any, function: Any, names: Any, kinds: Any, noalias: bool = False) -> None:
        decorate(self, function, names, kinds, noalias or MANGLED_RULE in function.name)

    convention.decorate_function = decorate_rule


if COMPILED:
    # A rule that calls a rule passes everything through memory. Half a dozen rules are called for every card and city.
    binding.set_option("elcapitan", "-inline-threshold=1500")
    _optimise_kernels_only()
    _count_from_the_front()
    _keep_records_apart()


def rule(function: F) -> F:
    """Mark a rule: a function over records, compiled into its callers and not to be called from Python.

    Interpreted it is a plain function. Without a door to Python it compiles in half the time. It makes no arrays, so
    nobody need count who still uses one: threads that count together wait for one another.
    """
    return _rule(function, roomy=False)


def roomy_rule(function: F) -> F:
    """Mark a rule that makes arrays for itself."""
    return _rule(function, roomy=True)


def _rule(function: F, *, roomy: bool) -> F:
    function.__qualname__ = RULE + function.__module__ + "." + function.__qualname__
    compiled = njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=roomy)(function)
    if COMPILED:
        _compile_once(compiled)
    return compiled  # type: ignore[no-any-return]


def _compile_once(dispatcher: Any) -> None:
    """Compile a rule for whole numbers, not once more for every constant it is called with.

    Numba types the constant 11 as "the integer 11" and would make a version of the rule for it.
    """
    ask = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: ask(tuple(types.unliteral(a) for a in args), kws)


def kernel(function: F) -> F:
    """Mark a door from Python into the rules: compiled once, kept on disk, free of the interpreter's lock."""
    return njit(nogil=True, error_model="numpy", cache=True, _nrt=False)(function)  # type: ignore[no-any-return]


def quick_kernel(function: F) -> F:
    """Mark a kernel that Python calls for every action of a game, and only with records and whole numbers.

    At every call Numba looks at the types of what it is given, which for records takes as long as the rules do. This
    kernel has one compiled form, for numbers of any width and arrays with or without gaps, and once that is there it
    is called without a look; records of a wrong kind are noticed by their size.
    """
    compiled: Any = kernel(function)
    form: Callable[..., Any] | None = None

    @functools.wraps(function)
    def call(*given: Any) -> Any:
        nonlocal form
        if form is None:
            form = compiled.compile(tuple(_widest(one) for one in given))
        return form(*given)

    @functools.wraps(function)
    def interpreted(*given: Any) -> Any:
        return function(*(whole(one) if isinstance(one, np.integer) else one for one in given))

    return call if COMPILED else interpreted  # type: ignore[return-value]


def _widest(given: Any) -> types.Type:
    """The type that takes this and everything that may come in its place."""
    kind = numba.typeof(given)
    return kind.copy(layout="A") if isinstance(kind, types.Array) else types.int64


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
    """Add to one of the numbers that several threads share, in one go; what it was before."""
    before = int(numbers[at])
    numbers[at] = before + amount
    return before


def put(numbers: Any, at: int, number: int) -> None:
    """Write one of the numbers that several threads share, after everything that was written before."""
    numbers[at] = number


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


def _in_one_go(what: str) -> Any:
    """What several threads may do to a number at the same time, as an instruction of the machine."""

    def instruction(_context: Any, numbers: Any, _at: Any, _number: Any) -> Any:
        def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
            array = context.make_array(numbers)(context, builder, args[0])
            return builder.atomic_rmw(what, builder.gep(array.data, [args[1]]), args[2], "seq_cst")

        return types.int64(numbers, types.int64, types.int64), code

    return intrinsic(instruction)


_add_in_one_go, _put_in_one_go = _in_one_go("add"), _in_one_go("xchg")


@overload(add)  # type: ignore[untyped-decorator]
def _add(numbers: Any, at: int, amount: int) -> Any:
    def compiled(numbers: Any, at: int, amount: int) -> Any:
        return _add_in_one_go(numbers, types.int64(at), types.int64(amount))

    return compiled


@overload(put)  # type: ignore[untyped-decorator]
def _put(numbers: Any, at: int, number: int) -> Any:
    def compiled(numbers: Any, at: int, number: int) -> None:
        _put_in_one_go(numbers, types.int64(at), types.int64(number))

    return compiled
