"""The API for programs: tables to play at, as JSON, beside the pages and with the same tables behind it."""

import asyncio
import functools
import json
import re
from typing import Any

from fastapi import Depends, FastAPI
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount

from elcapitan.web.api import following, games, hosting, playing
from elcapitan.web.api.describing import DESCRIPTION, PLACE, TITLE, VERSION, with_news
from elcapitan.web.api.entering import check_json
from elcapitan.web.api.refusing import refuse_politely


class Api(FastAPI):
    """The API, which describes itself when it is first asked to: most who start a server never ask."""

    def openapi(self) -> dict[str, Any]:
        """The description."""
        return self.openapi_schema or with_news(super().openapi())

    @functools.cached_property
    def description_bytes(self) -> bytes:
        """The description as it is sent, encoded once."""
        return json.dumps(self.openapi(), ensure_ascii=False, separators=(",", ":")).encode()


def add_api(pages: FastAPI) -> None:
    """Put the API beside the pages, at an address that names its version."""
    api = Api(
        title=TITLE,
        version=VERSION,
        description=DESCRIPTION,
        servers=[{"url": PLACE}],
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # `_describe` answers there, without encoding the description again
        generate_unique_id_function=_name,
        dependencies=[Depends(check_json)],
    )
    api.state = pages.state
    api.add_route("/openapi.json", _describe, include_in_schema=False)
    for module in (games, playing, following, hosting):
        api.include_router(module.router)
    refuse_politely(api)
    door = Mount(PLACE, api)
    door.path_regex = re.compile(door.path_regex.pattern, re.DOTALL)  # with a line break in it, an address is ours too
    pages.router.routes.append(door)


async def _describe(request: Request) -> Response:
    """Send the description; it is built in a thread, because that takes a quarter of a second."""
    api: Api = request.app
    return Response(await asyncio.to_thread(lambda: api.description_bytes), media_type="application/json")


def _name(route: APIRoute) -> str:
    """An operation is called like its function."""
    return route.name
