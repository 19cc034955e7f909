"""Garbage collection in short pauses, because no request is answered while Python looks for garbage.

Few new objects trigger a young collection, so that it is short. A full collection would look at every object: a tenth
of a second with 64 tables in memory. So what a full collection has not freed is frozen: later ones look only at newer
objects. Frozen objects are freed as soon as nothing refers to them, unless they refer to each other in a cycle. For
those, everything is looked at again now and then, when the server is idle.
"""

import asyncio
import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

# New objects before a young collection, young ones before a middle one, and middle ones before a full one.
THRESHOLDS: Final = (2_000, 10, 10)
FULL: Final = 2  # the generation that a full collection looks at
THAW_SECONDS: Final = 600.0  # between two times at which everything is looked at
LONGEST_WAIT: Final = 3600.0  # seconds to wait at most until the server is idle
QUIET_SECONDS: Final = 1.0  # without a request: the server is idle


@contextmanager
def short_collections() -> Iterator[None]:
    """Freeze what every full collection leaves, for the duration of a `with` block."""
    thresholds = gc.get_threshold()
    gc.callbacks.append(_freeze)
    gc.set_threshold(*THRESHOLDS)
    gc.collect()
    try:
        yield
    finally:
        gc.callbacks.remove(_freeze)
        gc.set_threshold(*thresholds)


def _freeze(phase: str, info: dict[str, Any]) -> None:
    """Freeze all objects when a full collection has ended."""
    if phase == "stop" and info["generation"] == FULL:
        gc.freeze()


async def thaw_when_idle(answered: Callable[[], float]) -> None:
    """Look at all objects every ten minutes, when no request was answered for a second, until cancelled.

    `answered` counts the requests so far. A server that is never idle does it all the same, after an hour.
    """
    while True:
        await asyncio.sleep(THAW_SECONDS)
        latest = time.monotonic() + LONGEST_WAIT
        before = answered()
        while time.monotonic() < latest:
            await asyncio.sleep(QUIET_SECONDS)
            before, now = answered(), before
            if before == now:
                break
        thaw()


def thaw() -> None:
    """Look at all objects, frozen ones too."""
    gc.unfreeze()
    gc.collect()
