"""Work that goes on beside something else, and ends with it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

ONCE_MORE: Final = 3.0  # seconds until whoever has not heard it is told again to end

Result = TypeVar("Result")
logger = logging.getLogger(__name__)


@asynccontextmanager
async def meanwhile(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Let some work go on until this is left; if it fails before, that is told."""
    task = asyncio.create_task(work)
    task.add_done_callback(_told)
    try:
        yield
    finally:
        await ended(task)


async def unless(stop: Coroutine[Any, Any, None], work: Coroutine[Any, Any, Result]) -> Result | None:
    """Run `work` to its end and return its result, or cancel it and return None if `stop` ends first."""
    working, stopping = asyncio.create_task(work), asyncio.create_task(stop)
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        await ended(working, stopping)


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """End some tasks, and wait until they have ended, even if called away.

    Before Python 3.12 `asyncio.wait_for`, which database drivers use, forgets a cancellation that comes at the moment
    when what it waits for is there. So whoever goes on is told again.
    """
    left, called_away = set(tasks), False
    while left:
        for task in left:
            task.cancel()
        try:
            await asyncio.wait(left, timeout=ONCE_MORE)
        except asyncio.CancelledError:
            called_away = True
        left = {task for task in left if not task.done()}
    for task in tasks:
        _ = task.cancelled() or task.exception()  # how it ended is nobody's business any more
    if called_away:
        raise asyncio.CancelledError


def _told(task: asyncio.Task[None]) -> None:
    """Tell of work that failed."""
    if not task.cancelled() and (error := task.exception()):
        logger.error("something has stopped that should go on", exc_info=error)
