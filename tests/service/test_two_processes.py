"""Several processes at the same games in a PostgreSQL: what one does the others see, and no move is lost or doubled."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from tests.postgres import Postgres, rows
from tests.service.table_helpers import LONGEST, THREE, TWO, Time, following, play_randomly, settings_for, until, waits
from tests.store.test_notifications import OTHERS

from elcapitan.background_tasks import in_background
from elcapitan.errors import NoSuchGame
from elcapitan.service import HUMAN, StaleVersion, Table, Tables, open_table, sync
from elcapitan.service import bots as service_bots
from elcapitan.store import postgresql

pytestmark = pytest.mark.compiled


@asynccontextmanager
async def company(database: str, *settings: dict[str, Any]) -> AsyncIterator[list[Tables]]:
    """Several processes, as far as they know of one another."""
    async with asyncio.timeout(LONGEST), AsyncExitStack() as stack:
        opened = [Tables.open(database, **{"bots": False, "workers": 1, **each}) for each in settings or ({}, {})]
        yield [await stack.enter_async_context(each) for each in opened]


def with_company(database: str, work: Callable[..., Awaitable[None]], *settings: dict[str, Any]) -> None:
    async def run() -> None:
        async with company(database, *settings) as tables:
            await work(*tables)

    asyncio.run(run())


async def as_far(tables: Tables, table: Table) -> Table:
    """A table as soon as it is as far as it was elsewhere."""
    return await until(tables, table.id, lambda seen: seen.number >= table.number)


async def further(tables: Tables, table: Table) -> Table:
    """A table after some more moves."""
    return await until(tables, table.id, lambda seen: len(seen.game.events) > len(table.game.events) + 3)


def log_numbers(database: str) -> list[object]:
    return [number for (number,) in rows(database, "SELECT number FROM entries ORDER BY number")]


# ------------------------------------------------------------------------------------------------------------ moves


def test_a_move_is_seen_in_the_other_process(shared: str) -> None:
    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(THREE)
        seen = await other.get(table.id)
        for _ in range(5):
            table = await one.act(table.id, table.number, [table.game.legal()[0]])
            seen = await as_far(other, table)
            assert seen.game.position.tobytes() == table.game.position.tobytes()
            one, other = other, one

    with_company(shared, look)


def test_only_what_is_new_is_read(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(THREE)
        await other.get(table.id)
        monkeypatch.setattr(type(other.writer), "load", None)
        table = await play_randomly(one, table, random.Random(1), 30)
        seen = await as_far(other, table)
        assert seen.game.events == table.game.events and seen.undoable == table.undoable

    with_company(shared, look)


def test_who_has_seen_more_than_a_process_is_not_late(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person looks at one process and acts in the other, before news has reached that."""

    async def deaf(_self: object) -> None:
        """Hear nothing."""

    monkeypatch.setattr(sync.Sync, "follow", deaf)

    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(THREE)
        await other.get(table.id)
        for _ in range(6):
            table = await one.act(table.id, table.number, [table.game.legal()[-1]])
            one, other = other, one

    with_company(shared, look)


def test_of_two_who_act_at_once_one_is_late(shared: str) -> None:
    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(TWO)
        dice = random.Random(2)
        for _ in range(20):
            tries = [tables.act(table.id, table.number, [dice.choice(table.game.legal())]) for tables in (one, other)]
            found = await asyncio.gather(*tries, return_exceptions=True)
            (table,) = [each for each in found if isinstance(each, Table)]
            assert [type(each) for each in found if not isinstance(each, Table)] == [StaleVersion]
            assert (await one.get(table.id)).number <= table.number
            await asyncio.gather(*(as_far(each, table) for each in (one, other)))

    with_company(shared, look)
    assert log_numbers(shared) == list(range(1, len(log_numbers(shared)) + 1))


def test_a_whole_game_by_people_in_both_processes(shared: str) -> None:
    """Four people in each of two processes press all the time; who is late looks again."""

    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(TWO)
        acknowledged: list[int] = []

        async def press(tables: Tables, dice: random.Random) -> None:
            while not (seen := await tables.get(table.id)).game.over:
                try:
                    after = await tables.act(seen.id, seen.number, [dice.choice(seen.game.legal())])
                    acknowledged.append(after.number)
                except StaleVersion:
                    await asyncio.sleep(0)

        await asyncio.gather(*(press(tables, random.Random(who)) for who in range(4) for tables in (one, other)))
        ends = [await tables.get(table.id) for tables in (one, other)]
        assert ends[0].game.events == ends[1].game.events and ends[0].number == ends[1].number
        assert len(acknowledged) == len(set(acknowledged)), "no move was acknowledged twice"
        again = await one.writer.load(table.id)
        assert again.state.dealt.problem is None and again.state.dealt.game.events == ends[0].game.events

    with_company(shared, look)
    assert log_numbers(shared) == list(range(1, len(log_numbers(shared)) + 1))


