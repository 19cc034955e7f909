"""Long logs: they are read in linear time, hold up no other table, and do not grow without end."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.service.table_helpers import TWO, settings_for, with_tables

from elcapitan.board.figures import packaged
from elcapitan.errors import ElCapitanError, LogFull, TooMuch
from elcapitan.game.game import RULES_VERSION
from elcapitan.service import FRIEND, HUMAN, Tables, decisions, open_table, table_settings
from elcapitan.service.dealt_game import new_game
from elcapitan.service.log import Note, rows_of
from elcapitan.service.open_table import Allowance
from elcapitan.service.state import TableState, replayed
from elcapitan.store.game_store import GameRow, GameStore, LogRow, Snapshot

NOW = datetime(2026, 11, 17, tzinfo=UTC)


def long_log(notes: int) -> tuple[GameRow, list[LogRow]]:
    """A game whose title was changed very often."""
    dealt, happened = new_game(TWO, packaged())
    happened = [*happened, *(Note({"title": f"{number}"}) for number in range(notes))]
    row = GameRow(
        id="long",
        created=NOW,
        changed=NOW,
        rules=RULES_VERSION,
        board=packaged().name,
        setup=table_settings.setup_to_json(dealt.game.setup),
        plan=table_settings.to_json(TWO),
        length=len(happened),
        over=False,
        standing=TableState(dealt, TWO).standing,
    )
    return row, rows_of(happened, 0, NOW, packaged())


def seconds(notes: int) -> float:
    """The processor time that it takes to play such a log again."""
    row, log = long_log(notes)
    took = []
    for _ in range(3):
        begin = time.process_time()
        state = replayed(row, log, None, packaged())
        took.append(time.process_time() - begin)
        assert len(state.table_events) == notes
    return min(took)


def test_playing_a_log_again_is_linear() -> None:
    seconds(10)
    few, many = seconds(1500), seconds(12_000)
    assert many < 20 * few, "eight times as many entries; square would be 64 times as long"


def test_what_is_told_besides_the_game_stays_as_it_was_for_those_who_have_it() -> None:
    course, _happened = new_game(TWO, packaged())
    first = TableState(course, TWO).after(Note({"title": "one"}), NOW)
    second = first.after(Note({"title": "two"}), NOW)
    other = first.after(Note({"title": "other"}), NOW)
    assert [each.content["title"] for each in first.table_events] == ["one"]
    assert [each.content["title"] for each in second.table_events] == ["one", "two"]
    assert [each.content["title"] for each in other.table_events] == ["one", "other"]
    assert second.table_events[-1].content == {"title": "two"} and second.table_events != other.table_events
    assert list(second.table_events[:1]) == list(first.table_events)
    with pytest.raises(IndexError):
        first.table_events[1]
    course.act([course.game.legal()[0]])
    events = course.event_count
    told = second.after(Note({"title": "late"}), NOW)
    assert told.table_events[-1].after == events
    course.undo(1)
    back = told.after(Note({"title": "back"}), NOW)
    assert [each.after for each in back.table_events][-2:] == [events - 1, events - 1], "at the latest then"
    assert told.table_events[-1].after == events


def test_a_long_log_holds_up_no_other_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(tables: Tables) -> None:
        with monkeypatch.context() as at_first:
            at_first.setattr(open_table, "MOST_LIVE", 0)  # so that both are read again
            games = [(await tables.create(TWO)).id for _ in range(2)]
        slow, loads, whole = asyncio.Event(), list[str](), GameStore.read

        async def read(self: GameStore, game: str) -> tuple[GameRow, list[LogRow], Snapshot | None]:
            loads.append(game)
            if game == games[0]:
                await slow.wait()
            return await whole(self, game)

        monkeypatch.setattr(GameStore, "read", read)
        waiting = [asyncio.create_task(tables.get(games[0])) for _ in range(3)]
        await asyncio.sleep(0)
        async with asyncio.timeout(60):
            assert (await tables.get(games[1])).id == games[1]
            assert not any(task.done() for task in waiting)
            slow.set()
            assert {table.id for table in await asyncio.gather(*waiting)} == {games[0]}
        assert sorted(loads) == sorted(games), "each is loaded once"

    with_tables(tmp_path / "games.db", work, bots=False)


async def refused(what: Callable[[], Awaitable[object]]) -> str:
    """Why something is refused."""
    with pytest.raises((TooMuch, LogFull)) as caught:
        await what()
    return caught.value.reason


def test_a_table_is_not_changed_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_table, "CHANGES_AT_ONCE", 4)
    monkeypatch.setattr(open_table, "CHANGES_PER_SECOND", 1e-6)

    async def work(tables: Tables) -> None:
        table = await tables.create(TWO)
        game = table.id
        for number in range(4):
            table = await tables.change(game, title=f"{number}")
        table = await tables.change(game, title="3")  # nothing is written, and nothing counted
        table = await tables.act(game, table.number, [table.game.legal()[0]])
        table = await tables.undo(game, table.number)
        for _ in range(3):
            table = await tables.rename(game, 0, f"Name {table.number}")
        written = table.number
        assert await refused(lambda: tables.change(game, title="again")) == "too-many-changes"
        assert await refused(lambda: tables.stand_in(game, 1, "captain")) == "too-many-changes"
        assert await refused(lambda: tables.redo(game, written)) == "too-many-changes"
        table = await tables.get(game)
        assert table.number == written and table.settings.title == "3"
        table = await tables.act(game, table.number, [table.game.legal()[0]])  # the game goes on
        assert await refused(lambda: tables.ask_undo(game, table.number, 0, 1)) == "too-many-changes"
        assert (await tables.end(game)).settings.ended

    with_tables(tmp_path / "games.db", work, bots=False)


def test_a_full_log_takes_moves_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(tables: Tables) -> None:
        table = await tables.create(TWO)
        monkeypatch.setattr(decisions, "MOST_ENTRIES", table.number)
        table = await tables.act(table.id, table.number, [table.game.legal()[0]])
        assert await refused(lambda: tables.undo(table.id, table.number)) == "log-full"
        table = await tables.change(table.id, title="the host has some more")
        monkeypatch.setattr(decisions, "MOST_HOST_ENTRIES", table.number)
        assert await refused(lambda: tables.change(table.id, title="one more")) == "log-full"

    with_tables(tmp_path / "games.db", work, bots=False)


def test_an_allowance_comes_back_with_time() -> None:
    now = 0.0
    allowance = Allowance(2, 0.5, lambda: now)
    assert [allowance.take() for _ in range(3)] == [0, 0, 2]
    now = 2.0
    assert [allowance.take() for _ in range(2)] == [0, 2]
    now = 1000.0
    assert [allowance.take() for _ in range(3)] == [0, 0, 2]


def test_a_long_log_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "games.db"

    async def write(tables: Tables) -> tuple[GameRow, list[LogRow]]:
        table = await tables.create(TWO)
        live = tables.in_memory[table.id]
        notes = [Note({"title": f"{number}"}) for number in range(1234)]
        log = rows_of(notes, live.number, NOW, packaged())
        row = replace(live.row, length=live.number + len(log))
        await tables.store.append(live.number, row, log, None)
        return row, log

    row, log = with_tables(file, write, bots=False)
    read = with_tables(file, lambda tables: tables.get(row.id), bots=False)
    assert read.number == row.length and [each.content for each in read.table_events] == [each.content for each in log]


def test_a_player_cannot_use_up_the_changes_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither with wishes that are refused, nor with such as are granted."""
    monkeypatch.setattr(open_table, "CHANGES_AT_ONCE", 4)
    monkeypatch.setattr(open_table, "CHANGES_PER_SECOND", 1e-6)

    async def work(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND, FRIEND))
        for _ in range(20):
            with pytest.raises(ElCapitanError) as caught:
                await tables.ask_undo(table.id, table.number, 1, 999_999)
            assert not isinstance(caught.value, TooMuch), "what is refused is not counted"
        for number in range(4):
            await tables.rename(table.id, 1, f"Name {number}")
        assert await refused(lambda: tables.rename(table.id, 1, "More")) == "too-many-changes"
        assert (await tables.rename(table.id, 2, "Other")).settings.seats[2].name == "Other"
        assert (await tables.remove(table.id, 1)).settings.seats[1].free

    with_tables(tmp_path / "games.db", work, bots=False)
