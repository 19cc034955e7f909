"""Who may do what at a table: the keys that a browser or a program sends, and the rights they give.

A browser keeps its keys in one cookie that no script can read; a program sends one as a bearer token. On a local
server a browser without a key for a game runs on the same machine, and has all rights; on a public server it has none.
If a local server was opened to the network, the browser that did so keeps all rights, by the owner's key in a cookie of
its own.

An item of the cookie is `game:token:origin`, one for each game and role. Items are separated by dots, the newest first.
On https the cookie is named `__Host-keys`: no other site of the domain can set it. The cookie that older versions set
on https is read until it has been rewritten, which happens with the next page.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Depends, HTTPException, Request
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elcapitan.service import Table, Tables
from elcapitan.service.keys import HOST, WATCH, Rights, all_rights
from elcapitan.web.server_settings import BEARER, LOCAL_SETTINGS, ServerSettings, addresses_of, is_loopback, is_secure
from elcapitan.web.viewer import YEAR, Viewer, cookies, viewer

COOKIE: Final = "keys"
SECURE_COOKIE: Final = "__Host-keys"
MOST_KEYS: Final = 50  # entries in a cookie: about 2,600 of the 4,096 bytes that every browser keeps
MOST_COOKIES: Final = 4  # cookies of the name that are read: other programs on the same machine may set some too
OWN: Final = "own"  # the game was made in this browser
LINK: Final = "link"  # the key came by a link or a phrase
OWNER_COOKIE: Final = "owner"
FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # headers that a proxy adds
SETTINGS: Final = "settings"  # in the scope of a request: the settings that held when it came


class _Forbidden(HTTPException):
    """A request that the caller may not send."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.FORBIDDEN)


class NoKey(_Forbidden):
    """The caller has no key to the table."""


class NotAllowed(_Forbidden):
    """The caller has a key, but this is for the table's host or for another seat."""


def tables(request: HTTPConnection) -> Tables:
    """Return the tables of this server."""
    found: Tables = request.app.state.tables
    return found


def server_settings(request: HTTPConnection) -> ServerSettings:
    """Return the settings of this server; if they have changed, those that held when the request came."""
    found: ServerSettings = request.scope.get(SETTINGS) or current_settings(request)
    return found


def current_settings(request: HTTPConnection) -> ServerSettings:
    """Return the settings of this server as they are now."""
    found: ServerSettings = getattr(request.app.state, "settings", LOCAL_SETTINGS)
    return found


