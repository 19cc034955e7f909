"""The tables of the database, and the upgrade of a database to them: at every start, in one transaction.

The tables are games, the entries of their logs, a snapshot per turn, keys, chat, and what Web Push needs. An SQLite
file is copied before its upgrade.

Alembic runs the migrations that come with the package. It takes a while to load, so it is loaded only if a database is
new or old. Of several processes that start at once one upgrades, and the others wait and find it done.

PostgreSQL also has the tables of procrastinate, the job queue, which are created and migrated together with ours. The
last of its migrations that a database has seen is stored as a comment on its table of jobs, because procrastinate
itself does not store it.
"""

import asyncio
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    DateTime,
    Dialect,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    inspect,
)
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncEngine

from elcapitan.errors import BadDatabase
from elcapitan.store.location import as_bad_database, back_up, file_of, free_name, shown

if TYPE_CHECKING:
    from alembic.config import Config

# Every constraint has a name, so that a later version can change it.
NAMING: Final = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
NEWEST: Final = "0004"  # the version of these tables
VERSION_TABLE: Final = "alembic_version"
TURN: Final = 0x454C_4341_5049  # a number for a lock that no other program uses in the same database
JOBS_PREFIX: Final = "procrastinate_"  # of everything that procrastinate calls its own
_COMMENT: Final = "SELECT obj_description(to_regclass('procrastinate_jobs'))"
_NAME: Final = re.compile(r"[\w.]+")


class Instant(TypeDecorator[datetime]):
    """A moment in time. SQLite drops the time zone, so it is always stored in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a value for the database."""
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a value from the database."""
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)


metadata = MetaData(naming_convention=NAMING)

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", Instant, nullable=False),
    Column("changed", Instant, nullable=False),
    Column("rules", String(16), nullable=False),  # the version of the rules it is played by
    Column("board", String(80), nullable=False),
    Column("setup", JSON, nullable=False),  # players, tiles, first, options
    Column("plan", JSON, nullable=False),  # who sits where, and the settings as they are now
    Column("origin", String(32)),  # the game it branched off, which may be gone
    Column("origin_event", Integer),
    Column("length", Integer, nullable=False),  # entries in its log
    Column("over", Boolean(name="over"), nullable=False),
    Column("standing", JSON, nullable=False),  # what a list of games tells: phase, round, who decides, money
)

entries = Table(
    "entries",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # from 1
    Column("kind", String(16), nullable=False),
    Column("content", JSON, nullable=False),
    Column("at", Instant, nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the entry after which it is
    Column("form", String(16), nullable=False),  # which layout of the record this is
    Column("position", LargeBinary, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("hash", String(64), primary_key=True),  # of what opens; that itself is nowhere
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("role", String(16), nullable=False),
    Column("kind", String(16), nullable=False),  # "link" or "phrase"
    Column("created", Instant, nullable=False),
)

talk = Table(
    "talk",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # from 1
    Column("at", Instant, nullable=False),
    Column("seat", Integer),  # null for a person without a seat
    Column("text", Text, nullable=False),
)

server_keys = Table(
    "server_keys",
    metadata,
    Column("name", String(16), primary_key=True),  # what it is for
    Column("content", LargeBinary, nullable=False),
)

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("key", String(64), ForeignKey("keys.hash", ondelete="CASCADE"), primary_key=True),  # of a player
    Column("hash", String(64), primary_key=True, index=True),  # of the address
    Column("address", Text, nullable=False),  # of a browser at its push service
    Column("public_key", String(100), nullable=False),
    Column("secret", String(40), nullable=False),
    Column("language", String(8), nullable=False),
    Column("created", Instant, nullable=False),
)


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
