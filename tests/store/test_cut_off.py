"""Whoever waits for a database may be called away at any moment: its connections are not broken by that."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from starlette.types import Message
from tests.store.store_helpers import ROW, Database, entry, key, line, opened

from elcapitan.service import HUMAN, Seat, Tables, TableSettings, open_table
from elcapitan.service.keys import WATCH
from elcapitan.store.game_store import GameStore
from elcapitan.web.app import application
from elcapitan.web.server_settings import ServerSettings

LONGEST = 150  # seconds for any test, however busy the machine is


class Connections:
    """Counts connections that are made and given up."""

    def __init__(self, pool: Any) -> None:
        self.made = self.broken = 0
        event.listen(pool, "connect", self._make)
        event.listen(pool, "invalidate", self._break)

    def _make(self, *_arguments: object) -> None:
        self.made += 1

    def _break(self, *_arguments: object) -> None:
        self.broken += 1


QUESTIONS: list[Callable[[GameStore], Awaitable[Any]]] = [
    lambda store: store.check(),
    lambda store: store.read("first"),
    lambda store: store.read_since("first", 0),
    lambda store: store.rows(),
    lambda store: store.keys("first"),
    lambda store: store.find_keys(["a", "b"]),
    lambda store: store.chat("first"),
    lambda store: store.say("first", line("Ahoy")),
]


def test_a_question_that_nobody_waits_for_is_answered_all_the_same(database: Database) -> None:
    async def cut_off() -> None:
        async with asyncio.timeout(LONGEST), opened(database) as (store, engine):
            await store.add(ROW, [entry(1)], None)
            await store.add_key(key("a"))
            await store.check()
            count = Connections(engine.sync_engine.pool)
            for question in QUESTIONS:
                for moment in range(12):
                    task = asyncio.ensure_future(question(store))
                    for _ in range(moment // 2):
                        await asyncio.sleep(0.0005 * (moment % 2))
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
            await store.finish()
            assert not store.running
            pool: Any = engine.sync_engine.pool
            assert count.broken == 0
            assert count.made < pool.size(), "several at the same time need a connection each, and no more"
            assert len(await store.chat("first")) > 0, "what was begun is done"

    asyncio.run(cut_off())


@pytest.mark.parametrize("path", ["/api/v1/games/{game}/events", "/games/{game}/events"])
def test_streams_that_are_cut_off_break_nothing(tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while the table is read from the database, and while a key is looked for."""
    monkeypatch.setattr(open_table, "MOST_LIVE", 0)  # each has to read the table again
    app = application(tmp_path / "games.db", settings=ServerSettings(public=True))

    async def follow(game: str, token: str, seconds: float) -> None:
        """Follow a table, and leave after a moment."""
        headers = [(b"host", b"testserver"), (b"authorization", f"Bearer {token}".encode())]
        scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path.format(game=game), "headers": headers}
        scope |= {"query_string": b"", "scheme": "http", "server": ("testserver", 80), "client": ("192.0.2.1", 5)}

        async def receive() -> Message:
            await asyncio.sleep(seconds)
            return {"type": "http.disconnect"}

        async def send(_message: Message) -> None:
            pass

        await app(scope, receive, send)

    async def look() -> None:
        async with asyncio.timeout(LONGEST), app.router.lifespan_context(app):
            tables: Tables = app.state.tables
            table = await tables.create(TableSettings((Seat(HUMAN), Seat(HUMAN, colour=1)), pace="instant"))
            token = await tables.keys.link(table.id, WATCH)
            count = Connections(tables.store.engine.sync_engine.pool)
            for number in range(60):
                seconds = number * 0.0004
                await asyncio.gather(follow(table.id, token, seconds), follow(table.id, token, seconds / 2))
            await tables.check()
            assert (count.made, count.broken) == (0, 0)

    asyncio.run(look())
