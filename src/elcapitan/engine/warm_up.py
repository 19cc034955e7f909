"""Compiling every kernel ahead of time, so that nobody waits in the middle of a game.

Half of the kernels are compiled by a second process (`python -m elcapitan.engine.warm_up`), which halves the wait on
two cores; this process finds them on disk.
"""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numba
import numpy as np

from elcapitan.engine import explain, play
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import LIGHT
from elcapitan.engine.refusals import ARGUMENTS
from elcapitan.engine.rng import generator
from elcapitan.engine.tables import BOARD
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS

Kernel = tuple[str, Callable[[], object]]
ELSEWHERE = (
    "derive",
    "possible",
    "next_card",
    "play_many",
    "step_batch",
    "step_all",
    "forecast",
    "forecast_all",
)  # by the second process


def kernels() -> list[Kernel]:
    """Every kernel with its name and a call that compiles it, or loads it if it was compiled before.

    The calls depend on each other's results, so they are made in this order. What is played on is an empty board,
    read-only like every board: that is part of what is compiled for.
    """
    boards = np.zeros(1, BOARD)
    boards.flags.writeable = False
    states, desks, dice = play.states(2), play.desks(2), generator(1)
    setup = np.array([3, 0, DEFAULT_OPTIONS], np.int64)
    actions, finished = np.full(1, play.BEGIN, np.int64), np.zeros(1, np.bool_)
    masks = np.zeros((1, play.MASK_BYTES), np.uint8)
    one, why = states[:1], np.zeros(ARGUMENTS, np.int64)
    return [
        ("new", lambda: play.new(states, 0, boards, 3, 0, DEFAULT_OPTIONS, 0, 1, 0)),
        ("derive", lambda: play.derive(states, 0, boards)),
        ("possible", lambda: play.possible(states, 0, 0)),
        ("next_card", lambda: play.next_card(states, 0)),
        ("chance", lambda: play.chance(states, 0, boards, play.next_card(states, 0))),
        ("turn_up", lambda: play.turn_up(states, 0, boards)),
        ("forecast", lambda: play.forecast(states, 0, boards, play.forecasts(), 0)),
        ("forecast_all", lambda: play.forecast_all(one, boards, play.forecasts())),
        ("legal", lambda: play.legal(states, 0, boards, desks, 0)),
        ("refusal", lambda: explain.refusal(states, 0, boards, desks, 0, 0, why)),
        ("apply", lambda: play.apply(states, 0, boards, int(desks[0].actions[0]))),
        ("play_many", lambda: play.choose(states, 0, boards, desks, 0, dice, LIGHT)),
        ("step_batch", lambda: play.step_batch(one, boards, desks, actions, masks, finished, dice, setup)),
        ("step_all", lambda: play.step_all(one, boards, actions)),
    ]


def compile_all(done: Callable[[str], None]) -> None:
    """Compile what is not compiled yet, telling the name of every kernel that is ready."""
    if not COMPILED:
        return
    helper = subprocess.Popen(
        [sys.executable, "-m", __name__], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    listener = threading.Thread(target=_listen, args=(helper, done))
    listener.start()
    try:
        for name in _compile(elsewhere=False):
            done(name)
    except BaseException:
        helper.kill()
        raise
    finally:
        listener.join()
    if helper.wait() == 0:
        _mark().touch()


def _listen(helper: "subprocess.Popen[str]", done: Callable[[str], None]) -> None:
    """Pass on what the second process has compiled."""
    assert helper.stdout is not None
    for line in helper.stdout:
        done(line.strip())
    helper.stdout.close()


def _compile(*, elsewhere: bool) -> Iterator[str]:
    """Compile one half of the kernels; the games they need are set up in both."""
    for name, kernel in kernels():
        if name in ("new", "turn_up") or (name in ELSEWHERE) == elsewhere:
            kernel()
            if (name in ELSEWHERE) == elsewhere:
                yield name


def is_ready() -> bool:
    """Whether this version's kernels lie compiled on disk, or are not compiled at all."""
    return not COMPILED or _mark().exists()


def _mark() -> Path:
    """A file beside the compiled code that says it is complete."""
    return Path(numba.config.CACHE_DIR) / "complete"


if __name__ == "__main__":
    for finished_kernel in _compile(elsewhere=True):
        sys.stdout.write(f"{finished_kernel}\n")
        sys.stdout.flush()
