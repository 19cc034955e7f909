"""The network while it learns: forward, backward, and Adam, with NumPy or on a GPU with CuPy.

All weights are views of one vector, so that the optimiser works on all of them at once. A slowly moving average of them
plays and is what is kept.
"""

import os
from itertools import pairwise
from typing import Any, Final

import numpy as np

from elcapitan.engine.network.evaluate import Layers
from elcapitan.engine.network.features import CELLS, PRESENT_AT, SCALES
from elcapitan.engine.network.turns import OUTCOMES
from elcapitan.engine.vocabulary import SEATS

os.environ.setdefault("CUPY_TF32", "1")  # products in the GPU's short numbers, sums in long ones

USUAL: Final = 330  # features of a row that are not 0, about
AVERAGE: Final = 0.999  # how slowly the average follows
BETAS: Final = (0.9, 0.99)
TINY: Final = 1e-7
MONEY_AT_FIRST: Final = 1.5  # in units of money
FAR_BELOW: Final = -1e4  # for the chance of a seat that nobody plays


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
        """Fill in random weights; everybody is expected to win alike, with some money."""
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
