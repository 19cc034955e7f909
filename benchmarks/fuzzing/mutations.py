"""Hostile values, and how a request is damaged with them."""

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

BOUNDARY: Final = "fuzzed-boundary"
FORM: Final = "application/x-www-form-urlencoded"
MULTIPART: Final = f"multipart/form-data; boundary={BOUNDARY}"
JSON: Final = "application/json"
LONG_NUMBER: Final = "9" * 5000
MANY: Final = 3000

METHODS: Final = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
WORDS: Final = (
    "", "0", "1", "-1", "7", "99999999999999999999", "1e9", "NaN", "null", "true", "[]", "{}", "a", "ä", "日本", "🏴‍☠️",
    "\x00", "\x7f", "\n\r", "%", "%00", "%2e%2e%2f", "../../etc/passwd", "..\\..\\", "/", "//", "'", '"', "' OR 1=1 --",
    "<script>alert(1)</script>", "{{7*7}}", "${7*7}", "host", "watch", "seat-0", "seat-9", "friends", "Marseille",
    "captain", "human", "friend", "cmd:rm -rf /", "admiral:ms=999999999", "json", "capitan", "x" * 300, "9" * 400,
    LONG_NUMBER, "http://127.0.0.1:8000/", "http://169.254.169.254/latest/", "file:///etc/passwd", "\u202e", "\u115f",
    "٣", "²", "-0", "0x10", "1_000", "+1", " 1 ", "e " * 50, "g-" + LONG_NUMBER, "\u0410na", "," * 4000, "(" * 2000,
    "1 2 3 " * 500, "on", "seat--1", "2147483648", "9223372036854775808", "inf", "a:b:c", "\ufeff", "\u2028",
)  # fmt: skip
VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 7, 2**31, 2**63, 2**64, -(2**70), 1.5, 1e308, float("nan"), float("inf"), "", "a",
    "\x00", "\ud800", "x" * 5000, [], [[]], {}, {"do": "end"}, {"do": "pirate", "cards": [{}] * 50}, [0] * MANY,
    "host", "human", {"player": "friend"}, [{"player": "friend"}, {"player": "friend"}], "' OR 1=1 --", "2026-01-01",
    10**30, LONG_NUMBER, {"kind": "turn", "seconds": 10**12}, {str(key): 0 for key in range(MANY)}, [None] * MANY,
)  # fmt: skip
CONTENT_TYPES: Final = (
    JSON, FORM, MULTIPART, "multipart/form-data", "text/plain", "application/xml", "",
    "application/json; charset=utf-16", "application/json; charset=utf-8", "image/svg+xml", "\x00", "a" * 2000,
    f"{FORM}; charset=utf-8",
    f"{MULTIPART}; charset=utf-8", *(f"{MULTIPART}; charset={name}" for name in (
        "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7", "idna", "utf-16", "hex", "nonsense")),
    f"{FORM}; charset=punycode", f"multipart/form-data; boundary={'b' * 3000}", "multipart/form-data; boundary=",
)  # fmt: skip
BODIES: Final = (
    b"", b"{", b"[" * 20_000, b'{"a":' * 5000, b"\xff\xfe\x00", b"null", b"--x\r\n", b"--x\r\n\r\n--x--",
    b"=&=&=&" * 500, b"%00=%ff&%", b'{"number": 1e999}', b'"\\ud800"', b'{"text": "\\ud800"}', b"text=%ED%A0%80",
    b"<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;", b"[" + b"1," * 30_000 + b"1]",
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="../../x.json"\r\n\r\n{{}}\r\n'
    f"--{BOUNDARY}--\r\n".encode(),
    b"\x00" * 3000, b"9" * 5000, b"a=" + b"b" * 60_000, b'{"number":1,"number":2}', b"\xef\xbb\xbf{}",
    b"{" + b",".join(b'"%d":0' % key for key in range(5000)) + b"}", b"a=1&" * 12_000, b"x" * 70_000,
    b'[Seats "' + b"," * 30_000 + b'"]', b"".join(b'[H%d "x"]\n' % key for key in range(4000)),
)  # fmt: skip
ODD_HEADERS: Final = (
    ("cookie", "keys=" + "a:b." * 400), ("cookie", "keys=\xff\xfe"), ("cookie", "language=xx; theme=;;=;view"),
    ("cookie", 'keys="\\000"; language="de'), ("authorization", "Bearer "), ("authorization", "Bearer \xff"),
    ("authorization", "Basic YTpi"), ("authorization", "Bearer " + "x" * 8000),
    ("accept-language", "de;q=nan, fr;q=inf"), ("accept-language", "," * 3000), ("accept", "\xff"),
    ("accept-language", "de;q=" + LONG_NUMBER), ("accept", "text/event-stream"), ("range", "bytes=0-"),
    ("range", "bytes=999999999-"), ("range", f"bytes={LONG_NUMBER}-"), ("if-none-match", "*"),
    ("if-modified-since", "never"), ("x-forwarded-for", "127.0.0.1"), ("x-forwarded-proto", "https"),
    ("forwarded", "for=127.0.0.1"), ("x-http-method-override", "DELETE"), ("origin", "http://elsewhere.example"),
    ("origin", "http://[bad"), ("sec-fetch-site", "cross-site"), ("last-event-id", "\x00"),
    ("last-event-id", LONG_NUMBER), ("hx-request", "true"), ("accept-encoding", "gzip;q=x, br"),
    ("expect", "100-continue"), ("upgrade", "websocket"), ("host", "elsewhere.example"), ("host", "[::1"),
    ("host", "a b"), ("host", "x" * 3000), ("x-real-ip", "::1"), ("te", "trailers"), ("x" * 200, "y" * 4000),
)  # fmt: skip
BROKEN_FRAMING: Final = (  # after one of these a connection cannot be used again
    ("content-length", "-1"), ("content-length", LONG_NUMBER), ("content-length", "5, 5"),
    ("transfer-encoding", "chunked"), ("transfer-encoding", "gzip, chunked"), ("connection", "upgrade"),
)  # fmt: skip
SUFFIXES: Final = ("/", "//", "/..", "/%2e%2e/%2e%2e/etc/passwd", ";x=1", "%00", "/\\", "/static/../../app.py")
ODD_QUERIES: Final = ("&&&===", "%", "%zz", "a" * 4000, "number=1&number=2", "=", "\\", "%ff=%fe", "a=1&" * 500)


