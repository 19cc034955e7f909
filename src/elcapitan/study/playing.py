"""The games of a study: the same bot in every seat, at tables of several sizes."""

from collections.abc import Callable
from dataclasses import dataclass

from elcapitan.arena.match import Played
from elcapitan.arena.schedule import Config
from elcapitan.arena.tournament import Results, check, play_arena
from elcapitan.figures import Figures, packaged
from elcapitan.notation import record
from elcapitan.study.accounts import Accounts, accounts


@dataclass(frozen=True)
class AmongEquals(Config):
    """A table at which everybody is the same. To rotate them would change nothing: each game has cards of its own."""

    @property
    def games_per_deal(self) -> int:
        """One."""
        return 1


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    bot: str
    players: tuple[int, ...]  # numbers of players, ascending
    games: int  # for each number of players
    seed: int
    board: Figures | None = None  # None: the packaged one

    @property
    def figures(self) -> Figures:
        """The figures played with."""
        return self.board or packaged()

    @property
    def tables(self) -> tuple[AmongEquals, ...]:
        """What the arena is to play, one after another."""
        return tuple(
            AmongEquals(bots=(self.bot,), players=each, games=self.games, seed=self.seed, board=self.board)
            for each in self.players
        )

    @property
    def scheduled(self) -> int:
        """How many games that is."""
        return sum(table.scheduled for table in self.tables)


@dataclass(frozen=True)
class Table:
    """What came of the games of one number of players."""

    results: Results
    accounts: tuple[tuple[Accounts, ...], ...]  # by game and seat, in the order of the results


def check_plan(plan: Plan) -> None:
    """Refuse what cannot be played."""
    for table in plan.tables:
        check(table)


def play(plan: Plan, *, jobs: int | None = None, watch: Callable[[Played], object] | None = None) -> tuple[Table, ...]:
    """Play all games, on so many cores (all, if not told); Ctrl-C ends the study, and what is finished is kept."""
    tables: list[Table] = []
    for config in plan.tables:
        table = _play_table(config, jobs, watch)
        if table.results.games:
            tables.append(table)
        if table.results.stopped:
            break
    return tuple(tables)


def _play_table(config: AmongEquals, jobs: int | None, watch: Callable[[Played], object] | None) -> Table:
    """Play the games of one number of players, and read the accounts of each from its record."""
    read: dict[int, tuple[Accounts, ...]] = {}

    def finished(played: Played) -> None:
        if played.record:
            read[played.result.number] = accounts(record.from_json(played.record, config.figures))
        if watch:
            watch(played)

    results = play_arena(config, jobs=jobs, with_records=True, watch=finished)
    return Table(results, tuple(read[game.number] for game in results.games))
