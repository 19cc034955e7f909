"""Who may do what at a table: the keys that a browser or a program brings along.

A browser keeps its keys in one cookie that no script can read, a program sends one as a bearer token. On a local server
a browser without a key for a game runs on the same machine, and has all rights; on a public server it has none.
"""

from dataclasses import replace
from typing import Annotated, Final

from fastapi import Depends, HTTPException, Request
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from elcapitan.service import Table, Tables
from elcapitan.service.access import HOST, Rights, all_rights
from elcapitan.web.house import BEARER, LOCAL_HOUSE, House
from elcapitan.web.key_cookie import LINK, OWN, Entry, entries, is_secure, with_key, write
from elcapitan.web.links import address_of
from elcapitan.web.viewer import Viewer, viewer

FORBIDDEN: Final = 403


class NotOpen(HTTPException):
    """A table to which somebody has no key."""

    def __init__(self) -> None:
        super().__init__(FORBIDDEN)


class NotForYou(HTTPException):
    """Something that is not for everybody at the table: for its host, or for another seat."""

    def __init__(self) -> None:
        super().__init__(FORBIDDEN)


def tables(request: HTTPConnection) -> Tables:
    """All tables of this house."""
    found: Tables = request.app.state.tables
    return found


def house(request: HTTPConnection) -> House:
    """The house that the tables stand in."""
    found: House = getattr(request.app.state, "house", LOCAL_HOUSE)
    return found


# ------------------------------------------------------------------------------------------------------------ keys


def tokens(request: HTTPConnection, game: str) -> list[str]:
    """All keys that come with a request and may be for a game."""
    return bearer(request) + [entry.token for entry in entries(request) if entry.game == game]


def bearer(request: HTTPConnection) -> list[str]:
    """The key in the `Authorization` header, alone in a list; empty if no key is sent there."""
    scheme, _space, token = request.headers.get("authorization", "").partition(" ")
    return [token.strip()] if scheme.lower() == BEARER.strip().lower() else []


async def roles(request: HTTPConnection) -> dict[str, set[str]]:
    """The roles that the keys in the cookie open, by game; keys that open nothing any more are left out."""
    found: dict[str, set[str]] = {}
    opened = await tables(request).opened_by([entry.token for entry in entries(request)])
    for game, role in opened.values():
        found.setdefault(game, set()).add(role)
    return found


async def remember(request: HTTPConnection, response: Response, game: str, token: str, *, own: bool = False) -> None:
    """Add a key to the cookie of a browser; `own` says that the game was made in it."""
    new, older = Entry(game, token, OWN if own else LINK), entries(request)
    opened = await tables(request).opened_by([entry.token for entry in (new, *older)])
    write(request, response, with_key(new, older, opened), secure=is_secure(request, house(request)))


def forget(request: HTTPConnection, response: Response, game: str) -> None:
    """Remove the keys of a game from the cookie."""
    kept = [entry for entry in entries(request) if entry.game != game]
    write(request, response, kept, secure=is_secure(request, house(request)))


def address(request: HTTPConnection) -> str:
    """Where people find this house, for links."""
    return address_of(request, house(request))


# ---------------------------------------------------------------------------------------------------------- rights


def needs_no_key(request: HTTPConnection) -> bool:
    """Whether a caller without a key to a game has all rights to it: on a local server, unless a header shows a key.

    Keys in the cookie that open nothing any more do not count: a browser keeps them after a seat was taken away.
    """
    return not house(request).public and not bearer(request)


async def rights(request: HTTPConnection, game: str) -> Rights | None:
    """The caller's rights at a table, from all keys shown; none without a key to it."""
    found = await tables(request).rights(game, tokens(request, game))
    if found is None and needs_no_key(request):
        return all_rights(await tables(request).get(game))
    return found


async def roles_at(request: HTTPConnection, game: str) -> frozenset[str]:
    """The caller's roles at a table, from all keys shown; the host's where no key is needed."""
    found = await tables(request).roles(game, tokens(request, game))
    return frozenset({HOST}) if not found and needs_no_key(request) else found


def shown_for(request: HTTPConnection, game: str) -> list[str]:
    """The keys that a caller's rights at a table depend on; none where no key is needed."""
    return [] if needs_no_key(request) else tokens(request, game)


async def visitor(request: Request, name: str) -> Viewer:
    """Whoever looks at a table, with what they may do there; nobody who has no key gets further."""
    found = await rights(request, name)
    if found is None:
        raise NotOpen
    return replace(viewer(request), rights=found)


Visitor = Annotated[Viewer, Depends(visitor)]


async def host(who: Visitor) -> Viewer:
    """The host of a table, and nobody else."""
    if who.rights is None or not who.rights.host:
        raise NotForYou
    return who


Host = Annotated[Viewer, Depends(host)]


async def player(who: Visitor) -> Viewer:
    """Somebody who belongs to a table: its host, or whoever has a seat at it."""
    if who.rights is None or not (who.rights.host or who.rights.seats):
        raise NotForYou
    return who


Player = Annotated[Viewer, Depends(player)]


def own_seat(who: Viewer, table: Table, seat: int | None = None) -> int | None:
    """In whose name somebody speaks: a seat of theirs that is named, else the one to move, else their first.

    A host without a seat speaks for nobody; who names a seat that is not theirs is refused.
    """
    mine = who.rights.seats if who.rights else frozenset()
    if seat is not None:
        if seat not in mine:
            raise NotForYou
        return seat
    return table.deciding if table.deciding in mine else min(mine, default=None)


async def to_own_table(request: Request, table: Table, path: str = "") -> RedirectResponse:
    """To a table that somebody has just set up, with the host's key to it."""
    response = RedirectResponse(f"/games/{table.id}{path}", 303)
    await remember(request, response, table.id, await tables(request).key(table.id, HOST), own=True)
    return response
