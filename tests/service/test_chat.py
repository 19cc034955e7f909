"""What is said at a table, who is present, and that everybody hears of it."""

import asyncio
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.service.table_helpers import THREE, settings_for, with_tables

from elcapitan.errors import BadLine
from elcapitan.service import FRIEND, HUMAN, Table, Tables, open_table

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
COMPANY = settings_for(HUMAN, FRIEND, FRIEND)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who leaves is missed at once."""
    monkeypatch.setattr(open_table, "LEAVING_SECONDS", 0.0)


def said(table: Table) -> list[tuple[int | None, str]]:
    return [(line.seat, line.text) for line in table.chat]


def test_lines_are_kept_in_order(file: Path) -> None:
    async def look(tables: Tables) -> Table:
        table = await tables.create(THREE)
        await tables.say(table.id, 0, "  Ahoy,\n <b>all</b>!\x00 ")
        await tables.say(table.id, None, "I only watch.")
        return await tables.say(table.id, 2, "¡Hola!")

    table = with_tables(file, look)
    assert said(table) == [(0, "Ahoy, <b>all</b>!"), (None, "I only watch."), (2, "¡Hola!")]
    assert [line.number for line in table.chat] == [1, 2, 3] and table.number == 2, "the log is about the game"

    async def again(tables: Tables) -> None:
        assert said(await tables.get(table.id)) == said(table)

    with_tables(file, again)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Write a message first"),
        (" \n\t\x07 ", "Write a message first"),
        ("x" * 301, "300 characters at most"),
        ("x" * 1_000_000, "300 characters at most"),
    ],
)
def test_lines_that_nobody_can_say(file: Path, text: str, sentence: str) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(THREE)
        with pytest.raises(BadLine, match=sentence):
            await tables.say(table.id, 0, text)
        assert said(await tables.say(table.id, 0, "x" * 300)) == [(0, "x" * 300)]

    with_tables(file, look)


def test_nobody_talks_all_the_time(file: Path) -> None:
    async def look(tables: Tables) -> None:
        now = NOON
        tables.writer.now = lambda: now
        table = await tables.create(THREE)
        for number in range(10):
            await tables.say(table.id, 0, f"line {number}")
            now += timedelta(seconds=1)
        with pytest.raises(BadLine, match="Too many messages at once"):
            await tables.say(table.id, 0, "and another")
        await tables.say(table.id, 1, "others may")
        await tables.say(table.id, None, "and those without a seat")
        now = NOON + timedelta(seconds=60)
        await tables.say(table.id, 0, "a minute later")
        with pytest.raises(BadLine):
            await tables.say(table.id, 0, "only one of them is old enough")

    with_tables(file, look)


def test_a_table_without_talk(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND, chat=False))
        with pytest.raises(BadLine, match="Chat is off at this table"):
            await tables.say(table.id, 0, "Ahoy")
        await tables.change(table.id, chat=True)
        assert said(await tables.say(table.id, 0, "Ahoy")) == [(0, "Ahoy")]

    with_tables(file, look)


def test_only_the_last_lines_are_shown(file: Path) -> None:
    async def look(tables: Tables) -> None:
        now = NOON
        tables.writer.now = lambda: now
        table = await tables.create(THREE)
        for number in range(60):
            now += timedelta(seconds=10)
            table = await tables.say(table.id, 0, str(number))
        assert [line.text for line in table.chat] == [str(number) for number in range(10, 60)]

    with_tables(file, look)


def test_everybody_hears_of_anything_that_is_shown(file: Path, at_once: None) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(COMPANY)
        versions = {table.version}
        async with aclosing(tables.follow(table.id)) as news:
            told = [await anext(news)]

            async def heard() -> Table:
                told.append(await asyncio.wait_for(anext(news), 5))
                assert told[-1] > told[-2]
                seen = await tables.get(table.id)
                assert seen.version not in versions
                versions.add(seen.version)
                return seen

            await tables.say(table.id, 1, "Ahoy")
            assert said(await heard()) == [(1, "Ahoy")]
            await tables.act(table.id, table.number, [table.game.legal()[0]])
            assert (await heard()).undoable == 1
            async with aclosing(tables.follow(table.id, frozenset({1, 2}))) as theirs:
                await anext(theirs)
                assert (await heard()).present == {1, 2}
            told.append(await asyncio.wait_for(anext(news), 5))
            assert (await tables.get(table.id)).present == frozenset()

    with_tables(file, look)


def test_where_all_sit_at_one_screen_nobody_is_told_who_looks_on(file: Path, at_once: None) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(THREE)
        async with aclosing(tables.follow(table.id, frozenset({0, 1, 2}))) as news:
            await anext(news)
            now = await tables.get(table.id)
            assert not now.present and now.version == table.version

    with_tables(file, look)


def test_who_comes_back_at_once_was_never_gone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_table, "LEAVING_SECONDS", 0.05)

    async def look(tables: Tables) -> None:
        table = await tables.create(COMPANY)
        live = tables.in_memory[table.id]
        async with aclosing(tables.follow(table.id, frozenset({1}))) as first:
            await anext(first)
            async with aclosing(tables.follow(table.id, frozenset({1}))) as second:
                await anext(second)
            assert live.presence.present == {1}, "two windows, one of them closed"
        pulse = live.changes.pulse
        async with aclosing(tables.follow(table.id, frozenset({1}))) as third:
            await anext(third)
            await asyncio.sleep(0.1)
            assert live.presence.present == {1} and live.changes.pulse == pulse, "nobody heard of it"
        async with aclosing(tables.follow(table.id)) as news:
            while live.presence.present:
                await asyncio.wait_for(anext(news), 5)

    with_tables(file, look)


def test_those_in_other_processes_are_present_too() -> None:
    told: list[frozenset[int]] = []
    here = open_table.Presence(lambda: told.append(here.present))
    here.enter([0])
    here.set_elsewhere(frozenset({0, 2}))
    here.set_elsewhere(frozenset({2, 0}))
    here.enter([0])
    here.set_elsewhere(frozenset())
    assert told == [{0}, {0, 2}, {0}] and here.here == {0}
