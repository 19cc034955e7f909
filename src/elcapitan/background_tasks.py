"""Background tasks and threads: how they end, and which request their processor time is charged to.

A server sets `charge_to`, `requester` and `overdrawn` for each request. Tasks inherit them, so that work which a
request begins in another task or thread is charged too, if it is begun by the functions here.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import ContextVar
from time import thread_time
from typing import Any, Final, Generic, TypeVar

from elcapitan.errors import TooMuch

CANCEL_AGAIN: Final = 3.0  # seconds until a task that still runs is cancelled again
BUSY_SECONDS: Final = 5  # until a request that found a queue of threads full should be sent again

Charge = Callable[[float], None]  # takes seconds
Result = TypeVar("Result")
logger = logging.getLogger(__name__)
charge_to: ContextVar[Charge | None] = ContextVar("charge_to", default=None)
requester: ContextVar[str] = ContextVar("requester", default="")  # an address, or nothing
# Says for how many seconds the requester should do nothing, because it has used up its budget.
overdrawn: ContextVar[Callable[[], float]] = ContextVar("overdrawn", default=float)

# ------------------------------------------------------------------------------------------------------------- charging


class Metered(Generic[Result]):
    """Awaits something and charges for the time that each of its steps holds the event loop. Waiting costs nothing."""

    def __init__(self, work: Awaitable[Result], charge: Charge, clock: Callable[[], float] = thread_time) -> None:
        self._work, self._charge, self._clock = work, charge, clock

    def __await__(self) -> Generator[Any, Any, Result]:
        """Run the awaited object step by step, as `await` does, and measure each step."""
        charge_to.set(self._charge)
        steps: Generator[Any, Any, Result] = self._work.__await__()
        value: Any = None
        problem: BaseException | None = None
        while True:
            began = self._clock()
            try:
                waits_for = steps.send(value) if problem is None else steps.throw(problem)
            except StopIteration as end:
                result: Result = end.value
                return result
            finally:
                value = problem = None  # a frame that keeps an exception which has passed it is garbage for long
                self._charge(self._clock() - began)
            try:
                value = yield waits_for
            except GeneratorExit:
                steps.close()
                raise
            except BaseException as error:
                problem = error


def charged_task(work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
    """Start a task whose time is charged like that of the task which starts it."""
    charge = charge_to.get()
    return asyncio.create_task(work if charge is None else _awaited(Metered(work, charge)))


async def _awaited(work: Awaitable[Result]) -> Result:
    """Await something, as a coroutine."""
    return await work


def kept(task: asyncio.Task[Result], running: set[asyncio.Task[Any]]) -> asyncio.Task[Result]:
    """Keep a task among those that are running until it ends, since asyncio may forget one that it alone refers to."""
    running.add(task)
    task.add_done_callback(running.discard)
    return task


def charged_call(work: Callable[..., Result]) -> Callable[..., Result]:
    """Return a function for a thread: it does the same, and its time is charged like that of the current task."""
    charge, loop = charge_to.get(), asyncio.get_running_loop()
    if charge is None:
        return work

    def measured(*arguments: object) -> Result:
        began = thread_time()
        try:
            return work(*arguments)
        finally:
            loop.call_soon_threadsafe(charge, thread_time() - began)

    return measured


class BoundedThreads:
    """Threads for one kind of slow work, with a bounded queue. Calls are charged to the requests that make them."""

    def __init__(self, name: str, threads: int, waiting: int, refusal: str) -> None:
        self._executor = ThreadPoolExecutor(threads, name)
        self._most = threads + waiting
        self._refusal = refusal  # the reason code if too many calls wait
        self._open = 0  # calls that wait or run

    async def run(self, work: Callable[..., Result], *arguments: object) -> Result:
        """Call `work` in a thread. Raises `TooMuch` at once if too many calls wait."""
        if self._open >= self._most:
            raise TooMuch(self._refusal, BUSY_SECONDS)
        self._open += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, charged_call(work), *arguments)
        finally:
            self._open -= 1

    def close(self) -> None:
        """Drop the calls that wait, and do not wait for those that run."""
        self._executor.shutdown(wait=False, cancel_futures=True)


# --------------------------------------------------------------------------------------------------------------- ending


@asynccontextmanager
async def in_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run a background task for the duration of a `with` block; cancel it on exit, and log its error if it fails."""
    task = asyncio.create_task(work)
    task.add_done_callback(_log_failure)
    try:
        yield
    finally:
        await cancel_and_wait(task)


async def run_unless(stop: Coroutine[Any, Any, None], work: Coroutine[Any, Any, Result]) -> Result | None:
    """Run `work` to its end and return its result, or cancel it and return None if `stop` ends first."""
    working, stopping = charged_task(work), asyncio.create_task(stop)
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        await cancel_and_wait(working, stopping)


async def cancel_and_wait(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait until they have ended, even if the caller is cancelled meanwhile.

    Before Python 3.12 `asyncio.wait_for`, which database drivers use, forgets a cancellation that comes at the same
    moment as the result. So a task that goes on is cancelled again.
    """
    left, cancelled = set(tasks), False
    while left:
        for task in left:
            task.cancel()
        try:
            await asyncio.wait(left, timeout=CANCEL_AGAIN)
        except asyncio.CancelledError:
            cancelled = True
        left = {task for task in left if not task.done()}
    for task in tasks:
        _ = task.cancelled() or task.exception()  # marks the error as seen; asyncio would log it otherwise
    if cancelled:
        raise asyncio.CancelledError


def _log_failure(task: asyncio.Task[None]) -> None:
    """Log the error of a task that has failed."""
    if not task.cancelled() and (error := task.exception()):
        logger.error("something has stopped that should go on", exc_info=error)
