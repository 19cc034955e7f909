"""Copies of all games: whole, consistent, and never in the place of something else."""

import asyncio
import sqlite3
import subprocess
from pathlib import Path

import pytest
from tests.postgres import Postgres
from tests.store.store_helpers import ROW, entry, grown, key, opened, with_store

from elcapitan.errors import BadDatabase
from elcapitan.store.location import back_up, free_name


def test_a_copy_while_games_go_on(tmp_path: Path) -> None:
    file = tmp_path / "games.db"

    async def run() -> list[Path]:
        copies = [tmp_path / f"copy-{number}.db" for number in range(4)]
        async with opened(file) as (store, _engine):
            await store.add(ROW, [entry(1)], None)
            number = 1
            for copy in copies:
                copying = asyncio.create_task(asyncio.to_thread(back_up, file, copy))
                while not copying.done():
                    number += 1
                    await store.append(number - 1, grown(ROW, number), [entry(number, text="x" * 2000)], None)
                await copying
        return copies

    for copy in asyncio.run(run()):
        row, log, _ = with_store(copy, lambda store: store.read("first"))
        assert row.length == len(log), "a move is in the copy with everything that belongs to it, or not at all"
        connection = sqlite3.connect(copy)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    file, other = tmp_path / "games.db", tmp_path / "other.db"
    with_store(file, lambda store: store.add(ROW, [entry(1)], None))
    other.write_text("precious", encoding="utf-8")
    with pytest.raises(BadDatabase, match="there already"):
        back_up(file, other)
    assert other.read_text(encoding="utf-8") == "precious"


def test_nothing_is_left_of_a_copy_that_failed(tmp_path: Path) -> None:
    for source, target in ((tmp_path / "missing.db", tmp_path / "copy.db"), (tmp_path, tmp_path / "no" / "copy.db")):
        with pytest.raises(BadDatabase):
            back_up(source, target)
    assert list(tmp_path.iterdir()) == []


def test_a_postgresql_is_dumped_and_restored(shared: str, postgres: Postgres, tmp_path: Path) -> None:
    """As docs/store.md tells it, in the middle of games, and into the same database."""
    dump = tmp_path / "games.dump"

    async def play() -> None:
        async with opened(shared) as (store, _engine):
            await store.add(ROW, [entry(1)], None)
            await store.add_key(key("a"))
            await asyncio.to_thread(tool, "pg_dump", "--format=custom", f"--file={dump}", shared)
            await store.append(1, grown(ROW, 2), [entry(2)], None)

    def tool(name: str, *words: str) -> None:
        subprocess.run([postgres.tool(name), *words], check=True)

    asyncio.run(play())
    tool("pg_restore", "--clean", "--if-exists", "--single-transaction", f"--dbname={shared}", str(dump))

    async def go_on() -> None:
        async with opened(shared) as (store, _engine):
            assert await store.read("first") == (ROW, [entry(1)], None)
            assert await store.keys("first") == [key("a")]
            await store.append(1, grown(ROW, 2), [entry(2)], None)

    asyncio.run(go_on())


def test_names_of_copies_are_free(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    names = set()
    for _ in range(3):
        name = free_name(file, "backup")
        name.touch()
        names.add(name)
    assert len(names) == 3 and all(name.match("games-backup-*.db") for name in names)
