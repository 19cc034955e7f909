"""The shelf: whole transactions, numbers that are taken once, and settings of SQLite that keep what is acknowledged."""

import asyncio
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.running import surroundings
from tests.store.store_helpers import (
    NOON,
    ROW,
    Database,
    asked,
    entry,
    grown,
    key,
    line,
    opened,
    snapshot,
    with_store,
)

from elcapitan.errors import BadDatabase, NoSuchGame, StaleVersion
from elcapitan.store.game_store import GameStore
from elcapitan.store.schema import metadata


def test_what_is_stored_is_read_again(database: Database) -> None:
    async def play(store: GameStore) -> None:
        await store.add(ROW, [entry(1, seed=2**64 - 1)], snapshot(1))
        await store.append(1, grown(ROW, 3), [entry(2, do="buy"), entry(3, do="sail")], None)
        await store.append(3, grown(ROW, 4), [entry(4, do="end")], snapshot(4))

    with_store(database, play)
    row, log, kept = with_store(database, lambda store: store.read("first"))
    assert row == grown(ROW, 4)
    assert log == [entry(1, seed=2**64 - 1), entry(2, do="buy"), entry(3, do="sail"), entry(4, do="end")]
    assert kept == snapshot(4)
    assert log[0].at == NOON and log[0].at.utcoffset() is not None


def test_a_number_is_taken_once(database: Database) -> None:
    async def play(store: GameStore) -> None:
        await store.add(ROW, [entry(1)], None)
        await store.append(1, grown(ROW, 2), [entry(2)], None)
        with pytest.raises(StaleVersion):
            await store.append(1, grown(ROW, 2), [entry(2)], None)
        with pytest.raises(StaleVersion):
            await store.append(3, grown(ROW, 4), [entry(4)], None)
        row, log, _ = await store.read("first")
        assert row.length == len(log) == 2

    with_store(database, play)


def test_everything_or_nothing(database: Database) -> None:
    async def play(store: GameStore) -> None:
        await store.add(ROW, [entry(1)], None)
        with pytest.raises(StaleVersion):  # the second entry has a number that is taken
            await store.append(1, grown(ROW, 3), [entry(2), entry(1)], snapshot(3))
        row, log, kept = await store.read("first")
        assert row == ROW and log == [entry(1)] and kept is None

    with_store(database, play)


def test_what_was_added_since(database: Database) -> None:
    async def play(store: GameStore) -> None:
        await store.add(ROW, [entry(1)], snapshot(1))
        await store.append(1, grown(ROW, 3), [entry(2, do="buy"), entry(3, do="sail")], None)
        assert await store.read_since("first", 1) == (grown(ROW, 3), [entry(2, do="buy"), entry(3, do="sail")])
        assert await store.read_since("first", 3) == (grown(ROW, 3), [])
        with pytest.raises(NoSuchGame):
            await store.read_since("second", 0)

    with_store(database, play)


def test_a_log_is_read_as_it_was_at_one_moment(database: Database) -> None:
    """Whoever reads while others write gets a sheet and the log that belongs to it."""

    async def play(store: GameStore) -> None:
        await store.add(ROW, [entry(1)], None)

        async def write() -> None:
            for number in range(2, 60):
                await store.append(number - 1, grown(ROW, number), [entry(number)], snapshot(number))

        writing = asyncio.create_task(write())
        while not writing.done():
            row, log, kept = await store.read("first")
            assert row.length == len(log) and (kept is None or kept.number == row.length)
        await writing

    with_store(database, play)


def test_of_many_who_write_the_same_number_one_succeeds(database: Database) -> None:
    async def play(store: GameStore) -> None:
        await store.add(ROW, [entry(1)], None)

        async def append(who: int) -> int:
            done = 0
            for number in range(2, 22):
                try:
                    await store.append(number - 1, grown(ROW, number), [entry(number, who=who)], None)
                    done += 1
                except StaleVersion:
                    await asyncio.sleep(0)
            return done

        done = await asyncio.gather(*(append(who) for who in range(8)))
        row, log, _ = await store.read("first")
        assert row.length == len(log) == 1 + sum(done) > 1
        assert [each.number for each in log] == list(range(1, len(log) + 1))

    with_store(database, play)


