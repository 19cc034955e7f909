"""Connections: whoever is slow to ask or to read, or sends too much, is cut off; all others are answered."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from elcapitan.web.connections import BODY_SECONDS, HEAD_BYTES, PIECE, LimitedConnection
from elcapitan.web.security import SecurityMiddleware

LONG = b"x" * 3_000_000  # more than the buffers of a connection hold


class Hasty(LimitedConnection):
    """A connection that waits no longer than a test does."""

    head_seconds = 0.2
    head_bytes = 4000
    body_seconds = 0.3
    body_bytes = 200_000
    write_seconds = 0.3


class Usual(LimitedConnection):
    """A connection that allows as much as a real one, and waits for nobody."""

    head_seconds = body_seconds = 0.5


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer at once, without reading what is sent."""
    if scope["type"] == "http":
        await PlainTextResponse(LONG if scope["path"] == "/long" else "here")(scope, receive, send)


async def rulebook_html(scope: Scope, receive: Receive, send: Send) -> None:
    """Read everything that is sent, then answer."""
    while (message := await receive())["type"] == "http.request" and message.get("more_body"):
        pass
    await PlainTextResponse("here")(scope, receive, send)


@contextmanager
def served(protocol: type[LimitedConnection], app: Callable[..., Any] = answering) -> Iterator[int]:
    """A server at a port of this machine."""
    door = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, http=protocol, ws="none", lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
    thread.start()
    try:
        yield door.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def said(port: int, *pieces: bytes) -> bytes:
    """What a server answers to some pieces of a request before it hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        for piece in pieces:
            try:
                line.sendall(piece)
            except OSError:
                break
        heard = b""
        try:
            while piece := line.recv(65_536):
                heard += piece
        except ConnectionError:
            pass
        return heard


REQUEST = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"


def test_connections_on_which_nobody_says_what_they_want() -> None:
    with served(Hasty) as port:
        assert said(port) == b"", "it hangs up by itself"
        assert said(port, b"GET / HTTP/1.1\r\nhost: local") == b""
        with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
            assert _answers(line)
            line.sendall(b"GET / HTTP/1.1\r\nhost: ")
            assert line.recv(100) == b"", "so it does in the middle of a second request"
        assert said(port, REQUEST).endswith(b"here"), "and it answers whoever does"


def test_heads_that_do_not_end() -> None:
    with served(Hasty) as port:
        many = [b"x-%d: y\r\n" % number for number in range(3000)]
        assert b" 200 " not in said(port, b"GET / HTTP/1.1\r\nhost: localhost\r\n", *many)
        assert b" 200 " not in said(port, b"GET / HTTP/1.1\r\nx: ", *[b"y" * 1000] * 300)
        assert b" 200 " not in said(port, b"GET /", *[b"y" * 1000] * 300)
        assert said(port, REQUEST).endswith(b"here")


def test_bodies_are_not_heads() -> None:
    with served(Hasty) as port:
        body = b"x" * 100_000
        head = b"POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body)
        assert b" 200 " in said(port, head + body)


# --------------------------------------------------------------------------------------------------------- slow bodies


def trickled(port: int, head: bytes, drop: bytes = b"x") -> bool:
    """Whether a server hangs up on a client that sends its request drop by drop for ever."""
    with socket.create_connection(("127.0.0.1", port), timeout=0.03) as line:
        line.sendall(head)
        for _ in range(400):  # twelve seconds
            try:
                line.sendall(drop)
                if not line.recv(65_536):
                    return True
            except TimeoutError:
                continue
            except ConnectionError:
                return True
    return False


@pytest.mark.parametrize("method", [b"POST", b"GET", b"DELETE", b"BREW"])
@pytest.mark.parametrize("app", [answering, rulebook_html, SecurityMiddleware(rulebook_html)])
def test_bodies_that_trickle_are_cut_off(method: bytes, app: Callable[..., Any]) -> None:
    """Also if the request was answered or refused long before, and whoever is at work reads it or not."""
    head = method + b" / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5000\r\n\r\n"
    with served(Hasty, app) as port:
        assert trickled(port, head)


def test_refused_and_chunked_bodies_that_trickle_are_cut_off() -> None:
    with served(Hasty, SecurityMiddleware(rulebook_html)) as port:
        assert trickled(port, b"POST / HTTP/1.1\r\nhost: a b\r\ncontent-length: 5000\r\n\r\n")
        chunked = b"POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
        assert trickled(port, chunked, b"1\r\nx\r\n")
        assert trickled(port, chunked + b"0\r\nx: ", b"y"), "so are trailers"


def test_a_second_request_that_trickles_is_cut_off() -> None:
    """On a connection that was used before, whatever comes next: a body, a head, or only empty lines."""
    whole = REQUEST.replace(b"connection: close\r\n", b"")
    with served(Hasty) as port:
        assert trickled(port, whole + b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5000\r\n\r\n")
        assert trickled(port, whole + b"GET / HTTP/1.1\r\nhost: ", b"l")
        assert trickled(port, whole, b"\r\n")


def test_a_body_may_wait_for_the_server() -> None:
    """It is not the client's fault if the application reads late."""

    async def late(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(3 * Hasty.body_seconds)
        await rulebook_html(scope, receive, send)

    body = b"x" * 150_000
    head = b"POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body)
    with served(Hasty, late) as port:
        assert said(port, head, body).endswith(b"here")


def test_bodies_without_end_are_cut_off() -> None:
    """More than is ever read, by a client that does not mind being refused."""
    head = b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 999999999\r\n\r\n"
    sent = 0

    class Patient(Hasty):
        body_seconds = 60.0

    with served(Patient) as port, socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(head)
        with suppress(ConnectionError):
            for _ in range(1000):
                line.sendall(b"x" * 100_000)
                sent += 100_000
    assert sent < 100_000_000


# --------------------------------------------------------------------------------------------------------- long heads


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nhost: localhost\r\nx: " + b"y" * 60_000,
        b"GET / HTTP/1.1\r\nhost: localhost\r\n" + b"x: y\r\n" * 10_000 + b"z: z",
        b"GET /" + b"y" * 60_000 + b" HTTP/1.1\r\nhost: localhost",
        b"GET / HTTP/1.1\r\nhost: localhost\r\nx: " + b"y" * (HEAD_BYTES - 20),
    ],
)
@pytest.mark.parametrize("size", [1_000_000, 5000, 1400])
def test_heads_that_are_too_long_are_refused(head: bytes, size: int) -> None:
    """As a whole, with everything that follows in one piece, or in packets."""
    whole = head + b"\r\nconnection: close\r\n\r\n"
    after_another = REQUEST.replace(b"connection: close\r\n", b"") + whole
    with served(Usual) as port:
        for sent, good in ((whole, 0), (after_another, 1)):
            pieces = [sent[start : start + size] for start in range(0, len(sent), size)]
            assert said(port, *pieces).count(b" 200 ") <= good


