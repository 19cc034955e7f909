"""Upgrades a database to the newest schema: at every start, in one transaction, after copying an SQLite file.

Alembic runs the migrations that come with the package. It takes a while to load, so it is loaded only if a database is
new or old. Of several processes that start at once one upgrades, and the others wait and find it done.

PostgreSQL also has the tables of procrastinate, the job queue, which are created and migrated together with ours. The
last of its migrations that a database has seen is stored as a comment on its table of jobs, because procrastinate
itself does not store it.
"""

import asyncio
import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncEngine

from elcapitan.errors import BadDatabase
from elcapitan.store.location import as_bad_database, back_up, file_of, free_name, shown

if TYPE_CHECKING:
    from alembic.config import Config

NEWEST: Final = "0003"  # the version of the tables in `schema`
VERSION_TABLE: Final = "alembic_version"
TURN: Final = 0x454C_4341_5049  # a number for a lock that no other program uses in the same database
JOBS_PREFIX: Final = "procrastinate_"  # of everything that procrastinate calls its own
_COMMENT: Final = "SELECT obj_description(to_regclass('procrastinate_jobs'))"
_NAME: Final = re.compile(r"[\w.]+")


async def bring_up_to_date(engine: AsyncEngine) -> Path | None:
    """Create or migrate the tables of a database; return the copy that was made of an older file, if any."""
    name = shown(engine.url)
    try:
        with as_bad_database(name):
            async with engine.connect() as connection:
                revision = await connection.run_sync(_revision, name)
                if revision == NEWEST and await connection.run_sync(_jobs_current):
                    return None
            if revision and not await asyncio.to_thread(_is_known, revision):
                raise BadDatabase("newer-database", database=name)
            copy = await _copy(engine) if revision else None
            async with engine.begin() as connection:
                await connection.run_sync(_upgrade_in_turn)
            return copy
    except ImportError:
        raise BadDatabase("no-driver", database=name) from None


def _upgrade_in_turn(connection: Connection) -> None:
    """Upgrade all tables while no other process does; a transaction of SQLite keeps others out by itself."""
    if connection.dialect.name != "sqlite":
        connection.execute(sql("SELECT pg_advisory_xact_lock(:turn)"), {"turn": TURN})
    upgrade(connection)
    if not _jobs_current(connection):
        _upgrade_jobs(connection)


def upgrade(connection: Connection, to: str = NEWEST) -> None:
    """Migrate the tables to a version, inside the transaction of the connection."""
    from alembic import command  # noqa: PLC0415

    config = scripts()
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def scripts() -> "Config":
    """Return the configuration with which Alembic finds the migrations."""
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(resources.files("elcapitan.store") / "migrations"))
    return config


def _revision(connection: Connection, name: str) -> str | None:
    """Return the version of the tables; None for an empty database. Raises `BadDatabase` for foreign tables."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE not in tables:
        if tables:
            raise BadDatabase("foreign-database", database=name)
        return None
    revision = connection.execute(sql(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    return None if revision is None else str(revision)


def _is_known(revision: str) -> bool:
    """Whether a migration leads from this version to the newest."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    return revision in {script.revision for script in ScriptDirectory.from_config(scripts()).walk_revisions()}


async def _copy(engine: AsyncEngine) -> Path | None:
    """Copy an SQLite file before a migration. Other databases have backup tools of their own."""
    file = file_of(engine.url)
    if file is None:
        return None
    target = free_name(file, f"before-{NEWEST}")
    await asyncio.to_thread(back_up, file, target)
    return target


# ------------------------------------------------------------------------------------------------------------ job queue


def _jobs_current(connection: Connection) -> bool:
    """Whether the job queue needs no migration: SQLite has none, and that of a newer procrastinate is left alone."""
    return connection.dialect.name == "sqlite" or (_seen(connection) or "") >= job_migrations()[-1].name


def _upgrade_jobs(connection: Connection) -> None:
    """Create or migrate the tables of the job queue, inside the transaction of the connection."""
    from procrastinate.schema import SchemaManager  # noqa: PLC0415 - only for PostgreSQL

    migrations, seen = job_migrations(), _seen(connection)
    if seen is None:
        _run(connection, SchemaManager.get_schema())
    else:
        for migration in migrations:
            if migration.name > seen:
                _run(connection, migration.read_text(encoding="utf-8"))
    newest = max(migrations[-1].name, seen or "")
    assert _NAME.fullmatch(newest)  # it is about to be a part of a statement
    connection.execute(sql(f"COMMENT ON TABLE procrastinate_jobs IS '{newest}'"))


def _seen(connection: Connection) -> str | None:
    """Return the last migration a database has seen; None if it has no such tables."""
    comment = connection.execute(sql(_COMMENT)).scalar()
    return None if comment is None else str(comment)


def job_migrations() -> Sequence[Path]:
    """Return all migrations of the installed procrastinate, in order."""
    from procrastinate.schema import SchemaManager  # noqa: PLC0415

    return sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))


def _run(connection: Connection, statements: str) -> None:
    """Execute statements of procrastinate, whose percent signs are no placeholders."""
    connection.exec_driver_sql(statements.replace("%", "%%"))
