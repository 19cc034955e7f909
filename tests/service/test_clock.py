"""Clocks: whose time runs, what a turn adds, who stands in when it is out, and that a restart changes nothing."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.service.tabling import plan, until, waits, with_tables

from elcapitan.errors import BadSetup, NotYourTurn
from elcapitan.service import FRIEND, HUMAN, Clock, Table, Tables
from elcapitan.service.pool import Workers

pytestmark = pytest.mark.compiled
TURN = Clock("turn", 60)
BANK = Clock("bank", 100, 10)


class Time:
    """The time of a test, which passes only when it says so."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def passes(self, tables: Tables, seconds: float) -> None:
        """Some time passes, and everybody looks at the clock."""
        self.now += timedelta(seconds=seconds)
        tables._timekeeper.look()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture(autouse=True)
def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question to a computer player is answered here, because it takes a while to start a process."""

    async def ask(_self: Workers, answer: Callable[[Any], Any], asking: Any) -> Any:
        await asyncio.sleep(0)
        return answer(asking)

    monkeypatch.setattr(Workers, "ask", ask)


@pytest.fixture
def time() -> Time:
    return Time()


def timed(tables: Tables, time: Time) -> None:
    """Let a house go by the time of a test."""
    tables._clerk.now = lambda: time.now


async def whole_turn(tables: Tables, table: Table) -> Table:
    """Whoever is to decide takes a turn."""
    seat, dice = table.deciding, random.Random(1)
    while table.deciding == seat:
        table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
    return table


def left(table: Table) -> tuple[float, ...]:
    assert table.clocks
    return table.clocks.left


def test_a_clock_for_each_turn(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(plan(HUMAN, FRIEND, clock=TURN))
        assert table.clocks and table.clocks.kind == "turn" and table.clocks.running == 0
        assert table.clocks.due == time.now + timedelta(seconds=60)
        time.passes(tables, 20)
        assert left(await tables.get(table.id)) == (40, 60)
        table = await tables.act(table.id, table.number, [table.game.legal()[0]])
        assert left(table) == (40, 60), "the turn goes on"
        time.passes(tables, 5)
        table = await whole_turn(tables, table)
        assert table.clocks and table.clocks.running == 1 and left(table)[1] == 60
        time.passes(tables, 59)
        table = await whole_turn(tables, await tables.get(table.id))
        assert table.clocks and table.clocks.running == 0 and left(table)[0] == 60, "anew for each turn"

    with_tables(file, look)


def test_a_bank_with_an_increment(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(plan(HUMAN, "wanderer", FRIEND, clock=BANK))
        time.passes(tables, 30)
        table = await whole_turn(tables, table)
        table = await until(tables, table.id, waits)
        assert table.deciding == 2 and left(table) == (80, 100, 100), "30 gone, 10 more; computer players take none"
        time.passes(tables, 50)
        table = await whole_turn(tables, table)
        assert left(table) == (80, 100, 60)

    with_tables(file, look)


def test_somebody_stands_in_until_a_late_turn_is_over(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(plan(HUMAN, FRIEND, clock=TURN))
        time.passes(tables, 60)
        table = await until(tables, table.id, lambda table: table.deciding == 1)
        assert table.human(0) and not table.plan.seats[0].late, "the seat is handed back with the turn"
        assert len(table.game.events) > 1 and left(table) == (60, 60)
        told = [each.content for each in table.trace if each.kind == "note"][1:]
        assert [content["stand_ins"] for content in told] == [["captain", ""], ["", ""]]
        time.passes(tables, 30)
        table = await whole_turn(tables, await tables.get(table.id))
        assert table.deciding == 0 and table.human(0) and left(table)[0] == 60, "a fresh clock"

    with_tables(file, look)


def test_whose_bank_is_empty_gets_the_seat_back_from_the_host(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(plan(HUMAN, FRIEND, clock=BANK))
        time.passes(tables, 101)
        table = await until(tables, table.id, lambda table: table.deciding == 1)
        assert table.plan.seats[0].stand_in == "captain" and not table.human(0), "for good"
        assert left(table)[0] == 0
        table = await whole_turn(tables, table)
        table = await until(tables, table.id, lambda table: table.deciding == 1)
        table = await tables.stand_in(table.id, 0, None)
        assert left(table)[0] == 60, "there is some time to play on"
        table = await whole_turn(tables, table)
        assert table.deciding == 0 and table.clocks and table.clocks.running == 0

    with_tables(file, look)


def test_a_seat_that_is_handed_back_in_its_turn_has_a_fresh_clock(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(plan(HUMAN, FRIEND, clock=TURN))
        time.passes(tables, 50)
        table = await tables.stand_in(table.id, 0, "captain")
        assert table.clocks and table.clocks.running is None and table.clocks.due is None
        with pytest.raises(NotYourTurn):
            await tables.act(table.id, table.number, [table.game.legal()[0]], [0])
        time.passes(tables, 500)
        table = await tables.stand_in(table.id, 0, None)
        assert left(table) == (60, 60) and table.clocks and table.clocks.running == 0

    with_tables(file, look, bots=False)


def test_taking_back_gives_no_time_back(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(plan(HUMAN, "wanderer", clock=BANK))
        time.passes(tables, 30)
        table = await whole_turn(tables, table)
        table = await until(tables, table.id, waits)
        time.passes(tables, 20)
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert left(table)[0] == 60 and table.clocks and table.clocks.running == 0
        time.passes(tables, 5)
        assert left(await tables.get(table.id))[0] == 55

    with_tables(file, look)


def test_clocks_run_on_after_a_restart(file: Path, time: Time) -> None:
    async def begin(tables: Tables) -> str:
        timed(tables, time)
        table = await tables.create(plan(HUMAN, FRIEND, clock=BANK))
        time.passes(tables, 15)
        table = await whole_turn(tables, table)
        time.passes(tables, 40)
        return table.id

    game = with_tables(file, begin)
    time.now += timedelta(seconds=10)

    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.get(game)
        assert left(table) == (95, 50) and table.clocks and table.clocks.running == 1

    with_tables(file, look, bots=False)
    time.now += timedelta(seconds=3600)

    async def go_on(tables: Tables) -> None:
        timed(tables, time)
        while not (await tables.summaries())[0].plan.seats[1].stand_in:  # without looking at the table
            await asyncio.sleep(0.01)
        assert (await until(tables, game, lambda table: table.deciding == 0)).human(0)

    with_tables(file, go_on)


def test_the_time_is_in_the_list_of_games(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(plan(HUMAN, FRIEND, clock=TURN))
        (summary,) = await tables.summaries()
        assert summary.due == time.now + timedelta(seconds=60)
        await tables.stand_in(table.id, 0, "captain")
        assert [each.due for each in await tables.summaries()] == [None]

    with_tables(file, look, bots=False)


def test_a_clock_can_be_set_and_stopped_during_a_game(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> str:
        timed(tables, time)
        table = await tables.create(plan(HUMAN, FRIEND))
        assert table.clocks is None
        table = await tables.stand_in(table.id, 1, "captain")
        table = await tables.change(table.id, clock=TURN)
        assert table.plan.clock == TURN and left(table) == (60, 60)
        time.passes(tables, 10)
        table = await tables.change(table.id, clock={"kind": "bank", "seconds": 600, "increment": 5})
        assert left(table) == (600, 600) and table.clocks and table.clocks.running == 0
        table = await tables.change(table.id, clock=None)
        assert table.clocks is None
        table = await tables.change(table.id, clock=TURN)
        assert left(table) == (60, 60)
        return table.id

    game = with_tables(file, look, bots=False)

    async def again(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.get(game)
        assert left(table) == (60, 60) and table.clocks and table.clocks.running == 0

    with_tables(file, again, bots=False)


@pytest.mark.parametrize(
    "clock", [Clock("sand", 60), Clock("turn", 0), Clock("bank", 60, -1), Clock("turn", 10**9), Clock("turn", True)]
)
def test_clocks_that_nobody_could_play_by(file: Path, clock: Clock) -> None:
    async def look(tables: Tables) -> None:
        with pytest.raises(BadSetup):
            await tables.create(plan(HUMAN, FRIEND, clock=clock))
        table = await tables.create(plan(HUMAN, FRIEND))
        for wrong in (clock, asdict(clock), {"kind": "turn"}, {"kind": "turn", "seconds": 9, "x": 1}, "turn", 60):
            with pytest.raises(BadSetup):
                await tables.change(table.id, clock=wrong)

    with_tables(file, look, bots=False)


def test_no_time_runs_when_a_game_is_over(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(plan(HUMAN, HUMAN, clock=BANK))
        dice = random.Random(1)
        while not table.game.over:
            table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
        assert table.clocks and table.clocks.running is None and table.clocks.due is None
        before = left(table)
        time.passes(tables, 1000)
        assert left(await tables.get(table.id)) == before

    with_tables(file, look)
