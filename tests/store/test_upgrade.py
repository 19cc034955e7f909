"""Databases brought up to date: with a copy of what was there, all of it or nothing, and never those of others."""

import asyncio
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier, Event
from threading import enumerate as enumerate_threads
from time import sleep
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from tests.store.store_helpers import NOON, ROW, Database, asked, entry, old_database, opened, snapshot, with_store

from elcapitan.errors import BadDatabase
from elcapitan.store import database as store_database
from elcapitan.store.database import connect, prepared
from elcapitan.store.location import address_of, is_shared, shown, url_of, usual_database
from elcapitan.store.schema import JOBS_PREFIX, NEWEST, bring_up_to_date, metadata, scripts


def revision_of(database: Database) -> str:
    ((revision,),) = asked(database, "SELECT version_num FROM alembic_version")
    return str(revision)


def migrate(database: Database) -> Path | None:
    async def run() -> Path | None:
        engine = connect(url_of(database))
        try:
            return await bring_up_to_date(engine)
        finally:
            await engine.dispose()

    return asyncio.run(run())


def test_a_new_database_needs_no_copy(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "below" / "games.db"
    assert migrate(file) is None
    assert revision_of(file) == NEWEST
    assert migrate(file) is None
    assert list(file.parent.glob("*before*")) == []


def test_an_old_database_is_migrated_and_a_copy_remains(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    old_database(file, "0001")
    copy = migrate(file)
    assert copy is not None and copy.parent == tmp_path and copy.name.startswith(f"games-before-{NEWEST}-")
    assert (revision_of(copy), revision_of(file)) == ("0001", NEWEST)
    row, log, kept = with_store(file, lambda store: store.read("old"))
    assert row.setup == {"players": 3} and log[0].content == {"seed": 7} and kept is None
    copied = sqlite3.connect(copy)
    assert copied.execute("SELECT id FROM games").fetchall() == [("old",)]
    copied.close()
    assert migrate(file) is None, "once is enough"


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_an_old_database_is_migrated_with_its_games(database: Database, revision: str) -> None:
    old_database(database, revision)
    migrate(database)
    assert revision_of(database) == NEWEST
    row, log, _ = with_store(database, lambda store: store.read("old"))
    assert row.created == NOON and log[0].content == {"seed": 7}


def test_migrations_lead_to_the_tables_that_are_used(database: Database) -> None:
    def ours(_thing: object, name: str | None, _kind: str, _found: bool, _meant: object) -> bool:
        return not (name or "").startswith(JOBS_PREFIX)

    def difference(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"include_object": ours})
        return list(compare_metadata(context, metadata))

    async def run() -> list[object]:
        async with opened(database) as (_shelf, engine), engine.connect() as connection:
            return await connection.run_sync(difference)

    assert asyncio.run(run()) == []


def test_a_migration_that_fails_changes_nothing(database: Database) -> None:
    old_database(database, "0001")
    asked(database, "CREATE TABLE snapshots (unexpected INTEGER)")
    with pytest.raises(BadDatabase, match=r"cannot be used to keep games in: .*already exists"):
        migrate(database)
    assert revision_of(database) == "0001"


def test_a_newer_database_is_left_alone(database: Database) -> None:
    migrate(database)
    asked(database, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(BadDatabase, match="newer version of El Capitán"):
        migrate(database)


def test_the_database_of_something_else_is_left_alone(database: Database) -> None:
    asked(database, "CREATE TABLE bookmarks (url TEXT)")
    with pytest.raises(BadDatabase, match="database of another program"):
        migrate(database)
    with pytest.raises(Exception, match="alembic_version"):
        revision_of(database)


def test_places_that_are_no_database(tmp_path: Path) -> None:
    text = tmp_path / "letter.txt"
    text.write_text("Dear friend, " * 100, encoding="utf-8")
    for place in (text, tmp_path, text / "games.db"):
        with pytest.raises(BadDatabase, match="cannot be used to keep games in"):
            migrate(place)
    assert text.read_text(encoding="utf-8").startswith("Dear friend")


def test_where_games_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELCAPITAN_DATA", str(tmp_path))
    assert usual_database() == tmp_path / "games.db"
    assert shown(url_of()) == str(tmp_path / "games.db")
    monkeypatch.delenv("ELCAPITAN_DATA")
    assert usual_database().name == "games.db" and usual_database().parent.name == "elcapitan"
    assert url_of(tmp_path / "x.db").drivername == "sqlite+aiosqlite"
    assert url_of(f"sqlite:///{tmp_path}/x.db") == url_of(tmp_path / "x.db")
    with pytest.raises(BadDatabase, match="neither an SQLite nor a PostgreSQL database") as refused:
        url_of("mysql://anna:secret@host/games")
    assert "secret" not in str(refused.value)
    with pytest.raises(BadDatabase):
        url_of("://")


def test_the_address_of_a_postgresql() -> None:
    for scheme in ("postgresql", "postgres", "postgresql+asyncpg"):
        url = url_of(f"{scheme}://anna:secret@host:5433/games?password=secret&sslmode=require")
        assert url.drivername == "postgresql+psycopg" and is_shared(url)
        assert shown(url) == "postgresql://anna:***@host:5433/games?sslmode=require"
        assert address_of(url).startswith("postgresql://anna:secret@host:5433/games?")
    assert not is_shared(url_of("games.db"))


def test_a_driver_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(BadDatabase, match=r'pip install "elcapitan\[postgres\]"') as refused:
        connect(url_of("postgresql://anna:secret@host/games"))
    assert "secret" not in str(refused.value)


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadDatabase, match="cannot be used to keep games in: ") as refused:
        migrate(f"postgresql://anna:secret@/games?host={tmp_path}")
    assert "secret" not in str(refused.value) and "\n" not in str(refused.value)


def test_processes_that_start_at_once(database: Database) -> None:
    """One of them makes the tables, the others wait and find them made."""

    async def run() -> None:
        engines = [connect(url_of(database)) for _ in range(4)]
        try:
            await asyncio.gather(*map(bring_up_to_date, engines))
        finally:
            for engine in engines:
                await engine.dispose()

    asyncio.run(run())
    assert revision_of(database) == NEWEST


def test_a_new_file_opened_by_several_at_once(tmp_path: Path) -> None:
    """Not only in one order out of many: without another try about one file in fifteen is refused to one of them."""
    together = Barrier(6)

    def open_it(file: Path) -> str:
        together.wait()
        with closing(prepared(file)) as connection:
            return str(connection.execute("PRAGMA journal_mode").fetchone()[0])

    with ThreadPoolExecutor(together.parties) as people:
        for number in range(100):
            assert set(people.map(open_it, [tmp_path / f"{number}.db"] * together.parties)) == {"wal"}


@pytest.mark.parametrize("works", [True, False])
def test_whoever_is_called_away_while_a_file_is_opened(
    works: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No thread is left behind that would tell of it when nobody listens any more."""
    begun = Event()

    def slowly(*arguments: Any, **options: Any) -> sqlite3.Connection:
        begun.set()
        sleep(0.1)
        if not works:
            raise sqlite3.OperationalError
        return prepared(*arguments, **options)

    async def run() -> None:
        engine = connect(url_of(tmp_path / "games.db"))
        opening = asyncio.ensure_future(engine.connect().start())
        await asyncio.to_thread(begun.wait)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        await engine.dispose()

    monkeypatch.setattr(store_database, "prepared", slowly)
    before = set(enumerate_threads())
    asyncio.run(run())
    for thread in set(enumerate_threads()) - before:
        thread.join(10)
        assert not thread.is_alive()


def test_the_newest_version_is_the_last_migration() -> None:
    assert ScriptDirectory.from_config(scripts()).get_heads() == [NEWEST]


def test_every_constraint_has_a_name() -> None:
    for table in metadata.tables.values():
        assert all(constraint.name for constraint in table.constraints), table.name


def test_games_survive_the_way_back_and_forth(database: Database) -> None:
    def down(connection: Connection) -> None:
        config = scripts()
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")

    async def run() -> None:
        async with opened(database) as (store, engine):
            await store.add(ROW, [entry(1)], snapshot(1))
            async with engine.begin() as connection:
                await connection.run_sync(down)

    asyncio.run(run())
    assert revision_of(database) == "0001"
    migrate(database)
    row, log, kept = with_store(database, lambda store: store.read("first"))
    assert (row, log, kept) == (ROW, [entry(1)], None)
