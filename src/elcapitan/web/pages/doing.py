"""Doing something at a table, and what is answered: the table after it, or why it was refused."""

from collections.abc import Awaitable
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.errors import BadDatabase, ElCapitanError
from elcapitan.service import NoSuchGame, StaleMove, Table
from elcapitan.web.access import tables
from elcapitan.web.environment import page
from elcapitan.web.fragments import Notice, current, fragment
from elcapitan.web.scene import scene
from elcapitan.web.viewer import Viewer

NOTHING: Final = 204
NOT_FOUND: Final = 404
STALE: Final = 409
REFUSED: Final = 422
NOT_NOW: Final = 503


def seats_of(who: Viewer) -> frozenset[int]:
    """The seats that somebody decides for."""
    return who.rights.seats if who.rights else frozenset()


def status_of(error: ElCapitanError) -> int:
    """The status of a page that says why something was refused."""
    if isinstance(error, BadDatabase):
        return NOT_NOW
    return STALE if isinstance(error, StaleMove) else REFUSED


async def done(request: Request, name: str, who: Viewer, deed: Awaitable[Table], to: str = "") -> Response:
    """Do something, and show the table after it; what is refused is told with its rule."""
    notice, status = None, 200
    try:
        table = await deed
    except NoSuchGame:
        raise
    except ElCapitanError as error:
        table = await tables(request).get(name)
        notice, status = Notice.of(error, who.t), status_of(error)
    if request.headers.get("hx-request"):
        return HTMLResponse(fragment(table, who, notice) if notice else current(table, who), status)
    if notice:
        return table_page(request, table, who, notice, status)
    return RedirectResponse(f"/games/{name}{to}", 303)


def table_page(
    request: Request, table: Table, who: Viewer, notice: Notice | None = None, status: int = 200
) -> HTMLResponse:
    """The whole page around a table."""
    seen = scene(table, who)
    return page(
        request,
        "pages/table.html",
        status,
        table=table,
        scene=seen,
        notice=notice,
        live=not table.over or seen.by_link,  # there is more to follow where people talk
        now=round(1000 * table.read_at.timestamp()),  # clocks count by the time of the server
    )
