"""Actions in three forms that stand for one another: number, typed form and text.

The number is what the engine takes (see `engine.actions`), the typed form is what JSON records hold, the text is what
people write. Only a voyage of the pirate by cards is several numbers in a row, one for each card and one for the
landing; it is one typed form and one text. The text form, in EBNF:

    action   = "buy" card | "sail" leg
             | ( "build" | "reopen" ) site [ "neutral" ] | "fortress"
             | ( "loan" | "repay" | "extend" ) amount
             | "end" | "pass" | "starter" [ "seat" ] seat
             | "pirate" ( "free" | "money" ) city berth
             | "pirate" "cards" leg { "," leg } ":" berth
             | "pirate" "by" leg | "pirate" "land" berth ;   (* the pieces of a voyage by cards, one by one *)
    leg      = destination            (* used as destination card *)
             | destination "~" city   (* used as sea-route card *)
             | link ">" city ;        (* used from its other city *)
    card     = destination | link ;
    destination = city "/" seals ;
    link     = city "-" city ;
    berth    = space [ ">" space ] ;  (* the pirate's space; where the ship there is shifted to *)

Sites count from 1 to 12, harbour spaces from 1 to 3 and seats, in text only, from 1 to 5.
"""

from collections.abc import Sequence
from typing import assert_never

from elcapitan.actions import union as act
from elcapitan.actions.reader import Reader, short_city
from elcapitan.actions.typed import KEYS, PIRATE_BY, find_leg
from elcapitan.board.figures import Figures
from elcapitan.engine.vocabulary import CARDS, DESTINATIONS, MOST_FLORINS, SEATS, SITES, SPACES


def to_text(number: int, figures: Figures) -> str:  # noqa: PLR0912 - one branch for each family
    """The text of any action number, pieces of a voyage included."""
    amounts = figures.board.loan_amount
    match action := act.decode(number, figures):
        case act.Buy(card):
            return f"buy {figures.cards[card]}"
        case act.Sail(leg):
            return f"sail {_leg_to_text(leg, figures)}"
        case act.Build(site, neutral):
            return f"build {site + 1}" + (" neutral" if neutral else "")
        case act.Reopen(site, neutral):
            return f"reopen {site + 1}" + (" neutral" if neutral else "")
        case act.BuildFortress():
            return "fortress"
        case act.TakeLoan(kind):
            return f"loan {amounts[kind]}"
        case act.End():
            return "end"
        case act.Pass():
            return "pass"
        case act.Repay(kind):
            return f"repay {amounts[kind]}"
        case act.Extend(kind):
            return f"extend {amounts[kind]}"
        case act.NameStarter(seat):
            return f"starter seat {seat + 1}"
        case act.MovePirateFree(city, berth):
            return f"pirate free {short_city(city)} {_berth_to_text(berth)}"
        case act.MovePirateForMoney(city, berth):
            return f"pirate money {short_city(city)} {_berth_to_text(berth)}"
        case act.SailPirate(leg):
            return f"pirate by {_leg_to_text(leg, figures)}"
        case act.LandPirate(berth):
            return f"pirate land {_berth_to_text(berth)}"
        case _:
            assert_never(action)


def voyage_to_text(numbers: Sequence[int], figures: Figures) -> str:
    """The text of the numbers of one action: a whole voyage of the pirate by cards, or a single number."""
    if len(numbers) == 1:
        return to_text(numbers[0], figures)
    legs, berth = act.decode_voyage(numbers, figures)
    return f"pirate cards {', '.join(_leg_to_text(leg, figures) for leg in legs)}: {_berth_to_text(berth)}"


def _leg_to_text(leg: act.Leg, figures: Figures) -> str:
    """A card and, unless it is used as destination card, where it leads."""
    match use := leg.use:
        case "destination":
            return figures.cards[leg.card]
        case "route":
            return f"{figures.cards[leg.card]} ~ {short_city(leg.city)}"
        case "link":
            return f"{figures.cards[leg.card]} > {short_city(leg.city)}"
        case _:
            assert_never(use)


