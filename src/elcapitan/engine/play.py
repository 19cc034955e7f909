"""The whole interface of the engine: new, legal, apply, chance, forecast, scores, and the loops that live inside.

Records are passed as arrays with an index, so that a call from Python is cheap. Kernels are few, because each one
takes seconds to compile; most functions here put a question or an order to one of them. `apply` trusts its caller;
the `Game` object checks.
"""

import numpy as np

from elcapitan.engine import act, explain, offer
from elcapitan.engine.jit import kernel, quick_kernel, whole
from elcapitan.engine.loops import NOT_SEARCHING, PICK, PLAY, Playing, run
from elcapitan.engine.record import Int64s, zeros
from elcapitan.engine.rng import Generators
from elcapitan.engine.rules.cards import draw, may_turn_up
from elcapitan.engine.rules.deriving import derive as fill_derived
from elcapitan.engine.rules.payday import forecast as fill_forecast
from elcapitan.engine.rules.turn import set_up, shuffle_decks
from elcapitan.engine.state import Boards, Desk, Desks, Forecast, Forecasts, State, States
from elcapitan.engine.vocabulary import OVER

# For `proceed`.
NOTHING = -1
FROM_THE_DECKS = -2  # instead of a card: as many as follow, as the shuffled decks bring them
ALL = -2  # instead of an action in a question
NO_NUMBERS = np.zeros(2, np.int64)
NO_DESKS = zeros(Desk, 1)  # where nothing is asked


def states(count: int = 1) -> States:
    """Room for games."""
    return zeros(State, count)


def desks(count: int = 1) -> Desks:
    """Room for working things out; one for each thread."""
    return zeros(Desk, count)


def forecasts(count: int = 1) -> Forecasts:
    """Room for forecasts."""
    return zeros(Forecast, count)


@kernel
def new(
    states: States, i: int, boards: Boards, players: int, tiles: int, options: int, first: int, low: int, high: int
) -> None:
    """Set up a game whose first card is about to be turned up."""
    set_up(states[i], boards[0], players, tiles, options, first)
    shuffle_decks(states[i], low, high)


@kernel
def derive(states: States, i: int, boards: Boards) -> None:
    """Make the fields anew that follow from others, for a position that was read."""
    fill_derived(states[i], boards[0])


@quick_kernel
def proceed(
    states: States, i: int, boards: Boards, desks: Desks, j: int, action: int, card: int, question: int, args: Int64s
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


def legal(states: States, i: int, boards: Boards, desks: Desks, j: int) -> int:
    """List the legal actions on desk `j`; how many there are."""
    return proceed(states, i, boards, desks, j, NOTHING, NOTHING, ALL, NO_NUMBERS)


def refusal(states: States, i: int, boards: Boards, desks: Desks, j: int, action: int, args: Int64s) -> int:
    """The code of the reason why an action is illegal, its arguments in `args`; 0 if it is legal."""
    return proceed(states, i, boards, desks, j, NOTHING, NOTHING, action, args)


def apply(states: States, i: int, boards: Boards, action: int) -> None:
    """Carry out a legal action; cards to be turned up afterwards are left to `chance` or `turn_up`."""
    proceed(states, i, boards, NO_DESKS, 0, action, NOTHING, NOTHING, NO_NUMBERS)


def step(states: States, i: int, boards: Boards, desks: Desks, j: int, action: int) -> int:
    """Carry out a legal action, turn up the cards that follow, list what is legal then on desk `j`; how many."""
    return proceed(states, i, boards, desks, j, action, FROM_THE_DECKS, ALL, NO_NUMBERS)


def chance(states: States, i: int, boards: Boards, card: int) -> None:
    """A given card is turned up."""
    proceed(states, i, boards, NO_DESKS, 0, NOTHING, card, NOTHING, NO_NUMBERS)


def turn_up(states: States, i: int, boards: Boards) -> None:
    """Turn up cards from the shuffled decks until somebody has to decide."""
    proceed(states, i, boards, NO_DESKS, 0, NOTHING, FROM_THE_DECKS, NOTHING, NO_NUMBERS)


@quick_kernel
def possible(states: States, i: int, card: int) -> bool:
    """Whether this card can be the next to be turned up."""
    return may_turn_up(states[i], card)


@quick_kernel
def next_card(states: States, i: int) -> int:
    """The card the shuffled deck would bring now."""
    return draw(states[i])


@kernel
def forecast_all(states: States, boards: Boards, forecasts: Forecasts) -> None:
    """For every state what a payday now would pay each seat, item by item."""
    for i in range(len(states)):
        fill_forecast(states[i], boards[0], forecasts[i])


def forecast(states: States, i: int, boards: Boards, forecasts: Forecasts, j: int) -> None:
    """What a payday now would pay each seat, item by item."""
    forecast_all(states[i : i + 1], boards, forecasts[j : j + 1])


def is_over(states: States, i: int) -> bool:
    """[END-01] Whether the game has ended."""
    return bool(states[i].stage == OVER)


def scores(states: States, i: int) -> list[int]:
    """[END-05] The money of every player; once the game is over the richest has won."""
    return [int(cash) for cash in states[i].cash[: states[i].players]]


def choose(states: States, i: int, boards: Boards, desks: Desks, j: int, g: Generators, policy: int) -> int:
    """The action a policy takes in this position."""
    return run(PICK, states, i, boards, desks, j, g, Playing(policy), NOT_SEARCHING)


def play_out(
    states: States, i: int, boards: Boards, desks: Desks, j: int, g: Generators, policy: int, limit: int
) -> int:
    """Play a game to its end by a policy; the number of actions, or STUCK."""
    return run(PLAY, states, i, boards, desks, j, g, Playing(policy, limit=limit), NOT_SEARCHING)


def play_many(states: States, i: int, boards: Boards, desks: Desks, j: int, g: Generators, playing: Playing) -> int:
    """Deal and play complete games one after another in one record; the number of actions, or STUCK."""
    return run(PLAY, states, i, boards, desks, j, g, playing, NOT_SEARCHING)
