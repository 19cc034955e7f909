"""The API for programs, the same tables as on the pages as JSON (see docs/api.md): its OpenAPI document and its keys.

The document says what can go wrong with an operation, where an answer leads, and what the schemas are called.
"""

import asyncio
import functools
import json
import re
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Path, Request, Security
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import TypeAdapter
from starlette.responses import Response
from starlette.routing import Mount

from elcapitan.engine.vocabulary import SEATS
from elcapitan.errors import NoSuchKey
from elcapitan.service import Rights, Table, Tables
from elcapitan.web.api.errors import BadRequest, RefusedJson, add_error_handlers
from elcapitan.web.api.responses import NewsJson
from elcapitan.web.auth import tables

TITLE: Final = "El Capitán"
VERSION: Final = "1"
PLACE: Final = "/api/v1"
DESCRIPTION: Final = """\
Tables to play El Capitán at, for programs. Whoever creates a game gets keys: one for the host, one for each seat of a
person, one to look on. Every request about a game shows one of them as `Authorization: Bearer KEY`. Whatever changes a
table carries the `number` of the table it was decided at; if something has happened since, it is refused as
`stale-move` and nothing is done. Actions and positions have the form of the bot protocol and of game records."""

WHY: Final = {
    401: "No key, or one that opens nothing",
    403: "The key does not open this",
    404: "There is no such game, seat or address",
    405: "The address does not answer to this method",
    409: "The table has changed in the meantime, or it is not your turn",
    413: "The request is too long",
    415: "What is sent is not called JSON",
    422: "The request is not as it must be, or the rules forbid it",
    429: "Too much at once: wait a moment",
    503: "Not possible at the moment",
}
OF_A_GAME: Final = (401, 403, 404, 422, 429)
SENT: Final = (413, 415)
# The operations that a game's name and a number lead to, with what else they need of the answer that led there.
GAME: Final = {"game": "$response.body#/game"}
LEADS_TO: Final = (
    "view",
    "legal",
    "events",
    "hint",
    "chances",
    "talk",
    "export",
    "undo",
    "redo",
    "wish",
    "answer",
    "say",
    "stand_in",
    "remove",
    "make_key",
    "end",
)

SCHEMAS: Final = "#/components/schemas/"
MESSAGE: Final = {
    "type": "object",
    "description": "One message of the stream",
    "properties": {
        "id": {"type": "string", "description": "To be sent as `since` or `Last-Event-ID` to go on from here"},
        "event": {"type": "string", "enum": ["message", "end"]},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"oneOf": [{"$ref": f"{SCHEMAS}NewsJson"}, {"$ref": f"{SCHEMAS}RefusedJson"}]},
        },
    },
}


class Api(FastAPI):
    """The API. Its OpenAPI document is built when it is first asked for, because on most servers it never is."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        if self.openapi_schema is None:
            self.openapi_schema = _completed(super().openapi())
        return self.openapi_schema

    @functools.cached_property
    def openapi_bytes(self) -> bytes:
        """The OpenAPI document as it is sent, encoded once."""
        return json.dumps(self.openapi(), ensure_ascii=False, separators=(",", ":")).encode()


def _completed(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document with the schemas that it refers to, called by the names of API version 1."""
    shapes = TypeAdapter(NewsJson | RefusedJson).json_schema(ref_template=f"{SCHEMAS}{{model}}", mode="serialization")
    document["components"]["schemas"] = {**shapes["$defs"], **document["components"]["schemas"]}
    renamed: dict[str, Any] = json.loads(re.sub(r'(?<=\w)Json"', '"', json.dumps(document)))
    return renamed


def add_api(pages: FastAPI, operations: APIRouter) -> None:
    """Mount the API with its operations beside the pages, at an address that names its version."""
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
    api.include_router(operations)
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


# ----------------------------------------------------------------------------------- descriptions of the operations


