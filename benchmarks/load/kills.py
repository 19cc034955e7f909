"""Processes killed without a warning while people play: no acknowledged move may be lost, and none doubled."""

import asyncio
import json
import random
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from benchmarks.load.crowd import API, TROUBLE, Table, choice, set_up
from benchmarks.load.servers import Postgres, Program, Web
from benchmarks.load.wire import Connection, Disconnected

AGAIN: Final = 0.05  # seconds until somebody tries again
LOOKS: Final = 60  # at a log that is not as it should be, until that is believed
OK: Final = 200


@dataclass
class Player:
    """A client that plays one game after another in all seats, and remembers every move."""

    ports: Sequence[int]
    dice: random.Random
    table: Table | None = None
    done: list[str] = field(default_factory=list)  # what is sure to be in the log of the running game
    doubtful: str | None = None  # sent, but no answer came
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0

    async def play(self, over: asyncio.Event) -> None:
        """Play until told to stop; connect again whenever a server is gone."""
        connection = Connection(self.ports[0])
        while not over.is_set():
            try:
                await self._move(connection)
            except Disconnected:
                connection = Connection(self.dice.choice(self.ports))
                await asyncio.sleep(AGAIN)
        while not await self._compared(connection):
            connection = Connection(self.dice.choice(self.ports))
            await asyncio.sleep(AGAIN)

    async def _move(self, connection: Connection) -> None:
        """Play one move, after finding out whether the last one was stored if that is unknown."""
        if self.table is None:
            self.table, self.done = await set_up(connection, tiles=()), []
        elif self.doubtful is not None and not await self._compared(connection):
            raise Disconnected
        status, legal = await connection.ask("GET", self._address("actions"), self.table.keys[0])
        if status != 200:
            raise Disconnected
        if legal["deciding"] is None:
            self.table = None if await self._compared(connection) else self.table
            return
        chosen = choice(legal["actions"], self.dice)
        self.doubtful = written(chosen["typed"])
        wanted = {"number": legal["number"], "actions": [chosen["action"]]}
        status, _after = await connection.ask(
            "POST", self._address("actions"), self.table.keys[legal["deciding"]], wanted
        )
        if status == OK:
            self.done.append(self.doubtful)
            self.doubtful = None
            self.acknowledged += 1
        elif status < TROUBLE:  # refused for a reason: it has not happened
            self.doubtful = None

    def _address(self, what: str) -> str:
        """Return the address of the table, or of something below it."""
        assert self.table is not None
        return f"{API}/games/{self.table.game}/{what}"

    async def _compared(self, connection: Connection) -> bool:
        """Compare the log with what was done, in which a doubtful move may be or not; whether that was possible.

        Another process may hear of a move a moment later than it was stored, so a moment is waited for it.
        """
        if self.table is None:
            return True
        hoped = self.done if self.doubtful is None else [*self.done, self.doubtful]
        for look in range(LOOKS):
            if look:
                await asyncio.sleep(AGAIN)
            try:
                status, record = await connection.ask("GET", self._address("export/json"), self.table.keys[0])
            except Disconnected:
                return False
            if status != OK:
                return False
            stored = [written(event) for event in record["events"] if "do" in event]
            if stored == hoped:
                break
        if stored not in (hoped, self.done):
            self.lost += max(0, len(self.done) - len(stored)) or 1
            self.doubled += max(0, len(stored) - len(self.done))
        self.done, self.doubtful = stored, None
        return True


def written(action: Mapping[str, object]) -> str:
    """Return an action without the seat that took it, to be compared."""
    return json.dumps({key: value for key, value in action.items() if key != "seat"}, sort_keys=True)


@dataclass(frozen=True)
class Toll:
    """What the kills have cost."""

    kills: int
    acknowledged: int
    lost: int
    doubled: int
    seconds: float


async def kills(
    webs: Sequence[Web],
    others: Sequence[Program],
    postgres: Postgres | None,
    *,
    count: int,
    players: int,
    seed: int = 1,
) -> Toll:
    """Let people play and kill one process after the other, in turn."""
    dice = random.Random(seed)
    begin, over = time.perf_counter(), asyncio.Event()
    ports = [web.port for web in webs]
    people = [Player(ports, random.Random(seed + number)) for number in range(players)]
    playing = [asyncio.create_task(each.play(over)) for each in people]
    servers: list[Program | Postgres] = [*webs, *others, *([postgres] if postgres else [])]
    for number in range(count):
        await asyncio.sleep(dice.uniform(0.2, 1.0))
        server = servers[number % len(servers)]
        if isinstance(server, Postgres):
            await asyncio.to_thread(server.kill)
        else:
            await asyncio.to_thread(server.end, signal.SIGKILL)
            await asyncio.to_thread(server.start)
    await asyncio.sleep(1.0)
    over.set()
    await asyncio.gather(*playing)
    return Toll(
        count,
        sum(each.acknowledged for each in people),
        sum(each.lost for each in people),
        sum(each.doubled for each in people),
        time.perf_counter() - begin,
    )
