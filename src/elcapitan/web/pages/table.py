"""The table: looking at a game, acting in it, following it, and replaying it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.vocabulary import CITIES
from elcapitan.errors import BadDatabase, ElCapitanError
from elcapitan.service import NoSuchGame
from elcapitan.service.settings import FRIEND, HUMAN
from elcapitan.untrusted_input import whole_number
from elcapitan.web.auth import Host, Visitor, rights, tables, to_own_table
from elcapitan.web.long_requests import CLIENT_GONE, EventStream, while_connected
from elcapitan.web.pages.form_fields import LONGEST_TURN, Number, Text, Whole
from elcapitan.web.pages.responses import NO_CONTENT, NOT_FOUND, REFUSED, respond, seats_of, table_page
from elcapitan.web.render import (
    current_table,
    hint_fragment,
    page,
    payday_fragment,
    routes_fragment,
    table_event,
    table_fragment,
)
from elcapitan.web.view.payday_stage import staged_payday
from elcapitan.web.view.table_view import table_view

router = APIRouter(prefix="/games/{name}")
NOTHING_NEW: Final = b":\n\n"  # a small last message, because proxies may hold the last one back


@router.get("")
async def show(request: Request, name: str, who: Visitor) -> HTMLResponse:
    """Show the page of a table."""
    return table_page(request, await tables(request).get(name), who)


@router.get("/table")
async def show_fragment(request: Request, name: str, who: Visitor) -> HTMLResponse:
    """Answer with the table alone, as it is now."""
    return HTMLResponse(current_table(await tables(request).get(name), who))


@router.post("/act")
async def act(request: Request, name: str, who: Visitor, number: Number, actions: Text) -> Response:
    """Play some actions: all of them, or none."""
    wanted = [whole_number(word, N_ACTIONS - 1) for word in actions.split(maxsplit=LONGEST_TURN - 1)]
    played = [action for action in wanted if action is not None]
    if len(played) < len(wanted):
        raise HTTPException(REFUSED)
    return await respond(request, name, who, tables(request).act(name, number, played, seats_of(who)))


@router.post("/undo")
async def undo(request: Request, name: str, who: Visitor, number: Number, count: Number = 1) -> Response:
    """Undo actions of the running turn."""
    return await respond(request, name, who, tables(request).undo(name, number, count, seats_of(who)))


@router.post("/redo")
async def redo(request: Request, name: str, who: Visitor, number: Number, count: Number = 1) -> Response:
    """Play again what was undone."""
    return await respond(request, name, who, tables(request).redo(name, number, count, seats_of(who)))


@router.post("/settings")
async def settings(request: Request, name: str, who: Host) -> Response:
    """Change settings of the table: speed of computer players, forecast, hints, chat, title."""
    form = await request.form()
    wishes: dict[str, object] = {key: form[key] for key in ("pace", "forecast", "title") if key in form}
    wishes |= {key: form[key] == "on" for key in ("hints", "chat") if key in form}
    return await respond(request, name, who, tables(request).change(name, **wishes))


@router.get("/ways/{city}")
async def routes(request: Request, name: str, city: Whole, who: Visitor) -> Response:
    """Show the cheapest routes to a city to the person whose turn it is."""
    table = await tables(request).get(name)
    if not 0 <= city < CITIES:
        raise HTTPException(NOT_FOUND)
    if table.deciding is None or table.deciding not in seats_of(who) or not table.human(table.deciding):
        return Response(status_code=NO_CONTENT)
    return HTMLResponse(routes_fragment(table, who, city))


@router.get("/hint")
async def hint(request: Request, name: str, number: Whole, who: Visitor) -> Response:
    """Show what a strong computer player would do; nothing if it is not the caller's turn, or not any more."""
    table = await tables(request).get(name)
    if table.deciding not in seats_of(who):
        return Response(status_code=NO_CONTENT)
    try:
        suggestions = await while_connected(request, tables(request).hint(name, number))
    except (NoSuchGame, BadDatabase):
        raise
    except ElCapitanError:
        return Response(status_code=NO_CONTENT)
    if suggestions is None:
        return Response(status_code=CLIENT_GONE)
    return HTMLResponse(hint_fragment(await tables(request).get(name), who, suggestions))


@router.get("/payday/{number}")
async def payday(request: Request, name: str, number: Whole, who: Visitor) -> HTMLResponse:
    """Show a payday that was held, step by step, on the table as it was when it began."""
    table = await tables(request).get(name)
    if request.headers.get("hx-request"):
        fragment = payday_fragment(table, who, number)
        if fragment is None:
            raise HTTPException(NOT_FOUND)
        return HTMLResponse(fragment)
    seen = staged_payday(table, who, number)
    if seen is None:
        raise HTTPException(NOT_FOUND)
    return page(request, "pages/table.html", table=table, view=seen, notice=None, live=False, now=0)


@router.get("/events")
async def events(request: Request, name: str, who: Visitor, seen: str = "") -> Response:
    """Send the table whenever it has changed since the version `seen`, until the caller's key is revoked."""
    await tables(request).get(name)

    async def stream() -> AsyncGenerator[bytes, None]:
        try:
            async with aclosing(tables(request).follow(name, seats_of(who))) as changes:
                async for _change in changes:
                    # Whoever goes away meanwhile must not cut off a look into the database.
                    if await asyncio.shield(rights(request, name)) != who.rights:
                        return
                    table = await tables(request).get(name)
                    if table.version != seen:
                        yield table_event(table, who)
                        yield NOTHING_NEW
        except (NoSuchGame, BadDatabase):  # deleted meanwhile, or not to be read now: browsers ask again
            return

    return EventStream(stream())


@router.get("/replay")
async def replay(request: Request, name: str, who: Visitor, at: Whole | None = None) -> HTMLResponse:
    """Show the game after `at` events; as it is now by default."""
    table = await tables(request).get(name)
    last = len(table.game.events)
    moment = last if at is None else min(max(at, 1), last)
    if request.headers.get("hx-request"):
        return HTMLResponse(table_fragment(table, who, at=moment))
    seen = table_view(table, who, moment)
    return page(request, "pages/table.html", table=table, view=seen, notice=None, live=False, now=0)


@router.post("/branch")
async def branch(request: Request, name: str, at: Whole, _who: Visitor) -> Response:
    """Start a new game of one's own from a moment; the face-down cards are shuffled again."""
    table = await tables(request).get(name)
    alone = [
        replace(seat, player=HUMAN if seat.player == FRIEND else seat.player, stand_in="", free=False, late=False)
        for seat in table.plan.seats
    ]
    return await to_own_table(request, await tables(request).branch(name, at, alone))
