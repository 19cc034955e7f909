"""Compile every kernel ahead of time, so that no game stops for it.

Where the system can make a second process, that one compiles about half of them, and this process finds
them on disk. `python -m elcapitan.engine.warm_up` does it for a server, at a low priority, and prints what is ready.
"""

import gc
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import numpy as np

from elcapitan.engine import play
from elcapitan.engine.code_folder import COMPILED, FOLDER
from elcapitan.engine.network.evaluate import choose_turns, evaluate, no_layers
from elcapitan.engine.network.features import CELLS
from elcapitan.engine.network.turns import OUTCOMES, Offer
from elcapitan.engine.policies import LIGHT
from elcapitan.engine.record import zeros
from elcapitan.engine.rng import generator
from elcapitan.engine.state import Board, States
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS

Kernel = tuple[str, Callable[[], object]]
ELSEWHERE = ("evaluate", "choose_turns", "run")  # compiled by the second process
POLITENESS = 10  # added to the niceness, so that a server answers first


def kernels() -> list[Kernel]:
    """Every kernel with its name and a call that compiles it, or loads it if it was compiled before.

    The calls depend on each other's results, so they are made in this order. What is played on is an empty board,
    read-only like every board: that is part of what is compiled for.
    """
    boards = zeros(Board, 1)
    boards.flags.writeable = False
    states, desks, dice = play.states(2), play.desks(2), generator(1)
    one = states[:1]
    return [
        ("new", lambda: play.new(states, 0, boards, 3, 0, DEFAULT_OPTIONS, 0, 1, 0)),
        ("derive", lambda: play.derive(states, 0, boards)),
        ("give_turn", lambda: play.give_turn(states, 0, 0)),
        ("possible", lambda: play.possible(states, 0, 0)),
        ("next_card", lambda: play.next_card(states, 0)),
        ("proceed", lambda: play.turn_up(states, 0, boards)),
        ("look_at", lambda: play.forecast_all(one, boards, play.forecasts())),
        ("evaluate", lambda: evaluate(np.ones((1, CELLS), np.int8), no_layers())),
        ("choose_turns", lambda: _choose_turn(states[:1])),
        # The second process has no position to play on, so no game is played.
        ("run", lambda: play.play_many(states, 0, boards, desks, 0, dice, play.Playing(LIGHT, games=0))),
    ]


def _choose_turn(games: States) -> None:
    """Choose in a game in which nothing is on offer."""
    offers, outcomes = zeros(Offer, 1), np.zeros((0, OUTCOMES), np.float32)
    chosen, best = np.zeros(1, np.int16), np.zeros(1, np.int32)
    choose_turns(offers["first"], offers["plans"], games["players"], outcomes, 0.0, chosen, best)


def load() -> None:
    """Have every kernel at hand; from the disk, if it was compiled before."""
    for _name, call in kernels():
        call()


def compile_all(done: Callable[[str], None]) -> None:
    """Compile what is not compiled yet, telling the name of every kernel that is ready."""
    if not COMPILED:
        return
    gc.disable()  # nothing here makes garbage worth looking for, but so many objects that looking takes seconds
    try:
        _compile_in_two(done)
    finally:
        gc.enable()


def _compile_in_two(done: Callable[[str], None]) -> None:
    """Compile all kernels, some of them in a second process where there can be one."""
    from elcapitan.engine import numba_pipeline  # noqa: PLC0415 - imports Numba

    here = kernels()
    if hasattr(os, "fork"):
        numba_pipeline.prepare()
        helper, names = _fork([kernel for kernel in here if kernel[0] in ELSEWHERE])
        here = [kernel for kernel in here if kernel[0] not in ELSEWHERE]
    for kernel in here:
        _compile(kernel, done)
    if hasattr(os, "fork"):
        with names:
            for line in names:
                done(line.strip())
        if os.waitpid(helper, 0)[1] != 0:
            return
    _mark().touch()


def _compile(kernel: Kernel, done: Callable[[str], None]) -> None:
    """Compile one kernel and tell."""
    name, call = kernel
    call()
    done(name)


def _fork(theirs: list[Kernel]) -> tuple[int, TextIO]:
    """A second process that goes on from here with some of the kernels and writes down what it has compiled."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads draw the bar; the child does not touch it
        child = os.fork()
    if child == 0:
        status = 1
        try:
            for kernel in theirs:
                _compile(kernel, lambda name: _write(writing, name))
            status = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(status)
    os.close(writing)
    return child, os.fdopen(reading, encoding="utf-8")


def _write(pipe: int, name: str) -> None:
    """Tell the other process the name of a kernel."""
    os.write(pipe, f"{name}\n".encode())


def is_ready() -> bool:
    """Whether this version's kernels lie compiled on disk, or are not compiled at all."""
    return not COMPILED or _mark().exists()


def _mark() -> Path:
    """A file beside the compiled code that says it is complete."""
    assert FOLDER is not None
    return FOLDER / "complete"


def main() -> int:
    """Compile everything at a low priority, and print the name of each kernel that is ready; return the exit status."""
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    compile_all(lambda name: print(name, flush=True))  # noqa: T201 - read by the process that started this one
    return 0 if is_ready() else 1


if __name__ == "__main__":
    sys.exit(main())
