"""Whether the house is fit to play in, for whatever watches over it."""

import asyncio
import logging
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from elcapitan.service import Tables

FIT: Final = 200
UNFIT: Final = 503
PATIENCE: Final = 5.0  # seconds

logger = logging.getLogger(__name__)
router = APIRouter()


@router.get("/healthz")
async def healthz(request: Request) -> Response:
    """Whether the database answers and the rules are loaded; why not is for the log, not for whoever asks."""
    tables: Tables = request.app.state.tables
    try:
        async with asyncio.timeout(PATIENCE):
            await tables.check()
    except Exception as error:  # whatever it is, nobody can play
        logger.warning("not fit to play in: %s", type(error).__name__)
        return JSONResponse({"status": "unfit"}, UNFIT, {"Cache-Control": "no-store"})
    return JSONResponse({"status": "fit"}, FIT, {"Cache-Control": "no-store"})
