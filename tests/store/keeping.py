"""Databases and games for tests of the store."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from elcapitan.store.database import connect
from elcapitan.store.migrating import bring_up_to_date, upgrade
from elcapitan.store.place import url_of
from elcapitan.store.shelf import Entry, Sheet, Shelf, Snapshot

NOON = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)
Answer = TypeVar("Answer")

SHEET = Sheet(
    id="first",
    created=NOON,
    changed=NOON,
    rules="1",
    board="mediterranean",
    setup={"players": 2},
    plan={"title": "Évora"},
    length=1,
    over=False,
    standing={"money": [40, 40]},
)


def entry(number: int, **content: Any) -> Entry:
    """An entry of a log."""
    return Entry(number, "act", content, NOON)


def grown(sheet: Sheet, length: int) -> Sheet:
    """The sheet of a game with a longer log."""
    return replace(sheet, length=length)


def snapshot(number: int) -> Snapshot:
    """A position, as far as the store is concerned."""
    return Snapshot(number, "form", bytes(range(256)))


@asynccontextmanager
async def opened(file: Path) -> AsyncIterator[tuple[Shelf, AsyncEngine]]:
    """A shelf in a file."""
    engine = connect(url_of(file))
    try:
        await bring_up_to_date(engine)
        yield Shelf(engine), engine
    finally:
        await engine.dispose()


def with_shelf(file: Path, work: Callable[[Shelf], Awaitable[Answer]]) -> Answer:
    """Do something with the shelf in a file."""

    async def run() -> Answer:
        async with opened(file) as (shelf, _engine):
            return await work(shelf)

    return asyncio.run(run())


def old_database(file: Path, revision: str) -> None:
    """A database as an earlier version left it, with one game."""

    async def run() -> None:
        engine = connect(url_of(file))
        async with engine.begin() as connection:
            await connection.run_sync(upgrade, revision)
            await connection.execute(
                text(
                    "INSERT INTO games VALUES ('old', :at, :at, '1', 'mediterranean', '{\"players\": 3}', '{}',"
                    " NULL, NULL, 1, 0, '{}')"
                ),
                {"at": "2026-03-01 12:00:00.000000"},
            )
            await connection.execute(
                text("INSERT INTO entries VALUES ('old', 1, 'shuffle', '{\"seed\": 7}', :at)"),
                {"at": "2026-03-01 12:00:00.000000"},
            )
        await engine.dispose()

    asyncio.run(run())
