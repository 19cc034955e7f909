"""The interface of the search: planning and searching, and a kernel that plays itself to learn from it.

A thinker owns an array of LINE records to play things through on, a desk, a search buffer, and the nodes of its tree.
The position it thinks about is put into record START_OF_SEARCH of the line; what is face down in it is dealt anew
before anything is looked at.
"""

from typing import NamedTuple

from elcapitan.engine import act
from elcapitan.engine.jit import kernel, rule, whole
from elcapitan.engine.network.turns import Offering
from elcapitan.engine.play import NOT_OFFERING, NOT_PLAYING, OFFER, SEE, THINK, Searching, run, states
from elcapitan.engine.record import Float64s, Int64s, zeros
from elcapitan.engine.rng import Generators, HasRng, below
from elcapitan.engine.rules.payday import most_houses
from elcapitan.engine.search.plans import best_plan
from elcapitan.engine.search.tree import LINE, Node, Nodes
from elcapitan.engine.search.worth import (
    N_FEATURES,
    SearchBuffer,
    SearchBuffers,
    Weights,
    fewest_of_others,
    note_features,
)
from elcapitan.engine.state import Board, Boards, Desk, Desks, States
from elcapitan.engine.vocabulary import OVER, SEATS, START

PERCENT = 100
NOTES = 4  # columns of what self-play notes beside the features: phase, seat, money at the end, game


def lines() -> States:
    """Make the array of records on which a search plays."""
    return states(LINE)


def search_buffers() -> SearchBuffers:
    """Make the buffer in which a search keeps the plans of a turn."""
    return zeros(SearchBuffer, 1)


def trees(nodes: int) -> Nodes:
    """Make an array of so many empty tree nodes."""
    return zeros(Node, nodes)


class SearchArrays(NamedTuple):
    """All arrays that a searching player works with; each thread has its own."""

    lines: States
    boards: Boards
    desks: Desks
    buffers: SearchBuffers
    weights: Weights
    g: Generators
    nodes: Nodes


def think(arrays: SearchArrays, count: int = 0, simulations: int = 0, cut: int = 0, planned: int = 0) -> int:
    """Without simulations: make all plans of a turn; which is best. With them: go on searching; the nodes in use.

    With a `count` of 0 the search begins anew.
    """
    lines, boards, desks, buffers, weights, g, nodes = arrays
    searching = Searching(buffers, weights, nodes, count, simulations, cut, planned)
    return run(THINK, lines, 0, boards, desks, 0, g, NOT_PLAYING, searching, NOT_OFFERING)


def offer_turns(games: States, arrays: SearchArrays, offering: Offering) -> int:
    """Carry out the plan chosen in every game, and write a row for every plan of its next turn; return how many.

    The lines are those of the offering; the arrays are otherwise as for `think`.
    """
    return _run_in_all(OFFER, games, arrays, offering)


def see_positions(games: States, arrays: SearchArrays, offering: Offering) -> int:
    """Write a row for every game as it stands, seen from a seat that is in the place of the chosen plan; how many."""
    return _run_in_all(SEE, games, arrays, offering)


def _run_in_all(order: int, games: States, arrays: SearchArrays, offering: Offering) -> int:
    """Carry out an order in all games."""
    _lines, boards, desks, buffers, weights, g, nodes = arrays
    searching = Searching(buffers, weights, nodes, 0, 0, 0, 0)
    return run(order, games, 0, boards, desks, 0, g, NOT_PLAYING, searching, offering)


@rule
def play_plan(line: States, b: Board, d: Desk, m: SearchBuffer, w: Weights, g: HasRng, stray: int) -> None:
    """Carry out the best plan on line[0], or with so many percent of chance any of them."""
    plan = best_plan(line, b, d, m, w)
    if below(g, PERCENT) < stray:
        plan = below(g, whole(m.plans))
    for step in range(whole(m.length[plan])):
        act.apply(line[0], b, whole(m.steps[plan, step]))
    act.turn_up_all(line[0], b)


@kernel
def self_play(
    arrays: SearchArrays,
    players: int,
    tiles: int,
    options: int,
    games: int,
    stray: int,
    every: int,
    rows: Float64s,
    notes: Int64s,
) -> int:
    """Let planning players play, noting one turn in `every`: the features of all seats, and how they ended.

    The weights of `arrays` are one set for each seat here, and its nodes are not used. The number of rows filled; when
    there is no more room the games go on without.
    """
    n = 0
    lines, b, d, m, g = arrays.lines, arrays.boards[0], arrays.desks[0], arrays.buffers[0], arrays.g[0]
    for game in range(games):
        act.deal_anew(lines[0], b, g, players, tiles, options)
        begun = n
        while lines[0].stage != OVER:
            s = lines[0]
            if s.stage == START and n + SEATS < len(rows) and below(g, every) == 0:
                most = most_houses(s)
                for seat in range(whole(s.players)):
                    note_features(s, b, m, seat, most, fewest_of_others(s, seat))
                    for i in range(N_FEATURES):
                        rows[n, i] = m.x[i]
                    notes[n, 0] = s.phase
                    notes[n, 1] = seat
                    notes[n, 3] = game
                    n += 1
            play_plan(lines, b, d, m, arrays.weights[whole(s.seat)], g, stray)
        for k in range(begun, n):
            notes[k, 2] = lines[0].cash[whole(notes[k, 1])]
    return n
