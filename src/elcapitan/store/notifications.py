"""Notifications between processes that share a PostgreSQL. One sent in a transaction arrives when that commits.

A notification is short, `game:what`, and says only that there is something to look up. A process that loses its
connection misses some and is told so, to look everything up again.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from sqlalchemy import URL
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncConnection

from elcapitan.store.database import PATIENCE
from elcapitan.store.location import address_of, problem_of

CHANNEL: Final = "elcapitan"
TALK: Final = "talk"  # a line of the chat; with its number
KEYS: Final = "keys"  # a key was created or deleted
GONE: Final = "gone"  # the game was deleted
AGAIN: Final = 1.0  # seconds until a broken connection is tried again
QUIET: Final = 30.0  # seconds without notifications after which the connection is tested

Notification = tuple[str, str]  # about which game, and what
logger = logging.getLogger(__name__)


async def send(connection: AsyncConnection, game: str, what: str) -> None:
    """Notify other processes when the transaction commits. A database file has no other processes."""
    if connection.dialect.name == "postgresql":
        await connection.execute(
            sql("SELECT pg_notify(:channel, :news)"), {"channel": CHANNEL, "news": f"{game}:{what}"}
        )


async def listen(url: URL, receive: Callable[[Notification | None], None]) -> None:
    """Receive notifications, our own included, until cancelled; None whenever some may have been missed.

    None comes first, as soon as nothing more is missed, and then after every break of the connection.
    """
    import psycopg  # noqa: PLC0415 - an optional dependency

    while True:
        try:
            connecting = psycopg.AsyncConnection.connect(address_of(url), autocommit=True, connect_timeout=PATIENCE)
            async with await connecting as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                receive(None)
                while True:
                    async for notice in connection.notifies(timeout=QUIET):
                        game, _, what = notice.payload.partition(":")
                        receive((game, what))
                    await connection.execute("SELECT 1")  # fails if the other end is gone silently
        except (psycopg.Error, OSError) as error:
            logger.warning("news from other processes will be late: %s", problem_of(error))
        await asyncio.sleep(AGAIN)
