"""What is answered while games cannot be stored or read: a page with 503 in the reader's language; health says so."""

import asyncio
import contextlib
import resource
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from elcapitan.errors import BadDatabase
from elcapitan.service import open_table
from elcapitan.store import database
from elcapitan.text.catalogue import translator
from elcapitan.web import operations
from elcapitan.web.app import application
from elcapitan.web.operations import HealthCheck

SENTENCE = "Games cannot be read or saved right now. Please try again in a moment."
GERMAN = {"Accept-Language": "de"}
SEATS = [{"player": "human", "name": "Ana"}, {"player": "human", "name": "Rui"}]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for a database that is locked, and health is found out at every question."""
    pragmas = ("PRAGMA busy_timeout=20", *database.PRAGMAS[1:])
    monkeypatch.setattr(database, "PRAGMAS", pragmas)
    monkeypatch.setattr(operations, "CHECK_INTERVAL", 0.0)


@contextlib.contextmanager
def served(folder: Path) -> Iterator[TestClient]:
    """A server on this machine."""
    with TestClient(application(folder / "games.db"), follow_redirects=False) as client:
        yield client


@contextlib.contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another program holds the write lock of a database."""
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


@contextlib.contextmanager
def full(file: Path) -> Iterator[None]:
    """No file can grow any more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    log = file.with_name(f"{file.name}-wal")
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def created(client: TestClient) -> tuple[str, int, str]:
    """A new game, its number, and something that can be done."""
    made = client.post("/api/v1/games", json={"seats": SEATS, "first": 0}).json()
    game, key = made["game"], {"Authorization": f"Bearer {made['host_key']}"}
    possible = client.get(f"/api/v1/games/{game}/actions", headers=key).json()
    return game, made["number"], str(possible["actions"][0]["action"])


def act(client: TestClient, game: str, number: int, action: str) -> Any:
    """Do something on the page."""
    return client.post(f"/games/{game}/act", data={"number": number, "actions": action}, headers=GERMAN)


@pytest.mark.parametrize("trouble", [locked, full])
def test_pages_say_that_nothing_can_be_stored(tmp_path: Path, trouble: Any) -> None:
    said = translator("de").text(SENTENCE)
    with served(tmp_path) as client:
        game, number, action = created(client)
        with trouble(tmp_path / "games.db"):
            answer = act(client, game, number, action)
            assert answer.status_code == 503 and "text/html" in answer.headers["content-type"]
            answer = client.post("/games/quick", headers=GERMAN)
            assert answer.status_code == 503 and said in answer.text and answer.headers["retry-after"]
            record = client.get(f"/games/{game}/export/json")
            if record.status_code == 200:
                answer = client.post("/games/import", data={"text": record.text}, headers=GERMAN)
                assert answer.status_code == 503 and said in answer.text
            assert client.post("/api/v1/games", json={"seats": SEATS}).status_code == 503
            assert client.get("/healthz").status_code == 503
        assert client.get("/healthz").status_code == 200
        assert act(client, game, number, action).status_code == 303, "nothing has happened meanwhile, and now it does"


def test_pages_and_health_of_a_database_that_is_damaged_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PRAGMAS", (*database.PRAGMAS, "PRAGMA cache_size=1"))  # everything is read again
    monkeypatch.setattr(open_table, "MOST_LIVE", 0)
    file = tmp_path / "games.db"
    with served(tmp_path) as client:
        games = [created(client)[0] for _ in range(10)]
        with contextlib.closing(sqlite3.connect(file)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        whole = file.read_bytes()
        with file.open("r+b") as damaged:
            damaged.seek(8192)  # after the list of tables
            damaged.write(b"\xff" * (len(whole) - 8192))
        for path in ("/", f"/games/{games[0]}", f"/games/{games[0]}/replay"):
            answer = client.get(path, headers=GERMAN)
            assert answer.status_code == 503 and translator("de").text(SENTENCE) in answer.text
        assert client.get(f"/api/v1/games/{games[0]}", headers={"Authorization": "Bearer any"}).status_code == 503
        assert client.get("/healthz").status_code == 503
        assert client.get("/rules").status_code == 200


def test_one_check_serves_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "CHECK_INTERVAL", 10.0)
    checks, now, broken = 0, 0.0, False

    async def check() -> None:
        nonlocal checks
        checks += 1
        await asyncio.sleep(0)
        if broken:
            raise BadDatabase("not-stored", problem="full")

    async def work() -> None:
        nonlocal now, broken
        found = HealthCheck(check, lambda: now)
        assert await asyncio.gather(*(found.passes() for _ in range(50))) == [True] * 50
        now, broken = 9.9, True
        assert await found.passes() and checks == 1
        now = 10.0
        assert not await found.passes() and not await found.passes() and checks == 2
        now, broken = 20.0, False
        assert await found.passes() and checks == 3
        await found.close()

    asyncio.run(work())


def test_a_check_that_hangs_is_no_good_health_and_is_not_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "CHECK_TIMEOUT", 0.01)

    async def work() -> None:
        going_on, began = asyncio.Event(), 0

        async def check() -> None:
            nonlocal began
            began += 1
            await going_on.wait()

        found = HealthCheck(check)
        assert not await found.passes() and not await found.passes()
        assert began == 1
        going_on.set()
        monkeypatch.setattr(operations, "CHECK_TIMEOUT", 60.0)
        monkeypatch.setattr(operations, "CHECK_INTERVAL", 60.0)
        assert await found.passes() and began == 1

    asyncio.run(work())