@dataclass
class Draft:
    """A request before it is encoded."""

    method: str
    path: str
    parameters: dict[str, str]  # of the path
    query: list[tuple[str, Any]]
    fields: list[tuple[str, Any]]  # of the body
    body: str = ""  # "form", "json" or nothing
    headers: dict[str, str] = field(default_factory=dict)
    suffix: str = ""
    odd_query: str = ""
    raw: bytes | None = None
    content_type: str | None = None
    mutated: list[str] = field(default_factory=list)  # the names of damaged fields
    key_kept: bool = True  # whether the key is still the one that was chosen
    reusable: bool = True  # whether the connection can be used again


Mutation = Callable[[random.Random, Draft], None]


def _change_field(dice: random.Random, draft: Draft) -> None:
    """Replace the value of a field, a query parameter or a part of the path."""
    parts, query, fields = list(draft.parameters), len(draft.query), len(draft.fields)
    if not parts and not query and not fields:
        _change_suffix(dice, draft)
        return
    which = dice.randrange(len(parts) + query + fields)
    if which < len(parts):
        name = parts[which]
        draft.parameters[name] = dice.choice(WORDS)
    elif which < len(parts) + query:
        name, _value = draft.query[which - len(parts)]
        draft.query[which - len(parts)] = (name, dice.choice(WORDS))
    else:
        name, _value = draft.fields[which - len(parts) - query]
        odd = dice.choice(VALUES if draft.body == "json" else WORDS)
        draft.fields[which - len(parts) - query] = (name, odd)
    draft.mutated.append(name)


def _drop_field(dice: random.Random, draft: Draft) -> None:
    """Leave a field out, send it twice, or send one that does not exist."""
    content = draft.fields if draft.fields else draft.query
    match dice.randrange(3):
        case 0 if content:
            draft.mutated.append(content.pop(dice.randrange(len(content)))[0])
        case 1 if content:
            content.append(dice.choice(content))
            draft.mutated.append(content[-1][0])
        case _:
            content.append((dice.choice(("__class__", "extra", "seat", "key", "")), dice.choice(WORDS)))