def _berth_to_text(berth: act.Berth) -> str:
    """The pirate's space and, after >, the space the ship there is shifted to."""
    return f"{berth.space + 1}" if berth.shift is None else f"{berth.space + 1}>{berth.shift + 1}"


def from_text(text: str, figures: Figures) -> list[int]:
    """The numbers of an action in text: several for a voyage of the pirate by cards, one for any other."""
    reader = Reader(text)
    numbers = read_action(reader, figures)
    reader.finish()
    return numbers


def read_action(reader: Reader, figures: Figures) -> list[int]:
    """Take the numbers of an action from a text that may go on."""
    return [act.encode(action, figures) for action in _read(reader, figures)]


def _read(reader: Reader, figures: Figures) -> Sequence[act.Action]:
    """Take an action from a text: the pieces of a voyage of the pirate by cards, or a single action."""
    match reader.word(tuple(KEYS)):
        case "buy":
            return [act.Buy(reader.card(figures))]
        case "sail":
            return [act.Sail(_read_leg(reader, figures))]
        case "build":
            return [act.Build(*_read_house(reader))]
        case "reopen":
            return [act.Reopen(*_read_house(reader))]
        case "fortress":
            return [act.BuildFortress()]
        case "loan":
            return [act.TakeLoan(_read_loan(reader, figures))]
        case "end":
            return [act.End()]
        case "pass":
            return [act.Pass()]
        case "repay":
            return [act.Repay(_read_loan(reader, figures))]
        case "extend":
            return [act.Extend(_read_loan(reader, figures))]
        case "starter":
            reader.skip_word("seat")
            return [act.NameStarter(reader.number(1, SEATS) - 1)]
        case _:
            return _read_pirate(reader, figures)


def _read_house(reader: Reader) -> tuple[int, bool]:
    """The site of a warehouse, and whether it is neutral."""
    return reader.number(1, SITES) - 1, reader.skip_word("neutral")


def _read_loan(reader: Reader, figures: Figures) -> int:
    """The kind of loan that has the amount written here."""
    amounts: list[int] = figures.board.loan_amount.tolist()
    at, found = reader.at, reader.lump()
    amount = reader.number(0, MOST_FLORINS)
    if amount not in amounts:
        reader.fail("amount-wanted", at, found=found, known=", ".join(map(str, amounts)))
    return amounts.index(amount)


def _read_leg(reader: Reader, figures: Figures) -> act.Leg:
    """A card with its use."""
    at = reader.at
    card = reader.card(figures)
    use: act.Use
    if card >= DESTINATIONS:
        reader.symbol(">")
        use, city = "link", reader.city()
    elif reader.skip("~"):
        use, city = "route", reader.city()
    else:
        use, city = "destination", int(figures.board.card_city[card, 0])
    leg = find_leg(card, use, city, figures)
    if leg is None:
        reader.fail("wrong-link", at, card=figures.cards[card], city=short_city(city))
    return leg


def _read_berth(reader: Reader) -> act.Berth:
    """The pirate's space and the space the ship there is shifted to."""
    space, shift = reader.number(1, SPACES), None
    if reader.skip(">"):
        at = reader.at
        shift = reader.number(1, SPACES)
        if shift == space:
            reader.fail("same-space", at)
    return act.Berth(space - 1, None if shift is None else shift - 1)


def _read_pirate(reader: Reader, figures: Figures) -> Sequence[act.Action]:
    """What follows the word pirate."""
    match by := reader.word((*PIRATE_BY, "cards", "by", "land")):
        case "land":
            return [act.LandPirate(_read_berth(reader))]
        case "by":
            return [act.SailPirate(_read_leg(reader, figures))]
        case "free" | "money":
            city, berth = reader.city(), _read_berth(reader)
            return [act.MovePirateFree(city, berth) if by == "free" else act.MovePirateForMoney(city, berth)]
    legs = [act.SailPirate(_read_leg(reader, figures))]
    while len(legs) < CARDS and reader.skip(","):
        legs.append(act.SailPirate(_read_leg(reader, figures)))
    reader.symbol(":")
    return [*legs, act.LandPirate(_read_berth(reader))]
