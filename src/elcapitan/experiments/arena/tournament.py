"""Playing all games of an arena: in this process, on the cores of this machine, or on a cluster."""

import signal
import warnings
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from typing import Final

import joblib

from elcapitan.errors import BadBot, BadCluster, BadSetup, ElCapitanError
from elcapitan.experiments.arena.cluster import play_on_cluster
from elcapitan.experiments.arena.match import Batch, Batches, Played, play_batch
from elcapitan.experiments.arena.schedule import Config, GameResult
from elcapitan.game.setup import Setup
from elcapitan.players import seats

MOST_GAMES: Final = 100_000_000
AHEAD: Final = 2  # batches waiting for each worker


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
) -> Results:
    """Play all games: on `jobs` cores of this machine (all by default) or on a cluster.

    `watch` is called with every finished game, in no certain order. Ctrl-C and the loss of the cluster end the arena
    early; finished games are kept.
    """
    check(config)
    finished: dict[int, GameResult] = {}
    stopped, problem = False, None
    with closing(_batches(config, jobs, cluster, with_records=with_records)) as batches:
        try:
            for batch in batches:
                for played in batch.games:
                    if watch:
                        watch(played)
                    finished[played.result.number] = played.result
        except KeyboardInterrupt:
            stopped = True
        except BadCluster as error:
            if not finished:
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
    config: Config, jobs: int | None, cluster: str | None, *, with_records: bool
) -> Generator[Batch, None, None]:
    """Yield the batches of all games as they are finished."""
    if cluster is not None:
        return play_on_cluster(config, cluster, with_records=with_records)
    jobs = min(jobs or all_cores(), config.scheduled)
    if jobs == 1:
        return play_in_turn(config, with_records=with_records)
    return play_on_cores(config, jobs, with_records=with_records)


def all_cores() -> int:
    """Return how many processes can run at a time."""
    return int(joblib.cpu_count())


def play_in_turn(config: Config, *, with_records: bool) -> Generator[Batch, None, None]:
    """Play all games one after another in this process."""
    for number in range(config.scheduled):
        yield play_batch(config, (number,), with_records=with_records)


def play_on_cores(config: Config, jobs: int, *, with_records: bool) -> Generator[Batch, None, None]:
    """Play all games in several processes; yields batches as they are finished."""
    batches = Batches(config.scheduled, jobs)
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
