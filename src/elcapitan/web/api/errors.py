"""Errors as answers: a sentence in the caller's language, a code that programs can test, and the rule if any."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import Field
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from typing_extensions import TypedDict

from elcapitan.board.board_file import short
from elcapitan.errors import (
    BadDatabase,
    BadLine,
    CannotUndo,
    ElCapitanError,
    Ended,
    Frozen,
    LogFull,
    NoRules,
    NoSuchGame,
    NoSuchKey,
    NotYourTurn,
    NoUndoVote,
    StaleVersion,
    TooMuch,
)
from elcapitan.text.catalogue import Translator, translator
from elcapitan.web.view.context import sentence_and_rule
from elcapitan.web.viewer import preferred

# By the name of what is wrong, where it has a status of its own; else by its kind; anything else makes no sense here.
BY_REASON: Final = {
    "key-wanted": HTTPStatus.UNAUTHORIZED,
    "key-unknown": HTTPStatus.UNAUTHORIZED,
    "admin-only": HTTPStatus.UNAUTHORIZED,
    "other-key": HTTPStatus.FORBIDDEN,
    "host-only": HTTPStatus.FORBIDDEN,
    "players-only": HTTPStatus.FORBIDDEN,
    "other-seat": HTTPStatus.FORBIDDEN,
    "no-seed-here": HTTPStatus.FORBIDDEN,
    "no-hints": HTTPStatus.FORBIDDEN,
    "no-chat": HTTPStatus.FORBIDDEN,
    "not-a-seat": HTTPStatus.NOT_FOUND,
    "no-such-address": HTTPStatus.NOT_FOUND,
    "other-method": HTTPStatus.METHOD_NOT_ALLOWED,
    "json-wanted": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "not-utf-8": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "too-many-lines": HTTPStatus.TOO_MANY_REQUESTS,
    "no-adviser": HTTPStatus.SERVICE_UNAVAILABLE,
}
BY_KIND: Final[Mapping[type[ElCapitanError], int]] = {
    NoSuchGame: HTTPStatus.NOT_FOUND,
    NoSuchKey: HTTPStatus.NOT_FOUND,
    StaleVersion: HTTPStatus.CONFLICT,
    NotYourTurn: HTTPStatus.CONFLICT,
    CannotUndo: HTTPStatus.CONFLICT,
    NoUndoVote: HTTPStatus.CONFLICT,
    Ended: HTTPStatus.CONFLICT,
    Frozen: HTTPStatus.CONFLICT,
    LogFull: HTTPStatus.CONFLICT,
    TooMuch: HTTPStatus.TOO_MANY_REQUESTS,
    BadLine: HTTPStatus.UNPROCESSABLE_ENTITY,
    BadDatabase: HTTPStatus.SERVICE_UNAVAILABLE,
    NoRules: HTTPStatus.SERVICE_UNAVAILABLE,
}
BY_STATUS: Final[Mapping[int, str]] = {
    HTTPStatus.NOT_FOUND: "no-such-address",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "not-utf-8",
}  # the codes of HTTP errors
BEARER: Final = {"WWW-Authenticate": "Bearer"}


class RefusalJson(TypedDict):
    """Why something was not done."""

    code: Annotated[str, Field(description="A name that stays the same in all languages", examples=["stale-move"])]
    message: Annotated[str, Field(description="One sentence in the language of `Accept-Language`")]
    rule: Annotated[str, Field(description="The rule that forbids it, if one does", examples=["G-06"])]


class RefusedJson(TypedDict):
    """An answer to what was not done."""

    error: RefusalJson


class BadRequest(ElCapitanError):
    """A request that reaches no table: without a key, with the wrong one, or not in the form of this API."""


def status_of(error: ElCapitanError) -> int:
    """Return the status of the answer to an error."""
    found = BY_REASON.get(error.reason)
    return found or next(
        (status for kind, status in BY_KIND.items() if isinstance(error, kind)), HTTPStatus.UNPROCESSABLE_ENTITY
    )


def refusal(error: ElCapitanError, t: Translator) -> RefusalJson:
    """Return an error as JSON, in the language of a translator."""
    message, rule = sentence_and_rule(error, t)
    return {"code": error.reason, "message": message, "rule": rule}


def translator_of(request: Request) -> Translator:
    """Return the translator for the language a program asks for. Cookies are ignored: they are for browsers."""
    return translator(preferred(request.headers.get("accept-language", "")))


def error_response(request: Request, error: ElCapitanError, headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer to an error, with its status and headers."""
    status = status_of(error)
    content: RefusedJson = {"error": refusal(error, translator_of(request))}
    sent = {**(headers or {}), **(BEARER if status == HTTPStatus.UNAUTHORIZED else {}), "Cache-Control": "no-store"}
    return Response(to_json(content), status, sent, media_type="application/json")


def add_error_handlers(app: FastAPI) -> None:
    """Make every error an answer of the same form."""
    app.add_exception_handler(ElCapitanError, _our_error)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(HTTPException, _http_error)


async def _our_error(request: Request, error: Exception) -> Response:
    """Answer to something that the table, the rules or this API refuses."""
    assert isinstance(error, ElCapitanError)
    return error_response(request, error, {"Retry-After": str(error.seconds)} if isinstance(error, TooMuch) else None)


async def _bad_request(request: Request, error: Exception) -> Response:
    """Answer to a request that does not have the form it must have."""
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = error.errors()[0]
    if first["type"] == "json_invalid":
        return error_response(request, ElCapitanError("not-json", problem=short(first["ctx"]["error"])))
    field = ".".join(str(step) for step in first["loc"][1:]) or str(first["loc"][0])
    return error_response(request, BadRequest("bad-field", field=short(field)))


async def _http_error(request: Request, error: Exception) -> Response:
    """Answer to an address that is not there, or does not have this method."""
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return error_response(request, BadRequest("other-method", method=short(request.method)), error.headers)
    return error_response(request, BadRequest(BY_STATUS.get(error.status_code, "bad-request")))
