"""Upgrades a database to the newest schema: at every start, in one transaction, after copying an SQLite file.

Alembic runs the migrations that come with the package. It takes a while to load, so it is loaded only if a database is
new or old. Of several processes that start at once one upgrades, and the others wait and find it done.
"""

import asyncio
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect
from sqlalchemy import text as sql
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from elcapitan.errors import BadDatabase
from elcapitan.store import job_tables
from elcapitan.store.backups import back_up, free_name
from elcapitan.store.database import problem_of
from elcapitan.store.location import file_of, shown

if TYPE_CHECKING:
    from alembic.config import Config

NEWEST: Final = "0003"  # the version of the tables in `schema`
VERSION_TABLE: Final = "alembic_version"
TURN: Final = 0x454C_4341_5049  # a number for a lock that no other program uses in the same database


async def bring_up_to_date(engine: AsyncEngine) -> Path | None:
    """Create or migrate the tables of a database; return the copy that was made of an older file, if any."""
    name = shown(engine.url)
    try:
        async with engine.connect() as connection:
            revision = await connection.run_sync(_revision, name)
            if revision == NEWEST and await connection.run_sync(_has_jobs):
                return None
        if revision and not await asyncio.to_thread(_is_known, revision):
            raise BadDatabase("newer-database", database=name)
        copy = await _copy(engine) if revision else None
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade_in_turn)
    except ImportError:
        raise BadDatabase("no-driver", database=name) from None
    except (SQLAlchemyError, OSError) as error:
        raise BadDatabase("bad-database", database=name, problem=problem_of(error)) from None
    return copy


def _has_jobs(connection: Connection) -> bool:
    """Whether the tables of the job queue are current; SQLite has none."""
    return connection.dialect.name == "sqlite" or job_tables.are_current(connection)


def _upgrade_in_turn(connection: Connection) -> None:
    """Upgrade all tables while no other process does; a transaction of SQLite keeps others out by itself."""
    if connection.dialect.name != "sqlite":
        connection.execute(sql("SELECT pg_advisory_xact_lock(:turn)"), {"turn": TURN})
    upgrade(connection)
    if not _has_jobs(connection):
        job_tables.bring_up_to_date(connection)


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
