"""An action in words: a sentence about a merchant who does it, and the few words of a menu."""

from typing import Final, assert_never

from elcapitan.actions.union import (
    Berth,
    Build,
    BuildFortress,
    Buy,
    End,
    Extend,
    LandPirate,
    Leg,
    MovePirateForMoney,
    MovePirateFree,
    NameStarter,
    Pass,
    Reopen,
    Repay,
    Sail,
    SailPirate,
    TakeLoan,
    decode,
)
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import CITY_NAMES, FACE_UP, FLIPPED, NOBODY
from elcapitan.figures import Figures
from elcapitan.text.catalogue import _
from elcapitan.text.names import Names, plainly

# The groups of a menu, in order, as people think of a turn: the word to type for all of a group, and its title.
GROUPS: Final = {
    "buy": _("Buy"),
    "sail": _("Sail"),
    "build": _("Build"),
    "loan": _("Loan"),
    "pirate": _("Pirate"),
    "starter": _("Start"),
    "end": _("End"),
}


def group(number: int, figures: Figures) -> str:
    """Return the group of a menu that an action belongs to."""
    match action := decode(number, figures):
        case Buy():
            return "buy"
        case Sail():
            return "sail"
        case Build() | Reopen() | BuildFortress():
            return "build"
        case TakeLoan() | Repay() | Extend():
            return "loan"
        case MovePirateFree() | MovePirateForMoney() | SailPirate() | LandPirate():
            return "pirate"
        case NameStarter():
            return "starter"
        case End() | Pass():
            return "end"
        case _:
            assert_never(action)


# --------------------------------------------------------------------------------------------------------------- prices


def build_price(s: State, figures: Figures) -> int:
    """What a warehouse costs where the deciding seat's ship lies."""
    return plainly(figures.board.harbour_price[s.ship_city[s.seat], s.ship_space[s.seat]])


def fortress_price(s: State, figures: Figures) -> int:
    """What the next fortress costs where the deciding seat's ship lies."""
    city = plainly(s.ship_city[s.seat])
    return plainly(figures.board.fortress_price[city, 0 if s.fortress[city, 0] == NOBODY else 1])


def pirate_fare(s: State, figures: Figures, city: int) -> int:
    """What moving the pirate to a city costs in money."""
    return plainly(figures.board.pirate_step) * plainly(figures.board.distance[s.pirate_city, city])


# ------------------------------------------------------------------------------------------------------------ sentences


def sentence(names: Names, s: State, number: int) -> str:  # noqa: PLR0912 - one branch for each family
    """Say what the deciding seat does with an action; `s` is the position before it."""
    t, board = names.translator, names.figures.board
    seat = plainly(s.seat)
    who = names.merchant(seat)
    match action := decode(number, names.figures):
        case Buy(card):
            price = plainly(board.card_price[card])
            return t.text("{who} buys {card} for {price}.", who=who, card=names.card(card), price=price)
        case Sail(leg):
            arguments = {"who": who, "city": CITY_NAMES[leg.city], "card": names.card(leg.card)}
            if leg.use == "route":
                return t.text("{who} sails to {city} with {card} as a sea route.", **arguments)
            return t.text("{who} sails to {city} with {card}.", **arguments)
        case Build(site, neutral):
            city, price = CITY_NAMES[plainly(s.ship_city[seat])], build_price(s, names.figures)
            placed = {"who": who, "city": city, "site": site + 1, "price": price}
            if neutral:
                return t.text("{who} builds a neutral warehouse in {city} on S{site} for {price}.", **placed)
            return t.text("{who} builds a warehouse in {city} on S{site} for {price}.", **placed)
        case Reopen(site, neutral):
            reopened = {"who": who, "city": names.place(plainly(s.ship_city[seat])), "site": site + 1}
            if neutral:
                return t.text("{who} re-opens a neutral warehouse in {city} on S{site}.", **reopened)
            return t.text("{who} re-opens a warehouse in {city} on S{site}.", **reopened)
        case BuildFortress():
            city, price = CITY_NAMES[plainly(s.ship_city[seat])], fortress_price(s, names.figures)
            return t.text("{who} builds a fortress in {city} for {price}.", who=who, city=city, price=price)
        case TakeLoan(kind):
            amount = plainly(board.loan_amount[kind])
            return t.text("{who} sails to the bank and borrows {amount}.", who=who, amount=amount)
        case End():
            return t.text("{who} ends the turn.", who=who)
        case Pass():
            return t.text("{who} can do nothing and passes.", who=who)
        case Repay(kind):
            amount, due = plainly(board.loan_amount[kind]), plainly(board.loan_due[kind, FACE_UP])
            return t.text("{who} pays back a loan of {amount} with {due}.", who=who, amount=amount, due=due)
        case Extend(kind):
            amount, due = plainly(board.loan_amount[kind]), plainly(board.loan_due[kind, FLIPPED])
            return t.text(
                "{who} extends a loan of {amount}, which will cost {due} after the next payday.",
                who=who,
                amount=amount,
                due=due,
            )
        case NameStarter(starter):
            if starter == seat:
                return t.text("{who} decides to start the next phase.", who=who)
            return t.text("{who} lets {other} start the next phase.", who=who, other=names.merchant(starter))
        case MovePirateFree(place, berth):
            return _pirate_moves(names, who, place, berth, 0)
        case MovePirateForMoney(place, berth):
            return _pirate_moves(names, who, place, berth, pirate_fare(s, names.figures, place))
        case SailPirate(leg):
            taken = {"who": who, "city": CITY_NAMES[leg.city], "card": names.card(leg.card)}
            return t.text("{who} takes the pirate to {city} with {card}.", **taken)
        case LandPirate(berth):
            city, harbour = CITY_NAMES[plainly(s.pirate_at)], berth.space + 1
            return t.text(
                "{who} lets the pirate land in {city}, harbour {harbour}.", who=who, city=city, harbour=harbour
            )
        case _:
            assert_never(action)


