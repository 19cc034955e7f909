"""Databases and games for tests of the store."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncEngine

from elcapitan.store.database import connect
from elcapitan.store.game_store import ChatLine, GameRow, GameStore, Key, LogRow, Snapshot
from elcapitan.store.location import url_of
from elcapitan.store.schema import Instant, bring_up_to_date, upgrade

NOON = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)
Answer = TypeVar("Answer")
Database = str | Path  # a URL, or a file

ROW = GameRow(
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


def entry(number: int, **content: Any) -> LogRow:
    """An entry of a log."""
    return LogRow(number, "act", content, NOON)


def grown(row: GameRow, length: int) -> GameRow:
    """The sheet of a game with a longer log."""
    return replace(row, length=length)


def snapshot(number: int) -> Snapshot:
    """A position, as far as the store is concerned."""
    return Snapshot(number, "form", bytes(range(256)))


def key(hash: str, role: str = "host", kind: str = "link", minute: int = 0, game: str = "first") -> Key:  # noqa: A002
    """A key that was made so many minutes after noon."""
    return Key(hash, game, role, kind, NOON + timedelta(minutes=minute))


def line(text: str, seat: int | None = 0) -> ChatLine:
    """Something that is said; its number is still to be found."""
    return ChatLine(0, NOON, seat, text)


@asynccontextmanager
async def opened(database: Database) -> AsyncIterator[tuple[GameStore, AsyncEngine]]:
    """The shelf of a database."""
    engine = connect(url_of(database))
    try:
        await bring_up_to_date(engine)
        yield GameStore(engine), engine
    finally:
        await engine.dispose()


def with_store(database: Database, work: Callable[[GameStore], Awaitable[Answer]]) -> Answer:
    """Do something with the shelf of a database."""

    async def run() -> Answer:
        async with opened(database) as (store, _engine):
            return await work(store)

    return asyncio.run(run())


def old_database(database: Database, revision: str) -> None:
    """A database as an earlier version left it, with one game."""

    async def run() -> None:
        engine = connect(url_of(database))
        async with engine.begin() as connection:
            await connection.run_sync(upgrade, revision)
            await connection.execute(
                text(
                    "INSERT INTO games VALUES ('old', :at, :at, '1', 'mediterranean', '{\"players\": 3}', '{}',"
                    " NULL, NULL, 1, false, '{}')"
                ).bindparams(bindparam("at", type_=Instant)),
                {"at": NOON},
            )
            await connection.execute(
                text("INSERT INTO entries VALUES ('old', 1, 'shuffle', '{\"seed\": 7}', :at)").bindparams(
                    bindparam("at", type_=Instant)
                ),
                {"at": NOON},
            )
        await engine.dispose()

    asyncio.run(run())


def asked(database: Database, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """What a database answers when it is asked directly; values stand in for question marks."""
    if not isinstance(database, Path):
        from tests.postgres import rows  # noqa: PLC0415 - loads a server that most need not

        return rows(database, statement.replace("?", "%s"), values)
    with closing(sqlite3.connect(database)) as connection, connection:
        return connection.execute(statement, values).fetchall()
