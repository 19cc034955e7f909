"""An action in words: a sentence about a merchant who does it, and the few words of a menu."""

from collections.abc import Sequence
from typing import Final, assert_never

from elcapitan.actions import union as act
from elcapitan.board.figures import Figures
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import CITY_NAMES, FACE_UP, FLIPPED
from elcapitan.game.game import Game
from elcapitan.position.facts import facts_of
from elcapitan.text.catalogue import _
from elcapitan.text.names import Names

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
    match action := act.decode(number, figures):
        case act.Buy():
            return "buy"
        case act.Sail():
            return "sail"
        case act.Build() | act.Reopen() | act.BuildFortress():
            return "build"
        case act.TakeLoan() | act.Repay() | act.Extend():
            return "loan"
        case act.MovePirateFree() | act.MovePirateForMoney() | act.SailPirate() | act.LandPirate():
            return "pirate"
        case act.NameStarter():
            return "starter"
        case act.End() | act.Pass():
            return "end"
        case _:
            assert_never(action)


# ------------------------------------------------------------------------------------------------------------ sentences


def sentence(names: Names, s: State, number: int) -> str:  # noqa: PLR0912 - one branch for each family
    """Say what the deciding seat does with an action; `s` is the position before it."""
    t, board = names.translator, names.figures.board
    seat = int(s.seat)
    who = names.merchant(seat)
    match action := act.decode(number, names.figures):
        case act.Buy(card):
            price = int(board.card_price[card])
            return t.text("{who} buys {card} for {price}.", who=who, card=names.card(card), price=price)
        case act.Sail(leg):
            arguments = {"who": who, "city": CITY_NAMES[leg.city], "card": names.card(leg.card)}
            if leg.use == "route":
                return t.text("{who} sails to {city} with {card} as a sea route.", **arguments)
            return t.text("{who} sails to {city} with {card}.", **arguments)
        case act.Build(site, neutral):
            city, price = CITY_NAMES[int(s.ship_city[seat])], int(facts_of(s, names.figures).build_price)
            placed = {"who": who, "city": city, "site": site + 1, "price": price}
            if neutral:
                return t.text("{who} builds a neutral warehouse in {city} on site {site} for {price}.", **placed)
            return t.text("{who} builds a warehouse in {city} on site {site} for {price}.", **placed)
        case act.Reopen(site, neutral):
            reopened = {"who": who, "city": names.place(int(s.ship_city[seat])), "site": site + 1}
            if neutral:
                return t.text("{who} re-opens a neutral warehouse in {city} on site {site}.", **reopened)
            return t.text("{who} re-opens a warehouse in {city} on site {site}.", **reopened)
        case act.BuildFortress():
            here = int(s.ship_city[seat])
            price = int(facts_of(s, names.figures).fortress_price[here])
            return t.text("{who} builds a fortress in {city} for {price}.", who=who, city=CITY_NAMES[here], price=price)
        case act.TakeLoan(kind):
            amount = int(board.loan_amount[kind])
            return t.text("{who} sails to the bank and borrows {amount}.", who=who, amount=amount)
        case act.End():
            return t.text("{who} ends the turn.", who=who)
        case act.Pass():
            return t.text("{who} cannot do anything and passes.", who=who)
        case act.Repay(kind):
            amount, due = int(board.loan_amount[kind]), int(board.loan_due[kind, FACE_UP])
            return t.text("{who} repays {due} for a loan of {amount}.", who=who, amount=amount, due=due)
        case act.Extend(kind):
            amount, due = int(board.loan_amount[kind]), int(board.loan_due[kind, FLIPPED])
            return t.text(
                "{who} extends a loan of {amount}, which will cost {due} after the next payday.",
                who=who,
                amount=amount,
                due=due,
            )
        case act.NameStarter(starter):
            if starter == seat:
                return t.text("{who} decides to start the next phase.", who=who)
            return t.text("{who} lets {other} start the next phase.", who=who, other=names.merchant(starter))
        case act.MovePirateFree(place, berth):
            return _pirate_moves(names, who, place, berth, 0)
        case act.MovePirateForMoney(place, berth):
            fare = int(facts_of(s, names.figures).pirate_fare[place])
            return _pirate_moves(names, who, place, berth, fare)
        case act.SailPirate(leg):
            taken = {"who": who, "city": CITY_NAMES[leg.city], "card": names.card(leg.card)}
            return t.text("{who} takes the pirate to {city} with {card}.", **taken)
        case act.LandPirate(berth):
            city, harbour = CITY_NAMES[int(s.pirate_at)], berth.space + 1
            return t.text(
                "{who} lets the pirate land in {city}, harbour {harbour}.", who=who, city=city, harbour=harbour
            )
        case _:
            assert_never(action)


