"""Security headers of every response, and requests that are refused for their head or their body.

Pages load nothing from other sites and run no script but our files. A change is accepted only from our own pages: a
browser says where a request comes from, so another site cannot play in a visitor's name. A body must state its length,
be short enough, and arrive in time, as text in UTF-8 and JSON that is not too deep.
"""

import asyncio
import codecs
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, Protocol
from urllib.parse import parse_qsl, urlsplit

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elcapitan.errors import ElCapitanError
from elcapitan.text.catalogue import translator
from elcapitan.untrusted_input import too_complex, whole_number
from elcapitan.web.api.errors import refusal
from elcapitan.web.viewer import language_of

API_PREFIX: Final = "/api/"
SAFE: Final = ("GET", "HEAD", "OPTIONS")
SHORT: Final = (*SAFE, "DELETE")  # they usually have no body, and then say nothing about its length
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
        "magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
    ),
    "Cache-Control": "no-store",  # unless a page says otherwise: it may show a private game
}
# Style sheets and scripts are no documents, so the other headers mean nothing there; a table loads thirty of them.
OF_STYLES_AND_SCRIPTS: Final = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy", "Cache-Control")
STATIC_PREFIX: Final = "/static/"
STYLES_AND_SCRIPTS: Final = ("text/css", "text/javascript")
HTTPS_ONLY: Final = "max-age=31536000"  # a year, without subdomains, which may belong to other servers
BODY_TIMEOUT: Final = 30.0  # seconds until a request must be here as a whole
HOST: Final = re.compile(r"(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
MOST_BYTES: Final = 65_536  # bytes of a body; the longest honest one, the form of a new table, has about two thousand
MOST_IMPORT_BYTES: Final = 4_000_000  # bytes of a form with a game record; one with a trace has about 500,000
IMPORT: Final = "/games/import"
LONGEST_TYPE: Final = 300  # characters of a content type; the boundary of a form has 70 at most
MOST_CHARSET: Final = 20  # bytes of the name of an encoding that are looked at
UTF_8: Final = (b"utf-8", b"utf8")
CHARSET_FIELD: Final = b"_charset_"  # what HTML calls the field in which a form names its encoding
MULTIPART: Final = b"multipart/form-data"
URL_ENCODED: Final = b"application/x-www-form-urlencoded"
NOT_UTF_8: Final = HTTPStatus.UNSUPPORTED_MEDIA_TYPE

Options = Mapping[bytes, bytes]


class SecurityMiddleware:
    """Middleware that adds security headers and refuses bad requests."""

    def __init__(self, app: ASGIApp, body_timeout: float = BODY_TIMEOUT) -> None:
        self._app = app
        self._body_timeout = body_timeout

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["headers"] = [_plain_cookies(name, value) for name, value in scope["headers"]]
        carried = (
            {**SECURITY_HEADERS, "Strict-Transport-Security": HTTPS_ONLY}
            if scope["scheme"] == "https"
            else SECURITY_HEADERS
        )

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                file = scope["path"].startswith(STATIC_PREFIX)
                short = file and headers.get("content-type", "").startswith(STYLES_AND_SCRIPTS)
                for name, value in carried.items():
                    if not short or name in OF_STYLES_AND_SCRIPTS:
                        headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        reason = refused(scope["method"], headers, scope["path"])
        if reason:
            await _answer(scope, *reason)(scope, receive, sending)
        elif scope["method"] in SAFE:
            await self._app(scope, receive, sending)
        else:
            await self._app(scope, checked_body(with_deadline(receive, self._body_timeout), headers), sending)


def _plain_cookies(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """Drop cookies with a backslash: `http.cookies`, which FastAPI reads them with, may take seconds for one.

    Python 3.11.10 and 3.12.6 fix that. None of our cookies has one; those of other programs on this machine may.
    """
    if name != b"cookie" or b"\\" not in value:
        return name, value
    return name, b";".join(pair for pair in value.split(b";") if b"\\" not in pair)


def refused(method: str, headers: Headers, path: str = "") -> tuple[int, str] | None:
    """Return status and reason if a request is refused, else None."""
    if not HOST.fullmatch(headers.get("host", "")):
        return 400, "bad-host"
    empty = method in SHORT and "transfer-encoding" not in headers
    length = headers.get("content-length", "0" if empty else "")
    if whole_number(length, most_bytes(path, headers)) is None:
        return 413, "too-long"
    if method not in SAFE and not _from_own_page(headers):
        return 403, "other-site"
    return (NOT_UTF_8, "not-utf-8") if names_other_encoding(headers) else None


def _answer(scope: Scope, status: int, reason: str) -> Response:
    """Answer a refused request: in the form of the API for programs, else with one sentence."""
    t = translator(language_of(HTTPConnection(scope)))
    most = most_bytes(scope["path"], Headers(scope=scope))
    error = ElCapitanError(reason, most=most)
    if scope["path"].startswith(API_PREFIX):
        return JSONResponse({"error": refusal(error, t)}, status)
    return PlainTextResponse(error.sentence(t.text), status)


def _from_own_page(headers: Headers) -> bool:
    """Whether a request comes from one of our own pages, or from no page at all."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or _netloc(origin) == headers.get("host", "")


def _netloc(origin: str) -> str:
    """Return the name and port in an address; empty if it is not valid."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def with_deadline(receive: Receive, body_timeout: float) -> Receive:
    """Wrap `receive` so that a client counts as disconnected if its body has not arrived in `body_timeout` seconds."""
    whole = False
    deadline: float | None = None

    async def receiving() -> Message:
        nonlocal whole, deadline
        if whole:  # now only a disconnect can come
            return await receive()
        deadline = deadline or asyncio.get_running_loop().time() + body_timeout
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        whole = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    return receiving


# ------------------------------------------------------------------------------------------------------------- bodies
#
# The sender never chooses how a body is decoded. The encoding that a header, a part of a form or the field `_charset_`
# names must be UTF-8, and so must the text; anything else is answered with 415 before it is parsed.


def most_bytes(path: str, headers: Headers) -> int:
    """Return how long a body may be: longer than usual only where a file with a game is sent."""
    kind, _options = _content_type(headers)
    return MOST_IMPORT_BYTES if path == IMPORT and kind == MULTIPART else MOST_BYTES


def names_other_encoding(headers: Headers) -> bool:
    """Whether the content type names another encoding than UTF-8, or cannot be read with certainty."""
    types = headers.getlist("content-type")
    if len(types) > 1 or any(len(each) > LONGEST_TYPE for each in types):
        return True
    _kind, options = _content_type(headers)
    return not _is_utf_8(options.get(b"charset", UTF_8[0]))


def checked_body(receive: Receive, headers: Headers) -> Receive:
    """Check a body while it is received; reading it raises `HTTPException` if it is refused."""
    check = _check_for(headers)

    async def receiving() -> Message:
        message = await receive()
        if message["type"] == "http.request":
            try:
                check.take(message.get("body", b""))
                if not message.get("more_body", False):
                    check.end()
            except UnicodeDecodeError:
                raise HTTPException(NOT_UTF_8) from None
        return message

    return receiving


def _content_type(headers: Headers) -> tuple[bytes, Options]:
    """Parse the content type and its options as the form parser does."""
    return parse_options_header(headers.get("content-type", "")[: LONGEST_TYPE + 1])


def _is_utf_8(charset: bytes) -> bool:
    """Whether this is a name of UTF-8."""
    return charset.strip().lower() in UTF_8


def _check_charset(charset: bytes) -> None:
    """Raise `HTTPException` for the name of any other encoding."""
    if not _is_utf_8(charset):
        raise HTTPException(NOT_UTF_8)


class Check(Protocol):
    """Checks a body piece by piece. Raises `HTTPException` or `UnicodeDecodeError` if it is to be refused."""

    def take(self, piece: bytes) -> None:
        """Check the next piece of the body."""

    def end(self) -> None:
        """Check what can be checked only at the end."""


def _check_for(headers: Headers) -> Check:
    """Return the check for the content type of a request."""
    kind, options = _content_type(headers)
    if kind == MULTIPART and b"boundary" in options:
        return _Multipart(options[b"boundary"])
    return _UrlEncoded() if kind == URL_ENCODED else _Text()


class _Text:
    """Checks JSON and everything else that is no form."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []  # no more than MOST_BYTES

    def take(self, piece: bytes) -> None:
        """Keep a piece until the end."""
        self._pieces.append(piece)

    def end(self) -> None:
        """Refuse what is not UTF-8, or nested too deeply."""
        if too_complex(b"".join(self._pieces).decode()):
            raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY)


class _UrlEncoded(_Text):
    """Checks a URL-encoded form."""

    def end(self) -> None:
        """Refuse fields that are not UTF-8."""
        line = b"".join(self._pieces).decode()
        for name, value in parse_qsl(line, keep_blank_values=True, errors="strict"):
            if name.encode() == CHARSET_FIELD:
                _check_charset(value.encode())


class _Multipart:
    """Checks a form in parts, with the parser that will read it. The content of files is checked by their reader."""

    def __init__(self, boundary: bytes) -> None:
        self._broken = False  # then the reader of the form refuses it
        self._name, self._value = b"", b""  # of a header
        self._headers: dict[bytes, bytes] = {}  # of a part
        self._charset: bytes | None = None  # the beginning of the field `_charset_`, if the part is that
        self._decoder: codecs.IncrementalDecoder | None = None  # none for a file
        callbacks = {
            "on_part_begin": self._headers.clear,
            "on_header_field": self._on_header_field,
            "on_header_value": self._on_header_value,
            "on_header_end": self._on_header_end,
            "on_headers_finished": self._on_headers_finished,
            "on_part_data": self._on_part_data,
            "on_part_end": self._on_part_end,
        }
        try:
            self._parser = MultipartParser(boundary, callbacks)  # type: ignore[arg-type]
        except FormParserError:
            self._broken = True

    def take(self, piece: bytes) -> None:
        """Pass a piece to the parser."""
        try:
            if not self._broken:
                self._parser.write(piece)
        except FormParserError:
            self._broken = True

    def end(self) -> None:
        """Do nothing: all parts have been checked."""

    def _on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header_end(self) -> None:
        self._headers[self._name.lower()] = self._value
        self._name, self._value = b"", b""

    def _on_headers_finished(self) -> None:
        """Refuse a part that names another encoding, and names that are not UTF-8."""
        _kind, options = parse_options_header(self._headers.get(b"content-type"))
        _check_charset(options.get(b"charset", UTF_8[0]))
        _kind, options = parse_options_header(self._headers.get(b"content-disposition"))
        for name in (b"name", b"filename"):
            options.get(name, b"").decode()
        self._charset = b"" if options.get(b"name") == CHARSET_FIELD else None
        self._decoder = None if b"filename" in options else codecs.getincrementaldecoder("utf-8")()

    def _on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._charset is not None:
            self._charset = (self._charset + data[start:end])[:MOST_CHARSET]
        if self._decoder:
            self._decoder.decode(data[start:end])

    def _on_part_end(self) -> None:
        if self._charset is not None:
            _check_charset(self._charset)
        if self._decoder:
            self._decoder.decode(b"", final=True)
