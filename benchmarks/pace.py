"""How long a person waits for three captains in a whole game at the usual pace.

`python benchmarks/pace.py` plays one game in a real Chromium, clicking at once whenever there is something to do, and
prints the seconds between these moments; what a payday takes on the board does not count. Nothing else should run
meanwhile.
"""

import os
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from playwright.sync_api import sync_playwright  # noqa: E402
from tests.browser.conftest import ARGUMENTS, DESKTOP, chromium  # noqa: E402
from tests.browser.running_server import RunningServer  # noqa: E402
from tests.browser.table_player import PATIENCE, READY, Seen, TablePlayer  # noqa: E402

from elcapitan.service.table_settings import TableSettings  # noqa: E402

GOAL: Final = 60.0  # seconds
PACE: Final = TableSettings(()).pace


class PatientPlayer(TablePlayer):
    """Counts the seconds between its moves in which there is nothing to do."""

    waited = 0.0

    def wait_for_turn(self, after: int = -1) -> Seen:
        """Wait until there is something to do, or nothing any more; paydays are clicked away and do not count."""
        while True:
            begin = time.perf_counter()
            self.page.wait_for_function(READY, arg=after, timeout=PATIENCE)
            self.waited += time.perf_counter() - begin
            seen = self.see()
            if seen.payday:
                self.skip_payday()
            elif seen.acting or seen.over:
                return seen


def main() -> None:
    """Play the game and print what was waited."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = RunningServer(Path(folder)).open()
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
            page = browser.new_context(viewport=DESKTOP).new_page()
            page.goto(server.table("human", "captain", "captain", "captain", seed=11, pace=PACE))
            player = PatientPlayer(page, seed=3)
            begin = time.perf_counter()
            player.to_the_end()
            whole = time.perf_counter() - begin
            browser.close()
        finally:
            server.close()
    today, load = datetime.now(UTC).date().isoformat(), os.getloadavg()[1]
    moves = len(player.played)
    print(f"{today}, load {load:.1f}: pace {PACE}, {moves} moves of one's own, {whole:.0f} s in all")  # noqa: T201
    print(f"waited {player.waited:.1f} s, goal {GOAL:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main()
