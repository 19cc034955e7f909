"""What compiles rules and kernels with Numba; imported only when there is something to compile."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numba
from numba import config, njit, types

from elcapitan.engine import intrinsics, numba_pipeline, object_code, simd_intrinsics
from elcapitan.engine.code_folder import FOLDER

INSTRUCTIONS: Final = (intrinsics, simd_intrinsics)  # Numba knows them once they are imported
TUNED: Final = numba_pipeline.is_wanted()
# A rule is not called from Python: without what that needs it compiles in half the time. Plain Numba would crash.
_NO_DOOR: Final = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True} if TUNED else {}


def _rule(function: Callable[..., Any], *, roomy: bool = False) -> Any:
    made = _made(numba_pipeline.RuleCompiler, function, _nrt=roomy, **_NO_DOOR)
    if TUNED:
        numba_pipeline.compile_once(made)
    return made


def _roomy_rule(function: Callable[..., Any]) -> Any:
    return _rule(function, roomy=True)


def _kernel(function: Callable[..., Any], *, nogil: bool = True) -> Any:
    """A kernel that C cannot call; Numba's own cache keeps it only if our pipeline is left out."""
    with _own_cache():
        return _made(
            numba_pipeline.KernelCompiler, function, nogil=nogil, _nrt=False, no_cfunc_wrapper=True, cache=not TUNED
        )


def _locked_kernel(function: Callable[..., Any]) -> Any:
    return _kernel(function, nogil=False)


def _made(pipeline: Any, function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function by one of our pipelines, or by plain Numba where they are not used."""
    return njit(error_model="numpy", **options, **({"pipeline_class": pipeline} if TUNED else {}))(function)


def _array_kernel(function: Callable[..., Any]) -> Any:
    with _own_cache():
        return njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})(function)


def _array_rule(function: Callable[..., Any]) -> Any:
    return njit(nogil=True, error_model="numpy", fastmath={"contract"}, **_NO_DOOR)(function)


# By how a function is marked.
MAKERS: Final[dict[str, Callable[[Callable[..., Any]], Any]]] = {
    "rule": _rule,
    "roomy rule": _roomy_rule,
    "kernel": _kernel,
    "locked kernel": _locked_kernel,
    "array kernel": _array_kernel,
    "array rule": _array_rule,
}


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


def compile_kernel(dispatcher: Any, given: tuple[Any, ...], *, widest: bool, file: Path | None) -> Callable[..., Any]:
    """Compile a kernel for such arguments, keep it in a file if there is one, and return what Python calls."""
    signature = tuple(_widest(one) if widest else numba.typeof(one) for one in given)
    form: Callable[..., Any] = dispatcher.compile(signature)
    if TUNED and file:
        object_code.save(file, numba_pipeline.code_of(dispatcher.overloads[signature]))
    return form


def _widest(given: Any) -> types.Type:
    """Return the widest type that a value in this place can have: 64-bit numbers, arrays with gaps."""
    if isinstance(given, tuple):  # a NamedTuple of such things
        return types.BaseTuple.from_types([_widest(one) for one in given], type(given))
    kind = numba.typeof(given)
    if isinstance(kind, types.Array):
        return kind.copy(layout="A")
    return types.float64 if isinstance(kind, types.Float) else types.int64
