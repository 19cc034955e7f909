"""Drawing a legal action in each of many games, by the logits of a network, and its log-probability.

A small kernel of its own, compiled when it is first used. Only the logits of legal actions are read.
"""

import math
from typing import Final

from elcapitan.engine.jit import kernel, lowest, rule, whole
from elcapitan.engine.record import Float32s, Float64s, Int64s, UInt64s
from elcapitan.engine.rng import Generators, HasRng, number
from elcapitan.engine.state import WORDS
from elcapitan.engine.vocabulary import NOBODY

ALL_DRAWN: Final = -1  # instead of the number of a game in which no action could be drawn
UNDRAWN: Final = -2  # instead of an action: the game stays as it is
NUMBERS: Final = 4294967296.0  # different random numbers


@rule
def likeliest(masks: UInt64s, logits: Float32s, i: int) -> int:
    """The legal action with the highest logit, the first of equals.

    NOBODY if a logit is NaN or plus infinity, and if no legal action has one above minus infinity.
    """
    best, most = NOBODY, -math.inf
    for k in range(WORDS):
        bits = whole(masks[i, k])
        while bits != 0:
            action = k * 64 + lowest(bits)
            bits &= bits - 1
            logit = float(logits[i, action])
            if not logit < math.inf:
                return NOBODY
            if logit > most:
                best, most = action, logit
    return best


@rule
def draw(masks: UInt64s, logits: Float32s, temperature: float, g: HasRng, odds: Float64s, j: int, i: int) -> int:
    """Draw an action of game `i` by its odds, which are noted in row `j` up to their sum in the last cell.

    NOBODY if nothing can be drawn.
    """
    best = likeliest(masks, logits, i)
    if best == NOBODY:
        return NOBODY
    most, divisor = float(logits[i, best]), temperature if temperature > 0 else 1.0
    total = 0.0
    for k in range(WORDS):
        bits = whole(masks[i, k])
        while bits != 0:
            action = k * 64 + lowest(bits)
            bits &= bits - 1
            odds[j, action] = math.exp((float(logits[i, action]) - most) / divisor)
            total += odds[j, action]
    odds[j, WORDS * 64] = total
    if temperature == 0:
        return best
    rest = (number(g) + 0.5) / NUMBERS * total
    for k in range(WORDS):
        bits = whole(masks[i, k])
        while bits != 0:
            action = k * 64 + lowest(bits)
            bits &= bits - 1
            rest -= odds[j, action]
            if rest < 0:
                return action
    return best  # only by rounding


@kernel
def sample(
    masks: UInt64s,
    logits: Float32s,
    temperature: float,
    dice: Generators,
    odds: Float64s,
    actions: Int64s,
    log_probs: Float32s,
    j: int,
    first: int,
    beyond: int,
) -> int:
    """Draw a legal action in every game from `first` to before `beyond`, with row `j` of `odds` as work space.

    An action is as likely as the softmax of the logits, divided by the temperature, says. A temperature of 0 takes the
    likeliest action, and log-probabilities are then those at 1. Returns the number of a game in which nothing could be
    drawn, or ALL_DRAWN.
    """
    wrong = ALL_DRAWN
    for i in range(first, beyond):
        action = draw(masks, logits, temperature, dice[i], odds, j, i)
        if action == NOBODY:
            wrong, actions[i], log_probs[i] = i, UNDRAWN, 0
        else:
            actions[i] = action
            log_probs[i] = math.log(odds[j, action] / odds[j, WORDS * 64])
    return wrong
