"""Staged actions: a loan waits for the end of the turn, can be taken back, and is played when time is out."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.service.table_helpers import Time, settings_for, until, with_tables

from elcapitan.actions.text import from_text
from elcapitan.engine.actions import BUILD, END, FREE_PIRATE, LOAN, PAID_PIRATE
from elcapitan.errors import CannotUndo, IllegalAction, NotYourTurn, TooMuch
from elcapitan.game.history import Act
from elcapitan.position.routes import ways_to
from elcapitan.service import FRIEND, HUMAN, Table, Tables, TimeControl

pytestmark = pytest.mark.compiled
CANARIAS = 11
CANARIAS_ONLY = ("Islas Canarias",)
LOANS = "loan 10", "loan 16"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def loan(table: Table, which: str = LOANS[0]) -> int:
    (number,) = from_text(which, table.game.figures)
    return number


async def second_round(tables: Tables, **settings: Any) -> Table:
    """A game after the first round, in which the deciding seat may borrow, or buy cards."""
    for seed in range(20):
        table, dice = await tables.create(settings_for(HUMAN, FRIEND, **settings)), random.Random(seed)
        while table.game.round == 1:
            table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
        if len(table.game.legal()) > len(LOANS):
            return table
    raise AssertionError("no purse is full enough")


async def holding(tables: Tables, **settings: Any) -> Table:
    """A game in which the deciding seat holds a loan."""
    table = await second_round(tables, **settings)
    return await tables.act(table.id, table.number, [loan(table)], hold=True)


def seen(file: Path, look: Callable[[Tables, Table], Any], **settings: Any) -> None:
    """Look at a table with a held loan."""

    async def run(tables: Tables) -> None:
        await look(tables, await holding(tables, **settings))

    with_tables(file, run)


def test_a_loan_waits_for_the_end_of_the_turn(file: Path) -> None:
    async def look(tables: Tables) -> None:
        before = await second_round(tables)
        table = await tables.act(before.id, before.number, [loan(before)], hold=True)
        assert table.held_action == loan(table) and table.deciding == before.deciding
        assert table.game.event_count == before.game.event_count and table.undoable == before.undoable
        after = await tables.play_held(table.id, table.number)
        assert after.held_action is None and after.deciding != before.deciding
        at_once = await tables.branch(before.id, before.game.event_count)
        at_once = await tables.act(at_once.id, at_once.number, [loan(at_once)])
        assert at_once.game.money == after.game.money

    with_tables(file, look)


def test_it_can_be_taken_back_and_repeated(file: Path) -> None:
    async def look(tables: Tables, table: Table) -> None:
        undone = await tables.undo(table.id, table.number)
        assert undone.held_action is None and undone.redoable == 1 and undone.game.event_count == table.game.event_count
        again = await tables.redo(table.id, undone.number)
        assert again.held_action == table.held_action and again.deciding == table.deciding
        assert (await tables.play_held(table.id, again.number)).deciding != table.deciding

    seen(file, look)


def test_another_action_takes_its_place(file: Path) -> None:
    async def look(tables: Tables, table: Table) -> None:
        larger = loan(table, LOANS[1])
        table = await tables.act(table.id, table.number, [larger], hold=True)
        assert table.held_action == larger
        other = next(action for action in table.game.legal() if action not in (larger, loan(table)))
        assert (await tables.act(table.id, table.number, [other], hold=True)).held_action is None

    seen(file, look)


def test_what_does_not_end_the_turn_is_played_at_once(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await second_round(tables)
        dice, ended = random.Random(2), False
        while not ended:
            action = dice.choice([each for each in table.game.legal() if not loan(table) <= each < END])
            ended, events = action == END, table.game.event_count
            table = await tables.act(table.id, table.number, [action], hold=True)
            assert table.held_action is None and table.game.event_count > events, "the end of a turn is never held"

    with_tables(file, look)


def test_a_turn_can_end_by_building(file: Path) -> None:
    """Unless the pirate may be moved free after it, nothing more can be done then, as buying cards."""

    async def look(tables: Tables) -> None:
        builds = waits = 0
        for seed in range(4):
            dice, table = (
                random.Random(seed),
                await tables.create(settings_for(HUMAN, FRIEND, tiles=CANARIAS_ONLY)),
            )
            while not table.over and table.game.phase < 3:
                seat, begun = table.deciding, table.game.event_count
                ways = ways_to(table.game, CANARIAS, 1)
                actions = [*ways[0].actions, ways[0].builds[0].action] if ways else [dice.choice(table.game.legal())]
                action = actions[-1]
                table = await tables.act(table.id, table.number, actions, end=True)
                free = [each for each in table.game.legal() if FREE_PIRATE <= each < PAID_PIRATE]
                if BUILD <= action < LOAN and not free:
                    numbers = [each.numbers[0] for each in table.game.events[begun:] if isinstance(each, Act)]
                    assert numbers[: len(actions) + 1] == [*actions, END] and (table.over or table.deciding != seat)
                    builds += 1
                waits += BUILD <= action < LOAN and bool(free)
                assert END not in table.game.legal() or free
        assert builds and waits

    with_tables(file, look)


def test_refusals(file: Path) -> None:
    async def look(tables: Tables, table: Table) -> None:
        with pytest.raises(NotYourTurn):
            await tables.play_held(table.id, table.number, {1 - (table.deciding or 0)})
        table = await tables.undo(table.id, table.number)
        with pytest.raises(NotYourTurn, match="Nothing has been chosen"):
            await tables.play_held(table.id, table.number)
        with pytest.raises(CannotUndo):
            await tables.undo(table.id, table.number)
        with pytest.raises(IllegalAction):
            await tables.act(table.id, table.number, [END], hold=True)
        assert (await tables.get(table.id)).number == table.number

    seen(file, look)


def test_it_is_there_after_a_restart(file: Path) -> None:
    games: list[Table] = []

    async def begin(tables: Tables, table: Table) -> None:
        games.append(table)

    async def look(tables: Tables) -> None:
        table = await tables.get(games[0].id)
        assert table.held_action == games[0].held_action and table.number == games[0].number
        assert (await tables.play_held(table.id, table.number)).deciding != table.deciding

    seen(file, begin)
    with_tables(file, look)


def test_it_is_played_when_time_is_out(file: Path) -> None:
    async def look(tables: Tables) -> None:
        time = Time()
        time.rules(tables)
        table = await holding(tables, clock=TimeControl("turn", 60))
        seat = table.deciding
        time.passes(tables, 60)
        table = await until(tables, table.id, lambda table: table.deciding != seat)
        assert seat is not None and table.human(seat), "nobody stands in"
        assert not any(each.content.get("stand_ins", [""])[0] for each in table.table_events if each.kind == "note")
        assert table.held_action is None and loan(table) in [
            n for e in table.game.events if isinstance(e, Act) for n in e.numbers
        ]

    with_tables(file, look)


def test_it_is_played_when_a_bank_of_time_is_used_up(file: Path) -> None:
    """The turn counts as made: nobody stands in for it, but a computer player does for the next one."""

    async def look(tables: Tables) -> None:
        time = Time()
        time.rules(tables)
        table = await holding(tables, clock=TimeControl("bank", 60))
        seat, amount = table.deciding, loan(table)
        assert seat is not None
        time.passes(tables, 60)
        table = await until(tables, table.id, lambda table: table.deciding != seat)
        assert table.held_action is None and table.human(seat), "nobody stands in"
        acts = [event for event in table.game.events if isinstance(event, Act)]
        assert acts[-1] == Act(seat, (amount,)) and table.clocks is not None and table.clocks.left[seat] == 0
        while table.deciding != seat:  # the others take their time
            table = await tables.act(table.id, table.number, [table.game.legal()[-1]])
        tables.timeouts.check_now()
        table = await until(tables, table.id, lambda table: not table.human(seat))
        assert table.settings.seats[seat].stand_in

    with_tables(file, look)


def test_changes_by_staging_are_limited(file: Path) -> None:
    async def look(tables: Tables, table: Table) -> None:
        async def again() -> None:
            for _ in range(1000):
                await tables.act(table.id, table.number, [loan(table)], hold=True)

        with pytest.raises(TooMuch):
            await again()

    seen(file, look)
