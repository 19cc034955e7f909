"""The network while it learns, with NumPy or on a GPU with CuPy: forward, backward, Adam, and the newest lessons.

All weights are views of one vector, so that the optimiser works on all of them at once. A slowly moving average of them
plays and is what is kept.
"""

import os
import threading
from itertools import pairwise
from typing import Any, Final

import numpy as np

from elcapitan.engine.network.evaluate import Layers
from elcapitan.engine.network.features import CELLS, PRESENT_AT, SCALES
from elcapitan.engine.network.learning import Lessons
from elcapitan.engine.network.turns import OUTCOMES
from elcapitan.engine.record import Float32s, Int8s
from elcapitan.engine.vocabulary import SEATS

os.environ.setdefault("CUPY_TF32", "1")  # products in the GPU's short numbers, sums in long ones

USUAL: Final = 330  # features of a row that are not 0, about
AVERAGE: Final = 0.999  # how slowly the average follows
BETAS: Final = (0.9, 0.99)
TINY: Final = 1e-7
MONEY_AT_FIRST: Final = 1.5  # in units of money
FAR_BELOW: Final = -1e4  # for the chance of a seat that is not in the game
ROWS_AT_ONCE: Final = 32768  # valued on a GPU


def backend(*, gpu: bool) -> Any:
    """Return CuPy for the GPU, else NumPy."""
    if not gpu:
        return np
    import cupy  # noqa: PLC0415 - only there where there is a GPU

    return cupy


def update(slope: Any, rate: Any, weights: Any, average: Any, first: Any, second: Any) -> None:
    """Take one step of Adam along the slope, and let the average follow."""
    first += (1 - BETAS[0]) * (slope - first)
    second += (1 - BETAS[1]) * (slope * slope - second)
    weights -= rate * first / (np.sqrt(second) + TINY)
    average += (1 - AVERAGE) * (weights - average)


# The same as one kernel: what goes in, what is changed, how, and its name.
UPDATE_ON_GPU: Final = (
    "float32 slope, float32 rate",
    "float32 weights, float32 average, float32 first, float32 second",
    f"""
    first += {1 - BETAS[0]}f * (slope - first);
    second += {1 - BETAS[1]}f * (slope * slope - second);
    weights -= rate * first / (sqrtf(second) + {TINY}f);
    average += {1 - AVERAGE}f * (weights - average);
    """,
    "adam_with_average",
)


class Weights:
    """One vector with all weights, and its parts as matrices and biases, in the order of `evaluate.Layers`."""

    def __init__(self, xp: Any, hidden: tuple[int, ...], vector: Any = None) -> None:
        sizes = (CELLS, *hidden)
        shapes: list[tuple[int, ...]] = []
        for into, out in pairwise(sizes):
            shapes += [(into, out), (out,)]
        shapes += [(hidden[-1], OUTCOMES), (OUTCOMES,), (CELLS, OUTCOMES)]
        ends = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)]).tolist()
        self.hidden, self.shapes = hidden, shapes
        self.vector = xp.zeros(ends[-1], xp.float32) if vector is None else vector
        self.parts = [
            self.vector[begin:end].reshape(shape) for shape, begin, end in zip(shapes, ends[:-1], ends[1:], strict=True)
        ]

    def begin(self, xp: Any, seed: int) -> None:
        """Fill in random weights; every seat has the same chance to win, and some money."""
        rng = np.random.default_rng(seed)
        for part in self.parts[:-3:2]:
            into = USUAL if len(part) == CELLS else len(part)
            part[:] = xp.asarray(rng.normal(size=part.shape).astype(np.float32) * np.sqrt(2 / into))
        self.parts[-2][SEATS:] = MONEY_AT_FIRST