def table_seen(*operations: str) -> dict[int | str, dict[str, Any]]:
    """Describe an answer that shows the table, and operations that it leads to."""
    links = {name: link for operation in operations for name, link in _from_a_table(operation).items()}
    return {200: {"content": _json("GameSeenJson"), **({"links": links} if links else {})}}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe what can go wrong with an operation."""
    return {status: {"content": _json("RefusedJson"), "description": WHY[status]} for status in statuses}


def _json(schema: str) -> dict[str, Any]:
    """Refer to a schema by its name. A type at every operation would be read at every start, which is slower."""
    return {"application/json": {"schema": {"$ref": f"{SCHEMAS}{schema}"}}}


def of_a_game(*more: int) -> dict[int | str, dict[str, Any]]:
    """Describe what can go wrong with a question about a game."""
    return refusals(*sorted({*OF_A_GAME, *more}))


def sent_to_a_game(*more: int) -> dict[int | str, dict[str, Any]]:
    """Describe what can go wrong with something sent to a game."""
    return of_a_game(*SENT, *more)


def from_a_new_game() -> dict[str, Any]:
    """Link a new game to all that can be done with it."""
    links: dict[str, Any] = {name: {"operationId": name, "parameters": GAME} for name in LEADS_TO}
    links["join"] = {"operationId": "join", "requestBody": {"key": "$response.body#/watch_key"}}
    return links


def from_legal_actions() -> dict[str, Any]:
    """Link the list of legal actions to playing the first of them."""
    return _from_a_table("act", actions=["$response.body#/actions/0/action"])


def _from_a_table(operation: str, **more: Any) -> dict[str, Any]:
    """Link an answer to an operation on the same table, at the number in the answer."""
    body = {"number": "$response.body#/number", **more}
    return {operation: {"operationId": operation, "parameters": {"game": "$request.path.game"}, "requestBody": body}}


# -------------------------------------------------------------------------------------------------------- authorization
#
# Every request shows a key, and nothing else opens anything. Cookies count for nothing here, and what is sent must be
# JSON. So no page of another site can do anything in the name of the person whose browser shows it: it can neither add
# a key nor, without asking first, send JSON.

bearer = HTTPBearer(
    auto_error=False, scheme_name="key", description="A key to a game: of its host, of a seat, or to look on"
)
Shown = Annotated[HTTPAuthorizationCredentials | None, Security(bearer)]
GameName = Annotated[
    str,
    Path(
        min_length=1,
        max_length=40,
        pattern="^[a-z0-9]+$",
        description="The name of the game",
        examples=["k7m2x9abcdef"],
    ),
]
SeatPath = Annotated[int, Path(ge=0, le=SEATS - 1, description="Seat, from 0")]


@dataclass(frozen=True)
class Caller:
    """The holder of a key to a game, who sends a request."""

    tables: Tables
    game: str
    key: str
    rights: Rights

    async def table(self) -> Table:
        """Return the table as it stands."""
        return await self.tables.get(self.game)

    def seat(self, wanted: int | None) -> int:
        """Return the seat the caller acts for: the one that is named, or the only one their key opens."""
        mine = sorted(self.rights.seats)
        if not mine:
            raise BadRequest("players-only")
        if wanted is None and len(mine) > 1:
            raise BadRequest("which-seat")
        if wanted is not None and wanted not in mine:
            raise BadRequest("other-seat", seat=wanted + 1)
        return mine[0] if wanted is None else wanted


async def any_caller(request: Request, game: GameName, shown: Shown) -> Caller:
    """Return the caller and their rights, from their key. Refuses a request without a key to the game."""
    if shown is None or not shown.credentials:
        raise BadRequest("key-wanted")
    return await with_key(tables(request), game, shown.credentials)


async def with_key(all_tables: Tables, game: str, key: str) -> Caller:
    """Return the holder of a key to a game. Refuses a key that opens nothing, or another game."""
    rights = await all_tables.keys.rights(game, [key])
    if rights is None:
        try:
            await all_tables.keys.opened(key)
        except NoSuchKey:
            raise BadRequest("key-unknown") from None
        raise BadRequest("other-key")
    return Caller(all_tables, game, key, rights)


AnyCaller = Annotated[Caller, Depends(any_caller)]


async def player(caller: AnyCaller) -> Caller:
    """Return a caller who decides for a seat. Refuses others."""
    if not caller.rights.seats:
        raise BadRequest("players-only")
    return caller


async def host(caller: AnyCaller) -> Caller:
    """Return a caller who is the host of the table. Refuses others."""
    if not caller.rights.host:
        raise BadRequest("host-only")
    return caller


Player = Annotated[Caller, Depends(player)]
Host = Annotated[Caller, Depends(host)]


async def check_json(request: Request) -> None:
    """Refuse a body that is not sent as JSON."""
    if request.method == "POST":
        kind, _semicolon, _parameters = request.headers.get("content-type", "").partition(";")
        if kind.strip().lower() != "application/json":
            raise BadRequest("json-wanted")
