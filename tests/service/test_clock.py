"""Clocks: whose time runs, what a turn adds, who stands in when it is out, and that a restart changes nothing."""

import asyncio
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.playing import random_game
from tests.service.table_helpers import Time, play_randomly, settings_for, until, waits, with_tables

from elcapitan.errors import BadSetup, NotYourTurn
from elcapitan.game.history import Act, Reveal
from elcapitan.service import FRIEND, HUMAN, Table, Tables, TimeControl, clock, decisions
from elcapitan.service.bot_pool import BotPool
from elcapitan.service.clock import ClockState, ProcessClock
from elcapitan.service.commit import Draft
from elcapitan.service.log import Back, Note
from elcapitan.service.table_settings import PAYDAY_REST, TELLING

pytestmark = pytest.mark.compiled
TURN = TimeControl("turn", 60)
BANK = TimeControl("bank", 100, 10)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture(autouse=True)
def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question to a computer player is answered here, because it takes a while to start a process."""

    async def ask(_self: BotPool, answer: Callable[[Any], Any], asking: Any, _priority: int = 0) -> Any:
        await asyncio.sleep(0)
        return answer(asking)

    monkeypatch.setattr(BotPool, "ask", ask)


@pytest.fixture
def time() -> Time:
    return Time()


def timed(tables: Tables, time: Time) -> None:
    """Let a house go by the time of a test."""
    time.rules(tables)


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
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=TURN))
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
        table = await tables.create(settings_for(HUMAN, "wanderer", FRIEND, clock=BANK))
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
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=TURN))
        time.passes(tables, 60)
        table = await until(tables, table.id, lambda table: table.deciding == 1)
        assert table.human(0) and not table.settings.seats[0].late, "the seat is handed back with the turn"
        assert len(table.game.events) > 1 and left(table) == (60, 60)
        told = [each.content for each in table.table_events if each.kind == "note"][1:]
        assert [content["stand_ins"] for content in told] == [["helmsman", ""], ["", ""]]
        time.passes(tables, 30)
        table = await whole_turn(tables, await tables.get(table.id))
        assert table.deciding == 0 and table.human(0) and left(table)[0] == 60, "a fresh clock"

    with_tables(file, look)


def test_whose_bank_is_empty_gets_the_seat_back_from_the_host(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=BANK))
        time.passes(tables, 101)
        table = await until(tables, table.id, lambda table: table.deciding == 1)
        assert table.settings.seats[0].stand_in == "helmsman" and not table.human(0), "for good"
        assert left(table)[0] == 0
        table = await whole_turn(tables, table)
        table = await until(tables, table.id, lambda table: table.deciding == 1)
        table = await tables.stand_in(table.id, 0, None)
        assert left(table)[0] == 60, "there is some time to play on"
        table = await whole_turn(tables, table)
        assert table.deciding == 0 and table.clocks and table.clocks.running == 0

    with_tables(file, look)


def test_a_seat_that_is_handed_back_in_its_turn_has_what_was_left(file: Path, time: Time) -> None:
    """Otherwise a host who plays could have a fresh clock at any time."""

    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=TURN))
        time.passes(tables, 50)
        table = await tables.stand_in(table.id, 0, "captain")
        assert table.clocks and table.clocks.running is None and table.clocks.due is None
        with pytest.raises(NotYourTurn):
            await tables.act(table.id, table.number, [table.game.legal()[0]], [0])
        time.passes(tables, 500)
        table = await tables.stand_in(table.id, 0, None)
        assert left(table) == (10, 60) and table.clocks and table.clocks.running == 0

    with_tables(file, look, bots=False)


@pytest.mark.parametrize("clock", [TURN, BANK])
def test_a_stand_in_for_a_moment_gives_no_time(file: Path, time: Time, clock: TimeControl) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=clock))
        for _ in range(5):
            time.passes(tables, 9)
            await tables.stand_in(table.id, 0, "captain")
            table = await tables.stand_in(table.id, 0, None)
        assert left(table)[0] == clock.seconds - 45

    with_tables(file, look, bots=False)


def test_taking_back_gives_no_time_back(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, "wanderer", clock=BANK))
        time.passes(tables, 30)
        table = await whole_turn(tables, table)
        table = await until(tables, table.id, waits)
        time.passes(tables, 20)
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert left(table)[0] == 60 and table.clocks and table.clocks.running == 0
        time.passes(tables, 5)
        assert left(await tables.get(table.id))[0] == 55

    with_tables(file, look)


async def back_to(tables: Tables, table: Table, at: int) -> Table:
    """The game goes back, as the first seat wishes and the other agrees."""
    table = await tables.ask_undo(table.id, table.number, 0, at)
    return await tables.answer_undo(table.id, table.number, 1, yes=True)


def test_an_increment_is_paid_once_for_a_turn(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> str:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=BANK))
        for round_no in range(5):
            time.passes(tables, 1)
            table = await whole_turn(tables, table)
            assert left(table) == (109 - round_no, 100 - round_no)
            time.passes(tables, 1)
            table = await back_to(tables, table, 1)
        time.passes(tables, 1)
        table = await whole_turn(tables, await whole_turn(tables, table))
        assert left(table) == (104, 105), "the second seat, too, gets its increment when its turn is over"
        return table.id

    game = with_tables(file, look, bots=False)
    without_who_is_asked(file)

    async def as_before(tables: Tables) -> None:
        timed(tables, time)
        assert left(await tables.get(game)) == (154, 105), "an older log gives what it gave"

    with_tables(file, as_before, bots=False)


def without_who_is_asked(file: Path) -> None:
    """Make the logs in a file older: wishes do not tell who is asked."""
    with closing(sqlite3.connect(file)) as connection, connection:
        assert connection.execute("UPDATE entries SET content = json_remove(content, '$.asked')").rowcount


def test_going_back_does_not_fill_the_clock_of_a_turn(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> str:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=TURN))
        time.passes(tables, 20)
        table = await whole_turn(tables, table)
        time.passes(tables, 5)
        table = await back_to(tables, table, 1)
        assert table.deciding == 0 and left(table)[0] == 40
        time.passes(tables, 30)
        table = await whole_turn(tables, table)
        assert table.deciding == 1 and left(table)[1] == 55, "the other, too, goes on where they were"
        table = await back_to(tables, table, 1)
        assert left(table)[0] == 10
        return table.id

    game = with_tables(file, look, bots=False)
    without_who_is_asked(file)

    async def as_before(tables: Tables) -> None:
        timed(tables, time)
        assert left(await tables.get(game))[0] == 60, "an older log gives what it gave"

    with_tables(file, as_before, bots=False)


def test_going_back_from_a_late_turn_does_not_fill_the_clock(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=TURN))
        time.passes(tables, 20)
        table = await whole_turn(tables, await whole_turn(tables, table))
        time.passes(tables, 60)
        async with tables.using(table.id) as live:
            await tables.writer.commit(live, decisions.time_out)
        table = await tables.get(table.id)
        assert table.settings.seats[0].late and table.deciding == 0
        table = await tables.ask_undo(table.id, table.number, 1, 1)
        table = await tables.answer_undo(table.id, table.number, 0, yes=True)
        assert table.human(0) and table.clocks and table.clocks.running == 0 and left(table)[0] == 40

    with_tables(file, look, bots=False)


def test_clocks_run_on_after_a_restart(file: Path, time: Time) -> None:
    async def begin(tables: Tables) -> str:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=BANK))
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
        while not (await tables.summaries())[0].settings.seats[1].stand_in:  # without looking at the table
            await asyncio.sleep(0.01)
        assert (await until(tables, game, lambda table: table.deciding == 0)).human(0)

    with_tables(file, go_on)


def test_the_time_is_in_the_list_of_games(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=TURN))
        (summary,) = await tables.summaries()
        assert summary.due == time.now + timedelta(seconds=60)
        await tables.stand_in(table.id, 0, "captain")
        assert [each.due for each in await tables.summaries()] == [None]

    with_tables(file, look, bots=False)


def test_a_clock_can_be_set_and_stopped_during_a_game(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> str:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, FRIEND))
        assert table.clocks is None
        table = await tables.stand_in(table.id, 1, "captain")
        table = await tables.change(table.id, clock=TURN)
        assert table.settings.clock == TURN and left(table) == (60, 60)
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
    "clock",
    [
        TimeControl("sand", 60),
        TimeControl("turn", 0),
        TimeControl("bank", 60, -1),
        TimeControl("turn", 10**9),
        TimeControl("turn", True),
    ],
)
def test_clocks_that_nobody_could_play_by(file: Path, clock: TimeControl) -> None:
    async def look(tables: Tables) -> None:
        with pytest.raises(BadSetup):
            await tables.create(settings_for(HUMAN, FRIEND, clock=clock))
        table = await tables.create(settings_for(HUMAN, FRIEND))
        for wrong in (clock, asdict(clock), {"kind": "turn"}, {"kind": "turn", "seconds": 9, "x": 1}, "turn", 60):
            with pytest.raises(BadSetup):
                await tables.change(table.id, clock=wrong)

    with_tables(file, look, bots=False)


def test_no_time_runs_when_a_game_is_over(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, HUMAN, clock=BANK))
        table = await play_randomly(tables, table, random.Random(1))
        assert table.clocks and table.clocks.running is None and table.clocks.due is None
        before = left(table)
        time.passes(tables, 1000)
        assert left(await tables.get(table.id)) == before

    with_tables(file, look)


# --------------------------------------------------------------------------------------------- clocks of the machine


def times_in(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [at for (at,) in connection.execute("SELECT at FROM entries ORDER BY number")]


def test_the_clock_of_a_process_only_goes_forward() -> None:
    wall, passed = datetime(2026, 5, 1, 12, tzinfo=UTC), 1000.0
    clock = ProcessClock(lambda: wall, lambda: passed)
    start = wall
    for change in (timedelta(hours=-1), timedelta(hours=2), timedelta(days=-9)):
        wall += change
        assert clock() == start + timedelta(seconds=passed - 1000)
        passed += 7
    clock.not_before(start)
    assert clock() == start + timedelta(seconds=21)
    clock.not_before(start + timedelta(hours=1))
    passed += 1
    assert clock() == start + timedelta(hours=1, seconds=1)


def test_a_wall_clock_that_is_set_gives_and_takes_no_time(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a minute is more than this test takes between two moves, however busy the machine is."""

    class Wall:
        ahead = timedelta(0)

        @classmethod
        def now(cls, tz: Any) -> datetime:
            return datetime.now(tz) + cls.ahead

    monkeypatch.setattr(clock, "datetime", Wall)

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=TimeControl("bank", 1000)))
        before = left(table)[0]
        for hours in (-1, 2):
            Wall.ahead = timedelta(hours=hours)
            table = await tables.act(table.id, table.number, [table.game.legal()[0]])
            assert before - 30 < left(table)[0] <= before
            before = left(table)[0]

    with_tables(file, look, bots=False)
    assert times_in(file) == sorted(times_in(file))


