"""Measures how much of the server's time a request uses, wherever that time is spent.

A request is charged for the processor time of its own task, step by step, and for what it does `in_thread`. Waiting
costs nothing. What a stream sends after a change is not charged: it is drawn once for all readers, and the change was.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextvars import ContextVar
from time import thread_time
from typing import Any, Final, TypeVar

from elcapitan.errors import TooMuch
from elcapitan.service.bounded_threads import BoundedThreads, QueueFull

THREADS: Final = 2  # for slow work of requests, such as exports
MOST_WAITING: Final = 40  # pieces of such work that wait for a thread: some seconds of it
BUSY_SECONDS: Final = 5  # until a request that found the queue full should be sent again

Charge = Callable[[float], None]  # takes seconds
Result = TypeVar("Result")

_threads = BoundedThreads("requests", THREADS, MOST_WAITING)
_charge: ContextVar[Charge | None] = ContextVar("charge", default=None)


class Metered:
    """Awaits something and charges for the time that each of its steps holds the event loop."""

    def __init__(self, work: Awaitable[None], charge: Charge, clock: Callable[[], float] = thread_time) -> None:
        self._work, self._charge, self._clock = work, charge, clock

    def __await__(self) -> Generator[Any, Any, None]:
        """Run step by step, as `await` does, between what is awaited and the event loop."""
        _charge.set(self._charge)
        steps: Generator[Any, Any, None] = self._work.__await__()
        value: Any = None
        problem: BaseException | None = None
        while True:
            began = self._clock()
            try:
                waits_for = steps.send(value) if problem is None else steps.throw(problem)
            except StopIteration:
                return
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


async def in_thread(work: Callable[..., Result], *arguments: object) -> Result:
    """Run work in a thread kept for requests, and charge the request for the time it took there.

    Raises `TooMuch` if too much work waits: other threads, which load tables for everybody, are not held up by it.
    """
    charge, loop = _charge.get(), asyncio.get_running_loop()

    def measured() -> Result:
        began = thread_time()
        try:
            return work(*arguments)
        finally:
            if charge is not None:
                loop.call_soon_threadsafe(charge, thread_time() - began)

    try:
        return await _threads.run(measured)
    except QueueFull:
        raise TooMuch("too-many-requests", BUSY_SECONDS) from None
