"""Games side by side: every plan of a turn as a row of features, and the turns that were chosen carried out.

A network values many rows at once, so games wait for one another: the kernel `play.run` carries out what was chosen in
each game, lets captains play the seats that are theirs, and writes a row for every plan of the seat that is to decide.
Whoever has the network values the rows and chooses. What is face down is dealt anew before anything is planned.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from elcapitan.engine import act
from elcapitan.engine.jit import rule, whole
from elcapitan.engine.network.features import CELLS, write_features
from elcapitan.engine.record import Float32s, Int8s, Int16, Int16s, Int32, Int64s, Record, Records
from elcapitan.engine.rng import HasRng, below
from elcapitan.engine.search.plans import AFTER, best_plan, make_plans
from elcapitan.engine.search.tree import deal_again
from elcapitan.engine.search.worth import PLANS, STEPS, SearchBuffer, Weights
from elcapitan.engine.state import Board, Desk, State, States
from elcapitan.engine.vocabulary import OVER, SEATS

NOTHING_CHOSEN = -1
OUTCOMES = 2 * SEATS  # of a row: every seat's chance to win, then its money at the end
MONEY_UNIT = 100.0  # florins of one unit of money in the outcomes
PERCENT = 100


Setup = tuple[int, int, int]  # players, tiles and options as bits


class Offer(Record):
    """The plans that the deciding seat of one game can choose from."""

    first: Int32  # the row of the first
    plans: Int16  # how many; 0 if the game is over, or if there was no room for its rows this time
    length: Annotated[Int8s, PLANS]
    steps: Annotated[Int16s, PLANS, STEPS]


Offers = Records[Offer]


class Rows(NamedTuple):
    """A row for every plan."""

    features: Int8s
    over: Int8s  # 1 where the game is over after the plan
    outcome: Float32s  # and how it then ended, by seats as the one who moves sees them


class Dealing(NamedTuple):
    """Whether face-down cards are dealt anew, and how a game that is over is followed by another."""

    reshuffled: int  # 1: what is face down is dealt anew before a chosen turn is carried out
    setups: Int64s  # players, tiles and options of games to be dealt; with none, no game follows
    captains: int  # percent of the games in which captains play all seats but one
    played_by_captains: Int8s  # their seats in each game, as bits
    ended: Int8s  # 1 for each game that has ended in this call, or that is over and followed by no other
    outcome: Float32s  # of each game that has ended, by seat


class Offering(NamedTuple):
    """The arguments of the order OFFER: what is on offer and what was chosen in every game, and room for it."""

    offers: Offers
    chosen: Int16s  # a plan of each game, or NOTHING_CHOSEN
    lines: States
    rows: Rows
    dealing: Dealing


def dealing(count: int, setups: Sequence[Setup] = (), captains: int = 0, *, reshuffled: bool = False) -> Dealing:
    """Make what `offer_turns` is told of so many games."""
    return Dealing(
        int(reshuffled),
        np.array(setups, np.int64).reshape(-1, 3),
        captains,
        np.zeros(count, np.int8),
        np.zeros(count, np.int8),
        np.zeros((count, OUTCOMES), np.float32),
    )


def empty_rows(count: int) -> Rows:
    """Make room for so many rows."""
    return Rows(np.zeros((count, CELLS), np.int8), np.zeros(count, np.int8), np.zeros((count, OUTCOMES), np.float32))


@rule
def write_outcome(s: State, outcome: Float32s, n: int, me: int) -> None:
    """[END-05] How a game has ended, as seen from a seat: its share of the win and its money."""
    players, most, winners = whole(s.players), whole(s.cash[0]), 0
    for seat in range(players):
        most = max(most, whole(s.cash[seat]))
    for seat in range(players):
        if s.cash[seat] == most:
            winners += 1
    for after in range(SEATS):
        seat = (me + after) % players
        mine = after < players
        outcome[n, after] = 1.0 / winners if mine and s.cash[seat] == most else 0.0
        outcome[n, SEATS + after] = whole(s.cash[seat]) / MONEY_UNIT if mine else 0.0


@rule
def write_rows(line: States, b: Board, m: SearchBuffer, rows: Rows, first: int) -> None:
    """Write the position after each wide plan of line[0], as its deciding seat sees it."""
    me = whole(line[0].seat)
    for i in range(whole(m.plans)):
        n, after = first + i, line[AFTER + i]
        write_features(after, b, rows.features, n, me)
        rows.over[n] = 1 if after.stage == OVER else 0
        if after.stage == OVER:
            write_outcome(after, rows.outcome, n, me)


@rule
def play_chosen(s: State, b: Board, offer: Offer, chosen: int) -> None:
    """Carry out one of the plans on offer, and turn up the cards that follow."""
    for step in range(whole(offer.length[chosen])):
        act.apply(s, b, whole(offer.steps[chosen, step]))
    act.turn_up_all(s, b)


@rule
def play_captain(s: State, line: States, b: Board, d: Desk, m: SearchBuffer, w: Weights, g: HasRng) -> None:
    """Let a captain play the turn of the deciding seat."""
    line[0] = s
    deal_again(line[0], g)
    plan = best_plan(line, b, d, m, w)
    for step in range(whole(m.length[plan])):
        act.apply(s, b, whole(m.steps[plan, step]))
    act.turn_up_all(s, b)


@rule
def deal_next(s: State, b: Board, g: HasRng, dealing: Dealing, i: int) -> None:
    """Deal the next game, with captains in all seats but one or in none."""
    which = below(g, len(dealing.setups))
    act.deal_anew(s, b, g, dealing.setups[which, 0], dealing.setups[which, 1], dealing.setups[which, 2])
    dealing.played_by_captains[i] = 0
    if below(g, PERCENT) < dealing.captains:
        dealing.played_by_captains[i] = ((1 << whole(s.players)) - 1) & ~(1 << below(g, whole(s.players)))


@rule
def pass_captains(
    s: State, line: States, b: Board, d: Desk, m: SearchBuffer, w: Weights, g: HasRng, dealing: Dealing, i: int
) -> None:
    """Play on to a seat that is not a captain's; end and deal games on the way."""
    while True:
        if s.stage == OVER:
            if s.players > 0:  # not the empty record that comes before the first game
                dealing.ended[i] = 1
                write_outcome(s, dealing.outcome, i, 0)
            if len(dealing.setups) == 0:
                return
            deal_next(s, b, g, dealing, i)
        if not (whole(dealing.played_by_captains[i]) >> whole(s.seat)) & 1:
            return
        play_captain(s, line, b, d, m, w, g)