def _pirate_moves(names: Names, who: str, city: int, berth: Berth, price: int) -> str:
    """Say that a merchant moves the pirate to a harbour."""
    arguments = {"who": who, "city": CITY_NAMES[city], "harbour": berth.space + 1, "price": price}
    if price:
        return names.translator.text("{who} moves the pirate to {city}, harbour {harbour}, for {price}.", **arguments)
    return names.translator.text("{who} moves the pirate to {city}, harbour {harbour}.", **arguments)


# --------------------------------------------------------------------------------------------------------------- labels


def label(names: Names, s: State, number: int) -> str:  # noqa: PLR0912 - one branch for each family
    """Name an action in the few words of a menu, where its group is named already."""
    t, board = names.translator, names.figures.board
    match action := decode(number, names.figures):
        case Buy(card):
            return t.text("{card} for {price}", card=names.card(card), price=plainly(board.card_price[card]))
        case Sail(leg) | SailPirate(leg):
            return _leg_label(names, leg)
        case Build(site, neutral):
            price = build_price(s, names.figures)
            if neutral:
                return t.text("neutral warehouse on S{site} for {price}", site=site + 1, price=price)
            return t.text("warehouse on S{site} for {price}", site=site + 1, price=price)
        case Reopen(site, neutral):
            if neutral:
                return t.text("re-open a neutral warehouse on S{site}, free", site=site + 1)
            return t.text("re-open a warehouse on S{site}, free", site=site + 1)
        case BuildFortress():
            return t.text("fortress for {price}", price=fortress_price(s, names.figures))
        case TakeLoan(kind):
            amount, due = plainly(board.loan_amount[kind]), plainly(board.loan_due[kind, FACE_UP])
            return t.text("{amount} florins, to pay back {due}", amount=amount, due=due)
        case Repay(kind):
            amount, due = plainly(board.loan_amount[kind]), plainly(board.loan_due[kind, FACE_UP])
            return t.text("pay back a loan of {amount} with {due}", amount=amount, due=due)
        case Extend(kind):
            amount, due = plainly(board.loan_amount[kind]), plainly(board.loan_due[kind, FLIPPED])
            return t.text("extend a loan of {amount}, later {due}", amount=amount, due=due)
        case MovePirateFree(city, berth):
            return t.text("free to {berth}", berth=_berth_label(names, city, berth))
        case MovePirateForMoney(city, berth):
            fare = pirate_fare(s, names.figures, city)
            return t.text("for {price} to {berth}", price=fare, berth=_berth_label(names, city, berth))
        case LandPirate(berth):
            return t.text("land in {berth}", berth=_berth_label(names, plainly(s.pirate_at), berth))
        case NameStarter(seat):
            return names.merchant(seat)
        case End():
            return t.text("end the turn")
        case Pass():
            return t.text("pass: nothing is possible")
        case _:
            assert_never(action)


def _leg_label(names: Names, leg: Leg) -> str:
    """Name where a card leads, and the card."""
    city, card = CITY_NAMES[leg.city], names.card(leg.card)
    if leg.use == "route":
        return names.translator.text("to {city} with {card} as a sea route", city=city, card=card)
    return names.translator.text("to {city} with {card}", city=city, card=card)


def _berth_label(names: Names, city: int, berth: Berth) -> str:
    """Name a harbour for the pirate, and where a ship that lies there goes."""
    place, harbour = CITY_NAMES[city], berth.space + 1
    if berth.shift is None:
        return names.translator.text("{city}, harbour {harbour}", city=place, harbour=harbour)
    return names.translator.text(
        "{city}, harbour {harbour}, its ship to {shift}", city=place, harbour=harbour, shift=berth.shift + 1
    )
