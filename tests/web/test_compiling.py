"""What a server answers while the rules are being compiled, when they are ready, and if they cannot be compiled."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from fastapi.routing import APIRoute
from httpx2 import Response
from starlette.testclient import TestClient
from tests.web.page_client import english_left, in_language
from tests.web.slow_compiler import NAMES, SlowCompiler, replace_compiler

from elcapitan.engine import warm_up
from elcapitan.errors import NoRules
from elcapitan.text.catalogue import LANGUAGES
from elcapitan.web import compiling
from elcapitan.web.app import ROUTERS, application

PAGE = {"Accept": "text/html"}
WORDS = "The rules are being compiled, only this once: {done} of {total}"
PATIENCE = 20.0  # seconds
SEATS = [{"player": "human", "name": "Ana"}, {"player": "human", "name": "Rui"}]
TOTAL = len(warm_up.kernels())


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SlowCompiler:
    """A compiler that compiles when it is told to."""
    folder = tmp_path / "compiler"
    folder.mkdir()
    return replace_compiler(folder, monkeypatch)


@contextmanager
def served(folder: Path) -> Iterator[TestClient]:
    with TestClient(application(folder / "games.db"), follow_redirects=False, headers=PAGE) as client:
        yield client


def until(found: Callable[[], object]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end
        time.sleep(0.01)


def ready(client: TestClient) -> bool:
    return bool(client.get("/compiling").status_code == 204)


def waits(answer: Response, done: int = 0) -> bool:
    """Whether an answer is the page that says how far the rules are."""
    return answer.status_code == 503 and WORDS.format(done=done, total=TOTAL) in answer.text


def test_pages_without_rules_are_shown_at_once(
    tmp_path: Path, compiler: SlowCompiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[int] = []
    monkeypatch.setattr(warm_up, "load", lambda: loads.append(1))
    with served(tmp_path) as client:
        start = client.get("/")
        assert start.status_code == 200
        assert WORDS.format(done=0, total=TOTAL) in start.text
        assert 'http-equiv="refresh"' in start.text, "without scripts it loads itself again"
        for path in ("/new", "/friends", "/join", "/rules", "/api/v1/levels"):
            assert client.get(path).status_code == 200, path
        assert not loads, "nothing is loaded, and so nothing compiled, in the server itself"
        compiler.finish()
        until(lambda: ready(client))
        assert "compiled" not in client.get("/").text
        assert loads


def test_no_page_waits_silently(tmp_path: Path, compiler: SlowCompiler) -> None:
    del compiler
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    paths = {re.sub(r"\{[^}]*number\}|\{(held|city)\}", "1", route.path) for route in routes}
    with served(tmp_path) as client, ThreadPoolExecutor(1) as thread:
        for path in sorted(re.sub(r"\{\w+\}", "abc", path) for path in paths):
            answer = thread.submit(client.get, path).result(PATIENCE)
            assert answer.status_code in (200, 303, 404, 405, 503), path
            needs_rules = path != "/games" and path.startswith(("/games", "/guide"))
            assert answer.status_code == 405 or waits(answer) == needs_rules, path


@pytest.mark.parametrize("language", LANGUAGES)
def test_waiting_page(tmp_path: Path, compiler: SlowCompiler, language: str) -> None:
    with served(tmp_path) as client:
        client.headers.update(in_language(language))
        answer = client.get("/guide/1")
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) == compiling.RETRY_SECONDS
        assert english_left(answer.text, language) == []
        assert f'max="{TOTAL}" value="0"' in answer.text
        compiler.allow(NAMES[0])
        until(lambda: 'value="1"' in client.get("/compiling").text)
        compiler.finish()
        until(lambda: ready(client))
        assert client.get("/guide/1").status_code == 200


def test_form_is_answered_when_the_rules_are_ready(tmp_path: Path, compiler: SlowCompiler) -> None:
    with served(tmp_path) as client:
        sent = client.post("/games/quick")
        assert sent.status_code == 303
        assert waits(client.get(sent.headers["location"]))
        compiler.finish()
        until(lambda: ready(client))
        answer = client.get(sent.headers["location"])
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/games/")
        assert answer.cookies, "the host's key comes with the answer"
        assert client.get(answer.headers["location"]).status_code == 200
        again = client.get(sent.headers["location"])
        assert (again.status_code, again.headers["location"]) == (303, "/"), "it is fetched once"


def test_file_that_was_sent_is_kept(tmp_path: Path, compiler: SlowCompiler) -> None:
    with served(tmp_path) as client:
        sent = client.post("/games/import", files={"file": ("a.capitan", b"not a game at all")})
        empty = client.post("/games/import", files={"file": ("", b"")})
        assert empty.status_code == 422, "what needs no rules is answered at once"
        compiler.finish()
        until(lambda: ready(client))
        answer = client.get(sent.headers["location"])
        assert answer.status_code == 422
        assert 'id="mistake"' in answer.text


def test_program_waits(tmp_path: Path, compiler: SlowCompiler) -> None:
    with served(tmp_path) as client, ThreadPoolExecutor(1) as thread:
        headers = {"Accept": "application/json"}
        asked = thread.submit(lambda: client.post("/api/v1/games", json={"seats": SEATS}, headers=headers))
        health = client.get("/healthz")
        assert (health.status_code, health.json()) == (503, {"status": "unfit"})
        assert not asked.done()
        compiler.finish()
        assert asked.result(PATIENCE).status_code == 201
        assert client.get("/healthz").json() == {"status": "fit"}


def test_part_of_a_page_waits(tmp_path: Path, compiler: SlowCompiler) -> None:
    with served(tmp_path) as client, ThreadPoolExecutor(1) as thread:
        asked = thread.submit(lambda: client.get("/guide/1", headers={"HX-Request": "true"}))
        assert waits(client.get("/guide/1"))
        assert not asked.done()
        compiler.finish()
        assert asked.result(PATIENCE).status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_failure_is_told(
    tmp_path: Path, compiler: SlowCompiler, caplog: pytest.LogCaptureFixture, language: str
) -> None:
    with served(tmp_path) as client:
        client.headers.update(in_language(language))
        sent = client.post("/games/quick")
        compiler.fail()
        until(lambda: client.get("/compiling").status_code == 503)
        for path in ("/", "/guide/1", "/games/abc", sent.headers["location"]):
            answer = client.get(path)
            assert answer.status_code == (200 if path == "/" else 503), path
            assert 'http-equiv="refresh"' not in answer.text, "there is nothing to wait for"
            assert english_left(answer.text, language) == []
        assert NoRules().sentence() in client.get("/guide/1", headers=in_language("en")).text
        refused = client.post("/api/v1/games", json={"seats": SEATS}, headers={"Accept": "application/json"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "no-rules")
        assert client.post("/games", data={"player0": "human", "player1": "captain"}).status_code == 503
        assert client.get("/healthz").status_code == 503
    assert "No memory left for kernels." in caplog.text


def test_only_so_many_forms_wait(tmp_path: Path, compiler: SlowCompiler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "MOST_WAITING", 2)
    with served(tmp_path) as client:
        sent = [client.post("/games/quick") for _ in range(3)]
        assert [answer.status_code for answer in sent] == [303, 303, 429]
        compiler.finish()
        until(lambda: ready(client))
        locations = [client.get(each.headers["location"]).headers["location"] for each in sent[:2]]
        assert len(set(locations)) == 2
        assert client.get("/").text.count('<li class="game') == 2, "the one that was refused made no game"


def test_compiler_ends_with_the_server(tmp_path: Path, compiler: SlowCompiler) -> None:
    def running() -> list[psutil.Process]:
        return [each for each in psutil.Process().children(recursive=True) if compiler.command[-1] in each.cmdline()]

    with served(tmp_path) as client:
        client.post("/games/quick")
        until(running)
        began = time.monotonic()
    assert time.monotonic() - began < PATIENCE / 2
    assert not running()
