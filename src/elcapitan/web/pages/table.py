"""The table: looking at a game, acting in it, and following what happens."""

from collections.abc import AsyncIterator, Awaitable
from typing import Annotated, Final

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sse_starlette import EventSourceResponse

from elcapitan.engine.vocabulary import CITIES
from elcapitan.errors import ElCapitanError
from elcapitan.service import NoSuchGame, StaleMove, Table
from elcapitan.web.environment import page
from elcapitan.web.fragments import Notice, current, fragment, hint_fragment, payday_fragment, ways_fragment
from elcapitan.web.pages.games import tables
from elcapitan.web.scene import scene
from elcapitan.web.viewer import viewer

router = APIRouter(prefix="/games/{name}")
NOTHING: Final = 204
NOT_FOUND: Final = 404
STALE: Final = 409
REFUSED: Final = 422
PING: Final = 15  # seconds between two signs of life of an event stream

Number = Annotated[int, Form()]


@router.get("")
async def show(request: Request, name: str) -> HTMLResponse:
    """The page of a table."""
    return _page(request, await tables(request).get(name))


@router.get("/table")
async def show_fragment(request: Request, name: str) -> HTMLResponse:
    """The table alone, as it is now."""
    return HTMLResponse(current(await tables(request).get(name), viewer(request)))


@router.post("/act")
async def act(request: Request, name: str, number: Number, actions: Annotated[str, Form()]) -> Response:
    """Play some actions: all of them, or none."""
    try:
        wanted = [int(word) for word in actions.split()]
    except ValueError:
        raise HTTPException(REFUSED) from None
    return await _done(request, name, tables(request).act(name, number, wanted))


@router.post("/undo")
async def undo(request: Request, name: str, number: Number, count: Number = 1) -> Response:
    """Take actions of the running turn back."""
    return await _done(request, name, tables(request).undo(name, number, count))


@router.post("/redo")
async def redo(request: Request, name: str, number: Number, count: Number = 1) -> Response:
    """Play again what was taken back."""
    return await _done(request, name, tables(request).redo(name, number, count))


@router.post("/settings")
async def settings(request: Request, name: str) -> Response:
    """Change how the table shows itself: the speed of computer players, the forecast, hints."""
    form = await request.form()
    wishes: dict[str, object] = {key: form[key] for key in ("pace", "forecast") if key in form}
    if "hints" in form:
        wishes["hints"] = form["hints"] == "on"
    return await _done(request, name, tables(request).change(name, **wishes))


@router.get("/ways/{city}")
async def ways(request: Request, name: str, city: int) -> Response:
    """The cheapest ways to a city, for a person who is to move."""
    table = await tables(request).get(name)
    if not 0 <= city < CITIES:
        raise HTTPException(NOT_FOUND)
    if table.deciding is None or not table.human(table.deciding):
        return Response(status_code=NOTHING)
    return HTMLResponse(ways_fragment(table, viewer(request), city))


@router.get("/hint")
async def hint(request: Request, name: str, number: int) -> Response:
    """What a strong computer player would do; nothing when the question is out of date."""
    try:
        suggestions = await tables(request).hint(name, number)
    except NoSuchGame:
        raise
    except ElCapitanError:
        return Response(status_code=NOTHING)
    return HTMLResponse(hint_fragment(await tables(request).get(name), viewer(request), suggestions))


@router.get("/payday/{number}")
async def payday(request: Request, name: str, number: int) -> HTMLResponse:
    """A payday that was held, step by step."""
    held = payday_fragment(await tables(request).get(name), viewer(request), number)
    if held is None:
        raise HTTPException(NOT_FOUND)
    return HTMLResponse(held)


@router.get("/events")
async def events(request: Request, name: str, seen: int | None = None) -> Response:
    """The table again and again, whenever something has changed since what was seen."""
    house, who = tables(request), viewer(request)
    await house.get(name)

    async def stream() -> AsyncIterator[bytes]:
        try:
            async for _version in house.follow(name):
                table = await house.get(name)
                if table.number != seen:
                    yield encoded(current(table, who))
        except NoSuchGame:  # it was deleted meanwhile
            return

    return EventSourceResponse(stream(), ping=PING, headers={"X-Accel-Buffering": "no", "Cache-Control": "no-store"})


def encoded(html: str) -> bytes:
    """A message of an event stream, in one line, because browsers take such a stream apart line by line."""
    return f"data: {' '.join(html.splitlines())}\n\n".encode()


async def _done(request: Request, name: str, deed: Awaitable[Table]) -> Response:
    """Do something, and show the table after it; what is refused is told with its rule."""
    who, notice, status = viewer(request), None, 200
    try:
        table = await deed
    except NoSuchGame:
        raise
    except ElCapitanError as error:
        table = await tables(request).get(name)
        notice, status = Notice.of(error, who.t), STALE if isinstance(error, StaleMove) else REFUSED
    if request.headers.get("hx-request"):
        return HTMLResponse(fragment(table, who, notice) if notice else current(table, who), status)
    if notice:
        return _page(request, table, notice, status)
    return RedirectResponse(f"/games/{name}", 303)


def _page(request: Request, table: Table, notice: Notice | None = None, status: int = 200) -> HTMLResponse:
    """The whole page around a table."""
    who = viewer(request)
    seen = scene(table, who)
    return page(request, "pages/table.html", status, table=table, scene=seen, notice=notice, live=not seen.over)
