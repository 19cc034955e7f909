"""Threads for the slow work of requests, such as exports: few of them, with a queue that refuses when it is full."""

from collections.abc import Callable
from typing import Final, TypeVar

from elcapitan.errors import TooMuch
from elcapitan.service.bounded_threads import BoundedThreads, QueueFull

THREADS: Final = 2  # for slow work of requests, such as exports
MOST_WAITING: Final = 40  # pieces of such work that wait for a thread: some seconds of it
BUSY_SECONDS: Final = 5  # until a request that found the queue full should be sent again

Result = TypeVar("Result")

_threads = BoundedThreads("requests", THREADS, MOST_WAITING)


async def in_thread(work: Callable[..., Result], *arguments: object) -> Result:
    """Run work in a thread kept for requests, which is charged to the request.

    Raises `TooMuch` if too much work waits: other threads, which load tables for everybody, are not held up by it.
    """
    try:
        return await _threads.run(work, *arguments)
    except QueueFull:
        raise TooMuch("too-many-requests", BUSY_SECONDS) from None
