"""Authorization of programs: every request shows a key, and nothing else opens anything.

Cookies count for nothing here, and what is sent must be JSON. So no page of another site can do anything in the name of
the person whose browser shows it: it can neither add a key nor, without asking first, send JSON.
"""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from elcapitan.engine.vocabulary import SEATS
from elcapitan.errors import NoSuchKey
from elcapitan.service import Rights, Table, Tables
from elcapitan.web.api.errors import BadRequest
from elcapitan.web.auth import tables

bearer = HTTPBearer(
    auto_error=False, scheme_name="key", description="A key to a game: of its host, of a seat, or to look on"
)
Shown = Annotated[HTTPAuthorizationCredentials | None, Security(bearer)]
GameName = Annotated[
    str,
    Path(
        min_length=1,
        max_length=40,
        pattern="^[a-z0-9]+$",
        description="The name of the game",
        examples=["k7m2x9abcdef"],
    ),
]
SeatPath = Annotated[int, Path(ge=0, le=SEATS - 1, description="Seat, from 0")]


@dataclass(frozen=True)
class Caller:
    """The holder of a key to a game, who sends a request."""

    tables: Tables
    game: str
    key: str
    rights: Rights

    async def table(self) -> Table:
        """Return the table as it stands."""
        return await self.tables.get(self.game)

    def seat(self, wanted: int | None) -> int:
        """Return the seat the caller acts for: the one that is named, or the only one their key opens."""
        mine = sorted(self.rights.seats)
        if not mine:
            raise BadRequest("players-only")
        if wanted is None and len(mine) > 1:
            raise BadRequest("which-seat")
        if wanted is not None and wanted not in mine:
            raise BadRequest("other-seat", seat=wanted + 1)
        return mine[0] if wanted is None else wanted


async def any_caller(request: Request, game: GameName, shown: Shown) -> Caller:
    """Return the caller and their rights, from their key. Refuses a request without a key to the game."""
    if shown is None or not shown.credentials:
        raise BadRequest("key-wanted")
    return await with_key(tables(request), game, shown.credentials)


async def with_key(all_tables: Tables, game: str, key: str) -> Caller:
    """Return the holder of a key to a game. Refuses a key that opens nothing, or another game."""
    rights = await all_tables.rights(game, [key])
    if rights is None:
        try:
            await all_tables.opened(key)
        except NoSuchKey:
            raise BadRequest("key-unknown") from None
        raise BadRequest("other-key")
    return Caller(all_tables, game, key, rights)


AnyCaller = Annotated[Caller, Depends(any_caller)]


async def player(caller: AnyCaller) -> Caller:
    """Return a caller who decides for a seat. Refuses others."""
    if not caller.rights.seats:
        raise BadRequest("players-only")
    return caller


async def host(caller: AnyCaller) -> Caller:
    """Return a caller who is the host of the table. Refuses others."""
    if not caller.rights.host:
        raise BadRequest("host-only")
    return caller


Player = Annotated[Caller, Depends(player)]
Host = Annotated[Caller, Depends(host)]


async def check_json(request: Request) -> None:
    """Refuse a body that is not sent as JSON."""
    if request.method == "POST":
        kind, _semicolon, _parameters = request.headers.get("content-type", "").partition(";")
        if kind.strip().lower() != "application/json":
            raise BadRequest("json-wanted")
