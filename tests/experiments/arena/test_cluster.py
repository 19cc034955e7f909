"""Playing on a real Dask cluster: a scheduler and two workers, started here."""

import contextlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from tests.cli.running import output, surroundings
from tests.experiments.arena.started_commands import running
from tests.experiments.arena.toy_bots import LOWEST

from elcapitan.engine.jit import COMPILED
from elcapitan.errors import BadCluster
from elcapitan.experiments.arena import tournament
from elcapitan.experiments.arena.games import Config
from elcapitan.experiments.arena.tournament import DIGEST, digest

GAMES = 60 if COMPILED else 6  # some seconds of play


@contextlib.contextmanager
def started(module: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask that runs for a while."""
    line = [sys.executable, "-m", f"distributed.cli.{module}", *words, "--no-dashboard"]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(line, env=surroundings({}), stdout=nowhere, stderr=nowhere) as process:
        try:
            yield process
        finally:
            process.kill()


def worker(address: str) -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
    """A worker of a cluster."""
    return started("dask_worker", address, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Generator[str, None, None]:
    """Where the scheduler is."""
    file = tmp_path_factory.mktemp("dask") / "scheduler.json"
    with started("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)):
        wait_for(file.exists)
        time.sleep(0.2)  # it is being written
        yield str(json.loads(file.read_text(encoding="utf-8"))["address"])


def wait_for(happens: object, seconds: float = 60) -> None:
    """Wait until something is true."""
    until = time.monotonic() + seconds
    while not happens():  # type: ignore[operator]
        assert time.monotonic() < until, "it never happens"
        time.sleep(0.02)


def test_a_worker_is_killed_and_nothing_is_lost(address: str, tmp_path: Path) -> None:
    words = ["arena", "--bots", LOWEST, "--players", "2", "--games", str(GAMES), "--seed", "3"]
    far, near = tmp_path / "far", tmp_path / "near"
    with worker(address) as doomed, worker(address), running(*words, "--cluster", address, "--out", str(far)) as arena:
        wait_for(lambda: len(list(far.glob("games/game-*"))) >= 1)
        assert arena.poll() is None and doomed.poll() is None
        doomed.kill()
        page, errors = arena.communicate(timeout=60)
    assert (arena.returncode, errors) == (0, "")
    assert page.startswith(f"{GAMES} games, 2 players, seed 3")
    output(*words, "--jobs", "1", "--out", near)
    for path in sorted(near.rglob("*")):
        if path.is_file() and path.name != "run.json":
            assert (far / path.relative_to(near)).read_bytes() == path.read_bytes(), path.name


def test_a_killed_arena_continues_on_a_cluster(address: str, tmp_path: Path) -> None:
    words = ["arena", "--bots", LOWEST, "--players", "2", "--games", str(GAMES), "--seed", "4"]
    far, near = tmp_path / "far", tmp_path / "near"
    with worker(address):
        with running(*words, "--cluster", address, "--out", str(far)) as arena:
            wait_for(lambda: (far / "games.jsonl").exists() or arena.poll() is not None)
            arena.kill()
            arena.wait()
        assert not (far / "results.json").exists()
        page = output(*words, "--cluster", address, "--out", far)
    assert page.startswith("Games played earlier: ")
    output(*words, "--jobs", "1", "--out", near)
    for path in sorted(near.rglob("*")):
        if path.is_file() and path.name != "run.json":
            assert (far / path.relative_to(near)).read_bytes() == path.read_bytes(), path.name


class Office:
    """A client of a cluster that has no cluster: it asks this process instead."""

    def __init__(self, workers: int = 1, **wrong: object) -> None:
        self.workers = [f"tcp://host-{number % 2}:{number}" for number in range(workers)]
        self.wrong = wrong
        self.compiling: list[str] = []

    def wait_for_workers(self, count: int, timeout: float) -> None:
        if not self.workers:
            raise TimeoutError

    def run_on_scheduler(self, ask: object, what: str) -> object:
        if self.wrong.get("scheduler") is ImportError:
            raise ModuleNotFoundError("No module named 'elcapitan'")
        return self.wrong.get("scheduler", DIGEST)

    def run(self, ask: object, *what: str, workers: list[str] | None = None) -> dict[str, object]:
        self.compiling = workers or []
        return dict.fromkeys(self.workers, self.wrong.get("worker", DIGEST))

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.workers, 1)


@pytest.mark.parametrize(
    ("office", "sentence"),
    [
        (Office(0), "The cluster at tcp://x:1 has no workers."),
        (
            Office(1, scheduler=ImportError),
            "The cluster cannot play, because El Capitán is not installed everywhere: No module named 'elcapitan'.",
        ),
        (
            Office(1, scheduler="other"),
            "The cluster has another edition of El Capitán than this machine, at scheduler.",
        ),
        (
            Office(2, worker="old"),
            "The cluster has another edition of El Capitán than this machine, at tcp://host-0:0.",
        ),
    ],
)
def test_a_cluster_that_cannot_play_is_refused(office: Office, sentence: str) -> None:
    with pytest.raises(BadCluster, match=re.escape(sentence)):
        tournament.get_ready(office, "tcp://x:1")


def test_one_worker_on_each_machine_compiles() -> None:
    office = Office(5)
    tournament.get_ready(office, "tcp://x:1")
    assert len(office.compiling) == 2 and len({worker.split(":")[1] for worker in office.compiling}) == 2


def test_without_dask_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadCluster) as refused:
        next(tournament.play_on_cluster(Config((LOWEST,)), range(4), "tcp://127.0.0.1:8786", with_records=False))
    assert str(refused.value) == 'To play on a cluster, install Dask: pip install "elcapitan[cluster]".'


def test_nobody_answers() -> None:
    patience = "from elcapitan.experiments.arena import tournament; tournament.CLUSTER_TIMEOUT = 1"
    impatient = f"{patience}; from elcapitan.cli.main import main; main()"
    words = [sys.executable, "-c", impatient, "arena", "--bots", LOWEST, "--cluster", "tcp://127.0.0.1:9"]
    answer = subprocess.run(words, env=surroundings({}), capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", "No cluster answers at tcp://127.0.0.1:9.\n")


def test_an_edition_is_told_by_its_sources(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("1", encoding="utf-8")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "two.py").write_text("2", encoding="utf-8")
    before = digest(tmp_path)
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "one.pyc").write_text("x", encoding="utf-8")
    assert digest(tmp_path) == before
    (tmp_path / "inner" / "two.py").write_text("3", encoding="utf-8")
    assert digest(tmp_path) != before
