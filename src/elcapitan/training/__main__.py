"""Train the champion's network by self-play: `python -m elcapitan.training --minutes 10 --gpu`.

Threads play games side by side as players do, with compiled code; the GPU learns from games that are over. Without a
GPU the same runs with NumPy, slowly. Writes `last.npz` to go on from, `network.npz` for players, and a line of figures
every 20 seconds to `curve.csv`.
"""

import argparse
import csv
import json
import math
import sys
import threading
import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from elcapitan.board.figures import packaged
from elcapitan.bots.network import read_network, write_network
from elcapitan.engine.network.evaluate import Layers, evaluate
from elcapitan.engine.network.turns import Setup
from elcapitan.engine.record import Float32s, Int8s
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS, OPTION_NAMES
from elcapitan.training.games import Games
from elcapitan.training.learner import Learner, Ring, ValuesOnGpu, backend

REPORT_EVERY: Final = 20  # seconds
SAVE_EVERY: Final = 100
PUBLISH_EVERY: Final = 1  # seconds until players get the new average
MONEY_IN_TESTS: Final = 0.03
SWITCH_EVERY: Final = 0.0005  # seconds until a thread lets another have the interpreter
REST: Final = 0.02  # seconds between two turns of the tests, which should leave the machine to self-play
SEEDS: Final = 1000  # different ones for each run
WARM_UP_STEPS: Final = 300
# Of the champion: all numbers of players, without tiles, with all of them, and with one.
MIX: Final = "4:0:5,2:0:4,3:0:3,5:0:3,4:7:3,2:7:1,3:7:1,5:7:1,4:1:1,4:2:1,4:4:1"
TESTS: Final = "4:0,2:0,3:0,5:0,4:7"
EXPLORED_BY: Final = 0.6  # of the time: then exploring, money and memory have come to their last values


def setups(mix: str) -> list[Setup]:
    """Parse a mix such as "4:0:3,2:7:1": players, tiles as bits, weight. One game in five has other table options."""
    found: list[Setup] = []
    for part in mix.split(","):
        players, tiles, weight = (int(each) for each in part.split(":"))
        for options in range(1 << len(OPTION_NAMES)):
            times = 4 * ((1 << len(OPTION_NAMES)) - 1) if options == DEFAULT_OPTIONS else 1
            found += [(players, tiles, options)] * (times * weight)
    return found


