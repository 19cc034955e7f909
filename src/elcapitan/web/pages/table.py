"""The table: looking at a game, acting in it, chat and votes, following it, and replaying it."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from elcapitan.engine.vocabulary import CITIES
from elcapitan.errors import BadDatabase, ElCapitanError
from elcapitan.service import NoSuchGame, Table
from elcapitan.service.derived_games import check_what_if_allowed
from elcapitan.service.table_settings import FRIEND, HUMAN
from elcapitan.web.auth import Host, NotAllowed, Player, Visitor, own_seat, redirect_to_own_table, rights, tables
from elcapitan.web.long_requests import CLIENT_GONE, EventStream, drawing_turn, while_connected, within_budget
from elcapitan.web.pages.forms import Number, SomeSeat, Text, Whole, action_numbers, answer_page, respond, table_page
from elcapitan.web.render import (
    chances_fragment,
    current_table,
    hint_fragment,
    page,
    payday_fragment,
    routes_fragment,
    table_event,
    table_fragment,
)
from elcapitan.web.view.offers import HELD
from elcapitan.web.view.table_view import table_at_payday, table_view
from elcapitan.web.viewer import BY_BUTTON, Viewer

router = APIRouter(prefix="/games/{name}")
COMPUTERS: Final = "computers"  # computer players play for those who are missing; otherwise the game waits for them
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
    """Play some actions: all of them, or none. The word "staged" plays the held action.

    A last action that ends the turn is only held at first, unless the viewer has chosen that turns end automatically:
    then a turn also ends when something was built.
    """
    if actions == HELD:
        return await respond(request, name, who, tables(request).play_held(name, number, who.seats))
    played, hold = action_numbers(actions), who.turn_end == BY_BUTTON
    move = tables(request).act(name, number, played, who.seats, hold=hold, end=not hold)
    return await respond(request, name, who, move)


@router.post("/undo")
async def undo(request: Request, name: str, who: Visitor, number: Number, count: Number = 1) -> Response:
    """Undo actions of the running turn."""
    return await respond(request, name, who, tables(request).undo(name, number, count, who.seats))


@router.post("/redo")
async def redo(request: Request, name: str, who: Visitor, number: Number, count: Number = 1) -> Response:
    """Play again what was undone."""
    return await respond(request, name, who, tables(request).redo(name, number, count, who.seats))


# ------------------------------------------------------------------------------------------- chat and undo votes


@router.post("/say")
async def say(request: Request, name: str, who: Player, text: Text = "", seat: SomeSeat = None) -> Response:
    """Send a chat message to the table."""
    speaker = own_seat(who, await tables(request).get(name), seat)
    return await respond(request, name, who, tables(request).say(name, speaker, text))


@router.post("/wish")
async def ask_undo(
    request: Request, name: str, who: Player, number: Number, at: Number, seat: SomeSeat = None
) -> Response:
    """Ask the others to go back to an earlier moment."""
    asking = own_seat(who, await tables(request).get(name), seat)
    if asking is None:
        raise NotAllowed
    return await respond(request, name, who, tables(request).ask_undo(name, number, asking, at))


@router.post("/answer")
async def answer_undo(
    request: Request, name: str, who: Player, number: Number, yes: Annotated[bool, Form()], seat: SomeSeat = None
) -> Response:
    """Agree to go back, or refuse: for all seats of the caller that are asked, or for one of them."""
    own_seat(who, await tables(request).get(name), seat)
    return await respond(request, name, who, _answered(request, name, who, number, seat, yes=yes))


async def _answered(request: Request, name: str, who: Viewer, number: int, seat: int | None, *, yes: bool) -> Table:
    """Vote for one seat after the other, and return the table after the last vote."""
    table = await tables(request).get(name)
    for each in [seat] if seat is not None else _voting(table, who.seats):
        table = await tables(request).answer_undo(name, number, each, yes=yes)
        number = table.number
    return table


def _voting(table: Table, mine: frozenset[int]) -> list[int]:
    """Return those of the caller's seats that are asked; if none is, the one that asked, which may withdraw."""
    asked = table.undo_vote.waiting & mine if table.undo_vote else frozenset()
    own = table.undo_vote.seat if table.undo_vote and table.undo_vote.seat in mine else min(mine, default=None)
    if not asked and own is None:
        raise NotAllowed
    return sorted(asked) if asked or own is None else [own]


# --------------------------------------------------------------------------------------------- settings and looking


@router.post("/settings")
async def settings(request: Request, name: str, who: Host) -> Response:
    """Change settings of the table: speed of computer players, forecast, hints, chat, what-if boards, title."""
    form = await request.form()
    wishes: dict[str, object] = {key: form[key] for key in ("pace", "forecast", "title") if key in form}
    wishes |= {key: form[key] == "on" for key in ("hints", "chat", "what_if") if key in form}
    return await respond(request, name, who, tables(request).change(name, **wishes))


