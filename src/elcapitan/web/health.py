"""Whether games can be played here, for whatever watches over the server."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

FIT: Final = 200
UNFIT: Final = 503
PATIENCE: Final = 5.0  # seconds until a check that does not end counts as failed
EVERY: Final = 10.0  # seconds from one check to the next, shared by all who ask

logger = logging.getLogger(__name__)
router = APIRouter()


class Health:
    """Checks whether games can be played, at most once in a while for all who ask."""

    def __init__(self, check: Callable[[], Awaitable[None]], clock: Callable[[], float] = time.monotonic) -> None:
        self._check = check
        self._clock = clock
        self._began = 0.0
        self._result: asyncio.Task[bool] | None = None

    async def fit(self) -> bool:
        """Whether the last check went well; a new one is made if that was some time ago.

        A check that takes too long goes on, because a query that is cut off costs a connection.
        """
        now = self._clock()
        if self._result is None or (self._result.done() and now - self._began >= EVERY):
            self._began = now
            self._result = asyncio.create_task(self._checked())
        done, _pending = await asyncio.wait([self._result], timeout=PATIENCE)
        return bool(done) and self._result.result()

    async def close(self) -> None:
        """Wait for a check that is under way."""
        if self._result:
            await asyncio.wait([self._result], timeout=PATIENCE)

    async def _checked(self) -> bool:
        """Make a check; why it fails is for the log."""
        try:
            await self._check()
        except Exception as error:  # whatever it is, nobody can play
            logger.warning("not fit to play in: %s", type(error).__name__)
            return False
        return True


@router.get("/healthz")
async def healthz(request: Request) -> Response:
    """Whether the database can be written and read and the rules are loaded; why not is not told."""
    health: Health = request.app.state.health
    fit = await health.fit()
    return JSONResponse({"status": "fit" if fit else "unfit"}, FIT if fit else UNFIT, {"Cache-Control": "no-store"})