class Schedule:
    """The values that change during training: exploring, how much money counts, decay, and the learning rate."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._given = given
        self.progress = 0.0

    def _between(self, name: str) -> float:
        first, last = (float(each) for each in getattr(self._given, name).split(","))
        return first + (last - first) * min(1.0, self.progress / EXPLORED_BY)

    @property
    def epsilon(self) -> float:
        """The share of turns that are chosen at random."""
        return self._between("epsilon")

    @property
    def money_counts(self) -> float:
        """How much 100 florins more than the others count, against a sure win."""
        return self._between("money")

    @property
    def decay(self) -> float:
        """How much of what came later counts, against what was thought."""
        return self._between("decay")

    def rate(self, steps: int) -> float:
        """The learning rate: up within the first steps, then down along half a cosine."""
        first, last = (float(each) for each in self._given.rate.split(","))
        rate = last + (first - last) * 0.5 * (1 + math.cos(math.pi * self.progress))
        return rate * min(1.0, (steps + 1) / WARM_UP_STEPS)


class Worker(threading.Thread):
    """Plays games side by side until it is stopped."""

    def __init__(self, shared: "Shared", games: Games) -> None:
        super().__init__(daemon=True)
        self._shared, self.games = shared, games
        self.error: BaseException | None = None
        learner = shared.learner
        self._value: ValuesOnGpu | None = None
        if learner.xp is not np:
            self._value = ValuesOnGpu(learner, games.rows.features, *games.lessons)

    def _value_here(self, rows: Int8s) -> Float32s:
        """Value rows without a GPU."""
        return evaluate(rows, self._shared.layers)

    def run(self) -> None:
        """Play; an error stops all."""
        shared, games, pace = self._shared, self.games, self._shared.pace
        value = self._value or self._value_here
        stream: AbstractContextManager[Any] = self._value.stream if self._value else nullcontext()
        try:
            while not shared.stop.is_set():
                if games.learning:
                    count = games.advance(value, pace.epsilon, pace.money_counts, pace.decay)
                    if count:
                        with stream:
                            shared.ring.add(games.lessons, count)
                else:
                    games.advance(value, 0.0, MONEY_IN_TESTS, 1.0)
                    time.sleep(REST)
        except BaseException as error:
            self.error = error
            shared.stop.set()


@dataclass
class Shared:
    """The state that all threads share."""

    learner: Learner
    layers: Layers  # of its average, from time to time, for players without a GPU
    ring: Ring
    pace: Schedule
    stop: threading.Event


def main(arguments: list[str] | None = None) -> int:
    """Train as the command line says; return the exit status."""
    given = _parser().parse_args(arguments)
    sys.setswitchinterval(SWITCH_EVERY)
    xp = backend(gpu=given.gpu)
    with xp.cuda.Stream(non_blocking=True) if given.gpu else nullcontext():
        return _run(given, xp)


def _run(given: argparse.Namespace, xp: Any) -> int:
    """Train; return the exit status."""
    given.out.mkdir(parents=True, exist_ok=True)
    hidden = tuple(int(each) for each in given.hidden.split(","))
    learner = Learner(xp, hidden, given.seed)
    if given.resume:
        learner.restore(np.load(given.resume))
    if given.begin:
        learner.begin_with(read_network(given.begin.read_bytes(), str(given.begin)).layers)
    shared = Shared(learner, learner.layers(), Ring(xp, given.ring), Schedule(given), threading.Event())
    _compile(shared.layers, setups(given.mix))  # here, once, instead of by all threads
    seed = SEEDS * given.seed
    workers = [
        Worker(shared, Games(given.games, setups(given.mix), seed + k, captains=given.captains, learning=True))
        for k in range(given.threads)
    ]
    tests = {
        test: Worker(shared, Games(given.test_games, [_test(test)], seed - 1 - k, captains=100, learning=False))
        for k, test in enumerate(given.tests.split(","))
        if test
    }
    with (given.out / "curve.csv").open("w", newline="") as curve:
        _train(given, shared, workers, tests, csv.writer(curve))
    errors = [each.error for each in (*workers, *tests.values()) if each.error]
    if errors:
        raise errors[0]
    return 0


def _test(written: str) -> Setup:
    """Parse a test such as "4:7": players, and tiles as bits."""
    players, tiles = (int(each) for each in written.split(":"))
    return players, tiles, DEFAULT_OPTIONS


def _compile(layers: Layers, chosen: list[Setup]) -> None:
    """Play a few turns, so that all kernels are compiled before threads start."""
    games = Games(2, chosen, 1, captains=100, learning=True)
    for _ in range(3):
        games.advance(lambda rows: evaluate(rows, layers), 0.5, 0.1, 0.9)


def _train(
    given: argparse.Namespace,
    shared: Shared,
    workers: list[Worker],
    tests: dict[str, Worker],
    curve: Any,
) -> None:
    """Learn from what the workers play until the time is up, and report."""
    learner, ring, pace = shared.learner, shared.ring, shared.pace
    for worker in (*workers, *tests.values()):
        worker.start()
    begun = reported = saved = published = time.monotonic()
    steps_before = learner.steps
    report = CurveWriter(workers, tests, curve)
    while not shared.stop.is_set() and pace.progress < 1:
        now = time.monotonic()
        pace.progress = (now - begun) / (60 * given.minutes)
        if ring.filled > given.least and (learner.steps - steps_before) * given.batch < given.replay * ring.total:
            learner.step(*ring.sample(given.batch), pace.rate(learner.steps))
        else:
            time.sleep(0.002)
        if not given.gpu and now - published > PUBLISH_EVERY:
            shared.layers = learner.layers()
            published = now
        if now - reported > REPORT_EVERY:
            report.write(round(now - begun), learner, ring, given.batch)
            reported = now
        if now - saved > SAVE_EVERY:
            _save(given, learner, ring, now - begun)
            saved = now
    shared.stop.set()
    for worker in (*workers, *tests.values()):
        worker.join()
    _save(given, learner, ring, time.monotonic() - begun)


class CurveWriter:
    """Writes the figures of a training to its curve; shares of wins are those since the last line."""

    def __init__(self, workers: list[Worker], tests: dict[str, Worker], curve: Any) -> None:
        self._workers, self._tests, self._curve = workers, tests, curve
        self._names = ("seconds", "steps", "games", "turns", "lessons", "entropy", "money_off", "brier", *tests)
        self._before = dict.fromkeys(tests, (0, 0.0))
        curve.writerow(self._names)

    def write(self, seconds: int, learner: Learner, ring: Ring, batch: int) -> None:
        """Write a line to the file and to the terminal."""
        figures = learner.figures(*ring.sample(batch)) if ring.filled else [0.0] * 3
        games = sum(worker.games.ended for worker in self._workers)
        shares = []
        for test, worker in self._tests.items():
            ended, won = worker.games.ended, worker.games.won
            before, won_before = self._before[test]
            shares.append(round((won - won_before) / max(1, ended - before), 3))
            self._before[test] = ended, won
        turns = sum(worker.games.decided for worker in self._workers)
        line = [seconds, learner.steps, games, turns, ring.total, *(round(each, 4) for each in figures), *shares]
        self._curve.writerow(line)
        print(*(f"{name} {value}" for name, value in zip(self._names, line, strict=True)), flush=True)  # noqa: T201


def _save(given: argparse.Namespace, learner: Learner, ring: Ring, seconds: float) -> None:
    """Write what training goes on from, and the network alone."""
    state = learner.state()
    recipe = {name: str(value) for name, value in vars(given).items() if name not in ("out", "resume", "begin")}
    recipe |= {"seconds": str(round(seconds)), "steps": str(learner.steps), "lessons": str(ring.total)}
    if given.resume or given.begin:
        recipe["earlier"] = _recipe_of(given.resume or given.begin)
    np.savez(given.out / "last.npz", **state, recipe=np.array(json.dumps(recipe)))
    write_network(given.out / "network.npz", learner.on_host(learner.average.parts), packaged().boards, recipe)


def _recipe_of(earlier: Path) -> str:
    """Return the recipe, as JSON, of the run or network that this one began with."""
    with np.load(earlier) as archive:
        return (
            str(archive["recipe"])
            if "recipe" in archive
            else json.dumps(read_network(earlier.read_bytes(), str(earlier)).recipe)
        )


def _parser() -> argparse.ArgumentParser:
    """Return the options of the command."""
    parser = argparse.ArgumentParser("python -m elcapitan.training", description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--gpu", action="store_true", help="learn on the GPU, with CuPy")
    parser.add_argument("--threads", type=int, default=15)
    parser.add_argument("--games", type=int, default=512, help="side by side in each thread")
    parser.add_argument("--mix", default=MIX, help="players:tiles:weight, ...")
    parser.add_argument("--tests", default=TESTS, help="players:tiles, ... of games against captains")
    parser.add_argument("--test-games", type=int, default=48)
    parser.add_argument("--captains", type=int, default=10, help="percent of the games with captains in other seats")
    parser.add_argument("--hidden", default="512,256,128")
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--ring", type=int, default=12_000_000)
    parser.add_argument("--least", type=int, default=100_000, help="lessons before learning begins")
    parser.add_argument("--replay", type=float, default=12, help="how often each lesson is learned from, at most")
    parser.add_argument("--rate", default="1e-3,3e-5")
    parser.add_argument("--epsilon", default="0.06,0.01")
    parser.add_argument("--money", default="0.3,0.03")
    parser.add_argument("--decay", default="0.985,0.90")
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--begin", type=Path, help="a network to begin with instead of chance")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("training"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
