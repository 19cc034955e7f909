"""What every answer carries, and which requests are not even looked at.

Nothing is loaded from elsewhere and nothing may run that is not a file of ours. A change is accepted only from our own
pages: a browser says where a request comes from, so another site cannot play in somebody's name. What somebody sends
is not too long, says how long it is, and comes in time.
"""

import asyncio
import re
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elcapitan.digits import whole_number
from elcapitan.errors import ElCapitanError
from elcapitan.text.catalogue import translator
from elcapitan.web import bodies
from elcapitan.web.viewer import language_of

PROGRAMS: Final = "/api/"
SAFE: Final = ("GET", "HEAD", "OPTIONS")
SHORT: Final = (*SAFE, "DELETE")  # they usually have no body, and then say nothing about its length
CARRIED: Final = {
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
    "Cache-Control": "no-store",  # where a page says nothing else: it may be about somebody's game
}
ONLY_ENCRYPTED: Final = "max-age=31536000"  # a year, and only for this name: nobody knows what else is there
PATIENCE: Final = 30.0  # seconds until a request must be here as a whole
HOST: Final = re.compile(r"(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, patience: float = PATIENCE) -> None:
        self._app = app
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["headers"] = [_plain_cookies(name, value) for name, value in scope["headers"]]
        carried = {**CARRIED, "Strict-Transport-Security": ONLY_ENCRYPTED} if scope["scheme"] == "https" else CARRIED

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in carried.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        refusal = refused(scope["method"], headers, scope["path"])
        if refusal:
            await _answer(scope, *refusal)(scope, receive, sending)
        elif scope["method"] in SAFE:
            await self._app(scope, receive, sending)
        else:
            await self._app(scope, bodies.checked(in_time(receive, self._patience), headers), sending)


def _plain_cookies(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """Leave out cookies with a backslash: `http.cookies`, which FastAPI reads them with, may take seconds for one.

    Python 3.11.10 and 3.12.6 mend that. None of our cookies has one; those of other programs on this machine may.
    """
    if name != b"cookie" or b"\\" not in value:
        return name, value
    return name, b";".join(pair for pair in value.split(b";") if b"\\" not in pair)


def refused(method: str, headers: Headers, path: str = "") -> tuple[int, str] | None:
    """Why a request is not let through, if it is not: the status and the reason."""
    if not HOST.fullmatch(headers.get("host", "")):
        return 400, "bad-host"
    empty = method in SHORT and "transfer-encoding" not in headers
    length = headers.get("content-length", "0" if empty else "")
    if whole_number(length, bodies.most_bytes(path, headers)) is None:
        return 413, "too-long"
    if method not in SAFE and not _ours(headers):
        return 403, "other-site"
    return (bodies.NOT_UTF_8, "not-utf-8") if bodies.names_other_encoding(headers) else None


def _answer(scope: Scope, status: int, reason: str) -> Response:
    """The answer to a request that is not let through: in the form of the API for programs, else one sentence."""
    t = translator(language_of(HTTPConnection(scope)))
    most = bodies.most_bytes(scope["path"], Headers(scope=scope))
    sentence = ElCapitanError(reason, most=most).sentence(t.template)
    if scope["path"].startswith(PROGRAMS):
        return JSONResponse({"error": {"code": reason, "message": sentence, "rule": ""}}, status)
    return PlainTextResponse(sentence, status)


def _ours(headers: Headers) -> bool:
    """Whether a request comes from one of our own pages, or from no page at all."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or _netloc(origin) == headers.get("host", "")


def _netloc(origin: str) -> str:
    """The name and port in an address, if it is one."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def in_time(receive: Receive, patience: float) -> Receive:
    """Wait for the body of a request, but not for ever: whoever is too slow counts as gone."""
    whole = False
    deadline: float | None = None

    async def receiving() -> Message:
        nonlocal whole, deadline
        if whole:  # what comes now is only that somebody has left
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
