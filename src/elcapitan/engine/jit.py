"""Decorators that compile rules and kernels, and the folder of compiled code. `simd` and `numba_pipeline` use Numba.

`rule` marks a function over records; it is compiled into its callers. `kernel` marks an entry from Python: it
takes arrays of records and indices (a call costs under 2 us that way, and six times as much when a record itself is
passed) and its machine code is kept on disk.

Numba's cache does not notice a change in a callee of another module. So the cache folder is named by a digest of all
sources that are compiled: a changed rule finds an empty folder and is compiled anew. Printed figures cannot go stale,
because the board is an argument. Set NUMBA_DISABLE_JIT=1 to run the same source interpreted.
"""

import contextlib
import ctypes
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.extending import intrinsic, overload
from numba.np.numpy_support import from_dtype

from elcapitan.engine import numba_pipeline

F = TypeVar("F", bound=Callable[..., Any])

COMPILED_SOURCES = Path(__file__).resolve().parent  # rules and kernels live in this package and nowhere else
FORGET_AFTER_DAYS = 30
TUNED = numba_pipeline.is_wanted()


def source_digest(package: Path = COMPILED_SOURCES) -> str:
    """A digest of everything that compiled code depends on: sources, where and when they were written, versions.

    Place and time belong to it because Numba compiles again for a source that was moved or touched.
    """
    digest = hashlib.sha256(str(package).encode())
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package).as_posix()} {path.stat().st_mtime_ns}".encode())
        digest.update(path.read_bytes())
    digest.update(f"{numba.__version__} {llvmlite.__version__} {TUNED} {sys.version} {config.BOUNDSCHECK}".encode())
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


COMPILED = not config.DISABLE_JIT
FOLDER = cache_folder() if COMPILED else None  # of this version's compiled code
# A rule is not called from Python: without what that needs it compiles in half the time. Plain Numba would crash.
_NO_DOOR = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True} if TUNED else {}


def rule(function: F) -> F:
    """Mark a rule: a function over records, compiled into its callers and not to be called from Python.

    Interpreted it is a plain function. Without an entry from Python it compiles in half the time. It makes no arrays,
    so it needs no reference counts, whose atomic updates would make threads wait for one another.
    """
    return _rule(function, roomy=False)


def roomy_rule(function: F) -> F:
    """Mark a rule that makes arrays for itself."""
    return _rule(function, roomy=True)


def _rule(function: F, *, roomy: bool) -> F:
    compiled = _compiled_by(numba_pipeline.RuleCompiler, function, error_model="numpy", _nrt=roomy, **_NO_DOOR)
    if TUNED:
        numba_pipeline.compile_once(compiled)
    return compiled  # type: ignore[no-any-return]


def _compiled_by(pipeline: Any, function: Any, **options: Any) -> Any:
    """Compile a function by one of our pipelines, or by plain Numba where they are not used."""
    return njit(**options, **({"pipeline_class": pipeline} if TUNED else {}))(function)


def kernel(function: F) -> F:
    """Mark an entry from Python into the rules: compiled once, cached on disk, without the interpreter lock."""
    return _kernel(function, nogil=True)


def locked_kernel(function: F) -> F:
    """Mark a kernel that keeps the interpreter lock: giving it away takes longer than a short call."""
    return _kernel(function, nogil=False)


def _kernel(function: F, *, nogil: bool) -> F:
    options = {"nogil": nogil, "error_model": "numpy", "_nrt": False}
    with _own_cache():
        compiled = _compiled_by(numba_pipeline.KernelCompiler, function, cache=True, **options)
        if TUNED:
            numba_pipeline.load_at_once(compiled)
    return compiled  # type: ignore[no-any-return]


def array_kernel(function: F) -> F:
    """Mark a function over arrays of numbers, compiled by Numba's own pipeline, which works on several at once.

    Products may be added to a sum without rounding them first, as machines do in one instruction.
    """
    with _own_cache():
        return njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})(function)  # type: ignore[no-any-return]


def array_rule(function: F) -> F:
    """Mark a function like an array kernel that is only called by array kernels, and compiles sooner for that."""
    return njit(nogil=True, error_model="numpy", fastmath={"contract"}, **_NO_DOOR)(function)  # type: ignore[no-any-return]


@contextlib.contextmanager
def _own_cache() -> Iterator[None]:
    """Use our cache folder for functions decorated inside the `with` block; other programs keep theirs."""
    wanted = {"CACHE_DIR": str(FOLDER), "CACHE_LOCATOR_CLASSES": ""}
    before = {name: getattr(config, name) for name in wanted if hasattr(config, name)}
    for name in before:
        setattr(config, name, wanted[name])
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(config, name, value)


def quick_kernel(function: F) -> F:
    """Mark a kernel that Python calls for every action of a game, with arrays, whole numbers and bundles of them.

    Numba checks the types of all arguments at every call, which for records takes as long as the rules do. This kernel
    has one compiled form, for numbers of any width and arrays with or without gaps, and is then called without that
    check; records of a wrong kind are noticed by their size.
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


def prepared(function: F, *given: Any) -> F:
    """Return a kernel compiled for arguments of exactly these types, to be called without a check of the types."""
    if not COMPILED:
        return function
    compiled: Any = function
    return compiled.compile(tuple(numba.typeof(one) for one in given))  # type: ignore[no-any-return]


def _widest(given: Any) -> types.Type:
    """Return the widest type that a value in this place can have: 64-bit numbers, arrays with gaps."""
    if isinstance(given, tuple):  # a NamedTuple of such things
        return types.BaseTuple.from_types([_widest(one) for one in given], type(given))
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
    """Add atomically to a number that several threads share; return what it was before."""
    before = int(numbers[at])
    numbers[at] = before + amount
    return before


def put(numbers: Any, at: int, number: int) -> None:
    """Write atomically a number that several threads share, after all earlier writes."""
    numbers[at] = number


def at_address(kind: np.dtype[Any]) -> Callable[[int], Any]:
    """Return a rule for the record of a kind that lies at an address; nobody checks that there is one."""
    record = from_dtype(kind)

    def found(address: Any) -> Any:
        return np.frombuffer(memoryview((ctypes.c_char * kind.itemsize).from_address(int(address))), kind)[0]

    @intrinsic  # type: ignore[untyped-decorator]
    def compiled(_context: Any, _address: Any) -> Any:
        def code(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(record))

        return record(types.int64), code

    return compiled if COMPILED else found


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
