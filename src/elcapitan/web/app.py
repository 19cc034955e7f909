"""The web application: its pages and middleware, and the answers to errors."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from elcapitan.background_tasks import in_background
from elcapitan.errors import BadDatabase, ElCapitanError, TooMuch
from elcapitan.service import NoSuchGame, Tables
from elcapitan.service.bots import Part
from elcapitan.web import operations
from elcapitan.web.api import routes as api_routes
from elcapitan.web.api.app import add_api
from elcapitan.web.auth import CookieUpgrade, NoKey, NotAllowed
from elcapitan.web.middleware.rate_limits import RateLimiter, too_much_response
from elcapitan.web.middleware.request_bodies import NOT_UTF_8
from elcapitan.web.middleware.request_log import RequestLog
from elcapitan.web.middleware.security import SecurityMiddleware
from elcapitan.web.middleware.work_limits import WorkLimiter
from elcapitan.web.pages import game_list, guide, invitations, new_game, rules, table
from elcapitan.web.render import STATIC_FILES, VersionedFiles, compile_templates, page
from elcapitan.web.server_settings import LOCAL_SETTINGS, ServerSettings
from elcapitan.web.viewer import preferences, viewer

# New objects before a young collection, young ones before a middle one, and middle ones before a full one: with
# hundreds of games in memory, a full collection takes half a second.
COLLECTION_THRESHOLDS: Final = (20_000, 20, 100)
ROUTERS: Final = (
    game_list.router,
    new_game.router,
    table.router,
    invitations.router,
    rules.router,
    guide.router,
)
GZIP_LEVEL: Final = 3  # packing tighter takes time with every move and saves little
RETRY_SECONDS: Final = 5  # after which a reader may try again
LOCAL: Final = ("localhost", "127.0.0.1", "[::1]", "testserver")


logger = logging.getLogger(__name__)


def application(
    database: str | Path,
    hosts: Sequence[str] = LOCAL,
    settings: ServerSettings = LOCAL_SETTINGS,
    jobs: Part | None = None,
) -> FastAPI:
    """Create the application over a database. It answers only requests whose Host header is one of `hosts`."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with Tables.open(
            database,
            jobs=jobs,
            address=settings.base_url,
            local_webhooks=settings.allow_local_webhooks,
            webhook_ports=settings.webhook_ports,
        ) as tables:
            app.state.tables = tables
            app.state.health = operations.HealthCheck(tables.check)
            app.state.metrics.follow(tables)
            gc.collect()
            gc.freeze()  # what is loaded now stays, so collections need not look through it
            gc.set_threshold(*COLLECTION_THRESHOLDS)
            async with in_background(asyncio.to_thread(_prepare)), in_background(app.state.metrics.loop.run()):
                yield
            await app.state.health.close()

    app = FastAPI(title="El Capitán", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings, app.state.metrics = settings, operations.ServerMetrics()
    for router in (*ROUTERS, preferences, operations.router):
        app.include_router(router)
    with resources.as_file(STATIC_FILES) as folder:
        app.mount("/static", VersionedFiles(directory=folder))
    operations.add_admin(app)
    add_api(app, api_routes.router)
    app.add_exception_handler(ElCapitanError, _refused)
    app.add_exception_handler(BadDatabase, _no_storage)
    app.add_exception_handler(NoKey, _no_key)
    app.add_exception_handler(NotAllowed, _not_allowed)
    app.add_exception_handler(TooMuch, _too_much)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    _add_middleware(app, hosts, settings)
    return app


def _prepare() -> None:
    """Load what the first request for a page would otherwise wait for."""
    compile_templates()
    guide.steps()


def _add_middleware(app: FastAPI, hosts: Sequence[str], settings: ServerSettings) -> None:
    """Add everything that a request passes on its way to a page; what is added last comes first."""
    app.add_middleware(GZipMiddleware, minimum_size=600, compresslevel=GZIP_LEVEL)
    app.add_middleware(CookieUpgrade, settings=settings)
    if settings.limits:
        app.add_middleware(WorkLimiter, limits=settings.limits)
        app.add_middleware(RateLimiter, limits=settings.limits)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    app.add_middleware(SecurityMiddleware)
    app.add_middleware(RequestLog, metrics=app.state.metrics)


# ----------------------------------------------------------------------------------------------------------- errors


def _error_page(request: Request, status: int, sentence: str) -> Response:
    """Answer with a page that says what is wrong."""
    return page(request, "pages/error.html", status, sentence=sentence)


async def _refused(request: Request, error: Exception) -> Response:
    """Answer a request that the game refuses and its page does not handle, or for a game that does not exist."""
    assert isinstance(error, ElCapitanError)
    status = HTTPStatus.NOT_FOUND if isinstance(error, NoSuchGame) else HTTPStatus.UNPROCESSABLE_ENTITY
    return _error_page(request, status, error.sentence(viewer(request).t.template))


async def _no_storage(request: Request, error: Exception) -> Response:
    """Answer a request for which the database cannot be read or written; only the log gets the database's message."""
    logger.warning("a page was not shown: %s", error)
    t = viewer(request).t
    sentence = t.text("Games cannot be read or saved right now. Please try again in a moment.")
    response = _error_page(request, HTTPStatus.SERVICE_UNAVAILABLE, sentence)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


async def _invalid(request: Request, _error: Exception) -> Response:
    """Answer a request with a missing field, or with a word where a number is wanted."""
    return _error_page(request, HTTPStatus.UNPROCESSABLE_ENTITY, viewer(request).t.text("This cannot be done."))


async def _no_key(request: Request, _error: Exception) -> Response:
    """Ask a caller without a key to the table for a link or a phrase."""
    return page(request, "pages/closed.html", HTTPStatus.FORBIDDEN, again=False, mistake="", phrase="")


async def _not_allowed(request: Request, _error: Exception) -> Response:
    """Answer a request that only the host or another seat may send."""
    sentence = viewer(request).t.text("This is for the host of the table, or for another seat.")
    return _error_page(request, HTTPStatus.FORBIDDEN, sentence)


async def _too_much(request: Request, error: Exception) -> Response:
    """Refuse a request because the server has too much to do."""
    assert isinstance(error, TooMuch)
    return too_much_response(request, error)


async def _http_error(request: Request, error: Exception) -> Response:
    """Answer a request for a page that does not exist, or in a form that is not allowed."""
    assert isinstance(error, HTTPException)
    t = viewer(request).t
    if error.status_code == NOT_UTF_8:
        sentence = ElCapitanError("not-utf-8").sentence(t.template)
    elif error.status_code == HTTPStatus.NOT_FOUND:
        sentence = t.text("There is no such page.")
    else:
        sentence = t.text("This cannot be done.")
    return _error_page(request, error.status_code, sentence)
