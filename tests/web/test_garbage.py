"""Garbage collection of a server: full collections skip what earlier ones have seen, and cycles are still freed."""

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from elcapitan.web import garbage
from elcapitan.web.garbage import short_collections, thaw, thaw_when_idle


class Node:
    """An object that refers to itself, so that only a collection frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def unfrozen() -> Iterator[None]:
    """What the tests froze is as it was."""
    yield
    gc.unfreeze()
    gc.freeze()


def test_what_a_full_collection_leaves_is_not_looked_at_again() -> None:
    with short_collections():
        kept = [Node() for _ in range(100)]
        gc.collect()
        assert not any(each is kept for each in gc.get_objects()), "it is frozen"
        fresh = [Node()]
        assert any(each is fresh for each in gc.get_objects())
    assert garbage._freeze not in gc.callbacks
    frozen = gc.get_freeze_count()
    gc.collect()
    assert gc.get_freeze_count() <= frozen, "nothing is frozen after the end"


def test_a_frozen_cycle_is_freed_when_everything_is_looked_at() -> None:
    with short_collections():
        node = Node()
        gone = weakref.ref(node)
        gc.collect()
        del node
        gc.collect()
        assert gone() is not None
        thaw()
        assert gone() is None


@pytest.mark.parametrize("busy", [False, True])
def test_it_waits_until_no_request_is_answered(busy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    clock = [0.0]
    count = [0]

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        clock[0] += seconds
        count[0] += busy or len(waited) < 5

    def stop() -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr("elcapitan.web.garbage.asyncio.sleep", sleep)
    monkeypatch.setattr("elcapitan.web.garbage.time.monotonic", lambda: clock[0])
    monkeypatch.setattr(garbage, "thaw", stop)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(thaw_when_idle(lambda: count[0]))
    assert waited[0] == garbage.THAW_SECONDS and set(waited[1:]) == {garbage.QUIET_SECONDS}
    assert sum(waited[1:]) == (garbage.LONGEST_WAIT if busy else 4.0)
