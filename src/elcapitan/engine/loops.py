"""Every loop over actions behind one door: playing by a policy, stepping a batch, planning and searching.

One kernel for all of them, because each would take seconds to compile and shares most of its rules with the others.
`play` and `think` put their orders to it.
"""

from typing import Any

import numpy as np

from elcapitan.engine import act, offer
from elcapitan.engine.jit import kernel, rule, whole
from elcapitan.engine.policies import NO_POLICY, pick
from elcapitan.engine.record import Bools, Int64s, UInt64s, zeros
from elcapitan.engine.rng import Generators, HasRng
from elcapitan.engine.state import WORDS, Board, Boards, Desk, Desks, State, States
from elcapitan.engine.thought.mind import WEIGHTS_SHAPE, Mind, Minds, Weights
from elcapitan.engine.thought.plans import best_plan
from elcapitan.engine.thought.tree import START_OF_SEARCH, Node, Nodes, deal_again, plant, simulate
from elcapitan.engine.vocabulary import OVER

# Orders.
PICK = 0  # the action of a policy
PLAY = 1  # complete games by a policy
STEP = 2  # one step in every game of a batch
THINK = 3  # plan, or search

MASK_BYTES = 8 * WORDS
BEGIN = -1  # instead of an action in a batch
STAY = -2
STUCK = -1  # instead of a number of actions: a game did not end within its limit

# What an order does not need.
NO_SETUP = np.zeros(3, np.int64)
NO_BATCH: Any = (np.zeros(0, np.int64), np.zeros((0, WORDS), np.uint64), np.zeros(0, np.bool_))
_NO_WEIGHTS = np.zeros(WEIGHTS_SHAPE)
_NO_WEIGHTS.flags.writeable = False  # like those of every thinker: that is part of what is compiled for
NO_THOUGHT: Any = (zeros(Mind, 1), _NO_WEIGHTS, zeros(Node, 1), 0, 0, 0, 0)


@rule
def play_on(s: State, b: Board, d: Desk, g: HasRng, policy: int, limit: int) -> int:
    """Play a game to its end by a policy; the number of actions, or STUCK."""
    act.turn_up_all(s, b)
    for count in range(limit):
        if s.stage == OVER:
            return count
        act.step(s, b, pick(s, b, d, g, policy, False))
    return STUCK


@rule
def play_games(s: State, b: Board, d: Desk, g: HasRng, policy: int, setup: Int64s, games: int, limit: int) -> int:
    """Play complete games one after another in one record; the number of actions, or STUCK."""
    actions = 0
    for _ in range(games):
        if setup[0] > 0:
            act.deal_anew(s, b, g, setup)
        played = play_on(s, b, d, g, policy, limit)
        if played == STUCK:
            return STUCK
        actions += played
    return actions


@rule
def write_mask(d: Desk, masks: UInt64s, i: int) -> None:
    """What is offered on the desk as a row of masks."""
    for k in range(WORDS):
        masks[i, k] = d.legal[k]


@rule
def step_all(
    states: States,
    b: Board,
    d: Desk,
    g: HasRng,
    policy: int,
    setup: Int64s,
    actions: Int64s,
    masks: UInt64s,
    finished: Bools,
) -> None:
    """One step in every game of a batch; see `play.step_batch`."""
    for i in range(len(states)):
        action = whole(actions[i])
        if action >= 0:
            act.step(states[i], b, action)
        finished[i] = action >= 0 and states[i].stage == OVER
        if action == BEGIN or finished[i]:
            act.deal_anew(states[i], b, g, setup)
        offer.offer(states[i], b, d)
        write_mask(d, masks, i)
        if policy != NO_POLICY:
            actions[i] = pick(states[i], b, d, g, policy, True)


@rule
def think(
    line: States,
    b: Board,
    d: Desk,
    m: Mind,
    w: Weights,
    g: HasRng,
    nodes: Nodes,
    count: int,
    simulations: int,
    cut: int,
    planned: int,
) -> int:
    """Plan or search; see `think.think`."""
    if simulations == 0:
        line[0] = line[START_OF_SEARCH]
        deal_again(line[0], g)
        return best_plan(line, b, d, m, w)
    if count == 0:
        plant(nodes)
        count = 1
    for _ in range(simulations):
        count = simulate(line, b, d, m, w, g, nodes, count, cut, planned)
    return count


@kernel
def run(
    order: int,
    states: States,
    i: int,
    boards: Boards,
    desks: Desks,
    j: int,
    g: Generators,
    policy: int,
    setup: Int64s,
    games: int,
    limit: int,
    actions: Int64s,
    masks: UInt64s,
    finished: Bools,
    minds: Minds,
    weights: Weights,
    nodes: Nodes,
    count: int,
    simulations: int,
    cut: int,
    planned: int,
) -> int:
    """Carry out an order."""
    b, d = boards[0], desks[j]
    if order == PICK:
        return pick(states[i], b, d, g[0], policy, False)
    if order == PLAY:
        return play_games(states[i], b, d, g[0], policy, setup, games, limit)
    if order == STEP:
        step_all(states, b, d, g[0], policy, setup, actions, masks, finished)
        return 0
    return think(states, b, d, minds[0], weights, g[0], nodes, count, simulations, cut, planned)
