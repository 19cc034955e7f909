"""Many live games, many viewers of each, and a steady flow of moves."""

import asyncio
import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.load.servers import Web, mebibytes, seconds
from benchmarks.load.wire import Connection, Disconnected, stream
from tests.browser.timing import percentile

API: Final = "/api/v1"
TROUBLE: Final = 500  # and more: no fault of whoever asks
NUMBER: Final = re.compile(rb'data-number="(\d+)"')
LONGEST_MARK: Final = 40  # bytes of a mark that may be cut in two
LANGUAGES: Final = ("en", "de", "fr")
SEATS: Final = 4
TILES: Final = ("Porto", "Lisboa", "Islas Canarias")
SETTLING: Final = 3.0  # seconds after the last move in which it must have come everywhere

Possible = dict[str, Any]  # a legal action in its three forms


@dataclass
class Viewer:
    """A viewer of one game: when it received each version of the table."""

    came: list[tuple[float, int]] = field(default_factory=list)
    rest: bytes = b""

    def hear(self, piece: bytes) -> None:
        """Note the version of a table that was received, and when."""
        now = time.perf_counter()
        text = self.rest + piece
        self.came += [(now, int(number)) for number in NUMBER.findall(text)]
        self.rest = text[-LONGEST_MARK:] if not NUMBER.search(text[-LONGEST_MARK:]) else b""

    def arrival(self, number: int) -> float | None:
        """Return when this version of the table, or a newer one, was received."""
        return next((when for when, came in self.came if came >= number), None)


@dataclass
class Table:
    """A live game with its keys and its viewers."""

    game: str
    port: int
    keys: Sequence[str]  # by seat
    number: int
    viewers: list[Viewer] = field(default_factory=list)
    moves: list[tuple[float, int]] = field(default_factory=list)  # when it was sent, the number after it
    over: bool = False


@dataclass(frozen=True)
class Figures:
    """What was measured of all moves and viewers."""

    games: int
    viewers: int
    moves: int
    moves_per_second: float
    lost: int  # moves that a viewer never got to see
    refused: int
    p50: float  # milliseconds from sending a move to its arrival at a viewer
    p95: float
    longest: float
    cores: float  # of all web processes together
    memory: float  # mebibytes


async def set_up(connection: Connection, tiles: Sequence[str] = TILES) -> Table:
    """Create a game of four people and return it with its keys."""
    wanted = {"seats": [{"player": "friend"} for _ in range(SEATS)], "tiles": list(tiles), "first": 0}
    status, made = await connection.ask("POST", f"{API}/games", content=wanted)
    if status >= TROUBLE:  # nothing was set up: the database is gone
        raise Disconnected
    assert status == 201, made
    return Table(made["game"], connection.port, [each["key"] for each in made["seat_keys"]], made["number"])


async def move(table: Table, connection: Connection, dice: random.Random) -> bool:
    """Play an action for the seat that is to move; returns whether it was accepted."""
    status, legal = await connection.ask("GET", f"{API}/games/{table.game}/actions", table.keys[0])
    assert status == 200, legal
    if legal["deciding"] is None:
        table.over = True
        return True
    wanted = {"number": legal["number"], "actions": [choice(legal["actions"], dice)["action"]]}
    begin = time.perf_counter()
    status, after = await connection.ask(
        "POST", f"{API}/games/{table.game}/actions", table.keys[legal["deciding"]], wanted
    )
    if status != 200:
        return False
    table.moves.append((begin, after["number"]))
    return True


def choice(legal: Sequence[Possible], dice: random.Random) -> Possible:
    """Choose a legal action as people do: they end a turn when they can, and buy few cards."""
    ends = [each for each in legal if each["typed"]["do"] in ("end", "build", "fortress")]
    return dice.choice(ends or legal)


async def crowd(
    servers: Sequence[Web], *, games: int, viewers: int, per_second: float, duration: float, seed: int = 1
) -> Figures:
    """Create games, let people play, and measure when each viewer sees each move."""
    dice = random.Random(seed)
    connections = [Connection(server.port) for server in servers]
    tables = [await set_up(connections[number % len(connections)]) for number in range(games)]
    watching = []
    for number in range(viewers):  # everybody may be at any server
        table, server = tables[number % games], servers[number // games % len(servers)]
        viewer = Viewer()
        table.viewers.append(viewer)
        path, key = f"/games/{table.game}/events", table.keys[number // games % SEATS]
        language = LANGUAGES[number // games % len(LANGUAGES)]
        watching.append(asyncio.create_task(stream(server.port, path, key, language, viewer.hear)))
        if number % 50 == 49:
            await asyncio.sleep(0.05)
    while not all(viewer.came for table in tables for viewer in table.viewers):
        await asyncio.sleep(0.1)
        for each in watching:
            assert not each.done(), each.exception()

    processes = [process for server in servers for process in server.family]
    used, begin = seconds(processes), time.perf_counter()
    refused, under_way = 0, set[asyncio.Task[bool]]()
    idle = [[Connection(server.port) for _ in range(8)] for server in servers]
    count = 0
    while (now := time.perf_counter() - begin) < duration:
        playing = [table for table in tables if not table.over]
        table = playing[count % len(playing)]
        here = dice.randrange(len(servers))
        connection = idle[here].pop() if idle[here] else Connection(servers[here].port)

        async def one(table: Table = table, connection: Connection = connection, here: int = here) -> bool:
            done = await move(table, connection, dice)
            idle[here].append(connection)
            return done

        under_way.add(asyncio.create_task(one()))
        count += 1
        await asyncio.sleep(max(0.0, count / per_second - now))
        finished = {task for task in under_way if task.done()}
        refused += sum(not task.result() for task in finished)
        under_way -= finished
    refused += sum(not done for done in await asyncio.gather(*under_way))
    took = time.perf_counter() - begin
    cores, memory = (seconds(processes) - used) / took, mebibytes(processes)
    await asyncio.sleep(SETTLING)
    for each in watching:
        each.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return told(tables, refused, took, cores, memory)


def told(tables: Sequence[Table], refused: int, took: float, cores: float, memory: float) -> Figures:
    """Return how long each move took to reach each viewer of its game."""
    delays, lost, moves = [], 0, 0
    for table in tables:
        moves += len(table.moves)
        for begin, number in table.moves:
            for viewer in table.viewers:
                arrived = viewer.arrival(number)
                if arrived is None:
                    lost += 1
                else:
                    delays.append(1000 * max(0.0, arrived - begin))
    viewers = sum(len(table.viewers) for table in tables)
    return Figures(
        len(tables), viewers, moves, moves / took, lost, refused,
        percentile(delays, 50), percentile(delays, 95), max(delays), cores, memory,
    )  # fmt: skip