@rule
def offer_turns(games: States, b: Board, d: Desk, m: SearchBuffer, w: Weights, g: HasRng, offering: Offering) -> int:
    """Carry out the plan chosen in every game, then offer the plans of its next turn; return the number of rows.

    A game has room for its rows or waits for the next call.
    """
    line, dealing, n = offering.lines, offering.dealing, 0
    for i in range(len(games)):
        s, offer = games[i], offering.offers[i]
        dealing.ended[i] = 0
        if offering.chosen[i] != NOTHING_CHOSEN:
            if dealing.reshuffled:
                deal_again(s, g)
            play_chosen(s, b, offer, whole(offering.chosen[i]))
        pass_captains(s, line, b, d, m, w, g, dealing, i)
        offer.plans = 0
        if s.stage == OVER or n + PLANS > len(offering.rows.features):
            continue
        line[0] = s
        deal_again(line[0], g)
        make_plans(line, b, d, m, w, True)
        write_rows(line, b, m, offering.rows, n)
        offer.first = n
        offer.plans = m.plans
        for k in range(whole(m.plans)):
            offer.length[k] = m.length[k]
            for step in range(whole(m.length[k])):
                offer.steps[k, step] = m.steps[k, step]
        n += whole(m.plans)
    return n


@rule
def see_positions(games: States, b: Board, offering: Offering) -> int:
    """Write a row for every game as it stands, seen from the seat that is in the place of the chosen plan; how many."""
    for i in range(len(games)):
        write_features(games[i], b, offering.rows.features, i, whole(offering.chosen[i]))
    return len(games)
