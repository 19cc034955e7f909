"""`python -m benchmarks.load` measures servers: many people, kills, fuzzed requests, and thousands of games in a row.

It prints tables with what was wanted and what was measured. Nothing else should run meanwhile: people and servers share
the machine. With `--quick` everything is small, to see whether it works.
"""

import argparse
import asyncio
import platform
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from benchmarks.fuzzing.client import SERVER_ERROR  # noqa: E402
from benchmarks.fuzzing.operations import OPERATIONS  # noqa: E402
from benchmarks.load.crowd import Figures, crowd  # noqa: E402
from benchmarks.load.fuzz import FuzzResult, fuzz  # noqa: E402
from benchmarks.load.kills import Toll, kills  # noqa: E402
from benchmarks.load.servers import Postgres, Program, Web, running  # noqa: E402
from benchmarks.load.soak import Mark, soak  # noqa: E402

PARTS: Final = ("crowd", "kills", "soak", "fuzz")
FUZZED: Final = 1_000_000  # requests
PORTION: Final = 50_000  # requests to one server
ADMIN: Final = "the-admin-of-this-benchmark"
DATABASES: Final = ("sqlite", "postgresql")
TIMES: Final = ("p50, ms", "p95, ms", "longest, ms")


def full_house(folder: Path, database: str, *, quick: bool) -> Figures:
    """Measure many games with many viewers and a steady flow of moves."""
    games, viewers, per_second, duration = (20, 60, 10.0, 5.0) if quick else (300, 1000, 30.0, 60.0)
    postgres = Postgres(folder / "pg") if database == "postgresql" else None
    url = postgres.url if postgres else str(folder / "games.db")
    servers = [Web(folder, f"web{number}", url) for number in range(2 if postgres else 1)]
    try:
        with running(servers):
            return asyncio.run(crowd(servers, games=games, viewers=viewers, per_second=per_second, duration=duration))
    finally:
        if postgres:
            postgres.close()


def killed(folder: Path, database: str, *, quick: bool) -> Toll:
    """Kill everything in turn while people play."""
    postgres = Postgres(folder / "pg") if database == "postgresql" else None
    url = postgres.url if postgres else str(folder / "games.db")
    webs = [Web(folder, f"web{number}", url) for number in range(2 if postgres else 1)]
    workers = [Program(folder, "worker", ["worker", "--database", url])] if postgres else []
    try:
        with running([*webs, *workers]):
            return asyncio.run(kills(webs, workers, postgres, count=6 if quick else 50, players=4 if quick else 8))
    finally:
        if postgres:
            postgres.close()


def fuzzed(folder: Path, count: int, progress: Path, at_once: int) -> FuzzResult:
    """Send fuzzed requests in portions until there are so many, counting those of earlier calls."""
    result = FuzzResult.load(progress)
    while missing := count - result.tally.requests:
        counts = [min(PORTION, missing - start) for start in range(0, min(missing, at_once * PORTION), PORTION)]
        servers = [
            Web(folder, f"web{number}", str(_new(folder) / "games.db"), admin=ADMIN) for number in range(len(counts))
        ]
        with running(servers):
            asyncio.run(fuzz(servers, ADMIN, counts, result))
        result.save(progress)
        tell(fuzz_line(result))
    return result


def fuzz_line(result: FuzzResult) -> str:
    """Format what fuzzing has found so far as a line of a table."""
    tally = result.tally
    broken = sum(number for status, number in tally.statuses.items() if int(status) >= SERVER_ERROR)
    cells = [
        tally.requests,
        f"{tally.accepted / tally.requests:.0%}",
        tally.unanswered,
        broken,
        result.leaks,
        result.moved,
    ]
    cells += [f"{result.block * 1000:.0f}", f"{result.delay * 1000:.0f}", f"{result.memory:.0f}", round(result.seconds)]
    return row(cells)


def fuzz_details(result: FuzzResult) -> list[str]:
    """Print how often each status came, which operations accepted nothing, and the first errors."""
    tally = result.tally
    never = sorted({each.name for each in OPERATIONS} - set(tally.accepted_operations))
    fewest = min(tally.operations.values())
    return [
        f"answers: {', '.join(f'{status}: {count}' for status, count in sorted(tally.statuses.items()))}",
        f"operations: {len(tally.operations)} of {len(OPERATIONS)}, each at least {fewest} times; content types: "
        f"{len(tally.content_types)}; damaged fields: {len(tally.fields)}",
        f"never accepted: {', '.join(never) or 'none'}",
        *tally.errors,
    ]


