"""Carry out actions and chance: cards turned up, a new deal. Legality is not checked here: see `legal_actions`."""

from elcapitan.engine.actions import (
    BERTHINGS,
    BUILD,
    END,
    EXTEND,
    FORTRESS,
    FREE_PIRATE,
    LOAN,
    PAID_PIRATE,
    PASS,
    PIRATE_LAND,
    PIRATE_SAIL,
    REOPEN,
    REPAY,
    SAIL,
    STARTER,
)
from elcapitan.engine.jit import rule, whole
from elcapitan.engine.rng import HasRng, below
from elcapitan.engine.rules.buildings import build, colour_of, fortify, reopen
from elcapitan.engine.rules.expansion import land, lisboa_payment, move_by_card, move_for_money, move_free
from elcapitan.engine.rules.loans import borrow, extend, repay
from elcapitan.engine.rules.sailing import buy, draw, reveal, sail
from elcapitan.engine.rules.turn import decided, end_turn, go_on, name_starter, pass_turn, set_up, shuffle_decks
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import DONE, REVEAL, SITES


@rule
def apply_chance(s: State, b: Board, card: int) -> None:
    """[CARD-09, G-55] The card that chance (or a record) brings is turned up; then the game goes on."""
    reveal(s, card)
    go_on(s, b)


@rule
def apply(s: State, b: Board, action: int) -> None:
    """[TURN-03] Carry out an action of the deciding seat."""
    if action < SAIL:
        buy(s, b, action)
    elif action < BUILD:
        sail(s, b, action - SAIL)
    elif action <= FORTRESS:
        main_action(s, b, action)
    elif action < REPAY:
        close_turn(s, b, action)
    elif action < FREE_PIRATE:
        after_payday(s, b, action)
    else:
        move_the_pirate(s, b, action)


@rule
def main_action(s: State, b: Board, action: int) -> None:
    """[TURN-03, TURN-04, REOPEN-04, REOPEN-07, LISB-03, D-05, D-06, D-07] Build, re-open or fortify: one a turn."""
    seat = whole(s.seat)
    if action == FORTRESS:
        fortify(s, b)
    elif action >= REOPEN:
        reopen(s, b, (action - REOPEN) % SITES, colour_of(seat, (action - REOPEN) // SITES))
    else:
        colour = colour_of(seat, (action - BUILD) // SITES)
        build(s, b, (action - BUILD) % SITES, colour)
        s.cash[seat] += lisboa_payment(s, b, whole(s.ship_city[seat]), colour)
    s.stage = DONE


@rule
def close_turn(s: State, b: Board, action: int) -> None:
    """[TURN-07, TURN-08, D-08, D-09, D-10, G-59] A loan, a pass, or the end after the main action."""
    if action < END:
        borrow(s, b, action - LOAN)
    elif action == PASS:
        pass_turn(s)
    end_turn(s, b)


@rule
def after_payday(s: State, b: Board, action: int) -> None:
    """[AFTER-02, AFTER-03, AFTER-07, D-13, D-14] Repay, extend, or name the starting player."""
    if action >= STARTER:
        name_starter(s, b, action - STARTER)
        return
    if action >= EXTEND:
        extend(s, action - EXTEND)
    else:
        repay(s, b, action - REPAY)
    decided(s, b)


@rule
def move_the_pirate(s: State, b: Board, action: int) -> None:
    """[CANA-02, PIRATE-08, D-11, D-12] Move the pirate: free, for money, by a card, or end a voyage by cards."""
    if action < PAID_PIRATE:
        operand = action - FREE_PIRATE
        move_free(s, b, operand // BERTHINGS, operand % BERTHINGS)
    elif action < PIRATE_SAIL:
        operand = action - PAID_PIRATE
        move_for_money(s, b, operand // BERTHINGS, operand % BERTHINGS)
    elif action < PIRATE_LAND:
        move_by_card(s, b, action - PIRATE_SAIL)
    else:
        land(s, action - PIRATE_LAND)


@rule
def turn_up_all(s: State, b: Board) -> None:
    """[CARD-09] Turn up cards from the shuffled decks until a seat has to decide."""
    while s.stage == REVEAL:
        apply_chance(s, b, draw(s))


@rule
def step(s: State, b: Board, action: int) -> None:
    """Carry out an action, then turn up the cards that follow it."""
    apply(s, b, action)
    turn_up_all(s, b)


@rule
def deal_anew(s: State, b: Board, g: HasRng, players: int, tiles: int, options: int) -> None:
    """Deal a new game, its seed and starting player drawn from `g`; tiles and options are sets of bits."""
    set_up(s, b, players, tiles, options, below(g, players))
    shuffle_decks(s, below(g, 1 << 30), below(g, 1 << 30))
    turn_up_all(s, b)
