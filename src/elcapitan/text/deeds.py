"""What a merchant does, as a sentence: one function for each family of actions."""

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
    berthing_space,
    family,
)
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import CITY_NAMES, FACE_UP, FLIPPED, NOBODY, SITES
from elcapitan.text.names import Names, card_of, interpreted, leg_city, leg_use, plainly

Tell = Callable[[Names, State, int], str]


def deed(t: Names, s: State, action: int) -> str:
    """What the deciding seat does with an action; `s` is the position before it."""
    return TELL[family(action)](t, s, action)


def _buy(t: Names, s: State, action: int) -> str:
    card = action - BUY
    price = plainly(t.figures.board.card_price[card])
    return t.translator.text(
        "{who} buys {card} for {price}.", who=t.merchant(plainly(s.seat)), card=t.card(card), price=price
    )


def _sail(t: Names, s: State, action: int) -> str:
    leg = action - SAIL
    who, card = t.merchant(plainly(s.seat)), t.card(card_of(leg))
    city = CITY_NAMES[leg_city(t.figures, leg)]
    if leg_use(leg) == "route":
        return t.translator.text("{who} sails to {city} with {card} as a sea route.", who=who, city=city, card=card)
    return t.translator.text("{who} sails to {city} with {card}.", who=who, city=city, card=card)


def _build(t: Names, s: State, action: int) -> str:
    neutral, site = divmod(action - BUILD, SITES)
    seat = plainly(s.seat)
    city = plainly(s.ship_city[seat])
    price = plainly(t.figures.board.harbour_price[city, plainly(s.ship_space[seat])])
    arguments = {"who": t.merchant(seat), "city": CITY_NAMES[city], "site": site + 1, "price": price}
    if neutral:
        return t.translator.text("{who} builds a neutral warehouse in {city} on S{site} for {price}.", **arguments)
    return t.translator.text("{who} builds a warehouse in {city} on S{site} for {price}.", **arguments)


def _reopen(t: Names, s: State, action: int) -> str:
    neutral, site = divmod(action - REOPEN, SITES)
    seat = plainly(s.seat)
    arguments = {"who": t.merchant(seat), "city": t.place(plainly(s.ship_city[seat])), "site": site + 1}
    if neutral:
        return t.translator.text("{who} re-opens a neutral warehouse in {city} on S{site}.", **arguments)
    return t.translator.text("{who} re-opens a warehouse in {city} on S{site}.", **arguments)


def _fortress(t: Names, s: State, _: int) -> str:
    seat = plainly(s.seat)
    city = plainly(s.ship_city[seat])
    site = 0 if plainly(s.fortress[city, 0]) == NOBODY else 1
    price = plainly(t.figures.board.fortress_price[city, site])
    return t.translator.text(
        "{who} builds a fortress in {city} for {price}.", who=t.merchant(seat), city=CITY_NAMES[city], price=price
    )


def _loan(t: Names, s: State, action: int) -> str:
    amount = plainly(t.figures.board.loan_amount[action - LOAN])
    return t.translator.text(
        "{who} sails to the bank and borrows {amount}.", who=t.merchant(plainly(s.seat)), amount=amount
    )


def _end(t: Names, s: State, _: int) -> str:
    return t.translator.text("{who} ends the turn.", who=t.merchant(plainly(s.seat)))


def _pass(t: Names, s: State, _: int) -> str:
    return t.translator.text("{who} can do nothing and passes.", who=t.merchant(plainly(s.seat)))


def _repay(t: Names, s: State, action: int) -> str:
    kind = action - REPAY
    board = t.figures.board
    return t.translator.text(
        "{who} pays back a loan of {amount} with {due}.",
        who=t.merchant(plainly(s.seat)),
        amount=plainly(board.loan_amount[kind]),
        due=plainly(board.loan_due[kind, FACE_UP]),
    )


def _extend(t: Names, s: State, action: int) -> str:
    kind = action - EXTEND
    board = t.figures.board
    return t.translator.text(
        "{who} extends a loan of {amount}, which will cost {due} after the next payday.",
        who=t.merchant(plainly(s.seat)),
        amount=plainly(board.loan_amount[kind]),
        due=plainly(board.loan_due[kind, FLIPPED]),
    )


def _starter(t: Names, s: State, action: int) -> str:
    who, starter = plainly(s.seat), action - STARTER
    if who == starter:
        return t.translator.text("{who} decides to start the next phase.", who=t.merchant(who))
    return t.translator.text("{who} lets {other} start the next phase.", who=t.merchant(who), other=t.merchant(starter))


def _pirate(t: Names, s: State, city: int, berthing: int, price: int) -> str:
    """A move of the pirate to a harbour."""
    arguments = {
        "who": t.merchant(plainly(s.seat)),
        "city": CITY_NAMES[city],
        "harbour": interpreted(berthing_space)(berthing) + 1,
        "price": price,
    }
    if price:
        return t.translator.text("{who} moves the pirate to {city}, harbour {harbour}, for {price}.", **arguments)
    return t.translator.text("{who} moves the pirate to {city}, harbour {harbour}.", **arguments)


def _free_pirate(t: Names, s: State, action: int) -> str:
    city, berthing = divmod(action - FREE_PIRATE, BERTHINGS)
    return _pirate(t, s, city, berthing, 0)


def _paid_pirate(t: Names, s: State, action: int) -> str:
    city, berthing = divmod(action - PAID_PIRATE, BERTHINGS)
    return _pirate(t, s, city, berthing, pirate_fare(t, s, city))


def pirate_fare(t: Names, s: State, city: int) -> int:
    """What moving the pirate to a city costs in money."""
    board = t.figures.board
    return plainly(board.pirate_step) * plainly(board.distance[plainly(s.pirate_city), city])


def _pirate_sail(t: Names, s: State, action: int) -> str:
    leg = action - PIRATE_SAIL
    return t.translator.text(
        "{who} takes the pirate to {city} with {card}.",
        who=t.merchant(plainly(s.seat)),
        city=CITY_NAMES[leg_city(t.figures, leg)],
        card=t.card(card_of(leg)),
    )


def _pirate_land(t: Names, s: State, action: int) -> str:
    return t.translator.text(
        "{who} lets the pirate land in {city}, harbour {harbour}.",
        who=t.merchant(plainly(s.seat)),
        city=CITY_NAMES[plainly(s.pirate_at)],
        harbour=interpreted(berthing_space)(action - PIRATE_LAND) + 1,
    )


TELL: Final[dict[str, Tell]] = {
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
