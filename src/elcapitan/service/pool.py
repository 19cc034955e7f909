"""The processes of computer players: started when they are needed, replaced when they fail, gone when we go."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from typing import Any, Final, TypeVar

from elcapitan.service.worker import get_ready

if sys.platform == "linux":
    from multiprocessing.context import ForkServerContext as Context
    from multiprocessing.context import ForkServerProcess as Process
else:  # elsewhere a copy of a process is not safe, or there is none
    from multiprocessing.context import SpawnContext as Context
    from multiprocessing.context import SpawnProcess as Process

PATTERN: Final = "elcapitan.service.pattern"
TRIES: Final = 3  # for one question
LONGEST: Final = 1200.0  # seconds; twice the largest budget a computer player can be given
MOST_WORKERS: Final = 4

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
logger = logging.getLogger(__name__)


class NoAnswer(Exception):
    """No worker could answer a question."""


class Workers:
    """Some processes that answer questions, one at a time each."""

    def __init__(self, count: int | None = None) -> None:
        self._count = count or max(2, min(MOST_WORKERS, os.cpu_count() or 1))
        self._pool: _Pool | None = None
        self._starting = asyncio.Lock()
        self._closed = False

    async def ask(self, answer: Callable[[Asked], Answer], question: Asked) -> Answer:
        """The answer to a question; when the processes break, or one of them fails, it is asked again."""
        for left in reversed(range(TRIES)):
            pool = await self._ready()
            try:
                future: Future[Answer] = await asyncio.to_thread(pool.executor.submit, answer, question)
                return await _answered(future)
            except (BrokenExecutor, TimeoutError) as error:
                logger.warning("the processes of computer players are started anew, because of %r", error)
                await self._replace(pool)
            except Exception:
                logger.exception("a computer player failed; it is asked %d times more", left)
        raise NoAnswer

    async def _ready(self) -> "_Pool":
        """The processes, started if there are none."""
        async with self._starting:
            if self._closed:
                raise NoAnswer
            if self._pool is None:
                self._pool = await asyncio.to_thread(_Pool, self._count)
            return self._pool

    async def _replace(self, broken: "_Pool") -> None:
        """Give up processes that do not work; whoever asks next starts new ones."""
        async with self._starting:
            if self._pool is broken:
                self._pool = None
                await asyncio.to_thread(broken.end)

    async def close(self) -> None:
        """End all processes, whatever they are thinking about."""
        async with self._starting:
            self._closed = True
            if self._pool:
                await asyncio.to_thread(self._pool.end)
                self._pool = None


async def _answered(future: Future[Answer]) -> Answer:
    """Wait for an answer; whoever is called away leaves the question, since executors stumble over one cancelled."""
    coming = asyncio.wrap_future(future)
    coming.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be left to hear of it
    return await asyncio.wait_for(asyncio.shield(coming), LONGEST)


class _Beginning(Context):
    """Starts processes, and remembers those it started.

    They are copies of one that has everything loaded, or begin from nothing; never copies of this one, since a copy of
    a process with threads is not whole.
    """

    def __init__(self) -> None:
        self.started: list[Process] = []
        if sys.platform == "linux":
            self.set_forkserver_preload([PATTERN])

    def Process(self, *args: Any, **options: Any) -> Process:  # type: ignore[override]  # noqa: N802
        """A new process."""
        process = Process(*args, **options)
        self.started.append(process)
        return process


class _Pool:
    """Processes that share a lifeline: a pipe whose other end only we hold, so that they know when we are gone."""

    def __init__(self, count: int) -> None:
        self._context = _Beginning()
        self._theirs, self._ours = self._context.Pipe(duplex=False)
        self.executor = ProcessPoolExecutor(count, self._context, get_ready, (self._theirs,))

    def end(self) -> None:
        """End all processes and wait until they are gone; what they were asked fails."""
        self._ours.close()
        self._theirs.close()
        for process in self._context.started:
            if process.is_alive():
                process.terminate()
        self.executor.shutdown()
