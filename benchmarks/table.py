"""How quickly the table in the browser answers.

`python benchmarks/table.py` prints two tables: from a click to the paint that answers it, in a real Chromium on the
board of twelve cities, and a move through the service: check, apply, store, draw. Nothing else should run meanwhile.
"""

import asyncio
import gc
import platform
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from playwright.sync_api import sync_playwright  # noqa: E402
from tests.browser.conftest import ARGUMENTS, DESKTOP, chromium  # noqa: E402
from tests.browser.positions import TILES, middle, written  # noqa: E402
from tests.browser.running_server import RunningServer  # noqa: E402
from tests.browser.table_player import TablePlayer  # noqa: E402
from tests.browser.timing import PAINTED, percentile  # noqa: E402

from elcapitan.service import Tables  # noqa: E402
from elcapitan.web.render import table_fragment  # noqa: E402
from elcapitan.web.viewer import Viewer  # noqa: E402

CLICKS: Final = 60
MOVES: Final = 300
PLAYERS: Final = 4
FIRST: Final = 5  # clicks and moves that warm everything up and do not count
GOALS: Final = {"click to paint": 100.0, "move through the service": 25.0}  # milliseconds, p95


def clicks(folder: Path) -> list[float]:
    """Milliseconds from each click to the paint that answers it."""
    server = RunningServer(folder).open()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
            page = browser.new_page(viewport=DESKTOP)
            page.goto(server.brought(written(middle(PLAYERS, TILES, seed=3))))
            sitting = TablePlayer(page, seed=1)
            seen = sitting.wait_for_turn()
            page.evaluate(PAINTED)
            while len(page.evaluate("window.painted")) < CLICKS + FIRST and not seen.over:
                seen = sitting.play(sitting.choose(seen))
            times: list[float] = page.evaluate("window.painted")
            browser.close()
    finally:
        server.close()
    return times[FIRST:]


async def moves(folder: Path) -> list[float]:
    """Milliseconds of each move through the service: checked, applied, stored and drawn."""
    dice, viewer = random.Random(1), Viewer("en")
    times: list[float] = []
    async with Tables.open(folder / "moves.db") as tables:
        gc.collect()
        gc.freeze()  # as the server does when it starts
        table = await tables.bring(written(middle(PLAYERS, TILES, seed=3)), "")
        while len(times) < MOVES + FIRST:
            if table.game.over:
                table = await tables.bring(written(middle(PLAYERS, TILES, seed=len(times))), "")
            action = dice.choice(table.game.legal())
            begin = time.perf_counter()
            table = await tables.act(table.id, table.number, [action])
            table_fragment(table, viewer)
            times.append(1000 * (time.perf_counter() - begin))
    return times[FIRST:]


def told(name: str, times: Sequence[float]) -> str:
    """One line about what was measured."""
    p50, p95 = percentile(times, 50), percentile(times, 95)
    return f"| {name} | {len(times)} | {p50:.1f} | {p95:.1f} | {max(times):.1f} | {GOALS[name]:.0f} |"


def main() -> None:
    """Measure both and print them."""
    with tempfile.TemporaryDirectory() as folder:
        lines = [
            told("click to paint", clicks(Path(folder))),
            told("move through the service", asyncio.run(moves(Path(folder)))),
        ]
    today = datetime.now(UTC).date().isoformat()
    machine = f"{platform.machine()}, Python {platform.python_version()}, {today}"
    heading = ["| twelve cities, four merchants | times | p50, ms | p95, ms | longest, ms | goal for p95, ms |"]
    print("\n".join([machine, "", *heading, "|---|--:|--:|--:|--:|--:|", *lines]))  # noqa: T201


if __name__ == "__main__":
    main()
