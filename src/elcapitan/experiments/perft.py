"""Counting the game tree: how many sequences of legal actions there are, cards coming up in the order of the decks.

A number that changes without a change of the rules is a mistake; `tests/perft` pins many. A game that is over counts
as one sequence.
"""

from elcapitan.engine import play
from elcapitan.engine.state import Boards, Desks, States


def legal(states: States, i: int, boards: Boards, desks: Desks) -> list[int]:
    """Return the legal actions of a position."""
    count = play.legal(states, i, boards, desks, 0)
    return [int(action) for action in desks[0].actions[:count]]


def count(states: States, boards: Boards, depth: int) -> int:
    """Count sequences of `depth` actions from states[0]."""
    line = play.states(depth + 1)
    line[0] = states[0]
    return _count(line, 0, boards, play.desks(), depth)


def split(states: States, boards: Boards, depth: int) -> list[tuple[int, int]]:
    """Count behind every first action by itself, to find out where two counts differ."""
    line = play.states(depth + 1)
    desks = play.desks()
    result = []
    for action in legal(states, 0, boards, desks):
        line[1] = states[0]
        _step(line, 1, boards, action)
        result.append((action, _count(line, 1, boards, desks, depth - 1)))
    return result


def _step(line: States, i: int, boards: Boards, action: int) -> None:
    """Carry out an action and turn up the cards that follow."""
    play.apply(line, i, boards, action)
    play.turn_up(line, i, boards)


def _count(line: States, i: int, boards: Boards, desks: Desks, depth: int) -> int:
    """Count sequences of `depth` actions from line[i]; the rest of the line is scratch space."""
    if depth == 0 or play.is_over(line, i):
        return 1
    actions = legal(line, i, boards, desks)
    if depth == 1:
        return len(actions)
    leaves = 0
    for action in actions:
        line[i + 1] = line[i]
        _step(line, i + 1, boards, action)
        leaves += _count(line, i + 1, boards, desks, depth - 1)
    return leaves
