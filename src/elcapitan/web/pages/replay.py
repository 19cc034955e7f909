"""Looking back: any moment of a game, running or finished, and going on from there in another way."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.web.environment import page
from elcapitan.web.fragments import fragment
from elcapitan.web.pages.games import tables
from elcapitan.web.scene import scene
from elcapitan.web.viewer import viewer

router = APIRouter(prefix="/games/{name}")


@router.get("/replay")
async def replay(request: Request, name: str, at: int | None = None) -> HTMLResponse:
    """A moment of a game: after so many events; the last one if none is named."""
    table, who = await tables(request).get(name), viewer(request)
    last = len(table.game.events)
    moment = last if at is None else min(max(at, 1), last)
    if request.headers.get("hx-request"):
        return HTMLResponse(fragment(table, who, at=moment))
    seen = scene(table, who, moment)
    return page(request, "pages/table.html", table=table, scene=seen, notice=None, live=False)


@router.post("/branch")
async def branch(request: Request, name: str, at: int) -> Response:
    """Go on from a moment in a new game; what is face down there is shuffled anew."""
    table = await tables(request).branch(name, at)
    return RedirectResponse(f"/games/{table.id}", 303)
