"""Two checkouts side by side: `python -m benchmarks.compare OLD NEW` prints what the new one costs beside the old one.

Each checkout works with the interpreter of its `.venv`, or with this one if it has none, with its own `src` first in
PYTHONPATH and its own compiled rules. One process of each is kept ready and told when to work: the old one first, then
the new one first, and so on. Only CPU time counts; a busy machine still makes it vary, and the intervals show that.
Each line gives the median of the ratios new to old, round by round, with a 95 % interval: by bootstrap, or, of a few
rounds, by Student's t of their logarithms. It says "slower" only if the whole interval lies beyond 1.03.
"""

import argparse
import contextlib
import json
import math
import os
import platform
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Final

from benchmarks.compare.worker import LONG, WORK

ROUNDS: Final = 15
LONG_ROUNDS: Final = 3  # for what takes minutes
RESAMPLES: Final = 4000
STUDENT: Final = (12.706, 4.303, 3.182, 2.776)  # of two to five rounds; their median would have too narrow an interval
BOUND: Final = 1.03
Pairs = dict[str, list[tuple[float, float]]]  # CPU seconds for one unit, old and new, of every round


class Worker:
    """The worker process of one version."""

    def __init__(self, checkout: Path, name: str) -> None:
        own = checkout / ".venv" / "bin" / "python"
        script = Path(__file__).with_name("worker.py")
        command = [str(own if own.exists() else sys.executable), str(script), name]
        environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        for variable in ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"):
            environment.pop(variable, None)
        self._process = subprocess.Popen(
            command, cwd=checkout, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def wait(self) -> None:
        """Wait until the worker is ready."""
        self._read()

    def go(self) -> dict[str, float]:
        """Let the worker do one portion; returns CPU seconds for one unit of work."""
        assert self._process.stdin
        print("go", file=self._process.stdin, flush=True)
        costs: dict[str, float] = json.loads(self._read())
        return costs

    def close(self) -> None:
        """End the worker and wait for it."""
        self._process.communicate()

    def _read(self) -> str:
        """Read the next line of the worker's output."""
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"a worker failed: {self._process.args!r}")
        return line


def measured(old: Path, new: Path, name: str, rounds: int) -> Pairs:
    """Let both versions work in turns."""
    pairs: Pairs = {}
    with contextlib.ExitStack() as stack:
        workers = [Worker(checkout, name) for checkout in (old, new)]
        for worker in workers:
            stack.callback(worker.close)
        for worker in workers:
            worker.wait()
        for number in range(rounds):
            costs: dict[int, dict[str, float]] = {}
            for which in (0, 1) if number % 2 == 0 else (1, 0):
                costs[which] = workers[which].go()
            for what, cost in costs[0].items():
                pairs.setdefault(what, []).append((cost, costs[1][what]))
    return pairs


def interval(ratios: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the ratio: of the median by bootstrap, of the mean of the logarithms if there are few."""
    few = len(ratios) - 2
    if few < 0:
        return 0.0, math.inf
    if few < len(STUDENT):
        logs = [math.log(ratio) for ratio in ratios]
        middle, around = fmean(logs), STUDENT[few] * stdev(logs) / math.sqrt(len(logs))
        return math.exp(middle - around), math.exp(middle + around)
    dice = random.Random(1)
    medians = sorted(median(dice.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    return medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES) - 1]


def verdict(low: float, high: float) -> str:
    """Describe what an interval shows."""
    if low > BOUND:
        return "**slower**"
    if high < 1 / BOUND:
        return "faster"
    return "same" if low >= 1 / BOUND and high <= BOUND else "no difference shown"


def lines(pairs: Pairs) -> Iterator[str]:
    """Format the lines of the table."""
    for what, costs in pairs.items():
        ratios = [new / old for old, new in costs]
        low, high = interval(ratios)
        old, new = (_shown(median(each)) for each in zip(*costs, strict=True))
        shown = f"{median(ratios):.3f} | {low:.3f} to {high:.3f}"
        yield f"| {what} | {old} | {new} | {shown} | {len(ratios)} | {verdict(low, high)} |"


def _shown(seconds: float) -> str:
    """Format a time with its unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def version(checkout: Path) -> str:
    """The commit of a checkout, as far as git knows it."""
    words = ["git", "-C", str(checkout), "describe", "--always", "--dirty"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip() or checkout.name


def tell(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)  # noqa: T201


def main() -> None:
    """Compare two checkouts and print the table, line by line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"by default {ROUNDS}")
    parser.add_argument("--long-rounds", type=int, default=LONG_ROUNDS, help=f"of {', '.join(LONG)}; 0 leaves it out")
    parser.add_argument("--only", default=",".join(WORK), help=f"some of {','.join(WORK)}")
    given = parser.parse_args()
    old, new = given.old.resolve(), given.new.resolve()
    today = datetime.now(UTC).date().isoformat()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {today}"
    tell(f"{version(old)} and {version(new)}; {machine}; CPU time of one unit, median of all rounds\n")
    tell("| | old | new | new / old | 95 % interval | rounds | |\n|---|--:|--:|--:|--:|--:|---|")
    for name in given.only.split(","):
        rounds = given.long_rounds if name in LONG else given.rounds
        if rounds:
            for line in lines(measured(old, new, name, rounds)):
                tell(line)


if __name__ == "__main__":
    main()
