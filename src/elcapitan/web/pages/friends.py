"""Playing with friends, each on a device of their own: a table for them at once, and letting the network connect.

A server for one computer can be opened to its network on this page, and closed again (see `web/network`). The key with
which a browser stays the owner is made with the page, so that a double click does not lose it.
"""

import logging
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.engine.vocabulary import SEATS
from elcapitan.game.setup import DEFAULTS
from elcapitan.service.keys import new_token
from elcapitan.service.table_settings import FRIEND, HUMAN
from elcapitan.web.auth import (
    OWNER_COOKIE,
    addresses,
    current_settings,
    is_owner,
    on_this_machine,
    server_settings,
)
from elcapitan.web.network import may_open, network_of
from elcapitan.web.pages.forms import Text
from elcapitan.web.render import page
from elcapitan.web.server_settings import is_local_url
from elcapitan.web.viewer import YEAR, viewer, within_site

logger = logging.getLogger(__name__)
router = APIRouter()
EVERYBODY: Final = "friends"  # asks for a link for every friend
HERE: Final = "/friends"
NewKey = Annotated[str, Form(pattern=r"^[0-9A-Za-z_-]{32}$")]  # as `new_token` makes them


@dataclass(frozen=True)
class Reach:
    """Which devices can open the links of this server, and what the caller can do about it."""

    addresses: tuple[str, ...]  # the server's, as links name them
    only_here: bool  # whether only this computer can open them
    listening: bool  # whether the server listens to the network, at an address that it finds by itself
    command: str  # starts the server so that other devices can
    key: str  # with which the caller can open the server to the network; empty if they cannot
    closable: bool  # whether the caller has opened it and can close it

    @property
    def hosts(self) -> list[str]:
        """Return the addresses without their scheme, to choose from."""
        return [each.partition("://")[2] for each in self.addresses]


def reach(request: Request) -> Reach:
    """Say which devices can open the links of this server."""
    found, settings = addresses(request), server_settings(request)
    return Reach(
        addresses=found,
        only_here=is_local_url(found[0]),
        listening=settings.public and not settings.base_url,
        command=settings.network_command,
        key=new_token() if may_open(request) else "",
        closable=is_owner(request),
    )


@router.get(HERE)
async def with_friends(request: Request) -> HTMLResponse:
    """Offer tables for friends, each at a device of their own; or a way for their devices to reach this server."""
    return _friends_page(request)


def _friends_page(request: Request, mistake: str = "") -> HTMLResponse:
    """Answer with the page about playing with friends."""
    status = HTTPStatus.CONFLICT if mistake else HTTPStatus.OK
    return page(
        request, "pages/friends.html", status, reach=reach(request), made_for=table_for_friends(), mistake=mistake
    )


def table_for_friends() -> dict[str, object]:
    """Return what the buttons send that make a table for friends at once."""
    options = [name for name, chosen in DEFAULTS.items() if chosen]
    return {"seats": SEATS, "human": HUMAN, "friend": FRIEND, "options": options, "everybody": EVERYBODY}


@router.post("/friends/open")
async def open_to_network(request: Request, key: NewKey, back: Text = HERE) -> Response:
    """Let the network connect to this server, and make the caller its owner; only on this machine, and only once."""
    network = network_of(request)
    if network is None or not on_this_machine(request):
        raise HTTPException(HTTPStatus.FORBIDDEN)
    if may_open(request):
        try:
            await network.open(key)
        except OSError as error:
            logger.warning("the server cannot be opened to the network: %s", error)
            words = viewer(request).t.text(
                "Opening to your network failed: another program uses the port there. Nothing has changed."
            )
            return _friends_page(request, words)
    if not current_settings(request).is_owner(key):
        raise HTTPException(HTTPStatus.FORBIDDEN)
    response = RedirectResponse(within_site(back), 303)
    response.set_cookie(OWNER_COOKIE, key, max_age=YEAR, httponly=True, samesite="lax")
    return response


@router.post("/friends/close")
async def close_to_network(request: Request) -> Response:
    """Let only this computer connect again; for the browser that opened the server to the network."""
    network = network_of(request)
    if network is not None and is_owner(request):
        await network.close()
    elif not may_open(request):  # otherwise this is the second click
        raise HTTPException(HTTPStatus.FORBIDDEN)
    response = RedirectResponse(HERE, 303)
    response.delete_cookie(OWNER_COOKIE, httponly=True, samesite="lax")
    return response
