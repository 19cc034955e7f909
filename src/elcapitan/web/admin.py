"""What only whoever runs the house may see and do: all of its games, without a key to any of them.

The admin's token comes as a bearer token. It opens no seat and shows no board: games can be listed, ended and deleted.
"""

import ipaddress
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Request

from elcapitan.service import Summary, Tables
from elcapitan.web.api.refusing import Unwelcome, refuse_politely
from elcapitan.web.house import House

PLACE: Final = "/api/v1/admin"
FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # what a proxy adds: somebody else is asking


def is_admin(request: Request) -> bool:
    """Whether a request brings the admin's token."""
    house: House = request.app.state.house
    return house.is_admin(request.headers.get("authorization", ""))


def only_admin(request: Request) -> None:
    """Let nobody else in."""
    if not is_admin(request):
        raise Unwelcome("admin-only")


def on_this_machine(request: Request) -> bool:
    """Whether a request was made on the machine that answers it."""
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False


router = APIRouter(dependencies=[Depends(only_admin)])


def add_admin(pages: FastAPI) -> None:
    """Put what is the admin's beside the pages; before the API for everybody, which is at the same place."""
    own = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    own.state = pages.state
    own.include_router(router)
    refuse_politely(own)
    pages.mount(PLACE, own)


def _tables(request: Request) -> Tables:
    """All tables of the house."""
    found: Tables = request.app.state.tables
    return found


OwnTables = Annotated[Tables, Depends(_tables)]


@router.get("/games")
async def listed(tables: OwnTables) -> dict[str, Any]:
    """All games, those changed last first."""
    return {"games": [_plainly(game) for game in await tables.summaries()]}


@router.delete("/games/{name}")
async def deleted(tables: OwnTables, name: str) -> dict[str, Any]:
    """Throw a game away, with everything that happened in it."""
    await tables.delete(name)
    return {"deleted": name}


@router.post("/games/{name}/end")
async def ended(tables: OwnTables, name: str) -> dict[str, Any]:
    """End a game: nobody can play on."""
    table = await tables.end(name)
    return {"ended": name, "number": table.number}


def _plainly(game: Summary) -> dict[str, Any]:
    """What a list tells about a game: nothing of what is played or said in it."""
    return {
        "game": game.id,
        "created": game.created.isoformat(),
        "changed": game.changed.isoformat(),
        "players": [seat.player for seat in game.seats],
        "entries": game.number,
        "phase": game.phase,
        "round": game.round,
        "over": game.over,
    }
