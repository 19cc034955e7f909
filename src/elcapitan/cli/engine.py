"""`elcapitan bench`, `perft` and `warm-up`: measure the engine, count the game tree, and compile the rules.

Everything is measured on one core, best of several runs, because a busy machine can only make a run slower. Actions
are those of complete games by the light policy. So are those of the batch; beside it stands a batch of random legal
actions, which lead to unusual games, with full hands and many loans.

Counted are sequences of legal actions, cards coming up in the order of the decks; a game that is over counts as one. A
number that changes without a change of the rules is a mistake; `tests/perft` pins many.
"""

import os
import platform
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Annotated, Any, Final

import numpy as np
import typer
from rich.progress import Progress

from elcapitan.actions.text import to_text
from elcapitan.board.figures import packaged
from elcapitan.bots.bot import weights
from elcapitan.cli.command_line import Terminal, plain_table, print_json, terminal
from elcapitan.cli.options import Json, Players, Seed, Tiles, number_option, tile_bits
from elcapitan.engine import fleet, play, think
from elcapitan.engine.jit import COMPILED, prepared
from elcapitan.engine.policies import LIGHT, NO_POLICY, POLICY_NAMES, UNIFORM
from elcapitan.engine.record import zeros
from elcapitan.engine.rng import generator
from elcapitan.engine.search.tree import BY_PLAY, BY_WORTH, START_OF_SEARCH, TO_PAYDAY
from elcapitan.engine.state import BOARD, STATE, Boards, Desks, States
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS
from elcapitan.text.catalogue import _

BENCH_HELP: Final = _("Measure the engine on this machine: complete games, single steps, lists of legal actions.")
LONGEST: Final = 600

ALL_TILES: Final = 7
SETTINGS: Final = ((2, 0), (3, 0), (4, 0), (5, 0), (4, ALL_TILES))
BATCH: Final = 4096
RUNS: Final = 5
POSITIONS: Final = 2000
LIMIT: Final = 100_000

STYLES: Final = {  # how a search judges new positions: see engine.search.tree
    "full play-outs by dice, a second": (BY_PLAY, 0),
    "plans to the next payday, a second": (TO_PAYDAY, 64),
    "worth of the position, a second": (BY_WORTH, 0),
}

PERFT_HELP: Final = _(
    "Count the positions of the game tree, depth by depth, from the beginning of a game with known cards."
)
DEEPEST: Final = 12
ONE_SEED: Final = 1  # of a count that is to be compared with others

WARM_UP_HELP: Final = _(
    "Compile the rules now, so that no command has to wait for it. This is needed once after an installation; "
    "every command does it by itself if you do not."
)


def bench(
    context: typer.Context,
    as_json: Json = False,
    seconds: Annotated[int, number_option("--seconds", "N", 1, LONGEST, _("How long to measure."))] = 10,
) -> None:
    """Measure the engine under a progress bar, and print the results."""
    screen = terminal(context)
    screen.compile_rules()
    with Progress(console=screen.err, transient=True, disable=not screen.err.is_terminal) as bar:
        task = bar.add_task(screen.text("Measuring"), total=None)
        measured = measure(seconds, lambda what: bar.update(task, description=what))
    if as_json:
        print_json(measured)
    else:
        show(screen, measured)


def show(screen: Terminal, measured: dict[str, Any]) -> None:
    """Print the measurements as a table."""
    table = plain_table()
    table.add_column(screen.text("Measured"), no_wrap=True)
    table.add_column(screen.text("Result"))
    for name, value in flattened(measured):
        table.add_row(name.replace("_", " "), f"{value:,.0f}" if isinstance(value, float) else str(value))
    screen.out.print(table)


def flattened(measured: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all measurements by name; in a group, the group's name stands before their own."""
    for name, value in measured.items():
        if isinstance(value, dict):
            yield from flattened(value, f"{before.replace(':', ',')}{name}: ")
        else:
            yield before + name, value


def measure(seconds: float, progress: Callable[[str], None]) -> dict[str, Any]:
    """Measure everything in about `seconds`; `progress` is called with what is measured next."""
    share = seconds / (len(SETTINGS) + 4)
    measured: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "method": f"one core, best of {RUNS} runs; numba {version('numba')}, numpy {np.__version__}",
        "bytes_per_state": STATE.itemsize,
        "bytes_per_board": BOARD.itemsize,
        "games": {},
    }
    for players, tiles in SETTINGS:
        name = f"{players} players, {'all' if tiles else 'no'} tiles"
        progress(name)
        measured["games"][name] = _games(players, tiles, share)
    progress("legal mask, step and forecast")
    measured["nanoseconds"] = _parts(share)
    measured["batch"] = {"games": BATCH}
    for policy in (LIGHT, UNIFORM):
        progress(f"batch, {POLICY_NAMES[policy]}")
        measured["batch"][POLICY_NAMES[policy]] = _batch(policy, share)
    progress("search")
    measured["search"] = {name: _search(share / len(STYLES), *style) for name, style in STYLES.items()}
    return measured


