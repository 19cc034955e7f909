"""The games of a database: add one, append to its log, read it, list them, delete one; keys and chat.

Every method is one transaction, which runs to completion even if its caller is cancelled. A log only grows: an entry is
never changed, and two writers cannot both write the same number. Where several processes share a database, each
transaction notifies them of what it changed when it commits (see `postgresql`). What a game is about is not known
here; contents are what the service makes of them.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from elcapitan.background_tasks import charged_task, kept
from elcapitan.errors import BadDatabase, NoSuchGame, StaleVersion
from elcapitan.store import postgresql
from elcapitan.store.database import FileCheck, write_and_read
from elcapitan.store.location import file_of, is_shared, problem_of
from elcapitan.store.postgresql import Jobs, Play
from elcapitan.store.schema import entries, games, keys, snapshots, talk

PORTION: Final = 500  # entries of a log that are read at once: a few milliseconds, and more than most games have
MOST_BOARDS: Final = 100  # what-if boards that are looked at when another begins
CHANGING: Final = ("changed", "plan", "length", "over", "standing")  # columns of a game; the others never change


@dataclass(frozen=True, slots=True)
class GameRow:
    """The row of a game: what is known without its log."""

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
class LogRow:
    """One stored entry of a log."""

    number: int
    kind: str
    content: dict[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The position after an entry, as bytes; `form` identifies their layout."""

    number: int
    form: str
    position: bytes


