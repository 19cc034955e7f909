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

from elcapitan.actions.union import BERTHS, Berth, Use, decode_leg
from elcapitan.engine.actions import BERTHINGS, BUY, PIRATE_LAND, PIRATE_SAIL, SAIL, STARTER
from elcapitan.engine.vocabulary import CARDS, CITY_NAMES, DESTINATIONS, MOST_FLORINS, SEATS, SITES, SPACES
from elcapitan.figures import Figures
from elcapitan.notation.reader import Reader, short_city
from elcapitan.notation.typed import (
    ALONE,
    HOUSES,
    KEYS,
    LENDING,
    PIRATE_BY,
    Typed,
    berth_to_typed,
    find_card,
    find_leg,
    is_voyage_piece,
    leg_to_typed,
    numbers_of,
    to_typed,
    voyage_to_typed,
)

__all__ = [
    "Typed",
    "find_card",
    "from_text",
    "is_voyage_piece",
    "numbers_of",
    "read_action",
    "to_text",
    "to_typed",
    "typed_to_text",
    "voyage_to_text",
    "voyage_to_typed",
]


def to_text(number: int, figures: Figures) -> str:
    """The text of any action number, pieces of a voyage included."""
    if number >= PIRATE_LAND:
        return f"pirate land {_berth_to_text(berth_to_typed(BERTHS[number - PIRATE_LAND]))}"
    if is_voyage_piece(number):
        return f"pirate by {_leg_to_text(leg_to_typed(decode_leg(number - PIRATE_SAIL, figures), figures))}"
    return typed_to_text(to_typed(number, figures))


def voyage_to_text(numbers: Sequence[int], figures: Figures) -> str:
    """The text of the numbers of one action: a whole voyage of the pirate by cards, or a single number."""
    return to_text(numbers[0], figures) if len(numbers) == 1 else typed_to_text(voyage_to_typed(numbers, figures))


def typed_to_text(typed: Typed) -> str:
    """The text of a typed action, which is taken to be well formed."""
    do = typed["do"]
    if do == "buy":
        return f"buy {typed['card']}"
    if do == "sail":
        return f"sail {_leg_to_text(typed)}"
    if do in HOUSES:
        return f"{do} {typed['site']}" + (" neutral" if typed["colour"] == "neutral" else "")
    if do in LENDING:
        return f"{do} {typed['amount']}"
    if do == "starter":
        return f"starter seat {typed['who'] + 1}"
    if do in ALONE:
        return str(do)
    if typed["by"] == "cards":
        return f"pirate cards {', '.join(map(_leg_to_text, typed['cards']))}: {_berth_to_text(typed)}"
    return f"pirate {typed['by']} {short_city(CITY_NAMES.index(typed['to']))} {_berth_to_text(typed)}"


def _leg_to_text(leg: Typed) -> str:
    """A card and, unless it is used as destination card, where it leads."""
    if leg["as"] == "destination":
        return str(leg["card"])
    sign = "~" if leg["as"] == "route" else ">"
    return f"{leg['card']} {sign} {short_city(CITY_NAMES.index(leg['to']))}"


def _berth_to_text(typed: Typed) -> str:
    """The pirate's space and, after >, the space the ship there is shifted to."""
    return f"{typed['harbour']}" if typed.get("shift") is None else f"{typed['harbour']}>{typed['shift']}"


def from_text(text: str, figures: Figures) -> list[int]:
    """The numbers of an action in text: several for a voyage of the pirate by cards, one for any other."""
    reader = Reader(text)
    numbers = read_action(reader, figures)
    reader.finish()
    return numbers


def read_action(reader: Reader, figures: Figures) -> list[int]:
    """Take an action from a text that may go on."""
    do = reader.word(tuple(KEYS))
    if do == "buy":
        return [BUY + reader.card(figures)]
    if do == "sail":
        return [SAIL + _read_leg(reader, figures)]
    if do in HOUSES:
        site = reader.number(1, SITES) - 1
        return [HOUSES[do] + (SITES if reader.skip_word("neutral") else 0) + site]
    if do in LENDING:
        return [LENDING[do] + _read_loan(reader, figures)]
    if do == "starter":
        reader.skip_word("seat")
        return [STARTER + reader.number(1, SEATS) - 1]
    if do in ALONE:
        return [ALONE[do]]
    return _read_pirate(reader, figures)


def _read_loan(reader: Reader, figures: Figures) -> int:
    """The kind of loan that has the amount written here."""
    amounts = figures.board.loan_amount.tolist()
    at, found = reader.at, reader.lump()
    amount = reader.number(0, MOST_FLORINS)
    if amount not in amounts:
        reader.fail("amount-wanted", at, found=found, known=", ".join(map(str, amounts)))
    return int(amounts.index(amount))


def _read_leg(reader: Reader, figures: Figures) -> int:
    """A card with its use."""
    at = reader.at
    card = reader.card(figures)
    use: Use
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


def _read_berth(reader: Reader) -> int:
    """The pirate's space and the space the ship there is shifted to."""
    space, shift = reader.number(1, SPACES), None
    if reader.skip(">"):
        at = reader.at
        shift = reader.number(1, SPACES)
        if shift == space:
            reader.fail("same-space", at)
    return BERTHS.index(Berth(space - 1, None if shift is None else shift - 1))


def _read_pirate(reader: Reader, figures: Figures) -> list[int]:
    """What follows the word pirate."""
    by = reader.word((*PIRATE_BY, "cards", "by", "land"))
    if by == "land":
        return [PIRATE_LAND + _read_berth(reader)]
    if by == "by":
        return [PIRATE_SAIL + _read_leg(reader, figures)]
    if by in PIRATE_BY:
        city = reader.city()
        return [PIRATE_BY[by] + city * BERTHINGS + _read_berth(reader)]
    legs = [PIRATE_SAIL + _read_leg(reader, figures)]
    while len(legs) < CARDS and reader.skip(","):
        legs.append(PIRATE_SAIL + _read_leg(reader, figures))
    reader.symbol(":")
    return [*legs, PIRATE_LAND + _read_berth(reader)]
