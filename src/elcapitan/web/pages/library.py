"""The library: games to take away, to bring along and to throw away."""

from typing import Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import FormData, UploadFile

from elcapitan.errors import BadDatabase, ElCapitanError, TooMuch
from elcapitan.web.access import Host, Visitor, forget, tables, to_own_table
from elcapitan.web.environment import page
from elcapitan.web.fragments import Notice
from elcapitan.web.meter import in_thread
from elcapitan.web.pages.games import shelf
from elcapitan.web.viewer import viewer

router = APIRouter()
NOT_FOUND, REFUSED = 404, 422
MEDIA_TYPES: Final = {"capitan": "text/plain; charset=utf-8", "json": "application/json"}


@router.get("/games/{name}/export/{form}")
async def export(request: Request, name: str, form: str, _who: Visitor) -> Response:
    """A game as a file to keep."""
    if form not in MEDIA_TYPES:
        raise HTTPException(NOT_FOUND)
    house = tables(request)
    table = await house.get(name)
    headers = {
        "Content-Disposition": f'attachment; filename="elcapitan-{table.id}.{form}"',
        "Cache-Control": "no-store",
    }
    record = await in_thread(house.export, table, form)  # it is played again for that
    return Response(record, media_type=MEDIA_TYPES[form], headers=headers)


@router.post("/games/import")
async def bring(request: Request) -> Response:
    """Take a game in, from a file or from a text; a record that does not hold is refused with the reason."""
    t = viewer(request).t
    async with request.form() as sent:
        content, filename = await _brought(sent)
    if not content.strip():
        return await _refused(request, Notice(t.text("Choose a file, or paste the text of a game.")))
    try:
        table = await tables(request).bring(content, filename)
    except (BadDatabase, TooMuch):
        raise
    except ElCapitanError as error:
        return await _refused(request, Notice.of(error, t), "" if filename else content.decode())
    return await to_own_table(request, table)


async def _brought(sent: FormData) -> tuple[bytes, str]:
    """What was sent, a file before a text, and the name of the file."""
    file = sent.get("file")
    if isinstance(file, UploadFile) and file.filename:
        return await file.read(), file.filename
    return str(sent.get("text") or "").encode(), ""


async def _refused(request: Request, mistake: Notice, pasted: str = "") -> Response:
    """The start page again, with what is wrong; what was pasted is still there."""
    return page(request, "pages/start.html", REFUSED, games=await shelf(request), mistake=mistake, pasted=pasted)


@router.post("/games/{name}/delete")
async def delete(request: Request, name: str, _who: Host) -> Response:
    """Throw a game away."""
    await tables(request).delete(name)
    response = RedirectResponse("/", 303)
    forget(request, response, name)
    return response
