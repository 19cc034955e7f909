"""Chat between the people at a table, and their votes on going back to an earlier moment."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from elcapitan.service import Table
from elcapitan.web.auth import NotAllowed, Player, own_seat, tables
from elcapitan.web.pages.form_fields import Number, SomeSeat, Text
from elcapitan.web.pages.responses import respond, seats_of
from elcapitan.web.viewer import Viewer

router = APIRouter(prefix="/games/{name}")


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
    for each in [seat] if seat is not None else _voting(table, seats_of(who)):
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
