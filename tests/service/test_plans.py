"""Prepared turns: kept for their seat alone, replaced and forgotten, dropped when the turn is over."""

from pathlib import Path

import pytest
from tests.position.test_planned_turn import way_and_build
from tests.service.table_helpers import settings_for, with_tables
from tests.service.test_held_action import loan, second_round

from elcapitan.engine.actions import END
from elcapitan.errors import BadSetup, Ended, IllegalAction, NotYourTurn, TooMuch
from elcapitan.service import FRIEND, HUMAN, Table, Tables
from elcapitan.service.decisions import MOST_PREPARED

pytestmark = pytest.mark.compiled
THREE = settings_for(HUMAN, FRIEND, HUMAN)
OTHER = 1  # a seat that plays after the first


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def turn_of_other(table: Table, seat: int = OTHER) -> tuple[int, ...]:
    """A whole turn that a seat could play, were it to move."""
    ahead = table.game.in_turn_of(seat)
    assert ahead is not None
    return way_and_build(ahead)


async def prepared(tables: Tables) -> Table:
    """A table at which the second seat has prepared its turn."""
    table = await tables.create(THREE)
    return await tables.prepare(table.id, table.number, OTHER, turn_of_other(table))


async def played(tables: Tables, table: Table, actions: tuple[int, ...]) -> Table:
    """The table after a seat has played these actions and ended its turn."""
    table = await tables.act(table.id, table.number, actions)
    return await tables.act(table.id, table.number, [END])


def test_a_turn_is_prepared_replaced_and_forgotten(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await prepared(tables)
        actions = turn_of_other(table)
        assert table.prepared == {OTHER: actions}
        shorter = await tables.prepare(table.id, table.number, OTHER, actions[:1])
        assert shorter.prepared == {OTHER: actions[:1]}
        again = await tables.prepare(table.id, table.number, OTHER, actions[:1])
        assert again.number == shorter.number, "nothing is written if nothing changes"
        gone = await tables.prepare(table.id, table.number, OTHER, ())
        assert not gone.prepared[OTHER]
        assert gone.game.event_count == table.game.event_count

    with_tables(file, look)


def test_it_does_not_make_moves_of_others_stale(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(THREE)
        await tables.prepare(table.id, table.number, OTHER, turn_of_other(table))
        moved = await tables.act(table.id, table.number, [table.game.legal()[0]])
        assert moved.prepared[OTHER], "and a move of another seat does not drop it"

    with_tables(file, look)


def test_it_is_kept_until_the_turn_is_over(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await prepared(tables)
        actions = turn_of_other(table)
        table = await played(tables, table, way_and_build(table.game))
        assert table.deciding == OTHER and table.prepared[OTHER] == actions
        table = await played(tables, table, way_and_build(table.game))
        assert not table.prepared[OTHER]

    with_tables(file, look)


def test_it_is_there_after_a_restart(file: Path) -> None:
    games: list[Table] = []

    async def begin(tables: Tables) -> None:
        games.append(await prepared(tables))

    async def look(tables: Tables) -> None:
        table = await tables.get(games[0].id)
        assert table.prepared == games[0].prepared and table.number == games[0].number

    with_tables(file, begin)
    with_tables(file, look)


def test_the_next_person_in_a_seat_does_not_get_it(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await prepared(tables)
        assert not (await tables.remove(table.id, OTHER)).prepared.get(OTHER)

    with_tables(file, look)


def test_refusals(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND, "trader"))
        actions = turn_of_other(table)
        for wrong in ([actions[-1]], [*actions, END], [END], actions * MOST_PREPARED, [-1], [10**9]):
            with pytest.raises(IllegalAction):
                await tables.prepare(table.id, table.number, OTHER, wrong)
        for seat in (2, 3, -1):
            with pytest.raises(BadSetup):
                await tables.prepare(table.id, table.number, seat, actions)
        assert (await tables.get(table.id)).number == table.number
        await tables.end(table.id)
        with pytest.raises(Ended):
            await tables.prepare(table.id, table.number, OTHER, actions)

    with_tables(file, look)


def test_ones_own_turn_can_be_planned_until_it_is_begun(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(THREE)
        turn = way_and_build(table.game)
        planned = await tables.prepare(table.id, table.number, 0, turn[:1])
        planned = await tables.prepare(table.id, planned.number, 0, turn)
        assert planned.prepared[0] == turn and planned.game.event_count == table.game.event_count
        with pytest.raises(IllegalAction):
            await tables.prepare(table.id, planned.number, 0, [*turn, turn[-1]])
        begun = await tables.act(table.id, table.number, turn[:1])  # no plan makes a move stale
        assert begun.prepared[0] == turn
        with pytest.raises(NotYourTurn, match="You have begun this turn"):
            await tables.prepare(table.id, begun.number, 0, turn[:2])
        undone = await tables.undo(table.id, begun.number)
        table = await tables.prepare(table.id, undone.number, 0, turn[:2])
        table = await played(tables, table, turn)
        assert not table.prepared[0] and table.deciding == OTHER

    with_tables(file, look)


def test_a_staged_turn_is_begun(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await second_round(tables)
        seat = table.deciding
        assert seat is not None
        borrow = [loan(table)]
        table = await tables.prepare(table.id, table.number, seat, borrow)
        assert table.prepared[seat] == tuple(borrow)
        table = await tables.act(table.id, table.number, borrow, hold=True)
        assert table.held_action == borrow[0], "a plan that ends in a loan waits for the end of the turn as a loan does"
        with pytest.raises(NotYourTurn):
            await tables.prepare(table.id, table.number, seat, borrow)
        assert (await tables.play_held(table.id, table.number)).deciding != seat

    with_tables(file, look)


def test_changes_are_limited(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await prepared(tables)
        actions = turn_of_other(table)

        async def again() -> None:
            for length in range(1000):
                await tables.prepare(table.id, table.number, OTHER, actions[: length % 2 + 1])

        with pytest.raises(TooMuch):
            await again()

    with_tables(file, look)
