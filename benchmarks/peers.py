"""This engine beside others, measured in one run on one machine.

    python benchmarks/peers.py             # some twenty minutes; nothing else should run meanwhile
    python benchmarks/peers.py --seconds 0.2 --rounds 1 --only fastcatan,elcapitan

The first use makes an environment of its own, `.venv-peers`, and installs the peers of `requirements-peers.txt` and
this project into it; that needs a network and Python 3.12 or newer. Everybody plays random legal actions of their own
game. The contenders take turns, several rounds of them, each in a process of its own that is bound to one core unless
the line says otherwise; the best round counts, because a busy machine can only make a run slower. A peer that cannot be
installed or fails is named with its problem. Results go to `docs/benchmarks.json`, `docs/benchmarks.md` and two plots.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Final

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
PATIENCE: Final = 300  # seconds until a contender must be done
GROWTH: Final[dict[str, list[dict[str, int]]]] = {
    "players": [{"players": players} for players in (2, 3, 4, 5)],
    "tiles": [{"tiles": tiles} for tiles in (0, 1, 2, 3)],
    "games": [{"games": games} for games in (16, 64, 256, 1024, 4096, 16384)],
}


# ---------------------------------------------------------------------------------------------- in a process of its own


def measure(turn: Callable[[], tuple[float, int]], seconds: float) -> float:
    """Actions a second, over so many seconds of work."""
    turn()
    spent, count = 0.0, 0
    while spent < seconds:
        took, did = turn()
        spent, count = spent + took, count + did
    return count / spent


def work(order: Mapping[str, Any]) -> float:
    """Carry out an order: a contender by its number, or a step of the growth of this engine's cost."""
    from benchmarks.contenders import CONTENDERS, our_batch

    if order["cores"] and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: order["cores"]])
    if "number" in order:
        return measure(CONTENDERS[order["number"]].make(), order["seconds"])
    return measure(our_batch(observe=True, policy="light", **order["growth"]), order["seconds"])


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


def ask(order: Mapping[str, Any]) -> tuple[float, str]:
    """What a process of its own measures: the result, or 0 and the problem."""
    surroundings = {**os.environ, **COMMON, **(ONE_THREAD if order["cores"] == 1 else {})}
    words = [sys.executable, str(Path(__file__).resolve()), "--order", json.dumps(order)]
    try:
        done = subprocess.run(words, env=surroundings, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return 0.0, f"took more than {PATIENCE} seconds"
    if done.returncode:
        return 0.0, (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
    return float(done.stdout.strip().splitlines()[-1]), ""


def hold(seconds: float, rounds: int, only: set[str]) -> dict[str, Any]:
    """Measure all engines in turn, in several rounds; returns the best of each."""
    from benchmarks.contenders import CONTENDERS
    from benchmarks.turns import BATCH

    lines = [
        {"name": each.name, "package": each.package, "kind": each.kind, "cores": each.cores, "best": 0.0, "problem": ""}
        for each in CONTENDERS
    ]
    growth: list[dict[str, Any]] = [
        {"by": by, **step, "best": 0.0} for by, steps in GROWTH.items() for step in steps if not only
    ]
    for played in range(rounds):
        for number, line in enumerate(lines):
            if only and line["package"] not in only:
                continue
            told(f"round {played + 1} of {rounds}: {line['name']}, {line['kind']}")
            rate, problem = ask({"number": number, "cores": line["cores"], "seconds": seconds})
            line.update(best=max(float(str(line["best"])), rate), problem=problem)
        for entry in growth:
            step = {name: value for name, value in entry.items() if name not in ("by", "best")}
            told(f"round {played + 1} of {rounds}: growth, {step}")
            entry["best"] = max(entry["best"], ask({"growth": step, "cores": 1, "seconds": seconds})[0])
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "method": f"best of {rounds} rounds of {seconds:g} s, in turns; batches of {BATCH} games",
        "versions": dict(versions({each.package for each in CONTENDERS})),
        "lines": [line for line in lines if not only or line["package"] in only],
        "growth": growth,
    }


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
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


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
    reader.add_argument("--seconds", type=float, default=2.0, help="for each contender in each round")
    reader.add_argument("--rounds", type=int, default=5)
    reader.add_argument("--only", default="", help="packages, with commas between them; nothing is written then")
    reader.add_argument("--here", action="store_true", help="measure in this environment, install nothing")
    reader.add_argument("--order", help=argparse.SUPPRESS)
    chosen = reader.parse_args()
    if chosen.order:
        print(work(json.loads(chosen.order)))
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
