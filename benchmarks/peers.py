"""This engine beside others, measured in one run on one machine.

    python benchmarks/peers.py             # about a quarter of an hour; nothing else should run meanwhile
    python benchmarks/peers.py --seconds 0.1 --rounds 1 --only fastcatan,elcapitan

The first use makes an environment of its own, `.venv-peers`, and installs the peers of `requirements-peers.txt` and
this project into it; that needs a network and Python 3.12 or newer. Everybody plays random legal actions of their own
game, each in a process of its own that is bound to one core, but for the table by cores. The contenders of a table
stand by together and take turns, several rounds of them; the median counts, and the slowest and the fastest round are
told. A peer that cannot be installed or fails is named with its problem. Results go to `docs/benchmarks.json`,
`docs/benchmarks.md` and two plots.
"""

import argparse
import contextlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from benchmarks.contenders import Contender
    from benchmarks.turns import Turn

ROOT: Final = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]
VENV: Final = ROOT / ".venv-peers"
REQUIREMENTS: Final = Path(__file__).with_name("requirements-peers.txt")
DOCS: Final = ROOT / "docs"
ONE_THREAD: Final = {
    "OMP_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
COMMON: Final = {"JAX_PLATFORMS": "cpu", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
PATIENCE: Final = 300  # seconds until a contender must have answered
COLD_ROUNDS: Final = 3  # of starts with nothing compiled
GROWTH: Final[dict[str, list[dict[str, int]]]] = {
    "players": [{"players": players} for players in (2, 3, 4, 5)],
    "tiles": [{"tiles": tiles} for tiles in (0, 1, 2, 3)],
    "games": [{"games": games} for games in (16, 64, 256, 1024, 4096, 16384)],
}
Order = Mapping[str, Any]
Rates = list[float]


# ---------------------------------------------------------------------------------------------- in a process of its own


def measure(turn: "Turn", seconds: float) -> tuple[float, float]:
    """Actions and play-outs a second, over so many seconds of work."""
    turn()
    spent, actions, playouts = 0.0, 0.0, 0
    while spent < seconds:
        done = turn()
        spent, actions, playouts = spent + done.seconds, actions + done.actions, playouts + done.playouts
    return actions / spent, playouts / spent


def work(order: Order) -> None:
    """Carry out an order: a contender, a step of the growth of this engine's cost, or the games of an engine.

    Each line of the input is a number of seconds, and is answered with a line of rates; the first line says that
    everything is ready.
    """
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a peer prints is no answer
    from benchmarks.contenders import CONTENDERS, GAMES, our_batch
    from benchmarks.turns import bind

    if "game" in order:
        print(json.dumps(GAMES[order["game"]][1]()), file=answers)
        return
    bind(order["cores"])
    if "number" in order:
        turn = CONTENDERS[order["number"]].make()
    else:
        turn = our_batch(observe=True, policy="uniform", **order["growth"])
    turn()
    print("[]", file=answers)
    for line in sys.stdin:
        print(json.dumps(measure(turn, float(line))), file=answers)


# ------------------------------------------------------------------------------------------------------ taking turns


def install() -> Path:
    """The interpreter of the peers' environment, which is made if there is none."""
    python = VENV / "bin" / "python"
    if not python.exists():
        newest = next(filter(can_make, (sys.executable, "python3.14", "python3.13", "python3.12")), None)
        if not newest:
            sys.exit("The peers need Python 3.12 or newer, and there is none on this machine.")
        subprocess.run([newest, "-m", "venv", str(VENV)], check=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"{ROOT}[research]"], check=True)
    for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines():
        requirement = line.partition("#")[0].strip()
        if requirement and subprocess.run([*pip, requirement], check=False).returncode:
            print(f"{requirement} cannot be installed here", file=sys.stderr)
    return python


def can_make(python: str) -> bool:
    """Whether an interpreter is there, new enough for all peers, and can make an environment."""
    question = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))"
    return bool(shutil.which(python)) and not subprocess.run([python, "-c", question], check=False).returncode


