"""What the admin of a server sees: its health, its figures, its log, and what the admin's token opens."""

import asyncio
import io
import json
import logging
import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from elcapitan.cli import serve_options as logs
from elcapitan.errors import BadDatabase
from elcapitan.records.shuffles import commitment_of
from elcapitan.text.catalogue import LANGUAGES
from elcapitan.web.api.app import Api
from elcapitan.web.app import application
from elcapitan.web.operations import HealthCheck, RequestLog, ServerMetrics
from elcapitan.web.pages.guide import steps
from elcapitan.web.render import compile_templates, environment
from elcapitan.web.server_settings import ServerSettings, hashed

ADMIN = "the-admin-of-this-server-0123456789"
BEARER = {"Authorization": f"Bearer {ADMIN}"}
SEATS = [{"player": "friend", "name": "Ana"}, {"player": "friend", "name": "Rui"}]


@contextmanager
def opened(folder: Path, client: tuple[str, int] = ("203.0.113.9", 40_000), **settings: Any) -> Iterator[TestClient]:
    """A client, from another machine, of a public server with an admin."""
    chosen = ServerSettings(**{"public": True, "admin": hashed(ADMIN), **settings})
    app = application(folder / "games.db", settings=chosen)
    with TestClient(app, client=client, follow_redirects=False) as visitor:
        yield visitor


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def created(client: TestClient, **settings: Any) -> dict[str, Any]:
    answer = client.post("/api/v1/games", json={"seats": SEATS, "first": 0, **settings})
    assert answer.status_code == 201, answer.text
    table: dict[str, Any] = answer.json()
    return table


def play(client: TestClient, table: dict[str, Any], actions: int) -> None:
    """Both friends act by chance."""
    keys = [each["key"] for each in table["seat_keys"]]
    dice = random.Random(4)
    for _ in range(actions):
        place = f"/api/v1/games/{table['game']}"
        seen = client.get(place, headers=bearer(keys[0])).json()
        legal = client.get(f"{place}/actions", headers=bearer(keys[0])).json()["actions"]
        sent = {"number": seen["number"], "actions": [dice.choice(legal)["action"]]}
        done = client.post(f"{place}/actions", json=sent, headers=bearer(keys[seen["deciding"]]))
        assert done.status_code == 200, done.text


# ------------------------------------------------------------------------------------------------------------ health


def test_a_server_that_is_fit(tmp_path: Path) -> None:
    with opened(tmp_path) as client:
        created(client)  # by now the rules are loaded, however long that takes
        answer = client.get("/healthz")
        assert (answer.status_code, answer.json()) == (200, {"status": "fit"})
        assert client.head("/healthz").status_code in (200, 405)


def test_a_server_whose_database_is_gone(tmp_path: Path) -> None:
    with opened(tmp_path) as client:

        async def broken() -> None:
            raise BadDatabase("not-stored", problem="password=secret")

        client.app.state.health = HealthCheck(broken)  # type: ignore[attr-defined]
        answer = client.get("/healthz")
        assert (answer.status_code, answer.json()) == (503, {"status": "unfit"})
        assert "secret" not in answer.text


# ----------------------------------------------------------------------------------------------------------- figures


@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        (("203.0.113.9", 1), {}, 401),
        (("203.0.113.9", 1), BEARER, 200),
        (("203.0.113.9", 1), {"Authorization": f"Bearer {ADMIN}x"}, 401),
        (("203.0.113.9", 1), {"Authorization": ADMIN}, 401),
        (("203.0.113.9", 1), {"X-Forwarded-For": "127.0.0.1"}, 401),
        (("127.0.0.1", 1), {}, 200),
        (("::1", 1), {}, 200),
        (("127.0.0.1", 1), {"X-Forwarded-For": "203.0.113.9"}, 401),
        (("127.0.0.1", 1), {"Via": "1.1 proxy"}, 401),
    ],
)
def test_who_may_see_the_figures(tmp_path: Path, client: tuple[str, int], headers: Any, status: int) -> None:
    with opened(tmp_path, client) as visitor:
        answer = visitor.get("/metrics", headers=headers)
        assert answer.status_code == status
        assert ("elcapitan_games_live" in answer.text) == (status == 200)


def test_without_an_admin_no_token_opens_anything(tmp_path: Path) -> None:
    with opened(tmp_path, admin="") as client:
        for token in ("", "x", "None"):
            assert client.get("/metrics", headers={"Authorization": f"Bearer {token}"}).status_code == 401
            assert client.get("/api/v1/admin/games", headers={"Authorization": f"Bearer {token}"}).status_code == 401


