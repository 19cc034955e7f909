"""What a player tries without the others seeing it: a plan of the next turn, and what-if boards.

A plan is put together while others play, or before anything is done in the player's own turn, and kept until it is
played. A what-if board is a game of its own.
"""

from collections.abc import Awaitable, Sequence
from http import HTTPStatus

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.engine.vocabulary import CITIES
from elcapitan.errors import NotYourTurn
from elcapitan.service import Table
from elcapitan.service.derived_games import begin_what_if
from elcapitan.service.keys import HOST, seat_role
from elcapitan.web.auth import Player, remember_key, tables
from elcapitan.web.pages.forms import Number, Text, Whole, action_numbers, answer_page, outcome, respond
from elcapitan.web.pages.table import table_stream
from elcapitan.web.render import Notice, page, planning_event, planning_fragment, routes_fragment
from elcapitan.web.view.context import own_seats
from elcapitan.web.view.plans import planned_table, planning_seat
from elcapitan.web.view.table_view import planning_view
from elcapitan.web.viewer import Viewer

router = APIRouter(prefix="/games/{name}")


@router.post("/what-if")
async def what_if_board(request: Request, name: str, who: Player, at: Number) -> Response:
    """Begin a what-if board of one's own from a moment of the game, and give only the caller a key to it."""
    role = seat_role(min(who.seats)) if who.seats else HOST
    board = await begin_what_if(tables(request), name, at, role, who.seats)
    response = RedirectResponse(f"/games/{board.id}", 303)
    await remember_key(request, response, board.id, await tables(request).keys.link(board.id, HOST))
    return response


# ------------------------------------------------------------------------------------------------ the next turn


@router.get("/plan")
async def show(request: Request, name: str, who: Player) -> Response:
    """Show the table on which the caller plans a turn; redirect to the game if none can be planned now."""
    return _page(request, await tables(request).get(name), who)


@router.get("/plan/events")
async def events(request: Request, name: str, who: Player, seen: str = "") -> Response:
    """Send the plan whenever the table has changed; once the turn cannot be planned any more, the table itself."""
    return await table_stream(request, name, who, seen, planning_event)


@router.get("/plan/ways/{city}")
async def routes(request: Request, name: str, city: Whole, who: Player) -> Response:
    """Show the cheapest routes to a city in the turn that is planned."""
    if not 0 <= city < CITIES:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    found = planned_table(await tables(request).get(name), who)
    if found is None:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    return answer_page(request, found[0], routes_fragment(found[0], who, city), f"/games/{name}/plan")


@router.post("/plan/act")
async def act(request: Request, name: str, who: Player, number: Number, actions: Text) -> Response:
    """Add actions to the plan, behind those that still work: all of them, or none."""
    wanted = action_numbers(actions)
    found = planned_table(await tables(request).get(name), who)
    planned = found[0].turn if found else ()
    return await _respond(request, name, who, _prepared(request, name, who, number, (*planned, *wanted)))


@router.post("/plan/undo")
async def undo(request: Request, name: str, who: Player, number: Number, count: Number = 1) -> Response:
    """Take the last steps out of the plan."""
    found = planned_table(await tables(request).get(name), who)
    steps = found[2].steps[: -max(count, 1)] if found else ()
    kept = [action for step in steps for action in step.actions]
    return await _respond(request, name, who, _prepared(request, name, who, number, kept))


@router.post("/plan/forget")
async def forget(request: Request, name: str, who: Player, number: Number) -> Response:
    """Forget what the caller has planned, for the turn that runs or the next one."""
    table = await tables(request).get(name)
    own = own_seats(table, who)
    seat = table.deciding if table.deciding in own else planning_seat(table, own)
    change = tables(request).get(name) if seat is None else tables(request).prepare(name, number, seat, ())
    return await respond(request, name, who, change)


async def _prepared(request: Request, name: str, who: Viewer, number: int, actions: Sequence[int]) -> Table:
    """Keep a plan for that seat of the caller which plays next. Raises `NotYourTurn` if it has begun its turn."""
    table = await tables(request).get(name)
    seat = planning_seat(table, own_seats(table, who))
    if seat is None:
        raise NotYourTurn("turn-begun")
    return await tables(request).prepare(name, number, seat, actions)


async def _respond(request: Request, name: str, who: Viewer, change: Awaitable[Table]) -> Response:
    """Await a change of the plan and show it; if it is refused, with the reason and its rule."""
    table, notice, status = await outcome(request, name, who, change)
    if request.headers.get("hx-request"):
        return HTMLResponse(planning_fragment(table, who, notice), status)
    return _page(request, table, who, notice, status) if notice else RedirectResponse(f"/games/{name}/plan", 303)


def _page(
    request: Request, table: Table, who: Viewer, notice: Notice | None = None, status: int = HTTPStatus.OK
) -> Response:
    """Answer with the whole page of the plan; redirect to the game if nothing can be planned now."""
    view = planning_view(table, who)
    if view is None:
        return RedirectResponse(f"/games/{table.id}", 303)
    return page(request, "pages/table.html", status, table=table, view=view, notice=notice, live=True, now=0)
