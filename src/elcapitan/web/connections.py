"""Connections of a server: clients that are too slow or send too much are cut off; opening a second socket.

uvicorn waits for ever for a request, reads a head of any length, and waits for ever until a response is read. So a few
machines could hold all of its connections or fill its memory. This is the only module that builds on private parts of
uvicorn (tested with 0.54); tests/web/test_connections.py checks all limits on real connections.
"""

import asyncio
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, ClassVar, Final

from uvicorn import Server
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from elcapitan.web.limits import OpenRequests, client_group
from elcapitan.web.server_settings import ALL_IPV4, is_loopback

HEAD_SECONDS: Final = 15.0  # seconds until the head of a request must have arrived
HEAD_BYTES: Final = 32_768  # bytes of a request's head; a cookie full of keys has four thousand
BODY_SECONDS: Final = 30.0  # seconds from the end of the head until the body must have arrived
BODY_BYTES: Final = 8_000_000  # bytes of a body and its framing that are received, even of a refused request
WRITE_SECONDS: Final = 60.0  # seconds in which a client must read some of its answer
MOST_CONNECTIONS: Final = 240  # open at the same time from one address: five people with some pages each use sixty
PIECE: Final = 8192  # bytes parsed at a time, so that a head is not much longer than allowed when it is counted


class TooLong(Exception):
    """The head of a request is longer than allowed."""


class Pipelined(Exception):
    """A client sends a request before the previous one is answered. No browser, proxy or library does."""


