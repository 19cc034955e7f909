"""Tables for tests of the service."""

import asyncio
import random
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from elcapitan.game.game import Game
from elcapitan.game.history import turn_of
from elcapitan.service import HUMAN, Seat, Table, Tables, TableSettings

Answer = TypeVar("Answer")


def settings_for(*players: str, **settings: Any) -> TableSettings:
    """A plan with these players, quick enough for tests."""
    seats = tuple(Seat(player, f"M{seat}", seat) for seat, player in enumerate(players))
    return TableSettings(seats, **{"pace": "instant", "seed": 7, "first": 0, **settings})


def give_budget(file: Path, level: str, budget: str) -> None:
    """Write a budget to computer players of the games in a database, as older editions let anybody do.

    Their logs did not begin with the settings.
    """
    with closing(sqlite3.connect(file)) as database, database:
        changed = database.execute("UPDATE games SET plan = replace(plan, ?, ?)", (f'"{level}"', f'"{level}:{budget}"'))
        assert changed.rowcount
        make_older(database)


def make_older(database: sqlite3.Connection) -> None:
    """Take the settings out of all logs: so games were stored before logs began with them."""
    changed = database.execute("UPDATE entries SET content = json_remove(content, '$.settings') WHERE number = 1")
    assert changed.rowcount


LONGEST = 150  # seconds for any test, however busy the machine is

TWO = settings_for(HUMAN, HUMAN)
THREE = settings_for(HUMAN, HUMAN, HUMAN)


class Time:
    """The time of a test, which passes only when it says so."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def rules(self, tables: Tables) -> None:
        """Let tables go by this time."""
        tables.writer.now = lambda: self.now

    def passes(self, tables: Tables, seconds: float) -> None:
        """Some time passes, and everybody looks at the clock."""
        self.now += timedelta(seconds=seconds)
        tables.timeouts.check_now()


def with_tables(database: str | Path, work: Callable[[Tables], Awaitable[Answer]], **settings: Any) -> Answer:
    """Do something with all tables of a database."""

    async def run() -> Answer:
        async with asyncio.timeout(LONGEST), Tables.open(database, **{"workers": 1, **settings}) as tables:
            return await work(tables)

    return asyncio.run(run())


def following(tables: Tables, game: str, seats: frozenset[int] = frozenset()) -> aclosing[AsyncGenerator[int, None]]:
    """The versions of a table, which stop coming when nobody wants them any more."""
    return aclosing(tables.follow(game, seats))


async def until(tables: Tables, game: str, enough: Callable[[Table], bool], seconds: float = 60) -> Table:
    """The table as soon as something is true of it."""
    async with asyncio.timeout(seconds), following(tables, game) as versions:
        async for _version in versions:
            table = await tables.get(game)
            if enough(table):
                return table
    raise AssertionError("the table was closed before")


async def play_randomly(tables: Tables, table: Table, dice: random.Random, actions: int | None = None) -> Table:
    """People who act by chance, for so many actions one by one, or turn by turn to the end of the game."""
    while actions != 0 and not table.game.over:
        assert table.deciding is not None
        if not table.human(table.deciding):
            table = await until(tables, table.id, waits)
        elif actions is None:
            table = await tables.act(table.id, table.number, random_turn(table.game, dice))
        else:
            table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
            actions -= 1
    return table


def random_turn(game: Game, dice: random.Random) -> list[int]:
    """Actions by chance to the end of the turn, or until a card has to be turned up."""
    draft, turn, chosen = game.copy(), turn_of(game.position), list[int]()
    while draft.seat is not None and turn_of(draft.position) == turn:
        chosen.append(dice.choice(draft.legal()))
        draft.play(chosen[-1])
    return chosen


def waits(table: Table) -> bool:
    """Whether computer players have nothing to do."""
    return table.deciding is None or table.human(table.deciding)