def _games(players: int, tiles: int, seconds: float) -> dict[str, float]:
    """Measure complete games by the light policy."""
    states, desks, dice = play.states(), play.desks(), generator(1)
    boards = packaged().boards
    best, length = 0.0, 0.0
    games = 50
    playing = play.Playing(LIGHT, players, tiles, DEFAULT_OPTIONS, games, LIMIT)
    for _run in range(RUNS):
        begun = time.perf_counter()
        actions, played = 0, 0
        while time.perf_counter() - begun < seconds / RUNS:
            actions += play.play_many(states, 0, boards, desks, 0, dice, playing)
            played += games
        speed = actions / (time.perf_counter() - begun)
        best, length = max(best, speed), actions / played
    return {"actions_per_second": best, "games_per_second": best / length, "actions_per_game": length}


class FleetBatch:
    """Games of four players without tiles, stepped together on one core: a fleet that writes masks and nothing else."""

    def __init__(self, games: int, seed: int) -> None:
        self.terms = zeros(fleet.Terms, 1)
        self.terms[0].players, self.terms[0].options = 4, DEFAULT_OPTIONS
        self.terms[0].others = self.terms[0].choice = NO_POLICY
        self.arrays = fleet.fleet_arrays(games, packaged().boards, self.terms, observe=False, flags=False)
        self.arrays.seeds[:, 0] = seed
        self._step = prepared(fleet.step, self.arrays, fleet.LEADER, 0)
        self.arrays.actions[:] = fleet.BEGIN

    def step(self, choice: int = NO_POLICY) -> None:
        """Play `actions` in all games and deal finished ones anew; then write a policy's next choice there."""
        self.terms[0].choice = choice
        if self._step(self.arrays, fleet.LEADER, 0) != fleet.ALL_LEGAL:
            raise AssertionError("an action was not legal")

    def choose(self, choice: int) -> None:
        """Write what a policy would do now into `actions`."""
        self.arrays.actions[:] = fleet.STAY
        self.step(choice)


def _parts(seconds: float) -> dict[str, float]:
    """Nanoseconds for the mask of all legal actions, for a step, for a forecast; 4 players, no tiles.

    The step is what a step with its mask takes longer than the mask of the positions it leads to.
    """
    single, batch = FleetBatch(1, seed=2), FleetBatch(POSITIONS, seed=3)
    one, many = single.arrays, batch.arrays
    for i in range(POSITIONS):  # of light games, one after another
        single.step(LIGHT)
        many.states[i], many.masks[i], many.actions[i] = one.states[0], one.masks[0], one.actions[0]
    states, masks, actions = many.states.copy(), many.masks.copy(), many.actions.copy()
    boards, forecasts = packaged().boards, play.forecasts(POSITIONS)

    def before_step() -> None:
        many.states[:], many.masks[:], many.actions[:] = states, masks, actions

    def before_mask() -> None:
        many.actions[:] = fleet.STAY

    share = seconds / 4
    together = _best_nanoseconds(batch.step, before_step, share)
    masks_after = _best_nanoseconds(batch.step, before_mask, share)
    before_step()
    return {
        "legal_mask": _best_nanoseconds(batch.step, before_mask, share),
        "step": together - masks_after,
        "forecast": _best_nanoseconds(lambda: play.forecast_all(states, boards, forecasts), lambda: None, share),
    }


def _best_nanoseconds(task: Callable[[], None], before: Callable[[], None], seconds: float) -> float:
    """Return the fewest nanoseconds per position of several passes over all positions."""
    best = float("inf")
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds or best == float("inf"):
        before()
        started = time.perf_counter()
        task()
        best = min(best, time.perf_counter() - started)
    return best / POSITIONS * 1e9


def _batch(policy: int, seconds: float) -> dict[str, float]:
    """Measure steps per second of a batch of games: step, renewal of finished games and mask.

    The caller of a batch chooses the actions, so choosing is not timed; a second figure times it, in the kernel.
    """
    batch = FleetBatch(BATCH, seed=4)
    for _step in range(600):  # so that the games of the batch are at all stages
        batch.step(policy)
    steps = _best_rate(batch.step, lambda: batch.choose(policy), seconds / 2)
    batch.choose(policy)  # the last step above has played its actions and chosen no others
    return {
        "steps_per_second": steps,
        "with_the_choice_per_second": _best_rate(lambda: batch.step(policy), lambda: None, seconds / 2),
    }


