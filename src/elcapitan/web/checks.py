"""Checks that depend on the settings of the server: the name a request is sent to, and the limits of its sender."""

from collections.abc import Sequence
from http import HTTPStatus

from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from elcapitan.web.auth import SETTINGS, current_settings
from elcapitan.web.limits import RateLimiter, WorkLimiter
from elcapitan.web.server_settings import Limits, ServerSettings, is_loopback


class Checks:
    """Middleware that checks each request as the settings want that hold when it comes, and lets it keep them.

    While a server that can be opened is closed, requests of other machines are refused: their connections may not have
    been closed yet.
    """

    def __init__(
        self, app: ASGIApp, hosts: Sequence[str], settings: ServerSettings, opened: ServerSettings | None
    ) -> None:
        self._usual = _checked(app, hosts, settings.limits)
        self._opened = _checked(app, ["*"], opened.limits) if opened else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http" or self._opened is None:
            await self._usual(scope, receive, send)
            return
        request = HTTPConnection(scope)
        scope[SETTINGS] = current_settings(request)
        if scope[SETTINGS].public:
            await self._opened(scope, receive, send)
        elif request.client and is_loopback(request.client.host):
            await self._usual(scope, receive, send)
        else:
            status = HTTPStatus.FORBIDDEN
            await PlainTextResponse(status.phrase, status)(scope, receive, send)


def _checked(app: ASGIApp, hosts: Sequence[str], limits: Limits | None) -> ASGIApp:
    """Return an application that answers to these names only, and to each address only within the limits."""
    if limits:
        app = RateLimiter(WorkLimiter(app, limits), limits)
    return TrustedHostMiddleware(app, allowed_hosts=list(hosts))
