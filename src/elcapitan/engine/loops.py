"""Every loop over actions behind one kernel: playing by a policy, planning and searching.

One kernel for all of them, because each would take seconds to compile and shares most of its rules with the others.
`play` and `think` call it.
"""

from typing import NamedTuple

import numpy as np

from elcapitan.engine import act
from elcapitan.engine.jit import quick_kernel, rule
from elcapitan.engine.policies import NO_POLICY, pick
from elcapitan.engine.record import zeros
from elcapitan.engine.rng import Generators, HasRng
from elcapitan.engine.state import Board, Boards, Desk, Desks, State, States
from elcapitan.engine.thought.mind import WEIGHTS_SHAPE, Mind, Minds, Weights
from elcapitan.engine.thought.plans import best_plan
from elcapitan.engine.thought.tree import START_OF_SEARCH, Node, Nodes, deal_again, plant, simulate
from elcapitan.engine.vocabulary import OVER

# Orders.
PICK = 0  # the action of a policy
PLAY = 1  # complete games by a policy
THINK = 2  # plan, or search

STUCK = -1  # instead of a number of actions: a game did not end within its limit


class Playing(NamedTuple):
    """What PICK and PLAY are told; without players, the game at hand is played and none is dealt."""

    policy: int
    players: int = 0
    tiles: int = 0  # as bits
    options: int = 0  # as bits
    games: int = 1
    limit: int = 0  # actions of one game


class Searching(NamedTuple):
    """What THINK is told."""

    minds: Minds
    weights: Weights
    nodes: Nodes
    used: int  # nodes in use; 0 begins a new search
    simulations: int  # 0: only make the plans of this turn
    cut: int  # how a new position is judged: see `thought.tree`
    planned: int  # of 64 turns played on from there, how many by plan


NOT_PLAYING = Playing(NO_POLICY)
_NO_WEIGHTS = np.zeros(WEIGHTS_SHAPE)
_NO_WEIGHTS.flags.writeable = False  # like those of every thinker: that is part of what is compiled for
NOT_SEARCHING = Searching(zeros(Mind, 1), _NO_WEIGHTS, zeros(Node, 1), 0, 0, 0, 0)


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
def play_games(s: State, b: Board, d: Desk, g: HasRng, playing: Playing) -> int:
    """Play complete games one after another in one record; the number of actions, or STUCK."""
    actions = 0
    for _ in range(playing.games):
        if playing.players > 0:
            act.deal_anew(s, b, g, playing.players, playing.tiles, playing.options)
        played = play_on(s, b, d, g, playing.policy, playing.limit)
        if played == STUCK:
            return STUCK
        actions += played
    return actions


@rule
def think(line: States, b: Board, d: Desk, m: Mind, g: HasRng, searching: Searching) -> int:
    """Plan or search; see `think.think`."""
    w, nodes, count = searching.weights, searching.nodes, searching.used
    if searching.simulations == 0:
        line[0] = line[START_OF_SEARCH]
        deal_again(line[0], g)
        return best_plan(line, b, d, m, w)
    if count == 0:
        plant(nodes)
        count = 1
    for _ in range(searching.simulations):
        count = simulate(line, b, d, m, w, g, nodes, count, searching.cut, searching.planned)
    return count


@quick_kernel
def run(
    order: int,
    states: States,
    i: int,
    boards: Boards,
    desks: Desks,
    j: int,
    g: Generators,
    playing: Playing,
    searching: Searching,
) -> int:
    """Carry out an order: in game `i`, at desk `j`, with the dice `g`."""
    b, d = boards[0], desks[j]
    if order == PICK:
        return pick(states[i], b, d, g[0], playing.policy, False)
    if order == PLAY:
        return play_games(states[i], b, d, g[0], playing)
    return think(states, b, d, searching.minds[0], g[0], searching)
