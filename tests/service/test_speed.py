"""How long a move takes through the service: checked, applied, stored. Printed, since machines differ."""

import random
import statistics
import time
from pathlib import Path

import pytest
from tests.service.tabling import plan, with_tables

from elcapitan.service import HUMAN, Tables

pytestmark = pytest.mark.compiled


def test_a_move_is_quick(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    times: list[float] = []

    async def play(tables: Tables) -> None:
        dice = random.Random(1)
        table = await tables.create(plan(*[HUMAN] * 4, tiles=("Porto", "Lisboa", "Islas Canarias")))
        while not table.game.over:
            action = dice.choice(table.game.legal())
            begun = time.perf_counter()
            table = await tables.act(table.id, table.number, [action])
            times.append(1000 * (time.perf_counter() - begun))

    with_tables(tmp_path / "games.db", play)
    ranked = statistics.quantiles(times, n=100)
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{len(times)} moves through the service: median {ranked[49]:.1f} ms, p95 {ranked[94]:.1f} ms, "
            f"longest {max(times):.1f} ms"
        )
    assert ranked[49] < 250, "some 3 ms on a quiet machine"
