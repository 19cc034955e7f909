"""Other sites change nothing, nobody sends too much or too slowly, and every answer forbids what is not ours."""

import asyncio
from pathlib import Path

import pytest
from benchmarks.fuzzing.in_process import routes, send
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.web.app import application
from elcapitan.web.security import MOST_BYTES, SECURITY_HEADERS, SecurityMiddleware, refused
from elcapitan.web.server_settings import ServerSettings
from elcapitan.web.static_files import static

HERE = {"host": "localhost:8000", "content-length": "5"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, None),
        ({"origin": "http://localhost:8000"}, None),
        ({"sec-fetch-site": "same-origin"}, None),
        ({"sec-fetch-site": "none"}, None),
        ({"origin": "http://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://[bad"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site", "origin": "http://localhost:8000"}, 403),
        ({"content-length": str(MOST_BYTES + 1)}, 413),
        ({"content-length": "-1"}, 413),
        ({"content-length": "many"}, 413),
        ({"content-length": "²"}, 413),
        ({"content-length": "9" * 5000}, 413),
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])
def test_who_may_change_something(method: str, headers: dict[str, str], status: int | None) -> None:
    refusal = refused(method, Headers({**HERE, **headers}))
    assert (refusal and refusal[0]) == status


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "PROPFIND"])
def test_a_body_without_its_length_is_refused(method: str) -> None:
    assert refused(method, Headers({"host": "localhost"})) == (413, "too-long")


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "DELETE"])
def test_what_usually_has_no_body_need_not_say_so(method: str) -> None:
    assert refused(method, Headers({"host": "localhost"})) is None
    assert refused(method, Headers({"host": "localhost", "content-length": "9" * 9})) == (413, "too-long")
    assert refused(method, Headers({"host": "localhost", "transfer-encoding": "chunked"})) == (413, "too-long")


def test_anybody_may_look() -> None:
    elsewhere = {"host": "localhost", "origin": "http://elsewhere.example", "sec-fetch-site": "cross-site"}
    assert refused("GET", Headers(elsewhere)) is None


@pytest.mark.parametrize(
    ("host", "right"),
    [
        ("localhost", True),
        ("capitan.example:8443", True),
        ("192.0.2.1:8000", True),
        ("[::1]:8000", True),
        ("xn--capitn-qta.example", True),
        ("", False),
        ("[::1", False),
        ("a b", False),
        ("elsewhere.example/path", False),
        ("user@elsewhere.example", False),
        ("x" * 300, False),
        ("localhost:123456", False),
    ],
)
def test_names_that_a_house_can_have(host: str, right: bool) -> None:
    assert (refused("GET", Headers({"host": host})) is None) == right


def test_nothing_runs_that_is_not_a_file_of_ours() -> None:
    policy = SECURITY_HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy and "form-action 'self'" in policy


def test_every_answer_of_every_address_carries_it(tmp_path: Path) -> None:
    """Whatever is asked, by whatever method: pages, refusals, redirections, static files, programs."""
    app = application(tmp_path / "games.db", settings=ServerSettings(public=True))

    async def look() -> None:
        async with app.router.lifespan_context(app):
            aims = {name.partition(" ")[2] for name in routes(app)} | {"/static"}
            assert len(aims) > 40
            for aim in aims:
                for method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS", "BREW"):
                    headers = (("host", "testserver"), ("content-length", "0"))
                    _status, sent, _body = await send(app, method, aim.replace("{", "").replace("}", ""), headers)
                    names = {name.decode().lower(): value.decode() for name, value in sent}
                    for name, value in SECURITY_HEADERS.items():
                        found = names.get(name.lower())
                        assert found == value or (name == "Cache-Control" and found), (aim, method, name)
                    assert "strict-transport-security" not in names

    asyncio.run(look())


def test_files_that_never_change_may_be_kept(tmp_path: Path) -> None:
    with TestClient(application(tmp_path / "games.db")) as client:
        for name in ("theme.css", "preferences.js"):
            headers = client.get(static(name)).headers
            assert {each: headers[each] for each in ("x-content-type-options", "cross-origin-resource-policy")} == {
                "x-content-type-options": "nosniff",
                "cross-origin-resource-policy": "same-origin",
            }
            assert "content-security-policy" not in headers, "it is no document"
        assert "content-security-policy" in client.get(static("icon.svg")).headers
        assert "immutable" in client.get(static("theme.css")).headers["cache-control"]
        assert client.get("/rules").headers["cache-control"] == "no-store"


def test_a_house_with_encryption_wants_nothing_else(tmp_path: Path) -> None:
    with TestClient(application(tmp_path / "games.db"), base_url="https://testserver") as client:
        assert client.get("/rules").headers["strict-transport-security"] == "max-age=31536000"


def test_names_that_are_not_ours_are_refused_with_everything_an_answer_carries(tmp_path: Path) -> None:
    with TestClient(application(tmp_path / "games.db")) as client:
        answer = client.get("/", headers={"Host": "elsewhere.example"})
        assert answer.status_code == 400
        assert answer.headers["content-security-policy"] == SECURITY_HEADERS["Content-Security-Policy"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_speak_the_language_of_whoever_asks(tmp_path: Path, language: str) -> None:
    told = {"Origin": "http://elsewhere.example", "Accept-Language": language}
    sentence = translator(language).template("This was sent by another site, which cannot change anything here.")
    with TestClient(application(tmp_path / "games.db")) as client:
        page, program = (client.post(path, headers=told) for path in ("/games", "/api/v1/games"))
    assert (page.status_code, page.text) == (403, sentence)
    assert program.json() == {"error": {"code": "other-site", "message": sentence, "rule": ""}}


# --------------------------------------------------------------------------------------------------------- slow bodies


def test_whoever_sends_too_slowly_counts_as_gone() -> None:
    """The beginning of a body comes, the rest never does."""

    async def look() -> list[Message]:
        pieces = [{"type": "http.request", "body": b"number=", "more_body": True}]
        sent: list[Message] = []

        async def receive() -> Message:
            if pieces:
                return pieces.pop()
            await asyncio.Event().wait()
            raise AssertionError("nothing comes any more")

        async def send(message: Message) -> None:
            sent.append(message)

        scope: Scope = {"type": "http", "method": "POST", "path": "/", "scheme": "http", "headers": []}
        scope["headers"] = [(b"host", b"localhost"), (b"content-length", b"50")]
        await SecurityMiddleware(_reading, body_timeout=0.01)(scope, receive, send)
        return sent

    assert asyncio.run(look())[1]["body"] == b"gone"


async def _reading(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that reads the body."""
    try:
        await Request(scope, receive).body()
        word = "read"
    except Exception as error:
        word = "gone" if "disconnect" in type(error).__name__.lower() else repr(error)
    await PlainTextResponse(word)(scope, receive, send)
