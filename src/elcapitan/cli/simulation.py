"""Playing many games and counting what came of them."""

import hashlib
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from elcapitan.cli import records
from elcapitan.cli.bars import games_bar
from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.terminal import Terminal
from elcapitan.engine import play
from elcapitan.engine.actions import LOAN
from elcapitan.engine.rng import Generators, generator
from elcapitan.engine.state import Boards, State, States
from elcapitan.engine.vocabulary import LOANS, OPTION_NAMES, OVER, PHASES, TILE_NAMES
from elcapitan.figures import Figures
from elcapitan.game import Game
from elcapitan.text.names import plainly

LIMIT: Final = 100_000  # actions of a game; real ones take some hundreds
LOW_32: Final = 0xFFFFFFFF
LOOK_EVERY: Final = 0.1  # seconds between two looks at the clock
WATCHED: Final = 100  # games whose course is watched; the others are played in one go


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    figures: Figures
    players: int
    tiles: int
    options: int
    first: int | None  # from 1; None: by lot
    games: int
    seed: int
    policy: int
    out: Path | None
    form: str
    trace: bool


@dataclass(frozen=True)
class Course:
    """How one game went; rounds and loans only if it was watched."""

    actions: int
    money: tuple[int, ...]
    rounds: tuple[int, ...] = ()
    loans: int = 0


@dataclass
class Tally:
    """How all games went."""

    courses: list[Course] = field(default_factory=list)
    seconds: float = 0.0

    def count(self, course: Course) -> None:
        """Add a game."""
        self.courses.append(course)

    @property
    def watched(self) -> list[Course]:
        """The games that were watched."""
        return [course for course in self.courses if course.rounds]


def game_seed(seed: int, number: int) -> int:
    """The seed of a game, by its number; games of neighbouring seeds have nothing in common."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {number}".encode(), digest_size=8).digest())


def run(screen: Terminal, plan: Plan) -> Tally:
    """Play all games."""
    if plan.out:
        _make_folder(plan.out)
    tally = Tally()
    begun = time.perf_counter()
    with games_bar(screen) as bar:
        task = bar.add_task(screen.text("Games"), total=plan.games, visible=False)
        shown = begun
        for number in range(1, plan.games + 1):
            _play_one(plan, tally, number)
            now = time.perf_counter()
            if now - shown > LOOK_EVERY:
                bar.update(task, completed=number, visible=now - begun > 1)
                shown = now
    tally.seconds = time.perf_counter() - begun
    return tally


def _make_folder(folder: Path) -> None:
    """Make the folder for the records."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput("cannot-write", file=folder, problem=error.strerror or error) from None


def _play_one(plan: Plan, tally: Tally, number: int) -> None:
    """Play the game with this number and count it: step by step where its course is wanted, else in one go."""
    seed = game_seed(plan.seed, number)
    first = (seed >> 32) % plan.players if plan.first is None else plan.first - 1
    if plan.out:
        game = _new(plan, seed, first)
        tally.count(_watched(plan, seed, _GameSteps(game)))
        records.write(plan.out / f"game-{number:06d}.{plan.form}", game, trace=plan.trace)
        return
    states = play.states()
    board = plan.figures.boards
    play.new(states, 0, board, plan.players, plan.tiles, plan.options, first, seed & LOW_32, seed >> 32)
    if number <= WATCHED:
        play.turn_up(states, 0, board)
        tally.count(_watched(plan, seed, _BareSteps(states, board)))
    else:
        actions = play.play_out(states, 0, board, play.desks(), 0, dice(seed), plan.policy, LIMIT)
        tally.count(Course(int(actions), _money(states[0], plan.players)))


def dice(seed: int) -> Generators:
    """The dice of the players, which know nothing of the cards."""
    return generator(game_seed(seed, 0))


def _watched(plan: Plan, seed: int, game: "_GameSteps | _BareSteps") -> Course:
    """Play a game to its end, step by step, and watch its course."""
    rolls, desks = dice(seed), play.desks()
    rounds, loans, actions = [0] * PHASES, 0, 0
    while (states := game.states())[0].stage != OVER:
        action = int(play.choose(states, 0, plan.figures.boards, desks, 0, rolls, plan.policy))
        phase = plainly(states[0].phase)
        rounds[phase - 1] = max(rounds[phase - 1], plainly(states[0].round_no))
        loans += LOAN <= action < LOAN + LOANS
        actions += 1
        game.play(action)
    return Course(actions, _money(game.states()[0], plan.players), tuple(rounds), loans)


class _GameSteps:
    """A checked game, which can be written down."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def states(self) -> States:
        """The position."""
        return self.game.view_for(0)

    def play(self, action: int) -> None:
        """Carry out an action."""
        self.game.play(action)


class _BareSteps:
    """A position alone."""

    def __init__(self, states: States, boards: Boards) -> None:
        self.position = states
        self.boards = boards

    def states(self) -> States:
        """The position."""
        return self.position

    def play(self, action: int) -> None:
        """Carry out an action."""
        play.apply(self.position, 0, self.boards, action)
        play.turn_up(self.position, 0, self.boards)


def _new(plan: Plan, seed: int, first: int) -> Game:
    """A game that can be written down."""
    return Game.new(
        plan.players,
        [name for bit, name in enumerate(TILE_NAMES) if plan.tiles >> bit & 1],
        first=first,
        options={name: bool(plan.options & bit) for name, bit in OPTION_NAMES.items()},
        seed=seed,
        figures=plan.figures,
    )


def _money(state: State, players: int) -> tuple[int, ...]:
    """The cash of every seat."""
    return tuple(plainly(cash) for cash in state.cash[:players])
