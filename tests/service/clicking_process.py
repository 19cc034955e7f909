"""A program that acts at a table whenever it can and says what has been acknowledged: for tests with several."""

import asyncio
import random
import sys

from elcapitan.service import StaleVersion, Tables


async def press(database: str, game: str, moves: int) -> None:
    """Act by chance until so many moves were acknowledged to this program."""
    dice, done = random.Random(), 0
    async with Tables.open(database, bots=False) as tables:
        print("ready", flush=True)  # noqa: T201
        sys.stdin.readline()
        while done < moves and not (table := await tables.get(game)).game.over:
            try:
                table = await tables.act(game, table.number, [dice.choice(table.game.legal())])
            except StaleVersion:
                await asyncio.sleep(0)
            else:
                done += 1
                print(table.number, flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(press(sys.argv[1], sys.argv[2], int(sys.argv[3])))
