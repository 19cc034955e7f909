"""Counts and logs every request by its route, never by its address.

Address, query, cookies and body may name a game, a seat or a person. None of them is read here, so none can be logged.
"""

import logging
from http import HTTPStatus
from time import perf_counter
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elcapitan.web.operations import ServerMetrics

METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
NOWHERE: Final = "-"  # an address that leads nowhere; anybody can think of any number of those
STATIC: Final = "/static"

logger = logging.getLogger("elcapitan.access")


class RequestLog:
    """Middleware around everything else that counts and logs requests."""

    def __init__(self, app: ASGIApp, metrics: ServerMetrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, then record its status and duration."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, stream = perf_counter(), HTTPStatus.INTERNAL_SERVER_ERROR, False

        async def sending(message: Message) -> None:
            nonlocal status, stream
            if message["type"] == "http.response.start":
                status = message["status"]
                if Headers(raw=message["headers"]).get("content-type", "").startswith("text/event-stream"):
                    stream = True
                    self._metrics.streams.inc()
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            if stream:
                self._metrics.streams.dec()
            self._note(scope, status, perf_counter() - began, stream=stream)

    def _note(self, scope: Scope, status: int, seconds: float, *, stream: bool) -> None:
        """Count a request that has been answered, and log it."""
        self._metrics.answered += 1
        method = scope["method"] if scope["method"] in METHODS else NOWHERE
        route = route_of(scope)
        self._metrics.requests.labels(method, route, str(status)).inc()
        if not stream:
            self._metrics.seconds.labels(route).observe(seconds)
        client = scope.get("client")
        facts = {
            "method": method,
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 1),
            "address": client[0] if client else NOWHERE,
        }
        logger.info("%s %s %d", method, route, status, extra={"facts": facts})


def route_of(scope: Scope) -> str:
    """Return the pattern of the address that answered, such as /games/{name}/act."""
    route = scope.get("route")
    path = getattr(route, "path", None)
    if path is None:
        return STATIC if scope["path"].startswith(f"{STATIC}/") else NOWHERE
    place = scope.get("root_path", "")
    return path if path.startswith(place) else f"{place}{path}"
