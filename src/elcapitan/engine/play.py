"""The whole interface of the engine: new, legal, apply, chance, forecast, scores, and the loops that live inside.

Nearly every function here is a kernel: it takes arrays of records and an index, so that a call from Python is cheap.
`apply` trusts its caller; the `Game` object checks.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from elcapitan.engine import act, offer
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.jit import kernel, rule, whole
from elcapitan.engine.policies import any_of, pick
from elcapitan.engine.rng import below
from elcapitan.engine.rules.cards import draw, may_turn_up
from elcapitan.engine.rules.deriving import derive as fill_derived
from elcapitan.engine.rules.payday import forecast as fill_forecast
from elcapitan.engine.rules.turn import set_up, shuffle_decks
from elcapitan.engine.state import DESK, FORECAST, STATE, Board, Desk, State
from elcapitan.engine.vocabulary import OVER, REVEAL

Records = npt.NDArray[np.void]
MASK_BYTES = (N_ACTIONS + 7) // 8
BEGIN = -1  # instead of an action in a batch
STAY = -2
NO_SETUP = np.zeros(3, np.int64)
STUCK = -1  # returned by `play_out` when a game does not end within its limit


def states(count: int = 1) -> Records:
    """Room for games."""
    return np.zeros(count, STATE)


def desks(count: int = 1) -> Records:
    """Room for working things out; one for each thread."""
    return np.zeros(count, DESK)


def forecasts(count: int = 1) -> Records:
    """Room for forecasts."""
    return np.zeros(count, FORECAST)


@kernel
def new(
    states: Any, i: int, boards: Any, players: int, tiles: int, options: int, first: int, low: int, high: int
) -> None:
    """Set up a game whose first card is about to be turned up."""
    set_up(states[i], boards[0], players, tiles, options, first)
    shuffle_decks(states[i], low, high)


@kernel
def derive(states: Any, i: int, boards: Any) -> None:
    """Make the fields anew that follow from others, for a position that was read."""
    fill_derived(states[i], boards[0])


@kernel
def legal(states: Any, i: int, boards: Any, desks: Any, j: int) -> int:
    """List the legal actions on desk `j`; how many there are."""
    offer.offer(states[i], boards[0], desks[j])
    return whole(desks[j].count)


@kernel
def apply(states: Any, i: int, boards: Any, action: int) -> None:
    """Carry out a legal action; cards to be turned up afterwards are left to `chance` or `turn_up`."""
    act.apply(states[i], boards[0], action)


@kernel
def chance(states: Any, i: int, boards: Any, card: int) -> None:
    """A given card is turned up."""
    act.apply_chance(states[i], boards[0], card)


@kernel
def possible(states: Any, i: int, card: int) -> bool:
    """Whether this card can be the next to be turned up."""
    return may_turn_up(states[i], card)


@kernel
def next_card(states: Any, i: int) -> int:
    """The card the shuffled deck would bring now."""
    return draw(states[i])


@rule
def turn_up_all(s: State, b: Board) -> None:
    """[CARD-09] Turn up cards from the shuffled decks until somebody has to decide."""
    while s.stage == REVEAL:
        act.apply_chance(s, b, draw(s))


@kernel
def turn_up(states: Any, i: int, boards: Any) -> None:
    """Turn up cards from the shuffled decks until somebody has to decide."""
    turn_up_all(states[i], boards[0])


@kernel
def forecast(states: Any, i: int, boards: Any, forecasts: Any, j: int) -> None:
    """What a payday now would pay each seat, item by item."""
    fill_forecast(states[i], boards[0], forecasts[j])


def is_over(states: Records, i: int) -> bool:
    """[END-01] Whether the game has ended."""
    return bool(states[i].stage == OVER)


def scores(states: Records, i: int) -> list[int]:
    """[END-05] The money of every player; once the game is over the richest has won."""
    return [int(cash) for cash in states[i].cash[: states[i].players]]


@rule
def step(s: State, b: Board, action: int) -> None:
    """An action and the cards turned up after it."""
    act.apply(s, b, action)
    turn_up_all(s, b)


@rule
def play_on(s: State, b: Board, d: Desk, g: Any, policy: int, limit: int) -> int:
    """Play a game to its end by a policy; the number of actions, or STUCK."""
    turn_up_all(s, b)
    for count in range(limit):
        if s.stage == OVER:
            return count
        step(s, b, pick(s, b, d, g, policy))
    return STUCK


@rule
def deal_anew(s: State, b: Board, g: Any, setup: Any) -> None:
    """A new game with the players, tiles and options of `setup`, its seed and starting player drawn from `g`."""
    set_up(s, b, setup[0], setup[1], setup[2], below(g, setup[0]))
    shuffle_decks(s, below(g, 1 << 30), below(g, 1 << 30))
    turn_up_all(s, b)


@kernel
def play_many(
    states: Any, i: int, boards: Any, desks: Any, j: int, g: Any, policy: int, setup: Any, games: int, limit: int
) -> int:
    """Play complete games one after another in one record; the number of actions, or STUCK.

    Without players in `setup` the game that stands in the record is played on. With no games to play the answer is
    the action that the policy would take now: one kernel for both, because each takes seconds to compile.
    """
    if games == 0:
        return pick(states[i], boards[0], desks[j], g[0], policy)
    actions = 0
    for _ in range(games):
        if setup[0] > 0:
            deal_anew(states[i], boards[0], g[0], setup)
        played = play_on(states[i], boards[0], desks[j], g[0], policy, limit)
        if played == STUCK:
            return STUCK
        actions += played
    return actions


def choose(states: Records, i: int, boards: Records, desks: Records, j: int, g: Records, policy: int) -> int:
    """The action a policy takes in this position."""
    return play_many(states, i, boards, desks, j, g, policy, NO_SETUP, 0, 0)


def play_out(
    states: Records, i: int, boards: Records, desks: Records, j: int, g: Records, policy: int, limit: int
) -> int:
    """Play a game to its end by a policy; the number of actions, or STUCK."""
    return play_many(states, i, boards, desks, j, g, policy, NO_SETUP, 1, limit)


@rule
def write_mask(d: Desk, masks: Any, i: int) -> None:
    """The list on the desk as packed bits: bit n % 8 of byte n // 8 is action n."""
    for byte in range(MASK_BYTES):
        masks[i, byte] = 0
    for k in range(whole(d.count)):
        action = whole(d.actions[k])
        masks[i, action >> 3] |= 1 << (action & 7)


@kernel
def step_batch(
    states: Any, boards: Any, desks: Any, actions: Any, masks: Any, finished: Any, g: Any, setup: Any
) -> None:
    """One step in every game of a batch: apply its action, renew it if it is over, write the next mask.

    `finished` tells which games ended with this step; they stand at the beginning of a new game. A legal action drawn
    at random is left in `actions`, so that a batch can also be run without a player. Instead of an action, BEGIN deals
    a new game and STAY leaves the game as it is.
    """
    for i in range(len(states)):
        action = whole(actions[i])
        if action >= 0:
            step(states[i], boards[0], action)
        finished[i] = action >= 0 and states[i].stage == OVER
        if action == BEGIN or finished[i]:
            deal_anew(states[i], boards[0], g[0], setup)
        offer.offer(states[i], boards[0], desks[0])
        write_mask(desks[0], masks, i)
        actions[i] = any_of(desks[0], g[0])


@kernel
def forecast_all(states: Any, boards: Any, forecasts: Any) -> None:
    """The forecast of every state."""
    for i in range(len(states)):
        fill_forecast(states[i], boards[0], forecasts[i])