def _change_key(dice: random.Random, draft: Draft) -> None:
    """Send no key, or one that opens nothing."""
    draft.key_kept = False
    for name in ("authorization", "cookie"):
        draft.headers.pop(name, None)
    if dice.random() < 0.5:
        draft.headers["authorization"] = f"Bearer {dice.choice(('wrong', 'A' * 32, ''))}"


def _change_type(dice: random.Random, draft: Draft) -> None:
    """Call the body something else than it is."""
    draft.content_type = dice.choice(CONTENT_TYPES)


def _change_body(dice: random.Random, draft: Draft) -> None:
    """Send something else than the body."""
    draft.raw = dice.choice(BODIES)
    draft.content_type = dice.choice((JSON, FORM, MULTIPART, *CONTENT_TYPES))


def _change_method(dice: random.Random, draft: Draft) -> None:
    """Use another method."""
    draft.method = dice.choice(METHODS)


def _change_suffix(dice: random.Random, draft: Draft) -> None:
    """Add something to the path."""
    draft.suffix = dice.choice(SUFFIXES)


def _change_query(dice: random.Random, draft: Draft) -> None:
    """Replace the query."""
    draft.odd_query = dice.choice(ODD_QUERIES)


def _add_header(dice: random.Random, draft: Draft) -> None:
    """Add an odd header or replace a good one."""
    name, value = dice.choice(ODD_HEADERS)
    draft.headers[name] = value
    draft.key_kept &= name not in ("authorization", "cookie")


def _break_framing(dice: random.Random, draft: Draft) -> None:
    """Lie about where the request ends."""
    name, value = dice.choice(BROKEN_FRAMING)
    draft.headers[name] = value
    draft.reusable = False


MUTATIONS: Final[Mapping[Mutation, int]] = {
    _change_field: 12,
    _drop_field: 3,
    _change_key: 2,
    _change_type: 3,
    _change_body: 3,
    _change_method: 1,
    _change_suffix: 1,
    _change_query: 1,
    _add_header: 3,
    _break_framing: 1,
}


def mutate(dice: random.Random, draft: Draft) -> None:
    """Damage a request in one to three places."""
    for _ in range(dice.choice((1, 1, 2, 3))):
        dice.choices(list(MUTATIONS), list(MUTATIONS.values()))[0](dice, draft)


# ---------------------------------------------------------------------------------------------------------- encoding


def target(draft: Draft) -> str:
    """The path and query of a request, without anything that a request line cannot hold."""
    path = draft.path
    for name, value in draft.parameters.items():
        path = path.replace(f"{{{name}}}", quote(value, safe="", errors="surrogatepass"))
    query = draft.odd_query or urlencode(draft.query, errors="surrogatepass")
    return path + draft.suffix + (f"?{query}" if query else "")


def encoded(dice: random.Random, draft: Draft) -> tuple[str, bytes]:
    """The content type and the body of a request; a form goes in either of its two encodings."""
    if draft.raw is not None:
        return draft.content_type or "", draft.raw
    if draft.body == "json":
        return _typed(draft, JSON), json.dumps(dict(draft.fields)).encode()
    if draft.body != "form":
        return draft.content_type or "", b""
    if dice.random() < 0.5:
        return _typed(draft, FORM), urlencode(draft.fields, errors="surrogatepass").encode()
    parts = [_part(name, str(value)) for name, value in draft.fields]
    return _typed(draft, MULTIPART), b"".join([*parts, f"--{BOUNDARY}--\r\n".encode()])


def _typed(draft: Draft, usual: str) -> str:
    """The content type that a request claims."""
    return usual if draft.content_type is None else draft.content_type


def _part(name: str, value: str) -> bytes:
    """A field as a part of a multipart body; what is called a file is sent as one."""
    file = '; filename="game.capitan"' if name == "file" else ""
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'
    return f"{head}{value}\r\n".encode("utf-8", "surrogatepass")
