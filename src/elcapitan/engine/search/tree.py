"""Search: an open-loop tree over plans, with the results of all seats.

A node stands for the plans carried out on the way to it, not for a position: what is face down is dealt anew for every
simulation, so the same node is met with different cards. A simulation walks down by what the deciding seat would try
(its own results, and more of what it has tried less), carries plans out by the rules, and ends where a node has no
children yet: there all plans are made, the best of them become children, and what they lead to is estimated, by the
worth of the position or by playing on from it. Every node on the way learns the result of every seat.
"""

import math
from typing import Annotated

from elcapitan.engine import act
from elcapitan.engine.act import turn_up_all
from elcapitan.engine.jit import rule, whole
from elcapitan.engine.legal_actions import is_offered, offer
from elcapitan.engine.policies import light
from elcapitan.engine.record import Float64s, Int8, Int16s, Int32, Record, Records
from elcapitan.engine.rng import HasRng, below, number, shuffle
from elcapitan.engine.search.plans import AFTER, best_plan, make_plans
from elcapitan.engine.search.worth import DEEPEST, N_FEATURES, PLANS, STEPS, SearchBuffer, Weights, estimate
from elcapitan.engine.state import Board, Desk, State, States
from elcapitan.engine.vocabulary import DESTINATIONS, OVER, SEATS

ROOT = 0
NO_NODE = -1
CHILDREN = 12  # plans of a node that are tried
START_OF_SEARCH = 4  # the record of `line` with the position that is thought about
BEFORE_PLAN = 5  # the record with the position before a plan that may not fit
LINE = AFTER + PLANS
FLORIN = 0.001  # a florin more is worth as much as this chance to win
CURIOSITY = 0.5

# How a new position is judged.
BY_WORTH = 0
BY_PLAY = 1  # by playing the game to its end
TO_PAYDAY = 2  # by playing to the next payday, then by worth


class Node(Record):
    """A node of the search tree: the plan that leads to it, and what came of it."""

    visits: Int32
    won: Annotated[Float64s, SEATS]  # sums over the visits, after a first guess
    money: Annotated[Float64s, SEATS]
    child: Int32
    next: Int32
    opened: Int8
    length: Int8
    steps: Annotated[Int16s, STEPS]


Nodes = Records[Node]


@rule
def plant(nodes: Nodes) -> None:
    """A tree of nothing but its root."""
    nodes[ROOT].visits = 0
    nodes[ROOT].opened = 0
    nodes[ROOT].child = NO_NODE
    nodes[ROOT].next = NO_NODE
    for seat in range(SEATS):
        nodes[ROOT].won[seat] = 0.0
        nodes[ROOT].money[seat] = 0.0


@rule
def deal_again(s: State, g: HasRng) -> None:
    """[SET-06] Shuffle what is face down: nobody knows its order."""
    s.rng[0] = number(g)
    s.rng[1] = number(g)
    s.rng[2] = 0
    shuffle(s, 0, whole(s.deck_left[0]))
    shuffle(s, DESTINATIONS, DESTINATIONS + whole(s.deck_left[1]))


@rule
def chances(s: State, m: SearchBuffer, w: Weights) -> None:
    """Turn the worth of a position, in `m.now`, into every seat's chance to win, in `m.won`."""
    players = whole(s.players)
    best = m.now[0]
    for seat in range(1, players):
        best = max(best, m.now[seat])
    total = 0.0
    for seat in range(players):
        if s.stage == OVER:
            m.won[seat] = 1.0 if m.now[seat] == best else 0.0
        else:
            spread = 0.6 * w[players - 2, whole(s.phase) - 1, N_FEATURES]
            m.won[seat] = math.exp((m.now[seat] - best) / spread)
        total += m.won[seat]
    for seat in range(players):
        m.won[seat] /= total


@rule
def play_on(line: States, b: Board, d: Desk, m: SearchBuffer, w: Weights, g: HasRng, cut: int, planned: int) -> None:
    """Play on from line[0], to the end or to the next payday; of 64 turns so many by plan, the others by dice."""
    phase = whole(line[0].phase)
    while line[0].stage != OVER and (cut == BY_PLAY or line[0].phase == phase):
        if below(g, 64) < planned:
            plan = best_plan(line, b, d, m, w)
            for step in range(whole(m.length[plan])):
                act.apply(line[0], b, whole(m.steps[plan, step]))
        else:
            act.apply(line[0], b, light(line[0], b, d, g, False))
        turn_up_all(line[0], b)


@rule
def fits(line: States, b: Board, d: Desk, nodes: Nodes, n: int) -> bool:
    """Carry out the plan of a node on line[0], if every step is legal with the cards as they now lie."""
    line[BEFORE_PLAN] = line[0]
    for step in range(whole(nodes[n].length)):
        action = whole(nodes[n].steps[step])
        offer(line[0], b, d)
        if not is_offered(d, action):
            line[0] = line[BEFORE_PLAN]
            return False
        act.apply(line[0], b, action)
    return True


@rule
def liked(nodes: Nodes, n: int, seat: int) -> float:
    """What a seat has got from a node on average."""
    return float(nodes[n].won[seat] + FLORIN * nodes[n].money[seat]) / (1 + whole(nodes[n].visits))


