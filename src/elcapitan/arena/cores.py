"""Playing on this machine: in this process, or in one for each core."""

import signal
import warnings
from collections.abc import Generator

import joblib

from elcapitan.arena.batches import Batches
from elcapitan.arena.match import Batch, play_batch
from elcapitan.arena.schedule import Config

AHEAD = 2  # batches waiting for each worker


def all_cores() -> int:
    """How many processes can run at a time."""
    return int(joblib.cpu_count())


def play_in_turn(config: Config, *, with_records: bool) -> Generator[Batch, None, None]:
    """Play all games one after another, here."""
    for number in range(config.scheduled):
        yield play_batch(config, (number,), with_records=with_records)


def play_on_cores(config: Config, jobs: int, *, with_records: bool) -> Generator[Batch, None, None]:
    """Play all games in several processes; batches come as they are finished."""
    batches = Batches(config.scheduled, jobs)
    workers = joblib.Parallel(
        n_jobs=jobs,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        pre_dispatch=AHEAD * jobs,
        max_nbytes=None,
        initializer=leave_interrupts_to_others,
    )
    finished = workers(joblib.delayed(play_batch)(config, each, with_records=with_records) for each in batches)
    try:
        for batch in finished:
            batches.note(batch)
            yield batch
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # whoever stops early knows that games are left
            finished.close()


def leave_interrupts_to_others() -> None:
    """Let Ctrl-C, which reaches every process of a terminal, be an affair of the first one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
