"""How quickly the table in the browser answers.

`python benchmarks/table.py` prints how long it takes from a click to the paint that answers it, in a real Chromium on
the board of twelve cities, on a desktop and on a phone with a quarter of its processor, and a move through the service:
check, apply, store, draw. With `--before FOLDER` the pages of another checkout are measured in turns with these.
Nothing else should run meanwhile.
"""

import argparse
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
from tests.browser.test_phone import PHONE  # noqa: E402
from tests.browser.timing import PAINTED, percentile  # noqa: E402

from elcapitan.service import Tables  # noqa: E402
from elcapitan.web.render import table_fragment  # noqa: E402
from elcapitan.web.viewer import Viewer  # noqa: E402

CLICKS: Final = 60
MOVES: Final = 300
PLAYERS: Final = 4
FIRST: Final = 5  # clicks and moves that warm everything up and do not count
ROUNDS: Final = 3  # in which before and after take turns
SLOWER: Final = 4  # times, a phone than the processor of this machine
DESKTOP_CLICK, PHONE_CLICK, MOVE = "click to paint", "click to paint, phone", "move through the service"
GOALS: Final = {DESKTOP_CLICK: 60.0, PHONE_CLICK: 200.0, MOVE: 25.0}  # milliseconds, p95


class PhonePlayer(TablePlayer):
    """Plays on a phone, where some of what can be done is in lists that are closed: it is clicked on there."""

    def click(self, actions: str) -> None:
        """Click on something that plays this, in sight or not, and do not wait for what happens."""
        self.page.evaluate("(actions) => document.querySelector(`button[data-act='${actions}']`).click()", actions)


def clicks(root: Path, *, phone: bool, count: int) -> list[float]:
    """Milliseconds from each click to the paint that answers it, on the pages of a checkout."""
    with tempfile.TemporaryDirectory() as folder:
        return _clicks(RunningServer(Path(folder), root=root).open(), phone=phone, count=count)


def _clicks(server: RunningServer, *, phone: bool, count: int) -> list[float]:
    """Play at a table of this server, stop it, and return the times of the clicks."""
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
            page = browser.new_context(**(PHONE if phone else {"viewport": DESKTOP})).new_page()
            if phone:
                slow = page.context.new_cdp_session(page)
                slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            page.goto(server.brought(written(middle(PLAYERS, TILES, seed=3))))
            sitting = (PhonePlayer if phone else TablePlayer)(page, seed=1)
            seen = sitting.wait_for_turn()
            page.evaluate(PAINTED)
            while len(page.evaluate("window.painted")) < count + FIRST and not seen.over:
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
        table = await tables.import_record(written(middle(PLAYERS, TILES, seed=3)), "")
        while len(times) < MOVES + FIRST:
            if table.game.over:
                table = await tables.import_record(written(middle(PLAYERS, TILES, seed=len(times))), "")
            action = dice.choice(table.game.legal())
            begin = time.perf_counter()
            table = await tables.act(table.id, table.number, [action])
            table_fragment(table, viewer)
            times.append(1000 * (time.perf_counter() - begin))
    return times[FIRST:]


def told(name: str, times: Sequence[float], title: str = "") -> str:
    """One line about what was measured."""
    p50, p95 = percentile(times, 50), percentile(times, 95)
    return f"| {title or name} | {len(times)} | {p50:.1f} | {p95:.1f} | {max(times):.1f} | {GOALS[name]:.0f} |"


def in_turns(name: str, before: Path | None) -> list[str]:
    """Measure clicks, on the pages of another checkout too if one is given, in turns; a line for each."""
    checkouts = {f"{name}, before": before, name: ROOT} if before else {name: ROOT}
    times: dict[str, list[float]] = {title: [] for title in checkouts}
    for _ in range(ROUNDS):
        for title, root in checkouts.items():
            assert root is not None
            times[title] += clicks(root, phone=name == PHONE_CLICK, count=CLICKS // ROUNDS)
    return [told(name, found, title) for title, found in times.items()]


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="a checkout to compare with")
    before: Path | None = parser.parse_args().before
    lines = [*in_turns(DESKTOP_CLICK, before), *in_turns(PHONE_CLICK, before)]
    with tempfile.TemporaryDirectory() as folder:
        lines.append(told(MOVE, asyncio.run(moves(Path(folder)))))
    today = datetime.now(UTC).date().isoformat()
    machine = f"{platform.machine()}, Python {platform.python_version()}, {today}"
    heading = ["| twelve cities, four merchants | times | p50, ms | p95, ms | longest, ms | goal for p95, ms |"]
    print("\n".join([machine, "", *heading, "|---|--:|--:|--:|--:|--:|", *lines]))  # noqa: T201


if __name__ == "__main__":
    main()
