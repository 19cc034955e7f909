"""Work that goes on beside something else, and ends with it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

logger = logging.getLogger(__name__)


@asynccontextmanager
async def meanwhile(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Let some work go on until this is left; if it fails before, that is told."""
    task = asyncio.create_task(work)
    task.add_done_callback(_told)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _told(task: asyncio.Task[None]) -> None:
    """Tell of work that failed."""
    if not task.cancelled() and (error := task.exception()):
        logger.error("something has stopped that should go on", exc_info=error)
