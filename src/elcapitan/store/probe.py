"""Checks whether games can be stored and read, by writing to the database and reading from it."""

import asyncio
import contextlib
import shutil
import sqlite3
import time
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, select
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncConnection

from elcapitan.errors import BadDatabase
from elcapitan.store.database import problem_of
from elcapitan.store.schema import entries, games

LEAST_FREE: Final = 1 << 20  # bytes that must be free on the disk: a move needs some thousand
CHECKING_SHARE: Final = 0.01  # of the time, at most, is spent on looking through a whole file
HIGHEST: Final = 2**31 - 1  # number that fits into the header of an SQLite file


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
        try:
            free = shutil.disk_usage(self._file.parent).free
        except OSError as error:
            raise BadDatabase("bad-database", database=self._file, problem=problem_of(error)) from None
        if free < LEAST_FREE:
            raise BadDatabase("bad-database", database=self._file, problem="disk full")
        if time.monotonic() >= self._next:
            begin = time.monotonic()
            self._damage = await asyncio.to_thread(_damage, self._file)
            took = time.monotonic() - begin
            self._next = begin + took / CHECKING_SHARE
        if self._damage:
            raise BadDatabase("bad-database", database=self._file, problem=self._damage)


def _damage(file: Path) -> str:
    """Return what SQLite finds wrong with a file; an empty text if nothing."""
    address = f"{file.absolute().as_uri()}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except (sqlite3.Error, OSError) as error:
        return problem_of(error)
    return "" if found == "ok" else " ".join(str(found).split())
