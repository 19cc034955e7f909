"""Playing on a running Dask cluster: `dask scheduler` on one machine, `dask worker` on every machine.

Workers may come and go: the games of a lost one are played again by others, and games are the same wherever they are
played. Scheduler and workers must have the same sources of this package installed, which is checked first.
"""

import logging
import pkgutil
import re
import subprocess
import sys
from collections.abc import Generator
from typing import Any, Final
from urllib.parse import urlsplit

from elcapitan.errors import BadCluster
from elcapitan.experiments.arena.match import Batch, Batches, play_batch
from elcapitan.experiments.arena.schedule import Config
from elcapitan.experiments.provenance import DIGEST

ADDRESS: Final = re.compile(r"(tcp|tls)://[^\s/]+:\d{1,5}")
EXAMPLE: Final = "tcp://127.0.0.1:8786"
PATIENCE: Final = 10  # seconds to wait for an answer
AHEAD: Final = 2  # batches waiting for each worker
EDITION: Final = "elcapitan.experiments.provenance:DIGEST"
NEEDED: Final = "elcapitan.experiments.arena.match:__name__"  # importable if the package is installed there


def play_on_cluster(config: Config, address: str, *, with_records: bool) -> Generator[Batch, None, None]:
    """Play all games on a cluster; yields batches as they are finished."""
    client = _connected(address)
    try:
        _check_edition(client, address)
        _compile_everywhere(client)
        yield from _play(client, config, with_records=with_records)
    finally:
        client.close(timeout=PATIENCE)


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
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError):
        raise BadCluster("no-cluster", address=address) from None


def _check_edition(client: Any, address: str) -> None:
    """Raise `BadCluster` if the cluster has no workers, or this package is missing or different there."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise BadCluster("no-workers", address=address) from None
    try:
        client.run_on_scheduler(pkgutil.resolve_name, NEEDED)
        editions = {"scheduler": client.run_on_scheduler(pkgutil.resolve_name, EDITION)}
        editions |= client.run(pkgutil.resolve_name, EDITION)
    except (ImportError, AttributeError) as error:
        raise BadCluster("cluster-lacks", problem=error) from None
    for where, edition in editions.items():
        if edition != DIGEST:
            raise BadCluster("other-edition", where=where)


def _compile_everywhere(client: Any) -> None:
    """Let one worker on each machine compile the rules, so that not all of them do."""
    one_each = {urlsplit(worker).hostname: worker for worker in client.nthreads()}
    client.run(compile_rules, workers=list(one_each.values()))


def compile_rules() -> None:
    """Compile the rules on this machine if needed, in a process of its own, because compiling forks."""
    from elcapitan.engine import warm_up  # noqa: PLC0415 - only workers need it here

    if not warm_up.is_ready():
        subprocess.run([sys.executable, "-m", "elcapitan", "warm-up"], check=True, capture_output=True)


def _play(client: Any, config: Config, *, with_records: bool) -> Generator[Batch, None, None]:
    """Keep every worker busy until all games are played."""
    from distributed import CancelledError, KilledWorker, as_completed  # noqa: PLC0415

    batches = Batches(config.scheduled, max(1, sum(client.nthreads().values())))
    running = as_completed(loop=client.loop)

    def keep_busy() -> None:
        while running.count() < AHEAD * max(1, sum(client.nthreads().values())):
            numbers = next(batches, None)
            if numbers is None:
                return
            running.add(client.submit(play_batch, config, numbers, with_records=with_records, pure=False))

    try:
        keep_busy()
        for future in running:
            batch = future.result()
            batches.note(batch)
            keep_busy()
            yield batch
    except (CancelledError, KilledWorker, OSError) as error:
        raise BadCluster("cluster-lost", problem=type(error).__name__) from None
