"""Limits: how much one address may ask for, what it is told, and that nobody else notices."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.fuzzing.in_process import routes
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from elcapitan.service import imports_exports, keys
from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.web import limits as rate_limits
from elcapitan.web.app import application
from elcapitan.web.limits import RateLimiter, TokenBuckets, client_group
from elcapitan.web.server_settings import LOCAL_SETTINGS, Limits, ServerSettings


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse as quickly as possible, however often."""
    monkeypatch.setattr(rate_limits, "REFUSAL_PAUSE", 0.0)


class TimeControl:
    """A clock that tests put forward."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


# ----------------------------------------------------------------------------------------------------------- buckets


def test_a_bucket_empties_and_fills_again() -> None:
    clock = TimeControl()
    buckets = TokenBuckets(3, 0.5, clock)
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("a") == 2
    assert buckets.take("b") == 0, "everybody has a bucket of their own"
    clock.now += 1
    assert buckets.take("a") == 1
    clock.now += 1
    assert buckets.take("a") == 0
    clock.now += 1000
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 2], "it does not get fuller than full"


def test_whoever_waits_as_long_as_told_gets_in() -> None:
    clock = TimeControl()
    buckets = TokenBuckets(1, 0.3, clock)
    for _ in range(200):
        wait = buckets.take("a")
        clock.now += wait
        assert not wait or buckets.take("a") < 1e-6


def test_a_token_can_be_given_back() -> None:
    buckets = TokenBuckets(1, 0.001, TimeControl())
    assert buckets.take("a") == 0
    buckets.give_back("a")
    buckets.give_back("a")
    assert buckets.take("a") == 0
    assert buckets.take("a") > 0


def test_nobody_is_remembered_for_long() -> None:
    clock = TimeControl()
    buckets = TokenBuckets(10, 1, clock)
    for number in range(100):
        buckets.take(str(number))
    assert len(buckets) == 100
    clock.now += 10
    buckets.take("last")
    assert len(buckets) == 1, "full buckets are forgotten"


def test_memory_has_a_bound() -> None:
    buckets = TokenBuckets(10, 1, TimeControl(), most=50)
    for number in range(10_000):
        buckets.take(str(number))
        assert len(buckets) <= 50


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
        ("x" * 1000, "x" * 64),
        ("", ""),
    ],
)
def test_a_household_counts_as_one(client: str, counted: str) -> None:
    assert client_group(client) == counted


# -------------------------------------------------------------------------------------------------------- the limiter


def scope(path: str, method: str = "GET", client: str = "192.0.2.1", **headers: str) -> Scope:
    raw = [(name.encode(), value.encode()) for name, value in {"host": "testserver", **headers}.items()]
    return {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": raw,
        "client": (client, 5000),
        "scheme": "http",
        "server": ("testserver", 80),
    }


async def status(app: RateLimiter, asked: Scope) -> tuple[int, dict[str, str], bytes]:
    """What an application answers."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(asked, receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(part.get("body", b"") for part in sent[1:])


def answering(code: int) -> Callable[[Scope, Receive, Send], Any]:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("", code)(scope, receive, send)

    return app


def statuses(app: RateLimiter, asked: Scope, times: int) -> list[int]:
    async def several() -> list[int]:
        return [(await status(app, dict(asked)))[0] for _ in range(times)]

    return asyncio.run(several())


def test_requests_of_an_address() -> None:
    clock = TimeControl()
    app = RateLimiter(answering(200), Limits(requests=2, burst=5), clock)
    assert statuses(app, scope("/"), 7) == [200] * 5 + [429] * 2
    assert statuses(app, scope("/", client="192.0.2.2"), 1) == [200]
    clock.now += 1
    assert statuses(app, scope("/rules"), 3) == [200, 200, 429]


@pytest.mark.parametrize(
    "path",
    ["/games", "/games/quick", "/games/import", "/games/abc/branch", "/guide/3/play", "/api/v1/games"],
)
def test_new_games_of_an_address(path: str) -> None:
    clock = TimeControl()
    app = RateLimiter(answering(303), Limits(games=2), clock)
    assert statuses(app, scope(path, "POST"), 3) == [303, 303, 429]
    assert statuses(app, scope(path, "GET"), 3) == [303] * 3
    clock.now += 1800
    assert statuses(app, scope(path, "POST"), 2) == [303, 429]


def test_a_game_that_was_refused_does_not_count() -> None:
    app = RateLimiter(answering(422), Limits(games=2), TimeControl())
    assert statuses(app, scope("/games", "POST"), 9) == [422] * 9


