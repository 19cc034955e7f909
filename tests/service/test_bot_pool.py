"""The pool of processes for computer players: who is replaced, what goes first, what is cancelled."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.service import pool_questions

from elcapitan.background_tasks import requester
from elcapitan.service import bot_pool
from elcapitan.service.bot_pool import HINT, BotPool, NoAnswer


@pytest.fixture(autouse=True)
def start_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "get_ready", pool_questions.ready)


def with_workers(count: int, work: Callable[[BotPool], Awaitable[None]]) -> None:
    """Do something with a pool."""

    async def run() -> None:
        workers = BotPool(count)
        try:
            async with asyncio.timeout(120):
                await work(workers)
        finally:
            await workers.close()

    asyncio.run(run())


async def begun(file: Path) -> None:
    """Wait until a process has begun to think."""
    while not file.exists():
        await asyncio.sleep(0.005)
    file.unlink()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every process begins from nothing")
def test_processes_are_copies_of_one_that_has_everything_loaded() -> None:
    """A module that cannot be found would only make them slow."""

    async def look(workers: BotPool) -> None:
        assert await workers.ask(pool_questions.has_loaded, bot_pool.FORK_PRELOAD)

    with_workers(1, look)


def test_processes_that_die_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        workers = BotPool(2)
        first = await workers.ask(pool_questions.here, None)
        with pytest.raises(NoAnswer):
            await workers.ask(pool_questions.die, None)
        second = await workers.ask(pool_questions.here, None)
        assert first != second
        os.kill(second, signal.SIGKILL)
        third = await workers.ask(pool_questions.here, None)
        assert third not in (first, second)
        with pytest.raises(NoAnswer):
            await workers.ask(pool_questions.fail, None)
        monkeypatch.setattr(bot_pool, "DEADLINE", 0.1)
        monkeypatch.setattr(bot_pool, "GRACE", 0.1)
        with pytest.raises(NoAnswer):
            await workers.ask(pool_questions.sleep, None)
        monkeypatch.setattr(bot_pool, "GRACE", 60)
        many = await asyncio.gather(*(workers.ask(pool_questions.here, None) for _ in range(20)))
        assert third not in many, "who never answers is replaced as well"
        await workers.close()
        with pytest.raises(NoAnswer):
            await workers.ask(pool_questions.here, None)

    asyncio.run(run())


def test_only_the_process_that_hangs_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def look(workers: BotPool) -> None:
        one = await workers.ask(pool_questions.here, None)
        thinking = asyncio.create_task(workers.ask(pool_questions.think, tmp_path / "begun"))
        await begun(tmp_path / "begun")
        monkeypatch.setattr(bot_pool, "DEADLINE", 0.1)
        monkeypatch.setattr(bot_pool, "GRACE", 0.1)
        with pytest.raises(NoAnswer):
            await workers.ask(pool_questions.sleep, None)
        assert not thinking.done(), "another process goes on"
        monkeypatch.setattr(bot_pool, "GRACE", 60)
        other = await workers.ask(pool_questions.here, None)
        thinking.cancel()
        both = [workers.ask(pool_questions.think, tmp_path / "begun") for _ in range(2)]
        assert set(await asyncio.gather(*both)) == {one, other}

    with_workers(2, look)


def test_the_deadline_counts_from_the_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three questions take longer than one may, and all are answered by the same process."""
    monkeypatch.setattr(bot_pool, "DEADLINE", 0.4)
    monkeypatch.setattr(bot_pool, "GRACE", 60)

    async def look(workers: BotPool) -> None:
        asked = [workers.ask(pool_questions.think, tmp_path / "begun") for _ in range(3)]
        assert len(set(await asyncio.gather(*asked))) == 1

    with_workers(1, look)


