"""The web application: its pages, what every answer carries, and what becomes of errors."""

import asyncio
import gc
import logging
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from elcapitan.errors import BadDatabase, ElCapitanError, TooMuch
from elcapitan.meanwhile import meanwhile
from elcapitan.service import NoSuchGame, Tables
from elcapitan.service.duty import Part
from elcapitan.web import health, metrics
from elcapitan.web.access import NotForYou, NotOpen
from elcapitan.web.admin import add_admin
from elcapitan.web.api.app import add_api
from elcapitan.web.bodies import NOT_UTF_8
from elcapitan.web.environment import STATIC_FILES, compile_templates, page, static_digest
from elcapitan.web.guard import Guard
from elcapitan.web.house import LOCAL_HOUSE, House
from elcapitan.web.key_cookie import CookieUpgrade
from elcapitan.web.limits import Limiter, answer
from elcapitan.web.metrics import Metrics
from elcapitan.web.pages import company, guide, invite, join, library, preferences, replay, rules, start, table
from elcapitan.web.pages.doing import NOT_NOW
from elcapitan.web.pages.guide_game import steps
from elcapitan.web.viewer import viewer
from elcapitan.web.watch import Watch
from elcapitan.web.work import WorkLimiter

# New things, small collections and larger ones until garbage is looked for among fewer, more and all things: with
# hundreds of games in memory, the last takes half a second.
BETWEEN_COLLECTIONS: Final = (20_000, 20, 100)
ROUTERS: Final = (
    start.router,
    join.router,
    library.router,
    table.router,
    company.router,
    invite.router,
    replay.router,
    rules.router,
    guide.router,
)
LIGHTLY: Final = 3  # packing tighter takes time with every move and saves little
AGAIN: Final = 5  # seconds after which a reader may try again
LOCAL: Final = ("localhost", "127.0.0.1", "[::1]", "testserver")


logger = logging.getLogger(__name__)


def application(
    database: str | Path, hosts: Sequence[str] = LOCAL, house: House = LOCAL_HOUSE, jobs: Part | None = None
) -> FastAPI:
    """The application over a store; it answers only to these names of itself."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        async with Tables.open(
            database,
            jobs=jobs,
            house=house.base_url,
            local_webhooks=house.allow_local_webhooks,
            webhook_ports=house.webhook_ports,
        ) as tables:
            app.state.tables = tables
            app.state.health = health.Health(tables.check)
            app.state.metrics.follow(tables)
            gc.collect()
            gc.freeze()  # what is loaded now stays: nobody need look through it for garbage again and again
            gc.set_threshold(*BETWEEN_COLLECTIONS)
            async with meanwhile(asyncio.to_thread(_prepare)), meanwhile(app.state.metrics.loop.run()):
                yield
            await app.state.health.close()

    app = FastAPI(title="El Capitán", lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.house, app.state.metrics = house, Metrics()
    for router in (*ROUTERS, preferences.router):
        app.include_router(router)
    with resources.as_file(STATIC_FILES) as folder:
        app.mount("/static", VersionedFiles(directory=folder))
    for router in (health.router, metrics.router):
        app.include_router(router)
    add_admin(app)
    add_api(app)
    app.add_exception_handler(NoSuchGame, _no_such_game)
    app.add_exception_handler(ElCapitanError, _refused)
    app.add_exception_handler(BadDatabase, _no_storage)
    app.add_exception_handler(NotOpen, _not_open)
    app.add_exception_handler(NotForYou, _not_for_you)
    app.add_exception_handler(TooMuch, _too_much)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _senseless)
    _stand_before(app, hosts, house)
    return app


def _prepare() -> None:
    """Load what the first reader of a page would wait for, and everybody else with them."""
    compile_templates()
    steps()


def _stand_before(app: FastAPI, hosts: Sequence[str], house: House) -> None:
    """What every request passes on its way to the pages; who is added last comes first."""
    app.add_middleware(GZipMiddleware, minimum_size=600, compresslevel=LIGHTLY)
    app.add_middleware(CookieUpgrade, house=house)
    if house.limits:
        app.add_middleware(WorkLimiter, limits=house.limits)
        app.add_middleware(Limiter, limits=house.limits)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    app.add_middleware(Guard)
    app.add_middleware(Watch, metrics=app.state.metrics)


class VersionedFiles(StaticFiles):
    """Serves static files under `<digest of all>/<path>`; browsers keep what they get under the current digest."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer with a file.

        A page loaded before an upgrade asks with another digest and gets the file as it is now, not to be kept.
        """
        digest, _, name = path.partition(os.sep)
        response = await super().get_response(name, scope)
        if digest == static_digest():
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


async def _no_such_game(request: Request, error: Exception) -> Response:
    """There is no such game."""
    assert isinstance(error, ElCapitanError)
    return page(request, "pages/error.html", 404, sentence=error.sentence(viewer(request).t.template))


async def _refused(request: Request, error: Exception) -> Response:
    """Answer a request that the game refuses and its page does not handle, with the reason."""
    assert isinstance(error, ElCapitanError)
    return page(request, "pages/error.html", 422, sentence=error.sentence(viewer(request).t.template))


async def _no_storage(request: Request, error: Exception) -> Response:
    """Answer a request for which the database cannot be read or written; what the database says is for the log."""
    logger.warning("a page was not shown: %s", error)
    t = viewer(request).t
    sentence = t.text("Games cannot be read or saved right now. Please try again in a moment.")
    response = page(request, "pages/error.html", NOT_NOW, sentence=sentence)
    response.headers["Retry-After"] = str(AGAIN)
    return response


async def _senseless(request: Request, _error: Exception) -> Response:
    """A request that lacks something, or has a word where a number is wanted."""
    return page(request, "pages/error.html", 422, sentence=viewer(request).t.text("This cannot be done."))


async def _not_open(request: Request, _error: Exception) -> Response:
    """A table to which whoever asks has no key; they may have one elsewhere."""
    return page(request, "pages/closed.html", 403, again=False, mistake="", phrase="")


async def _not_for_you(request: Request, _error: Exception) -> Response:
    """Something that is for the host, or for another seat."""
    sentence = viewer(request).t.text("This is for the host of the table, or for another seat.")
    return page(request, "pages/error.html", 403, sentence=sentence)


async def _too_much(request: Request, error: Exception) -> Response:
    """Refuse a request because the server has too much to do."""
    assert isinstance(error, TooMuch)
    return answer(request, error)


async def _http_error(request: Request, error: Exception) -> Response:
    """Anything else that is not there or not allowed."""
    assert isinstance(error, HTTPException)
    t = viewer(request).t
    if error.status_code == NOT_UTF_8:
        sentence = ElCapitanError("not-utf-8").sentence(t.template)
    else:
        sentence = t.text("There is no such page.") if error.status_code == 404 else t.text("This cannot be done.")
    return page(request, "pages/error.html", error.status_code, sentence=sentence)
