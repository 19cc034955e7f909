"""How long `make play` takes to show a page, in a fresh clone and the second time.

`python benchmarks/start.py` clones the last commit into a new folder, without packages, compiled rules or caches of pip
and uv, runs `make play` there, and prints the seconds until the first page answers and until the rules are compiled;
then the same for the second start. Packages come from the package index, so a slow network counts too. Nothing else
should run meanwhile.
"""

import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.browser.running_server import GRACE, HOST, PATIENCE, free_port  # noqa: E402

GOALS: Final = {"first": 20.0, "second": 3.0}  # seconds until a page is there
OFTEN: Final = 0.02  # seconds between two requests
READY: Final = 204  # status of /compiling once the rules are there


def started(clone: Path, caches: Path) -> tuple[float, float]:
    """Seconds from `make play` until the first page answers, and until the rules are ready; it is stopped then."""
    port = free_port()
    own = {
        "ELCAPITAN_CACHE": caches / "rules",
        "ELCAPITAN_DATA": caches / "data",
        "UV_CACHE_DIR": caches / "uv",
        "PIP_CACHE_DIR": caches / "pip",
    }
    without = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    caches.mkdir(exist_ok=True)
    log = caches / "log"
    begin = time.monotonic()
    server = subprocess.Popen(
        ["make", "play", f"ARGS=--no-open --port {port}"],
        cwd=clone,
        env={**without, **{name: str(folder) for name, folder in own.items()}},
        stdout=log.open("wb"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        address = f"http://{HOST}:{port}"
        page = seconds_until(f"{address}/", 200, begin, server)
        return page, seconds_until(f"{address}/compiling", READY, begin, server)
    except AssertionError:
        sys.stderr.write(log.read_text())
        raise
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(GRACE)


def seconds_until(url: str, status: int, begin: float, server: "subprocess.Popen[bytes]") -> float:
    """Seconds since `begin` until an address answers with a status."""
    while time.monotonic() < begin + PATIENCE:
        assert server.poll() is None, "make play has ended"
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
                if answer.status == status:
                    return time.monotonic() - begin
        except OSError:  # nobody listens yet, or it answers with another status
            pass
        time.sleep(OFTEN)
    raise AssertionError(url)


def main() -> None:
    """Measure both starts and print them."""
    with tempfile.TemporaryDirectory() as folder:
        clone, caches = Path(folder) / "clone", Path(folder) / "caches"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        lines = []
        for name, goal in GOALS.items():
            page, rules = started(clone, caches)
            lines.append(f"| {name} | {page:.1f} | {goal:.0f} | {rules:.1f} |")
    today = datetime.now(UTC).date().isoformat()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {today}"
    load = f"load before and while measuring: {' '.join(f'{each:.1f}' for each in os.getloadavg())}"
    heading = ["| start | first page, s | goal, s | rules compiled, s |", "|---|--:|--:|--:|"]
    print("\n".join([machine, load, "", *heading, *lines]))  # noqa: T201


if __name__ == "__main__":
    main()
