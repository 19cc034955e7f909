"""Whatever is asked of two processes in whatever order, at once or one after the other: both agree with the log."""

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.service.table_helpers import TWO, until

from elcapitan.errors import ElCapitanError
from elcapitan.service import CannotUndo, NotYourTurn, StaleVersion, Table, Tables

if TYPE_CHECKING:
    from tests.postgres import Postgres

pytestmark = pytest.mark.compiled
REFUSED = (StaleVersion, CannotUndo, NotYourTurn)


@dataclass
class Street:
    """Two processes that stay open from one example to the next."""

    loop: asyncio.Runner
    houses: list[Tables]


@pytest.fixture(scope="module")
def street(postgres: "Postgres") -> Iterator[Street]:
    url = postgres.empty()
    with asyncio.Runner() as loop:
        stack = AsyncExitStack()
        houses = [loop.run(stack.enter_async_context(Tables.open(url, bots=False))) for _ in range(2)]
        yield Street(loop, houses)
        loop.run(stack.aclose())
    postgres.drop(url)


request = st.tuples(
    st.integers(0, 1),  # which process is asked
    st.sampled_from(["act", "act", "act", "undo", "redo", "note", "say", "wrong seat", "stale"]),
    st.integers(0, 2**16),
)
moment = st.lists(request, min_size=1, max_size=4)  # what is asked at once: a double click is twice the same


def asked(tables: Tables, table: Table, what: str, value: int) -> Awaitable[Table]:
    """Ask for something that may be refused."""
    legal = table.game.legal()
    chosen = [legal[value % len(legal)]] if legal else [0]
    match what:
        case "act":
            return tables.act(table.id, table.number, chosen)
        case "undo":
            return tables.undo(table.id, table.number, 1 + value % 2)
        case "redo":
            return tables.redo(table.id, table.number)
        case "note":
            return tables.change(table.id, title=f"Title {value % 3}")
        case "say":
            return tables.say(table.id, None if value % 2 else 0, f"line {value}")
        case "wrong seat":
            return tables.act(table.id, table.number, chosen, {1 - (table.deciding or 0)})
        case _:
            return tables.act(table.id, max(0, table.number - 1 - value % 5), chosen)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(st.lists(moment, min_size=4, max_size=15))
def test_anything_at_once_in_two_processes(street: Street, moments: list[list[tuple[int, str, int]]]) -> None:
    async def run() -> None:
        seed = 7 if len(moments) % 2 else None  # without one a key decides, in both processes the same
        table = await street.houses[0].create(replace(TWO, seed=seed))
        for moment in moments:
            before = table
            asking = [asked(street.houses[house], table, what, value) for house, what, value in moment]
            answers = await asyncio.gather(*asking, return_exceptions=True)
            for answer in answers:
                if isinstance(answer, BaseException):
                    assert isinstance(answer, REFUSED) or is_too_much(answer), answer
            stepped = {
                answer.number
                for answer, (_house, what, _value) in zip(answers, moment, strict=True)
                if isinstance(answer, Table) and what in ("act", "undo", "redo")
            }
            table = await agreed(street.houses, table.id)
            assert max(stepped, default=before.number) <= table.number
            assert all(before.number < number for number in stepped)

    def is_too_much(answer: BaseException) -> bool:
        return isinstance(answer, ElCapitanError) and answer.reason == "too-many-lines"

    street.loop.run(run())


async def agreed(houses: list[Tables], game: str) -> Table:
    """The table as it is stored, when both processes show it so."""
    stored = await houses[0].writer.load(game)
    assert stored.state.dealt.problem is None
    seen = [
        await until(tables, game, lambda table: (table.number, table.chat) == (stored.number, stored.chat[-50:]), 20)
        for tables in houses
    ]
    for tables, table in zip(houses, seen, strict=True):
        live = tables.in_memory[game]
        assert live.row == stored.row and live.state.dealt.secret == stored.state.dealt.secret
        assert table.game.events == stored.state.dealt.game.events
        assert (live.state.dealt.turn, live.state.dealt.undone) == (stored.state.dealt.turn, stored.state.dealt.undone)
    return seen[0]
