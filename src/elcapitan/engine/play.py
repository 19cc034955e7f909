"""The whole interface of the engine: new, legal, apply, chance, forecast, scores, and the loops that live inside.

Records are passed as arrays with an index, so that a call from Python is cheap. Kernels are few, because each one
takes seconds to compile; most functions here put a question or an order to one of them. `apply` trusts its caller;
the `Game` object checks.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from elcapitan.engine import act, explain, loops, offer
from elcapitan.engine.jit import kernel, quick_kernel, whole
from elcapitan.engine.loops import NO_BATCH, NO_SETUP, NO_THOUGHT, PICK, PLAY, STEP, run
from elcapitan.engine.policies import UNIFORM
from elcapitan.engine.rules.cards import draw, may_turn_up
from elcapitan.engine.rules.deriving import derive as fill_derived
from elcapitan.engine.rules.payday import forecast as fill_forecast
from elcapitan.engine.rules.turn import set_up, shuffle_decks
from elcapitan.engine.state import DESK, FORECAST, STATE
from elcapitan.engine.vocabulary import OVER

Records = npt.NDArray[np.void]
Numbers = npt.NDArray[np.int64]
MASK_BYTES = loops.MASK_BYTES
BEGIN = loops.BEGIN  # instead of an action in a batch
STAY = loops.STAY
STUCK = loops.STUCK  # returned by `play_out` when a game does not end within its limit
# For `proceed`.
NOTHING = -1
FROM_THE_DECKS = -2  # instead of a card: as many as follow, as the shuffled decks bring them
ALL = -2  # instead of an action in a question
NO_NUMBERS = np.zeros(2, np.int64)
NO_DESKS = np.zeros(1, DESK)  # where nothing is asked


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


@quick_kernel
def proceed(
    states: Any, i: int, boards: Any, desks: Any, j: int, action: int, card: int, question: int, args: Any
) -> int:
    """An action, then a card or those FROM_THE_DECKS, then a question: each of them or NOTHING. The answer, or 0.

    A question about one action is why it is illegal; about ALL, what is legal, to be listed on desk `j`, and how many
    that are.
    """
    if action != NOTHING:
        act.apply(states[i], boards[0], action)
    if card == FROM_THE_DECKS:
        act.turn_up_all(states[i], boards[0])
    elif card != NOTHING:
        act.apply_chance(states[i], boards[0], card)
    if question == ALL:
        offer.offer(states[i], boards[0], desks[j])
        offer.list_offered(desks[j])
        return whole(desks[j].count)
    if question != NOTHING:
        return explain.why_not(states[i], boards[0], desks[j], question, args)
    return 0


def legal(states: Records, i: int, boards: Records, desks: Records, j: int) -> int:
    """List the legal actions on desk `j`; how many there are."""
    return proceed(states, i, boards, desks, j, NOTHING, NOTHING, ALL, NO_NUMBERS)


def refusal(states: Records, i: int, boards: Records, desks: Records, j: int, action: int, args: Numbers) -> int:
    """The code of the reason why an action is illegal, its arguments in `args`; 0 if it is legal."""
    return proceed(states, i, boards, desks, j, NOTHING, NOTHING, action, args)


def apply(states: Records, i: int, boards: Records, action: int) -> None:
    """Carry out a legal action; cards to be turned up afterwards are left to `chance` or `turn_up`."""
    proceed(states, i, boards, NO_DESKS, 0, action, NOTHING, NOTHING, NO_NUMBERS)


def step(states: Records, i: int, boards: Records, desks: Records, j: int, action: int) -> int:
    """Carry out a legal action, turn up the cards that follow, list what is legal then on desk `j`; how many."""
    return proceed(states, i, boards, desks, j, action, FROM_THE_DECKS, ALL, NO_NUMBERS)


def chance(states: Records, i: int, boards: Records, card: int) -> None:
    """A given card is turned up."""
    proceed(states, i, boards, NO_DESKS, 0, NOTHING, card, NOTHING, NO_NUMBERS)


def turn_up(states: Records, i: int, boards: Records) -> None:
    """Turn up cards from the shuffled decks until somebody has to decide."""
    proceed(states, i, boards, NO_DESKS, 0, NOTHING, FROM_THE_DECKS, NOTHING, NO_NUMBERS)


@quick_kernel
def possible(states: Any, i: int, card: int) -> bool:
    """Whether this card can be the next to be turned up."""
    return may_turn_up(states[i], card)


@quick_kernel
def next_card(states: Any, i: int) -> int:
    """The card the shuffled deck would bring now."""
    return draw(states[i])


@kernel
def forecast_all(states: Any, boards: Any, forecasts: Any) -> None:
    """For every state what a payday now would pay each seat, item by item."""
    for i in range(len(states)):
        fill_forecast(states[i], boards[0], forecasts[i])


def forecast(states: Records, i: int, boards: Records, forecasts: Records, j: int) -> None:
    """What a payday now would pay each seat, item by item."""
    forecast_all(states[i : i + 1], boards, forecasts[j : j + 1])


def is_over(states: Records, i: int) -> bool:
    """[END-01] Whether the game has ended."""
    return bool(states[i].stage == OVER)


def scores(states: Records, i: int) -> list[int]:
    """[END-05] The money of every player; once the game is over the richest has won."""
    return [int(cash) for cash in states[i].cash[: states[i].players]]


def choose(states: Records, i: int, boards: Records, desks: Records, j: int, g: Records, policy: int) -> int:
    """The action a policy takes in this position."""
    return run(PICK, states, i, boards, desks, j, g, policy, NO_SETUP, 0, 0, *NO_BATCH, *NO_THOUGHT)


def play_out(
    states: Records, i: int, boards: Records, desks: Records, j: int, g: Records, policy: int, limit: int
) -> int:
    """Play a game to its end by a policy; the number of actions, or STUCK."""
    return run(PLAY, states, i, boards, desks, j, g, policy, NO_SETUP, 1, limit, *NO_BATCH, *NO_THOUGHT)


def play_many(
    states: Records,
    i: int,
    boards: Records,
    desks: Records,
    j: int,
    g: Records,
    policy: int,
    setup: Numbers,
    games: int,
    limit: int,
) -> int:
    """Deal and play complete games one after another in one record; the number of actions, or STUCK."""
    return run(PLAY, states, i, boards, desks, j, g, policy, setup, games, limit, *NO_BATCH, *NO_THOUGHT)


def step_batch(
    states: Records,
    boards: Records,
    desks: Records,
    actions: Numbers,
    masks: npt.NDArray[np.uint8],
    finished: npt.NDArray[np.bool_],
    g: Records,
    setup: Numbers,
    policy: int = UNIFORM,
) -> None:
    """One step in every game of a batch: apply its action, renew it if it is over, write the next mask.

    `finished` tells which games ended with this step; they stand at the beginning of a new game. Action n is bit
    n % 8 of byte n // 8 of a mask. What a policy would do next is left in `actions`, so that a batch can also be run
    without a player; with NO_POLICY they stay as they are. Instead of an action, BEGIN deals a new game and STAY
    leaves the game as it is.
    """
    words = masks.view(np.uint64)
    run(STEP, states, 0, boards, desks, 0, g, policy, setup, 0, 0, actions, words, finished, *NO_THOUGHT)