class Contestant:
    """A process that stands by to measure something, and what it has told so far."""

    def __init__(self, order: Order) -> None:
        surroundings = {**os.environ, **COMMON, **(ONE_THREAD if order.get("cores") == 1 else {})}
        words = [sys.executable, str(Path(__file__).resolve()), "--order", json.dumps(order)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, env=surroundings, text=True, stdin=pipe, stdout=pipe, stderr=pipe)
        self.actions: list[int] = []  # a second, in each round
        self.playouts: list[int] = []
        self.problem = ""
        self.first = self._answer()  # once everything is ready

    def measure(self, seconds: float) -> None:
        """Measure for so many seconds, unless there was a problem."""
        if not self.problem:
            assert self._process.stdin
            with contextlib.suppress(BrokenPipeError):  # it has ended: its answer is a problem
                self._process.stdin.write(f"{seconds}\n")
                self._process.stdin.flush()
            for rates, found in zip((self.actions, self.playouts), self._answer(), strict=False):
                rates.append(round(found))

    def _answer(self) -> Rates:
        """Read the next line that the process writes; if it ends without one, note the problem."""
        assert self._process.stdout
        assert self._process.stderr
        guard = threading.Timer(PATIENCE, self._process.kill)
        guard.start()
        line = self._process.stdout.readline()
        guard.cancel()
        if line:
            answer: Rates = json.loads(line)
            return answer
        last_words = self._process.stderr.read().strip().splitlines() or ["it ended without a word"]
        late = self._process.wait() == -signal.SIGKILL
        self.problem = f"took more than {PATIENCE} seconds" if late else last_words[-1]
        return []

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def in_turns(what: str, orders: Sequence[Order], seconds: float, rounds: int) -> list[Contestant]:
    """Measure all of these in turn, in several rounds."""
    told(f"{what}: making {len(orders)} ready")
    contestants = [Contestant(order) for order in orders]
    for played in range(rounds):
        told(f"{what}: round {played + 1} of {rounds}")
        for each in contestants:
            each.measure(seconds)
    for each in contestants:
        each.close()
    return contestants


def hold(seconds: float, rounds: int, only: set[str]) -> dict[str, Any]:
    """Measure everything, or these packages only."""
    from benchmarks.contenders import CONTENDERS
    from benchmarks.turns import BATCH

    described = machine()
    wanted = [number for number, each in enumerate(CONTENDERS) if not only or each.package in only]
    lines: list[dict[str, Any]] = []
    for kind in dict.fromkeys(CONTENDERS[number].kind for number in wanted):
        numbers = [number for number in wanted if CONTENDERS[number].kind == kind]
        orders = [{"number": number, "cores": 1} for number in numbers]
        for number, found in zip(numbers, in_turns(kind, orders, seconds, rounds), strict=True):
            lines.append(line_of(CONTENDERS[number], found))
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": described,
        "method": f"median of {rounds} rounds of {seconds:g} s, in turns; batches of {BATCH} games; "
        "seconds of processor time on one core, of the clock on several",
        "versions": dict(versions({each.package for each in CONTENDERS})),
        "games": games(only),
        "lines": lines,
        "scaling": scaling(seconds, rounds, only),
        "starts": starts(rounds, only),
        "growth": [] if only else growth(seconds, rounds),
    }


def line_of(contender: "Contender", found: Contestant) -> dict[str, Any]:
    """A line of a table: what was measured of a contender."""
    about = {name: getattr(contender, name) for name in ("name", "package", "kind", "does", "mask", "observation")}
    return {**about, "actions": found.actions, "playouts": found.playouts, "problem": found.problem}


def games(only: set[str]) -> list[dict[str, Any]]:
    """What random games of the engines are like."""
    from benchmarks.contenders import GAMES
    from benchmarks.turns import Game

    wanted = [name for name, (package, _) in GAMES.items() if not only or package in only]
    found = in_turns("games", [{"game": name} for name in wanted], 0, 0)
    return [
        {"name": name, **dict(zip(Game._fields, each.first, strict=False)), "problem": each.problem}
        for name, each in zip(wanted, found, strict=True)
    ]


