"""Hostile requests, any number of them and the same ones for the same seed: for tests and for the load benchmark.

They go to every address that an application has, by every method, with parameters, headers and bodies that nobody
honest would send. `shots` makes them; `fire` sends one to an application in this process, `raw` is one as bytes for a
socket.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, unquote, urlencode

METHODS: Final = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
HOST: Final = "testserver"
USUAL: Final = 0.5  # how often something is as it should be, so that requests get further than the door

WORDS: Final = (
    "", "0", "1", "-1", "7", "99999999999999999999", "1e9", "NaN", "null", "true", "[]", "{}", "a", "ä", "日本", "🏴‍☠️",
    "\x00", "\x7f", "\n\r", "%", "%00", "%2e%2e%2f", "../../etc/passwd", "..\\..\\", "/", "//", "'", '"', "' OR 1=1 --",
    "<script>alert(1)</script>", "{{7*7}}", "${7*7}", "host", "watch", "seat-0", "seat-9", "friends", "Marseille",
    "captain", "human", "friend", "cmd:rm -rf /", "admiral:ms=999999999", "json", "capitan", "x" * 300, "9" * 400,
    "http://127.0.0.1:8000/", "http://169.254.169.254/latest/", "file:///etc/passwd", "\u202e", "٣", "²", "-0", "0x10",
)  # fmt: skip
FIELDS: Final = (
    "number", "action", "actions", "count", "seat", "level", "text", "key", "phrase", "role", "at", "yes", "title",
    "player0", "player1", "name0", "colour0", "colour1", "first", "forecast", "pace", "hints", "options", "tiles",
    "seed", "file", "seats", "clock", "webhook", "chat", "settings", "names", "players", "language", "theme", "view",
    "back", "again", "do", "card", "form", "kind", "player", "name", "colour", "seconds", "increment", "stand_in",
    "__class__",
)  # fmt: skip
VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 7, 2**31, 2**63, 2**64, -(2**70), 1.5, 1e308, float("nan"), float("inf"), "", "a",
    "\x00", "\ud800", "x" * 5000, [], [[]], {}, {"do": "end"}, {"do": "pirate", "cards": [{}] * 50}, [0] * 3000,
    "host", "human", {"player": "friend"}, [{"player": "friend"}, {"player": "friend"}], "' OR 1=1 --", "2026-01-01",
    10**30,
)  # fmt: skip
TYPES: Final = (
    "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data",
    "text/plain", "application/xml", "", "application/json; charset=utf-16", "image/svg+xml", "\x00", "a" * 2000,
)  # fmt: skip
BODIES: Final = (
    b"", b"{", b"[" * 20_000, b'{"a":' * 5000, b"\xff\xfe\x00", b"null", b"--x\r\n", b"--x\r\n\r\n--x--",
    b"=&=&=&" * 500, b"%00=%ff&%", b'{"number": 1e999}', b'"\\ud800"',
    b"<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;",
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="../../x.json"\r\n\r\n{}\r\n--x--\r\n',
    b"\x00" * 3000, b"9" * 5000, b"a=" + b"b" * 20_000, b'{"number":1,"number":2}', b"\xef\xbb\xbf{}",
)  # fmt: skip
ODD_HEADERS: Final = (
    ("cookie", "keys=" + "a:b." * 400), ("cookie", "keys=\xff\xfe"), ("cookie", "language=xx; theme=;;=;view"),
    ("cookie", 'keys="\\000"; language="de'), ("authorization", "Bearer "), ("authorization", "Bearer \xff"),
    ("authorization", "Basic YTpi"), ("authorization", "Bearer " + "x" * 8000),
    ("accept-language", "de;q=nan, fr;q=inf"), ("accept-language", "," * 3000), ("accept", "\xff"),
    ("accept", "text/event-stream"), ("range", "bytes=0-"), ("range", "bytes=999999999-"), ("if-none-match", "*"),
    ("if-modified-since", "never"), ("x-forwarded-for", "127.0.0.1"), ("x-forwarded-proto", "https"),
    ("forwarded", "for=127.0.0.1"), ("x-http-method-override", "DELETE"), ("origin", "http://elsewhere.example"),
    ("origin", "http://[bad"), ("sec-fetch-site", "cross-site"), ("content-length", "-1"),
    ("content-length", "9" * 5000), ("transfer-encoding", "chunked"), ("last-event-id", "\x00"),
    ("hx-request", "true"), ("accept-encoding", "gzip;q=x, br"), ("expect", "100-continue"), ("upgrade", "websocket"),
)  # fmt: skip
ODD_HOSTS: Final = ("", "elsewhere.example", "[::1", "a b", "testserver:99999999", "\xff", "testserver/../", "x" * 3000)


@dataclass(frozen=True)
class Target:
    """One address of an application: its pattern and the methods that are meant for it."""

    pattern: str
    methods: tuple[str, ...]


@dataclass(frozen=True)
class Shot:
    """One request."""

    method: str
    target: str  # path and query as they are sent, without anything that a request line cannot hold
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True)
class Answer:
    """What came back: all of it, or the beginning of a stream."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