# ------------------------------------------------------------------------------------------------- keys in the cookie


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A key in the cookie."""

    game: str
    token: str
    origin: str = ""  # OWN or LINK; empty in a cookie of an older version


def stored_keys(request: HTTPConnection) -> list[StoredKey]:
    """Read all keys in the cookies of a request, the newest first."""
    found = (_read_key(item) for value in _cookie_values(request) for item in value.split(".")[:MOST_KEYS])
    return list(dict.fromkeys(key for key in found if key.game and key.token))


def _read_key(item: str) -> StoredKey:
    """Read one item of a cookie; one of another form gets an empty game or token."""
    game, _colon, rest = item.partition(":")
    token, _colon, origin = rest.partition(":")
    return StoredKey(game, token, origin if origin in (OWN, LINK) else "")


def _cookie_values(request: HTTPConnection) -> list[str]:
    """Return the values of all cookies with keys: of the secure name if there are any, else of the plain one.

    Browsers send cookies of one name with other paths or domains too, in an order that this server cannot choose.
    """
    return (cookies(request, SECURE_COOKIE) or cookies(request, COOKIE))[:MOST_COOKIES]


def with_key(new: StoredKey, older: Iterable[StoredKey], opened: Mapping[str, tuple[str, str]]) -> list[StoredKey]:
    """Add a key to those of a browser; `opened` has the game and role of each token that opens any.

    Of each game and role the newest key is kept. If there are too many, those of games made elsewhere go first: keys to
    watch, then seats, the oldest first. So links from others cannot push out the keys to a browser's own games.
    """
    found: dict[tuple[str, str], StoredKey] = {}
    for key in (new, *older):
        if key.token not in opened:
            continue
        place = game, role = opened[key.token]
        origin = key.origin or (OWN if role == HOST else LINK)
        kept = found.setdefault(place, StoredKey(game, key.token, origin))
        if origin == OWN:
            found[place] = replace(kept, origin=OWN)
    by_worth = sorted(found.items(), key=lambda item: _worth(item[0][1], item[1].origin))
    staying = {place for place, _key in by_worth[:MOST_KEYS]}
    return [key for place, key in found.items() if place in staying]


def _worth(role: str, origin: str) -> int:
    """Rank a key by what its loss would cost, 0 for the most."""
    if origin == OWN:
        return 0
    return 2 if role == WATCH else 1


def write_cookie(request: HTTPConnection, response: Response, kept: Iterable[StoredKey], *, secure: bool) -> None:
    """Set the cookie, and remove one of an older version."""
    value = ".".join(f"{each.game}:{each.token}:{each.origin}".removesuffix(":") for each in kept)
    name = SECURE_COOKIE if secure else COOKIE
    response.set_cookie(name, value, max_age=YEAR, path="/", secure=secure, httponly=True, samesite="lax")
    if secure and cookies(request, COOKIE):
        response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="lax")


async def remember_key(
    request: HTTPConnection, response: Response, game: str, token: str, *, own: bool = False
) -> None:
    """Add a key to the cookie of a browser; `own` says that the game was made in it."""
    await remember_keys(request, response, game, [token], own=own)


async def remember_keys(
    request: HTTPConnection, response: Response, game: str, new_tokens: Iterable[str], *, own: bool = False
) -> None:
    """Add several keys to a game to the cookie of a browser."""
    new, kept = [StoredKey(game, token, OWN if own else LINK) for token in new_tokens], stored_keys(request)
    opened = await tables(request).keys.opened_by([key.token for key in (*new, *kept)])
    for key in new:
        kept = with_key(key, kept, opened)
    write_cookie(request, response, kept, secure=is_secure(request, server_settings(request)))


def forget_keys(request: HTTPConnection, response: Response, game: str) -> None:
    """Remove the keys of a game from the cookie."""
    kept = [key for key in stored_keys(request) if key.game != game]
    write_cookie(request, response, kept, secure=is_secure(request, server_settings(request)))


def addresses(request: HTTPConnection) -> tuple[str, ...]:
    """Return the addresses of this server for links, the most useful first."""
    return addresses_of(request, server_settings(request))


def join_links(request: HTTPConnection, key: str, *, again: bool = False) -> tuple[str, ...]:
    """Return a link that opens a table in a browser, once for each address of this server.

    The key stands behind the #, which no browser sends to a server. `again` says that its holder has the seat already,
    on another device.
    """
    return tuple(f"{each}/join{'?again=1' if again else ''}#{key}" for each in addresses(request))


def join_link(request: HTTPConnection, key: str) -> str:
    """Return a link that opens a table in a browser, with the most useful address of this server."""
    return join_links(request, key)[0]


class CookieUpgrade:
    """Middleware that rewrites the cookie of an older version under its secure name, with a browser's first page."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the new cookie to its response if the browser has only the old one."""
        if scope["type"] != "http" or scope["method"] != "GET" or not self._is_due(HTTPConnection(scope)):
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html") and "set-cookie" not in headers:
                    rewritten = Response()
                    write_cookie(request, rewritten, stored_keys(request)[:MOST_KEYS], secure=True)
                    for cookie in rewritten.headers.getlist("set-cookie"):
                        headers.append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, sending)

    def _is_due(self, request: HTTPConnection) -> bool:
        """Whether a browser on https has keys in the cookie of an older version only."""
        if cookies(request, SECURE_COOKIE) or not cookies(request, COOKIE):
            return False
        return is_secure(request, self._settings)


# ---------------------------------------------------------------------------------------------------------- rights


def tokens(request: HTTPConnection, game: str) -> list[str]:
    """Return all keys that come with a request and may be for a game."""
    return bearer(request) + [key.token for key in stored_keys(request) if key.game == game]


