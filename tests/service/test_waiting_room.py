"""The waiting room: who is ready, the start by the host, and persons who come late or come back."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from tests.service.table_helpers import Time, settings_for, until, waits, with_tables

from elcapitan.errors import BadRecord, BadSetup, Ended, NotYourTurn, TooMuch
from elcapitan.records.shuffles import check
from elcapitan.service import FRIEND, HUMAN, Table, Tables, TableSettings, TimeControl
from elcapitan.service.open_table import CHANGES_AT_ONCE
from elcapitan.service.table_settings import SUBSTITUTE

pytestmark = pytest.mark.compiled


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def with_free_seats(*players: str, **settings: object) -> TableSettings:
    """Settings as the pages make them: no friend has taken a seat."""
    made = settings_for(*players, **settings)
    return replace(made, seats=tuple(replace(seat, free=seat.player == FRIEND) for seat in made.seats))


async def gathered(tables: Tables, *players: str, **settings: object) -> Table:
    """A table with a waiting room in which no friend has come."""
    return await tables.create(with_free_seats(*(players or (HUMAN, FRIEND, FRIEND)), **settings), waiting=True)


def test_nothing_happens_before_the_start(file: Path) -> None:
    time = Time()

    async def look(tables: Tables) -> None:
        time.rules(tables)
        table = await gathered(tables, "wanderer", FRIEND, HUMAN, clock=TimeControl("turn", 60))
        assert table.waiting and not table.game.events and table.deciding is None and not table.thinking
        assert table.commitment, "the order of the cards is fixed already"
        assert table.clocks is not None and table.clocks.running is None
        time.passes(tables, 7 * 24 * 3600)
        await asyncio.sleep(0.05)
        for attempt in (
            tables.act(table.id, table.number, [0], [1]),
            tables.play_held(table.id, table.number, [1]),
            tables.undo(table.id, table.number, 1, [1]),
            tables.hint(table.id, table.number, None, [1]),
            tables.ask_undo(table.id, table.number, 1, 1),
            tables.answer_undo(table.id, table.number, 1, yes=True),
            tables.come_back(table.id, 1),
        ):
            with pytest.raises(NotYourTurn, match="has not begun"):
                await attempt
        with pytest.raises(BadRecord):
            await tables.branch(table.id, 1)
        assert (await tables.get(table.id)).number == table.number
        (summary,) = await tables.summaries()
        assert summary.waiting and not summary.waits_for_people and summary.due is None

    with_tables(file, look)


def test_the_host_starts_and_the_first_turn_begins(file: Path) -> None:
    time = Time()

    async def look(tables: Tables) -> str:
        time.rules(tables)
        table = await gathered(tables, HUMAN, FRIEND, "wanderer", clock=TimeControl("turn", 60), seed=None)
        promised = table.commitment
        time.now = time.now.replace(hour=18)
        table = await tables.start(table.id)
        assert not table.waiting and table.deciding == 0 and table.commitment == promised
        assert table.moved_at == time.now
        assert table.clocks is not None and table.clocks.running == 0 and table.clocks.left[0] == 60
        again = await tables.start(table.id, computers=True)
        assert again.number == table.number and again.settings == table.settings, "a second start changes nothing"
        (summary,) = await tables.summaries()
        assert not summary.waiting and summary.waits_for_people
        table = await tables.say_ready(table.id, 1, ready=True)
        assert table.number == again.number, "nor does saying ready afterwards"
        return table.id

    game = with_tables(file, look, bots=False)

    async def later(tables: Tables) -> None:
        table = await tables.get(game)
        assert table.frozen is None and not table.waiting and table.deciding == 0
        table = await tables.end(game)
        assert check(table.game, table.promises).fair

    with_tables(file, later, bots=False)


def test_a_room_survives_a_restart(file: Path) -> None:
    async def begin(tables: Tables) -> Table:
        table = await gathered(tables)
        await tables.keys.take_seat(table.id, "seat-1")
        return await tables.say_ready(table.id, 1, ready=True)

    before = with_tables(file, begin, bots=False)

    async def again(tables: Tables) -> None:
        table = await tables.get(before.id)
        assert table.waiting and table.frozen is None and table.settings == before.settings
        assert [seat.ready for seat in table.settings.seats] == [False, True, False]
        assert (await tables.start(table.id)).deciding == 0

    with_tables(file, again, bots=False)


def test_saying_ready_is_idempotent_bounded_and_for_persons(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await gathered(tables, HUMAN, FRIEND, "captain")
        ready = await tables.say_ready(table.id, 1, ready=True)
        assert ready.settings.seats[1].ready and not ready.settings.seats[1].free, "whoever speaks has taken the seat"
        assert (await tables.say_ready(table.id, 1, ready=True)).number == ready.number
        assert not (await tables.say_ready(table.id, 1, ready=False)).settings.seats[1].ready
        for seat in (2, 3, -1):
            with pytest.raises(BadSetup):
                await tables.say_ready(table.id, seat, ready=True)
        for turn in range(CHANGES_AT_ONCE - 2):
            await tables.say_ready(table.id, 1, ready=turn % 2 == 0)
        with pytest.raises(TooMuch):
            await asyncio.gather(*(tables.say_ready(table.id, 1, ready=turn % 2 == 0) for turn in range(20)))
        assert (await tables.start(table.id)).deciding == 0, "that keeps nobody else from starting"

    with_tables(file, look, bots=False)


def test_computers_play_for_those_who_are_missing_until_they_come(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await gathered(tables, HUMAN, FRIEND, FRIEND, FRIEND, FRIEND)
        link = await tables.keys.link(table.id, "seat-1")
        for seat in (2, 3, 4):
            assert await tables.keys.take_seat(table.id, await role_with_key(tables, table.id, seat))
        await tables.say_ready(table.id, 2, ready=True)
        async with following_as(tables, table.id, 3):  # at the table, but has not said anything
            table = await tables.start(table.id, computers=True)
        assert [seat.stand_in for seat in table.settings.seats] == ["", SUBSTITUTE, "", "", SUBSTITUTE]
        assert table.settings.seats[1].free, "the first one who opens the link has the seat"
        assert await tables.keys.by_token(link) == (table.id, "seat-1")
        table = await tables.come_back(table.id, 4)
        assert [seat.stand_in for seat in table.settings.seats] == [""] * 5
        assert (await tables.come_back(table.id, 4)).number == table.number

    with_tables(file, look, bots=False)


async def role_with_key(tables: Tables, game: str, seat: int) -> str:
    """The role of a seat, to which there is a key."""
    await tables.keys.link(game, f"seat-{seat}")
    return f"seat-{seat}"


class following_as:  # noqa: N801 - used like a function
    """Somebody with a seat follows a table for the duration of a `with` block."""

    def __init__(self, tables: Tables, game: str, seat: int) -> None:
        self._stream = tables.follow(game, frozenset({seat}))

    async def __aenter__(self) -> None:
        await anext(self._stream)

    async def __aexit__(self, *_error: object) -> None:
        await self._stream.aclose()


def test_a_start_that_waits_for_those_who_are_missing(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await gathered(tables, FRIEND, HUMAN)
        table = await tables.start(table.id)
        assert table.deciding == 0 and table.human(0) and table.settings.seats[0].free

    with_tables(file, look, bots=False)


def test_a_seat_given_away_or_left_to_the_computer_before_the_start(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await gathered(tables)
        await role_with_key(tables, table.id, 1)
        await tables.keys.take_seat(table.id, "seat-1")
        await tables.say_ready(table.id, 1, ready=True)
        table = await tables.remove(table.id, 1)
        assert (
            table.settings.seats[1].free and not table.settings.seats[1].ready and not table.settings.seats[1].stand_in
        )
        table = await tables.stand_in(table.id, 1, "wanderer")
        assert table.settings.seats[1].free and table.settings.seats[1].stand_in == "wanderer"
        table = await tables.say_ready(table.id, 1, ready=True)
        assert not table.settings.seats[1].stand_in, "whoever is ready plays"

    with_tables(file, look, bots=False)


def test_of_two_who_take_a_seat_at_once_one_has_it(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await gathered(tables)
        role = await role_with_key(tables, table.id, 1)
        taken = await asyncio.gather(*(tables.keys.take_seat(table.id, role) for _ in range(5)))
        assert sorted(taken) == [False] * 4 + [True]
        assert not await tables.keys.take_seat(table.id, "watch") and not await tables.keys.take_seat(table.id, "host")
        assert not await tables.keys.take_seat(table.id, "seat-2"), "nothing opens it yet"

    with_tables(file, look, bots=False)


def test_an_ended_room_cannot_be_started(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await gathered(tables)
        table = await tables.end(table.id)
        assert table.over and not table.waiting
        with pytest.raises(Ended):
            await tables.start(table.id)
        (summary,) = await tables.summaries()
        assert not summary.waiting

    with_tables(file, look, bots=False)


def test_who_ran_out_of_time_gets_no_new_time_by_coming_back(file: Path) -> None:
    time = Time()

    async def look(tables: Tables) -> None:
        time.rules(tables)
        for clock in (TimeControl("bank", 60), TimeControl("turn", 60)):
            table = await tables.create(settings_for(HUMAN, FRIEND, clock=clock))
            time.passes(tables, 61)
            table = await until(tables, table.id, lambda seen: bool(seen.settings.seats[0].stand_in))
            with pytest.raises(NotYourTurn, match="time is up"):
                await tables.come_back(table.id, 0)
            await tables.delete(table.id)

    with_tables(file, look)


def test_going_back_does_not_wait_for_friends_who_never_came(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.start((await gathered(tables)).id)
        while table.deciding == 0:
            table = await tables.act(table.id, table.number, [table.game.legal()[-1]], [0])
        await tables.stand_in(table.id, 1, "wanderer")
        table = await tables.stand_in(table.id, 2, "wanderer")
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert table.undo_vote is None and len(table.game.events) < 3 and table.deciding == 0

    with_tables(file, look, bots=False)


def test_computer_players_move_as_soon_as_the_game_has_begun(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await gathered(tables, "wanderer", FRIEND)
        await tables.start(table.id, computers=False)
        table = await until(tables, table.id, waits)
        assert table.deciding == 1

    with_tables(file, look)
