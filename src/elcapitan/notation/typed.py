"""The typed form of actions: plain objects as they stand in JSON records.

| action   | typed form                                                                              |
|----------|-----------------------------------------------------------------------------------------|
| buy      | `{"do": "buy", "card": "Marseille/3"}`                                                  |
| sail     | `{"do": "sail", "card": "Marseille/3", "as": "destination", "to": "Marseille"}`         |
| build    | `{"do": "build", "site": 1, "colour": "main"}`                                          |
| reopen   | `{"do": "reopen", "site": 1, "colour": "main"}`                                         |
| fortress | `{"do": "fortress"}`                                                                    |
| loan     | `{"do": "loan", "amount": 10}`                                                          |
| pirate   | `{"do": "pirate", "by": "free", "cards": [], "to": "Tunis", "harbour": 1, "shift": 2}`  |
| end      | `{"do": "end"}`                                                                         |
| pass     | `{"do": "pass"}`                                                                        |
| repay    | `{"do": "repay", "amount": 10}`                                                         |
| extend   | `{"do": "extend", "amount": 10}`                                                        |
| starter  | `{"do": "starter", "who": 0}`                                                           |

A card is used as "destination", "route" or "link". Seats count from 0 here, sites and harbour spaces from 1.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from elcapitan.board_file import nearest, short
from elcapitan.engine.actions import (
    BERTHINGS,
    BUILD,
    BUY,
    END,
    EXTEND,
    FORTRESS,
    FREE_PIRATE,
    LINK_LEGS,
    LOAN,
    PAID_PIRATE,
    PASS,
    PIRATE_LAND,
    PIRATE_SAIL,
    REOPEN,
    REPAY,
    ROUTE_LEGS,
    SAIL,
    STARTER,
    family,
)
from elcapitan.engine.vocabulary import CITIES, CITY_NAMES, DESTINATIONS, MAIN_OR_NEUTRAL, SEATS, SITES, SPACES
from elcapitan.errors import BadAction
from elcapitan.figures import Figures

Typed: TypeAlias = dict[str, Any]

USES: Final = ("destination", "route", "link")
ALONE: Final = {"fortress": FORTRESS, "end": END, "pass": PASS}
HOUSES: Final = {"build": BUILD, "reopen": REOPEN}
LENDING: Final = {"loan": LOAN, "repay": REPAY, "extend": EXTEND}
PIRATE_BY: Final = {"free": FREE_PIRATE, "money": PAID_PIRATE}
KEYS: Final = {
    "buy": ("card",),
    "sail": ("card", "as", "to"),
    **dict.fromkeys(HOUSES, ("site", "colour")),
    **dict.fromkeys(ALONE, ()),
    **dict.fromkeys(LENDING, ("amount",)),
    "starter": ("who",),
    "pirate": ("by", "cards", "to", "harbour", "shift"),
}
# Every berthing by its number: the pirate's harbour space and where the ship there is shifted to, both from 1.
BERTHS: Final[tuple[tuple[int, int | None], ...]] = tuple(
    (space, shift)
    for space in range(1, SPACES + 1)
    for shift in (None, *(other for other in range(1, SPACES + 1) if other != space))
)
MAY_BE_ABSENT: Final = ("cards", "shift")  # an absent list of cards is an empty one, an absent shift is null


def is_voyage_piece(number: int) -> bool:
    """Whether a number is one card or the landing of a pirate voyage by cards, which has no typed form of its own."""
    return number >= PIRATE_SAIL


def to_typed(number: int, figures: Figures) -> Typed:
    """The typed form of any action number but a piece of a voyage."""
    if is_voyage_piece(number):
        raise ValueError(f"{number} is a piece of a pirate voyage: see voyage_to_typed")
    do = family(number)
    if do == "buy":
        return {"do": do, "card": figures.cards[number - BUY]}
    if do == "sail":
        return {"do": do, **leg_to_typed(number - SAIL, figures)}
    if do in HOUSES:
        which, site = divmod(number - HOUSES[do], SITES)
        return {"do": do, "site": site + 1, "colour": MAIN_OR_NEUTRAL[which]}
    if do in LENDING:
        return {"do": do, "amount": int(figures.board.loan_amount[number - LENDING[do]])}
    if do == "starter":
        return {"do": do, "who": number - STARTER}
    if do in ALONE:
        return {"do": do}
    by = "free" if do == "free_pirate" else "money"
    city, berth = divmod(number - PIRATE_BY[by], BERTHINGS)
    return {"do": "pirate", "by": by, "cards": [], "to": CITY_NAMES[city], **berth_to_typed(berth)}


def voyage_to_typed(numbers: Sequence[int], figures: Figures) -> Typed:
    """The typed form of the numbers of one action: a whole voyage of the pirate by cards, or a single number."""
    if len(numbers) == 1:
        return to_typed(numbers[0], figures)
    *legs, landing = numbers
    if landing < PIRATE_LAND or not all(PIRATE_SAIL <= leg < PIRATE_LAND for leg in legs):
        raise ValueError(f"{list(numbers)} is no voyage: cards, then a landing")
    cards = [leg_to_typed(leg - PIRATE_SAIL, figures) for leg in legs]
    berth = berth_to_typed(landing - PIRATE_LAND)
    return {"do": "pirate", "by": "cards", "cards": cards, "to": cards[-1]["to"], **berth}


def leg_to_typed(leg: int, figures: Figures) -> Typed:
    """A card, its use and where it leads."""
    if leg < ROUTE_LEGS:
        card, use, city = leg, "destination", int(figures.board.card_city[leg, 0])
    elif leg < LINK_LEGS:
        use, (card, city) = "route", divmod(leg - ROUTE_LEGS, CITIES)
    else:
        link, end = divmod(leg - LINK_LEGS, 2)
        card, use, city = DESTINATIONS + link, "link", int(figures.board.card_city[DESTINATIONS + link, end])
    return {"card": figures.cards[card], "as": use, "to": CITY_NAMES[city]}


def berth_to_typed(berth: int) -> Typed:
    """The pirate's harbour space and where the ship there goes."""
    space, shift = BERTHS[berth]
    return {"harbour": space, "shift": shift}


