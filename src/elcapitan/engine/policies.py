"""Two policies without thought, for simulations, play-outs and tests: uniform and light.

Uniform takes any legal action with equal chance; such players drown in cards and loans. Light rolls dice for what to
try first and asks the rules only about that, so its games look like games and are played fast. Neither sees a card
that is face down. How the dice are loaded is our own choice.
"""

from typing import Any, Final

from elcapitan.engine.actions import BUY, END
from elcapitan.engine.jit import lowest, many, rule, whole
from elcapitan.engine.offer import (
    offer,
    offer_builds,
    offer_free_moves,
    offer_legs,
    offer_loans,
    put,
)
from elcapitan.engine.rng import below
from elcapitan.engine.rules.legality import may_buy
from elcapitan.engine.rules.reach import look_here
from elcapitan.engine.rules.sailing import usable
from elcapitan.engine.state import Board, Desk, State
from elcapitan.engine.vocabulary import DONE, DUE, MADE, NOBODY, START, UNDER_WAY

UNIFORM: Final = 0
LIGHT: Final = 1
POLICY_NAMES: Final = ("uniform", "light")

DIE: Final = 64
ANYTHING: Final = 1  # of 64 rolls: any legal action
BUILD_HERE: Final = 32  # below this roll: build where the ship lies, if possible
NEW_CARD: Final = 52  # from this roll on: buy a card before anything else


@rule
def any_of(d: Desk, g: Any) -> int:
    """One of the listed actions, each with equal chance; for a single one no die is rolled."""
    if d.count == 1:
        return whole(d.actions[0])
    return whole(d.actions[below(g, whole(d.count))])


@rule
def some_card(s: State, b: Board, g: Any) -> int:
    """A displayed card that leads somewhere from where the ship is, each with equal chance; NOBODY if none does."""
    cards = usable(b, whole(s.ship_city[whole(s.seat)]), whole(s.display))
    if cards == 0:
        return NOBODY
    for _ in range(below(g, many(cards))):
        cards &= cards - 1
    return lowest(cards)


@rule
def uniform(s: State, b: Board, d: Desk, g: Any) -> int:
    """Any legal action."""
    offer(s, b, d)
    return any_of(d, g)


@rule
def light(s: State, b: Board, d: Desk, g: Any) -> int:
    """What the dice say is tried first; if it comes to nothing, or on a rare roll, any legal action."""
    roll = below(g, DIE)
    d.count = 0
    if roll >= ANYTHING and s.stage <= DONE and s.pirate_at == NOBODY:
        list_likely(s, b, d, g, roll)
    if d.count == 0:
        offer(s, b, d)
    return any_of(d, g)


@rule
def list_likely(s: State, b: Board, d: Desk, g: Any, roll: int) -> None:
    """Build here, sail, buy, borrow, in the order that the roll says; an end once something is built."""
    stage = whole(s.stage)
    if stage == DONE:
        if s.free_move == DUE:
            offer_free_moves(s, b, d)
        else:
            put(d, END)
        return
    look_here(s, b, d)
    if roll < BUILD_HERE or stage == UNDER_WAY:
        offer_builds(s, b, d)
    if d.count == 0 and s.free_move != MADE and (roll < NEW_CARD or stage != START):
        offer_legs(s, b, d, whole(s.ship_city[whole(s.seat)]), False)
    if d.count == 0 and stage == START:
        card = some_card(s, b, g)
        if card != NOBODY and may_buy(s, b, d, card):
            put(d, BUY + card)
        else:
            offer_loans(s, b, d)


@rule
def pick(s: State, b: Board, d: Desk, g: Any, policy: int) -> int:
    """The action a policy takes."""
    if policy == LIGHT:
        return light(s, b, d, g)
    return uniform(s, b, d, g)