def test_a_wall_clock_that_is_behind_at_a_restart_gives_no_time(file: Path, time: Time) -> None:
    async def begin(tables: Tables) -> Table:
        timed(tables, time)
        time.now = datetime.now(UTC) + timedelta(hours=3)  # so that the wall clock is behind when it begins again
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=BANK))
        time.passes(tables, 40)
        return await tables.act(table.id, table.number, [table.game.legal()[0]])

    table = with_tables(file, begin, bots=False)

    async def look(tables: Tables) -> None:
        again = await tables.get(table.id)
        assert again.read_at >= table.read_at and left(again)[0] <= left(table)[0] == 60
        await tables.act(table.id, table.number, [again.game.legal()[0]])

    with_tables(file, look, bots=False)
    assert times_in(file) == sorted(times_in(file))


def test_entries_follow_the_process_that_is_ahead(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table = await tables.create(settings_for(HUMAN, FRIEND, clock=BANK))
        time.passes(tables, 40)
        table = await tables.act(table.id, table.number, [table.game.legal()[0]])
        time.passes(tables, -30)  # as another process may see it
        assert left(await tables.get(table.id))[0] == 60
        table = await tables.act(table.id, table.number, [table.game.legal()[0]])
        assert left(table)[0] == 60

    with_tables(file, look, bots=False)
    assert times_in(file) == sorted(times_in(file))


def test_trouble_at_one_table_stops_no_other_clock(file: Path, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        broken = await tables.create(settings_for(HUMAN, FRIEND, clock=TURN))
        other = await tables.create(settings_for(HUMAN, FRIEND, clock=TURN))
        lapse = decisions.lapse_undo

        def failing(draft: Draft) -> None:
            if draft.table.id == broken.id:
                raise RuntimeError("a mistake")
            lapse(draft)

        monkeypatch.setattr(decisions, "lapse_undo", failing)
        time.passes(tables, 60)
        table = await until(tables, other.id, lambda table: table.deciding == 1)
        assert table.human(0)

    with_tables(file, look)


def test_clocks_rest_while_a_payday_is_told(file: Path, time: Time) -> None:
    async def look(tables: Tables) -> None:
        timed(tables, time)
        table, dice = await tables.create(settings_for(HUMAN, FRIEND, clock=TURN)), random.Random(1)
        while not table.game.paydays:
            table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
        seat = table.deciding
        assert seat is not None and table.clocks
        assert table.clocks.due == time.now + timedelta(seconds=TELLING + 60)
        time.passes(tables, 10)
        assert left(await tables.get(table.id))[seat] == 60
        table = await tables.change(table.id, title="A change ends no rest")
        time.passes(tables, 10)
        table = await tables.get(table.id)
        assert left(table)[seat] == 55
        assert table.clocks and table.clocks.due == time.now + timedelta(seconds=55)

    with_tables(file, look)

    async def again(tables: Tables) -> None:
        timed(tables, time)
        (game,) = [each.id for each in await tables.summaries()]
        table = await tables.get(game)
        assert table.deciding is not None and left(table)[table.deciding] == 55, "a restart changes nothing"

    with_tables(file, again)


@pytest.mark.parametrize(("stored", "rest"), [({}, 0), ({PAYDAY_REST: TELLING}, TELLING)])
def test_only_clocks_whose_log_says_so_rest(stored: dict[str, int], rest: int) -> None:
    game = random_game(2, seed=1)
    while len(game.paydays) > 1:
        game.take_back()
    after = game.copy()
    while game.paydays:
        after = game.copy()
        game.take_back()
    begins = datetime(2026, 1, 1, tzinfo=UTC)
    settings = {"clock": asdict(TURN), "players": [HUMAN, HUMAN], "stand_ins": ["", ""], **stored}
    clocks = ClockState().after(Note(settings), begins, game)
    event = after.events[-1]
    assert isinstance(event, Act | Reveal)
    clocks = clocks.after(event, begins, after)
    assert clocks.due == begins + timedelta(seconds=60 + rest)


def test_going_back_before_a_payday_brings_no_second_rest() -> None:
    """Otherwise the player who brings it could think as long as they like while no clock runs."""
    after = random_game(2, seed=1)
    while len(after.paydays) > 1:
        after.take_back()
    before = after.copy()
    while before.paydays:
        after = before.copy()
        before.take_back()
    begins = datetime(2026, 1, 1, tzinfo=UTC)
    settings = {"clock": asdict(TURN), "players": [HUMAN, HUMAN], "stand_ins": ["", ""], PAYDAY_REST: TELLING}
    event = after.events[-1]
    assert isinstance(event, Act | Reveal)
    clocks = ClockState().after(Note(settings), begins, before).after(event, begins, after)
    assert clocks.due == begins + timedelta(seconds=TELLING + 60)
    later = begins + timedelta(seconds=5)
    clocks = clocks.after(Back(0, before.event_count), later, before)
    assert clocks.due == later + timedelta(seconds=60), "the rest is over"
    clocks = clocks.after(event, later, after)
    assert clocks.due == later + timedelta(seconds=60), "and it does not come again"
