"""The web application: its pages and middleware, the answers to errors, and garbage collection in short pauses."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from elcapitan.background_tasks import in_background
from elcapitan.errors import BadDatabase, ElCapitanError, NoRules, TooMuch
from elcapitan.service import NoSuchGame, Tables
from elcapitan.service.bots import Part
from elcapitan.service.derived_games import Reviews
from elcapitan.web import compiling, operations
from elcapitan.web.api import routes as api_routes
from elcapitan.web.api.app import add_api
from elcapitan.web.auth import CookieUpgrade, NoKey, NotAllowed
from elcapitan.web.checks import Checks
from elcapitan.web.limits import too_much_response
from elcapitan.web.network import NetworkAccess
from elcapitan.web.operations import RequestLog
from elcapitan.web.pages import (
    endings,
    friends,
    game_list,
    guide,
    invitations,
    new_game,
    notifications,
    plans,
    rules,
    table,
)
from elcapitan.web.render import compile_templates, page
from elcapitan.web.security import NOT_UTF_8, SecurityMiddleware
from elcapitan.web.server_settings import LOCAL_SETTINGS, ServerSettings
from elcapitan.web.static_files import STATIC_FILES, Packing, VersionedFiles
from elcapitan.web.viewer import preferences, viewer

ROUTERS: Final = (
    game_list.router,
    new_game.router,
    table.router,
    plans.router,
    endings.router,
    friends.router,
    invitations.router,
    rules.router,
    guide.router,
    compiling.router,
    notifications.router,
)
RETRY_SECONDS: Final = 5  # after which a reader may try again
LOCAL: Final = ("localhost", "127.0.0.1", "[::1]")  # names of this machine that no other machine can have
FOR_TESTS: Final = "testserver"  # the name that the client of Starlette's tests sends requests to
# New objects before a young collection, young ones before a middle one, and middle ones before a full one.
THRESHOLDS: Final = (2_000, 10, 10)

logger = logging.getLogger(__name__)


def application(
    database: str | Path,
    hosts: Sequence[str] = (*LOCAL, FOR_TESTS),
    settings: ServerSettings = LOCAL_SETTINGS,
    jobs: Part | None = None,
    opened: ServerSettings | None = None,
) -> FastAPI:
    """Create the application over a database. It answers only requests whose Host header is one of `hosts`.

    With other settings for when it is `opened`, a local server can be opened to its network while it runs.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with Tables.open(
            database,
            jobs=jobs,
            address=settings.base_url,
            local_webhooks=settings.allow_local_webhooks,
            webhook_ports=settings.webhook_ports,
        ) as tables:
            app.state.tables, app.state.answers = tables, compiling.Answers()
            app.state.reviews = Reviews(tables.bots.processes)
            app.state.health = operations.HealthCheck(tables.check)
            app.state.metrics.follow(tables)
            with short_collections():
                async with in_background(_prepare(tables)), in_background(app.state.metrics.loop.run()):
                    yield
            await app.state.answers.close()
            await app.state.health.close()
            await app.state.reviews.close()

    app = FastAPI(title="El Capitán", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings, app.state.metrics = settings, operations.ServerMetrics()
    app.state.network = NetworkAccess(app.state, opened) if opened else None
    with resources.as_file(STATIC_FILES) as folder:
        app.mount("/static", VersionedFiles(directory=folder))
    operations.add_admin(app)
    add_api(app, api_routes.router)
    # In one list, because an included router compares all its addresses with every request, and again to answer it.
    app.router.routes += [route for router in (*ROUTERS, preferences, operations.router) for route in router.routes]
    app.add_exception_handler(ElCapitanError, _refused)
    app.add_exception_handler(BadDatabase, _no_storage)
    app.add_exception_handler(NoRules, _no_rules)
    app.add_exception_handler(NoKey, _no_key)
    app.add_exception_handler(NotAllowed, _not_allowed)
    app.add_exception_handler(TooMuch, _too_much)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    _add_middleware(app, hosts, settings, opened)
    return app


async def _prepare(tables: Tables) -> None:
    """Load what the first request for a page would otherwise wait for."""
    tables.rules.start()
    await asyncio.to_thread(compile_templates)
    with suppress(NoRules):
        await tables.rules.wait()
        await asyncio.to_thread(guide.steps)
    freeze_loaded()


def _add_middleware(
    app: FastAPI, hosts: Sequence[str], settings: ServerSettings, opened: ServerSettings | None
) -> None:
    """Add everything that a request passes on its way to a page; what is added last comes first."""
    app.add_middleware(compiling.WaitForRules)
    app.add_middleware(Packing)
    app.add_middleware(CookieUpgrade, settings=settings)
    app.add_middleware(Checks, hosts=hosts, settings=settings, opened=opened)
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
    return _error_page(request, status, error.sentence(viewer(request).t.text))


async def _no_storage(request: Request, error: Exception) -> Response:
    """Answer a request for which the database cannot be read or written; only the log gets the database's message."""
    logger.warning("a page was not shown: %s", error)
    t = viewer(request).t
    sentence = t.text("Games cannot be read or saved right now. Please try again in a moment.")
    response = _error_page(request, HTTPStatus.SERVICE_UNAVAILABLE, sentence)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


async def _no_rules(request: Request, error: Exception) -> Response:
    """Answer a request that needs the rules, which could not be compiled."""
    assert isinstance(error, NoRules)
    return _error_page(request, HTTPStatus.SERVICE_UNAVAILABLE, error.sentence(viewer(request).t.text))


async def _invalid(request: Request, _error: Exception) -> Response:
    """Answer a request with a missing field, or with a word where a number is wanted."""
    return _error_page(request, HTTPStatus.UNPROCESSABLE_ENTITY, viewer(request).t.text("This cannot be done."))


async def _no_key(request: Request, _error: Exception) -> Response:
    """Ask a caller without a key to the table for a link or a phrase."""
    return page(request, "pages/closed.html", HTTPStatus.FORBIDDEN, again=False, mistake="", phrase="")


async def _not_allowed(request: Request, _error: Exception) -> Response:
    """Answer a request that only the host or another seat may send."""
    sentence = viewer(request).t.text("Only the host or another player can do this.")
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
        sentence = ElCapitanError("not-utf-8").sentence(t.text)
    elif error.status_code == HTTPStatus.NOT_FOUND:
        sentence = t.text("There is no such page.")
    else:
        sentence = t.text("This cannot be done.")
    return _error_page(request, error.status_code, sentence)


# ------------------------------------------------------------------------------------------------- garbage collection
#
# No request is answered while Python looks for garbage. So few new objects trigger a young collection, which is short.
# A full collection looks at every object that is not frozen. What a server loads once (modules, templates, compiled
# rules) is most of them, so that is frozen as soon as it is there. Tables are not: what they leave behind in cycles has
# to be found, or memory would grow under load.


@contextmanager
def short_collections() -> Iterator[None]:
    """Freeze what is loaded, and collect garbage in small portions for the duration of a `with` block."""
    thresholds = gc.get_threshold()
    gc.set_threshold(*THRESHOLDS)
    freeze_loaded()
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


def freeze_loaded() -> None:
    """Free the garbage of loading, and let later collections skip everything that is there now."""
    gc.collect()
    gc.freeze()