def test_what_the_figures_tell(tmp_path: Path) -> None:
    with opened(tmp_path) as client:
        table = created(client)
        play(client, table, 5)
        client.get("/nothing/here")
        client.get(f"/games/{table['game']}")
        client.get("/static/style.css")
        text = client.get("/metrics", headers=BEARER).text
    figures = dict(re.findall(r"^(\w+(?:\{[^}]*\})?) (\S+)$", text, re.MULTILINE))
    assert figures["elcapitan_move_seconds_count"] == "5.0"
    assert figures["elcapitan_games_live"] == "1.0"
    assert figures["elcapitan_streams_open"] == "0.0"
    path = "/api/v1/games/{game}/actions"
    assert f'elcapitan_requests_total{{method="POST",route="{path}",status="200"}} 5.0' in text
    assert 'route="/games/{name}",status="403"' in text
    assert 'route="-",status="404"' in text
    assert table["game"] not in text
    assert all(key["key"] not in text for key in table["seat_keys"])


def test_streams_are_counted_while_they_are_open() -> None:
    async def look() -> None:
        metrics, enough = ServerMetrics(), asyncio.Event()

        def count() -> float | None:
            return metrics.registry.get_sample_value("elcapitan_streams_open")

        async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
            headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await enough.wait()

        async def nothing(*_: Any) -> Any:
            return None

        scope: Scope = {"type": "http", "method": "GET", "path": "/games/abc/events", "client": None}
        streams = [asyncio.create_task(RequestLog(app, metrics)(dict(scope), nothing, nothing)) for _ in range(3)]
        await asyncio.sleep(0)
        assert count() == 3
        streams[0].cancel()
        await asyncio.gather(streams[0], return_exceptions=True)
        assert count() == 2
        enough.set()
        await asyncio.gather(*streams[1:])
        assert count() == 0

    asyncio.run(look())


def test_every_house_counts_for_itself(tmp_path: Path) -> None:
    with opened(tmp_path) as one, opened(tmp_path / "other") as other:
        one.get("/rules")
        assert 'route="/rules"' in one.get("/metrics", headers=BEARER).text
        assert 'route="/rules"' not in other.get("/metrics", headers=BEARER).text


# ------------------------------------------------------------------------------------------------------------- admin


def test_the_admin_lists_ends_and_deletes(tmp_path: Path) -> None:
    with opened(tmp_path) as client:
        tables = [created(client, title="A secret title") for _ in range(2)]
        listed = client.get("/api/v1/admin/games", headers=BEARER)
        assert {game["game"] for game in listed.json()["games"]} == {table["game"] for table in tables}
        assert "secret" not in listed.text and "Ana" not in listed.text
        place = f"/api/v1/admin/games/{tables[0]['game']}"
        assert client.post(f"{place}/end", headers=BEARER).json()["ended"] == tables[0]["game"]
        games = client.get("/api/v1/admin/games", headers=BEARER).json()["games"]
        over = {game["game"]: game["over"] for game in games}
        assert over == {tables[0]["game"]: True, tables[1]["game"]: False}
        assert client.delete(place, headers=BEARER).json() == {"deleted": tables[0]["game"]}
        gone = client.delete(place, headers=BEARER)
        assert (gone.status_code, gone.json()["error"]["code"]) == (404, "no-such-game")
        assert len(client.get("/api/v1/admin/games", headers=BEARER).json()["games"]) == 1


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "games"), ("DELETE", "games/{game}"), ("POST", "games/{game}/end")]
)
def test_nobody_else_does(tmp_path: Path, method: str, path: str) -> None:
    with opened(tmp_path, ("127.0.0.1", 5)) as client:
        table = created(client)
        for key in (table["host_key"], ADMIN.upper(), ADMIN[:-1], "x" * 5000, "\xff"):
            headers = {b"Authorization": f"Bearer {key}".encode("latin-1")}
            answer = client.request(method, f"/api/v1/admin/{path.format(**table)}", headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "admin-only")
            assert answer.headers["www-authenticate"] == "Bearer"
        assert client.get(f"/api/v1/games/{table['game']}", headers=bearer(table["host_key"])).json()["deciding"] == 0


def test_the_admin_has_no_seat(tmp_path: Path) -> None:
    with opened(tmp_path) as client:
        table = created(client)
        assert client.get(f"/api/v1/games/{table['game']}", headers=BEARER).status_code in (401, 403)
        assert client.get(f"/games/{table['game']}", headers=BEARER).status_code == 403


def test_a_house_shows_no_token_of_its_admin() -> None:
    assert ADMIN not in repr(ServerSettings(admin=hashed(ADMIN))) and hashed(ADMIN) not in repr(
        ServerSettings(admin=hashed(ADMIN))
    )


