"""HTTP with as little work as possible, because the client shares the machine with the measured server."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

HOST: Final = "127.0.0.1"
PIECE: Final = 1 << 16  # bytes read at once
CONTINUE: Final = 100  # an answer before the answer
BODILESS: Final = (204, 304)  # answers that have no body


class Disconnected(Exception):
    """The server has closed the connection, or does not answer."""


def request(method: str, path: str, key: str, content: object = None, wants: str = "application/json") -> bytes:
    """Encode a request as it is sent."""
    body = b"" if content is None else json.dumps(content).encode()
    head = [f"{method} {path} HTTP/1.1", f"Host: {HOST}", f"Accept: {wants}"]
    head += [f"Authorization: Bearer {key}"] if key else []
    head += ["Content-Type: application/json", f"Content-Length: {len(body)}"] if content is not None else []
    return "\r\n".join([*head, "", ""]).encode() + body


class Connection:
    """A connection to a server that is kept for many requests."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, key: str = "", content: object = None) -> tuple[int, Any]:
        """Send a request; returns the status and the JSON of the answer."""
        try:
            if self._reader is None:
                self._reader, self._writer = await asyncio.open_connection(HOST, self.port)
            assert self._writer is not None
            self._writer.write(request(method, path, key, content))
            status, headers = await head(self._reader)
            body = await self._reader.readexactly(int(headers.get("content-length", "0")))
        except (OSError, asyncio.IncompleteReadError, Disconnected):
            self.close()
            raise Disconnected from None
        if headers.get("connection") == "close":
            self.close()
        return status, json.loads(body) if body[:1] in (b"{", b"[") else body

    async def send(self, asked: bytes, method: str) -> tuple[int, bytes]:
        """Send an encoded request; returns status and body of the answer, of a stream only its first piece."""
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
            raise Disconnected from None
        if headers.get("connection") == "close":
            self.close()
        return status, body

    def close(self) -> None:
        """Close the connection, if it is open."""
        if self._writer:
            self._writer.close()
        self._reader = self._writer = None


async def head(reader: asyncio.StreamReader) -> tuple[int, Mapping[str, str]]:
    """Read the status and the headers of an answer."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    if len(words) < 2:
        raise Disconnected
    headers = (line.partition(":") for line in lines[1:] if line)
    return int(words[1]), {name.strip().lower(): value.strip() for name, _colon, value in headers}


async def stream(port: int, path: str, key: str, language: str, heard: Callable[[bytes], None]) -> None:
    """Follow a stream until the server closes it; each message is handed over as it arrives."""
    try:
        reader, writer = await asyncio.open_connection(HOST, port)
    except OSError:
        raise Disconnected from None
    try:
        asked = request("GET", path, key, wants="text/event-stream")
        writer.write(asked.replace(b"\r\n\r\n", f"\r\nAccept-Language: {language}\r\n\r\n".encode(), 1))
        status, _headers = await head(reader)
        if status != 200:
            raise Disconnected
        while piece := await reader.read(PIECE):
            heard(piece)
    except (OSError, asyncio.IncompleteReadError):
        raise Disconnected from None
    finally:
        writer.close()
