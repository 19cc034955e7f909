"""`python -m benchmarks.load` fills a house with people, kills its processes, and lets hostile visitors in.

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

from benchmarks.load.crowd import Figures, crowd  # noqa: E402
from benchmarks.load.kills import Toll, kills  # noqa: E402
from benchmarks.load.servers import Postgres, Program, Web, running  # noqa: E402
from benchmarks.load.siege import Damage, siege  # noqa: E402

PARTS: Final = ("crowd", "kills", "siege")
DATABASES: Final = ("sqlite", "postgresql")
TIMES: Final = ("p50, ms", "p95, ms", "longest, ms")


def full_house(folder: Path, database: str, *, quick: bool) -> Figures:
    """Many games, many viewers, a steady flow of moves."""
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


def besieged(folder: Path, *, quick: bool) -> Damage:
    """Hostile visitors."""
    server = Web(folder, "web", str(folder / "games.db"))
    with running([server]):
        return asyncio.run(siege(server, 2000 if quick else 100_000))


def crowd_line(database: str, found: Figures) -> str:
    """A full house as a line of a table."""
    cells = [database, found.games, found.viewers, f"{found.moves_per_second:.1f}", found.lost, found.refused]
    cells += [f"{each:.0f}" for each in (found.p50, found.p95, found.longest)]
    return row([*cells, f"{found.cores:.2f}", f"{found.memory:.0f}"])


def kills_line(database: str, toll: Toll) -> str:
    """What kills have cost, as a line of a table."""
    return row([database, toll.kills, toll.acknowledged, toll.lost, toll.doubled, round(toll.seconds)])


def _new(folder: Path) -> Path:
    """A folder of its own."""
    return Path(tempfile.mkdtemp(dir=folder))


def row(cells: Sequence[object]) -> str:
    """A line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small, to see whether it works")
    parser.add_argument("--database", choices=[*DATABASES, "both"], default="both")
    parser.add_argument("--only", choices=PARTS, help="only one of them")
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
        if "siege" in parts:
            damage = besieged(_new(folder), quick=wanted.quick)
            tell(row(["hostile requests", "answered", "5xx", "leaks", "moves", "seconds"]))
            tell(row(["--:"] * 6))
            found = (damage.requests, damage.answered, damage.broken, damage.leaks, damage.moved)
            tell(row([*found, round(damage.seconds)]))
            tell("", "Wanted: no 5xx, no leak, no move.", "")


def tell(*lines: str) -> None:
    """Print lines as soon as they are known."""
    print(*lines, sep="\n", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