def scaling(seconds: float, rounds: int, only: set[str]) -> list[dict[str, Any]]:
    """Batches on one core, two, four and so on, up to all there are."""
    from benchmarks.contenders import CONTENDERS, SCALED
    from benchmarks.turns import cores

    counts = [2**power for power in range(len(cores()).bit_length()) if 2**power < len(cores())] + [len(cores())]
    places = [(name, count) for name, each in SCALED.items() for count in counts if not only or each.package in only]
    orders = [{"number": CONTENDERS.index(SCALED[name]), "cores": count} for name, count in places]
    found = in_turns("scaling", orders, seconds, rounds)
    return [
        {"name": name, "cores": count, "actions": each.actions, "problem": each.problem}
        for (name, count), each in zip(places, found, strict=True)
    ]


def growth(seconds: float, rounds: int) -> list[dict[str, Any]]:
    """This engine's batches by number of players, tiles and games."""
    places = [(by, step) for by, steps in GROWTH.items() for step in steps]
    found = in_turns("growth", [{"growth": step, "cores": 1} for _, step in places], seconds, rounds)
    return [{"by": by, **step, "actions": each.actions} for (by, step), each in zip(places, found, strict=True)]


def starts(rounds: int, only: set[str]) -> list[dict[str, Any]]:
    """Seconds from the first import to the first step, in turns; ours also where nothing is compiled yet."""
    from benchmarks.contenders import STARTS

    found: list[dict[str, Any]] = [
        {"name": name, "package": package, "warm": [], "cold": []}
        for name, (package, _) in STARTS.items()
        if not only or package in only
    ]
    for each in found:
        started(STARTS[each["name"]][1])  # so that all that can be kept on disk is there
    for played in range(rounds):
        told(f"starts: round {played + 1} of {rounds}")
        for each in found:
            code = STARTS[each["name"]][1]
            each["warm"].append(started(code))
            if played < COLD_ROUNDS and each["package"] == "elcapitan":
                with tempfile.TemporaryDirectory() as folder:
                    each["cold"].append(started(code, ELCAPITAN_CACHE=folder))
    return found


def started(code: str, **surroundings: str) -> float:
    """Seconds that a new program takes to carry out some code; 0 if it fails."""
    path = f"import sys, time; sys.path.insert(0, {str(ROOT / 'src')!r}); begun = time.perf_counter()"
    words = [sys.executable, "-c", f"{path}; {code}; print(time.perf_counter() - begun)"]
    written = {"PYTHONDONTWRITEBYTECODE": ""}  # modules are compiled to bytecode once, as usual
    environment = {**os.environ, **COMMON, **ONE_THREAD, **written, **surroundings}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return float(done.stdout.strip().splitlines()[-1]) if done.returncode == 0 else 0.0


def told(what: str) -> None:
    """Print what is being measured."""
    print(what, file=sys.stderr, flush=True)


def machine() -> str:
    """Describe the machine that this runs on."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = names[0] if names else cpu
    load = f", load average {os.getloadavg()[0]:.1f} before" if hasattr(os, "getloadavg") else ""
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}{load}"


def versions(packages: set[str]) -> Iterator[tuple[str, str]]:
    """The versions of everything measured."""
    for package in sorted(packages | {"numba", "numpy", "jax"}):
        try:
            yield package, metadata.version(package.replace("_", "-"))
        except metadata.PackageNotFoundError:
            yield package, "not installed"


def main() -> None:
    """Measure, or carry out an order of the process that does."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    reader.add_argument("--seconds", type=float, default=0.3, help="for each contender in each round")
    reader.add_argument("--rounds", type=int, default=7)
    reader.add_argument("--only", default="", help="packages, with commas between them; nothing is written then")
    reader.add_argument("--here", action="store_true", help="measure in this environment, install nothing")
    reader.add_argument("--order", help=argparse.SUPPRESS)
    chosen = reader.parse_args()
    if chosen.order:
        work(json.loads(chosen.order))
        return
    if not chosen.here:
        sys.exit(subprocess.run([str(install()), *sys.argv, "--here"], check=False).returncode)
    from benchmarks.peers_page import page, plots

    measured = hold(chosen.seconds, chosen.rounds, set(filter(None, chosen.only.split(","))))
    if chosen.only:
        print(page(measured))
        return
    (DOCS / "benchmarks.json").write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    (DOCS / "benchmarks.md").write_text(page(measured), encoding="utf-8")
    for name, drawing in plots(measured).items():
        (DOCS / "images" / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
