"""For the admin of a server: its health, its figures for Prometheus, the list of all games, and the log of requests.

Every application has figures of its own. Nothing in them tells games, people or addresses apart. The admin's token
comes as a bearer token. It opens no seat and shows no board: games can be listed, ended and deleted.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from time import perf_counter
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elcapitan.service import GameSummary, Tables
from elcapitan.service.commit import Durations
from elcapitan.web import auth
from elcapitan.web.api.errors import BadRequest, add_error_handlers, error_response

CHECK_TIMEOUT: Final = 5.0  # seconds until a check that does not end counts as failed
CHECK_INTERVAL: Final = 10.0  # seconds from one check to the next, shared by all who ask
DELAY_INTERVAL: Final = 0.1  # seconds between two measurements of the event loop's delay
BUCKETS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds
ADMIN_PATH: Final = "/api/v1/admin"
METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
NOWHERE: Final = "-"  # an address that leads nowhere; anybody can think of any number of those
STATIC: Final = "/static"

logger = logging.getLogger(__name__)
access_log = logging.getLogger("elcapitan.access")
router = APIRouter()


# ----------------------------------------------------------------------------------------------------------- health


class HealthCheck:
    """Checks whether games can be played, at most once in every `CHECK_INTERVAL`."""

    def __init__(self, check: Callable[[], Awaitable[None]], clock: Callable[[], float] = time.monotonic) -> None:
        self._check = check
        self._clock = clock
        self._began = 0.0
        self._result: asyncio.Task[bool] | None = None

    async def passes(self) -> bool:
        """Whether the last check went well; starts a new one if that was some time ago.

        A check that takes too long goes on, because a query that is cut off costs a connection.
        """
        now = self._clock()
        if self._result is None or (self._result.done() and now - self._began >= CHECK_INTERVAL):
            self._began = now
            self._result = asyncio.create_task(self._run())
        done, _pending = await asyncio.wait([self._result], timeout=CHECK_TIMEOUT)
        return bool(done) and self._result.result()

    async def close(self) -> None:
        """Wait for a check that is running."""
        if self._result:
            await asyncio.wait([self._result], timeout=CHECK_TIMEOUT)

    async def _run(self) -> bool:
        """Run a check; log the kind of error if it fails."""
        try:
            await self._check()
        except Exception as error:  # whatever it is, games cannot be played
            logger.warning("not fit to play in: %s", type(error).__name__)
            return False
        return True


@router.get("/healthz")
async def healthz(request: Request) -> Response:
    """Whether the database can be written and read and the rules are loaded; the response gives no reason."""
    health: HealthCheck = request.app.state.health
    fit = not request.app.state.tables.rules.compiling and await health.passes()
    word, status = ("fit", HTTPStatus.OK) if fit else ("unfit", HTTPStatus.SERVICE_UNAVAILABLE)
    return JSONResponse({"status": word}, status, {"Cache-Control": "no-store"})


# ---------------------------------------------------------------------------------------------------------- metrics


class LoopDelay:
    """Measures how late the event loop runs a timer, and how long it computed without a pause.

    While the loop is late, no request of any player is answered.
    """

    def __init__(self) -> None:
        self.delay = 0.0  # seconds, the longest: also because other processes had the core
        self.block = 0.0  # seconds, the longest: computing on the loop's own thread only

    async def run(self) -> None:
        """Measure every `DELAY_INTERVAL`, and keep the longest values, until the task is cancelled."""
        while True:
            wall, computing = time.monotonic(), time.thread_time()
            await asyncio.sleep(DELAY_INTERVAL)
            late = time.monotonic() - wall - DELAY_INTERVAL
            self.delay = max(self.delay, late)
            self.block = max(self.block, min(late, time.thread_time() - computing))


class ServerMetrics:
    """The figures of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "elcapitan_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "elcapitan_request_seconds",
            "Time to answer a request; streams are left out.",
            ["route"],
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.streams = Gauge("elcapitan_streams_open", "Streams that follow a table.", registry=self.registry)
        self.loop = LoopDelay()
        late = Gauge("elcapitan_loop_delay_max_seconds", "The longest delay of the event loop.", registry=self.registry)
        late.set_function(lambda: self.loop.delay)
        busy = Gauge(
            "elcapitan_loop_block_max_seconds",
            "The longest computation that delayed the event loop.",
            registry=self.registry,
        )
        busy.set_function(lambda: self.loop.block)

    def follow(self, tables: Tables) -> None:
        """Add the figures of the tables."""
        self.registry.register(_TableMetrics(tables))

    def text(self) -> bytes:
        """Write all figures in the format of Prometheus."""
        return generate_latest(self.registry)


