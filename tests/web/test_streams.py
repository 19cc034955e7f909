"""Event streams and the server's time: what they draw is charged to their address, and holds nobody else up."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from tests.service.table_helpers import settings_for
from tests.web.test_rate_limits import TimeControl, scope

from elcapitan.background_tasks import cancel_and_wait, requester
from elcapitan.service import HUMAN, Tables
from elcapitan.service.keys import HOST
from elcapitan.web.api.stream import TableStream
from elcapitan.web.app import application
from elcapitan.web.limits import WorkLimiter
from elcapitan.web.long_requests import EventStream, drawing_turn, within_budget
from elcapitan.web.pages import plans, table
from elcapitan.web.server_settings import Limits

FOLLOWERS = 6
COST = 0.1  # seconds of drawing
DRAWN = b"data: x\n\n"


async def follow(app: Any, asked: Scope) -> None:
    """Follow a stream until it ends."""

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(_message: Message) -> None:
        await asyncio.sleep(0)

    await app(asked, receive, send)


def test_what_a_stream_draws_is_charged_and_waits_for_the_budget() -> None:
    drawn: list[float] = []  # when

    async def messages() -> AsyncGenerator[bytes, None]:
        for _ in range(3):
            await within_budget()
            async with drawing_turn():
                drawn.append(asyncio.get_running_loop().time())
                began = time.thread_time()
                while time.thread_time() - began < COST:
                    pass
            yield DRAWN

    async def app(asked: Scope, receive: Receive, send: Send) -> None:
        await EventStream(messages())(asked, receive, send)

    async def look() -> None:
        limiter = WorkLimiter(app, Limits(work=1000, work_burst=50), TimeControl())
        await follow(limiter, scope("/games/abc/events"))
        assert limiter.budget.debt("192.0.2.1") >= 3 * COST - 0.05

    asyncio.run(asyncio.wait_for(look(), 60))
    assert len(drawn) == 3
    assert drawn[2] - drawn[1] >= COST + (2 * COST - 0.05), "the third waits until the debt of the first two is paid"


def test_no_address_waits_for_the_streams_of_another() -> None:
    async def look() -> None:
        async def enter(address: str) -> None:
            requester.set(address)
            async with drawing_turn():
                return

        requester.set("192.0.2.1")
        async with drawing_turn():
            own, other = (asyncio.create_task(enter(f"192.0.2.{number}")) for number in (1, 2))
            await other
            assert not own.done()
        await own

    asyncio.run(asyncio.wait_for(look(), 60))


@pytest.mark.compiled
@pytest.mark.parametrize("path", ["/games/{}/events", "/games/{}/plan/events", "/api/v1/games/{}/events"])
def test_others_are_answered_between_two_streams_of_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    rounds = 0  # of the event loop
    drawn: list[int] = []  # in which of them

    def draw(*_arguments: object) -> bytes:
        drawn.append(rounds)
        return DRAWN

    monkeypatch.setattr(table, "table_event", draw)
    monkeypatch.setattr(plans, "planning_event", draw)
    monkeypatch.setattr(TableStream, "message", draw)

    async def count() -> None:
        nonlocal rounds
        while True:
            await asyncio.sleep(0)
            rounds += 1

    async def all_drawn() -> None:
        while len(drawn) < FOLLOWERS:
            await asyncio.sleep(0.01)

    async def look() -> None:
        app = application(tmp_path / "games.db")
        async with app.router.lifespan_context(app):
            tables: Tables = app.state.tables
            game = (await tables.create(settings_for(HUMAN, HUMAN))).id
            key = await tables.keys.link(game, HOST)
            asked = scope(path.format(game), authorization=f"Bearer {key}")
            tasks = [asyncio.create_task(count()), *(asyncio.create_task(follow(app, asked)) for _ in range(FOLLOWERS))]
            try:
                await all_drawn()
                drawn.clear()
                await tables.say(game, None, "Ahoy")
                await all_drawn()
            finally:
                with suppress(asyncio.CancelledError):
                    await cancel_and_wait(*tasks)

    asyncio.run(asyncio.wait_for(look(), 60))
    assert len(set(drawn)) == FOLLOWERS, "each in a round of its own"
