"""After the end of a game: its dearest mistake, its result as a picture, a rematch, and the same deal again."""

from http import HTTPStatus

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.service.bot_pool import NoAnswer
from elcapitan.service.derived_games import Reviews, keys_to_rematch, rematch, same_deal
from elcapitan.web.auth import (
    Host,
    NotAllowed,
    Visitor,
    needs_no_key,
    redirect_to_own_table,
    remember_keys,
    tables,
    tokens,
)
from elcapitan.web.long_requests import in_thread
from elcapitan.web.render import mistake_fragment
from elcapitan.web.view.results import result_picture

router = APIRouter(prefix="/games/{name}")


def _reviews(request: Request) -> Reviews:
    """Return the reviews of this server."""
    found: Reviews = request.app.state.reviews
    return found


@router.get("/mistake")
async def mistake(request: Request, name: str, who: Visitor) -> Response:
    """Show the dearest mistake of a finished game once it is found, or the next thing that decided it."""
    table = await tables(request).get(name)
    if not table.game.over:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    try:
        found = await _reviews(request).mistake(table)
    except NoAnswer:
        found = None
    fragment = mistake_fragment(table, who, found)
    return Response(status_code=HTTPStatus.NO_CONTENT) if fragment is None else HTMLResponse(fragment)


@router.get("/picture")
async def picture(request: Request, name: str, who: Visitor) -> Response:
    """Download the result of a finished game as a picture."""
    table = await tables(request).get(name)
    if not table.game.over:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    drawn = await in_thread(result_picture, table, who, _reviews(request).known(name))
    attachment = f'attachment; filename="elcapitan-{table.id}.svg"'
    return Response(drawn, media_type="image/svg+xml", headers={"Content-Disposition": attachment})


@router.post("/rematch")
async def open_rematch(request: Request, name: str, _who: Host) -> Response:
    """Open another game for the same people, or go to the one that is open; the next seat begins."""
    return await redirect_to_own_table(request, await rematch(tables(request), name))


@router.post("/rematch/seat")
async def take_seat(request: Request, name: str, _who: Visitor) -> Response:
    """Take one's seats at the rematch: those to which the caller has keys at this table, and no others."""
    table = await tables(request).get(name)
    if not table.settings.rematch:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    response = RedirectResponse(f"/games/{table.settings.rematch}", 303)
    held = await tables(request).keys.roles(name, tokens(request, name))
    keys = await keys_to_rematch(tables(request), name, held)
    if not keys:
        if not needs_no_key(request):
            raise NotAllowed
        return response
    await remember_keys(request, response, table.settings.rematch, keys.values())
    return response


@router.post("/again")
async def play_again(request: Request, name: str, _who: Visitor) -> Response:
    """Start a game of one's own with the cards of this finished one, in the same order."""
    return await redirect_to_own_table(request, await same_deal(tables(request), name))
