"""Looking back: any moment of a game, running or finished, and going on from there in another way."""

from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from elcapitan.service.plan import FRIEND, HUMAN
from elcapitan.web.access import Visitor, tables, to_own_table
from elcapitan.web.environment import page
from elcapitan.web.fragments import fragment
from elcapitan.web.pages.numbers import Whole
from elcapitan.web.scene import scene

router = APIRouter(prefix="/games/{name}")


@router.get("/replay")
async def replay(request: Request, name: str, who: Visitor, at: Whole | None = None) -> HTMLResponse:
    """A moment of a game: after so many events; the last one if none is named."""
    table = await tables(request).get(name)
    last = len(table.game.events)
    moment = last if at is None else min(max(at, 1), last)
    if request.headers.get("hx-request"):
        return HTMLResponse(fragment(table, who, at=moment))
    seen = scene(table, who, moment)
    return page(request, "pages/table.html", table=table, scene=seen, notice=None, live=False, now=0)


@router.post("/branch")
async def branch(request: Request, name: str, at: Whole, _who: Visitor) -> Response:
    """Go on from a moment in a new game of one's own; what is face down there is shuffled anew."""
    table = await tables(request).get(name)
    alone = [
        replace(seat, player=HUMAN if seat.player == FRIEND else seat.player, stand_in="", free=False, late=False)
        for seat in table.plan.seats
    ]
    return await to_own_table(request, await tables(request).branch(name, at, alone))