def soaked(folder: Path, *, quick: bool) -> None:
    """Play one game after another, and print what the server needs."""
    server, first = Web(folder, "web", str(folder / "games.db")), list[Mark]()

    def told(mark: Mark) -> None:
        first.append(mark)
        tell(row([mark.games, mark.live, f"{mark.memory:.0f}", f"{100 * mark.memory / first[0].memory:.1f} %"]))

    with running([server]):
        asyncio.run(soak(server, told, games=200 if quick else 2000, every=50 if quick else 500))


def crowd_line(database: str, found: Figures) -> str:
    """Format a measured crowd as a line of a table."""
    cells = [database, found.games, found.viewers, f"{found.moves_per_second:.1f}", found.lost, found.refused]
    cells += [f"{each:.0f}" for each in (found.p50, found.p95, found.longest)]
    return row([*cells, f"{found.cores:.2f}", f"{found.memory:.0f}"])


def kills_line(database: str, toll: Toll) -> str:
    """Format what kills have cost as a line of a table."""
    return row([database, toll.kills, toll.acknowledged, toll.lost, toll.doubled, round(toll.seconds)])


def _new(folder: Path) -> Path:
    """Create a temporary folder for a server."""
    return Path(tempfile.mkdtemp(dir=folder))


def row(cells: Sequence[object]) -> str:
    """Format cells as a line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; returns 1 if fuzzing has found something."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small, to see whether it works")
    parser.add_argument("--database", choices=[*DATABASES, "both"], default="both")
    parser.add_argument("--only", choices=PARTS, help="only one of them")
    parser.add_argument("--requests", type=int, help=f"fuzzed requests; {FUZZED:,} if not given")
    parser.add_argument("--progress", type=Path, help="a file that keeps what fuzzing has counted, to go on later")
    parser.add_argument(
        "--at-once", type=int, default=1, help="portions of fuzzed requests side by side; 1 if not given"
    )
    wanted = parser.parse_args(arguments)
    databases = DATABASES if wanted.database == "both" else (wanted.database,)
    machine = f"{platform.machine()}, Python {platform.python_version()}, {datetime.now(UTC).date().isoformat()}"
    tell(machine, "")
    parts = [wanted.only] if wanted.only else PARTS
    with tempfile.TemporaryDirectory(prefix="load") as name:
        folder = Path(name)
        if "crowd" in parts:
            tell(row(["full house", "games", "viewers", "moves/s", "lost", "refused", *TIMES, "cores", "MiB"]))
            tell(row(["---", *["--:"] * 10]))
            for each in databases:
                tell(crowd_line(each, full_house(_new(folder), each, quick=wanted.quick)))
            tell("", "Wanted: none lost, p95 under 250 ms; on SQLite under 1 core and 500 MB (477 MiB).", "")
        if "kills" in parts:
            tell(row(["kill -9", "kills", "acknowledged moves", "lost", "doubled", "seconds"]))
            tell(row(["---", *["--:"] * 5]))
            for each in databases:
                tell(kills_line(each, killed(_new(folder), each, quick=wanted.quick)))
            tell("", "Wanted: none lost, none doubled.", "")
        if "soak" in parts:
            tell(row(["games so far", "tables in memory", "MiB", "of the first"]), row(["--:"] * 4))
            soaked(_new(folder), quick=wanted.quick)
            tell("", "Wanted: after 2,000 games at most 5 % more than after 500.", "")
        if "fuzz" in parts:
            headings = ["accepted with a key", "unanswered", "5xx", "leaks", "moves", "longest block, ms"]
            tell(row(["fuzzed requests", *headings, "longest delay, ms", "MiB", "seconds"]))
            tell(row(["--:"] * 10))
            progress = wanted.progress or folder / "fuzz.json"
            result = fuzzed(folder, wanted.requests or (2000 if wanted.quick else FUZZED), progress, wanted.at_once)
            tell("", *fuzz_details(result), "")
            tell("Wanted: 30 % accepted, no 5xx, no leak, no move, no block over 250 ms.", "")
            return 0 if result.passed else 1
    return 0


def tell(*lines: str) -> None:
    """Print lines as soon as they are known."""
    print(*lines, sep="\n", flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
