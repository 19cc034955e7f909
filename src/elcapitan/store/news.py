"""News between processes that share a PostgreSQL: what is told in a transaction is heard when that counts as done.

A piece of news is short, `game:what`, and says only that there is something to look up. Whoever loses the connection
to the database has missed some: that is told apart, so that everything can be looked up again.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from sqlalchemy import URL
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncConnection

from elcapitan.store.database import PATIENCE, problem_of
from elcapitan.store.place import address_of

CHANNEL: Final = "elcapitan"
TALK: Final = "talk"  # something was said; with the number of the line
KEYS: Final = "keys"  # a key was made, or opens no more
GONE: Final = "gone"  # the game was thrown away
AGAIN: Final = 1.0  # seconds until a broken connection is tried again
QUIET: Final = 30.0  # seconds without news after which the connection is tried

News = tuple[str, str]  # about which game, and what
logger = logging.getLogger(__name__)


async def tell(connection: AsyncConnection, game: str, what: str) -> None:
    """Tell other processes, once the transaction counts as done; who keeps games in a file has no others."""
    if connection.dialect.name == "postgresql":
        await connection.execute(
            sql("SELECT pg_notify(:channel, :news)"), {"channel": CHANNEL, "news": f"{game}:{what}"}
        )


async def listen(url: URL, hear: Callable[[News | None], None]) -> None:
    """Hear what is told, our own news included, until cancelled; None whenever something may have been missed.

    None comes first, as soon as nothing more is missed, and then after every break of the connection.
    """
    import psycopg  # noqa: PLC0415 - not everybody has it

    while True:
        try:
            connecting = psycopg.AsyncConnection.connect(address_of(url), autocommit=True, connect_timeout=PATIENCE)
            async with await connecting as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                hear(None)
                while True:
                    async for notice in connection.notifies(timeout=QUIET):
                        game, _, what = notice.payload.partition(":")
                        hear((game, what))
                    await connection.execute("SELECT 1")  # fails if the other end is gone without a word
        except (psycopg.Error, OSError) as error:
            logger.warning("news from other processes will be late: %s", problem_of(error))
        await asyncio.sleep(AGAIN)
