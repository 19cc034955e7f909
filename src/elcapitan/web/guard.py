"""What every answer carries, and which requests are not even looked at.

Nothing is loaded from elsewhere and nothing may run that is not a file of ours. A change is accepted only from our own
pages: a browser says where a request comes from, so another site cannot play in somebody's name.
"""

from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE: Final = ("GET", "HEAD", "OPTIONS")
CARRIED: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}
MOST_BYTES: Final = 4_000_000  # of a request; a game record has some hundred thousand


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in CARRIED.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = refused(scope["method"], Headers(scope=scope))
        if refusal:
            await PlainTextResponse(refusal[1], refusal[0])(scope, receive, sending)
        else:
            await self._app(scope, receive, sending)


def refused(method: str, headers: Headers) -> tuple[int, str] | None:
    """Why a request is not let through, if it is not: the status and a word."""
    if method in SAFE:
        return None
    length = headers.get("content-length", "")
    if not length.isdecimal() or int(length) > MOST_BYTES:
        return 413, "too much"
    return None if _ours(headers) else (403, "not from here")


def _ours(headers: Headers) -> bool:
    """Whether a request comes from one of our own pages, or from no page at all."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host", "")
