"""A guest at a table on some server: what is asked there, what is told, and what is refused."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import quote, urlsplit

from elcapitan.board_file import short
from elcapitan.cli.mistakes import BadInput

API: Final = "/api/v1"
PATIENCE: Final = 60.0  # seconds for an answer, and for a sign of life of a stream, which comes every fifteen
LONGEST: Final = 50_000_000  # bytes of an answer
TROUBLE: Final = (OSError, HTTPException)  # what a connection can break by


class CutOff(HTTPException):
    """An answer that is none: a server was stopped while it answered, or it is no server of ours.

    http.client itself is content with fewer bytes than were announced.
    """


class Refused(BadInput):
    """A server does not do what it is asked to."""

    def __init__(self, address: str, status: int, error: Mapping[str, Any]) -> None:
        super().__init__("server-refuses", address=address, problem=str(error.get("message", status)))
        self.status = status
        self.code = str(error.get("code", ""))

    @property
    def passing(self) -> bool:
        """Whether it may be different in a moment."""
        return self.status >= HTTPStatus.INTERNAL_SERVER_ERROR or self.status == HTTPStatus.TOO_MANY_REQUESTS

    @property
    def stale(self) -> bool:
        """Whether the table has changed in the meantime."""
        return self.status == HTTPStatus.CONFLICT


@dataclass(frozen=True)
class News:
    """A message of an event stream."""

    id: str
    name: str
    data: dict[str, Any]


class Server:
    """A server, and the key that is shown there."""

    def __init__(self, address: str, key: str, language: str) -> None:
        self.address = address
        self.key = key
        self._language = language

    def ask(self, path: str, sent: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The answer to a question, or to something that is sent."""
        with self._open(path, sent) as answer:
            try:
                content = json.loads(answer.read(LONGEST))
            except ValueError:
                content = None
        if not isinstance(content, dict):
            raise CutOff
        return content

    def follow(self, game: str, last_id: str) -> Iterator[News]:
        """What happens at a table, after what is known."""
        path = f"/games/{quote(game, safe='')}/events?since={quote(last_id, safe='')}"
        with self._open(path, None) as answer:
            told: dict[str, str] = {}
            for line in answer:
                name, _colon, value = line.decode(errors="replace").rstrip("\r\n").partition(":")
                if name:
                    told[name] = value.removeprefix(" ")
                    continue
                if "data" in told:
                    yield News(told.get("id", last_id), told.get("event", ""), json.loads(told["data"]))
                told = {}

    def _open(self, path: str, sent: Mapping[str, Any] | None) -> Any:
        """A connection on which an answer comes; a refusal is an error of its own."""
        headers = {"Authorization": f"Bearer {self.key}", "Accept-Language": self._language}
        content = None if sent is None else json.dumps(sent).encode()
        if content is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"{self.address}{API}{path}", content, headers)
        try:
            return urllib.request.urlopen(request, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            with error:
                raise Refused(self.address, error.code, _error_in(error)) from None


def _error_in(answer: urllib.error.HTTPError) -> dict[str, Any]:
    """What a refusal says, if it says anything in our form."""
    try:
        error = json.loads(answer.read(LONGEST))["error"]
    except (*TROUBLE, ValueError, KeyError, TypeError):
        return {}
    return error if isinstance(error, dict) else {}


def address_and_key(url: str) -> tuple[str, str]:
    """The address of a server and, if the URL is the link of a seat, the key in it."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme not in ("http", "https") or not parts.hostname or not re.fullmatch(r"[!-~]+", parts.netloc):
        raise BadInput("bad-server", found=short(url))
    folder = parts.path.rstrip("/").removesuffix("/join").removesuffix(API)
    return f"{parts.scheme}://{parts.netloc}{folder}", parts.fragment
