"""News between processes: heard when a transaction counts as done, and again after the connection broke."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.postgres import Postgres, rows
from tests.store.store_helpers import ROW, entry, grown, key, line, opened

from elcapitan.errors import StaleVersion
from elcapitan.store import postgresql
from elcapitan.store.location import url_of

TRIED = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT 1'"
OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN elcapitan'"


@asynccontextmanager
async def listening(database: str) -> AsyncIterator["asyncio.Queue[postgresql.Notification | None]"]:
    """What is heard, in order."""
    heard: asyncio.Queue[postgresql.Notification | None] = asyncio.Queue()
    task = asyncio.create_task(postgresql.listen(url_of(database), heard.put_nowait))
    try:
        assert await heard.get() is None
        yield heard
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_everything_that_changes_a_game_is_told(shared: str) -> None:
    async def run() -> None:
        async with asyncio.timeout(30), opened(shared) as (store, _engine), listening(shared) as heard:
            await store.add(ROW, [entry(1)], None)
            await store.append(1, grown(ROW, 2), [entry(2)], None)
            with pytest.raises(StaleVersion):
                await store.append(1, grown(ROW, 2), [entry(2)], None)
            await store.say("first", line("Ahoy"))
            await store.add_key(key("a"))
            await store.drop_keys("first", "host")
            await store.notify("first", "present:me:0,2")
            await store.delete("first")
            found = [await heard.get() for _ in range(6)]
            assert found == [("first", what) for what in ("2", "talk:1", "keys", "keys", "present:me:0,2", "gone")]

    asyncio.run(run())


def test_a_broken_connection_is_made_again(shared: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "AGAIN", 0.01)

    async def run() -> None:
        async with asyncio.timeout(30), opened(shared) as (store, _engine), listening(shared) as heard:
            await store.add(ROW, [entry(1)], None)
            assert await asyncio.to_thread(postgres.run, OTHERS) == [(True,)]
            assert await heard.get() is None, "something may have been missed"
            await store.append(1, grown(ROW, 2), [entry(2)], None)
            assert await heard.get() == ("first", "2")

    asyncio.run(run())


def test_a_server_that_starts_again(shared: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever listens and whoever writes find it again by themselves."""
    monkeypatch.setattr(postgresql, "AGAIN", 0.05)

    async def run() -> None:
        async with asyncio.timeout(60), opened(shared) as (store, _engine), listening(shared) as heard:
            await store.add(ROW, [entry(1)], None)
            await asyncio.to_thread(postgres.kill)
            await asyncio.to_thread(postgres.start)
            await store.append(1, grown(ROW, 2), [entry(2)], None)
            while await heard.get() is not None:
                pass
            row, log, _ = await store.read("first")
            assert row.length == len(log) == 2

    asyncio.run(run())


def test_a_quiet_connection_is_tried(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "QUIET", 0.01)

    async def run() -> None:
        async with asyncio.timeout(30), opened(shared) as (store, _engine), listening(shared) as heard:
            while await asyncio.to_thread(rows, shared, TRIED) == [(0,)]:
                pass
            await store.notify("first", "talk")
            assert await heard.get() == ("first", "talk")

    asyncio.run(run())
