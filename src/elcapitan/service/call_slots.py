"""Bounds how many calls to other machines run at the same time, so that slow targets do not delay quick ones."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from typing import Final

MOST_SLOW: Final = 1000  # slow targets remembered at a time; the oldest is forgotten first


class NoSlot(Exception):
    """Too many calls wait already."""


class CallSlots:
    """Slots for calls: so many in all, for one target, and for all targets whose last call took too long.

    At most `queue` calls to one target run or wait. A target that was slow shares a few slots with all others that
    were. So calls that hang cannot take every slot.
    """

    def __init__(self, most: int, *, per_target: int, slow: int, queue: int) -> None:
        self._all = asyncio.Semaphore(most)
        self._for_slow = asyncio.Semaphore(slow)
        self._per_target, self._queue = per_target, queue
        self._targets: dict[str, asyncio.Semaphore] = {}
        self._users: Counter[str] = Counter()  # calls that run or wait, by target
        self._slow: OrderedDict[str, None] = OrderedDict()

    async def acquire(self, target: str) -> Callable[[], None]:
        """Wait for a slot and return the function that releases it; `NoSlot` if the target's queue is full.

        Calling that function again does nothing.
        """
        if self._users[target] >= self._queue:
            raise NoSlot
        self._users[target] += 1
        held: list[asyncio.Semaphore] = []
        released = False

        def release() -> None:
            nonlocal released
            if released:
                return
            released = True
            for semaphore in held:
                semaphore.release()
            self._users[target] -= 1
            if not self._users[target]:
                del self._users[target], self._targets[target]

        try:
            for semaphore in self._needed(target):
                await semaphore.acquire()
                held.append(semaphore)
        except BaseException:
            release()
            raise
        return release

    def _needed(self, target: str) -> Iterator[asyncio.Semaphore]:
        """Yield the semaphores a call must hold, always in the same order; whether a target is slow is asked late."""
        yield self._targets.setdefault(target, asyncio.Semaphore(self._per_target))
        if self.is_slow(target):
            yield self._for_slow
        yield self._all

    def is_slow(self, target: str) -> bool:
        """Whether the last call to a target timed out."""
        return target in self._slow

    def took_too_long(self, target: str) -> None:
        """Remember that a call to a target timed out."""
        self._slow[target] = None
        self._slow.move_to_end(target)
        while len(self._slow) > MOST_SLOW:
            self._slow.popitem(last=False)

    def was_quick(self, target: str) -> None:
        """Remember that a target answered in time."""
        self._slow.pop(target, None)
