"""Compiled kernels on disk, loaded without Numba, whose import takes longer than all else that a start needs.

A file holds the machine code of a kernel as LLVM made it, after a line of JSON with the names of what is in it, and a
checksum of both: damaged code would end the process. What the code calls are functions of Python, of C and of two
extension modules of Numba; these modules are loaded alone. Code that needs anything else is not loaded, and its kernel
is compiled again.
"""

import builtins
import ctypes
import functools
import hashlib
import importlib.machinery
import importlib.util
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from llvmlite import binding

# Extension modules of Numba, and what the names of their functions begin with in compiled code.
HELPERS: Final = {"numba._helperlib": "numba_", "numba.core.runtime._nrt_python": "NRT_"}
METH_VARARGS, METH_KEYWORDS = 1, 2
_kept: list[Any] = []  # what loaded code needs as long as the process lives


class Kernel(NamedTuple):
    """The machine code of a kernel and the names of what is in it."""

    code: bytes
    entry: str  # what Python calls
    environment: str  # a pointer that may be anything but null
    needs: tuple[str, ...]  # what the code uses of Numba


class MethodDef(ctypes.Structure):
    """What Python knows of a function that is written in C."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def save(file: Path, kernel: Kernel) -> None:
    """Write a kernel into a file, which appears at once and complete; without an effect where that is not possible."""
    head = json.dumps({"entry": kernel.entry, "environment": kernel.environment, "needs": kernel.needs})
    content = head.encode() + b"\n" + kernel.code
    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as written:
            written.write(hashlib.sha256(content).digest() + content)
        Path(written.name).replace(file)
    except OSError:
        return


def read(file: Path) -> Kernel | None:
    """Read a kernel from a file; None if there is none, or a damaged one."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    length = hashlib.sha256().digest_size
    checksum, content = content[:length], content[length:]
    if hashlib.sha256(content).digest() != checksum:
        return None
    head, _, code = content.partition(b"\n")
    names = json.loads(head)
    return Kernel(code, names["entry"], names["environment"], tuple(names["needs"]))


def load(file: Path) -> Callable[..., Any] | None:
    """Load a kernel from a file as a function that Python can call; None if it has to be compiled."""
    kernel = read(file)
    if kernel is None:
        return None
    provide_helpers()
    if any(binding.address_of_symbol(name) is None for name in kernel.needs):
        return None
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _machine())
    engine.add_object_file(binding.object_file.ObjectFileRef.from_data(kernel.code))
    engine.finalize_object()
    environment = ctypes.c_void_p.from_address(engine.get_global_value_address(kernel.environment))
    environment.value = id(engine)
    return _function(engine.get_function_address(kernel.entry), file.stem, engine)


def _function(address: int, name: str, engine: Any) -> Callable[..., Any]:
    """Return what Python calls for the code at an address."""
    method = MethodDef(name.encode(), address, METH_VARARGS | METH_KEYWORDS, None)
    _kept.append((method, engine))
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.POINTER(MethodDef), ctypes.c_void_p, ctypes.c_void_p)
    made: Callable[..., Any] = make(ctypes.byref(method), None, None)
    return made


def _machine() -> Any:
    """Return LLVM's description of this machine."""
    return binding.Target.from_default_triple().create_target_machine()


@functools.cache
def provide_helpers() -> None:
    """Tell LLVM where the functions are that compiled code may call, as Numba does when it is imported."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.add_symbol("_Py_NoneStruct", id(None))
    for name, kind in vars(builtins).items():
        if isinstance(kind, type) and issubclass(kind, BaseException):
            binding.add_symbol(f"PyExc_{name}", id(kind))
    for module, prefix in HELPERS.items():
        for name, address in getattr(_extension(module), "c_helpers", {}).items():
            binding.add_symbol(name if name.startswith("_") else prefix + name, address)


def _extension(name: str) -> Any:
    """Load an extension module of Numba alone; None if it is not found where it should be."""
    if "numba" in sys.modules:
        return importlib.import_module(name)
    numba = importlib.util.find_spec("numba")
    assert numba is not None
    assert numba.origin is not None
    place = Path(numba.origin).parent.joinpath(*name.split(".")[1:])
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        if (file := place.with_name(place.name + suffix)).exists():
            spec = importlib.util.spec_from_file_location(name, file)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            sys.modules.pop(name, None)  # for Numba to import it as its own
            return module
    return None