def test_turns_go_before_hints(tmp_path: Path) -> None:
    async def look(workers: BotPool) -> None:
        answers: list[str] = []

        async def ask(name: str, priority: int) -> None:
            await workers.ask(pool_questions.here, None, priority)
            answers.append(name)

        thinking = asyncio.create_task(workers.ask(pool_questions.think, tmp_path / "begun"))
        await begun(tmp_path / "begun")
        wanted = [("hint 1", HINT), ("hint 2", HINT), ("turn 1", 0), ("hint 3", HINT), ("turn 2", 0)]
        asked = [asyncio.create_task(ask(*each)) for each in wanted]
        await asyncio.sleep(0)
        asked[1].cancel()
        thinking.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        assert answers == ["turn 1", "turn 2", "hint 1", "hint 3"]

    with_workers(1, look)


def test_a_cancelled_question_frees_its_process(tmp_path: Path) -> None:
    """At once, long before its deadline, and without a new process."""

    async def look(workers: BotPool) -> None:
        process = await workers.ask(pool_questions.here, None)
        for _ in range(5):
            thinking = asyncio.create_task(workers.ask(pool_questions.think, tmp_path / "begun"))
            await begun(tmp_path / "begun")
            thinking.cancel()
            async with asyncio.timeout(bot_pool.DEADLINE / 2):
                assert await workers.ask(pool_questions.here, None) == process

    with_workers(1, look)


def test_only_so_many_hints_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "MOST_HINTS", 3)

    async def look(workers: BotPool) -> None:
        thinking = asyncio.create_task(workers.ask(pool_questions.think, tmp_path / "begun"))
        await begun(tmp_path / "begun")
        hints = [asyncio.create_task(workers.ask(pool_questions.here, None, HINT)) for _ in range(3)]
        turns = [asyncio.create_task(workers.ask(pool_questions.here, None)) for _ in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(NoAnswer):
            await workers.ask(pool_questions.here, None, HINT)
        hints[0].cancel()
        await asyncio.sleep(0)
        hints.append(asyncio.create_task(workers.ask(pool_questions.here, None, HINT)))
        await asyncio.sleep(0)
        thinking.cancel()
        assert len(await asyncio.gather(*turns, *hints[1:])) == 8

    with_workers(1, look)


def test_addresses_take_turns(tmp_path: Path) -> None:
    """However many questions one address has, another waits for one of them at most."""
    order: list[str] = []

    async def look(workers: BotPool) -> None:
        waiting = asyncio.create_task(workers.ask(pool_questions.think, tmp_path / "busy"))
        await begun(tmp_path / "busy")

        async def asking(address: str) -> None:
            requester.set(address)
            await workers.ask(pool_questions.here, None)
            order.append(address)

        many = [asyncio.create_task(asking("crowd")) for _ in range(20)]
        await asyncio.sleep(0)
        few = [asyncio.create_task(asking("one")) for _ in range(2)]
        hint = asyncio.create_task(workers.ask(pool_questions.here, None, HINT))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(*many, *few, hint)
        assert order.index("one") <= 1 and [place for place, each in enumerate(order) if each == "one"][1] <= 3
        assert order.count("crowd") == 20

    with_workers(1, look)


def test_who_does_not_answer_is_not_asked_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bot_pool, "DEADLINE", 0.1)
    monkeypatch.setattr(bot_pool, "GRACE", 0.1)

    async def look(workers: BotPool) -> None:
        with pytest.raises(NoAnswer):
            await workers.ask(pool_questions.sleep, None)
        assert caplog.text.count("has not answered in time") == 1

    with_workers(1, look)


def test_a_pool_is_closed_while_its_processes_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "get_ready", pool_questions.load_for_ever)

    async def run() -> None:
        workers = BotPool(2)
        asked = asyncio.create_task(workers.ask(pool_questions.here, None))
        await asyncio.sleep(0.3)
        async with asyncio.timeout(30):
            await workers.close()
            with pytest.raises(NoAnswer):
                await asked

    asyncio.run(run())
