"""A long day: one game after another is set up, played for a while, looked at and left; memory must not grow."""

import asyncio
import itertools
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.load.crowd import API, LANGUAGES, Table, move, set_up
from benchmarks.load.servers import MEBIBYTE, Web
from benchmarks.load.wire import Connection, Disconnected, stream

AT_ONCE: Final = 8  # games that are played at the same time
MOVES: Final = 4  # of each game
RESIDENT: Final = re.compile(r"VmRSS:\s+(\d+) kB")
LIVE: Final = re.compile(rb"^elcapitan_games_live ([\d.]+)$", re.MULTILINE)
SETTLING: Final = 5.0  # seconds until those who have left count as gone


@dataclass(frozen=True)
class Mark:
    """What the server needs after so many games."""

    games: int
    memory: float  # resident, of the web process, in mebibytes
    live: int  # tables that it counts as in memory


async def soak(server: Web, told: Callable[[Mark], None], *, games: int, every: int, seed: int = 1) -> None:
    """Play games one after another, and read the memory of the server now and then."""
    dice = random.Random(seed)
    numbers = itertools.count(1)
    for end in range(every, games + 1, every):
        await asyncio.gather(*(_guests(server.port, numbers, end, dice) for _ in range(AT_ONCE)))
        numbers = itertools.count(end + 1)
        await asyncio.sleep(SETTLING)
        told(Mark(end, resident(server), await _live(server.port)))


async def _guests(port: int, numbers: Iterator[int], end: int, dice: random.Random) -> None:
    """Play one game after another until there were so many."""
    connection = Connection(port)
    for number in numbers:
        if number > end:
            break
        await _evening(connection, number, dice)
    connection.close()


async def _evening(connection: Connection, number: int, dice: random.Random) -> None:
    """One game: two follow it, some moves are played, pages are looked at, and all leave."""
    table = await set_up(connection)
    language = LANGUAGES[number % len(LANGUAGES)]
    streams = [
        asyncio.create_task(stream(connection.port, f"{place}/games/{table.game}/events", key, language, _ignore))
        for place, key in (("", table.keys[0]), (API, table.keys[1]))
    ]
    for _ in range(MOVES):
        assert await move(table, connection, dice)
    await _look(connection, table)
    for each in streams:
        each.cancel()
        with suppress(asyncio.CancelledError, Disconnected):
            await each


async def _look(connection: Connection, table: Table) -> None:
    """Look at the pages of a game."""
    place = f"/games/{table.game}"
    for path in (place, f"{place}/replay?at=3", f"{place}/table", f"{API}{place}", f"{API}{place}/export/json"):
        status, found = await connection.ask("GET", path, table.keys[2])
        assert status == 200, (path, status, found)


def _ignore(_piece: bytes) -> None:
    """Take what a stream sends, and forget it."""


def resident(server: Web) -> float:
    """The resident memory of the web process, in mebibytes."""
    assert server.process is not None
    found = RESIDENT.search(Path(f"/proc/{server.process.pid}/status").read_text())
    assert found
    return int(found[1]) * 1024 / MEBIBYTE


async def _live(port: int) -> int:
    """How many tables the server counts as in memory."""
    connection = Connection(port)
    _status, text = await connection.ask("GET", "/metrics")
    connection.close()
    found = LIVE.search(text)
    assert found
    return int(float(found[1]))
