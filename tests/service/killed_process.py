"""A program that plays and says what has been acknowledged, until somebody kills it: for tests."""

import asyncio
import random
import sys

from tests.service.table_helpers import following, settings_for, waits

from elcapitan.service import HUMAN, Tables
from elcapitan.service.bot_worker import here


async def play(database: str) -> None:
    """Go on with the only game, or begin it."""
    dice = random.Random()
    async with Tables.open(database, workers=1) as tables:
        games = await tables.summaries()
        game = games[0].id if games else (await tables.create(settings_for(HUMAN, "captain", "wanderer", seed=5))).id
        print("worker", await tables.bots.processes.ask(here, None), flush=True)  # noqa: T201
        async with following(tables, game) as versions:
            async for _version in versions:
                table = await tables.get(game)
                print("acknowledged", table.number, flush=True)  # noqa: T201
                if table.game.over:
                    return
                if waits(table):
                    table = await tables.act(game, table.number, [dice.choice(table.game.legal())])
                    print("acknowledged", table.number, flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1]))
