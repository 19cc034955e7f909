"""Garbage collection of a server: what it has loaded is not looked at again, and cycles of requests are freed."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from elcapitan.web.app import THRESHOLDS, freeze_loaded, short_collections


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


def test_what_is_loaded_is_not_looked_at_again() -> None:
    loaded = [Node() for _ in range(100)]
    with short_collections():
        assert gc.get_threshold() == THRESHOLDS
        assert not any(each is loaded for each in gc.get_objects()), "it is frozen"
        later = [Node()]
        assert any(each is later for each in gc.get_objects())
        freeze_loaded()
        assert not any(each is later for each in gc.get_objects())
    assert gc.get_threshold() != THRESHOLDS


def test_a_cycle_that_outlives_collections_is_freed_by_the_next_one() -> None:
    with short_collections():
        node = Node()
        gone = weakref.ref(node)
        gc.collect()
        gc.collect()
        del node
        gc.collect()
        assert gone() is None, "a collection must not freeze what requests and tables have made"
