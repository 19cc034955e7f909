"""Connections to databases, set up so that an acknowledged move is stored durably, and checks that they still work.

SQLite has one connection here, which reads and writes. It keeps a write-ahead log that is on disk before a transaction
counts as done, and every transaction takes the write lock at its beginning: one that first reads and then writes
would otherwise fail when another process writes in between. PostgreSQL does all this by itself; it has a few
connections, and one that broke is replaced before it is used.
"""

import asyncio
import contextlib
import shutil
import sqlite3
import time
from functools import partial
from pathlib import Path
from typing import Any, Final

import aiosqlite
from sqlalchemy import URL, Connection, event, select
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from elcapitan.errors import BadDatabase
from elcapitan.store.location import (
    PRIVATE_FOLDER,
    as_bad_database,
    create_private,
    file_of,
    is_shared,
    make_private,
    problem_of,
    read_only,
    shown,
)
from elcapitan.store.schema import entries, games

BUSY: Final = 5.0  # seconds to wait for another process that uses the same file
PRAGMAS: Final = (
    f"PRAGMA busy_timeout={BUSY * 1000:.0f}",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
)
MOMENT: Final = 0.01  # seconds between two tries
ROWS: Final = 64  # read at a time
PRIMARY: Final = 0xFF  # the part of an error code that tells the kind
CONNECTIONS: Final = 8  # to PostgreSQL, of one process
CONNECT_TIMEOUT: Final = 10  # seconds until a database that does not answer counts as gone
LEAST_FREE: Final = 1 << 20  # bytes that must be free on the disk: a move needs some thousand
CHECKING_SHARE: Final = 0.01  # of the time, at most, is spent on looking through a whole file
HIGHEST: Final = 2**31 - 1  # number that fits into the header of an SQLite file


def connect(url: URL) -> AsyncEngine:
    """Return an engine for a database. Raises `BadDatabase` for a file that is none."""
    return _to_postgresql(url) if is_shared(url) else _to_sqlite(url)


def _to_postgresql(url: URL) -> AsyncEngine:
    """Return an engine for PostgreSQL. Raises `BadDatabase` if its driver is not installed."""
    try:
        return create_async_engine(
            url,
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_pre_ping=True,
            hide_parameters=True,  # an error must not tell a log what is face down
            connect_args={"connect_timeout": CONNECT_TIMEOUT},
        )
    except ImportError:
        raise BadDatabase("no-driver", database=shown(url)) from None


def _to_sqlite(url: URL) -> AsyncEngine:
    """Return an engine for SQLite, with one connection to a file."""
    if file := file_of(url):
        _check(file)
        engine = create_async_engine(url, pool_size=1, max_overflow=0, hide_parameters=True)
    else:
        engine = create_async_engine(url, hide_parameters=True)
    event.listen(engine.sync_engine, "do_connect", _use_own_connections)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _check(file: Path) -> None:
    """Create the folder and the file of a database, for its owner only, and check that SQLite can open it."""
    with as_bad_database(file):
        file.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        create_private(file)
        make_private(file)
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA schema_version")


def _use_own_connections(_dialect: object, _record: object, _arguments: object, options: dict[str, Any]) -> None:
    """Let SQLAlchemy open connections to SQLite by `_open`."""
    options["async_creator_fn"] = _open


async def _open(*arguments: Any, **options: Any) -> aiosqlite.Connection:
    """Open a connection in a thread of its own; if cancelled meanwhile, wait and close it."""
    connection = aiosqlite.Connection(partial(prepared, *arguments, **options), ROWS)
    connection._thread.daemon = True  # SQLAlchemy does so too: a process may end without having closed it
    opening = asyncio.ensure_future(connection)
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        with contextlib.suppress(sqlite3.Error):
            await opening
            await connection.close()
        raise


def prepared(*arguments: Any, **options: Any) -> sqlite3.Connection:
    """Return a new connection to SQLite with our settings, which begins no transactions by itself."""
    connection: sqlite3.Connection = sqlite3.connect(*arguments, **options)
    connection.isolation_level = None
    for pragma in PRAGMAS:
        connection.execute(pragma)
    _log_ahead(connection)
    return connection


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Have SQLite keep a write-ahead log.

    The first to open a new file changes how it is kept. If two do so at the same time, each would wait for the other to
    stop reading; SQLite sees that and refuses one of them without waiting. So that one tries again.
    """
    until = time.monotonic() + BUSY
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & PRIMARY != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(MOMENT)
        else:
            return


def _begin(connection: Connection) -> None:
    """Begin a transaction of SQLite with the write lock."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


# --------------------------------------------------------------------------------------------------------------- checks


async def write_and_read(connection: AsyncConnection) -> None:
    """Write something without effect and read some games, inside the transaction of the connection."""
    await connection.run_sync(_write)
    await connection.execute(select(games.c.id, games.c.plan).limit(1))
    await connection.execute(select(entries.c.game, entries.c.content).limit(1))


def _write(connection: Connection) -> None:
    """Write without changing anything: a number in the header of an SQLite file, or a row as it is to PostgreSQL."""
    if connection.dialect.name == "sqlite":
        number = int(connection.exec_driver_sql("PRAGMA user_version").scalar() or 0)
        connection.exec_driver_sql(f"PRAGMA user_version={(number + 1) % HIGHEST}")
    else:
        connection.execute(sql("UPDATE alembic_version SET version_num = version_num"))


class FileCheck:
    """Checks the file of a database for damage, at most a small share of the time."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._next = 0.0  # when it is looked through again
        self._damage = ""

    async def run(self) -> None:
        """Raise `BadDatabase` if the file is damaged or its disk is full."""
        with as_bad_database(self._file):
            free = shutil.disk_usage(self._file.parent).free
        if free < LEAST_FREE:
            raise BadDatabase("bad-database", database=self._file, problem="disk full")
        if time.monotonic() >= self._next:
            begin = time.monotonic()
            self._damage = await asyncio.to_thread(damage_of, self._file)
            took = time.monotonic() - begin
            self._next = begin + took / CHECKING_SHARE
        if self._damage:
            raise BadDatabase("bad-database", database=self._file, problem=self._damage)


def damage_of(file: Path) -> str:
    """Return what SQLite finds wrong with a file; an empty text if nothing."""
    try:
        with read_only(file) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except (sqlite3.Error, OSError) as error:
        return problem_of(error)
    return "" if found == "ok" else " ".join(str(found).split())
