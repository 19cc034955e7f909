"""What is refused: a sentence in the language of whoever asks, a name that programs can test, and the rule if any."""

from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from elcapitan.board_file import short
from elcapitan.errors import (
    BadDatabase,
    BadLine,
    CannotUndo,
    ElCapitanError,
    Ended,
    Frozen,
    LogFull,
    NoSuchGame,
    NoSuchKey,
    NotYourTurn,
    NoWish,
    StaleMove,
    TooMuch,
)
from elcapitan.text.catalogue import Translator, translator
from elcapitan.web.viewer import preferred

UNKNOWN_KEY: Final = 401
FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
WRONG_METHOD: Final = 405
CONFLICT: Final = 409
NOT_JSON: Final = 415
SENSELESS: Final = 422
TOO_FAST: Final = 429
NOT_NOW: Final = 503

# By the name of what is wrong, where it has a status of its own; else by its kind; anything else makes no sense here.
BY_REASON: Final = {
    "key-wanted": UNKNOWN_KEY,
    "key-unknown": UNKNOWN_KEY,
    "admin-only": UNKNOWN_KEY,
    "other-key": FORBIDDEN,
    "host-only": FORBIDDEN,
    "players-only": FORBIDDEN,
    "other-seat": FORBIDDEN,
    "no-seed-here": FORBIDDEN,
    "no-hints": FORBIDDEN,
    "no-chat": FORBIDDEN,
    "not-a-seat": NOT_FOUND,
    "no-such-address": NOT_FOUND,
    "other-method": WRONG_METHOD,
    "json-wanted": NOT_JSON,
    "not-utf-8": NOT_JSON,
    "too-many-lines": TOO_FAST,
    "no-adviser": NOT_NOW,
}
BY_KIND: Final[Mapping[type[ElCapitanError], int]] = {
    NoSuchGame: NOT_FOUND,
    NoSuchKey: NOT_FOUND,
    StaleMove: CONFLICT,
    NotYourTurn: CONFLICT,
    CannotUndo: CONFLICT,
    NoWish: CONFLICT,
    Ended: CONFLICT,
    Frozen: CONFLICT,
    LogFull: CONFLICT,
    TooMuch: TOO_FAST,
    BadLine: SENSELESS,
    BadDatabase: NOT_NOW,
}
BY_STATUS: Final = {NOT_FOUND: "no-such-address", NOT_JSON: "not-utf-8"}  # what an HTTPException says
BEARER: Final = {"WWW-Authenticate": "Bearer"}


class Unwelcome(ElCapitanError):
    """A request that is not even looked at: without a key, with the wrong one, or not in the form of this API."""


def status_of(error: ElCapitanError) -> int:
    """The status of an answer that refuses something."""
    found = BY_REASON.get(error.reason)
    return found or next((status for kind, status in BY_KIND.items() if isinstance(error, kind)), SENSELESS)


def refusal(error: ElCapitanError, t: Translator) -> dict[str, str]:
    """What an error says."""
    rule = getattr(error, "rule", "")
    return {"code": error.reason, "message": error.sentence(t.template).removesuffix(f" [{rule}]"), "rule": rule}


def speaking(request: Request) -> Translator:
    """All messages in the language that a program asks for; cookies are for browsers."""
    return translator(preferred(request.headers.get("accept-language", "")))


def refused(request: Request, error: ElCapitanError, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The answer to what is refused."""
    status = status_of(error)
    told = {**(headers or {}), **(BEARER if status == UNKNOWN_KEY else {}), "Cache-Control": "no-store"}
    return JSONResponse({"error": refusal(error, speaking(request))}, status, told)


def refuse_politely(app: FastAPI) -> None:
    """Whatever goes wrong becomes an answer of the same form."""
    app.add_exception_handler(ElCapitanError, _our_error)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(HTTPException, _http_error)


async def _our_error(request: Request, error: Exception) -> JSONResponse:
    """Something that the table, the rules or this API refuses."""
    assert isinstance(error, ElCapitanError)
    return refused(request, error, {"Retry-After": str(error.seconds)} if isinstance(error, TooMuch) else None)


async def _bad_request(request: Request, error: Exception) -> JSONResponse:
    """A request that does not have the form it must have."""
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = error.errors()[0]
    if first["type"] == "json_invalid":
        return refused(request, ElCapitanError("not-json", problem=short(first["ctx"]["error"])))
    field = ".".join(str(step) for step in first["loc"][1:]) or str(first["loc"][0])
    return refused(request, Unwelcome("bad-field", field=short(field)))


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    """An address that is not there, or does not answer like this."""
    assert isinstance(error, HTTPException)
    if error.status_code == WRONG_METHOD:
        return refused(request, Unwelcome("other-method", method=short(request.method)), error.headers)
    return refused(request, Unwelcome(BY_STATUS.get(error.status_code, "bad-request")))