@rule
def most_promising(nodes: Nodes, parent: int, seat: int, tried: int) -> int:
    """The child to try next; `tried` are those, as bits in the order of the children, that do not fit."""
    best, promise = NO_NODE, -1e9
    reach = CURIOSITY * math.sqrt(math.log(2.0 + whole(nodes[parent].visits)))
    child, k = whole(nodes[parent].child), 0
    while child != NO_NODE:
        hope = liked(nodes, child, seat) + reach / math.sqrt(1.0 + whole(nodes[child].visits))
        if not (tried >> k) & 1 and hope > promise:
            best, promise = child, hope
        child = whole(nodes[child].next)
        k += 1
    return best


@rule
def place_of(nodes: Nodes, parent: int, wanted: int) -> int:
    """Which child of its parent a node is, counted from 0."""
    child, k = whole(nodes[parent].child), 0
    while child != wanted:
        child = whole(nodes[child].next)
        k += 1
    return k


@rule
def judge_plans(line: States, m: SearchBuffer, w: Weights) -> None:
    """Turn the worth of every plan into chances, and sort out which the deciding seat likes most."""
    s = line[0]
    seat = whole(s.seat)
    for i in range(whole(m.plans)):
        for who in range(SEATS):
            m.now[who] = m.worth[i, who]
        chances(s, m, w)
        for who in range(SEATS):
            m.chance[i, who] = m.won[who]
        m.liking[i] = m.won[seat] + FLORIN * m.worth[i, seat]


@rule
def open_node(line: States, b: Board, d: Desk, m: SearchBuffer, w: Weights, nodes: Nodes, n: int, count: int) -> int:
    """Make all plans of the deciding seat; the best become children. The new number of nodes.

    Without room for a child the node stays as it is, to be judged again whenever it is met.
    """
    make_plans(line, b, d, m, w, False)
    judge_plans(line, m, w)
    kept = min(CHILDREN, whole(m.plans), len(nodes) - count)
    if kept == 0:
        return count
    nodes[n].opened = 1
    nodes[n].child = NO_NODE
    for _ in range(kept):
        best = 0
        for i in range(1, whole(m.plans)):
            if m.liking[i] > m.liking[best]:
                best = i
        child = nodes[count]
        child.visits = 0
        child.opened = 0
        child.child = NO_NODE
        child.next = nodes[n].child
        nodes[n].child = count
        child.length = m.length[best]
        for step in range(STEPS):
            child.steps[step] = m.steps[best, step]
        for seat in range(SEATS):
            child.won[seat] = m.chance[best, seat]
            child.money[seat] = m.worth[best, seat]
        m.liking[best] = -1e9
        count += 1
    return count


@rule
def look_ahead(
    line: States,
    b: Board,
    d: Desk,
    m: SearchBuffer,
    w: Weights,
    g: HasRng,
    nodes: Nodes,
    n: int,
    count: int,
    cut: int,
    planned: int,
) -> int:
    """Open a node and fill `m.now` and `m.won` with what the position is worth."""
    count = open_node(line, b, d, m, w, nodes, n, count)
    if cut == BY_WORTH:
        best = 0
        seat = whole(line[0].seat)
        for i in range(1, whole(m.plans)):
            if m.chance[i, seat] + FLORIN * m.worth[i, seat] > m.chance[best, seat] + FLORIN * m.worth[best, seat]:
                best = i
        for who in range(SEATS):
            m.won[who] = m.chance[best, who]
            m.now[who] = m.worth[best, who]
        return count
    play_on(line, b, d, m, w, g, cut, planned)
    estimate(line[0], b, m, w)
    chances(line[0], m, w)
    return count


@rule
def simulate(
    line: States,
    b: Board,
    d: Desk,
    m: SearchBuffer,
    w: Weights,
    g: HasRng,
    nodes: Nodes,
    count: int,
    cut: int,
    planned: int,
) -> int:
    """One walk down the tree and back. The new number of nodes."""
    line[0] = line[START_OF_SEARCH]
    deal_again(line[0], g)
    n, depth = ROOT, 0
    m.path[0] = ROOT
    while True:
        if line[0].stage == OVER:
            estimate(line[0], b, m, w)
            chances(line[0], m, w)
            break
        if nodes[n].opened == 0 or depth == DEEPEST - 1:
            count = look_ahead(line, b, d, m, w, g, nodes, n, count, cut, planned)
            break
        seat, tried = whole(line[0].seat), 0
        child = most_promising(nodes, n, seat, tried)
        while child != NO_NODE and not fits(line, b, d, nodes, child):
            tried |= 1 << place_of(nodes, n, child)
            child = most_promising(nodes, n, seat, tried)
        if child == NO_NODE:  # other cards lie there than when it was opened
            best = best_plan(line, b, d, m, w)
            for who in range(SEATS):
                m.now[who] = m.worth[best, who]
            chances(line[0], m, w)
            break
        turn_up_all(line[0], b)
        n = child
        depth += 1
        m.path[depth] = n
    for i in range(depth + 1):
        node = nodes[whole(m.path[i])]
        node.visits += 1
        for seat in range(SEATS):
            node.won[seat] += m.won[seat]
            node.money[seat] += m.now[seat]
    return count