class LimitedConnection(HttpToolsProtocol):
    """A connection with deadlines and maximum sizes. `limited` returns a class that also counts open connections."""

    by_address: ClassVar[OpenRequests | None] = None  # connections that are open
    proxies: ClassVar[Sequence[IPv4Network | IPv6Network]] = ()  # which connect for many people, so not counted

    head_seconds = HEAD_SECONDS
    head_bytes = HEAD_BYTES
    body_seconds = BODY_SECONDS
    body_bytes = BODY_BYTES
    write_seconds = WRITE_SECONDS

    @classmethod
    def limited(cls, proxies: Iterable[str] = (), most: int = MOST_CONNECTIONS) -> "type[LimitedConnection]":
        """Return a class whose connections are counted by address, except those of proxies."""
        networks = [ip_network(each.strip()) for each in proxies if each.strip()]
        counted = {"by_address": OpenRequests(most), "proxies": networks}
        return type("CountedConnection", (cls,), counted)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_timer = _Timer(self.loop, self._give_up)
        self._body_timer = _Timer(self.loop, self._body_is_late)
        self._write_timer = _Timer(self.loop, self._give_up)
        self._counted = ExitStack()  # counts this connection until it is lost
        self._in_head = self._in_body = False
        self._fed = 0  # bytes of the head or the body that were handed to the parser
        self._parsed = 0  # bytes of the head that the parser has understood

    # ------------------------------------------------------------------------------------------------ the connection

    def connection_made(self, transport: Any) -> None:
        """Start the deadline for the first request; close the connection if its client has too many open."""
        super().connection_made(transport)
        self._head_timer.start(self.head_seconds)
        client = self.client[0] if self.client else ""
        if self.by_address is None or self._is_proxy(client):
            return
        address = client_group(client)
        if self.by_address.full(address):
            self._give_up()
        else:
            self._counted.enter_context(self.by_address.one_more(address))

    def _is_proxy(self, client: str) -> bool:
        """Whether a client is one of the proxies."""
        return any(ip_address(client) in network for network in self.proxies) if client else False

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers and count the connection no more."""
        for timer in (self._head_timer, self._body_timer, self._write_timer):
            timer.stop()
        self._counted.close()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the deadline until which the client must read."""
        super().pause_writing()
        self._write_timer.start(self.write_seconds)

    def resume_writing(self) -> None:
        """Stop the deadline for reading."""
        self._write_timer.stop()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Pass data to the parser in small pieces, and count it."""
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            piece = data[start : start + PIECE]
            super().data_received(piece)
            self._count(len(piece))

    def _count(self, size: int) -> None:
        """Close the connection if head or body is too long; bytes between two requests count as head."""
        if self.transport.is_closing():
            return
        self._fed += size
        if self._in_body:
            if self._fed > self.body_bytes + PIECE:
                self._give_up()
        elif self._in_head or self._is_idle():
            if self._fed > self.head_bytes + PIECE:
                self.send_400_response("Too much.")
            else:
                self._head_timer.start(self.head_seconds)

    def _is_idle(self) -> bool:
        """Whether no request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    # ------------------------------------------------------------------------------------------------ the parser

    def on_message_begin(self) -> None:
        """Begin to count a head. Raises `Pipelined`, which the parser reports, if a request is being answered.

        Pipelined requests would wait in a list without end, and uvicorn would tell only the last of them when the
        connection is lost, so that a stream that was asked for first would go on for ever.
        """
        if not self._is_idle():
            raise Pipelined
        self._in_head, self._fed, self._parsed = True, 0, 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Count a part of the address."""
        self._understood(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count the bytes of a header."""
        self._understood(len(name) + len(value) + len(": \r\n"))
        super().on_header(name, value)

    def _understood(self, size: int) -> None:
        """Count parsed bytes of a head. Raises `TooLong`, which the parser reports, even for a head in one piece."""
        self._parsed += size
        if self._parsed > self.head_bytes:
            raise TooLong

    def on_headers_complete(self) -> None:
        """Start the deadline for the body."""
        self._in_head, self._in_body, self._fed = False, True, 0
        self._head_timer.stop()
        self._body_timer.start(self.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop the deadline for the body."""
        self._in_body, self._fed = False, 0
        self._body_timer.stop()
        super().on_message_complete()

    # ------------------------------------------------------------------------------------------------ giving up

    def _body_is_late(self) -> None:
        """Close the connection, unless the application paused reading: then the client is not to blame."""
        if self.flow.read_paused:
            self._body_timer.start(self.body_seconds)
        else:
            self._give_up()

    def _give_up(self) -> None:
        """Close the connection at once."""
        self.transport.abort()


class _Timer:
    """Calls a function once, after some time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
        self._loop, self._call = loop, call
        self._handle: asyncio.TimerHandle | None = None

    def start(self, seconds: float) -> None:
        """Start the timer unless it runs already."""
        if self._handle is None:
            self._handle = self._loop.call_later(seconds, self._ring)

    def stop(self) -> None:
        """Stop the timer if it runs."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _ring(self) -> None:
        self._handle = None
        self._call()


class NetworkListener:
    """Listens at all IPv4 addresses, beside the socket at which a server listens to its own machine.

    With limits, the connections that come this way are counted by address; the server's other socket does not count.
    """

    def __init__(self, server: Server, local: socket.socket, *, limited: bool) -> None:
        self._server, self._local = server, local
        self._connection = LimitedConnection.limited() if limited else LimitedConnection
        self._listening: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen to the network. Raises `OSError` if that is not possible; then nothing has changed."""
        server = self._server
        protocol = partial(
            self._connection, config=server.config, server_state=server.server_state, app_state=server.lifespan.state
        )
        self._listening = await asyncio.get_running_loop().create_server(
            protocol, sock=listening_beside(self._local), backlog=server.config.backlog
        )
        server.servers.append(self._listening)  # these are closed when the server stops

    def close(self) -> None:
        """Listen to this machine only, and close the connections of all others."""
        if self._listening:
            self._server.servers.remove(self._listening)
            self._listening.close()
            self._listening = None
        for connection in list(self._server.server_state.connections):
            client = getattr(connection, "client", None)
            if not (client and is_loopback(client[0])):
                connection.transport.abort()


def listening_beside(local: socket.socket) -> socket.socket:
    """Open a socket at all IPv4 addresses on the port of one that listens at 127.0.0.1. Raises `OSError`.

    While it is bound, both share the port: Linux wants that if one listens already, and lets no other user join them.
    """
    everywhere = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sharing = [each for each in (local, everywhere) if hasattr(socket, "SO_REUSEPORT")]
    try:
        everywhere.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for each in sharing:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        everywhere.bind((ALL_IPV4, local.getsockname()[1]))
        everywhere.listen()
    except OSError:
        everywhere.close()
        raise
    finally:
        for each in sharing:
            if each.fileno() >= 0:
                each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 0)
    return everywhere
