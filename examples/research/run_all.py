"""Run the examples with other libraries, each for a short while, and record what came of it.

    python examples/research/run_all.py                                   # as `make check` does: some minutes
    python examples/research/run_all.py --only sb3.ipynb --minutes 10     # a learning curve

The first use makes an environment of its own, `.venv-examples`, and installs `requirements.txt` and this project into
it: some gigabytes, which need a network. Notebooks are executed, scripts started. The last result of each goes to
`results.json` beside this file and into a table of `docs/research.md`; what fails ends this with an error.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
VENV: Final = ROOT / ".venv-examples"
RESULTS: Final = HERE / "results.json"
PAGE: Final = ROOT / "docs" / "research.md"
TABLE: Final = re.compile(r"(?<=<!-- generated: adapters -->\n).*?(?=<!-- end -->)", re.DOTALL)
PATIENCE: Final = 900  # seconds beyond the minutes of learning
SHORT: Final = 0.1  # minutes of learning, if none are given
EXAMPLES: Final = {  # the package of each, and how its shortest run is asked for
    "sb3.ipynb": ("sb3-contrib", ()),
    "cleanrl.ipynb": ("torch", ()),
    "rllib_ppo.py": ("ray", ("--iterations", "1")),
    "tianshou_dqn.py": ("tianshou", ("--epochs", "1")),
    "open_spiel_search.py": ("open-spiel", ("--games", "1", "--simulations", "2")),
    "hugging_face.py": ("datasets", ("--games", "2")),
}
NOTEBOOK: Final = """
import sys, nbclient, nbformat
notebook = nbclient.NotebookClient(nbformat.read(sys.argv[1], 4), timeout=None).execute()
print("".join(part.get("text", "") for part in notebook.cells[-1].outputs))
"""


def install() -> Path:
    """Return the interpreter of the examples' environment, which is made if there is none."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", str(HERE / "requirements.txt"), f"{ROOT}[research,openspiel]"], check=True)
    return python


def run(name: str, minutes: float) -> dict[str, Any]:
    """Run an example and return how long it took and what it said last, or its problem."""
    home = VENV / "home"  # what libraries leave behind in a home folder stays here
    home.mkdir(parents=True, exist_ok=True)
    surroundings = {**os.environ, "HOME": str(home), "MINUTES": str(minutes), "ELCAPITAN_CACHE": str(cache_root())}
    words = ["-c", NOTEBOOK, str(HERE / name)] if name.endswith(".ipynb") else [str(HERE / name), *EXAMPLES[name][1]]
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, *words],
        env=surroundings,
        cwd=home,
        capture_output=True,
        text=True,
        timeout=60 * minutes + PATIENCE,
        check=False,
    )
    said = (done.stdout.strip().splitlines() or [""])[-1]
    problem = "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "library": f"{EXAMPLES[name][0]} {metadata.version(EXAMPLES[name][0])}",
        "minutes": minutes,
        "seconds": round(time.monotonic() - begin),
        "said": json.loads(said) if said.startswith("{") else said,
        "problem": problem,
    }


def cache_root() -> Path:
    """Return where the compiled engine is kept, so that it need not be compiled anew for another home folder."""
    from elcapitan.engine import jit  # noqa: PLC0415 - it is there once everything is installed

    return jit.cache_root()


def table(results: dict[str, dict[str, Any]]) -> str:
    """Return the table of the page about research: the last short run of each example, and the last longer one."""
    lines = ["| example | last check | last longer run |", "|---|---|---|"]
    for name in (name for name in EXAMPLES if name in results):
        short, long = (told(results[name][length]) if length in results[name] else "" for length in ("short", "long"))
        lines.append(f"| [{name}](../examples/research/{name}) | {short} | {long} |")
    return "\n".join(lines) + "\n"


def told(result: dict[str, Any]) -> str:
    """Return what came of a run in one line."""
    begun = f"{result['library']}, {result['date']}: "
    if result["problem"]:
        return begun + "failed, " + result["problem"]
    said = result["said"]
    if not isinstance(said, dict):
        return begun + said
    points = [point for point in said.get("curve", []) if point[2] is not None]
    facts = [f"{name} {value:,}" for name, value in said.items() if name != "curve"]
    if points:
        facts.append(f"{points[-1][2]:.0%} of the last games won")
        facts += [f"above one half after {point[0]:.1f} minutes" for point in points if point[2] > 0.5][:1]
    return f"{begun}{result['minutes']:g} minutes, {', '.join(facts)}"


def write(results: dict[str, dict[str, Any]]) -> None:
    """Keep the results, and show them on the page about research."""
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(TABLE.sub(lambda _: table(results), PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was chosen; returns 1 if something failed."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    reader.add_argument("--only", choices=list(EXAMPLES))
    reader.add_argument("--minutes", type=float, default=SHORT, help="of learning in each notebook")
    reader.add_argument("--here", action="store_true", help="run in this environment, install nothing")
    reader.add_argument("--keep", action="store_true", help="record nothing")
    chosen = reader.parse_args(arguments)
    if not chosen.here:
        return subprocess.run([str(install()), *sys.argv, "--here"], check=False).returncode
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    failed = False
    for name in [chosen.only] if chosen.only else EXAMPLES:
        result = run(name, chosen.minutes)
        print(f"{name}: {told(result)} (took {result['seconds']} s)", flush=True)
        failed = failed or bool(result["problem"])
        results.setdefault(name, {})["long" if chosen.minutes > SHORT else "short"] = result
    if not chosen.keep:
        write(results)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