RACER = """
import asyncio, sys
from tests.store.store_helpers import entry, grown, opened
from elcapitan.errors import StaleVersion

async def race():
    done = 0
    async with opened(sys.argv[1]) as (shelf, _engine):
        while done < 15:
            sheet, log, _ = await shelf.read("first")
            number = sheet.length + 1
            try:
                await shelf.append(sheet.length, grown(sheet, number), [entry(number, who=sys.argv[2])], None)
                done += 1
            except StaleVersion:
                pass

asyncio.run(race())
"""


def test_processes_wait_for_one_another(database: Database) -> None:
    with_store(database, lambda store: store.add(ROW, [entry(1)], None))
    root = str(Path(__file__).resolve().parents[2])
    environment = surroundings({})
    environment["PYTHONPATH"] += f":{root}"
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(database), str(who)], env=environment, stderr=subprocess.PIPE
        )
        for who in range(3)
    ]
    for racer in racers:
        _out, problem = racer.communicate()
        assert racer.returncode == 0, problem.decode()
    _sheet, log, _ = with_store(database, lambda store: store.read("first"))
    assert len(log) == 1 + 3 * 15


def test_a_transaction_takes_the_lock_at_its_beginning(tmp_path: Path) -> None:
    """One that has read and then wants to write would fail if another process had written in between."""
    file = tmp_path / "games.db"

    async def look() -> None:
        async with opened(file) as (_shelf, engine):
            other = sqlite3.connect(file, timeout=0, isolation_level=None)
            async with engine.begin() as connection:
                await connection.exec_driver_sql("SELECT count(*) FROM games")
                with pytest.raises(sqlite3.OperationalError, match="locked"):
                    other.execute("BEGIN IMMEDIATE")
                other.execute("SELECT count(*) FROM games")
            other.execute("BEGIN IMMEDIATE")
            other.close()

    asyncio.run(look())


def test_a_game_that_is_not_there(database: Database) -> None:
    async def look(store: GameStore) -> None:
        with pytest.raises(NoSuchGame, match="There is no game first"):
            await store.read("first")
        with pytest.raises(NoSuchGame):
            await store.append(1, ROW, [entry(2)], None)
        with pytest.raises(NoSuchGame):
            await store.delete("first")

    with_store(database, look)


def test_nothing_is_left_of_a_game_thrown_away(database: Database) -> None:
    async def play(store: GameStore) -> None:
        await store.add(ROW, [entry(1)], snapshot(1))
        await store.add_key(key("one"))
        await store.say("first", line("Ahoy!"))
        await store.delete("first")

    with_store(database, play)
    for table in metadata.tables:
        assert asked(database, f"SELECT count(*) FROM {table}") == [(0,)], table


def test_settings_of_sqlite(tmp_path: Path) -> None:
    async def look() -> list[object]:
        async with opened(tmp_path / "games.db") as (_shelf, engine), engine.connect() as connection:
            names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            return [(await connection.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in names]

    assert asyncio.run(look()) == ["wal", 2, 1, 5000]  # 2 is FULL


def test_those_changed_last_come_first(database: Database) -> None:
    async def look(store: GameStore) -> tuple[list[str], list[str]]:
        for day, (name, over) in enumerate([("a", False), ("b", True), ("c", False)], start=1):
            row = replace(ROW, id=name, over=over, changed=NOON.replace(day=day))
            await store.add(row, [entry(1)], None)
        everything, unfinished = await store.rows(), await store.rows(unfinished=True)
        return [each.id for each in everything], [each.id for each in unfinished]

    assert with_store(database, look) == (["c", "b", "a"], ["c", "a"])


def test_a_full_disk_is_told_in_a_sentence(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path / "games.db") as (store, engine):
            await store.add(ROW, [entry(1)], None)
            async with engine.connect() as connection:
                pages = (await connection.exec_driver_sql("PRAGMA page_count")).scalar()
                await connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
            with pytest.raises(BadDatabase, match=r"could not be stored, so it was not done: .*full"):
                await store.append(1, grown(ROW, 2), [entry(2, text="x" * 100_000)], None)
            async with engine.connect() as connection:
                await connection.exec_driver_sql("PRAGMA max_page_count=1000000")
            await store.append(1, grown(ROW, 2), [entry(2)], None)

    asyncio.run(play())
