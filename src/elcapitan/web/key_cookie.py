"""The cookie in which a browser keeps its keys: one key for each game and role.

An entry is `game:token:origin`. Entries are separated by dots, the newest first. On https the cookie is named
`__Host-keys`: no other site of the domain can set it. The cookie that older versions set on https is read until it has
been rewritten, which happens with the next page.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elcapitan.service.access import HOST, WATCH
from elcapitan.web.house import House
from elcapitan.web.links import address_of
from elcapitan.web.viewer import YEAR, cookies

COOKIE: Final = "keys"
SECURE_COOKIE: Final = "__Host-keys"
MOST_KEYS: Final = 50  # entries in a cookie: about 2,600 of the 4,096 bytes that every browser keeps
MOST_COOKIES: Final = 4  # cookies of the name that are read: other programs on the same machine may set some too
OWN: Final = "own"  # the game was made in this browser
LINK: Final = "link"  # the key came by a link or a phrase


@dataclass(frozen=True, slots=True)
class Entry:
    """A key in the cookie."""

    game: str
    token: str
    origin: str = ""  # OWN or LINK; nothing in a cookie of an older version


def entries(request: HTTPConnection) -> list[Entry]:
    """Read all keys in the cookies of a request, the newest first."""
    found = (_read(item) for value in _values(request) for item in value.split(".")[:MOST_KEYS])
    return list(dict.fromkeys(entry for entry in found if entry.game and entry.token))


def _read(item: str) -> Entry:
    """Read one entry; what is not in the form of one has an empty part."""
    game, _colon, rest = item.partition(":")
    token, _colon, origin = rest.partition(":")
    return Entry(game, token, origin if origin in (OWN, LINK) else "")


def _values(request: HTTPConnection) -> list[str]:
    """The values of all cookies that keep keys: of the secure name if there is any, else of the plain one.

    Browsers send cookies of one name with other paths or domains too, in an order that this server cannot choose.
    """
    return (cookies(request, SECURE_COOKIE) or cookies(request, COOKIE))[:MOST_COOKIES]


def with_key(new: Entry, older: Iterable[Entry], opened: Mapping[str, tuple[str, str]]) -> list[Entry]:
    """Add a key to those of a browser; `opened` has the game and role of each token that opens any.

    Of each game and role the newest key is kept. If there are too many, those of games made elsewhere go first: keys to
    watch, then seats, the oldest first. So links from others cannot push out the keys to a browser's own games.
    """
    found: dict[tuple[str, str], Entry] = {}
    for entry in (new, *older):
        if entry.token not in opened:
            continue
        place = game, role = opened[entry.token]
        origin = entry.origin or (OWN if role == HOST else LINK)
        kept = found.setdefault(place, Entry(game, entry.token, origin))
        if origin == OWN:
            found[place] = replace(kept, origin=OWN)
    by_worth = sorted(found.items(), key=lambda item: _worth(item[0][1], item[1].origin))
    staying = {place for place, _entry in by_worth[:MOST_KEYS]}
    return [entry for place, entry in found.items() if place in staying]


def _worth(role: str, origin: str) -> int:
    """Rank a key by what its loss would cost, 0 for the most."""
    if origin == OWN:
        return 0
    return 2 if role == WATCH else 1


def write(request: HTTPConnection, response: Response, kept: Iterable[Entry], *, secure: bool) -> None:
    """Set the cookie, and remove one of an older version."""
    value = ".".join(f"{each.game}:{each.token}:{each.origin}".removesuffix(":") for each in kept)
    name = SECURE_COOKIE if secure else COOKIE
    response.set_cookie(name, value, max_age=YEAR, path="/", secure=secure, httponly=True, samesite="lax")
    if secure and cookies(request, COOKIE):
        response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="lax")


class CookieUpgrade:
    """Rewrites the cookie of an older version under its secure name, with the first page that a browser asks for."""

    def __init__(self, app: ASGIApp, house: House) -> None:
        self._app = app
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the new cookie to its answer where it is due."""
        if scope["type"] != "http" or scope["method"] != "GET" or not self._due(HTTPConnection(scope)):
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html") and "set-cookie" not in headers:
                    rewritten = Response()
                    write(request, rewritten, entries(request)[:MOST_KEYS], secure=True)
                    for cookie in rewritten.headers.getlist("set-cookie"):
                        headers.append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, sending)

    def _due(self, request: HTTPConnection) -> bool:
        """Whether a browser on https has keys in the cookie of an older version only."""
        return (
            not cookies(request, SECURE_COOKIE) and bool(cookies(request, COOKIE)) and is_secure(request, self._house)
        )


def is_secure(request: HTTPConnection, house: House) -> bool:
    """Whether people reach this server by https."""
    return address_of(request, house).startswith("https:")