def bearer(request: HTTPConnection) -> list[str]:
    """Return the key in the `Authorization` header, alone in a list; an empty list if no key is sent there."""
    scheme, _space, token = request.headers.get("authorization", "").partition(" ")
    return [token.strip()] if scheme.lower() == BEARER.strip().lower() else []


async def roles(request: HTTPConnection) -> dict[str, set[str]]:
    """Return the roles that the keys in the cookie open, by game; leave out keys that open nothing any more."""
    found: dict[str, set[str]] = {}
    opened = await tables(request).keys.opened_by([key.token for key in stored_keys(request)])
    for game, role in opened.values():
        found.setdefault(game, set()).add(role)
    return found


def on_this_machine(request: HTTPConnection) -> bool:
    """Whether a request was made on the machine that answers it, and not passed on by a proxy."""
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    return is_loopback(request.client.host)


def is_owner(request: HTTPConnection) -> bool:
    """Whether a browser on this machine shows the owner's key of a server that is open to the network."""
    shown = cookies(request, OWNER_COOKIE)[:MOST_COOKIES]
    return on_this_machine(request) and any(current_settings(request).is_owner(key) for key in shown)


def needs_no_key(request: HTTPConnection) -> bool:
    """Whether a caller without a key to a game has all rights to it, unless a header shows a key.

    That is so on a local server, and for the owner of one that was opened to the network. A server counts as local if
    it was when the request came and still is: so neither opening nor closing it gives any rights.

    Keys in the cookie that open nothing any more do not count: a browser keeps them after a seat was taken away.
    """
    public = server_settings(request).public or current_settings(request).public
    return not bearer(request) and (not public or is_owner(request))


async def rights(request: HTTPConnection, game: str) -> Rights | None:
    """Return the caller's rights at a table, from all keys shown; None without a key to it."""
    found = await tables(request).keys.rights(game, tokens(request, game))
    if found is None and needs_no_key(request):
        return all_rights(await tables(request).get(game))
    return found


async def roles_at(request: HTTPConnection, game: str) -> frozenset[str]:
    """Return the caller's roles at a table, from all keys shown; the host's where no key is needed."""
    found = await tables(request).keys.roles(game, tokens(request, game))
    return frozenset({HOST}) if not found and needs_no_key(request) else found


def shown_for(request: HTTPConnection, game: str) -> list[str]:
    """Return the keys that a caller's rights at a table depend on; none where no key is needed."""
    return [] if needs_no_key(request) else tokens(request, game)


async def visitor(request: Request, name: str) -> Viewer:
    """Return the caller, with their rights at the table. Raises `NoKey` without a key to it."""
    found = await rights(request, name)
    if found is None:
        raise NoKey
    return replace(viewer(request), rights=found)


Visitor = Annotated[Viewer, Depends(visitor)]


async def host(who: Visitor) -> Viewer:
    """Return the caller if they are the table's host. Raises `NotAllowed` otherwise."""
    if who.rights is None or not who.rights.host:
        raise NotAllowed
    return who


Host = Annotated[Viewer, Depends(host)]


async def player(who: Visitor) -> Viewer:
    """Return the caller if they are the host or have a seat. Raises `NotAllowed` otherwise."""
    if who.rights is None or not (who.rights.host or who.rights.seats):
        raise NotAllowed
    return who


Player = Annotated[Viewer, Depends(player)]


def own_seat(who: Viewer, table: Table, seat: int | None = None) -> int | None:
    """Return the seat that the caller acts for: the one they name, else the one to move, else their first.

    Only seats of their own count; None for a host without a seat. Raises `NotAllowed` if they name the seat of another
    player.
    """
    if seat is not None:
        if seat not in who.seats:
            raise NotAllowed
        return seat
    return table.deciding if table.deciding in who.seats else min(who.seats, default=None)


async def redirect_to_own_table(request: Request, table: Table, path: str = "") -> RedirectResponse:
    """Redirect to a table that the caller has just created, and give them the host's key to it."""
    response = RedirectResponse(f"/games/{table.id}{path}", 303)
    await remember_key(request, response, table.id, await tables(request).keys.link(table.id, HOST), own=True)
    return response
