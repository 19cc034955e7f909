"""Two policies without thought, for simulations, play-outs and tests: uniform and light.

Uniform takes any legal action with equal chance; such players drown in cards and loans. Light rolls dice for what to
try first and asks the rules only about that, so its games look like games and are played fast. Where everything legal
is on the desk already it chooses the same without asking. Neither sees a card that is face down. How the dice are
loaded is our own choice.
"""

from typing import Final

from elcapitan.engine.actions import BUILD, BUY, END, FREE_PIRATE, LOAN, N_ACTIONS, PAID_PIRATE, REPAY, SAIL
from elcapitan.engine.jit import lowest, many, rule, whole
from elcapitan.engine.legal_actions import (
    clear,
    is_offered,
    offer,
    offer_builds,
    offer_free_moves,
    offer_legs,
    offer_loans,
)
from elcapitan.engine.rng import HasRng, below
from elcapitan.engine.rules.legality import may_buy
from elcapitan.engine.rules.reach import look_afresh, look_here
from elcapitan.engine.rules.sailing import usable
from elcapitan.engine.state import Board, Desk, State
from elcapitan.engine.vocabulary import DONE, DUE, MADE, NOBODY, START, UNDER_WAY

NO_POLICY: Final = -1  # somebody else chooses
UNIFORM: Final = 0
LIGHT: Final = 1
POLICY_NAMES: Final = ("uniform", "light")

DIE: Final = 64
ANYTHING: Final = 1  # of 64 rolls: any legal action
BUILD_HERE: Final = 32  # below this roll: build where the ship lies, if possible
NEW_CARD: Final = 52  # from this roll on: buy a card before anything else


@rule
def within(d: Desk, i: int, first: int, beyond: int) -> int:
    """Of the offered actions that stand in a word of the set those from `first` on and before `beyond`, as bits."""
    actions = whole(d.legal[i])
    if first > i * 64:
        actions = actions >> (first - i * 64) << (first - i * 64)
    if beyond < i * 64 + 64:
        actions &= (1 << (beyond - i * 64)) - 1
    return actions


@rule
def some_of(d: Desk, g: HasRng, first: int, beyond: int) -> int:
    """One of the offered actions from `first` on and before `beyond`, each with equal chance; NOBODY if there is none.

    For a single one no die is rolled. Its word is found by counting through all words, because the processor cannot
    foresee where to stop.
    """
    count = 0
    for i in range(first >> 6, (beyond + 63) >> 6):
        count += many(within(d, i, first, beyond))
    if count == 0:
        return NOBODY
    which = below(g, count) if count > 1 else 0
    passed, before, at = 0, 0, first >> 6
    for i in range(first >> 6, (beyond + 63) >> 6):
        passed += many(within(d, i, first, beyond))
        further = passed <= which
        before = passed if further else before
        at += 1 if further else 0
    actions = within(d, at, first, beyond)
    for _ in range(which - before):
        actions &= actions - 1
    return at * 64 + lowest(actions)


@rule
def any_of(d: Desk, g: HasRng) -> int:
    """One of the offered actions, each with equal chance."""
    return some_of(d, g, 0, N_ACTIONS)


@rule
def some_card(s: State, b: Board, g: HasRng) -> int:
    """A displayed card that leads somewhere from where the ship is, each with equal chance; NOBODY if none does."""
    cards = usable(b, whole(s.ship_city[whole(s.seat)]), whole(s.display))
    if cards == 0:
        return NOBODY
    for _ in range(below(g, many(cards))):
        cards &= cards - 1
    return lowest(cards)


@rule
def uniform(s: State, b: Board, d: Desk, g: HasRng, offered: bool) -> int:
    """Pick any legal action, each with equal chance."""
    if not offered:
        offer(s, b, d)
    return any_of(d, g)


@rule
def light(s: State, b: Board, d: Desk, g: HasRng, offered: bool) -> int:
    """What the dice say is tried first; if it comes to nothing, or on a rare roll, any legal action."""
    roll = below(g, DIE)
    action = NOBODY
    if roll >= ANYTHING and s.stage <= DONE and s.pirate_at == NOBODY:
        action = likely(s, b, d, g, offered, roll)
    if action == NOBODY:
        action = uniform(s, b, d, g, offered)
    return action


@rule
def likely(s: State, b: Board, d: Desk, g: HasRng, offered: bool, roll: int) -> int:
    """Build here, sail, buy, borrow, in the order that the roll says; an end once something is built. Or NOBODY."""
    stage = whole(s.stage)
    if stage == DONE and s.free_move != DUE:
        return END
    if not offered:
        clear(d)
        look_afresh(d)
    if stage == DONE:
        if not offered:
            offer_free_moves(s, b, d)
        return some_of(d, g, FREE_PIRATE, PAID_PIRATE)
    action = NOBODY
    if roll < BUILD_HERE or stage == UNDER_WAY:
        if not offered:
            offer_builds(s, b, d)
        action = some_of(d, g, BUILD, LOAN)
    if action == NOBODY and s.free_move != MADE and (roll < NEW_CARD or stage != START):
        if not offered:
            offer_legs(s, b, d, whole(s.ship_city[whole(s.seat)]), False)
        action = some_of(d, g, SAIL, BUILD)
    if action == NOBODY and stage == START:
        action = card_or_loan(s, b, d, g, offered)
    return action


@rule
def card_or_loan(s: State, b: Board, d: Desk, g: HasRng, offered: bool) -> int:
    """The displayed card that the dice say, if it may be bought; else a loan, or a pass. Or NOBODY."""
    if not offered:
        look_here(s, b, d)
    card = some_card(s, b, g)
    if card != NOBODY and (is_offered(d, BUY + card) if offered else may_buy(s, b, d, card)):
        return BUY + card
    if not offered:
        offer_loans(s, b, d)
    return some_of(d, g, LOAN, REPAY)


@rule
def pick(s: State, b: Board, d: Desk, g: HasRng, policy: int, offered: bool) -> int:
    """The action a policy takes; `offered` tells that everything legal is on the desk already."""
    if policy == LIGHT:
        return light(s, b, d, g, offered)
    return uniform(s, b, d, g, offered)