@pytest.mark.parametrize("size", [1_000_000, 1400])
def test_heads_of_every_length_below_are_read(size: int) -> None:
    """A cookie of four thousand bytes, or much longer, is no reason to refuse anybody."""
    assert HEAD_BYTES > 2 * PIECE
    with served(Usual) as port:
        for length in (4096, 8000, 16_000, HEAD_BYTES - 200):
            head = REQUEST[:-2] + b"cookie: " + b"k" * length + b"\r\n\r\n"
            pieces = [head[start : start + size] for start in range(0, len(head), size)]
            assert said(port, *pieces).endswith(b"here")


# -------------------------------------------------------------------------------------------------------- slow readers


def test_whoever_does_not_read_is_cut_off() -> None:
    with served(Hasty) as port, socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(30)
        line.connect(("127.0.0.1", port))
        line.sendall(b"GET /long HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        threading.Event().wait(4 * Hasty.write_seconds)
        heard = 0
        try:
            while piece := line.recv(1_000_000):
                heard += len(piece)
        except ConnectionError:
            pass
    assert heard < len(LONG)


def test_whoever_reads_gets_everything() -> None:
    with served(Hasty) as port:
        assert said(port, b"GET /long HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").endswith(LONG)


def test_the_documented_times() -> None:
    assert (LimitedConnection.head_seconds, LimitedConnection.body_seconds, LimitedConnection.write_seconds) == (
        15,
        BODY_SECONDS,
        60,
    )


# ------------------------------------------------------------------------------------------- too many at the same time


async def never(_scope: Scope, receive: Receive, _send: Send) -> None:
    """Answer nothing until the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def test_a_request_must_wait_for_the_answer_to_the_one_before() -> None:
    first = REQUEST.replace(b"connection: close\r\n", b"")
    gone = threading.Event()

    async def streaming(scope: Scope, receive: Receive, send: Send) -> None:
        await never(scope, receive, send)
        gone.set()

    with served(Hasty, streaming) as port, socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(first + first)
        assert line.recv(100).startswith(b"HTTP/1.1 400 ")
        assert gone.wait(30), "what the first one asked for has ended"


def test_connections_of_one_address_are_limited() -> None:
    with served(LimitedConnection.limited(most=3)) as port:
        lines = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(3)]
        assert all(_answers(line) for line in lines)
        assert said(port, REQUEST) == b"", "a fourth is closed at once"
        lines.pop().close()
        end = time.monotonic() + 30
        while not (answer := said(port, REQUEST)) and time.monotonic() < end:
            time.sleep(0.01)
        assert answer.endswith(b"here"), "and there is room again when one is closed"
        for line in lines:
            line.close()


def test_a_proxy_connects_for_many_people() -> None:
    counted = LimitedConnection.limited(["10.0.0.0/8", " 127.0.0.1"], most=1)
    with served(counted) as port, socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        assert _answers(line) and said(port, REQUEST).endswith(b"here")


def _answers(line: socket.socket) -> bool:
    """Whether a server answers on a connection, and leaves it open."""
    line.sendall(REQUEST.replace(b"connection: close\r\n", b""))
    return b"200 OK" in line.recv(65_536)