def test_settings_and_taking_back_are_seen_too(shared: str) -> None:
    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(THREE)
        await other.get(table.id)
        table = await one.act(table.id, table.number, [table.game.legal()[-1]])
        table = await one.undo(table.id, table.number)
        table = await one.change(table.id, title="Évora")
        seen = await as_far(other, table)
        assert seen.settings.title == "Évora" and seen.redoable == 1

    with_company(shared, look)


def test_a_wish_lapses_once_and_everywhere(shared: str) -> None:
    time = Time()

    async def look(one: Tables, other: Tables) -> None:
        for tables in (one, other):
            time.rules(tables)
        table = await one.create(THREE)
        table = await one.act(table.id, table.number, [table.game.legal()[0]])
        table = await one.ask_undo(table.id, table.number, 1, 1)
        assert table.undo_vote == (await as_far(other, table)).undo_vote
        time.now += timedelta(seconds=60)
        for tables in (other, one):
            tables.timeouts.check_now()
        for tables in (one, other):
            seen = await until(tables, table.id, lambda seen: seen.number > table.number)
            assert [each.kind for each in seen.table_events] == ["wish", "lapse"] and seen.undo_vote is None

    with_company(shared, look, {"bots": True}, {"bots": True})


def test_a_game_thrown_away(shared: str) -> None:
    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(THREE)
        async with following(other, table.id) as versions:
            await anext(versions)
            await one.delete(table.id)
            async for _version in versions:
                pass  # until it ends
        with pytest.raises(NoSuchGame):
            await other.get(table.id)

    with_company(shared, look)


# ----------------------------------------------------------------------------------------------- talk, keys, presence


def test_what_is_said_is_heard_everywhere(shared: str) -> None:
    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(THREE)
        await other.get(table.id)
        await one.say(table.id, 0, "Ahoy!")
        await until(other, table.id, lambda seen: len(seen.chat) == 1)
        await other.say(table.id, 1, "Ahoy yourself!")
        seen = await until(one, table.id, lambda seen: len(seen.chat) == 2)
        assert [(line.number, line.seat, line.text) for line in seen.chat] == [
            (1, 0, "Ahoy!"),
            (2, 1, "Ahoy yourself!"),
        ]

    with_company(shared, look)


def test_a_key_that_opens_no_more_opens_nowhere(shared: str) -> None:
    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(settings_for("friend", HUMAN))
        token = await one.keys.link(table.id, "seat-0")
        rights = await other.keys.rights(table.id, [token])
        assert rights is not None and rights.seats == {0}
        await one.remove(table.id, 0)
        await until(other, table.id, lambda seen: not seen.human(0))
        async with asyncio.timeout(10):
            while await other.keys.rights(table.id, [token]) is not None:
                await asyncio.sleep(0.01)

    with_company(shared, look)


def test_who_looks_on_is_known_everywhere(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_table, "LEAVING_SECONDS", 0.01)

    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(settings_for("friend", "friend"))
        looking_on = [tables.follow(table.id, frozenset((seat,))) for seat, tables in enumerate((one, other))]
        for stream in looking_on:
            await anext(stream)
        for tables in (one, other):
            await until(tables, table.id, lambda seen: seen.present == {0, 1})
        for stream in looking_on:
            await stream.aclose()
        for tables in (one, other):
            await until(tables, table.id, lambda seen: not seen.present)

    with_company(shared, look)


def test_who_has_left_does_not_come_back_by_an_older_message(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_table, "LEAVING_SECONDS", 0.01)

    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(settings_for("friend", "friend"))
        await other.get(table.id)
        notify = one.store.notify

        async def slow(game: str, what: str) -> None:
            await asyncio.sleep(0.5 if what.endswith(":0") else 0)  # that somebody is there takes longer
            await notify(game, what)

        monkeypatch.setattr(one.store, "notify", slow)
        stream = one.follow(table.id, frozenset((0,)))
        await anext(stream)
        await stream.aclose()
        await until(other, table.id, lambda seen: seen.present == {0})
        await until(other, table.id, lambda seen: not seen.present, seconds=10)

    with_company(shared, look)


def test_who_comes_later_is_told_who_looks_on(shared: str) -> None:
    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(settings_for("friend", "friend"))
        stream = one.follow(table.id, frozenset((1,)))
        await anext(stream)
        await until(other, table.id, lambda seen: seen.present == {1})
        await stream.aclose()

    with_company(shared, look)


def test_nothing_is_believed_of_a_process_that_is_gone(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync, "BEAT", 0.5)

    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(settings_for("friend", "friend"))
        await other.get(table.id)

        async def haunt() -> None:
            while True:  # the other may not be listening yet
                await one.store.notify(table.id, "present:ghost:0")
                await asyncio.sleep(0.2)

        async with in_background(haunt()):
            await until(other, table.id, lambda seen: seen.present == {0})
        await until(other, table.id, lambda seen: not seen.present)

    with_company(shared, look)


# ------------------------------------------------------------------------------------------------------- broken lines


