"""The interface of the engine: new, legal, apply, chance, forecast, scores, and the loops that stay inside.

Records are passed as arrays with an index, so that a call from Python is cheap. Kernels are few, because each one
takes seconds to compile; most functions here put a question to `proceed` or an order to `run`. `apply` trusts its
caller; the `Game` object checks.
"""

from typing import NamedTuple

import numpy as np

from elcapitan.engine import act, explain, legal_actions
from elcapitan.engine.jit import kernel, rule, whole
from elcapitan.engine.network.turns import Offer, Offering, dealing, empty_rows
from elcapitan.engine.network.turns import offer_turns as offer_next
from elcapitan.engine.network.turns import see_positions as see_all
from elcapitan.engine.policies import NO_POLICY, pick
from elcapitan.engine.record import Int64s, zeros
from elcapitan.engine.rng import Generators, HasRng
from elcapitan.engine.rules.facts import derive as fill_derived
from elcapitan.engine.rules.facts import facts as fill_facts
from elcapitan.engine.rules.payday import forecast as fill_forecast
from elcapitan.engine.rules.sailing import draw, may_turn_up
from elcapitan.engine.rules.turn import pass_on, set_up, shuffle_decks
from elcapitan.engine.search.plans import best_plan
from elcapitan.engine.search.tree import START_OF_SEARCH, Node, Nodes, deal_again, plant, simulate
from elcapitan.engine.search.worth import WEIGHTS_SHAPE, SearchBuffer, SearchBuffers, Weights
from elcapitan.engine.state import (
    Board,
    Boards,
    Desk,
    Desks,
    Facts,
    Forecast,
    Forecasts,
    PositionFacts,
    State,
    States,
)
from elcapitan.engine.vocabulary import OVER

# For `proceed`.
NOTHING = -1
FROM_THE_DECKS = -2  # instead of a card: as many as follow, as the shuffled decks bring them
ALL = -2  # instead of an action in a question
NO_NUMBERS = np.zeros(2, np.int64)
NO_DESKS = zeros(Desk, 1)  # where nothing is asked
NO_FORECASTS = zeros(Forecast, 0)
NO_FACTS = zeros(PositionFacts, 0)

# Orders to `run`.
PICK = 0  # the action of a policy
PLAY = 1  # complete games by a policy
THINK = 2  # plan, or search
OFFER = 3  # play on in many games, and value the plans of their next turns
SEE = 4  # write rows of many games as they stand

STUCK = -1  # instead of a number of actions: a game did not end within its limit


def states(count: int = 1) -> States:
    """Make an array of empty game records."""
    return zeros(State, count)


def desks(count: int = 1) -> Desks:
    """Make an array of desks, the work space of the rules; each thread needs one."""
    return zeros(Desk, count)


def forecasts(count: int = 1) -> Forecasts:
    """Make an array of empty forecasts."""
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


@kernel
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
        legal_actions.offer(states[i], boards[0], desks[j])
        legal_actions.list_offered(desks[j])
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
    """Turn up cards from the shuffled decks until a seat has to decide."""
    proceed(states, i, boards, NO_DESKS, 0, NOTHING, FROM_THE_DECKS, NOTHING, NO_NUMBERS)


@kernel
def give_turn(states: States, i: int, seat: int) -> bool:
    """Let the turn come to a seat as if nothing happened before; False if a payday comes first."""
    return pass_on(states[i], seat)


@kernel
def possible(states: States, i: int, card: int) -> bool:
    """Whether this card can be the next to be turned up."""
    return may_turn_up(states[i], card)


@kernel
def next_card(states: States, i: int) -> int:
    """The card the shuffled deck would bring now."""
    return draw(states[i])


@kernel
def look_at(states: States, boards: Boards, forecasts: Forecasts, facts: Facts) -> None:
    """Fill in a forecast for each of the first states, and the facts of each of the first, as far as there is room.

    Both are one kernel, because they share most of their rules.
    """
    for i in range(len(forecasts)):
        fill_forecast(states[i], boards[0], forecasts[i])
    for i in range(len(facts)):
        fill_facts(states[i], boards[0], facts[i])


def forecast_all(states: States, boards: Boards, forecasts: Forecasts) -> None:
    """For every state what a payday now would pay each seat, item by item."""
    look_at(states, boards, forecasts[: len(states)], NO_FACTS)