def test_a_record_that_was_read_and_refused_counts() -> None:
    app = RateLimiter(answering(422), Limits(games=2), TimeControl())
    assert statuses(app, scope("/games/import", "POST"), 3) == [422, 422, 429]
    app = RateLimiter(answering(413), Limits(games=2), TimeControl())
    assert statuses(app, scope("/games/import", "POST"), 9) == [413] * 9, "nobody has read these"


@pytest.mark.parametrize("path", ["/games/abc/act", "/api/v1/games/abc/actions", "/games/abc/undo"])
def test_moves_are_no_new_games(path: str) -> None:
    app = RateLimiter(answering(200), Limits(games=1), TimeControl())
    assert statuses(app, scope(path, "POST"), 9) == [200] * 9


@pytest.mark.parametrize("path", ["/join", "/api/v1/join"])
@pytest.mark.parametrize("code", [303, 404])
def test_keys_that_are_tried(path: str, code: int) -> None:
    clock = TimeControl()
    app = RateLimiter(answering(code), Limits(tries=3), clock)
    assert statuses(app, scope(path, "POST"), 5) == [code] * 3 + [429] * 2
    clock.now += 20
    assert statuses(app, scope(path, "POST"), 2) == [code, 429]
    assert statuses(app, scope(path), 2) == [code] * 2, "the page itself is for everybody"


@pytest.mark.parametrize("path", ["/games/abc/seat", "/api/v1/games/abc/keys"])
def test_keys_that_are_made(path: str) -> None:
    """They have a bucket of their own: whoever makes many can still come to a table."""
    clock = TimeControl()
    app = RateLimiter(answering(200), Limits(tries=3), clock)
    assert statuses(app, scope(path, "POST"), 5) == [200] * 3 + [429] * 2
    assert statuses(app, scope(path), 5) == [200] * 5, "looking at the page makes none"
    assert statuses(app, scope("/join", "POST"), 4) == [200] * 3 + [429]
    clock.now += 20
    assert statuses(app, scope(path, "POST"), 2) == [200, 429]


@pytest.mark.parametrize(
    ("path", "other_path", "reason", "wait"),
    [
        ("/games/abc/events", "/api/v1/games/abc/events", "too-many-streams", "10"),
        ("/games/abc/hint", "/api/v1/games/abc/hint", "too-many-hints", "5"),
        ("/games/import", "/games/abc/branch", "too-many-imports", "5"),
    ],
)
def test_streams_hints_and_imports_that_are_open(
    monkeypatch: pytest.MonkeyPatch, path: str, other_path: str, reason: str, wait: str
) -> None:
    monkeypatch.setattr(rate_limits, "IMPORTS_AT_ONCE", 2)

    async def look() -> None:
        enough = asyncio.Event()

        async def endless(scope: Scope, receive: Receive, send: Send) -> None:
            await enough.wait()
            await PlainTextResponse("")(scope, receive, send)

        app = RateLimiter(endless, Limits(streams=2, hints=2), TimeControl())
        method = "POST" if reason == "too-many-imports" else "GET"
        streams = [asyncio.create_task(status(app, scope(path, method))) for _ in range(2)]
        await asyncio.sleep(0)
        code, headers, body = await status(app, scope(path, method))
        assert (code, headers["retry-after"]) == (429, wait)
        assert json.loads(body)["error"]["code"] == reason
        other = asyncio.create_task(status(app, scope(other_path, method, client="192.0.2.2")))
        await asyncio.sleep(0)
        assert not other.done(), "somebody else may follow"
        streams[0].cancel()
        await asyncio.gather(streams[0], return_exceptions=True)
        again = asyncio.create_task(status(app, scope(path, method)))
        await asyncio.sleep(0)
        assert not again.done(), "whoever has left counts no more"
        enough.set()
        assert [(await each)[0] for each in (streams[1], other, again)] == [200] * 3
        assert not app.streams and not app.hints and not app.imports

    asyncio.run(look())


