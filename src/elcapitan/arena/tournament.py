"""All games of an arena, wherever they are played."""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from elcapitan.arena.cluster import play_on_cluster
from elcapitan.arena.cores import all_cores, play_in_turn, play_on_cores
from elcapitan.arena.match import Batch, Played
from elcapitan.arena.result import GameResult
from elcapitan.arena.schedule import Config
from elcapitan.errors import BadBot, BadCluster, BadSetup, ElCapitanError
from elcapitan.players import seats
from elcapitan.setup import Setup

MOST_GAMES: Final = 100_000_000


@dataclass(frozen=True)
class Results:
    """What came of all games that were played."""

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
    """Play all games: on so many cores of this machine (all, if not told) or on a cluster.

    `watch` is called with every game that is finished, in no certain order. Ctrl-C, and a cluster that is lost, end
    the arena early; what is finished is kept.
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
    """Refuse what cannot be played."""
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
    """All games as they are finished."""
    if cluster is not None:
        return play_on_cluster(config, cluster, with_records=with_records)
    jobs = min(jobs or all_cores(), config.scheduled)
    if jobs == 1:
        return play_in_turn(config, with_records=with_records)
    return play_on_cores(config, jobs, with_records=with_records)
