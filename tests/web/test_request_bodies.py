"""Bodies: so long at each address, in UTF-8 whatever their sender calls it, and JSON that is neither deep nor wide."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient
from starlette.types import Message
from tests.api.visiting import API, code, wanted

from elcapitan.untrusted_input import MOST_COMMAS, MOST_CONTAINERS, MOST_DEPTH, too_complex
from elcapitan.web.api.requests import MOST_KEYS, Acting, NewGame
from elcapitan.web.app import application
from elcapitan.web.security import LONGEST_TYPE, checked_body, refused

FORM, PARTS, JSON = "application/x-www-form-urlencoded", "multipart/form-data; boundary=edge", "application/json"
OTHER_ENCODINGS = (
    "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7", "utf-16", "latin-1", "idna", "rot13", "x",
    "", "utf-8,punycode",
)  # fmt: skip


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(application(tmp_path_factory.mktemp("server") / "games.db"), follow_redirects=False) as client:
        yield client


def sent(client: TestClient, path: str, kind: str, body: bytes) -> int:
    """The status of the answer to a body."""
    return int(client.post(path, content=body, headers={"Content-Type": kind}).status_code)


def part(value: bytes, disposition: bytes = b'form-data; name="text"', more: bytes = b"") -> bytes:
    """A form with one part."""
    return b"--edge\r\nContent-Disposition: %s%s\r\n\r\n%s\r\n--edge--\r\n" % (disposition, more, value)


# ------------------------------------------------------------------------------------------------------------ encoding


@pytest.mark.parametrize("charset", OTHER_ENCODINGS)
@pytest.mark.parametrize("kind", [FORM, PARTS, JSON, "text/plain"])
def test_an_encoding_other_than_utf_8_is_refused_by_the_head_alone(kind: str, charset: str) -> None:
    for name in (charset, f'"{charset}"', charset.upper()):
        headers = Headers({"host": "here", "content-length": "5", "content-type": f"{kind}; charset={name}"})
        assert refused("POST", headers) == (415, "not-utf-8")


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf-8"', "utf8"])
def test_utf_8_is_welcome_by_all_of_its_names(charset: str) -> None:
    headers = Headers({"host": "here", "content-length": "5", "content-type": f"{FORM}; charset={charset}"})
    assert refused("POST", headers) is None


def test_a_content_type_that_two_readers_could_read_differently_is_refused() -> None:
    for types in ([PARTS, f"{PARTS}; charset=punycode"], [f"{PARTS}; x={'y' * LONGEST_TYPE}"]):
        raw = [(b"host", b"here"), (b"content-length", b"5"), *((b"content-type", each.encode()) for each in types)]
        assert refused("POST", Headers(raw=raw)) == (415, "not-utf-8")


NOT_UTF_8 = (b"\xff", b"\xed\xa0\x80", b"caf\xe9", b"\xc0\x80", b"\xf0\x9f\x8f")  # the second is a lone surrogate


@pytest.mark.parametrize("bad", NOT_UTF_8)
def test_text_that_is_not_utf_8_is_refused(client: TestClient, bad: bytes) -> None:
    quoted = b"".join(b"%%%02X" % byte for byte in bad)
    assert sent(client, "/games", FORM, b"name0=" + bad) == 415
    assert sent(client, "/games", FORM, b"name0=" + quoted) == 415
    assert sent(client, "/games", FORM, quoted + b"=Ana") == 415
    for path in ("/games", "/games/import"):
        assert sent(client, path, PARTS, part(bad)) == 415
        assert sent(client, path, PARTS, part(b"Ana", b'form-data; name="%s"' % bad)) == 415
        assert sent(client, path, PARTS, part(b"{}", b'form-data; name="file"; filename="%s"' % bad)) == 415
    answer = client.post(f"{API}/games", content=b'{"title": "%s"}' % bad, headers={"Content-Type": JSON})
    assert code(answer, 415) == "not-utf-8"


@pytest.mark.parametrize("charset", [b"punycode", b"utf-16", b"x" * 300_000, b""])
def test_a_form_cannot_name_another_encoding(client: TestClient, charset: bytes) -> None:
    if len(charset) < 100:
        assert sent(client, "/games", FORM, b"a=b&_charset_=" + charset) == 415
        header = b"\r\nContent-Type: text/plain; charset=" + charset
        assert sent(client, "/games/import", PARTS, part(b"text", more=header)) == 415
        file = b'form-data; name="file"; filename="game.json"'
        assert sent(client, "/games/import", PARTS, part(b"{}", file, header)) == 415
    assert sent(client, "/games/import", PARTS, part(charset, b'form-data; name="_charset_"')) == 415


def test_a_form_may_say_that_it_is_utf_8(client: TestClient) -> None:
    assert sent(client, "/games", FORM, b"player0=nobody&name0=%C3%84na&_charset_=UTF-8") == 422
    header = b"\r\nContent-Type: text/plain; charset=UTF-8"
    assert sent(client, "/games/import", PARTS, part("Ä".encode(), more=header)) == 422
    assert sent(client, "/games/import", PARTS, part(b"utf-8", b'form-data; name="_charset_"')) == 422


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"--edge\r\n"),
        (PARTS, b"--edge\r\n\r\ntext\r\n--edge--"),
        (PARTS, b"edge"),
        (f"multipart/form-data; boundary={'e' * 280}", b"text"),
        (FORM, b"%zz&&&==%"),
        ("", b"text"),
    ],
)
def test_broken_forms_are_refused_by_whoever_reads_them(client: TestClient, kind: str, body: bytes) -> None:
    assert sent(client, "/games/import", kind, body) in (400, 415, 422)


def test_letters_may_be_cut_anywhere_by_the_network() -> None:
    body = part("Ähre 🏴‍☠️".encode(), more=b"\r\nContent-Type: text/plain; charset=utf-8")
    for kind, content in {PARTS: body, JSON: '{"title": "Ähre 🏴‍☠️"}'.encode(), FORM: b"a=%F0%9F%8F%B4"}.items():
        assert asyncio.run(_received(kind, content)) == content
        with pytest.raises(HTTPException):
            asyncio.run(_received(kind, content.replace(b"\xf0", b"\xff").replace(b"%F0", b"%FF")))


async def _received(kind: str, body: bytes) -> bytes:
    """A body as an application gets it, when it comes byte by byte."""
    pieces = iter(range(len(body)))

    async def receive() -> Message:
        at = next(pieces)
        return {"type": "http.request", "body": body[at : at + 1], "more_body": at + 1 < len(body)}

    checked, got, more = checked_body(receive, Headers({"content-type": kind})), b"", True
    while more:
        message = await checked()
        got, more = got + message["body"], message["more_body"]
    return got


# ------------------------------------------------------------------------------------------------------------- length


@pytest.mark.parametrize(
    ("path", "kind", "most"),
    [
        ("/games/import", PARTS, 4_000_000),
        ("/games/import", FORM, 65_536),
        ("/games", PARTS, 65_536),
        ("/games/import/", PARTS, 65_536),
        (f"{API}/games", JSON, 65_536),
        ("/join", "", 65_536),
    ],
)
def test_only_imports_may_be_long(path: str, kind: str, most: int) -> None:
    headers = {"host": "here", "content-type": kind}
    assert refused("POST", Headers({**headers, "content-length": str(most)}), path) is None
    assert refused("POST", Headers({**headers, "content-length": str(most + 1)}), path) == (413, "too-long")


# --------------------------------------------------------------------------------------------------------------- JSON


def posted(client: TestClient, content: Any) -> Any:
    """The answer to JSON that asks for a new game."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    return client.post(f"{API}/games", content=body, headers={"Content-Type": JSON})


