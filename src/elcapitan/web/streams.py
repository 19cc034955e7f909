"""Event streams as they are sent to pages and to programs."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from sse_starlette import EventSourceResponse
from starlette.types import Receive, Scope, Send

from elcapitan.meanwhile import ended

PING: Final = 15  # seconds between two signs of life of a stream
HEADERS: Final = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}


class EventStream(EventSourceResponse):
    """A response that sends messages as they come, until there are no more or the reader hangs up.

    sse-starlette (tested with 3.7) runs its four parts in a task group of anyio, which leaves the exception of every
    cancelled task in a frame of that exception's own traceback. Until all garbage is collected, such a cycle holds the
    request, the table that was followed and what was made of it. Here the same parts run as plain tasks.
    """

    def __init__(self, messages: AsyncGenerator[bytes, None]) -> None:
        super().__init__(messages, ping=PING, headers=HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send messages until the first part ends, then cancel the others."""
        if scope["method"] == "HEAD":
            await super().__call__(scope, receive, send)
            return
        parts = (
            self._stream_response(send),
            self._ping(send),
            self._listen_for_exit_signal_with_grace(),
            self._listen_for_disconnect(receive),
        )
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await ended(*tasks)
        for task in tasks:
            if not task.cancelled():
                task.result()  # raises what went wrong
