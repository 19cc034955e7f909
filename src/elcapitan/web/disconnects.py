"""Cancels work that only one request waits for when its client disconnects."""

from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from starlette.requests import Request

from elcapitan.meanwhile import unless

CLIENT_GONE: Final = 499  # the status for the log; the client does not read it

Result = TypeVar("Result")


async def while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result | None:
    """Run `work` and return its result, or cancel it and return None if the client disconnects first.

    Only for requests whose body is not read, because what else comes from the client is dropped.
    """
    return await unless(_disconnect(request), work)


async def _disconnect(request: Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
