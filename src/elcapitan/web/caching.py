"""A cache with a bound, for things that a request can ask for in any number of forms."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """Keeps the values that were used last, `most` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()  # those used last come last

    def __len__(self) -> int:
        """How many values are kept."""
        return len(self._values)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; make it if it is not kept."""
        if key not in self._values:
            self.put(key, make())
        self._values.move_to_end(key)
        return self._values[key]

    def peek(self, key: Key) -> Value | None:
        """Return the value of a key if it is kept."""
        return self._values.get(key)

    def put(self, key: Key, value: Value) -> None:
        """Keep a value, and drop the one used longest ago if there are too many."""
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._most:
            self._values.popitem(last=False)
