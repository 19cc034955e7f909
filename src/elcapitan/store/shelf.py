"""The shelf with all games: add one, append to its log, read it, list them, throw one away.

Every method is one transaction. The log only ever grows: an entry is never changed, and two writers cannot both write
the same number. What a game is about is not known here; contents are what the service makes of them.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from elcapitan.errors import BadDatabase, NoSuchGame, StaleMove
from elcapitan.store.database import problem_of
from elcapitan.store.schema import entries, games, snapshots

CHANGING: Final = (
    "changed",
    "plan",
    "length",
    "over",
    "standing",
)  # of a sheet; the rest stays as it was


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is known of a game without its log."""

    id: str
    created: datetime
    changed: datetime
    rules: str
    board: str
    setup: dict[str, Any]
    plan: dict[str, Any]
    length: int
    over: bool
    standing: dict[str, Any]
    origin: str | None = None
    origin_event: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log."""

    number: int
    kind: str
    content: dict[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The position after an entry, as bytes of some form."""

    number: int
    form: str
    position: bytes


class Shelf:
    """All games of one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        """Everything or nothing, and a sentence if the database refuses."""
        try:
            async with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise StaleMove from None  # another writer was there first
        except (SQLAlchemyError, OSError) as error:
            raise BadDatabase("not-stored", problem=problem_of(error)) from None

    async def add(self, sheet: Sheet, log: Sequence[Entry], snapshot: Snapshot | None) -> None:
        """Put a new game on the shelf, with what has happened in it."""
        async with self._transaction() as connection:
            await connection.execute(insert(games).values(_row(sheet)))
            await self._write(connection, sheet.id, log, snapshot)

    async def append(self, before: int, sheet: Sheet, log: Sequence[Entry], snapshot: Snapshot | None) -> None:
        """Append to the log of a game that has `before` entries; `StaleMove` if it has others."""
        async with self._transaction() as connection:
            current = games.c.id == sheet.id, games.c.length == before
            done = await connection.execute(update(games).where(*current).values(_changing(sheet)))
            if done.rowcount == 0:
                known = await connection.execute(select(games.c.length).where(games.c.id == sheet.id))
                raise StaleMove if known.first() else NoSuchGame(sheet.id)
            await self._write(connection, sheet.id, log, snapshot)

    @staticmethod
    async def _write(connection: AsyncConnection, game: str, log: Sequence[Entry], snapshot: Snapshot | None) -> None:
        """Write entries and a snapshot."""
        rows = [
            {"game": game, "number": each.number, "kind": each.kind, "content": each.content, "at": each.at}
            for each in log
        ]
        await connection.execute(insert(entries), rows)
        if snapshot:
            values = {"game": game, "number": snapshot.number, "form": snapshot.form, "position": snapshot.position}
            await connection.execute(insert(snapshots).values(values))

    async def read(self, game: str) -> tuple[Sheet, list[Entry], Snapshot | None]:
        """A game with its log and its last snapshot."""
        async with self._transaction() as connection:
            row = (await connection.execute(select(games).where(games.c.id == game))).first()
            if row is None:
                raise NoSuchGame(game)
            log = await connection.execute(
                select(entries.c.number, entries.c.kind, entries.c.content, entries.c.at)
                .where(entries.c.game == game)
                .order_by(entries.c.number)
            )
            last = await connection.execute(
                select(snapshots.c.number, snapshots.c.form, snapshots.c.position)
                .where(snapshots.c.game == game)
                .order_by(snapshots.c.number.desc())
                .limit(1)
            )
            kept = last.first()
            return Sheet(**row._mapping), [Entry(*each) for each in log], Snapshot(*kept) if kept else None

    async def sheets(self, *, unfinished: bool = False) -> list[Sheet]:
        """All games, those changed last first; or only those that are not over."""
        wanted = select(games).order_by(games.c.changed.desc(), games.c.id)
        if unfinished:
            wanted = wanted.where(games.c.over.is_(False))
        async with self._transaction() as connection:
            return [Sheet(**row._mapping) for row in await connection.execute(wanted)]

    async def delete(self, game: str) -> None:
        """Throw a game away, its log and snapshots with it."""
        async with self._transaction() as connection:
            done = await connection.execute(delete(games).where(games.c.id == game))
            if done.rowcount == 0:
                raise NoSuchGame(game)


def _row(sheet: Sheet) -> dict[str, Any]:
    """A sheet as a row."""
    return {column.name: getattr(sheet, column.name) for column in games.columns}


def _changing(sheet: Sheet) -> dict[str, Any]:
    """What of a row is written anew with every entry."""
    return {name: getattr(sheet, name) for name in CHANGING}
