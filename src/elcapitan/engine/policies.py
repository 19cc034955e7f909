"""Two policies without thought, for simulations, play-outs and tests: uniform and light.

They see the list of legal actions and nothing else. Uniform players drown in cards and loans; light ones roll dice
between the families of what is offered, loaded so that games look like games.
"""

from typing import Any, Final

from elcapitan.engine.actions import BUILD, FORTRESS, FREE_PIRATE, PAID_PIRATE, REPAY, SAIL
from elcapitan.engine.jit import rule, whole
from elcapitan.engine.rng import below
from elcapitan.engine.state import Desk, State
from elcapitan.engine.vocabulary import BOUGHT, DONE

UNIFORM: Final = 0
LIGHT: Final = 1
POLICY_NAMES: Final = ("uniform", "light")

# How a light player's dice are loaded, per family of offered actions; our own choice, made for lively games.
WEIGHT_BUY: Final = 3
WEIGHT_BUY_AFTERWARDS: Final = 1  # after the main action, against WEIGHT_CLOSE
WEIGHT_SAIL: Final = 8
WEIGHT_SAIL_ON: Final = 24  # once a card was bought, it was bought to sail
WEIGHT_MAIN: Final = 12
WEIGHT_CLOSE: Final = 4  # a loan or a pass; after the main action the end of the turn
WEIGHT_SETTLE: Final = 1
WEIGHT_FREE_PIRATE: Final = 8
WEIGHT_PAID_PIRATE: Final = 1


@rule
def first_from(d: Desk, start: int, action: int) -> int:
    """The index, from `start` on, of the first listed action that is not below `action`."""
    i = start
    while i < d.count and d.actions[i] < action:
        i += 1
    return i


@rule
def light(s: State, d: Desk, g: Any) -> int:
    """Roll for a family among those offered, then for an action in it."""
    count = whole(d.count)
    if count == 1:
        return whole(d.actions[0])
    buys = first_from(d, 0, SAIL)
    legs = first_from(d, buys, BUILD)
    mains = first_from(d, legs, FORTRESS + 1)
    closes = first_from(d, mains, REPAY)
    settles = first_from(d, closes, FREE_PIRATE)
    frees = first_from(d, settles, PAID_PIRATE)
    w_buy = 0 if buys == 0 else (WEIGHT_BUY_AFTERWARDS if s.stage == DONE else WEIGHT_BUY)
    w_leg = 0 if legs == buys else (WEIGHT_SAIL_ON if s.stage >= BOUGHT else WEIGHT_SAIL)
    w_main = 0 if mains == legs else WEIGHT_MAIN
    w_close = 0 if closes == mains else WEIGHT_CLOSE
    w_settle = 0 if settles == closes else WEIGHT_SETTLE
    w_free = 0 if frees == settles else WEIGHT_FREE_PIRATE
    w_paid = 0 if count == frees else WEIGHT_PAID_PIRATE
    roll = below(g, w_buy + w_leg + w_main + w_close + w_settle + w_free + w_paid)
    first, beyond = frees, count
    if roll < w_buy:
        first, beyond = 0, buys
    elif roll < w_buy + w_leg:
        first, beyond = buys, legs
    elif roll < w_buy + w_leg + w_main:
        first, beyond = legs, mains
    elif roll < w_buy + w_leg + w_main + w_close:
        first, beyond = mains, closes
    elif roll < w_buy + w_leg + w_main + w_close + w_settle:
        first, beyond = closes, settles
    elif roll < w_buy + w_leg + w_main + w_close + w_settle + w_free:
        first, beyond = settles, frees
    return whole(d.actions[first + below(g, beyond - first)])


@rule
def pick(s: State, d: Desk, g: Any, policy: int) -> int:
    """The action a policy takes from the list on the desk."""
    if policy == LIGHT:
        return light(s, d, g)
    return whole(d.actions[below(g, whole(d.count))])
