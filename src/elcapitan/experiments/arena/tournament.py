"""Playing all games of an arena: in this process, on the cores of this machine, or on a running Dask cluster.

A cluster is `dask scheduler` on one machine and `dask worker` on every machine. Workers may come and go: the games of a
lost one are played again by others, and games are the same wherever they are played. Scheduler and workers must have
the same sources of this package installed, which is checked first.

What a result depends on stands here, too: versions, sources, and when and where the games were played.
"""

import hashlib
import logging
import os
import pkgutil
import platform
import re
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from typing import Any, Final
from urllib.parse import urlsplit

import joblib

from elcapitan.errors import BadBot, BadCluster, BadSetup, ElCapitanError
from elcapitan.experiments.arena.games import Batch, Batches, Config, GameResult, Played, play_batch
from elcapitan.game.game import RULES_VERSION
from elcapitan.game.setup import Setup
from elcapitan.players import seats

MOST_GAMES: Final = 100_000_000
AHEAD: Final = 2  # batches waiting for each worker

ADDRESS: Final = re.compile(r"(tcp|tls)://[^\s/]+:\d{1,5}")
EXAMPLE: Final = "tcp://127.0.0.1:8786"
CLUSTER_TIMEOUT: Final = 10  # seconds to wait for an answer of a cluster
EDITION: Final = f"{__name__}:DIGEST"


@dataclass(frozen=True)
class Results:
    """The results of all games that were played."""

    config: Config
    games: tuple[GameResult, ...]  # in the order of the schedule
    stopped: bool = False  # by Ctrl-C
    problem: ElCapitanError | None = None  # why the cluster gave up

    @property
    def complete(self) -> bool:
        """Whether all games were played."""
        return len(self.games) == self.config.scheduled

    @property
    def forfeited(self) -> bool:
        """Whether a program failed in a game and so forfeited it."""
        return any(merchant.fault for game in self.games for merchant in game.merchants)


def play_arena(
    config: Config,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    with_records: bool = False,
    watch: Callable[[Played], object] | None = None,
    kept: Iterable[GameResult] = (),
    skipped: Collection[int] = (),
) -> Results:
    """Play all games: on `jobs` cores of this machine (all by default) or on a cluster.

    Games of the same configuration that are `kept` from an earlier call are counted and not played again; games whose
    numbers are `skipped` are neither played nor counted. `watch` is called with every other game when it is finished,
    in no certain order. Ctrl-C and the loss of the cluster end the arena early; finished games are kept.
    """
    check(config)
    finished = {game.number: game for game in kept}
    before = len(finished)
    missing: Sequence[int] = range(config.scheduled)
    if finished or skipped:
        missing = [number for number in missing if number not in finished and number not in skipped]
    stopped, problem = False, None
    with closing(_batches(config, missing, jobs, cluster, with_records=with_records)) as batches:
        try:
            for batch in batches:
                for played in batch.games:
                    if watch:
                        watch(played)
                    finished[played.result.number] = played.result
        except KeyboardInterrupt:
            stopped = True
        except BadCluster as error:
            if len(finished) == before:
                raise
            problem = error
    return Results(config, tuple(finished[number] for number in sorted(finished)), stopped, problem)


def check(config: Config) -> None:
    """Raise `BadSetup` or `BadBot` if the games cannot be played."""
    Setup.of(config.players, config.tiles, 0, config.options)
    if not 1 <= config.games <= MOST_GAMES:
        raise BadSetup("bad-count", key="games", found=config.games, least=1, most=MOST_GAMES)
    if not config.bots:
        raise BadBot("no-bots")
    for spec in dict.fromkeys(config.bots):
        seats.check(spec)


def _batches(
    config: Config, numbers: Sequence[int], jobs: int | None, cluster: str | None, *, with_records: bool
) -> Generator[Batch, None, None]:
    """Yield the batches of these games as they are finished."""
    if cluster is not None and numbers:
        return play_on_cluster(config, numbers, cluster, with_records=with_records)
    jobs = min(jobs or all_cores(), len(numbers))
    if jobs <= 1:
        return play_in_turn(config, numbers, with_records=with_records)
    return play_on_cores(config, numbers, jobs, with_records=with_records)


def all_cores() -> int:
    """Return how many processes can run at a time."""
    return int(joblib.cpu_count())


def play_in_turn(config: Config, numbers: Iterable[int], *, with_records: bool) -> Generator[Batch, None, None]:
    """Play some games one after another in this process."""
    for number in numbers:
        yield play_batch(config, (number,), with_records=with_records)


def play_on_cores(
    config: Config, numbers: Sequence[int], jobs: int, *, with_records: bool
) -> Generator[Batch, None, None]:
    """Play some games in several processes; yields batches as they are finished."""
    batches = Batches(numbers, jobs)
    workers = joblib.Parallel(
        n_jobs=jobs,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        pre_dispatch=AHEAD * jobs,
        max_nbytes=None,
        initializer=ignore_interrupts,
    )
    finished = workers(joblib.delayed(play_batch)(config, each, with_records=with_records) for each in batches)
    try:
        for batch in finished:
            batches.note(batch)
            yield batch
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib warns that games are left, which is known
            finished.close()