@router.get("/ways/{city}")
async def routes(request: Request, name: str, city: Whole, who: Visitor) -> Response:
    """Show the cheapest routes to a city to the person whose turn it is."""
    table = await tables(request).get(name)
    if not 0 <= city < CITIES:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    if table.deciding is None or table.deciding not in who.seats or not table.human(table.deciding):
        return Response(status_code=HTTPStatus.NO_CONTENT)
    return answer_page(request, table, routes_fragment(table, who, city), f"/games/{name}")


@router.get("/hint")
async def hint(request: Request, name: str, number: Whole, who: Visitor) -> Response:
    """Show what a strong computer player would do; nothing if it is not the caller's turn, or not any more."""
    table = await tables(request).get(name)
    if table.deciding not in who.seats:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    try:
        suggestions = await while_connected(request, tables(request).hint(name, number))
    except (NoSuchGame, BadDatabase):
        raise
    except ElCapitanError:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    if suggestions is None:
        return Response(status_code=CLIENT_GONE)
    table = await tables(request).get(name)
    return answer_page(request, table, hint_fragment(table, who, suggestions), f"/games/{name}")


@router.get("/chances")
async def chances(request: Request, name: str, who: Visitor) -> Response:
    """Show the chances of all merchants to win; nothing where hints are not allowed."""
    table = await tables(request).get(name)
    try:
        found = await while_connected(request, tables(request).chances(name))
    except (NoSuchGame, BadDatabase):
        raise
    except ElCapitanError:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    if found is None:
        return Response(status_code=CLIENT_GONE)
    fragment = chances_fragment(table, who, found[1])
    return answer_page(request, table, fragment, f"/games/{name}", who.t.text("Win chances"))


@router.get("/payday/{number}")
async def payday(request: Request, name: str, number: Whole, who: Visitor) -> HTMLResponse:
    """Show a payday that was held, step by step, on the table as it was when it began."""
    table = await tables(request).get(name)
    if request.headers.get("hx-request"):
        fragment = payday_fragment(table, who, number)
        if fragment is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return HTMLResponse(fragment)
    seen = table_at_payday(table, who, number)
    if seen is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return page(request, "pages/table.html", table=table, view=seen, notice=None, live=False, now=0)


@router.get("/events")
async def events(request: Request, name: str, who: Visitor, seen: str = "") -> Response:
    """Send the table whenever it has changed since the version `seen`, until the caller's key is revoked."""
    return await table_stream(request, name, who, seen, table_event)


async def table_stream(
    request: Request, name: str, who: Viewer, seen: str, draw: Callable[[Table, Viewer], bytes]
) -> EventStream:
    """Send what `draw` makes of a table whenever it has changed, until the caller's key is revoked."""
    await tables(request).get(name)

    async def stream() -> AsyncGenerator[bytes, None]:
        known = seen
        try:
            async with aclosing(tables(request).follow(name, who.seats)) as changes:
                async for _change in changes:
                    await within_budget()
                    # Whoever goes away meanwhile must not cut off a look into the database.
                    if await asyncio.shield(rights(request, name)) != who.rights:
                        return
                    table = await tables(request).get(name)
                    if table.version != known:
                        known = table.version
                        async with drawing_turn():
                            drawn = draw(table, who)
                        yield drawn
                        yield NOTHING_NEW
        except (NoSuchGame, BadDatabase):  # deleted meanwhile, or not to be read now: browsers ask again
            return

    return EventStream(stream())


@router.get("/replay")
async def replay(request: Request, name: str, who: Visitor, at: Whole | None = None) -> HTMLResponse:
    """Show the game after `at` events; as it is now by default."""
    table = await tables(request).get(name)
    if not table.begun:
        return table_page(request, table, who)
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
    if not table.over:
        check_what_if_allowed(table.settings)
    alone = [
        replace(seat, player=HUMAN if seat.player == FRIEND else seat.player, stand_in="", free=False, late=False)
        for seat in table.settings.seats
    ]
    return await redirect_to_own_table(request, await tables(request).branch(name, at, alone))


# ---------------------------------------------------------------------------------------------------- the waiting room


@router.post("/ready")
async def say_ready(request: Request, name: str, who: Player, seat: Number, yes: Annotated[bool, Form()]) -> Response:
    """Say for one's own seat that the game can begin, or that it cannot yet."""
    own_seat(who, await tables(request).get(name), seat)
    return await respond(request, name, who, tables(request).say_ready(name, seat, ready=yes))


@router.post("/start")
async def start(request: Request, name: str, who: Host, missing: Text = "") -> Response:
    """Begin the game: the cards are dealt."""
    return await respond(request, name, who, tables(request).start(name, computers=missing == COMPUTERS))


@router.post("/back")
async def come_back(request: Request, name: str, who: Player, seat: Number) -> Response:
    """Play one's own seat again, which a computer player has played meanwhile."""
    own_seat(who, await tables(request).get(name), seat)
    return await respond(request, name, who, tables(request).come_back(name, seat))
