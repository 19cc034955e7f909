"""What-if boards: private branches with cards dealt anew, one for a role, switched off by the host, deleted in time."""

from datetime import timedelta
from pathlib import Path

import pytest
from tests.position.test_planned_turn import way_and_build
from tests.service.table_helpers import Time, settings_for, with_tables

from elcapitan.errors import BadRecord, BadSetup, NoSuchGame
from elcapitan.service import FRIEND, HUMAN, Tables
from elcapitan.service.derived_games import WHAT_IF_KEPT, begin_what_if
from elcapitan.service.table_settings import SUBSTITUTE
from elcapitan.store import game_store

pytestmark = pytest.mark.compiled
ROLE = "seat-1"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def test_a_board_begins_at_any_moment_and_leaves_the_game_as_it_was(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND, "trader"))
        table = await tables.act(table.id, table.number, way_and_build(table.game))
        for at in (1, table.game.event_count):
            board = await begin_what_if(tables, table.id, at, ROLE, {1})
            assert board.origin == (table.id, at) and board.settings.private_to == ROLE and not board.settings.what_if
            assert board.game.events == table.game.events[:at]
            assert [seat.player for seat in board.settings.seats] == [SUBSTITUTE, HUMAN, "trader"]
        assert (await tables.get(table.id)).number == table.number
        with pytest.raises(BadRecord):
            await begin_what_if(tables, table.id, table.game.event_count + 1, ROLE, {1})

    with_tables(file, look, bots=False)


def test_it_tells_nothing_about_the_cards_of_the_game(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN, seed=None))
        orders = set()
        for _ in range(5):
            board = await begin_what_if(tables, table.id, 1, "host", ())
            assert board.commitment != table.commitment, "another key decides its cards"
            orders.add(tables.in_memory[board.id].state.dealt.secret)
        assert tables.in_memory[table.id].state.dealt.secret not in orders and len(orders) == 5

    with_tables(file, look, bots=False)


def test_a_person_without_a_seat_plays_for_all_persons(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(FRIEND, FRIEND, "trader"))
        board = await begin_what_if(tables, table.id, 1, "host", ())
        assert [seat.player for seat in board.settings.seats] == [HUMAN, HUMAN, "trader"]
        assert not any(seat.free for seat in board.settings.seats)

    with_tables(file, look, bots=False)


def test_each_role_has_one_board_and_others_keep_theirs(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND))
        first, other = [
            await begin_what_if(tables, table.id, 1, role, {seat}) for seat, role in ((1, ROLE), (0, "host"))
        ]
        branch = await tables.branch(table.id, 1)
        second = await begin_what_if(tables, table.id, 1, ROLE, {1})
        with pytest.raises(NoSuchGame):
            await tables.get(first.id)
        for kept in (table, other, branch, second):
            assert (await tables.get(kept.id)).id == kept.id

    with_tables(file, look, bots=False)


def test_boards_are_deleted_after_a_while(file: Path) -> None:
    async def look(tables: Tables) -> None:
        time = Time()
        time.rules(tables)
        games = [await tables.create(settings_for(HUMAN, FRIEND)) for _ in range(2)]
        board = await begin_what_if(tables, games[0].id, 1, ROLE, {1})
        time.passes(tables, (WHAT_IF_KEPT - timedelta(minutes=1)).total_seconds())
        await begin_what_if(tables, games[1].id, 1, ROLE, {1})
        assert (await tables.get(board.id)).id == board.id
        time.passes(tables, timedelta(minutes=2).total_seconds())
        await begin_what_if(tables, games[1].id, 1, ROLE, {1})
        with pytest.raises(NoSuchGame):
            await tables.get(board.id)
        assert (await tables.get(games[0].id)).id == games[0].id

    with_tables(file, look, bots=False)


def test_what_is_looked_at_for_a_new_board_does_not_grow_with_the_boards_of_others(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_store, "MOST_BOARDS", 3)

    async def look(tables: Tables) -> None:
        games = [await tables.create(settings_for(HUMAN, HUMAN)) for _ in range(5)]
        boards = [await begin_what_if(tables, table.id, 1, "host", ()) for table in games]
        now = tables.writer.now()
        assert [row.id for row in await tables.store.boards(games[2].id, now - WHAT_IF_KEPT)] == [boards[2].id]
        found = [row.id for row in await tables.store.boards(games[2].id, now + WHAT_IF_KEPT)]
        assert len(found) == 3 and set(found) < {board.id for board in boards}

    with_tables(file, look, bots=False)


def test_the_host_can_switch_them_off(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND))
        await tables.change(table.id, what_if=False)
        with pytest.raises(BadSetup, match="switched them off"):
            await begin_what_if(tables, table.id, 1, ROLE, {1})
        await tables.change(table.id, what_if=True)
        board = await begin_what_if(tables, table.id, 1, ROLE, {1})
        with pytest.raises(BadSetup):
            await begin_what_if(tables, board.id, 1, "host", ())
        with pytest.raises(BadSetup):
            await tables.change(board.id, private_to="")

    with_tables(file, look, bots=False)


def test_they_are_still_private_after_a_restart(file: Path) -> None:
    boards: list[str] = []

    async def begin(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND))
        boards.append((await begin_what_if(tables, table.id, 1, ROLE, {1})).id)

    async def look(tables: Tables) -> None:
        board = await tables.get(boards[0])
        assert board.settings.private_to == ROLE and board.origin is not None
        summaries = await tables.summaries()
        assert {each.id: each.settings.private_to for each in summaries}[board.id] == ROLE

    with_tables(file, begin, bots=False)
    with_tables(file, look, bots=False)
