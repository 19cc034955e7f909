"""Write the table of measurements in README.md.

`elcapitan bench --json | python tools/bench_table.py` replaces what stands between the marks `bench:start` and
`bench:end`. Look at the sentence above the table, too: it says how much other runs differed.
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any, Final

from citations import ROOT

PAGE: Final = ROOT / "README.md"
PLACE: Final = re.compile(r"(<!-- bench:start -->\n)(.*?)(<!-- bench:end -->)", re.DOTALL)
FACTS: Final = ("machine", "method", "date")
BATCHES: Final = {"light": "light players", "uniform": "uniformly random players"}
SEARCHES: Final = {
    "full play-outs by dice, a second": "search from the first turn: simulations/s with full play-outs by dice",
    "worth of the position, a second": "the same, judged by the worth of positions alone",
}


def main() -> None:
    """Read measurements from the input and write them into the page."""
    written = table(json.load(sys.stdin))
    PAGE.write_text(PLACE.sub(lambda found: found[1] + written + found[3], PAGE.read_text("utf-8")), encoding="utf-8")


def table(measured: dict[str, Any]) -> str:
    """Format the measurements of `elcapitan bench --json` as three Markdown tables."""
    lines = ["| | |", "|---|---|", *(f"| {name} | {measured[name]} |" for name in FACTS)]
    lines += ["", "| complete games by the light policy | games/s | actions/s |", "|---|---:|---:|"]
    for name, games in measured["games"].items():
        lines.append(f"| {name} | {games['games_per_second']:,.0f} | {games['actions_per_second']:,.0f} |")
    lines += ["", "| 4 players, no tiles | |", "|---|---:|"]
    lines += [f"| {name} | {value:,.0f} |" for name, value in _parts(measured)]
    return "\n".join(lines) + "\n"


def _parts(measured: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Name the figures of single steps, batches and searches as the page does."""
    yield "mask of all legal actions, ns", measured["nanoseconds"]["legal_mask"]
    yield "step, ns", measured["nanoseconds"]["step"]
    yield "forecast of a payday, ns", measured["nanoseconds"]["forecast"]
    for policy, players in BATCHES.items():
        batch = measured["batch"][policy]
        title = f"batch of {measured['batch']['games']} games, {players}"
        yield f"{title}: steps/s with new games and masks", batch["steps_per_second"]
        yield "the same with the choice of the next action", batch["with_the_choice_per_second"]
    for style, title in SEARCHES.items():
        yield title, measured["search"][style]
    yield "bytes per state", measured["bytes_per_state"]


if __name__ == "__main__":
    main()