def numbers_of(typed: object, figures: Figures) -> list[int]:
    """The numbers of a typed action: several for a voyage of the pirate by cards, one for any other."""
    action = _checked(typed)
    do = action["do"]
    if do == "buy":
        return [BUY + _card(action, figures)]
    if do == "sail":
        return [SAIL + _leg_from_typed(action, figures)]
    if do in HOUSES:
        which = MAIN_OR_NEUTRAL.index(_choice(action, "colour", MAIN_OR_NEUTRAL))
        return [HOUSES[do] + which * SITES + _count(action, "site", 1, SITES) - 1]
    if do in LENDING:
        amounts = figures.board.loan_amount.tolist()
        return [LENDING[do] + amounts.index(_choice(action, "amount", amounts))]
    if do == "starter":
        return [STARTER + _count(action, "who", 0, SEATS - 1)]
    if do in ALONE:
        return [ALONE[do]]
    return _pirate_from_typed(action, figures)


def _checked(typed: object) -> Typed:
    """An object that has exactly the keys of its kind of action."""
    if not isinstance(typed, dict):
        raise BadAction("not-an-object", key="action", found=short(typed))
    if "do" not in typed:
        raise BadAction("lacks-key", key="do")
    keys = KEYS[_choice(typed, "do", tuple(KEYS))]
    for key in typed:
        if key != "do" and key not in keys:
            raise BadAction("surplus-key", key=short(key), nearest=nearest(str(key), ("do", *keys)))
    for key in keys:
        if key not in typed and key not in MAY_BE_ABSENT:
            raise BadAction("lacks-key", key=key)
    return typed