def ignore_interrupts() -> None:
    """Ignore Ctrl-C in a worker: it reaches every process of a terminal, and the first one handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_on_cluster(
    config: Config, numbers: Sequence[int], address: str, *, with_records: bool
) -> Generator[Batch, None, None]:
    """Play some games on a cluster; yields batches as they are finished."""
    client = _connected(address)
    try:
        get_ready(client, address)
        yield from _play(client, config, numbers, with_records=with_records)
    finally:
        client.close(timeout=CLUSTER_TIMEOUT)


def _connected(address: str) -> Any:
    """Connect to the cluster; raise `BadCluster` if that fails."""
    if not ADDRESS.fullmatch(address):
        raise BadCluster("bad-address", found=address, example=EXAMPLE)
    try:
        from distributed import Client  # noqa: PLC0415 - an extra that need not be installed
    except ImportError:
        raise BadCluster("no-dask", command="pip install elcapitan[cluster]") from None
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is told in a sentence
    try:
        return Client(address, timeout=CLUSTER_TIMEOUT, set_as_default=False)
    except (OSError, ValueError):
        raise BadCluster("no-cluster", address=address) from None


def get_ready(client: Any, address: str) -> None:
    """Check that a cluster can play this edition, and let one worker on each machine compile the rules.

    Raises `BadCluster` if the cluster has no workers, or this package is missing or different there.
    """
    _check_edition(client, address)
    one_each = {urlsplit(worker).hostname: worker for worker in client.nthreads()}
    client.run(compile_rules, workers=list(one_each.values()))


def _check_edition(client: Any, address: str) -> None:
    """Raise `BadCluster` if the cluster has no workers, or this package is missing or different there."""
    try:
        client.wait_for_workers(1, timeout=CLUSTER_TIMEOUT)
    except TimeoutError:
        raise BadCluster("no-workers", address=address) from None
    try:
        editions = {"scheduler": client.run_on_scheduler(pkgutil.resolve_name, EDITION)}
        editions |= client.run(pkgutil.resolve_name, EDITION)
    except (ImportError, AttributeError) as error:
        raise BadCluster("cluster-lacks", problem=error) from None
    for where, edition in editions.items():
        if edition != DIGEST:
            raise BadCluster("other-edition", where=where)


def compile_rules() -> None:
    """Compile the rules on this machine if needed, in a process of its own, because compiling forks."""
    from elcapitan.engine import warm_up  # noqa: PLC0415 - only workers need it here

    if not warm_up.is_ready():
        subprocess.run([sys.executable, "-m", "elcapitan", "warm-up"], check=True, capture_output=True)


def _play(client: Any, config: Config, numbers: Sequence[int], *, with_records: bool) -> Generator[Batch, None, None]:
    """Keep every worker busy until these games are played."""
    from distributed import CancelledError, KilledWorker, as_completed  # noqa: PLC0415

    batches = Batches(numbers, max(1, sum(client.nthreads().values())))
    running = as_completed(loop=client.loop)

    def keep_busy() -> None:
        while running.count() < AHEAD * max(1, sum(client.nthreads().values())):
            some = next(batches, None)
            if some is None:
                return
            running.add(client.submit(play_batch, config, some, with_records=with_records, pure=False))

    try:
        keep_busy()
        for future in running:
            batch = future.result()
            batches.note(batch)
            keep_busy()
            yield batch
    except (CancelledError, KilledWorker, OSError) as error:
        raise BadCluster("cluster-lost", problem=type(error).__name__) from None


def digest(folder: Traversable) -> str:
    """Hash all sources and board files of a package, independent of where it is installed."""
    found = hashlib.sha256()
    for path, file in sorted(_sources(folder), key=lambda each: each[0]):
        found.update(path.encode() + file.read_bytes())
    return found.hexdigest()[:16]


def _sources(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield all sources and board files under a folder, with their paths."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _sources(each, f"{path}{each.name}/")
        elif each.name.endswith((".py", ".toml")):
            yield path + each.name, each


DIGEST: Final = digest(resources.files("elcapitan"))  # two programs that differ here may play different games


def version(package: str) -> str:
    """Return the version of an installed package; nothing if it runs from its sources."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def versions() -> dict[str, str]:
    """Return the versions that decide the results of an arena or a study."""
    return {"elcapitan": version("elcapitan"), "rules": RULES_VERSION, "openskill": version("openskill")}


def run_facts(played: int, seconds: float, *, complete: bool) -> dict[str, Any]:
    """Describe a run: what depends on when and where its games were played."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "games_per_second": round(played / max(seconds, 1e-9), 3),
        "complete": complete,
        "machine": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
        "sources": DIGEST,
    }
