"""The shelf with all games: add one, append to its log, read it, list them, throw one away; its keys and its talk.

Every method is one transaction, which is carried out even if nobody waits for it any more. The log only ever grows: an
entry is never changed, and two writers cannot both write the same number. Where several processes share a database,
each transaction tells them what it changed, at the moment it counts as done (see `news`). What a game is about is not
known here; contents are what the service makes of them.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from elcapitan.errors import BadDatabase, NoSuchGame, StaleMove
from elcapitan.meanwhile import charged_task
from elcapitan.store import news
from elcapitan.store.database import problem_of
from elcapitan.store.jobs import Jobs, Play
from elcapitan.store.place import file_of, is_shared
from elcapitan.store.probe import FileCheck, write_and_read
from elcapitan.store.schema import entries, games, keys, snapshots, talk

PORTION: Final = 500  # entries of a log that are read at once: a few milliseconds, and more than most games have
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


@dataclass(frozen=True, slots=True)
class Key:
    """What opens a role at a game, as far as it is kept: a hash, from which nobody finds the way back."""

    hash: str
    game: str
    role: str
    kind: str  # "link" or "phrase"
    created: datetime


@dataclass(frozen=True, slots=True)
class Line:
    """Something said at a table."""

    number: int
    at: datetime
    seat: int | None  # none for whoever has no seat
    text: str


Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Method = Callable[Concatenate["Shelf", Arguments], Coroutine[Any, Any, Result]]


def to_its_end(method: Method[Arguments, Result]) -> Method[Arguments, Result]:
    """Run a transaction to completion even if its caller is cancelled.

    A connection that is cut off in the middle of a query cannot be used again. Whoever closes a page cancels what was
    looked up for it, so strangers could make the database connect anew all the time.
    """

    @wraps(method)
    async def run(shelf: "Shelf", /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        task = charged_task(method(shelf, *args, **kwargs))
        shelf.running.add(task)
        task.add_done_callback(shelf.running.discard)
        return await asyncio.shield(task)

    return run


class Shelf:
    """All games of one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        file = file_of(engine.url)
        self._file_check = FileCheck(file) if file else None
        self.running: set[asyncio.Task[Any]] = set()  # transactions

    async def finish(self) -> None:
        """Wait until all transactions have ended."""
        while self.running:
            await asyncio.wait(self.running)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        """Everything or nothing, and a sentence if the database refuses."""
        try:
            async with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise StaleMove from None  # another writer was there first
        except (SQLAlchemyError, OSError, ValueError) as error:  # a damaged row may hold what is no JSON and no time
            raise BadDatabase("not-stored", problem=problem_of(error)) from None

    @to_its_end
    async def check(self) -> None:
        """Write and read; raise `BadDatabase` if that fails, or if the file is damaged or its disk full."""
        async with self._transaction() as connection:
            await write_and_read(connection)
        if self._file_check:
            await self._file_check.run()

    @to_its_end
    async def add(self, sheet: Sheet, log: Sequence[Entry], snapshot: Snapshot | None) -> None:
        """Put a new game on the shelf, with what has happened in it."""
        async with self._transaction() as connection:
            await connection.execute(insert(games).values(_row(sheet)))
            await self._write(connection, sheet.id, log, snapshot)

    @to_its_end
    async def append(self, before: int, sheet: Sheet, log: Sequence[Entry], snapshot: Snapshot | None) -> None:
        """Append to the log of a game that has `before` entries; `StaleMove` if it has others."""
        async with self._transaction() as connection:
            current = games.c.id == sheet.id, games.c.length == before
            done = await connection.execute(update(games).where(*current).values(_changing(sheet)))
            if done.rowcount == 0:
                known = await connection.execute(select(games.c.length).where(games.c.id == sheet.id))
                raise StaleMove if known.first() else NoSuchGame(sheet.id)
            await self._write(connection, sheet.id, log, snapshot)
            await news.tell(connection, sheet.id, str(sheet.length))

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

    @to_its_end
    async def read(self, game: str) -> tuple[Sheet, list[Entry], Snapshot | None]:
        """A game with its log and its last snapshot."""
        async with self._transaction() as connection:
            sheet, log = await self._since(connection, game, 0)
            last = await connection.execute(
                select(snapshots.c.number, snapshots.c.form, snapshots.c.position)
                .where(snapshots.c.game == game, snapshots.c.number <= sheet.length)
                .order_by(snapshots.c.number.desc())
                .limit(1)
            )
            kept = last.first()
            return sheet, log, Snapshot(*kept) if kept else None

    @to_its_end
    async def read_since(self, game: str, number: int) -> tuple[Sheet, list[Entry]]:
        """A game as it is now, and what was added to its log after an entry."""
        async with self._transaction() as connection:
            return await self._since(connection, game, number)

    @staticmethod
    async def _since(connection: AsyncConnection, game: str, number: int) -> tuple[Sheet, list[Entry]]:
        """The sheet of a game and the entries after a number, as they were at one moment.

        Others may append meanwhile, so no entry counts that the sheet does not know; and nobody may throw the game
        away in between.
        """
        there = select(games).where(games.c.id == game).with_for_update(read=True, key_share=True)
        row = (await connection.execute(there)).first()
        if row is None:
            raise NoSuchGame(game)
        sheet = Sheet(**row._mapping)
        wanted = (
            select(entries.c.number, entries.c.kind, entries.c.content, entries.c.at)
            .where(entries.c.game == game, entries.c.number > number, entries.c.number <= sheet.length)
            .order_by(entries.c.number)
        )
        log: list[Entry] = []
        async with connection.stream(wanted) as rows:
            async for some in rows.partitions(PORTION):  # others get a turn in between
                log += [Entry(*each) for each in some]
        return sheet, log

    @to_its_end
    async def sheets(self, *, unfinished: bool = False, among: Collection[str] | None = None) -> list[Sheet]:
        """All games, those changed last first; or only those that are not over, or among some."""
        wanted = select(games).order_by(games.c.changed.desc(), games.c.id)
        if unfinished:
            wanted = wanted.where(games.c.over.is_(False))
        if among is not None:
            wanted = wanted.where(games.c.id.in_(among))
        async with self._transaction() as connection:
            return [Sheet(**row._mapping) for row in await connection.execute(wanted)]

    @to_its_end
    async def latest(self) -> datetime | None:
        """When the last change of an unfinished game was written; nothing if there is none."""
        async with self._transaction() as connection:
            found = await connection.execute(select(func.max(games.c.changed)).where(games.c.over.is_(False)))
            latest: datetime | None = found.scalar_one()
            return latest

    @to_its_end
    async def delete(self, game: str) -> None:
        """Throw a game away, with everything that belongs to it."""
        async with self._transaction() as connection:
            done = await connection.execute(delete(games).where(games.c.id == game))
            if done.rowcount == 0:
                raise NoSuchGame(game)
            await news.tell(connection, game, news.GONE)

    # ------------------------------------------------------------------------------------------------ keys

    @to_its_end
    async def add_key(self, key: Key) -> None:
        """Let a key open a role at a game."""
        async with self._transaction() as connection:
            await self._hold(connection, key.game)
            await connection.execute(insert(keys).values(asdict(key)))
            await news.tell(connection, key.game, news.KEYS)

    @to_its_end
    async def keys(self, game: str) -> list[Key]:
        """All keys of a game, the oldest first."""
        wanted = select(keys).where(keys.c.game == game).order_by(keys.c.created, keys.c.hash)
        async with self._transaction() as connection:
            return [Key(**row._mapping) for row in await connection.execute(wanted)]

    @to_its_end
    async def find_key(self, hash: str) -> Key | None:  # noqa: A002 - that is what it is
        """The key with a hash, if there is one."""
        async with self._transaction() as connection:
            row = (await connection.execute(select(keys).where(keys.c.hash == hash))).first()
            return Key(**row._mapping) if row else None

    @to_its_end
    async def find_keys(self, hashes: Collection[str]) -> list[Key]:
        """Return the keys with these hashes, as far as there are any."""
        async with self._transaction() as connection:
            found = await connection.execute(select(keys).where(keys.c.hash.in_(hashes)))
            return [Key(**row._mapping) for row in found]

    @to_its_end
    async def drop_keys(self, game: str, role: str, *, kind: str | None = None, keep: int = 0) -> None:
        """Let keys open a role no more: all, or those of one kind, or all but so many of the newest."""
        chosen = [keys.c.game == game, keys.c.role == role]
        if kind is not None:
            chosen.append(keys.c.kind == kind)
        newest = select(keys.c.hash).where(*chosen).order_by(keys.c.created.desc(), keys.c.hash.desc()).limit(keep)
        async with self._transaction() as connection:
            await self._hold(connection, game)
            await connection.execute(delete(keys).where(*chosen, keys.c.hash.not_in(newest)))
            await news.tell(connection, game, news.KEYS)

    # ------------------------------------------------------------------------------------------------ talk

    @to_its_end
    async def say(self, game: str, line: Line) -> Line:
        """Add something that was said; the line as it is kept, with the next number."""
        async with self._transaction() as connection:
            await self._hold(connection, game)
            last = await connection.execute(select(func.max(talk.c.number)).where(talk.c.game == game))
            kept = replace(line, number=(last.scalar() or 0) + 1)
            await connection.execute(insert(talk).values(game=game, **asdict(kept)))
            await news.tell(connection, game, f"{news.TALK}:{kept.number}")
            return kept

    @to_its_end
    async def talk(self, game: str, most: int = 100) -> list[Line]:
        """What was said last at a table, in order."""
        columns = (talk.c.number, talk.c.at, talk.c.seat, talk.c.text)
        wanted = select(*columns).where(talk.c.game == game).order_by(talk.c.number.desc()).limit(most)
        async with self._transaction() as connection:
            return [Line(*row) for row in await connection.execute(wanted)][::-1]

    # ------------------------------------------------------------------------------------------------ news

    @to_its_end
    async def tell(self, game: str, what: str) -> None:
        """Tell other processes something about a game that is not kept anywhere."""
        if self.shared:
            async with self._transaction() as connection:
                await news.tell(connection, game, what)

    async def listen(self, hear: Callable[[news.News | None], None]) -> None:
        """Hear what other processes tell, and we ourselves, until cancelled; None when something may be missed."""
        await news.listen(self._engine.url, hear)

    def jobs(self, play: Play) -> AbstractAsyncContextManager[Jobs]:
        """The jobs that are kept beside the games; `play` is what doing one means."""
        return Jobs.open(self._engine.url, play)

    @property
    def shared(self) -> bool:
        """Whether other processes may be at the same games."""
        return is_shared(self._engine.url)

    @staticmethod
    async def _hold(connection: AsyncConnection, game: str) -> None:
        """Let nobody else change a game until the transaction ends; `NoSuchGame` if it is not there."""
        held = select(games.c.id).where(games.c.id == game).with_for_update(key_share=True)
        if (await connection.execute(held)).first() is None:
            raise NoSuchGame(game)


def _row(sheet: Sheet) -> dict[str, Any]:
    """A sheet as a row."""
    return {column.name: getattr(sheet, column.name) for column in games.columns}


def _changing(sheet: Sheet) -> dict[str, Any]:
    """What of a row is written anew with every entry."""
    return {name: getattr(sheet, name) for name in CHANGING}
