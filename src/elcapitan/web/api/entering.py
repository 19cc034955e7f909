"""Who asks: a program shows a key with every request, and nothing else opens anything.

Cookies count for nothing here, and what is sent must be JSON. So no page of another site can do anything in the name of
somebody whose browser it is open in: it can neither add a key nor, without asking first, send JSON.
"""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from elcapitan.engine.vocabulary import SEATS
from elcapitan.errors import NoSuchKey
from elcapitan.service import Rights, Table, Tables
from elcapitan.web.access import address, tables
from elcapitan.web.api.refusing import Unwelcome

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
class Visitor:
    """Somebody with a key to a game."""

    tables: Tables
    game: str
    key: str
    rights: Rights

    async def table(self) -> Table:
        """The table as it stands."""
        return await self.tables.get(self.game)

    def seat(self, wanted: int | None) -> int:
        """In whose name the visitor speaks: the seat that is named, or the only one there is."""
        mine = sorted(self.rights.seats)
        if not mine:
            raise Unwelcome("players-only")
        if wanted is None and len(mine) > 1:
            raise Unwelcome("which-seat")
        if wanted is not None and wanted not in mine:
            raise Unwelcome("other-seat", seat=wanted + 1)
        return mine[0] if wanted is None else wanted


async def visitor(request: Request, game: GameName, shown: Shown) -> Visitor:
    """Whoever asks, if they have a key to the game."""
    if shown is None or not shown.credentials:
        raise Unwelcome("key-wanted")
    return await with_key(tables(request), game, shown.credentials)


async def with_key(all_tables: Tables, game: str, key: str) -> Visitor:
    """The holder of a key to a game."""
    rights = await all_tables.rights(game, [key])
    if rights is None:
        try:
            await all_tables.opened(key)
        except NoSuchKey:
            raise Unwelcome("key-unknown") from None
        raise Unwelcome("other-key")
    return Visitor(all_tables, game, key, rights)


Anybody = Annotated[Visitor, Depends(visitor)]


async def player(who: Anybody) -> Visitor:
    """Whoever decides for a seat."""
    if not who.rights.seats:
        raise Unwelcome("players-only")
    return who


async def host(who: Anybody) -> Visitor:
    """The host of a table."""
    if not who.rights.host:
        raise Unwelcome("host-only")
    return who


Player = Annotated[Visitor, Depends(player)]
Host = Annotated[Visitor, Depends(host)]


async def check_json(request: Request) -> None:
    """Refuse what is not sent as JSON."""
    if request.method == "POST":
        kind, _semicolon, _parameters = request.headers.get("content-type", "").partition(";")
        if kind.strip().lower() != "application/json":
            raise Unwelcome("json-wanted")


def link(request: Request, key: str) -> str:
    """A link that opens a table in a browser; what stands behind the # is sent to no server."""
    return f"{address(request)}/join#{key}"
