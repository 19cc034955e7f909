"""Threads for one kind of slow work, apart from all other work, with a queue that refuses when it is full."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from elcapitan.background_tasks import charged_call

Result = TypeVar("Result")


class QueueFull(Exception):
    """Too much work of this kind waits already."""


class BoundedThreads:
    """A bounded thread pool with a bounded queue. The time of a call is charged to the request that makes it."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._executor = ThreadPoolExecutor(threads, name)
        self._most = threads + waiting
        self._open = 0  # calls that wait or run

    async def run(self, work: Callable[..., Result], *arguments: object) -> Result:
        """Call `work` in a thread. Raises `QueueFull` at once if too many calls wait."""
        if self._open >= self._most:
            raise QueueFull
        self._open += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, charged_call(work), *arguments)
        finally:
            self._open -= 1

    def close(self) -> None:
        """Drop the calls that wait, and do not wait for those that run."""
        self._executor.shutdown(wait=False, cancel_futures=True)
