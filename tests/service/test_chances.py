"""Win chances of tables: asked once for each position, kept until the game goes on, only where hints are allowed."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.service.table_helpers import settings_for, with_tables

from elcapitan.bots.chances import Chances
from elcapitan.errors import BadSetup, NotYourTurn
from elcapitan.service import FRIEND, HUMAN, Tables
from elcapitan.service.bot_pool import HINT, BotPool, NoAnswer
from elcapitan.service.bot_worker import ChancesQuestion, estimate

EVEN = Chances((0.5, 0.5), (100.0, 100.0), (30.0, 30.0))


class Asked:
    """Processes that answer every question about chances at once, or not at all."""

    def __init__(self) -> None:
        self.views: list[bytes] = []
        self.priorities: set[int] = set()
        self.silent = False
        self.go: asyncio.Event | None = None  # until it is set, nothing is answered
        self.cancelled = 0

    async def ask(self, answer: Callable[[Any], Any], question: Any, priority: int = 0) -> Chances | None:
        if not isinstance(question, ChancesQuestion):
            return None
        assert answer is estimate
        self.views.append(question.view)
        self.priorities.add(priority)
        await asyncio.sleep(0)
        if self.go:
            try:
                await self.go.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        if self.silent:
            raise NoAnswer
        return EVEN


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    found = Asked()
    monkeypatch.setattr(BotPool, "ask", lambda _self, *given: found.ask(*given))
    return found


def test_a_position_is_asked_about_once(tmp_path: Path, asked: Asked) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN))
        found = await asyncio.gather(*(tables.chances(table.id) for _ in range(20)))
        assert found == [(table.number, EVEN)] * 20
        table = await tables.change(table.id, title="Sunday")
        assert await tables.chances(table.id) == (table.number, EVEN)
        assert len(asked.views) == 1, "the position is the same"
        assert asked.views == [table.game.view_for(0).tobytes()] and asked.priorities == {HINT}
        table = await tables.act(table.id, table.number, table.game.legal()[:1])
        assert await tables.chances(table.id) == (table.number, EVEN)
        assert asked.views[1:] == [table.game.view_for(0).tobytes()]

    with_tables(tmp_path / "games.db", look)


def test_who_goes_away_takes_the_answer_from_nobody(tmp_path: Path, asked: Asked) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN))
        first = asyncio.create_task(tables.chances(table.id))
        await asyncio.sleep(0)
        first.cancel()
        assert await tables.chances(table.id) == (table.number, EVEN)
        assert len(asked.views) == 1

    with_tables(tmp_path / "games.db", look)


def test_a_question_that_nobody_waits_for_is_cancelled(tmp_path: Path, asked: Asked) -> None:
    """Otherwise requests hung up at once would fill the queue in which hints wait too."""

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN))
        asked.go = asyncio.Event()
        waiting = [asyncio.create_task(tables.chances(table.id)) for _ in range(3)]
        while not asked.views:
            await asyncio.sleep(0.01)
        for gone, each in enumerate(waiting, start=1):
            each.cancel()
            await asyncio.sleep(0.01)
            assert asked.cancelled == (gone == len(waiting)), gone
        asked.go.set()
        assert await tables.chances(table.id) == (table.number, EVEN)
        assert len(asked.views) == 2, "asked anew"

    with_tables(tmp_path / "games.db", look)


def test_a_question_that_failed_is_asked_again(tmp_path: Path, asked: Asked) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN))
        asked.silent = True
        with pytest.raises(BadSetup, match="do not answer"):
            await tables.chances(table.id)
        asked.silent = False
        assert await tables.chances(table.id) == (table.number, EVEN)

    with_tables(tmp_path / "games.db", look)


def test_there_are_none_without_hints_and_before_the_game(tmp_path: Path, asked: Asked) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN, hints=False))
        with pytest.raises(BadSetup, match="no hints"):
            await tables.chances(table.id)
        waiting = await tables.create(settings_for(HUMAN, FRIEND), waiting=True)
        with pytest.raises(NotYourTurn, match="not begun"):
            await tables.chances(waiting.id)
        ended = await tables.end(waiting.id)
        with pytest.raises(NotYourTurn, match="not begun"):
            await tables.chances(ended.id)
        assert not asked.views

    with_tables(tmp_path / "games.db", look)