@pytest.mark.parametrize(
    "content",
    [
        {**wanted("friend", "friend"), **{f"k{number}": 0 for number in range(3000)}},
        wanted("friend", "friend", options={f"k{number}": 0 for number in range(3000)}),
        wanted("friend", "friend", tiles=["Nowhere"] * 3000),
        {"seats": [{"player": 0}] * 3000},
        {"seats": [{f"k{number}": 0 for number in range(3000)}] * 2},
    ],
)
def test_few_of_many_mistakes_are_looked_at(content: Any) -> None:
    with pytest.raises(ValidationError) as refusal:
        NewGame.model_validate(content)
    assert refusal.value.error_count() <= 10


def test_few_of_many_bad_actions_are_looked_at() -> None:
    for bad in (-1, "", {}, {"do": "buy"}, {"do": "buy", **{f"k{number}": 0 for number in range(3000)}}):
        with pytest.raises(ValidationError) as refusal:
            Acting.model_validate({"number": 1, "actions": [bad] * 3000})
        assert refusal.value.error_count() <= 10


def test_objects_with_many_keys_are_refused_as_a_whole(client: TestClient) -> None:
    many = {f"k{number}": 0 for number in range(MOST_KEYS + 1)}
    assert code(posted(client, {**wanted("friend", "friend"), **many}), 422) == "bad-field"


@pytest.mark.parametrize("body", [b'{"title": "\\ud800"}', b'{"\\ud800": 1}', b'{"seats": [{"player": "\\udfff"}]}'])
def test_lone_surrogates_in_json_are_refused(client: TestClient, body: bytes) -> None:
    assert code(posted(client, body), 422) == "bad-field"


def test_deep_json_is_refused_before_it_is_parsed(client: TestClient) -> None:
    for depth in (MOST_DEPTH + 1, 900, 20_000):
        assert code(posted(client, b"[" * depth), 422) == "bad-request"
        assert code(posted(client, b'{"a":' * min(depth, 9000) + b"1" + b"}" * min(depth, 9000)), 422) == "bad-request"


def test_depth_and_size_of_json() -> None:
    assert not too_complex("[" * MOST_DEPTH + "]" * MOST_DEPTH)
    assert too_complex("[" * (MOST_DEPTH + 1) + "]" * (MOST_DEPTH + 1))
    assert too_complex('{"a":' * (MOST_DEPTH + 1))
    assert not too_complex(json.dumps(["[" * 1000, '\\"[[' * 1000, "\\", "]" * 1000]))
    assert not too_complex("[" + "[]," * (MOST_CONTAINERS - 2) + "[]]")
    assert too_complex("[" + "{}," * (MOST_CONTAINERS + 1) + "[]]")
    assert not too_complex("[" + "0," * MOST_COMMAS + "0]")
    assert too_complex("[" + "0," * (MOST_COMMAS + 1) + "0]")
    assert not too_complex(json.dumps("," * (MOST_COMMAS + 1)))
