"""What calls players back: push subscriptions, the service worker, and the page that it shows offline."""

from http import HTTPStatus

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from elcapitan.errors import NoSuchKey
from elcapitan.service.turn_notifier import PushAddress
from elcapitan.web.auth import NotAllowed, Player, tables, tokens
from elcapitan.web.pages.forms import Text
from elcapitan.web.render import page
from elcapitan.web.static_files import STATIC_FILES

router = APIRouter()


@router.get("/games/{name}/push")
async def server_key(request: Request, name: str, _who: Player) -> JSONResponse:  # noqa: ARG001 - read by `Player`
    """Answer with the public key of this server, with which a browser subscribes to messages by push."""
    return JSONResponse({"key": await tables(request).push.public_key()})


@router.post("/games/{name}/push")
async def subscribe(
    request: Request, name: str, who: Player, address: Text, public_key: Text, secret: Text
) -> Response:
    """Store where a player's browser is told by push that it is their turn. It takes a key to a seat."""
    to = PushAddress(address, public_key, secret)
    try:
        await tables(request).push.subscribe(name, tokens(request, name), to, who.language)
    except NoSuchKey:
        raise NotAllowed from None
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.post("/games/{name}/push/stop")
async def unsubscribe(request: Request, name: str, _who: Player, address: Text) -> Response:
    """Tell a player's browser nothing more by push. It takes a key to a seat."""
    try:
        await tables(request).push.unsubscribe(name, tokens(request, name), address)
    except NoSuchKey:
        raise NotAllowed from None
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.get("/service-worker.js")
async def service_worker() -> Response:
    """Answer with the service worker. Its address is at the root, so that it works for all pages."""
    return Response((STATIC_FILES / "service_worker.js").read_bytes(), media_type="text/javascript")


@router.get("/offline")
async def offline(request: Request) -> HTMLResponse:
    """Show the page that a browser keeps for when there is no network."""
    return page(request, "pages/offline.html")
