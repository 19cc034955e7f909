"""Connections to databases, set up so that an acknowledged move is stored durably.

SQLite has one connection here, which reads and writes. It keeps a write-ahead log that is on disk before a transaction
counts as done, and every transaction takes the write lock at its beginning: one that first reads and then writes
would otherwise fail when another process writes in between. PostgreSQL does all this by itself; it has a few
connections, and one that broke is replaced before it is used.
"""

import asyncio
import contextlib
import sqlite3
import time
from functools import partial
from pathlib import Path
from typing import Any, Final

import aiosqlite
from sqlalchemy import URL, Connection, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from elcapitan.errors import BadDatabase
from elcapitan.store.files import PRIVATE_FOLDER, create_private, make_private
from elcapitan.store.location import file_of, is_shared, shown

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
PATIENCE: Final = 10  # seconds until a database that does not answer counts as gone


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
            connect_args={"connect_timeout": PATIENCE},
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
    event.listen(engine.sync_engine, "do_connect", _by_ourselves)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _check(file: Path) -> None:
    """Create the folder and the file of a database, for its owner only, and check that SQLite can open it."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        create_private(file)
        make_private(file)
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA schema_version")
    except (sqlite3.Error, OSError) as error:
        raise BadDatabase("bad-database", database=file, problem=problem_of(error)) from None


def _by_ourselves(_dialect: object, _record: object, _arguments: object, options: dict[str, Any]) -> None:
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


def problem_of(error: Exception) -> str:
    """Return the message of a database error on one line."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        said = str(error.orig)
    else:
        said = getattr(error, "strerror", None) or str(error.__cause__ or error)
    return " ".join(said.split()).rstrip(".") or type(error).__name__
