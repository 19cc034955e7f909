"""Whatever people do in whatever order: log, game and a fresh reading of the database agree."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.service.tabling import plan

from elcapitan.errors import ElCapitanError, IllegalAction
from elcapitan.game import Game
from elcapitan.report import position, without_secrets
from elcapitan.service import HUMAN, CannotUndo, NotYourTurn, StaleMove, Table, Tables
from elcapitan.service.course import told

pytestmark = pytest.mark.compiled
EXPECTED = {
    "stale": StaleMove,
    "wrong seat": NotYourTurn,
    "illegal": IllegalAction,
}


@dataclass
class House:
    """Tables that stay open from one example to the next."""

    loop: asyncio.Runner
    tables: Tables


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    file: Path = tmp_path_factory.mktemp("order") / "games.db"
    with asyncio.Runner() as loop:
        stack = AsyncExitStack()
        tables = loop.run(stack.enter_async_context(Tables.open(file)))
        yield House(loop, tables)
        loop.run(stack.aclose())


step = st.one_of(
    st.tuples(st.just("act"), st.integers(0, 2**16)),
    st.tuples(st.just("act"), st.integers(0, 2**16)),
    st.tuples(st.just("act"), st.integers(0, 2**16)),
    st.tuples(st.just("two"), st.integers(0, 2**16)),
    st.tuples(st.just("undo"), st.integers(1, 3)),
    st.tuples(st.just("redo"), st.integers(1, 3)),
    st.tuples(st.just("note"), st.integers(0, 3)),
    st.tuples(st.just("branch"), st.integers(0, 2**16)),
    st.tuples(st.just("stale"), st.integers(-9, -1)),
    st.tuples(st.just("wrong seat"), st.integers(1, 2)),
    st.tuples(st.just("illegal"), st.integers(0, 2**16)),
)


async def take(tables: Tables, table: Table, what: str, value: int) -> Table:
    """One step; the table after it."""
    legal = table.game.legal()
    chosen = [legal[value % len(legal)]] if legal else [0]
    if what == "act":
        return await tables.act(table.id, table.number, chosen, table.deciding)
    if what == "two":
        trial = table.game.copy()
        trial.play(chosen[0])
        return await tables.act(table.id, table.number, [*chosen, *trial.legal()[-1:]])
    if what == "undo":
        return await tables.undo(table.id, table.number, value)
    if what == "redo":
        return await tables.redo(table.id, table.number, value)
    if what == "note":
        return await tables.change(table.id, pace=["slow", "normal", "fast", "instant"][value])
    if what == "branch":
        return await tables.branch(table.id, 1 + value % len(table.game.events))
    if what == "stale":
        return await tables.act(table.id, max(0, table.number + value * 99), chosen)
    if what == "wrong seat":
        return await tables.act(table.id, table.number, chosen, ((table.deciding or 0) + value) % 3)
    return await tables.act(table.id, table.number, [value + 2000])


async def check(tables: Tables, table: Table) -> None:
    """Memory, log and a fresh reading agree, and so does a game that is told only what the table shows."""
    live, stored = tables._live[table.id], await tables._clerk.load(table.id)
    assert stored.course.problem is None
    assert (stored.sheet, stored.moved, stored.plan) == (live.sheet, live.moved, live.plan)
    assert stored.course.secret == live.course.secret
    assert stored.course.game.position.tobytes() == live.course.game.position.tobytes()
    assert (stored.course.turn, stored.course.undone) == (live.course.turn, live.course.undone)
    assert stored.course.events == live.course.events == len(table.game.events)
    again = told(table.game.setup, table.game.figures, table.game.events)
    if table.game.position.pirate_at < 0:  # a voyage not yet landed is no event
        assert visible(again) == visible(table.game) == visible(live.course.dealer)
    assert table.undoable == most_undos(table.game)


def visible(game: Game) -> bytes:
    return without_secrets(position(game.position.tobytes())).tobytes()


def most_undos(game: Game) -> int:
    trial, count = game.copy(), 0
    while True:
        try:
            trial.undo()
        except CannotUndo:
            return count
        count += 1


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(st.lists(step, min_size=10, max_size=40), st.booleans(), st.integers(0, 10**9))
def test_any_order_of_anything(house: House, steps: list[tuple[str, int]], pirate: bool, seed: int) -> None:
    async def run() -> None:
        tiles = ("Islas Canarias",) if pirate else ()
        table = await house.tables.create(plan(HUMAN, HUMAN, HUMAN, tiles=tiles, seed=seed))
        for number, (what, value) in enumerate(steps):
            before, refused = table, None
            try:
                table = await take(house.tables, table, what, value)
            except ElCapitanError as error:
                refused = error
            if what in EXPECTED or refused:
                assert isinstance(refused, EXPECTED.get(what, (CannotUndo, NotYourTurn))) and str(refused), what
                assert (await house.tables.get(table.id)).number == before.number
            if number % 10 == 0:
                await check(house.tables, table)
        await check(house.tables, table)

    house.loop.run(run())
