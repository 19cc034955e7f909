"""Clients that go away: what only they waited for is cancelled."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message, Scope
from tests.service.table_helpers import settings_for

from elcapitan.service import HUMAN, Tables
from elcapitan.service.bot_pool import BotPool
from elcapitan.service.bot_worker import HintQuestion
from elcapitan.web.app import application
from elcapitan.web.long_requests import CLIENT_GONE

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("api", [False, True])
def test_a_hint_ends_with_its_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, api: bool) -> None:
    asked, cancelled = asyncio.Event(), asyncio.Event()

    async def ask(_self: BotPool, _answer: Callable[[Any], Any], question: Any, _priority: int = 0) -> None:
        if isinstance(question, HintQuestion):
            asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

    monkeypatch.setattr(BotPool, "ask", ask)

    async def look() -> None:
        app = application(tmp_path / "games.db")
        async with app.router.lifespan_context(app):
            tables: Tables = app.state.tables
            table = await tables.create(settings_for(HUMAN, HUMAN))
            key = await tables.keys.link(table.id, "host")
            path = f"{'/api/v1' if api else ''}/games/{table.id}/hint"
            assert await requested(app, scope(path, f"number={table.number}", key), asked) == CLIENT_GONE
        assert cancelled.is_set()

    asyncio.run(asyncio.wait_for(look(), 60))


def scope(path: str, query: str, key: str) -> Scope:
    headers = [(b"host", b"testserver"), (b"authorization", f"Bearer {key}".encode())]
    return {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": headers,
        "client": ("192.0.2.1", 5000),
        "scheme": "http",
        "server": ("testserver", 80),
        "root_path": "",
    }


async def requested(app: Any, wanted: Scope, leave: asyncio.Event) -> int:
    """The status of a request whose client goes away at some event."""
    sent: list[Message] = []
    messages = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        message = next(messages, None)
        if message is None:
            await leave.wait()
        return message or {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(wanted, receive, send)
    status: int = sent[0]["status"]
    return status
