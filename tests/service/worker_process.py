"""A program that lets computer players play by jobs, as `elcapitan worker` does, but is sooner missed: for tests."""

import asyncio
import sys

from elcapitan.service import Tables, bots
from elcapitan.store import postgresql


async def work(database: str) -> None:
    """Do jobs until somebody kills it."""
    async with Tables.open(database, workers=1, jobs="work"):
        print("ready", flush=True)  # noqa: T201
        await asyncio.Event().wait()


if __name__ == "__main__":
    postgresql.SIGN_OF_LIFE = 0.3  # type: ignore[misc]
    postgresql.SILENCE = 1.5  # type: ignore[misc]
    postgresql.LOOKING = 0.3  # type: ignore[misc]
    bots.ROUND = 2.0  # type: ignore[misc]
    asyncio.run(work(sys.argv[1]))
