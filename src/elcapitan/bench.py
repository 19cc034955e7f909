"""Measuring the engine on the machine it runs on.

Everything is measured on one core, best of several runs, because a busy machine can only make a run slower. Actions
are those of complete games by the light policy. So are those of the batch; beside it stands a batch of random legal
actions, which lead to games that nobody plays, with full hands and many loans.
"""

import os
import platform
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

import numba
import numpy as np

from elcapitan.bots.weights import weights
from elcapitan.engine import play, think
from elcapitan.engine.policies import LIGHT, NO_POLICY, POLICY_NAMES, UNIFORM
from elcapitan.engine.rng import generator
from elcapitan.engine.state import BOARD, STATE, States
from elcapitan.engine.thought.tree import BY_PLAY, BY_WORTH, START_OF_SEARCH, TO_PAYDAY
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS
from elcapitan.figures import packaged

ALL_TILES: Final = 7
SETTINGS: Final = ((2, 0), (3, 0), (4, 0), (5, 0), (4, ALL_TILES))
BATCH: Final = 4096
RUNS: Final = 5
POSITIONS: Final = 2000
LIMIT: Final = 100_000

STYLES: Final = {  # how a search judges new positions: see engine.thought.tree
    "full play-outs by dice, a second": (BY_PLAY, 0),
    "plans to the next payday, a second": (TO_PAYDAY, 64),
    "worth of the position, a second": (BY_WORTH, 0),
}

Progress = Callable[[str], None]


def run(seconds: float, progress: Progress) -> dict[str, Any]:
    """Measure everything in about so many seconds; `progress` is told what is being measured."""
    share = seconds / (len(SETTINGS) + 4)
    measured: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "method": f"one core, best of {RUNS} runs; numba {numba.__version__}, numpy {np.__version__}",
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
    """Complete games by the light policy."""
    states, desks, dice = play.states(), play.desks(), generator(1)
    setup = np.array([players, tiles, DEFAULT_OPTIONS], np.int64)
    boards = packaged().boards
    best, length = 0.0, 0.0
    games = 50
    for _ in range(RUNS):
        begun = time.perf_counter()
        actions, played = 0, 0
        while time.perf_counter() - begun < seconds / RUNS:
            actions += play.play_many(states, 0, boards, desks, 0, dice, LIGHT, setup, games, LIMIT)
            played += games
        speed = actions / (time.perf_counter() - begun)
        best, length = max(best, speed), actions / played
    return {"actions_per_second": best, "games_per_second": best / length, "actions_per_game": length}


def _positions(players: int, tiles: int) -> tuple[States, Any]:
    """Positions from light games of a table, each with a legal action."""
    states, desks, dice = play.states(POSITIONS), play.desks(), generator(2)
    boards = packaged().boards
    actions = np.zeros(POSITIONS, np.int64)
    setup = np.array([players, tiles, DEFAULT_OPTIONS], np.int64)
    game, finished = np.full(1, play.BEGIN, np.int64), np.zeros(1, np.bool_)
    one, masks = play.states(), np.zeros((1, play.MASK_BYTES), np.uint8)
    for i in range(POSITIONS):
        play.step_batch(one, boards, desks, game, masks, finished, dice, setup, LIGHT)
        states[i], actions[i] = one[0], game[0]
    return states, actions


def _parts(seconds: float) -> dict[str, float]:
    """Nanoseconds for the mask of all legal actions, for a step, for a forecast; 4 players, no tiles.

    The step is what a step with its mask takes longer than the mask of the positions it leads to.
    """
    states, actions = _positions(4, 0)
    boards, desks, dice = packaged().boards, play.desks(), generator(3)
    masks, finished = np.zeros((POSITIONS, play.MASK_BYTES), np.uint8), np.zeros(POSITIONS, np.bool_)
    forecasts, setup = play.forecasts(POSITIONS), np.array([4, 0, DEFAULT_OPTIONS], np.int64)
    copy, chosen = states.copy(), actions.copy()

    def batch() -> None:
        play.step_batch(copy, boards, desks, chosen, masks, finished, dice, setup)

    def before_step() -> None:
        copy[:] = states
        chosen[:] = actions

    def before_mask() -> None:
        chosen[:] = play.STAY

    share = seconds / 4
    together = _best_nanoseconds(batch, before_step, share)
    masks_after = _best_nanoseconds(batch, before_mask, share)
    copy[:] = states
    return {
        "legal_mask": _best_nanoseconds(batch, before_mask, share),
        "step": together - masks_after,
        "forecast": _best_nanoseconds(lambda: play.forecast_all(states, boards, forecasts), lambda: None, share),
    }


def _best_nanoseconds(task: Callable[[], None], before: Callable[[], None], seconds: float) -> float:
    """The fewest nanoseconds a position that a pass over all positions took."""
    best = float("inf")
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds or best == float("inf"):
        before()
        started = time.perf_counter()
        task()
        best = min(best, time.perf_counter() - started)
    return best / POSITIONS * 1e9


def _batch(policy: int, seconds: float) -> dict[str, float]:
    """Steps a second of a batch of games, sustained: step, renewal of finished games and mask; and with the choice.

    Whoever steps a batch chooses the actions; for that reason choosing is not timed, and then it is, in the kernel.
    """
    states, desks, dice = play.states(BATCH), play.desks(), generator(4)
    masks, finished = np.zeros((BATCH, play.MASK_BYTES), np.uint8), np.zeros(BATCH, np.bool_)
    actions, setup = np.full(BATCH, play.BEGIN, np.int64), np.array([4, 0, DEFAULT_OPTIONS], np.int64)
    arrays = (states, packaged().boards, desks, actions, masks, finished, dice, setup)

    def choose() -> None:
        actions[:] = play.STAY
        play.step_batch(*arrays, policy)

    for _ in range(600):  # so that the games of the batch are at all stages
        play.step_batch(*arrays, policy)
    return {
        "steps_per_second": _best_rate(lambda: play.step_batch(*arrays, NO_POLICY), choose, seconds / 2),
        "with_the_choice_per_second": _best_rate(lambda: play.step_batch(*arrays, policy), lambda: None, seconds / 2),
    }


def _best_rate(step: Callable[[], None], before: Callable[[], None], seconds: float) -> float:
    """Steps a second of a whole batch in the best of several runs; what comes before each step is not timed."""
    best = 0.0
    for _ in range(RUNS):
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
    """Simulations a second of a search at the beginning of a game of four."""
    boards = packaged().boards
    line, slice_of = think.lines(), 50
    play.new(line, START_OF_SEARCH, boards, 4, 0, DEFAULT_OPTIONS, 0, 5, 0)
    play.turn_up(line, START_OF_SEARCH, boards)
    arrays = (line, boards, play.desks(), think.minds(), weights("worth"), generator(5), think.trees(60_000))
    best, used = 0.0, 0
    for _ in range(RUNS):
        begun, done = time.perf_counter(), 0
        while time.perf_counter() - begun < seconds / RUNS:
            used = think.think(*arrays, used, slice_of, cut, planned)
            done += slice_of
        best = max(best, done / (time.perf_counter() - begun))
    return best
