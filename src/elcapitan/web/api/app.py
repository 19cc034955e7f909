"""The API for programs: the same tables as on the pages, as JSON. See docs/api.md."""

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

from elcapitan.web.api.auth import check_json
from elcapitan.web.api.errors import add_error_handlers
from elcapitan.web.api.openapi import DESCRIPTION, PLACE, TITLE, VERSION, completed
from elcapitan.web.api.routes import router


class Api(FastAPI):
    """The API. Its OpenAPI document is built when it is first asked for, because on most servers it never is."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        if self.openapi_schema is None:
            self.openapi_schema = completed(super().openapi())
        return self.openapi_schema

    @functools.cached_property
    def openapi_bytes(self) -> bytes:
        """The OpenAPI document as it is sent, encoded once."""
        return json.dumps(self.openapi(), ensure_ascii=False, separators=(",", ":")).encode()


def add_api(pages: FastAPI) -> None:
    """Mount the API beside the pages, at an address that names its version."""
    api = Api(
        title=TITLE,
        version=VERSION,
        description=DESCRIPTION,
        servers=[{"url": PLACE}],
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # `_send_openapi` answers there, without encoding the document again
        generate_unique_id_function=_name,
        dependencies=[Depends(check_json)],
    )
    api.state = pages.state
    api.add_route("/openapi.json", _send_openapi, include_in_schema=False)
    api.include_router(router)
    add_error_handlers(api)
    mount = Mount(PLACE, api)
    mount.path_regex = re.compile(mount.path_regex.pattern, re.DOTALL)  # an address with a line break is ours too
    pages.router.routes.append(mount)


async def _send_openapi(request: Request) -> Response:
    """Send the OpenAPI document. It is built in a thread, because that takes a quarter of a second."""
    api: Api = request.app
    return Response(await asyncio.to_thread(lambda: api.openapi_bytes), media_type="application/json")


def _name(route: APIRoute) -> str:
    """Call an operation like its function."""
    return route.name
