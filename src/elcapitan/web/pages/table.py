"""The table: looking at a game, acting in it, and following what happens."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Final

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from elcapitan.digits import whole_number
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.vocabulary import CITIES
from elcapitan.errors import BadDatabase, ElCapitanError
from elcapitan.service import NoSuchGame
from elcapitan.web.access import Host, Visitor, rights, tables
from elcapitan.web.disconnects import CLIENT_GONE, while_connected
from elcapitan.web.fragments import current, hint_fragment, message, payday_fragment, ways_fragment
from elcapitan.web.pages.doing import NOT_FOUND, NOTHING, REFUSED, done, seats_of, table_page
from elcapitan.web.pages.numbers import LONGEST_TURN, Number, Whole
from elcapitan.web.streams import EventStream

router = APIRouter(prefix="/games/{name}")
NOTHING_NEW: Final = b":\n\n"  # whoever passes messages on holds the last one, so the last one had better be small


@router.get("")
async def show(request: Request, name: str, who: Visitor) -> HTMLResponse:
    """The page of a table."""
    return table_page(request, await tables(request).get(name), who)


@router.get("/table")
async def show_fragment(request: Request, name: str, who: Visitor) -> HTMLResponse:
    """The table alone, as it is now."""
    return HTMLResponse(current(await tables(request).get(name), who))


@router.post("/act")
async def act(request: Request, name: str, who: Visitor, number: Number, actions: Annotated[str, Form()]) -> Response:
    """Play some actions: all of them, or none."""
    wanted = [whole_number(word, N_ACTIONS - 1) for word in actions.split(maxsplit=LONGEST_TURN - 1)]
    played = [action for action in wanted if action is not None]
    if len(played) < len(wanted):
        raise HTTPException(REFUSED)
    return await done(request, name, who, tables(request).act(name, number, played, seats_of(who)))


@router.post("/undo")
async def undo(request: Request, name: str, who: Visitor, number: Number, count: Number = 1) -> Response:
    """Take actions of the running turn back."""
    return await done(request, name, who, tables(request).undo(name, number, count, seats_of(who)))


@router.post("/redo")
async def redo(request: Request, name: str, who: Visitor, number: Number, count: Number = 1) -> Response:
    """Play again what was taken back."""
    return await done(request, name, who, tables(request).redo(name, number, count, seats_of(who)))


@router.post("/settings")
async def settings(request: Request, name: str, who: Host) -> Response:
    """Change how the table shows itself: the speed of computer players, the forecast, hints, talk, its title."""
    form = await request.form()
    wishes: dict[str, object] = {key: form[key] for key in ("pace", "forecast", "title") if key in form}
    wishes |= {key: form[key] == "on" for key in ("hints", "chat") if key in form}
    return await done(request, name, who, tables(request).change(name, **wishes))


@router.get("/ways/{city}")
async def ways(request: Request, name: str, city: Whole, who: Visitor) -> Response:
    """The cheapest ways to a city, for a person who is to move."""
    table = await tables(request).get(name)
    if not 0 <= city < CITIES:
        raise HTTPException(NOT_FOUND)
    if table.deciding is None or table.deciding not in seats_of(who) or not table.human(table.deciding):
        return Response(status_code=NOTHING)
    return HTMLResponse(ways_fragment(table, who, city))


@router.get("/hint")
async def hint(request: Request, name: str, number: Whole, who: Visitor) -> Response:
    """What a strong computer player would do, for whoever is to move; nothing when the question is out of date."""
    table = await tables(request).get(name)
    if table.deciding not in seats_of(who):
        return Response(status_code=NOTHING)
    try:
        suggestions = await while_connected(request, tables(request).hint(name, number))
    except (NoSuchGame, BadDatabase):
        raise
    except ElCapitanError:
        return Response(status_code=NOTHING)
    if suggestions is None:
        return Response(status_code=CLIENT_GONE)
    return HTMLResponse(hint_fragment(await tables(request).get(name), who, suggestions))


@router.get("/payday/{number}")
async def payday(request: Request, name: str, number: Whole, who: Visitor) -> HTMLResponse:
    """A payday that was held, step by step."""
    held = payday_fragment(await tables(request).get(name), who, number)
    if held is None:
        raise HTTPException(NOT_FOUND)
    return HTMLResponse(held)


@router.get("/events")
async def events(request: Request, name: str, who: Visitor, seen: str = "") -> Response:
    """The table again and again, whenever something has changed since what was seen.

    It ends when the key is taken away: whoever was removed hears nothing any more.
    """
    house = tables(request)
    await house.get(name)

    async def stream() -> AsyncGenerator[bytes, None]:
        try:
            async with aclosing(house.follow(name, seats_of(who))) as changes:
                async for _change in changes:
                    # Whoever goes away meanwhile must not cut off a look into the database.
                    if await asyncio.shield(rights(request, name)) != who.rights:
                        return
                    table = await house.get(name)
                    if table.version != seen:
                        yield message(table, who)
                        yield NOTHING_NEW
        except (NoSuchGame, BadDatabase):  # deleted meanwhile, or not to be read now: browsers ask again
            return

    return EventStream(stream())
