"""Checks of request bodies: length by address, text in UTF-8, JSON that is not too deep.

The sender never chooses how a body is decoded. The encoding that a header, a part of a form or the field `_charset_`
names must be UTF-8, and so must the text; anything else is answered with 415 before it is parsed.
"""

import codecs
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, Protocol
from urllib.parse import parse_qsl

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from elcapitan.untrusted_input import too_complex

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


def checked(receive: Receive, headers: Headers) -> Receive:
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