# -------------------------------------------------------------------------------------------------------- the answers


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_get_a_page_and_programs_json(tmp_path: Path, language: str) -> None:
    settings = ServerSettings(public=True, limits=Limits(requests=0.001, burst=1))
    app = application(tmp_path / "games.db", settings=settings)
    with TestClient(app, headers={"Accept-Language": language}) as client:
        assert client.get("/rules").status_code == 200
        page = client.get("/", headers={"Accept": "text/html,*/*"})
        told = client.get("/", headers={"Accept": "*/*"})
        api = client.get("/api/v1/games/abc", headers={"Accept": "text/html"})
    for answer in (page, told, api):
        assert answer.status_code == 429
        seconds = int(answer.headers["retry-after"])
        assert 0 < seconds <= 1000
        assert answer.headers["cache-control"] == "no-store"
        assert "content-security-policy" in answer.headers
    template = "Too much at once from your address; try again in {seconds} s."
    on_page, in_json = (
        translator(language).template(template).format(seconds=int(answer.headers["retry-after"]))
        for answer in (page, api)
    )
    assert on_page in page.text and f'<html lang="{language}"' in page.text
    assert api.json() == {"error": {"code": "too-many-requests", "message": in_json, "rule": ""}}
    assert told.json()["error"]["code"] == "too-many-requests"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_full_queue_of_phrases_is_told_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setattr(keys, "MOST_PHRASES", -keys.PHRASE_THREADS)  # there is room for none
    app = application(tmp_path / "games.db", settings=ServerSettings(public=True))
    with TestClient(app, headers={"Accept-Language": language}) as client:
        phrase = {"phrase": "molu tasa vire kopi"}
        page = client.post("/join", data=phrase, headers={"Accept": "text/html,*/*"})
        api = client.post("/api/v1/join", json=phrase)
    assert page.status_code == api.status_code == 429
    assert page.headers["retry-after"] == api.headers["retry-after"] == "5"
    template = "Too many phrases are being made and tried; try again in {seconds} s."
    sentence = translator(language).template(template).format(seconds=5)
    assert sentence in page.text and f'<html lang="{language}"' in page.text
    assert api.json() == {"error": {"code": "too-many-phrases", "message": sentence, "rule": ""}}


def test_a_full_queue_of_imports_is_told_with_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports_exports, "MOST_IMPORTS", -imports_exports.IMPORT_THREADS)  # there is room for none
    with TestClient(application(tmp_path / "games.db", settings=ServerSettings(public=True))) as client:
        answer = client.post("/games/import", data={"text": "any"}, headers={"Accept": "text/html,*/*"})
        guide = client.post("/guide/1/play")
    assert answer.status_code == guide.status_code == 429
    assert answer.headers["retry-after"] == guide.headers["retry-after"] == "5"
    assert "Too many games are being read right now; try again in 5 s." in answer.text


@pytest.mark.parametrize("limits", [LOCAL_SETTINGS.limits, Limits(requests=1e-9, burst=5)])
def test_requests_to_a_local_server_are_not_counted(tmp_path: Path, limits: Limits | None) -> None:
    settings = replace(LOCAL_SETTINGS, limits=limits)
    with TestClient(application(tmp_path / "games.db", settings=settings)) as client:
        assert [client.get("/join").status_code for _ in range(6)] == [200] * 5 + [429 if limits else 200]


def test_what_is_followed_is_known_by_its_address(tmp_path: Path) -> None:
    """The limiter tells streams, new games and keys by their address: it must know them all."""
    app = application(tmp_path / "games.db")
    paths = {name.partition(" ")[2] for name in routes(app)}
    assert {path for path in paths if "event" in path} == {
        path for path in paths if rate_limits.STREAMS.fullmatch(path)
    }
    assert {path for path in paths if path.endswith("/join")} == {p for p in paths if rate_limits.TRIES.fullmatch(p)}
    thinking = {path for path in paths if any(word in path for word in ("hint", "chances", "mistake"))}
    assert thinking == {path for path in paths if rate_limits.HINTS.fullmatch(path)}
    assert {path for path in paths if rate_limits.NEW_KEYS.fullmatch(path)} == {
        "/games/{name}/seat",
        "/games/{name}/rematch/seat",
        "/api/v1/games/{game}/keys",
    }
    assert {"/games", "/games/quick", "/games/import", "/api/v1/games"} <= paths
    for path in ("/games/{name}/branch", "/games/{name}/rematch", "/games/{name}/again"):
        assert path in paths and rate_limits.NEW_GAMES.fullmatch(path)


def test_an_address_that_is_not_known_counts_too() -> None:
    app = RateLimiter(answering(200), Limits(requests=1, burst=1), TimeControl())
    asked = scope("/", accept="application/json")
    asked["client"] = None
    assert statuses(app, asked, 2) == [200, 429]
    assert Request(asked).client is None


def test_many_refusals_are_answered_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusing costs time too."""
    paused: list[float] = []

    async def sleep(seconds: float) -> None:
        paused.append(seconds)

    monkeypatch.setattr("elcapitan.web.limits.asyncio.sleep", sleep)
    clock = TimeControl()
    app = RateLimiter(answering(200), Limits(requests=0.001, burst=1), clock)

    async def look() -> None:
        for _ in range(1 + rate_limits.QUICK_REFUSALS):
            await status(app, scope("/"))
        assert paused == []
        for _ in range(3):
            assert (await status(app, scope("/")))[0] == 429
        assert paused == [rate_limits.REFUSAL_PAUSE] * 3
        assert (await status(app, scope("/", client="192.0.2.77")))[0] == 200

    asyncio.run(look())