def _choice(action: Mapping[str, Any], key: str, known: Sequence[Any]) -> Any:
    """One of a few known values."""
    value = action[key]
    if isinstance(value, bool) or not isinstance(value, str | int) or value not in known:
        raise BadAction("bad-value", key=key, found=short(value), known=", ".join(map(str, known)))
    return value


def _count(action: Mapping[str, Any], key: str, least: int, most: int) -> int:
    """A whole number within bounds."""
    value = action[key]
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadAction("bad-count", key=key, found=short(value), least=least, most=most)
    return value


def find_card(name: str, figures: Figures) -> int | None:
    """The card of a name, the cities of a link in either order."""
    for each in (name, "-".join(reversed(name.split("-")))):
        if each in figures.cards:
            return figures.cards.index(each)
    return None


def _card(action: Mapping[str, Any], figures: Figures) -> int:
    """The number of a card."""
    name = action["card"]
    card = find_card(name, figures) if isinstance(name, str) else None
    if card is None:
        raise BadAction("bad-card", key="card", found=short(name), nearest=nearest(str(name), figures.cards))
    return card


def _city(action: Mapping[str, Any], key: str) -> int:
    """The number of a city."""
    name = action[key]
    if not isinstance(name, str) or name not in CITY_NAMES:
        raise BadAction("bad-city", key=key, found=short(name), nearest=nearest(str(name), CITY_NAMES))
    return CITY_NAMES.index(name)


def _leg_from_typed(action: Mapping[str, Any], figures: Figures) -> int:
    """The leg of a card used in a way that it can be used."""
    card, use, city = _card(action, figures), _choice(action, "as", USES), _city(action, "to")
    leg = find_leg(card, use, city, figures)
    if leg is None:
        raise BadAction("bad-leg", card=figures.cards[card], use=use, city=CITY_NAMES[city])
    return leg


def find_leg(card: int, use: str, city: int, figures: Figures) -> int | None:
    """The leg of a card in a use to a city, if the card has that use."""
    ends = figures.board.card_city[card].tolist()
    if (use == "link") != (card >= DESTINATIONS):
        return None
    if use == "route":
        return ROUTE_LEGS + card * CITIES + city
    if city not in ends:
        return None
    return card if use == "destination" else LINK_LEGS + (card - DESTINATIONS) * 2 + int(ends.index(city))


def _pirate_from_typed(action: Mapping[str, Any], figures: Figures) -> list[int]:
    """A move of the pirate."""
    by = _choice(action, "by", (*PIRATE_BY, "cards"))
    city = _city(action, "to")
    space = _count(action, "harbour", 1, SPACES)
    shift = None if action.get("shift") is None else _count(action, "shift", 1, SPACES)
    if shift == space:
        raise BadAction("bad-shift")
    berth = BERTHS.index((space, shift))
    cards = action.get("cards", [])
    if not isinstance(cards, list):
        raise BadAction("not-an-array", key="cards", found=short(cards))
    if by != "cards":
        if cards:
            raise BadAction("bad-value", key="cards", found=short(cards), known="[]")
        return [PIRATE_BY[by] + city * BERTHINGS + berth]
    legs = [PIRATE_SAIL + _leg_from_typed(_checked_leg(leg), figures) for leg in cards]
    if not legs:
        raise BadAction("lacks-key", key="cards")
    if cards[-1]["to"] != action["to"]:
        raise BadAction("bad-voyage", wanted=cards[-1]["to"], found=action["to"])
    return [*legs, PIRATE_LAND + berth]


def _checked_leg(leg: object) -> Typed:
    """One card of a voyage: an object with exactly the keys of a leg."""
    if not isinstance(leg, dict):
        raise BadAction("not-an-object", key="cards", found=short(leg))
    _checked({"do": "sail"} | {key: value for key, value in leg.items() if key != "do"})
    if "do" in leg:
        raise BadAction("surplus-key", key="do", nearest="as")
    return leg
