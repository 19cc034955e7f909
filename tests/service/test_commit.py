"""The one write path: settings from the log, decisions that fail, the only place that takes a lock, and its figures."""

import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.service.table_helpers import TWO, make_older, play_randomly, settings_for, until, waits, with_tables

import elcapitan.service
from elcapitan.errors import BadSetup, StaleVersion
from elcapitan.service import HUMAN, Table, Tables
from elcapitan.service.commit import Draft, Durations
from elcapitan.store.game_store import GameStore


async def changed(tables: Tables) -> str:
    """A game whose settings were changed twice, after a move and before one."""
    table = await tables.create(TWO)
    table = await tables.act(table.id, table.number, [table.game.legal()[0]])
    table = await tables.change(table.id, title="One", names=["Ana", "Ben"])
    table = await tables.stand_in(table.id, 1, "captain")
    return (await tables.act(table.id, table.number, [table.game.legal()[0]])).id


def altered(file: Path, alter: Callable[[sqlite3.Connection], object]) -> None:
    """Change a database from outside."""
    with closing(sqlite3.connect(file)) as database, database:
        alter(database)


def test_settings_follow_from_the_log(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    game = with_tables(file, changed, bots=False)
    altered(file, lambda database: database.execute("UPDATE games SET plan = replace(plan, 'One', 'Other')"))

    async def look(tables: Tables) -> None:
        table = await tables.get(game)
        assert table.settings.title == "One" and table.names() == ["Ana", "Ben"]
        assert [seat.stand_in for seat in table.settings.seats] == ["", "captain"]
        assert (await tables.summaries())[0].settings.title == "Other", "a list of games reads the copy in the row"
        assert (await tables.change(game, pace="slow")).settings.title == "One"
        assert (await tables.summaries())[0].settings.title == "One"

    with_tables(file, look, bots=False)


def test_an_older_game_has_its_settings_from_its_row_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    game = with_tables(file, changed, bots=False)
    altered(file, make_older)
    altered(file, lambda database: database.execute("UPDATE games SET plan = replace(plan, 'One', 'Other')"))

    async def look(tables: Tables) -> Table:
        table = await tables.get(game)
        assert table.settings.title == "Other" and table.names() == ["Ana", "Ben"] and table.frozen is None
        table = await tables.stand_in(game, 1, None)
        return await tables.act(game, table.number, [table.game.legal()[0]])

    before = with_tables(file, look, bots=False)
    after = with_tables(file, lambda tables: tables.get(game), bots=False)
    assert after.settings == before.settings and after.settings.human(1) and after.game.events == before.game.events


def test_damaged_settings_in_the_log_are_read_from_the_row(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    game = with_tables(file, changed, bots=False)
    damage = "UPDATE entries SET content = json_set(content, '$.settings', 7) WHERE number = 1"
    altered(file, lambda database: database.execute(damage))
    table = with_tables(file, lambda tables: tables.get(game), bots=False)
    assert table.settings.title == "One" and table.frozen is None


def test_the_settings_in_the_log_add_no_entry_and_are_not_shown(tmp_path: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(TWO)
        assert table.number == 2 and not table.table_events, "a shuffle and a deal"
        table = await tables.import_record(tables.export(table, "json"), "game.json")
        assert table.settings.seats[0].player == HUMAN and table.number == 2 and not table.table_events

    with_tables(tmp_path / "games.db", look, bots=False)


def test_nothing_has_happened_if_a_decision_fails(tmp_path: Path) -> None:
    async def look(tables: Tables) -> None:
        before = await tables.create(TWO)

        def decide(draft: Draft) -> None:
            draft.change({"title": "Never"})
            draft.play(lambda dealt: dealt.act([dealt.game.legal()[0]]))
            raise BadSetup("no-hints")

        async with tables.using(before.id) as table:
            with pytest.raises(BadSetup):
                await tables.writer.commit(table, decide)
            assert not table.lock.locked() and table.state == (await tables.writer.load(before.id)).state
        after = await tables.get(before.id)
        assert (after.number, after.settings, after.game.events) == (before.number, before.settings, before.game.events)

    with_tables(tmp_path / "games.db", look, bots=False)


def test_a_decision_is_made_again_if_another_process_was_quicker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(tables: Tables) -> None:
        table, append, calls = await tables.create(TWO), GameStore.append, list[int]()

        async def stale_once(self: GameStore, before: int, *others: object) -> None:
            calls.append(before)
            if len(calls) == 1:
                raise StaleVersion
            await append(self, before, *others)  # type: ignore[arg-type]

        monkeypatch.setattr(GameStore, "append", stale_once)
        assert (await tables.change(table.id, title="After all")).settings.title == "After all" and len(calls) == 2
        calls.clear()
        with pytest.raises(StaleVersion):
            await tables.act(table.id, table.number + 1, [table.game.legal()[0]])
        assert len(calls) == 1, "a move is decided on again by the person"

    with_tables(tmp_path / "games.db", look, bots=False)


def test_one_place_takes_the_lock_of_a_table() -> None:
    sources = Path(elcapitan.service.__path__[0]).glob("*.py")
    found = {
        path.name: len(re.findall(r"with \w+\.lock\b|\.lock\.acquire", path.read_text("utf-8"))) for path in sources
    }
    assert {name: count for name, count in found.items() if count} == {"commit.py": 1}


def test_a_change_that_is_tried_again_is_charged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise removing a person could stop after the keys are dropped and before the seat is free."""
    append, charged = GameStore.append, list[object]()

    async def look(tables: Tables) -> None:
        game = (await tables.create(TWO)).id
        failing = [True, True]

        async def stale_twice(*given: Any, **named: Any) -> None:
            if failing:
                failing.pop()
                raise StaleVersion
            await append(*given, **named)

        monkeypatch.setattr(GameStore, "append", stale_twice)
        monkeypatch.setattr("elcapitan.service.tables.check_change", lambda *given: charged.append(given))
        assert (await tables.remove(game, 1)).settings.seats[1].free and len(charged) == 1
        failing += [True, True]
        assert (await tables.change(game, title="Two")).settings.title == "Two" and len(charged) == 2

    with_tables(tmp_path / "games.db", look, bots=False)


def test_texts_of_older_games_are_tidied_by_the_first_change_only(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    game = with_tables(file, changed, bots=False)
    altered(file, make_older)
    altered(file, lambda database: database.execute("UPDATE games SET plan = replace(plan, 'One', 'O  ne')"))

    async def look(tables: Tables) -> None:
        first = await tables.change(game, pace="slow")
        assert first.settings.title == "O ne"
        assert (await tables.change(game, pace="slow")).number == first.number

    with_tables(file, look, bots=False)
    assert with_tables(file, lambda tables: tables.get(game), bots=False).settings.title == "O ne"


def test_a_webhook_is_in_the_row_alone(tmp_path: Path) -> None:
    file, address = tmp_path / "games.db", "https://hooks.example/secret"
    plan = replace(TWO, webhook=address)
    game = with_tables(file, lambda tables: tables.create(plan), bots=False).id
    with closing(sqlite3.connect(file)) as database:
        (first,) = database.execute("SELECT content FROM entries WHERE number = 1").fetchone()
    assert "hooks.example" not in first and "settings" in first
    assert with_tables(file, lambda tables: tables.get(game), bots=False).settings.webhook == address


def test_durations_are_counted_by_their_bounds() -> None:
    durations = Durations((0.1, 1.0))
    for seconds in (0.0, 0.1, 0.5, 1.0, 7.0):
        durations.add(seconds)
    assert durations.counts == [2, 2, 1]
    assert durations.total == pytest.approx(8.6)


def test_what_fails_is_not_counted() -> None:
    durations = Durations((0.1,))
    with pytest.raises(ValueError, match="no"), durations.timed():
        raise ValueError("no")
    with durations.timed():
        pass
    assert sum(durations.counts) == 1


def test_moves_and_thoughts_of_a_game(tmp_path: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await play_randomly(tables, await tables.create(settings_for(HUMAN, "wanderer")), random.Random(1), 25)
        table = await until(tables, table.id, waits)
        moves = sum(tables.metrics.moves.counts)
        with pytest.raises(StaleVersion):
            await tables.act(table.id, 1, [table.game.legal()[0]])
        assert sum(tables.metrics.moves.counts) == moves >= 25
        assert sum(tables.metrics.thoughts.counts) >= 1
        assert len(tables.in_memory) == 1

    with_tables(tmp_path / "games.db", look)