def test_nothing_is_missed_while_the_line_is_broken(
    shared: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "AGAIN", 0.2)

    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(THREE)
        await other.get(table.id)
        await one.act(table.id, table.number, [table.game.legal()[0]])
        await until(other, table.id, lambda seen: seen.number > table.number)
        assert await asyncio.to_thread(postgres.run, OTHERS) == [(True,), (True,)]
        table = await one.get(table.id)
        table = await one.act(table.id, table.number, [table.game.legal()[0]])
        await one.say(table.id, 0, "Can you hear me?")
        seen = await until(other, table.id, lambda seen: seen.number == table.number and len(seen.chat) == 1)
        assert seen.game.events == table.game.events

    with_company(shared, look)


# --------------------------------------------------------------------------------------------------- computer players

BOTS = {"bots": True}
ASKING = {"bots": True, "jobs": "ask"}
WORKING = {"bots": True, "jobs": "work"}


def test_computer_players_in_two_processes(shared: str, inside: list[object]) -> None:
    """Both let them play; who is late leaves the table to the other, and nothing happens twice."""

    async def look(one: Tables, other: Tables) -> None:
        table = await one.create(settings_for("captain", "wanderer", "captain"))
        await other.get(table.id)
        ends = await asyncio.gather(*(until(tables, table.id, lambda seen: seen.game.over) for tables in (one, other)))
        assert ends[0].game.events == ends[1].game.events
        assert (await one.writer.load(table.id)).state.dealt.problem is None

    with_company(shared, look, BOTS, BOTS)


def test_people_in_one_process_and_computer_players_in_another(shared: str, inside: list[object]) -> None:
    async def look(one: Tables, other: Tables, worker: Tables) -> None:
        table = await one.create(settings_for(HUMAN, "captain", HUMAN))
        dice = random.Random(3)
        while len(table.game.events) < 40:
            await as_far(one, table)
            table = await until(one, table.id, waits)
            table = await other.act(table.id, table.number, [dice.choice(table.game.legal())])
        seen = await as_far(worker, table)
        assert seen.game.events[: len(table.game.events)] == table.game.events
        assert one.bots.processes.processes == 0 and not inside_of(one), "those who ask do not play"

    def inside_of(tables: Tables) -> bool:
        return any(live.bots for live in tables.in_memory.values())

    with_company(shared, look, ASKING, ASKING, WORKING)


def test_a_turn_that_nobody_was_asked_for(shared: str, inside: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """A process was killed after a person's move and before it could ask."""
    monkeypatch.setattr(service_bots, "ROUND", 0.2)

    async def look(one: Tables, _worker: Tables) -> None:
        table = await one.create(settings_for(HUMAN, "captain"))
        while waits(table):
            table = await one.act(table.id, table.number, [table.game.legal()[-1]])
        table = await until(one, table.id, waits)
        assert table.deciding == 0

    for player in (BOTS, WORKING):
        with_company(shared, look, {}, player)


def test_workers_that_come_and_go(shared: str, inside: list[object]) -> None:
    """A worker that ends in the middle of a game leaves its job to the next."""

    async def look(one: Tables) -> None:
        table = await one.create(settings_for("captain", "wanderer", pace="fast"))
        for _ in range(3):
            async with Tables.open(shared, workers=1, jobs="work"):
                table = await further(one, table)
            assert rows(shared, "SELECT status::text FROM procrastinate_jobs") == [("todo",)]
        await one.change(table.id, pace="instant")
        async with Tables.open(shared, workers=1, jobs="work"):
            await until(one, table.id, lambda seen: seen.game.over)

    with_company(shared, look, ASKING)


def test_the_database_starts_again(
    shared: str, postgres: Postgres, inside: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody goes on by themselves: people, computer players, those who look on."""
    monkeypatch.setattr(postgresql, "AGAIN", 0.1)
    monkeypatch.setattr(service_bots, "AFTER_TROUBLE", 0.1)
    monkeypatch.setattr(postgresql, "AFTER_TROUBLE", 0.1)
    monkeypatch.setattr(postgresql, "SIGN_OF_LIFE", 0.3)
    monkeypatch.setattr(postgresql, "SILENCE", 1.5)
    monkeypatch.setattr(service_bots, "ROUND", 1.0)

    async def look(one: Tables, _worker: Tables) -> None:
        table = await one.create(settings_for("captain", "wanderer", pace="fast"))
        await until(one, table.id, lambda seen: len(seen.game.events) > 4)
        await asyncio.to_thread(postgres.kill)
        await asyncio.to_thread(postgres.start)
        before = (await one.get(table.id)).number
        await until(one, table.id, lambda seen: seen.number > before + 4)
        await one.change(table.id, pace="instant")
        await until(one, table.id, lambda seen: seen.game.over)

    with_company(shared, look, ASKING, WORKING)
    assert log_numbers(shared) == list(range(1, len(log_numbers(shared)) + 1))
