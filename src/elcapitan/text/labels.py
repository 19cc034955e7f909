"""What can be done, in few words: the entries of a menu, grouped as people think of a turn."""

from collections.abc import Callable
from typing import Final

from elcapitan.engine.actions import (
    BERTHINGS,
    BUILD,
    BUY,
    EXTEND,
    FREE_PIRATE,
    LOAN,
    PAID_PIRATE,
    PIRATE_LAND,
    PIRATE_SAIL,
    REOPEN,
    REPAY,
    SAIL,
    STARTER,
    berthing_shift,
    berthing_space,
    family,
)
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import CITY_NAMES, FACE_UP, FLIPPED, NOBODY, SITES
from elcapitan.text.catalogue import _
from elcapitan.text.deeds import pirate_fare
from elcapitan.text.names import Names, card_of, interpreted, leg_city, leg_use, plainly

# The groups of a menu, in order: the word to type for all of a group, its title, and its families of actions.
GROUPS: Final = {
    "buy": (_("Buy"), ("buy",)),
    "sail": (_("Sail"), ("sail",)),
    "build": (_("Build"), ("build", "reopen", "fortress")),
    "loan": (_("Loan"), ("loan", "repay", "extend")),
    "pirate": (_("Pirate"), ("free_pirate", "paid_pirate", "pirate_sail", "pirate_land")),
    "starter": (_("Start"), ("starter",)),
    "end": (_("End"), ("end", "pass")),
}

Label = Callable[[Names, State, int], str]


def group(action: int) -> str:
    """The group an action belongs to."""
    what = family(action)
    return next(name for name, (_title, families) in GROUPS.items() if what in families)


def label(t: Names, s: State, action: int) -> str:
    """An action in the few words of a menu, where its group is named already."""
    return LABELS[family(action)](t, s, action)


def _buy(t: Names, _s: State, action: int) -> str:
    card = action - BUY
    price = plainly(t.figures.board.card_price[card])
    return t.translator.text("{card} for {price}", card=t.card(card), price=price)


def _sail(t: Names, _s: State, action: int) -> str:
    return _leg(t, action - SAIL)


def _leg(t: Names, leg: int) -> str:
    city, card = CITY_NAMES[leg_city(t.figures, leg)], t.card(card_of(leg))
    if leg_use(leg) == "route":
        return t.translator.text("to {city} with {card} as a sea route", city=city, card=card)
    return t.translator.text("to {city} with {card}", city=city, card=card)


def _build(t: Names, s: State, action: int) -> str:
    neutral, site = divmod(action - BUILD, SITES)
    seat = plainly(s.seat)
    price = plainly(t.figures.board.harbour_price[plainly(s.ship_city[seat]), plainly(s.ship_space[seat])])
    if neutral:
        return t.translator.text("neutral warehouse on S{site} for {price}", site=site + 1, price=price)
    return t.translator.text("warehouse on S{site} for {price}", site=site + 1, price=price)


def _reopen(t: Names, _s: State, action: int) -> str:
    neutral, site = divmod(action - REOPEN, SITES)
    if neutral:
        return t.translator.text("re-open a neutral warehouse on S{site}, free", site=site + 1)
    return t.translator.text("re-open a warehouse on S{site}, free", site=site + 1)


def _fortress(t: Names, s: State, _action: int) -> str:
    city = plainly(s.ship_city[plainly(s.seat)])
    site = 0 if plainly(s.fortress[city, 0]) == NOBODY else 1
    return t.translator.text("fortress for {price}", price=plainly(t.figures.board.fortress_price[city, site]))


def _loan(t: Names, _s: State, action: int) -> str:
    kind = action - LOAN
    board = t.figures.board
    return t.translator.text(
        "{amount} florins, to pay back {due}",
        amount=plainly(board.loan_amount[kind]),
        due=plainly(board.loan_due[kind, FACE_UP]),
    )


def _repay(t: Names, _s: State, action: int) -> str:
    kind = action - REPAY
    board = t.figures.board
    return t.translator.text(
        "pay back a loan of {amount} with {due}",
        amount=plainly(board.loan_amount[kind]),
        due=plainly(board.loan_due[kind, FACE_UP]),
    )


def _extend(t: Names, _s: State, action: int) -> str:
    kind = action - EXTEND
    board = t.figures.board
    return t.translator.text(
        "extend a loan of {amount}, later {due}",
        amount=plainly(board.loan_amount[kind]),
        due=plainly(board.loan_due[kind, FLIPPED]),
    )


def _berth(t: Names, city: int, berthing: int) -> str:
    """A harbour for the pirate, and where a ship that lies there goes."""
    space, shift = interpreted(berthing_space)(berthing), interpreted(berthing_shift)(berthing)
    if shift < 0:
        return t.translator.text("{city}, harbour {harbour}", city=CITY_NAMES[city], harbour=space + 1)
    return t.translator.text(
        "{city}, harbour {harbour}, its ship to {shift}", city=CITY_NAMES[city], harbour=space + 1, shift=shift + 1
    )


def _free_pirate(t: Names, _s: State, action: int) -> str:
    berth = _berth(t, *divmod(action - FREE_PIRATE, BERTHINGS))
    return t.translator.text("free to {berth}", berth=berth)


def _paid_pirate(t: Names, s: State, action: int) -> str:
    city, berthing = divmod(action - PAID_PIRATE, BERTHINGS)
    return t.translator.text("for {price} to {berth}", price=pirate_fare(t, s, city), berth=_berth(t, city, berthing))


def _pirate_sail(t: Names, _s: State, action: int) -> str:
    return _leg(t, action - PIRATE_SAIL)


def _pirate_land(t: Names, s: State, action: int) -> str:
    return t.translator.text("land in {berth}", berth=_berth(t, plainly(s.pirate_at), action - PIRATE_LAND))


def _starter(t: Names, _s: State, action: int) -> str:
    return t.merchant(action - STARTER)


def _end(t: Names, _s: State, _action: int) -> str:
    return t.translator.text("end the turn")


def _pass(t: Names, _s: State, _action: int) -> str:
    return t.translator.text("pass: nothing is possible")


LABELS: Final[dict[str, Label]] = {
    "buy": _buy,
    "sail": _sail,
    "build": _build,
    "reopen": _reopen,
    "fortress": _fortress,
    "loan": _loan,
    "end": _end,
    "pass": _pass,
    "repay": _repay,
    "extend": _extend,
    "starter": _starter,
    "free_pirate": _free_pirate,
    "paid_pirate": _paid_pirate,
    "pirate_sail": _pirate_sail,
    "pirate_land": _pirate_land,
}
