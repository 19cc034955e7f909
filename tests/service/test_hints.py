"""Hints under way: one for each seat at a time, shared by those who ask the same, cancelled when nobody waits."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.service.table_helpers import settings_for, with_tables

from elcapitan.errors import Ended, NoSuchGame, StaleVersion
from elcapitan.players.seats import Suggestion
from elcapitan.service import HUMAN, Tables
from elcapitan.service.bot_pool import HINT, BotPool
from elcapitan.service.bot_worker import HintQuestion

pytestmark = pytest.mark.compiled
ADVICE = [Suggestion((1,))]


class Waiting:
    """Processes that answer a hint only when a test says so."""

    def __init__(self) -> None:
        self.levels: list[str | None] = []  # of all hints that were asked for
        self.cancelled = 0
        self.priorities: set[int] = set()
        self._go = asyncio.Event()

    async def ask(self, _answer: Callable[[Any], Any], question: Any, priority: int = 0) -> list[Suggestion]:
        if not isinstance(question, HintQuestion):
            return []
        self.levels.append(question.level)
        self.priorities.add(priority)
        try:
            await self._go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return ADVICE

    def go(self) -> None:
        self._go.set()


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    found = Waiting()
    monkeypatch.setattr(BotPool, "ask", lambda _self, *asked: found.ask(*asked))
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


async def a_moment() -> None:
    """Let everything go on that can."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_who_asks_the_same_waits_for_the_same(file: Path, waiting: Waiting) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN))
        asking = [asyncio.create_task(tables.hint(table.id, table.number)) for _ in range(20)]
        other = asyncio.create_task(tables.hint(table.id, table.number, "captain"))
        await a_moment()
        assert waiting.levels == [None], "one at a time for a seat"
        for each in asking[:15]:
            each.cancel()
        await a_moment()
        assert waiting.cancelled == 0, "others still wait"
        waiting.go()
        assert await asyncio.gather(*asking[15:]) == [ADVICE] * 5
        assert await other == ADVICE and waiting.levels == [None, "captain"]
        assert waiting.priorities == {HINT}
        assert await tables.hint(table.id, table.number) == ADVICE
        assert waiting.levels == [None, "captain", None], "an answer is not kept"

    with_tables(file, look)


def test_a_hint_that_nobody_waits_for_is_cancelled(file: Path, waiting: Waiting) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN))
        for times in (1, 2):
            asking = [asyncio.create_task(tables.hint(table.id, table.number)) for _ in range(3)]
            await a_moment()
            for each in asking:
                each.cancel()
            await a_moment()
            assert (len(waiting.levels), waiting.cancelled) == (times, times), "asked anew each time"

    with_tables(file, look)


@pytest.mark.parametrize(("how", "error"), [("act", StaleVersion), ("end", Ended), ("delete", NoSuchGame)])
def test_a_hint_for_a_table_that_has_changed_is_cancelled(
    file: Path, waiting: Waiting, how: str, error: type[Exception]
) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN))
        asking = asyncio.create_task(tables.hint(table.id, table.number))
        await a_moment()
        await getattr(tables, how)(table.id, *([table.number, table.game.legal()[:1]] if how == "act" else []))
        with pytest.raises(error):
            await asking
        assert waiting.cancelled == 1

    with_tables(file, look)