# ----------------------------------------------------------------------------------------------------------- the log


@pytest.mark.parametrize("form", [logs.PLAIN, logs.JSON])
def test_the_log_tells_what_was_asked_for_and_no_secret(tmp_path: Path, form: str) -> None:
    stream = io.StringIO()
    handler = logs.set_up_logs(form, stream)
    try:
        with opened(tmp_path) as client:
            table = created(client)
            play(client, table, 30)
            key = table["seat_keys"][0]["key"]
            made = client.post(
                f"/api/v1/games/{table['game']}/keys",
                json={"role": "seat-0", "kind": "phrase"},
                headers=bearer(table["host_key"]),
            ).json()
            for sent in ({"key": key}, {"phrase": made["key"]}, {"key": "wrong-key"}, {"phrase": "wrong wrong wrong"}):
                client.post("/join", data=sent)
                client.post("/api/v1/join", json=sent)
            client.get(f"/games/{table['game']}?secret=query&key={key}", headers={"Referer": f"http://x/#{key}"})
            client.get(f"/{key}")
            client.get("/metrics", headers=BEARER)
            client.post(f"/games/{table['game']}/end", headers=bearer(table["host_key"]))
            over = client.get(f"/games/{table['game']}", headers=bearer(table["host_key"])).text
    finally:
        logging.getLogger().removeHandler(handler)
    log = stream.getvalue()
    commitment, *told = re.findall(r"<dd><code>([0-9a-f]+)</code>", over)
    assert commitment_of(*told) == commitment, "key and salt are those of the game"
    tokens = [table["host_key"], table["watch_key"], *(each["key"] for each in table["seat_keys"]), made["key"], ADMIN]
    for secret in (*tokens, "wrong-key", "query", *told, table["game"], "Ana"):
        assert secret not in log
    assert log.count("POST /api/v1/games/{game}/actions 200") == 30
    assert "GET /games/{name} 200" in log and "POST /join 303" in log and "GET - 404" in log
    if form == logs.JSON:
        lines = [json.loads(line) for line in log.splitlines()]
        moves = [line for line in lines if line.get("route") == "/api/v1/games/{game}/actions"]
        assert {line["logger"] for line in moves} == {"elcapitan.access"}
        assert {line["address"] for line in moves} == {"203.0.113.9"}
        assert all(line["ms"] >= 0 and line["level"] == "info" and line["time"] for line in moves)


def test_a_quiet_log_tells_of_problems_only() -> None:
    stream = io.StringIO()
    handler = logs.set_up_logs(logs.QUIET, stream)
    try:
        logging.getLogger("elcapitan.access").info("GET / 200")
        logging.getLogger("elcapitan.service").warning("something\x1b[31m is wrong\nhere")
    finally:
        logging.getLogger().removeHandler(handler)
    assert stream.getvalue().endswith("WARNING something?[31m is wrong?here\n")
    assert stream.getvalue().count("\n") == 1


def test_a_fault_is_told_with_its_traceback() -> None:
    stream = io.StringIO()
    handler = logs.set_up_logs(logs.JSON, stream)
    try:
        try:
            raise ValueError('no "quotes"\n')
        except ValueError:
            logging.getLogger("elcapitan").exception("it broke")
    finally:
        logging.getLogger().removeHandler(handler)
    (line,) = stream.getvalue().splitlines()
    assert json.loads(line)["message"] == "it broke" and "Traceback" in json.loads(line)["traceback"]


def test_every_language_uses_the_same_compiled_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    compile_templates()
    monkeypatch.setattr(Environment, "_parse", lambda *_: pytest.fail("a template is compiled again"))
    environment.cache_clear()
    try:
        for language in LANGUAGES:
            assert environment(language).get_template("pages/start.html").name == "pages/start.html"
    finally:
        environment.cache_clear()


def test_the_guide_is_read_before_somebody_asks_for_it(tmp_path: Path) -> None:
    """Otherwise its first reader stops the event loop for a quarter of a second."""
    steps.cache_clear()
    with TestClient(application(tmp_path / "games.db")):
        end = time.monotonic() + 30
        while not steps.cache_info().currsize and time.monotonic() < end:
            time.sleep(0.01)
        assert steps.cache_info().currsize


def test_the_description_of_the_api_is_encoded_once(tmp_path: Path) -> None:
    with TestClient(application(tmp_path / "games.db")) as client:
        first = client.get("/api/v1/openapi.json")
        assert first.headers["content-type"] == "application/json" and first.json()["openapi"].startswith("3.")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Api, "openapi", lambda _self: pytest.fail("built again"))
            assert client.get("/api/v1/openapi.json").content == first.content