class _TableMetrics(Collector):
    """Reads the figures that the service counts."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def collect(self) -> Iterable[Metric]:
        """Return all figures as they are now."""
        measured = self._tables.metrics
        yield GaugeMetricFamily("elcapitan_games_live", "Tables in memory.", len(self._tables.in_memory))
        yield _histogram("elcapitan_move_seconds", "Time to check and store a move.", measured.moves)
        yield _histogram("elcapitan_thought_seconds", "Time computer players think about a turn.", measured.thoughts)


def _histogram(name: str, about: str, durations: Durations) -> Metric:
    """Convert durations to a histogram of Prometheus, in which each bucket counts everything below its bound."""
    below, buckets = 0, []
    for bound, count in zip((*map(str, durations.bounds), "+Inf"), durations.counts, strict=True):
        below += count
        buckets.append((bound, float(below)))
    return HistogramMetricFamily(name, about, buckets=buckets, sum_value=durations.total)


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Return all figures to the admin, and to programs on the same machine."""
    if not (is_admin(request) or auth.on_this_machine(request)):
        return error_response(request, BadRequest("admin-only"))
    found: ServerMetrics = request.app.state.metrics
    return Response(found.text(), headers={"Cache-Control": "no-store"}, media_type=CONTENT_TYPE_LATEST)


# ------------------------------------------------------------------------------------------------------------ admin


def is_admin(request: Request) -> bool:
    """Whether a request brings the admin's token."""
    return auth.server_settings(request).is_admin(request.headers.get("authorization", ""))


def only_admin(request: Request) -> None:
    """Raise `BadRequest` unless a request brings the admin's token."""
    if not is_admin(request):
        raise BadRequest("admin-only")


admin_router = APIRouter(dependencies=[Depends(only_admin)])
AllTables = Annotated[Tables, Depends(auth.tables)]


def add_admin(pages: FastAPI) -> None:
    """Mount the admin's operations; before the API, whose path is the beginning of theirs."""
    own = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    own.state = pages.state
    own.include_router(admin_router)
    add_error_handlers(own)
    pages.mount(ADMIN_PATH, own)


@admin_router.get("/games")
async def list_games(tables: AllTables) -> dict[str, Any]:
    """List all games, the last changed first."""
    return {"games": [_game_to_json(game) for game in await tables.summaries()]}


@admin_router.delete("/games/{name}")
async def delete_game(tables: AllTables, name: str) -> dict[str, Any]:
    """Delete a game and its log."""
    await tables.delete(name)
    return {"deleted": name}


@admin_router.post("/games/{name}/end")
async def end_game(tables: AllTables, name: str) -> dict[str, Any]:
    """End a game, so that it cannot be played on."""
    table = await tables.end(name)
    return {"ended": name, "number": table.number}


def _game_to_json(game: GameSummary) -> dict[str, Any]:
    """Describe a game without its board and its chat."""
    return {
        "game": game.id,
        "created": game.created.isoformat(),
        "changed": game.changed.isoformat(),
        "players": [seat.player for seat in game.seats],
        "entries": game.number,
        "phase": game.phase,
        "round": game.round,
        "over": game.over,
    }


# ----------------------------------------------------------------------------------------------------------- requests
#
# Every request is counted and logged by its route, never by its address. Address, query, cookies and body may name a
# game, a seat or a person. None of them is read here, so none can be logged.


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
        access_log.info("%s %s %d", method, route, status, extra={"facts": facts})


def route_of(scope: Scope) -> str:
    """Return the pattern of the address that answered, such as /games/{name}/act."""
    route = scope.get("route")
    path = getattr(route, "path", None)
    if path is None:
        return STATIC if scope["path"].startswith(f"{STATIC}/") else NOWHERE
    place = scope.get("root_path", "")
    return path if path.startswith(place) else f"{place}{path}"