def _best_rate(step: Callable[[], None], before: Callable[[], None], seconds: float) -> float:
    """Return steps per second of a whole batch in the best run; what comes before each step is not timed."""
    best = 0.0
    for _run in range(RUNS):
        spent, steps = 0.0, 0
        while spent < seconds / RUNS:
            before()
            begun = time.perf_counter()
            step()
            spent += time.perf_counter() - begun
            steps += BATCH
        best = max(best, steps / spent)
    return best


def _search(seconds: float, cut: int, planned: int) -> float:
    """Measure simulations per second of a search at the beginning of a game of four."""
    boards = packaged().boards
    line, slice_of = think.lines(), 50
    play.new(line, START_OF_SEARCH, boards, 4, 0, DEFAULT_OPTIONS, 0, 5, 0)
    play.turn_up(line, START_OF_SEARCH, boards)
    room = (line, boards, play.desks(), think.search_buffers(), weights("worth"), generator(5), think.trees(60_000))
    arrays = think.SearchArrays(*room)
    best, used = 0.0, 0
    for _run in range(RUNS):
        begun, done = time.perf_counter(), 0
        while time.perf_counter() - begun < seconds / RUNS:
            used = think.think(arrays, used, slice_of, cut, planned)
            done += slice_of
        best = max(best, done / (time.perf_counter() - begun))
    return best


def perft(
    context: typer.Context,
    players: Players = 4,
    tiles: Tiles = "none",
    seed: Seed = ONE_SEED,
    depth: Annotated[int, number_option("--depth", "D", 1, DEEPEST, _("How many actions deep."))] = 4,
    split: Annotated[bool, typer.Option("--split", help=_("Count behind every first action by itself."))] = False,
) -> None:
    """Count the positions of the game tree, by depth or by first action."""
    screen = terminal(context)
    screen.compile_rules()
    figures, number = packaged(), seed or 0
    states = play.states()
    play.new(
        states, 0, figures.boards, players, tile_bits(tiles), DEFAULT_OPTIONS, 0, number & 0xFFFFFFFF, number >> 32
    )
    play.turn_up(states, 0, figures.boards)
    if split:
        table = plain_table(screen.text("First action"), screen.text("Positions"))
        for action, count in count_by_first_action(states, figures.boards, depth):
            table.add_row(to_text(action, figures), f"{count}")
    else:
        table = plain_table()
        for title in (screen.text("Depth"), screen.text("Positions"), screen.text("Seconds")):
            table.add_column(title, justify="right")
        for level in range(1, depth + 1):
            begun = time.perf_counter()
            count = count_sequences(states, figures.boards, level)
            table.add_row(str(level), str(count), f"{time.perf_counter() - begun:.2f}")
    screen.out.print(table)


def legal(states: States, i: int, boards: Boards, desks: Desks) -> list[int]:
    """Return the legal actions of a position."""
    count = play.legal(states, i, boards, desks, 0)
    return [int(action) for action in desks[0].actions[:count]]


def count_sequences(states: States, boards: Boards, depth: int) -> int:
    """Count sequences of `depth` actions from states[0]."""
    line = play.states(depth + 1)
    line[0] = states[0]
    return _count(line, 0, boards, play.desks(), depth)


def count_by_first_action(states: States, boards: Boards, depth: int) -> list[tuple[int, int]]:
    """Count behind every first action by itself, to find out where two counts differ."""
    line = play.states(depth + 1)
    desks = play.desks()
    result = []
    for action in legal(states, 0, boards, desks):
        line[1] = states[0]
        _step(line, 1, boards, action)
        result.append((action, _count(line, 1, boards, desks, depth - 1)))
    return result


def _step(line: States, i: int, boards: Boards, action: int) -> None:
    """Carry out an action and turn up the cards that follow."""
    play.apply(line, i, boards, action)
    play.turn_up(line, i, boards)


def _count(line: States, i: int, boards: Boards, desks: Desks, depth: int) -> int:
    """Count sequences of `depth` actions from line[i]; the rest of the line is scratch space."""
    if depth == 0 or play.is_over(line, i):
        return 1
    actions = legal(line, i, boards, desks)
    if depth == 1:
        return len(actions)
    leaves = 0
    for action in actions:
        line[i + 1] = line[i]
        _step(line, i + 1, boards, action)
        leaves += _count(line, i + 1, boards, desks, depth - 1)
    return leaves


def warm_up(context: typer.Context) -> None:
    """Compile all kernels and print how long it took."""
    screen = terminal(context)
    if not COMPILED:
        screen.out.print(
            screen.text("The rules run interpreted, because NUMBA_DISABLE_JIT is set: nothing to compile.")
        )
        return
    seconds = screen.compile_rules()
    if not seconds:
        screen.out.print(screen.text("The rules were compiled already."))
    else:
        screen.out.print(screen.text("The rules are compiled; it took {seconds:.0f} s.", seconds=seconds))
