"""Security headers of every response, and requests that are refused before they are read.

Pages load nothing from other sites and run no script but our files. A change is accepted only from our own pages: a
browser says where a request comes from, so another site cannot play in a visitor's name. A body must state its length,
be short enough, and arrive in time.
"""

import asyncio
import re
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elcapitan.errors import ElCapitanError
from elcapitan.text.catalogue import translator
from elcapitan.untrusted_input import whole_number
from elcapitan.web.api.errors import refusal
from elcapitan.web.middleware import request_bodies as bodies
from elcapitan.web.viewer import language_of

API_PREFIX: Final = "/api/"
SAFE: Final = ("GET", "HEAD", "OPTIONS")
SHORT: Final = (*SAFE, "DELETE")  # they usually have no body, and then say nothing about its length
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
        "magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
    ),
    "Cache-Control": "no-store",  # unless a page says otherwise: it may show a private game
}
HTTPS_ONLY: Final = "max-age=31536000"  # a year, without subdomains, which may belong to other servers
PATIENCE: Final = 30.0  # seconds until a request must be here as a whole
HOST: Final = re.compile(r"(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")


class SecurityMiddleware:
    """Middleware that adds security headers and refuses bad requests."""

    def __init__(self, app: ASGIApp, patience: float = PATIENCE) -> None:
        self._app = app
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["headers"] = [_plain_cookies(name, value) for name, value in scope["headers"]]
        carried = (
            {**SECURITY_HEADERS, "Strict-Transport-Security": HTTPS_ONLY}
            if scope["scheme"] == "https"
            else SECURITY_HEADERS
        )

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in carried.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        reason = refused(scope["method"], headers, scope["path"])
        if reason:
            await _answer(scope, *reason)(scope, receive, sending)
        elif scope["method"] in SAFE:
            await self._app(scope, receive, sending)
        else:
            await self._app(scope, bodies.checked(with_deadline(receive, self._patience), headers), sending)


def _plain_cookies(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """Drop cookies with a backslash: `http.cookies`, which FastAPI reads them with, may take seconds for one.

    Python 3.11.10 and 3.12.6 fix that. None of our cookies has one; those of other programs on this machine may.
    """
    if name != b"cookie" or b"\\" not in value:
        return name, value
    return name, b";".join(pair for pair in value.split(b";") if b"\\" not in pair)


def refused(method: str, headers: Headers, path: str = "") -> tuple[int, str] | None:
    """Return status and reason if a request is refused, else None."""
    if not HOST.fullmatch(headers.get("host", "")):
        return 400, "bad-host"
    empty = method in SHORT and "transfer-encoding" not in headers
    length = headers.get("content-length", "0" if empty else "")
    if whole_number(length, bodies.most_bytes(path, headers)) is None:
        return 413, "too-long"
    if method not in SAFE and not _from_own_page(headers):
        return 403, "other-site"
    return (bodies.NOT_UTF_8, "not-utf-8") if bodies.names_other_encoding(headers) else None


def _answer(scope: Scope, status: int, reason: str) -> Response:
    """Answer a refused request: in the form of the API for programs, else with one sentence."""
    t = translator(language_of(HTTPConnection(scope)))
    most = bodies.most_bytes(scope["path"], Headers(scope=scope))
    error = ElCapitanError(reason, most=most)
    if scope["path"].startswith(API_PREFIX):
        return JSONResponse({"error": refusal(error, t)}, status)
    return PlainTextResponse(error.sentence(t.template), status)


def _from_own_page(headers: Headers) -> bool:
    """Whether a request comes from one of our own pages, or from no page at all."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or _netloc(origin) == headers.get("host", "")


def _netloc(origin: str) -> str:
    """Return the name and port in an address; empty if it is not valid."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def with_deadline(receive: Receive, patience: float) -> Receive:
    """Wrap `receive` so that a client counts as disconnected if its body has not arrived after `patience` seconds."""
    whole = False
    deadline: float | None = None

    async def receiving() -> Message:
        nonlocal whole, deadline
        if whole:  # now only a disconnect can come
            return await receive()
        deadline = deadline or asyncio.get_running_loop().time() + patience
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        whole = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    return receiving
