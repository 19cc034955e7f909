"""What people at a table have to do with one another: they talk, ask to go back, and answer."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from elcapitan.service import Table
from elcapitan.web.access import NotForYou, Player, own_seat, tables
from elcapitan.web.pages.doing import done, seats_of
from elcapitan.web.pages.numbers import Number, Whole
from elcapitan.web.viewer import Viewer

router = APIRouter(prefix="/games/{name}")

Text = Annotated[str, Form()]
SomeSeat = Annotated[Whole | None, Form()]


@router.post("/say")
async def say(request: Request, name: str, who: Player, text: Text = "", seat: SomeSeat = None) -> Response:
    """Say something to everybody at the table."""
    speaker = own_seat(who, await tables(request).get(name), seat)
    return await done(request, name, who, tables(request).say(name, speaker, text))


@router.post("/wish")
async def wish(request: Request, name: str, who: Player, number: Number, at: Number, seat: SomeSeat = None) -> Response:
    """Ask to go back to an earlier moment."""
    asking = own_seat(who, await tables(request).get(name), seat)
    if asking is None:
        raise NotForYou
    return await done(request, name, who, tables(request).ask_undo(name, number, asking, at))


@router.post("/answer")
async def answer(
    request: Request, name: str, who: Player, number: Number, yes: Annotated[bool, Form()], seat: SomeSeat = None
) -> Response:
    """Agree to a wish to go back, or not: for all seats of one's own that are asked, or for one of them."""
    own_seat(who, await tables(request).get(name), seat)
    return await done(request, name, who, _answered(request, name, who, number, seat, yes=yes))


async def _answered(request: Request, name: str, who: Viewer, number: int, seat: int | None, *, yes: bool) -> Table:
    """The table after the answers."""
    house = tables(request)
    table = await house.get(name)
    for each in [seat] if seat is not None else _answering(table, seats_of(who)):
        table = await house.answer_undo(name, number, each, yes=yes)
        number = table.number
    return table


def _answering(table: Table, mine: frozenset[int]) -> list[int]:
    """Of somebody's seats those that are asked; else the one that has asked, which may think better of it."""
    asked = table.wish.waiting & mine if table.wish else frozenset()
    own = table.wish.seat if table.wish and table.wish.seat in mine else min(mine, default=None)
    if not asked and own is None:
        raise NotForYou
    return sorted(asked) if asked or own is None else [own]