def forecast(states: States, i: int, boards: Boards, forecasts: Forecasts, j: int) -> None:
    """What a payday now would pay each seat, item by item."""
    look_at(states[i : i + 1], boards, forecasts[j : j + 1], NO_FACTS)


def facts(states: States, i: int, boards: Boards) -> Facts:
    """What the rules say about a position to those who show it, as an array of one record."""
    found = zeros(PositionFacts, 1)
    look_at(states[i : i + 1], boards, NO_FORECASTS, found)
    return found


def is_over(states: States, i: int) -> bool:
    """[END-01] Whether the game has ended."""
    return bool(states[i].stage == OVER)


def scores(states: States, i: int) -> list[int]:
    """[END-05] The money of every player; once the game is over the richest has won."""
    return [int(cash) for cash in states[i].cash[: states[i].players]]


class Playing(NamedTuple):
    """What PICK and PLAY are told; without players, the game at hand is played and none is dealt."""

    policy: int
    players: int = 0
    tiles: int = 0  # as bits
    options: int = 0  # as bits
    games: int = 1
    limit: int = 0  # actions of one game


class Searching(NamedTuple):
    """The arguments of the order THINK: buffers, weights and nodes of a search, and its budget."""

    buffers: SearchBuffers
    weights: Weights
    nodes: Nodes
    used: int  # nodes in use; 0 begins a new search
    simulations: int  # 0: only make the plans of this turn
    cut: int  # how a new position is judged: see `search.tree`
    planned: int  # of 64 turns played on from there, how many by plan


NOT_PLAYING = Playing(NO_POLICY)
NOT_OFFERING = Offering(zeros(Offer, 1), np.zeros(1, np.int16), states(), empty_rows(1), dealing(1))
_NO_WEIGHTS = np.zeros(WEIGHTS_SHAPE)
_NO_WEIGHTS.flags.writeable = False  # like those of every thinker: that is part of what is compiled for
NOT_SEARCHING = Searching(zeros(SearchBuffer, 1), _NO_WEIGHTS, zeros(Node, 1), 0, 0, 0, 0)


@rule
def play_games(s: State, b: Board, d: Desk, g: HasRng, playing: Playing, picking: bool) -> int:
    """Play complete games one after another in one record; the number of actions, or STUCK.

    Picking, nothing is played: the first action of the policy. Both are one loop, so that policies are compiled once.
    """
    actions = 0
    for _ in range(playing.games):
        if playing.players > 0:
            act.deal_anew(s, b, g, playing.players, playing.tiles, playing.options)
        act.turn_up_all(s, b)
        played = 0
        while s.stage != OVER:
            action = pick(s, b, d, g, playing.policy, False)
            if picking:
                return action
            act.step(s, b, action)
            played += 1
            if played >= playing.limit:
                return STUCK
        actions += played
    return actions


@rule
def think(line: States, b: Board, d: Desk, m: SearchBuffer, g: HasRng, searching: Searching) -> int:
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


@kernel
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
    offering: Offering,
) -> int:
    """Carry out an order: in game `i`, or in all of them, at desk `j`, with the dice `g`.

    Everything that loops over actions is in this one kernel, because each would take seconds to compile and shares most
    of its rules with the others.
    """
    b, d = boards[0], desks[j]
    if order == OFFER:
        return offer_next(states, b, d, searching.buffers[0], searching.weights, g[0], offering)
    if order == SEE:
        return see_all(states, b, offering)
    if order == THINK:
        return think(states, b, d, searching.buffers[0], g[0], searching)
    return play_games(states[i], b, d, g[0], playing, order == PICK)


def choose(states: States, i: int, boards: Boards, desks: Desks, j: int, g: Generators, policy: int) -> int:
    """The action a policy takes in this position."""
    return run(PICK, states, i, boards, desks, j, g, Playing(policy), NOT_SEARCHING, NOT_OFFERING)


def play_out(
    states: States, i: int, boards: Boards, desks: Desks, j: int, g: Generators, policy: int, limit: int
) -> int:
    """Play a game to its end by a policy; the number of actions, or STUCK."""
    return run(PLAY, states, i, boards, desks, j, g, Playing(policy, limit=limit), NOT_SEARCHING, NOT_OFFERING)


def play_many(states: States, i: int, boards: Boards, desks: Desks, j: int, g: Generators, playing: Playing) -> int:
    """Deal and play complete games one after another in one record; the number of actions, or STUCK."""
    return run(PLAY, states, i, boards, desks, j, g, playing, NOT_SEARCHING, NOT_OFFERING)