@dataclass(frozen=True, slots=True)
class Key:
    """A key to a role at a game, as it is stored: the key cannot be computed from its hash."""

    hash: str
    game: str
    role: str
    kind: str  # "link" or "phrase"
    created: datetime


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line of the chat at a table."""

    number: int
    at: datetime
    seat: int | None  # None for a person without a seat
    text: str


Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Method = Callable[Concatenate["GameStore", Arguments], Coroutine[Any, Any, Result]]


def to_completion(method: Method[Arguments, Result]) -> Method[Arguments, Result]:
    """Run a transaction to completion even if its caller is cancelled.

    A connection that is cut off in the middle of a query cannot be used again. Closing a page cancels the queries for
    it, so strangers could make the server reconnect all the time.
    """

    @wraps(method)
    async def run(store: "GameStore", /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return await asyncio.shield(kept(charged_task(method(store, *args, **kwargs)), store.running))

    return run


class GameStore:
    """All games of one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        file = file_of(engine.url)
        self._file_check = FileCheck(file) if file else None
        self.running: set[asyncio.Task[Any]] = set()  # transactions

    async def finish(self) -> None:
        """Wait until all transactions have ended."""
        while self.running:
            await asyncio.wait(self.running)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        """Begin a transaction. Raises `StaleVersion` or `BadDatabase` if the database refuses."""
        try:
            async with self.engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise StaleVersion from None  # another writer was there first
        except (SQLAlchemyError, OSError, ValueError) as error:  # a damaged row may hold what is no JSON and no time
            raise BadDatabase("not-stored", problem=problem_of(error)) from None

    @to_completion
    async def run(self, work: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        """Do some work in one transaction, for a module that stores something else in the same database."""
        async with self._transaction() as connection:
            return await work(connection)

    @to_completion
    async def check(self) -> None:
        """Write and read; raise `BadDatabase` if that fails, or if the file is damaged or its disk full."""
        async with self._transaction() as connection:
            await write_and_read(connection)
        if self._file_check:
            await self._file_check.run()

    @to_completion
    async def add(self, row: GameRow, log: Sequence[LogRow], snapshot: Snapshot | None) -> None:
        """Store a new game with its log so far."""
        async with self._transaction() as connection:
            await connection.execute(insert(games).values(_values(row, games.columns.keys())))
            await self._write(connection, row.id, log, snapshot)

    @to_completion
    async def append(self, before: int, row: GameRow, log: Sequence[LogRow], snapshot: Snapshot | None) -> None:
        """Append to the log of a game. Raises `StaleVersion` unless it has exactly `before` entries."""
        async with self._transaction() as connection:
            current = games.c.id == row.id, games.c.length == before
            done = await connection.execute(update(games).where(*current).values(_values(row, CHANGING)))
            if done.rowcount == 0:
                known = await connection.execute(select(games.c.length).where(games.c.id == row.id))
                raise StaleVersion if known.first() else NoSuchGame(row.id)
            await self._write(connection, row.id, log, snapshot)
            await postgresql.send(connection, row.id, str(row.length))

    @staticmethod
    async def _write(connection: AsyncConnection, game: str, log: Sequence[LogRow], snapshot: Snapshot | None) -> None:
        """Insert entries and a snapshot."""
        rows = [
            {"game": game, "number": each.number, "kind": each.kind, "content": each.content, "at": each.at}
            for each in log
        ]
        await connection.execute(insert(entries), rows)
        if snapshot:
            values = {"game": game, "number": snapshot.number, "form": snapshot.form, "position": snapshot.position}
            await connection.execute(insert(snapshots).values(values))

    @to_completion
    async def read(self, game: str) -> tuple[GameRow, list[LogRow], Snapshot | None]:
        """Return a game with its log and its last snapshot."""
        async with self._transaction() as connection:
            row, log = await self._since(connection, game, 0)
            last = await connection.execute(
                select(snapshots.c.number, snapshots.c.form, snapshots.c.position)
                .where(snapshots.c.game == game, snapshots.c.number <= row.length)
                .order_by(snapshots.c.number.desc())
                .limit(1)
            )
            kept = last.first()
            return row, log, Snapshot(*kept) if kept else None

    @to_completion
    async def read_since(self, game: str, number: int) -> tuple[GameRow, list[LogRow]]:
        """Return the row of a game, and the entries of its log after `number`."""
        async with self._transaction() as connection:
            return await self._since(connection, game, number)

    @staticmethod
    async def _since(connection: AsyncConnection, game: str, number: int) -> tuple[GameRow, list[LogRow]]:
        """Return the row of a game and the entries after `number`, as they were at one moment.

        Other processes may append meanwhile, so entries beyond the row's length are left out; the lock on the row keeps
        them from deleting the game in between.
        """
        there = select(games).where(games.c.id == game).with_for_update(read=True, key_share=True)
        found = (await connection.execute(there)).first()
        if found is None:
            raise NoSuchGame(game)
        row = GameRow(**found._mapping)
        wanted = (
            select(entries.c.number, entries.c.kind, entries.c.content, entries.c.at)
            .where(entries.c.game == game, entries.c.number > number, entries.c.number <= row.length)
            .order_by(entries.c.number)
        )
        log: list[LogRow] = []
        async with connection.stream(wanted) as stream:
            async for some in stream.partitions(PORTION):  # other tasks run in between
                log += [LogRow(*each) for each in some]
        return row, log

    @to_completion
    async def rows(self, *, unfinished: bool = False, among: Collection[str] | None = None) -> list[GameRow]:
        """Return the rows of all games, last changed first; or only those that are not over, or among some ids."""
        wanted = select(games).order_by(games.c.changed.desc(), games.c.id)
        if unfinished:
            wanted = wanted.where(games.c.over.is_(False))
        if among is not None:
            wanted = wanted.where(games.c.id.in_(among))
        async with self._transaction() as connection:
            return [GameRow(**row._mapping) for row in await connection.execute(wanted)]

    @to_completion
    async def boards(self, origin: str, before: datetime) -> list[GameRow]:
        """Return the what-if boards of a game, and some of all that have not changed since a moment, newest first."""
        wanted = (
            select(games)
            .where(or_(games.c.origin == origin, games.c.changed < before))
            .where(games.c.plan["private_to"].as_string() != "")
            .order_by(games.c.changed.desc(), games.c.id)
            .limit(MOST_BOARDS)
        )
        async with self._transaction() as connection:
            return [GameRow(**row._mapping) for row in await connection.execute(wanted)]

    @to_completion
    async def latest(self) -> datetime | None:
        """Return when an unfinished game was last changed; None if there is none."""
        async with self._transaction() as connection:
            found = await connection.execute(select(func.max(games.c.changed)).where(games.c.over.is_(False)))
            latest: datetime | None = found.scalar_one()
            return latest

    @to_completion
    async def delete(self, game: str) -> None:
        """Delete a game with its log, keys and chat. Raises `NoSuchGame`."""
        async with self._transaction() as connection:
            done = await connection.execute(delete(games).where(games.c.id == game))
            if done.rowcount == 0:
                raise NoSuchGame(game)
            await postgresql.send(connection, game, postgresql.GONE)

    # ------------------------------------------------------------------------------------------------ keys

    @to_completion
    async def add_key(self, key: Key) -> None:
        """Store a key to a role at a game."""
        async with self._transaction() as connection:
            await self.hold(connection, key.game)
            await connection.execute(insert(keys).values(asdict(key)))
            await postgresql.send(connection, key.game, postgresql.KEYS)

    @to_completion
    async def keys(self, game: str) -> list[Key]:
        """Return all keys of a game, oldest first."""
        wanted = select(keys).where(keys.c.game == game).order_by(keys.c.created, keys.c.hash)
        async with self._transaction() as connection:
            return [Key(**row._mapping) for row in await connection.execute(wanted)]

    @to_completion
    async def find_keys(self, hashes: Collection[str]) -> list[Key]:
        """Return the keys with these hashes; unknown hashes are left out."""
        async with self._transaction() as connection:
            found = await connection.execute(select(keys).where(keys.c.hash.in_(hashes)))
            return [Key(**row._mapping) for row in found]

    @to_completion
    async def drop_keys(self, game: str, role: str, *, kind: str | None = None, keep: int = 0) -> None:
        """Delete the keys to a role: all, or those of one kind, or all but the newest `keep`."""
        chosen = [keys.c.game == game, keys.c.role == role]
        if kind is not None:
            chosen.append(keys.c.kind == kind)
        newest = select(keys.c.hash).where(*chosen).order_by(keys.c.created.desc(), keys.c.hash.desc()).limit(keep)
        async with self._transaction() as connection:
            await self.hold(connection, game)
            await connection.execute(delete(keys).where(*chosen, keys.c.hash.not_in(newest)))
            await postgresql.send(connection, game, postgresql.KEYS)

    # ------------------------------------------------------------------------------------------------ chat

    @to_completion
    async def say(self, game: str, line: ChatLine) -> ChatLine:
        """Store a line of the chat; return it with its number."""
        async with self._transaction() as connection:
            await self.hold(connection, game)
            last = await connection.execute(select(func.max(talk.c.number)).where(talk.c.game == game))
            kept = replace(line, number=(last.scalar() or 0) + 1)
            await connection.execute(insert(talk).values(game=game, **asdict(kept)))
            await postgresql.send(connection, game, f"{postgresql.TALK}:{kept.number}")
            return kept

    @to_completion
    async def chat(self, game: str, most: int = 100) -> list[ChatLine]:
        """Return the last lines of the chat, in order."""
        columns = (talk.c.number, talk.c.at, talk.c.seat, talk.c.text)
        wanted = select(*columns).where(talk.c.game == game).order_by(talk.c.number.desc()).limit(most)
        async with self._transaction() as connection:
            return [ChatLine(*row) for row in await connection.execute(wanted)][::-1]

    # ------------------------------------------------------------------------------------------------ other processes

    @to_completion
    async def notify(self, game: str, what: str) -> None:
        """Notify other processes of something about a game that is not stored."""
        if self.shared:
            async with self._transaction() as connection:
                await postgresql.send(connection, game, what)

    async def listen(self, receive: Callable[[postgresql.Notification | None], None]) -> None:
        """Receive notifications of all processes, this one included, until cancelled; None if some may be missed."""
        await postgresql.listen(self.engine.url, receive)

    def jobs(self, play: Play) -> AbstractAsyncContextManager[Jobs]:
        """Open the queue of jobs in this database; `play` does one."""
        return Jobs.open(self.engine.url, play)

    @property
    def shared(self) -> bool:
        """Whether other processes may use the same games."""
        return is_shared(self.engine.url)

    @staticmethod
    async def hold(connection: AsyncConnection, game: str) -> None:
        """Lock a game until the transaction ends. Raises `NoSuchGame` if there is none."""
        held = select(games.c.id).where(games.c.id == game).with_for_update(key_share=True)
        if (await connection.execute(held)).first() is None:
            raise NoSuchGame(game)


def _values(row: GameRow, columns: Iterable[str]) -> dict[str, Any]:
    """Return the values of some columns."""
    return {name: getattr(row, name) for name in columns}
