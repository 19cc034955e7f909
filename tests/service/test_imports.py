"""Imports: games are read in a thread of their own, and a queue that is full refuses more of them."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.playing import random_game

from elcapitan.board.figures import Figures
from elcapitan.errors import BadRecord, TooMuch
from elcapitan.records.capitan import to_capitan
from elcapitan.service import Tables, imports_exports
from elcapitan.service.imports_exports import IMPORT_THREADS, MOST_IMPORTS, ImportedGame

READ = imports_exports.read


@pytest.fixture(scope="module")
def written() -> str:
    return to_capitan(random_game(2, (), seed=3))


def test_imports_wait_for_one_another_and_nobody_else_for_them(
    tmp_path: Path, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, threads = threading.Event(), set()

    def held(content: str | bytes, filename: str, figures: Figures) -> ImportedGame:
        threads.add(threading.current_thread().name)
        assert slow.wait(120)
        return READ(content, filename, figures)

    monkeypatch.setattr(imports_exports, "read", held)

    async def several() -> None:
        async with Tables.open(tmp_path / "games.db", bots=False) as tables:
            waiting = [
                asyncio.create_task(tables.import_record(written, "")) for _ in range(IMPORT_THREADS + MOST_IMPORTS)
            ]
            await _until(lambda: len(threads) == IMPORT_THREADS)
            with pytest.raises(TooMuch) as refusal:
                await tables.import_record(written, "")
            assert (refusal.value.reason, refusal.value.seconds) == ("too-many-imports", 5)
            assert await asyncio.to_thread(threading.active_count), "the threads that everything shares are free"
            slow.set()
            brought = await asyncio.gather(*waiting)
            assert len({table.id for table in brought}) == len(waiting)
            assert (await tables.import_record(written, "")).game.events == brought[0].game.events, (
                "there is room again"
            )

    asyncio.run(several())
    assert len(threads) == IMPORT_THREADS and all(name.startswith("imports") for name in threads)


async def _until(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(120):
        while not true():
            await asyncio.sleep(0.01)


def test_a_refused_record_leaves_its_place(tmp_path: Path, written: str) -> None:
    async def many() -> None:
        async with Tables.open(tmp_path / "games.db", bots=False) as tables:
            for _ in range(2 * (IMPORT_THREADS + MOST_IMPORTS)):
                with pytest.raises(BadRecord):
                    await tables.import_record("[", "")
            assert (await tables.import_record(written, "")).game.over

    asyncio.run(many())
