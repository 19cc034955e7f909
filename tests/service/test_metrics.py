"""What a service counts about its own work."""

import random
from pathlib import Path

import pytest
from tests.service.table_helpers import plan, play_randomly, until, waits, with_tables

from elcapitan.errors import StaleVersion
from elcapitan.service import HUMAN, Tables
from elcapitan.service.metrics import Durations


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
        table = await play_randomly(tables, await tables.create(plan(HUMAN, "wanderer")), random.Random(1), 25)
        table = await until(tables, table.id, waits)
        moves = sum(tables.metrics.moves.counts)
        with pytest.raises(StaleVersion):
            await tables.act(table.id, 1, [table.game.legal()[0]])
        assert sum(tables.metrics.moves.counts) == moves >= 25
        assert sum(tables.metrics.thoughts.counts) >= 1
        assert len(tables.in_memory) == 1

    with_tables(tmp_path / "games.db", look)
