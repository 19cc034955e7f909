"""What self-play learns from: the turns that were chosen, and how their games ended.

Every turn that was chosen is remembered with the row it led to. When its game is over, each row gets what it should
have been valued: the result, mixed with what the network thought of the best turn at each later decision. Results and
thoughts are kept by seat; rows are seen by the seat that moved, so they are turned around.
"""

from typing import Any, NamedTuple

import numpy as np

from elcapitan.engine.jit import array_kernel
from elcapitan.engine.network.turns import NOTHING_CHOSEN, OUTCOMES
from elcapitan.engine.record import Float32s, Int8s, Int32s
from elcapitan.engine.vocabulary import SEATS

EXPLORED_COUNTS = 0.94  # with a slower decay, what follows after a random turn is learned from as well


class Memory(NamedTuple):
    """The turns of games that are still going on, of every game as many as there is room for."""

    turns: Int32s  # how many
    rows: Int8s  # game, turn, cell
    seat: Int8s  # who moved
    explored: Int8s  # 1 where the turn was chosen at random
    thought: Float32s  # game, turn, the outcome of the best turn by seat


class Lessons(NamedTuple):
    """Rows of games that are over, and the outcomes that the network should have given them."""

    rows: Int8s
    outcomes: Float32s


@array_kernel
def remember_turns(
    first: Any, seats: Any, players: Any, features: Any, outcome: Any, chosen: Any, best: Any, memory: Any
) -> None:
    """Remember the chosen turn of every game, and what the network thought of the best one."""
    for i in range(len(chosen)):
        t = memory.turns[i]
        if chosen[i] == NOTHING_CHOSEN or t == memory.seat.shape[1]:
            continue
        n, seat = first[i] + chosen[i], seats[i]
        memory.rows[i, t] = features[n]
        memory.seat[i, t] = seat
        memory.explored[i, t] = 1 if n != best[i] else 0
        memory.thought[i, t] = 0
        for after in range(players[i]):
            who = (seat + after) % players[i]
            memory.thought[i, t, who] = outcome[best[i], after]
            memory.thought[i, t, SEATS + who] = outcome[best[i], SEATS + after]
        memory.turns[i] = t + 1


@array_kernel
def learn_from_ended(ended: Any, outcome: Any, players: Any, memory: Any, decay: float, lessons: Any) -> int:
    """Write the rows of all games that have ended, with their outcomes; return how many. Games without room are lost.

    `players` are those of the games that have ended; `decay` is how much of what came later counts, against thoughts:
    the lambda of temporal differences.
    """
    count = 0
    result = np.zeros(OUTCOMES, np.float32)
    for i in range(len(ended)):
        if ended[i] == 0:
            continue
        turns = memory.turns[i]
        memory.turns[i] = 0
        if count + turns > len(lessons.rows):
            continue
        result[:] = outcome[i]
        for t in range(turns - 1, -1, -1):
            lessons.rows[count] = memory.rows[i, t]
            lessons.outcomes[count] = 0
            for after in range(players[i]):
                who = (memory.seat[i, t] + after) % players[i]
                lessons.outcomes[count, after] = result[who]
                lessons.outcomes[count, SEATS + after] = result[SEATS + who]
            count += 1
            later = 0.0 if memory.explored[i, t] == 1 and decay < EXPLORED_COUNTS else decay
            for k in range(OUTCOMES):
                result[k] = later * result[k] + (1.0 - later) * memory.thought[i, t, k]
    return count
