"""Responses to changes of a table: the table after it, or why it was refused."""

from collections.abc import Awaitable
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.errors import BadDatabase, ElCapitanError
from elcapitan.service import NoSuchGame, StaleVersion, Table
from elcapitan.web.auth import tables
from elcapitan.web.render import Notice, current_table, page, table_fragment
from elcapitan.web.view.table_view import table_view
from elcapitan.web.viewer import Viewer

NO_CONTENT: Final = 204
FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
STALE: Final = 409
REFUSED: Final = 422
NOT_NOW: Final = 503


def seats_of(who: Viewer) -> frozenset[int]:
    """Return the seats that a viewer decides for."""
    return who.rights.seats if who.rights else frozenset()


def status_of(error: ElCapitanError) -> int:
    """Return the status of a page that shows an error."""
    if isinstance(error, BadDatabase):
        return NOT_NOW
    return STALE if isinstance(error, StaleVersion) else REFUSED


async def respond(request: Request, name: str, who: Viewer, change: Awaitable[Table], to: str = "") -> Response:
    """Await a change of a table and show the table after it; if it is refused, with the reason and its rule."""
    notice, status = None, 200
    try:
        table = await change
    except NoSuchGame:
        raise
    except ElCapitanError as error:
        table = await tables(request).get(name)
        notice, status = Notice.of(error, who.t), status_of(error)
    if request.headers.get("hx-request"):
        return HTMLResponse(table_fragment(table, who, notice) if notice else current_table(table, who), status)
    if notice:
        return table_page(request, table, who, notice, status)
    return RedirectResponse(f"/games/{name}{to}", 303)


def table_page(
    request: Request, table: Table, who: Viewer, notice: Notice | None = None, status: int = 200
) -> HTMLResponse:
    """Answer with the whole page of a table."""
    view = table_view(table, who)
    return page(
        request,
        "pages/table.html",
        status,
        table=table,
        view=view,
        notice=notice,
        live=not table.over or view.by_link,  # people may go on talking after the end
        now=round(1000 * table.read_at.timestamp()),  # clocks count by the time of the server
    )