# ------------------------------------------------------------------------------------------------------------ making


def targets(app: Any) -> list[Target]:
    """Every address that an application has, those of what is mounted or included in it too."""
    return sorted(set(_targets(app.routes, "")), key=lambda each: (each.pattern, each.methods))


def _targets(routes: Sequence[Any], before: str) -> Iterator[Target]:
    """All addresses behind some routes."""
    for route in routes:
        included = getattr(route, "original_router", None)
        inside = included.routes if included else getattr(route, "routes", None)
        if inside:
            yield from _targets(inside, before if included else before + getattr(route, "path", ""))
        elif hasattr(route, "path"):
            yield Target(before + route.path, tuple(sorted(getattr(route, "methods", None) or ("GET",))))


def shots(
    seed: int,
    targets: Sequence[Target],
    known: Mapping[str, Sequence[str]],
    keys: Sequence[str] = (),
    host: str = HOST,
) -> Iterator[Shot]:
    """Endlessly many requests: `known` has good values for parameters of addresses, `keys` tokens to come with."""
    dice = random.Random(seed)
    while True:
        target = dice.choice(targets)
        method = dice.choice(target.methods) if dice.random() < 0.8 else dice.choice(METHODS)
        path = _path(dice, target.pattern, known)
        query = _query(dice) if dice.random() < 0.4 else ""
        kind, body = _body(dice) if method not in ("GET", "HEAD") or dice.random() < 0.05 else ("", b"")
        yield Shot(method, path + query, _headers(dice, kind, body, keys, host), body)


def _path(dice: random.Random, pattern: str, known: Mapping[str, Sequence[str]]) -> str:
    """An address with its parameters filled in, well or badly; sometimes with something behind it."""
    filled = []
    for part in pattern.split("/"):
        if not part.startswith("{"):
            filled.append(part)
            continue
        good = known.get(part.strip("{}").partition(":")[0], ())
        word = dice.choice(good) if good and dice.random() < USUAL else dice.choice(WORDS)
        filled.append(quote(word, safe="") if dice.random() < 0.9 else _sendable(word))
    path = "/".join(filled)
    if dice.random() < 0.1:
        path += dice.choice(
            ("/", "//", "/..", "/%2e%2e/%2e%2e/etc/passwd", ";x=1", "%00", "/\\", "/static/../../app.py")
        )
    return path or "/"


def _query(dice: random.Random) -> str:
    """A query, some of it well formed."""
    if dice.random() < 0.2:
        return "?" + dice.choice(("&&&===", "%", "%zz", "a" * 4000, "number=1&number=2", "=", "\\", "%ff=%fe"))
    return "?" + urlencode([(dice.choice(FIELDS), dice.choice(WORDS)) for _ in range(dice.randint(1, 4))])


def _body(dice: random.Random) -> tuple[str, bytes]:
    """A body, and what it is said to be."""
    kind = dice.choice(TYPES)
    if dice.random() < USUAL:
        content = {dice.choice(FIELDS): dice.choice(VALUES) for _ in range(dice.randint(0, 5))}
        return "application/json", json.dumps(content).encode()
    if dice.random() < USUAL:
        form = [(dice.choice(FIELDS), dice.choice(WORDS)) for _ in range(dice.randint(0, 8))]
        return "application/x-www-form-urlencoded", urlencode(form).encode()
    return kind, dice.choice(BODIES)


def _headers(
    dice: random.Random, kind: str, body: bytes, keys: Sequence[str], host: str
) -> tuple[tuple[str, str], ...]:
    """Headers, most of them as they should be."""
    headers = {"host": host if dice.random() < 0.95 else dice.choice(ODD_HOSTS)}
    if kind:
        headers["content-type"] = kind
    headers["content-length"] = str(len(body))
    if keys and dice.random() < USUAL:
        headers["authorization"] = f"Bearer {dice.choice(keys)}"
    for _ in range(dice.choice((0, 0, 1, 3))):
        name, value = dice.choice(ODD_HEADERS)
        headers[name] = value
    return tuple(headers.items())


def _sendable(word: str) -> str:
    """A word as a careless client sends it: a request line holds no spaces and no control characters."""
    return "".join(letter if " " < letter < "\x7f" and letter not in "?#" else quote(letter) for letter in word)


# ----------------------------------------------------------------------------------------------------------- sending


async def fire(app: Any, shot: Shot, client: str = "192.0.2.1") -> Answer:
    """Send a request to an application in this process; of a stream only the beginning is waited for."""
    path, _, query = shot.target.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": shot.method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "root_path": "",
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in shot.headers],
        "client": (client, 40_000),
        "server": (HOST, 80),
        "state": {},
    }
    waiting = [shot.body]
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    if not sent:
        return Answer(0, (), b"")
    return Answer(sent[0]["status"], tuple(sent[0]["headers"]), b"".join(part.get("body", b"") for part in sent[1:]))


def raw(shot: Shot) -> bytes:
    """A request as bytes for a socket; the connection ends with it."""
    lines = [f"{shot.method} {shot.target} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in shot.headers if "\x00" not in value]
    lines += ["connection: close", "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace") + shot.body
