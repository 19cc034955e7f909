"""The games of a study: the same bot in every seat, at tables of several sizes, and the accounts of every merchant.

Accounts are read from the record of a game. The arena's own result has everything else; its money after a payday is
cash, without the loans that were extended.
"""

from collections.abc import Callable
from dataclasses import dataclass

from elcapitan.actions.union import Extend, TakeLoan, decode
from elcapitan.board.figures import Figures, packaged
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import NAMING, NEUTRAL_OFFSET, PHASES, two_colours
from elcapitan.experiments.arena.games import Config, Played
from elcapitan.experiments.arena.tournament import Results, check, play_arena
from elcapitan.game.game import Act, Game
from elcapitan.position.facts import facts_of
from elcapitan.records import json_record as record


@dataclass(frozen=True)
class AmongEquals(Config):
    """A table with the same bot in all seats. Rotations would change nothing, so each game has cards of its own."""

    @property
    def games_per_deal(self) -> int:
        """One: there are no rotations."""
        return 1


@dataclass(frozen=True)
class Study:
    """Which games a study plays."""

    bot: str
    players: tuple[int, ...]  # numbers of players, ascending
    games: int  # for each number of players
    seed: int
    board: Figures | None = None  # None: the packaged one

    @property
    def figures(self) -> Figures:
        """The board's figures that are played with."""
        return self.board or packaged()

    @property
    def tables(self) -> tuple[AmongEquals, ...]:
        """What the arena plays, one after another."""
        return tuple(
            AmongEquals(bots=(self.bot,), players=each, games=self.games, seed=self.seed, board=self.board)
            for each in self.players
        )

    @property
    def scheduled(self) -> int:
        """How many games are played in all."""
        return sum(table.scheduled for table in self.tables)


@dataclass(frozen=True)
class Accounts:
    """The debts and the stock of one merchant, payday by payday."""

    worth: tuple[int, ...]  # money less debt after each payday
    taken: tuple[int, ...]  # loan cards, by phase
    extended: tuple[int, ...]  # how many of these were extended after the payday of the phase
    left: tuple[int, ...]  # pieces in the stock at each payday


@dataclass(frozen=True)
class StudiedTable:
    """The games of one number of players, and their accounts."""

    results: Results
    accounts: tuple[tuple[Accounts, ...], ...]  # by game and seat, in the order of the results


def check_study(study: Study) -> None:
    """Raise an error if the games cannot be played."""
    for table in study.tables:
        check(table)


def play(
    study: Study, *, jobs: int | None = None, watch: Callable[[Played], object] | None = None
) -> tuple[StudiedTable, ...]:
    """Play all games, on all cores or on as many as told; Ctrl-C ends the study and keeps what is finished."""
    tables: list[StudiedTable] = []
    for config in study.tables:
        table = _play_table(config, jobs, watch)
        if table.results.games:
            tables.append(table)
        if table.results.stopped:
            break
    return tuple(tables)


def _play_table(config: AmongEquals, jobs: int | None, watch: Callable[[Played], object] | None) -> StudiedTable:
    """Play the games of one number of players, and read the accounts of each from its record."""
    read: dict[int, tuple[Accounts, ...]] = {}

    def finished(played: Played) -> None:
        if played.record:
            read[played.result.number] = accounts(record.from_json(played.record, config.figures))
        if watch:
            watch(played)

    results = play_arena(config, jobs=jobs, with_records=True, watch=finished)
    return StudiedTable(results, tuple(read[game.number] for game in results.games))


def accounts(game: Game) -> tuple[Accounts, ...]:
    """Compute the accounts of all merchants of a finished game, by seat."""
    seats = range(game.players)
    worth: list[list[int]] = [[] for _ in seats]
    left: list[list[int]] = [[] for _ in seats]
    taken, extended = ([[0] * PHASES for _ in seats] for _ in range(2))
    for moment in game.history():
        before, after = moment.before[0], moment.after[0]
        if isinstance(moment.event, Act):
            action, phase = decode(moment.event.numbers[0], game.figures), int(before.phase) - 1
            taken[moment.event.seat][phase] += isinstance(action, TakeLoan)
            extended[moment.event.seat][phase] += isinstance(action, Extend)
        for seat in seats:
            if moment.payday:
                left[seat].append(pieces(after, seat))
            if before.stage == NAMING:  # all loans of the payday are settled
                worth[seat].append(net(before, game.figures, seat))
    for seat in seats:
        worth[seat].append(net(game.position, game.figures, seat))
    return tuple(
        Accounts(tuple(worth[seat]), tuple(taken[seat]), tuple(extended[seat]), tuple(left[seat])) for seat in seats
    )


def net(state: State, figures: Figures, seat: int) -> int:
    """Return a merchant's money less what is due for the loans still held."""
    return int(state.cash[seat]) - int(facts_of(state, figures).debt[seat])


def pieces(state: State, seat: int) -> int:
    """Count what a merchant has left to build: warehouses, with two players the neutral ones too, and fortresses."""
    neutral = int(state.stock[seat + NEUTRAL_OFFSET]) if two_colours(int(state.players)) else 0
    return int(state.stock[seat]) + neutral + int(state.fortresses[seat])
