"""Tasks and threads beside a request or a server: when they end, and to whom their processor time is charged.

A server sets `charge_to` and `requester` for each request. Tasks inherit both, so that work which a request begins in
another task or thread is charged too, if it is begun by the functions here.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from time import thread_time
from typing import Any, Final, Generic, TypeVar

ONCE_MORE: Final = 3.0  # seconds until whoever has not heard it is told again to end

Charge = Callable[[float], None]  # takes seconds
Result = TypeVar("Result")
logger = logging.getLogger(__name__)
charge_to: ContextVar[Charge | None] = ContextVar("charge_to", default=None)
requester: ContextVar[str] = ContextVar("requester", default="")  # an address, or nothing

# ------------------------------------------------------------------------------------------------------------- charging


class Metered(Generic[Result]):
    """Awaits something and charges for the time that each of its steps holds the event loop. Waiting costs nothing."""

    def __init__(self, work: Awaitable[Result], charge: Charge, clock: Callable[[], float] = thread_time) -> None:
        self._work, self._charge, self._clock = work, charge, clock

    def __await__(self) -> Generator[Any, Any, Result]:
        """Run step by step, as `await` does, between what is awaited and the event loop."""
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
                self._charge(self._clock() - began)
            value = problem = None
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


# --------------------------------------------------------------------------------------------------------------- ending


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
    working, stopping = charged_task(work), asyncio.create_task(stop)
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
