"""The network itself: from rows of features to every seat's chance to win and its money, and the choice by them.

Three hidden layers, and a linear way past them. Compiled, a row is compared with the one before it: plans of one turn
differ in few features, so the first layer, which is by far the largest, is corrected instead of computed anew.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from elcapitan.engine.jit import COMPILED, array_kernel, array_rule
from elcapitan.engine.network.features import CELLS, PRESENT_AT
from elcapitan.engine.network.turns import NOTHING_CHOSEN, OUTCOMES
from elcapitan.engine.record import Float32s, Int8s, Int64s
from elcapitan.engine.vocabulary import SEATS

AT_ONCE = 4  # inputs of a layer that are added together


class WorkArrays(NamedTuple):
    """What `evaluate_compiled` works on; made by Python, because code that makes arrays takes a second to compile."""

    first: Float32s  # the sums of the first layer, from row to row
    past: Float32s  # and of the linear way past the layers
    h1: Float32s
    h2: Float32s
    h3: Float32s
    x: Float32s  # inputs that are not 0
    which: Int64s  # and their numbers


class Layers(NamedTuple):
    """The weights of a network; the scales of the features are multiplied into those that read a row."""

    first: Float32s
    first_bias: Float32s
    second: Float32s
    second_bias: Float32s
    third: Float32s
    third_bias: Float32s
    last: Float32s
    last_bias: Float32s
    past: Float32s  # from the features straight to the outcomes


def evaluate_plainly(rows: Int8s, layers: Layers) -> Float32s:
    """Return the outcomes of all rows by matrix products: slower, and easy to read."""
    x = rows.astype(np.float32)
    h = np.maximum(x @ layers.first + layers.first_bias, 0)
    h = np.maximum(h @ layers.second + layers.second_bias, 0)
    h = np.maximum(h @ layers.third + layers.third_bias, 0)
    out = h @ layers.last + layers.last_bias + x @ layers.past
    present = rows[:, PRESENT_AT] != 0
    chances = np.exp(out[:, :SEATS] - out[:, :SEATS].max(axis=1, where=present, initial=-np.inf, keepdims=True))
    chances *= present
    return np.concatenate([chances / chances.sum(1, keepdims=True), out[:, SEATS:] * present], 1, dtype=np.float32)


@array_rule
def add_inputs(out: Any, x: Any, which: Any, count: int, weights: Any) -> None:
    """Add to `out` the inputs `which`, each times its row of weights."""
    width, k = len(out), 0
    while k + AT_ONCE <= count:
        i0, i1, i2, i3 = which[k], which[k + 1], which[k + 2], which[k + 3]
        x0, x1, x2, x3 = x[k], x[k + 1], x[k + 2], x[k + 3]
        for j in range(width):
            out[j] += x0 * weights[i0, j] + x1 * weights[i1, j] + x2 * weights[i2, j] + x3 * weights[i3, j]
        k += AT_ONCE
    while k < count:
        i0, x0 = which[k], x[k]
        for j in range(width):
            out[j] += x0 * weights[i0, j]
        k += 1


@array_rule
def copy(source: Any, into: Any) -> None:
    """Copy numbers one by one: assigning to a slice takes much longer to compile."""
    for j in range(len(into)):
        into[j] = source[j]


@array_rule
def go_through(h: Any, into: Any, bias: Any, weights: Any, x: Any, which: Any) -> None:
    """Fill the next layer from one whose negative inputs count as 0."""
    count = 0
    for i in range(len(h)):
        if h[i] > 0:
            which[count] = i
            x[count] = h[i]
            count += 1
    copy(bias, into)
    add_inputs(into, x, which, count, weights)


@array_rule
def changes(rows: Any, words: Any, n: int, fresh: bool, x: Any, which: Any) -> int:
    """List what differs between row `n` and the one before it, or all that is not 0; return how many."""
    count = 0
    for k in range(words.shape[1]):
        if words[n, k] != (0 if fresh else words[n - 1, k]):
            for i in range(8 * k, 8 * k + 8):
                change = np.float32(rows[n, i])
                if not fresh:
                    change -= np.float32(rows[n - 1, i])
                if change != 0:
                    which[count] = i
                    x[count] = change
                    count += 1
    return count


@array_kernel
def evaluate_compiled(rows: Any, words: Any, layers: Layers, present_at: Any, work: WorkArrays, out: Any) -> None:
    """Fill `out` with the outcomes of all rows; `words` are the rows, eight cells at a time."""
    first, past, h1, h2, h3, x, which = work
    usual = 0  # about so many features of a row are not 0
    for n in range(len(rows)):
        fresh = n == 0
        count = changes(rows, words, n, fresh, x, which)
        if not fresh and count > usual:
            fresh = True
            count = changes(rows, words, n, fresh, x, which)
        if fresh:
            usual = count
            copy(layers.first_bias, first)
            copy(layers.last_bias, past)
        add_inputs(first, x, which, count, layers.first)
        add_inputs(past, x, which, count, layers.past)
        copy(first, h1)
        go_through(h1, h2, layers.second_bias, layers.second, x, which)
        go_through(h2, h3, layers.third_bias, layers.third, x, which)
        go_through(h3, out[n], past, layers.last, x, which)
        seats = len(present_at)
        most = np.float32(-1e30)
        for seat in range(seats):
            if rows[n, present_at[seat]] != 0:
                most = max(most, out[n, seat])
        total = np.float32(0)
        for seat in range(seats):
            if rows[n, present_at[seat]] != 0:
                out[n, seat] = np.exp(out[n, seat] - most)
                total += out[n, seat]
            else:
                out[n, seat] = 0
                out[n, seats + seat] = 0
        for seat in range(seats):
            out[n, seat] /= total


def no_layers() -> Layers:
    """Return a network of nothing, read-only like those of players: to compile for."""
    sizes = (CELLS, 1, 1, 1, OUTCOMES)
    parts = []
    for into, out in pairwise(sizes):
        parts += [np.zeros((into, out), np.float32), np.zeros(out, np.float32)]
    parts.append(np.zeros((CELLS, OUTCOMES), np.float32))
    for part in parts:
        part.flags.writeable = False
    return Layers(*parts)


def evaluate(rows: Int8s, layers: Layers) -> Float32s:
    """Return the outcomes of rows: chances to win, then money in units of 100 florins, of each seat."""
    assert rows.shape[1] == CELLS
    if not COMPILED:
        return evaluate_plainly(rows, layers)
    sizes = [len(layers[k]) for k in (1, 7, 1, 3, 5)]  # biases
    numbers = [np.empty(size, np.float32) for size in (*sizes, CELLS)]
    work = WorkArrays._make([*numbers, np.empty(CELLS, np.int64)])
    out = np.empty((len(rows), OUTCOMES), np.float32)
    evaluate_compiled(rows, rows.view(np.int64), layers, np.array(PRESENT_AT), work, out)
    return out


def liking(outcomes: Any, players: Any, money_counts: float) -> Any:
    """Return how much the one who moves likes each outcome: its chance to win, and a little for money.

    `players` is their number, or one for each outcome.
    """
    money = outcomes[:, SEATS:].astype(np.float64)
    return outcomes[:, 0] + money_counts * (money[:, 0] - money[:, 1:].sum(axis=1) / (players - 1))


def choose_turns(
    first: Any, plans: Any, players: Any, outcomes: Float32s, money_counts: float, chosen: Any, best: Any
) -> None:
    """Choose in every game the plan that its player likes most; `best` gets its row.

    Where nothing is on offer, nothing is chosen.
    """
    rows = np.repeat(players, plans)  # of games that are offered plans, in their order
    choose_best(first, plans, liking(outcomes, rows, money_counts), chosen, best)


@array_kernel
def choose_best(first: Any, plans: Any, liked: Any, chosen: Any, best: Any) -> None:
    """Choose in every game the plan whose row is liked most."""
    for i in range(len(plans)):
        chosen[i] = NOTHING_CHOSEN
        best[i] = -1
        most = -1e9
        for k in range(plans[i]):
            n = first[i] + k
            if liked[n] > most:
                most, chosen[i], best[i] = liked[n], k, n