class Learner:
    """The weights, their average, and the optimiser's state."""

    def __init__(self, xp: Any, hidden: tuple[int, ...], seed: int) -> None:
        self.xp = xp
        self.weights, self.average, self.slope = (Weights(xp, hidden) for _ in range(3))
        self.weights.begin(xp, seed)
        self.average.vector[:] = self.weights.vector
        self.first_moment, self.second_moment = xp.zeros_like(self.weights.vector), xp.zeros_like(self.weights.vector)
        self.steps = 0
        self._scales, self._present = xp.asarray(SCALES), xp.asarray(PRESENT_AT)
        self._update = update if xp is np else xp.ElementwiseKernel(*UPDATE_ON_GPU)

    def _forward(self, rows: Any, weights: Weights) -> tuple[list[Any], Any, Any, Any]:
        """Return the inputs of every layer, chances, money, and which seats are played."""
        xp, parts = self.xp, weights.parts
        inputs = [rows * self._scales]
        for k in range(len(weights.hidden)):
            h = inputs[-1] @ parts[2 * k]
            h += parts[2 * k + 1]
            inputs.append(xp.maximum(h, 0, out=h))
        out = inputs[-1] @ parts[-3] + parts[-2] + inputs[0] @ parts[-1]
        present = rows[:, self._present] != 0
        chances = xp.where(present, out[:, :SEATS], FAR_BELOW)
        chances = xp.exp(chances - chances.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return inputs, chances, out[:, SEATS:] * present, present

    def begin_with(self, layers: Layers) -> None:
        """Begin with the weights of a network that was trained before."""
        for k, (part, given) in enumerate(zip(self.weights.parts, layers, strict=True)):
            part[:] = self.xp.asarray(given / SCALES[:, None] if k in (0, len(layers) - 1) else given)
        self.average.vector[:] = self.weights.vector

    def layers(self) -> Layers:
        """Return the average as players use it: in NumPy's arrays, for features as they are written."""
        parts = self.on_host(self.average.parts)
        for k in (0, -1):
            parts[k] = parts[k] * SCALES[:, None]
        return Layers(*parts)

    def values(self, rows: Any) -> Any:
        """Return the outcomes of rows as the average values them."""
        _inputs, chances, money, _present = self._forward(rows, self.average)
        return self.xp.concatenate([chances, money], axis=1)

    def on_host(self, arrays: list[Any]) -> list[Any]:
        """Return copies of arrays as arrays of NumPy's."""
        return [array.copy() if self.xp is np else array.get() for array in arrays]

    def gradient(self, rows: Any, outcomes: Any) -> tuple[Any, Any, Any]:
        """Fill in the slope of the loss at the weights; return the chances, how far off the money is, and the players.

        The loss is the cross-entropy of the chances and the mean squared error of each player's money.
        """
        xp, parts, slope = self.xp, self.weights.parts, self.slope.parts
        inputs, chances, money, present = self._forward(rows, self.weights)
        wanted, off = outcomes[:, :SEATS], (money - outcomes[:, SEATS:]) * present
        players = present.sum(axis=1, keepdims=True)
        out = xp.concatenate([chances - wanted, off * 2 / players], axis=1, dtype=xp.float32) / len(rows)
        xp.matmul(inputs[0].T, out, out=slope[-1])
        xp.matmul(inputs[-1].T, out, out=slope[-3])
        slope[-2][:] = out.sum(axis=0)
        back = out @ parts[-3].T
        for k in range(len(self.weights.hidden) - 1, -1, -1):
            back *= inputs[k + 1] > 0
            xp.matmul(inputs[k].T, back, out=slope[2 * k])
            slope[2 * k + 1][:] = back.sum(axis=0)
            if k > 0:
                back = back @ parts[2 * k].T
        return chances, off, players

    def figures(self, rows: Any, outcomes: Any) -> list[float]:
        """Return cross-entropy, squared error of money, and Brier score."""
        chances, off, players = self.gradient(rows, outcomes)
        wanted = outcomes[:, :SEATS]
        entropy = -(wanted * self.xp.log(chances + TINY)).sum(axis=1).mean()
        money = (off * off / players).sum(axis=1).mean()
        return [float(each) for each in (entropy, money, ((chances - wanted) ** 2).sum(axis=1).mean())]

    def step(self, rows: Any, outcomes: Any, rate: float) -> None:
        """Learn from rows at a rate; first steps are smaller, because Adam's moments begin with 0."""
        self.gradient(rows, outcomes)
        self.steps += 1
        corrected = rate * (1 - BETAS[1] ** self.steps) ** 0.5 / (1 - BETAS[0] ** self.steps)
        self._update(
            self.slope.vector,
            np.float32(corrected),
            self.weights.vector,
            self.average.vector,
            self.first_moment,
            self.second_moment,
        )

    def state(self) -> dict[str, Any]:
        """Return everything that training goes on from."""
        vectors = {
            "weights": self.weights.vector,
            "average": self.average.vector,
            "first_moment": self.first_moment,
            "second_moment": self.second_moment,
        }
        found = dict(zip(vectors, self.on_host(list(vectors.values())), strict=True))
        return {**found, "steps": np.array(self.steps), "hidden": np.array(self.weights.hidden)}

    def restore(self, state: Any) -> None:
        """Go on from what `state` returned."""
        self.weights.vector[:] = self.xp.asarray(state["weights"])
        self.average.vector[:] = self.xp.asarray(state["average"])
        self.first_moment[:] = self.xp.asarray(state["first_moment"])
        self.second_moment[:] = self.xp.asarray(state["second_moment"])
        self.steps = int(state["steps"])


class Ring:
    """A ring buffer of lessons on the device that learns; the newest take the place of the oldest."""

    def __init__(self, xp: Any, room: int) -> None:
        self._xp, self._room = xp, room
        self._rows, self._outcomes = xp.zeros((room, CELLS), xp.int8), xp.zeros((room, OUTCOMES), xp.float32)
        self.filled, self.total = 0, 0
        self._next, self._lock = 0, threading.Lock()

    def add(self, lessons: Lessons, count: int) -> None:
        """Add the first lessons. They count when they have arrived."""
        with self._lock:
            begin = self._next if self._next + count <= self._room else 0
            self._next = begin + count
            self._copy(self._rows[begin : self._next], lessons.rows[:count])
            self._copy(self._outcomes[begin : self._next], lessons.outcomes[:count])
            if self._xp is not np:
                self._xp.cuda.get_current_stream().synchronize()
            self.filled = max(self.filled, self._next)
            self.total += count

    def _copy(self, to: Any, given: Any) -> None:
        """Copy an array to the device."""
        if self._xp is np:
            to[:] = given
        else:
            to.set(given)

    def sample(self, count: int) -> tuple[Any, Any]:
        """Return so many lessons, drawn at random: rows and outcomes."""
        which = self._xp.random.randint(0, self.filled, count)
        return self._rows[which], self._outcomes[which]


class ValuesOnGpu:
    """Values rows on a GPU with the learner's average, in a stream of its own, so that no thread waits for another."""

    def __init__(self, learner: Learner, rows: Int8s, *others: Any) -> None:
        """The rows are those that will be valued; others will be copied to the GPU as well."""
        self._learner, xp = learner, learner.xp
        self.stream = xp.cuda.Stream(non_blocking=True)
        for each in (rows, *others):
            if each.nbytes:  # pages that stay where they are are copied several times as fast
                xp.cuda.runtime.hostRegister(each.ctypes.data, each.nbytes, 0)
        self._rows = xp.empty(rows.shape, xp.int8)

    def __call__(self, rows: Int8s) -> Float32s:
        """Return the outcomes of rows."""
        with self.stream:
            parts = []
            for begin in range(0, max(1, len(rows)), ROWS_AT_ONCE):
                part = self._rows[begin : min(len(rows), begin + ROWS_AT_ONCE)]
                part.set(rows[begin : begin + ROWS_AT_ONCE])
                parts.append(self._learner.values(part))
            outcomes: Float32s = self._learner.xp.concatenate(parts).get()
            return outcomes
