"""`elcapitan sit` as a client: where its key goes."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from elcapitan.cli.sit import ApiClient, RequestRefused


class Redirecting(BaseHTTPRequestHandler):
    """Notes the keys that are sent, and leads everything to another host."""

    keys: list[str | None]
    elsewhere: str

    def do_GET(self) -> None:
        self.keys.append(self.headers.get("authorization"))
        self.send_response(302)
        self.send_header("Location", self.elsewhere)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_arguments: object) -> None:
        """Write nothing."""


@pytest.fixture
def servers() -> Iterator[list[ThreadingHTTPServer]]:
    """Two servers, the first of which leads to the second."""
    made = [
        ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Redirecting,), {"keys": [], "elsewhere": ""}))
        for _ in range(2)
    ]
    made[0].RequestHandlerClass.elsewhere = f"http://localhost:{made[1].server_port}/"  # type: ignore[attr-defined]
    for each in made:
        threading.Thread(target=each.serve_forever, daemon=True).start()
    yield made
    for each in made:
        each.shutdown()
        each.server_close()


def test_a_redirect_does_not_take_the_key_elsewhere(servers: list[ThreadingHTTPServer]) -> None:
    here, elsewhere = servers
    client = ApiClient(f"http://127.0.0.1:{here.server_port}", "the-key", "en")
    with pytest.raises(RequestRefused):
        client.ask("/join", {"key": "the-key"})
    with pytest.raises(RequestRefused):
        next(client.follow("abc", "0"))
    assert here.RequestHandlerClass.keys == ["Bearer the-key"] * 2  # type: ignore[attr-defined]
    assert elsewhere.RequestHandlerClass.keys == []  # type: ignore[attr-defined]
