"""An application in the same process: its routes, and requests sent to it without a socket."""

from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import unquote

Headers = tuple[tuple[bytes, bytes], ...]
CLIENT: Final = ("192.0.2.1", 40_000)
SERVER: Final = ("testserver", 80)


def routes(app: Any) -> dict[str, Any]:
    """Every route of an application by method and path, such as "GET /rules", those of mounted applications too."""
    return {f"{method} {path}": route for path, route in _walk(app.routes, "") for method in route.methods - {"HEAD"}}


def _walk(found: Sequence[Any], before: str) -> Iterator[tuple[str, Any]]:
    """The routes in a list with their whole paths."""
    for route in found:
        included = getattr(route, "original_router", None)
        inside = included.routes if included else getattr(route, "routes", None)
        if inside:
            yield from _walk(inside, before if included else before + getattr(route, "path", ""))
        elif getattr(route, "methods", None):
            yield before + route.path, route


async def send(
    app: Any, method: str, target: str, headers: Sequence[tuple[str, str]], content: bytes = b""
) -> tuple[int, Headers, bytes]:
    """Send a request; the status, headers and body of the answer, of a stream only the beginning."""
    path, _, query = target.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "root_path": "",
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers],
        "client": CLIENT,
        "server": SERVER,
        "state": {},
    }
    waiting = [content]
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return {"type": "http.disconnect"}

    async def sending(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, sending)
    if not sent:
        return 0, (), b""
    return sent[0]["status"], tuple(sent[0]["headers"]), b"".join(part.get("body", b"") for part in sent[1:])
