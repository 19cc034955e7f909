"""Records: NumPy structures whose fields are typed attributes, for compiled code, for Python and for mypy.

A kind of record is a class derived from `Record`. Its annotations are the only list of its fields: `int` with a width
for a number (`Int8`), an array type with lengths for an array (`Annotated[Int16s, SEATS]`). `kind` is the NumPy dtype
made from them, in that order and without gaps.

NumPy has `np.record` for attributes, but that looks every field up in Python, for two microseconds. These take a fifth
of it: an attribute is a property, and what it calls is NumPy's own.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Self, TypeAlias, TypeVar, cast, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

ALIGNMENT: Final = 64  # bytes, a line of the cache; JAX shares arrays that begin at a multiple of it

# A field that is one number. Rules read it as an `int`, through `jit.whole`.
Int8: TypeAlias = Annotated[int, np.int8]
Int16: TypeAlias = Annotated[int, np.int16]
Int32: TypeAlias = Annotated[int, np.int32]
Int64: TypeAlias = Annotated[int, np.int64]

# Arrays of numbers. As a field, with its lengths: `Annotated[Int8s, CITIES, SITES]`.
Int8s: TypeAlias = Annotated[NDArray[np.int8], np.int8]
Int16s: TypeAlias = Annotated[NDArray[np.int16], np.int16]
Int32s: TypeAlias = Annotated[NDArray[np.int32], np.int32]
Int64s: TypeAlias = Annotated[NDArray[np.int64], np.int64]
UInt8s: TypeAlias = Annotated[NDArray[np.uint8], np.uint8]
UInt32s: TypeAlias = Annotated[NDArray[np.uint32], np.uint32]
UInt64s: TypeAlias = Annotated[NDArray[np.uint64], np.uint64]
Float32s: TypeAlias = Annotated[NDArray[np.float32], np.float32]
Float64s: TypeAlias = Annotated[NDArray[np.float64], np.float64]
Bools: TypeAlias = Annotated[NDArray[np.bool_], np.bool_]


if TYPE_CHECKING:

    class Structure(np.generic):
        """`np.void`, which NumPy's stubs call final."""

        def __new__(cls) -> Self:
            """Declare that a record is no abstract class; they are made by making arrays."""

        def __getitem__(self, name: str) -> Any: ...
        def __setitem__(self, name: str, value: Any) -> None: ...

else:
    Structure = np.void


class Record(Structure):
    """A record; every subclass is a kind of record with the fields that it annotates."""

    kind: ClassVar[np.dtype[np.void]]

    def __init_subclass__(cls) -> None:
        """Make the dtype of the annotated fields, and a property for each of them.

        Raises ValueError for a field that has the name of an attribute of every NumPy record.
        """
        fields: list[tuple[str, Any, tuple[int, ...]]] = []
        for name, annotation in cls.__annotations__.items():
            if hasattr(np.void, name):
                raise ValueError(f"a record cannot have a field called {name}")
            number, *lengths = annotation.__metadata__
            fields.append((name, number, tuple(lengths)))
            setattr(cls, name, property(itemgetter(name), _setter(name)))
        cls.kind = np.dtype((cls, fields))


def _setter(name: str) -> Callable[[Record, Any], None]:
    """Return a function that writes one field of a record."""

    def put(one: Record, value: Any) -> None:
        one[name] = value

    return put


R = TypeVar("R", bound=Record)
R_co = TypeVar("R_co", bound=Record, covariant=True)

if TYPE_CHECKING:

    class Records(np.ndarray[tuple[int], np.dtype[R_co]]):
        """An array of records of one kind: an index gives a record, a slice some of them, a name a field of all."""

        @overload  # type: ignore[override]
        def __getitem__(self, key: int | np.integer[Any]) -> R_co: ...
        @overload
        def __getitem__(self, key: slice) -> "Records[R_co]": ...
        @overload
        def __getitem__(self, key: str) -> NDArray[Any]: ...
        def __getitem__(self, key: Any) -> Any: ...
        def copy(self) -> "Records[R_co]":  # type: ignore[override]
            """Return a copy of all records."""

else:
    Records = np.ndarray


def zeros(kind: type[R], count: int) -> Records[R]:
    """Make an array of records filled with zeros."""
    return cast("Records[R]", aligned_zeros(count, kind.kind))


def aligned_zeros(shape: int | tuple[int, ...], kind: DTypeLike) -> NDArray[Any]:
    """Make an array of zeros that begins at a multiple of ALIGNMENT bytes."""
    kind = np.dtype(kind)
    length = int(np.prod(shape)) * kind.itemsize
    room = np.zeros(length + ALIGNMENT, np.uint8)
    first = -room.ctypes.data % ALIGNMENT
    return room[first : first + length].view(kind).reshape(shape)


def from_bytes(kind: type[R], content: bytes | bytearray) -> Records[R]:
    """Read records from their bytes, without a copy: writable only if the bytes are."""
    return cast("Records[R]", np.frombuffer(content, kind.kind))


class CachedRecord:
    """A record that plain Python reads from; each field is looked up in the array once, when it is first asked for."""

    def __init__(self, records: Records[Record], i: int) -> None:
        self._records, self._i = records, i

    def tobytes(self) -> bytes:
        """Return the bytes of the record."""
        return bytes(self._records[self._i].tobytes())

    def as_array(self) -> Records[Record]:
        """Return the array of one record that this reads from."""
        return self._records[self._i : self._i + 1]

    def __getattr__(self, name: str) -> Any:
        value = self._records[name][self._i]
        setattr(self, name, value)
        return value


def cached(records: Records[R], i: int = 0) -> R:
    """Return a record whose fields are looked up once: for plain Python that asks often, several times as quick."""
    return cast(R, CachedRecord(records, i))


def as_array(record: R) -> Records[R]:
    """Return a record as an array of one, in the form that kernels take; a copy, unless it is a cached record."""
    if isinstance(record, CachedRecord):
        return cast("Records[R]", record.as_array())
    return from_bytes(type(record), bytearray(record.tobytes()))
