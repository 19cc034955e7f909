"""The waiting room: persons say that they are ready, the host starts the game, and a person who was away comes back."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from elcapitan.web.auth import Host, Player, own_seat, tables
from elcapitan.web.pages.forms import Number, Text, respond

router = APIRouter(prefix="/games/{name}")
COMPUTERS: Final = "computers"  # computer players play for those who are missing; otherwise the game waits for them


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
