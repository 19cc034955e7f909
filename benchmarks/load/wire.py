"""HTTP with as little work as possible, because whoever measures shares the machine with what is measured."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

HOST: Final = "127.0.0.1"
PIECE: Final = 1 << 16  # bytes read at once
CONTINUE: Final = 100  # an answer before the answer
BODILESS: Final = (204, 304)  # answers that have no body


class Gone(Exception):
    """The other side has closed the connection, or was never there."""


def request(method: str, path: str, key: str, content: object = None, wants: str = "application/json") -> bytes:
    """A request as it is sent."""
    body = b"" if content is None else json.dumps(content).encode()
    head = [f"{method} {path} HTTP/1.1", f"Host: {HOST}", f"Accept: {wants}"]
    head += [f"Authorization: Bearer {key}"] if key else []
    head += ["Content-Type: application/json", f"Content-Length: {len(body)}"] if content is not None else []
    return "\r\n".join([*head, "", ""]).encode() + body


class Door:
    """A connection to a server that is kept for many requests."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, key: str = "", content: object = None) -> tuple[int, Any]:
        """Send a request; the status and what was answered, as plain data."""
        try:
            if self._reader is None:
                self._reader, self._writer = await asyncio.open_connection(HOST, self.port)
            assert self._writer is not None
            self._writer.write(request(method, path, key, content))
            status, headers = await head(self._reader)
            body = await self._reader.readexactly(int(headers.get("content-length", "0")))
        except (OSError, asyncio.IncompleteReadError, Gone):
            self.close()
            raise Gone from None
        if headers.get("connection") == "close":
            self.close()
        return status, json.loads(body) if body[:1] in (b"{", b"[") else body

    async def send(self, asked: bytes, method: str) -> tuple[int, bytes]:
        """Send a request as it is; the status and the body of the answer, of a stream only its first piece."""
        try:
            if self._reader is None:
                self._reader, self._writer = await asyncio.open_connection(HOST, self.port)
            assert self._writer is not None
            self._writer.write(asked)
            status, headers = await head(self._reader)
            while status == CONTINUE:
                status, headers = await head(self._reader)
            if method == "HEAD" or status in BODILESS:
                body = b""
            elif "content-length" in headers:
                body = await self._reader.readexactly(int(headers["content-length"]))
            else:  # a stream goes on for ever
                body = await self._reader.read(PIECE)
                self.close()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            self.close()
            raise Gone from None
        if headers.get("connection") == "close":
            self.close()
        return status, body

    def close(self) -> None:
        """Hang up."""
        if self._writer:
            self._writer.close()
        self._reader = self._writer = None


async def head(reader: asyncio.StreamReader) -> tuple[int, Mapping[str, str]]:
    """The status and the headers of an answer."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    if len(words) < 2:
        raise Gone
    headers = (line.partition(":") for line in lines[1:] if line)
    return int(words[1]), {name.strip().lower(): value.strip() for name, _colon, value in headers}


async def stream(port: int, path: str, key: str, language: str, heard: Callable[[bytes], None]) -> None:
    """Follow a stream until the server goes away; what comes is handed over as it comes."""
    try:
        reader, writer = await asyncio.open_connection(HOST, port)
    except OSError:
        raise Gone from None
    try:
        asked = request("GET", path, key, wants="text/event-stream")
        writer.write(asked.replace(b"\r\n\r\n", f"\r\nAccept-Language: {language}\r\n\r\n".encode(), 1))
        status, _headers = await head(reader)
        if status != 200:
            raise Gone
        while piece := await reader.read(PIECE):
            heard(piece)
    except (OSError, asyncio.IncompleteReadError):
        raise Gone from None
    finally:
        writer.close()
