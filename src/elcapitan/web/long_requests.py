"""Requests that take long: streams, records and other slow work, and what ends with the connection or the server."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elcapitan.background_tasks import (
    BoundedThreads,
    cancel_and_wait,
    charged_task,
    overdrawn,
    requester,
    run_unless,
)
from elcapitan.service import Table, Tables

CLIENT_GONE: Final = 499  # the status for the log; the client does not read it
RETRY: Final = 5  # seconds until a server that stops may be back
PING: Final = 15  # seconds between two comments that keep a stream open
HEADERS: Final = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
THREADS: Final = 2  # for slow work of requests, such as exports
MOST_WAITING: Final = 40  # pieces of such work that wait for a thread: some seconds of it
MEDIA_TYPES: Final = {"capitan": "text/plain; charset=utf-8", "json": "application/json"}  # of records

Result = TypeVar("Result")

_drawing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by address
_threads = BoundedThreads("requests", THREADS, MOST_WAITING, "too-many-requests")


class EventStream(EventSourceResponse):
    """A response that sends messages as they come, until there are no more or the client disconnects.

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
        tasks = [charged_task(part) for part in parts]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await cancel_and_wait(*tasks)
        for task in tasks:
            if not task.cancelled():
                task.result()  # raises what went wrong


async def within_budget() -> None:
    """Wait as long as the address of this request has used up its budget."""
    if seconds := overdrawn.get()():
        await asyncio.sleep(seconds)


@asynccontextmanager
async def drawing_turn() -> AsyncIterator[None]:
    """Let the streams of one address draw one after another, each for the duration of a `with` block.

    All streams of a table wake at the same moment: drawn in one go, those of one address would hold up all others.
    """
    async with _drawing.setdefault(requester.get(), asyncio.Lock()):
        await asyncio.sleep(0)  # lets others go on
        yield


class AnswerWhenStopped:
    """Middleware around everything else that answers the requests which a server cancels when it stops."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; if it is cancelled before it is answered, answer that the server stops."""
        answered = False

        async def sending(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except asyncio.CancelledError:
            if answered or scope["type"] != "http":
                raise
            status = HTTPStatus.SERVICE_UNAVAILABLE
            await PlainTextResponse(status.phrase, status, {"Retry-After": str(RETRY)})(scope, receive, send)


async def while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result | None:
    """Run `work` and return its result, or cancel it and return None if the client disconnects first.

    Only for requests whose body is not read, because what else comes from the client is dropped.
    """
    return await run_unless(_disconnect(request), work)


async def _disconnect(request: Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def in_thread(work: Callable[..., Result], *arguments: object) -> Result:
    """Run work in a thread kept for requests, and charge the time to the request.

    Raises `TooMuch` if too much work waits. Other threads, which load tables, are not held up by it.
    """
    return await _threads.run(work, *arguments)


async def record_response(
    tables: Tables, table: Table, form: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Answer with the record of a game in one of the forms of `MEDIA_TYPES`. Slow, because the game is replayed."""
    record = await in_thread(tables.export, table, form)
    return Response(record, media_type=MEDIA_TYPES[form], headers={"Cache-Control": "no-store", **(headers or {})})
