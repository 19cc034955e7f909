"""What is stored for Web Push: the keys of the server, and the addresses at which browsers want to be told.

A subscription belongs to the key by which a player opens the table. It is deleted together with that key, and so with
the game.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Delete, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from elcapitan.errors import StaleVersion
from elcapitan.store import postgresql
from elcapitan.store.game_store import GameStore
from elcapitan.store.schema import keys, server_keys, subscriptions


@dataclass(frozen=True, slots=True)
class Subscription:
    """Where a browser gets messages by push, and the keys to encrypt them with, as the browser wrote them."""

    address: str
    public_key: str
    secret: str
    language: str
    created: datetime


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A subscription, with the role of the player who made it."""

    role: str
    subscription: Subscription


class PushStore:
    """Keys and subscriptions in the database of a `GameStore`."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    async def server_key(self, name: str, make: Callable[[], bytes]) -> bytes:
        """Return a key of the server. If there is none, one is made and stored, once for all processes."""

        async def read(connection: AsyncConnection) -> bytes | None:
            found = await connection.execute(select(server_keys.c.content).where(server_keys.c.name == name))
            content: bytes | None = found.scalar_one_or_none()
            return content

        async def write(connection: AsyncConnection) -> None:
            await connection.execute(insert(server_keys).values(name=name, content=make()))

        stored = await self._store.run(read)
        if stored is None:
            with suppress(StaleVersion):  # another process was first
                await self._store.run(write)
            stored = await self._store.run(read)
        assert stored is not None
        return stored

    async def add(
        self, game: str, hashes: Collection[str], roles: Collection[str], subscription: Subscription, most: int
    ) -> None:
        """Store a subscription for the keys with these hashes, once for each of these roles that they open.

        Each role has `most` subscriptions; the oldest are deleted. One that is stored already is not written again.
        Raises `NoSuchGame` if the game is gone.
        """

        async def work(connection: AsyncConnection) -> None:
            await self._store.hold(connection, game)
            wanted = select(keys.c.role, keys.c.hash).where(
                keys.c.game == game, keys.c.hash.in_(hashes), keys.c.role.in_(roles)
            )
            owners = {row.role: row.hash for row in await connection.execute(wanted)}
            found = await self._of_game(connection, game)
            there = [(key, each) for key, each in found if each.role in owners]
            same = {each.role for key, each in there if is_same(each.subscription, subscription)}
            if same == owners.keys():
                return
            for role, owner in owners.items():
                others = [(key, each.subscription) for key, each in there if each.role == role]
                kept = [(key, each) for key, each in others if each.address != subscription.address][: most - 1]
                for key, each in others:
                    if (key, each) not in kept:
                        await connection.execute(_deletion(key, each.address))
                values = {**asdict(subscription), "key": owner, "hash": _hash(subscription.address)}
                await connection.execute(insert(subscriptions).values(values))
            await postgresql.send(connection, game, postgresql.KEYS)

        await self._store.run(work)

    async def of_game(self, game: str) -> list[Subscriber]:
        """Return all subscriptions of a game, the newest first."""

        async def work(connection: AsyncConnection) -> list[Subscriber]:
            return [each for _key, each in await self._of_game(connection, game)]

        return await self._store.run(work)

    async def remove(self, game: str, address: str, roles: Collection[str]) -> None:
        """Delete the subscriptions of some roles of a game at an address."""

        async def work(connection: AsyncConnection) -> None:
            theirs = select(keys.c.hash).where(keys.c.game == game, keys.c.role.in_(roles))
            chosen = subscriptions.c.hash == _hash(address), subscriptions.c.key.in_(theirs)
            await connection.execute(delete(subscriptions).where(*chosen))
            await postgresql.send(connection, game, postgresql.KEYS)

        await self._store.run(work)

    async def remove_everywhere(self, address: str) -> None:
        """Delete the subscriptions of all games at an address that does not exist any more."""

        async def work(connection: AsyncConnection) -> None:
            chosen = subscriptions.c.hash == _hash(address)
            about = select(keys.c.game).join(subscriptions, subscriptions.c.key == keys.c.hash).where(chosen).distinct()
            for game in (await connection.execute(about)).scalars().all():
                await postgresql.send(connection, game, postgresql.KEYS)
            await connection.execute(delete(subscriptions).where(chosen))

        await self._store.run(work)

    @staticmethod
    async def _of_game(connection: AsyncConnection, game: str) -> list[tuple[str, Subscriber]]:
        """Return all subscriptions of a game with the hashes of their keys, the newest first."""
        columns = [subscriptions.c[name] for name in Subscription.__slots__]
        wanted = (
            select(subscriptions.c.key, keys.c.role, *columns)
            .join(keys, subscriptions.c.key == keys.c.hash)
            .where(keys.c.game == game)
            .order_by(subscriptions.c.created.desc(), subscriptions.c.hash)
        )
        rows = await connection.execute(wanted)
        return [(key, Subscriber(role, Subscription(*values))) for key, role, *values in rows]


def is_same(one: Subscription, other: Subscription) -> bool:
    """Whether two subscriptions are the same, whenever they were made."""
    return replace(one, created=other.created) == other


def _deletion(key: str, address: str) -> Delete:
    """Return the statement that deletes one subscription."""
    return delete(subscriptions).where(subscriptions.c.key == key, subscriptions.c.hash == _hash(address))


def _hash(address: str) -> str:
    """Return the hash by which an address is looked up, which may be too long for an index."""
    return sha256(address.encode()).hexdigest()
