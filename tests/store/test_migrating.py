"""Databases brought up to date: with a copy of what was there, all of it or nothing, and never those of others."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from tests.store.keeping import SHEET, entry, old_database, opened, snapshot, with_shelf

from elcapitan.errors import BadDatabase
from elcapitan.store.database import connect
from elcapitan.store.migrating import NEWEST, bring_up_to_date, scripts
from elcapitan.store.place import shown, url_of, usual_database
from elcapitan.store.schema import metadata


def revision_of(file: Path) -> str:
    connection = sqlite3.connect(file)
    (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    connection.close()
    return str(revision)


def migrate(file: Path) -> Path | None:
    async def run() -> Path | None:
        engine = connect(url_of(file))
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
    sheet, log, kept = with_shelf(file, lambda shelf: shelf.read("old"))
    assert sheet.setup == {"players": 3} and log[0].content == {"seed": 7} and kept is None
    copied = sqlite3.connect(copy)
    assert copied.execute("SELECT id FROM games").fetchall() == [("old",)]
    copied.close()
    assert migrate(file) is None, "once is enough"


def test_migrations_lead_to_the_tables_that_are_used(tmp_path: Path) -> None:
    def difference(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async def run() -> list[object]:
        async with opened(tmp_path / "games.db") as (_shelf, engine), engine.connect() as connection:
            return await connection.run_sync(difference)

    assert asyncio.run(run()) == []


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    old_database(file, "0001")
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE snapshots (unexpected INTEGER)")
    connection.commit()
    connection.close()
    with pytest.raises(BadDatabase, match=r"cannot be used to keep games in: .*already exists"):
        migrate(file)
    assert revision_of(file) == "0001"


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    migrate(file)
    connection = sqlite3.connect(file)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    with pytest.raises(BadDatabase, match="newer version of El Capitán"):
        migrate(file)


def test_the_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "bookmarks.db"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(BadDatabase, match="database of something else"):
        migrate(file)
    connection = sqlite3.connect(file)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("bookmarks",)]
    connection.close()


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
    with pytest.raises(BadDatabase, match="no SQLite database") as refused:
        url_of("postgresql://anna:secret@host/games")
    assert "secret" not in str(refused.value)
    with pytest.raises(BadDatabase):
        url_of("://")


def test_the_newest_version_is_the_last_migration() -> None:
    assert ScriptDirectory.from_config(scripts()).get_heads() == [NEWEST]


def test_every_constraint_has_a_name() -> None:
    for table in metadata.tables.values():
        assert all(constraint.name for constraint in table.constraints), table.name


def test_games_survive_the_way_back_and_forth(tmp_path: Path) -> None:
    def down(connection: Connection) -> None:
        config = scripts()
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")

    async def run(file: Path) -> None:
        async with opened(file) as (shelf, engine):
            await shelf.add(SHEET, [entry(1)], snapshot(1))
            async with engine.begin() as connection:
                await connection.run_sync(down)

    file = tmp_path / "games.db"
    asyncio.run(run(file))
    assert revision_of(file) == "0001"
    assert migrate(file) is not None
    sheet, log, kept = with_shelf(file, lambda shelf: shelf.read("first"))
    assert (sheet, log, kept) == (SHEET, [entry(1)], None)