def _pirate_moves(names: Names, who: str, city: int, berth: act.Berth, price: int) -> str:
    """Say that a merchant moves the pirate to a harbour."""
    arguments = {"who": who, "city": CITY_NAMES[city], "harbour": berth.space + 1, "price": price}
    if price:
        return names.translator.text("{who} moves the pirate to {city}, harbour {harbour}, for {price}.", **arguments)
    return names.translator.text("{who} moves the pirate to {city}, harbour {harbour}.", **arguments)


# --------------------------------------------------------------------------------------------------------------- labels


def label(names: Names, s: State, number: int) -> str:  # noqa: PLR0912 - one branch for each family
    """Name an action in the few words of a menu, where its group is named already."""
    t, board = names.translator, names.figures.board
    match action := act.decode(number, names.figures):
        case act.Buy(card):
            return t.text("{card} for {price}", card=names.card(card), price=int(board.card_price[card]))
        case act.Sail(leg) | act.SailPirate(leg):
            return _leg_label(names, leg)
        case act.Build(site, neutral):
            price = int(facts_of(s, names.figures).build_price)
            if neutral:
                return t.text("neutral warehouse on site {site} for {price}", site=site + 1, price=price)
            return t.text("warehouse on site {site} for {price}", site=site + 1, price=price)
        case act.Reopen(site, neutral):
            if neutral:
                return t.text("re-open a neutral warehouse on site {site}, free", site=site + 1)
            return t.text("re-open a warehouse on site {site}, free", site=site + 1)
        case act.BuildFortress():
            price = int(facts_of(s, names.figures).fortress_price[s.ship_city[s.seat]])
            return t.text("fortress for {price}", price=price)
        case act.TakeLoan(kind):
            amount, due = int(board.loan_amount[kind]), int(board.loan_due[kind, FACE_UP])
            return t.text("borrow {amount}, repay {due}", amount=amount, due=due)
        case act.Repay(kind):
            amount, due = int(board.loan_amount[kind]), int(board.loan_due[kind, FACE_UP])
            return t.text("repay {due} for a loan of {amount}", amount=amount, due=due)
        case act.Extend(kind):
            amount, due = int(board.loan_amount[kind]), int(board.loan_due[kind, FLIPPED])
            return t.text("extend a loan of {amount}: {due} a payday later", amount=amount, due=due)
        case act.MovePirateFree(city, berth):
            return t.text("free to {berth}", berth=_berth_label(names, city, berth))
        case act.MovePirateForMoney(city, berth):
            fare = int(facts_of(s, names.figures).pirate_fare[city])
            return t.text("for {price} to {berth}", price=fare, berth=_berth_label(names, city, berth))
        case act.LandPirate(berth):
            return t.text("land in {berth}", berth=_berth_label(names, int(s.pirate_at), berth))
        case act.NameStarter(seat):
            return names.merchant(seat)
        case act.End():
            return t.text("end the turn")
        case act.Pass():
            return t.text("pass: no other move is possible")
        case _:
            assert_never(action)


def labels(names: Names, game: Game, steps: Sequence[int]) -> list[str]:
    """Name actions in the words of the menu with their groups, each in the position it would be played in."""
    game, told = game.copy(), []
    for step in steps:
        told.append(label_with_group(names, game.position, step))
        game.play(step)
    return told


def label_with_group(names: Names, s: State, number: int) -> str:
    """Name an action in the words of the menu, after its group."""
    title = names.translator.template(GROUPS[group(number, names.figures)])
    return names.translator.text("{group}: {action}", group=title, action=label(names, s, number))


def _leg_label(names: Names, leg: act.Leg) -> str:
    """Name where a card leads, and the card."""
    city, card = CITY_NAMES[leg.city], names.card(leg.card)
    if leg.use == "route":
        return names.translator.text("to {city} with {card} as a sea route", city=city, card=card)
    return names.translator.text("to {city} with {card}", city=city, card=card)


def _berth_label(names: Names, city: int, berth: act.Berth) -> str:
    """Name a harbour for the pirate, and where a ship that lies there goes."""
    place, harbour = CITY_NAMES[city], berth.space + 1
    if berth.shift is None:
        return names.translator.text("{city}, harbour {harbour}", city=place, harbour=harbour)
    return names.translator.text(
        "{city}, harbour {harbour}, its ship to harbour {shift}", city=place, harbour=harbour, shift=berth.shift + 1
    )
