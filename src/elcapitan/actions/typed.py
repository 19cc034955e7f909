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
from typing import Any, Final, TypeAlias, assert_never

from elcapitan.actions import union as act
from elcapitan.board.board_file import nearest, short
from elcapitan.board.figures import Figures
from elcapitan.engine.vocabulary import CITY_NAMES, MAIN_OR_NEUTRAL, SEATS, SITES, SPACES
from elcapitan.errors import BadAction

Typed: TypeAlias = dict[str, Any]

USES: Final = ("destination", "route", "link")
PIRATE_BY: Final = ("free", "money")
KEYS: Final = {  # of each kind of action, by its word
    "buy": ("card",),
    "sail": ("card", "as", "to"),
    "build": ("site", "colour"),
    "reopen": ("site", "colour"),
    "fortress": (),
    "end": (),
    "pass": (),
    "loan": ("amount",),
    "repay": ("amount",),
    "extend": ("amount",),
    "starter": ("who",),
    "pirate": ("by", "cards", "to", "harbour", "shift"),
}
MAY_BE_ABSENT: Final = ("cards", "shift")  # an absent list of cards is an empty one, an absent shift is null


def to_typed(number: int, figures: Figures) -> Typed:  # noqa: PLR0912 - one branch for each family
    """The typed form of any action number but a piece of a voyage."""
    match action := act.decode(number, figures):
        case act.Buy(card):
            return {"do": "buy", "card": figures.cards[card]}
        case act.Sail(leg):
            return {"do": "sail", **leg_to_typed(leg, figures)}
        case act.Build(site, neutral):
            return {"do": "build", "site": site + 1, "colour": MAIN_OR_NEUTRAL[neutral]}
        case act.Reopen(site, neutral):
            return {"do": "reopen", "site": site + 1, "colour": MAIN_OR_NEUTRAL[neutral]}
        case act.BuildFortress():
            return {"do": "fortress"}
        case act.TakeLoan(kind):
            return {"do": "loan", "amount": int(figures.board.loan_amount[kind])}
        case act.End():
            return {"do": "end"}
        case act.Pass():
            return {"do": "pass"}
        case act.Repay(kind):
            return {"do": "repay", "amount": int(figures.board.loan_amount[kind])}
        case act.Extend(kind):
            return {"do": "extend", "amount": int(figures.board.loan_amount[kind])}
        case act.NameStarter(seat):
            return {"do": "starter", "who": seat}
        case act.MovePirateFree(city, berth):
            return {"do": "pirate", "by": "free", "cards": [], "to": CITY_NAMES[city], **berth_to_typed(berth)}
        case act.MovePirateForMoney(city, berth):
            return {"do": "pirate", "by": "money", "cards": [], "to": CITY_NAMES[city], **berth_to_typed(berth)}
        case act.SailPirate() | act.LandPirate():
            raise ValueError(f"{number} is a piece of a pirate voyage: see voyage_to_typed")
        case _:
            assert_never(action)


def voyage_to_typed(numbers: Sequence[int], figures: Figures) -> Typed:
    """The typed form of the numbers of one action: a whole voyage of the pirate by cards, or a single number."""
    if len(numbers) == 1:
        return to_typed(numbers[0], figures)
    legs, berth = act.decode_voyage(numbers, figures)
    cards = [leg_to_typed(leg, figures) for leg in legs]
    return {"do": "pirate", "by": "cards", "cards": cards, "to": cards[-1]["to"], **berth_to_typed(berth)}


def leg_to_typed(leg: act.Leg, figures: Figures) -> Typed:
    """A card, its use and where it leads."""
    return {"card": figures.cards[leg.card], "as": leg.use, "to": CITY_NAMES[leg.city]}


def berth_to_typed(berth: act.Berth) -> Typed:
    """The pirate's harbour space and where the ship there goes, both from 1."""
    return {"harbour": berth.space + 1, "shift": None if berth.shift is None else berth.shift + 1}


def numbers_of(typed: object, figures: Figures) -> list[int]:
    """The numbers of a typed action: several for a voyage of the pirate by cards, one for any other."""
    return [act.encode(action, figures) for action in actions_of(typed, figures)]


def actions_of(typed: object, figures: Figures) -> Sequence[act.Action]:
    """Check a typed action and decode it: the pieces of a voyage of the pirate by cards, or a single action.

    Raises `BadAction` with the key that is wrong.
    """
    action = _checked(typed)
    match action["do"]:
        case "buy":
            return [act.Buy(_card(action, figures))]
        case "sail":
            return [act.Sail(_leg_from_typed(action, figures))]
        case "build":
            return [act.Build(*_house(action))]
        case "reopen":
            return [act.Reopen(*_house(action))]
        case "fortress":
            return [act.BuildFortress()]
        case "loan":
            return [act.TakeLoan(_loan(action, figures))]
        case "end":
            return [act.End()]
        case "pass":
            return [act.Pass()]
        case "repay":
            return [act.Repay(_loan(action, figures))]
        case "extend":
            return [act.Extend(_loan(action, figures))]
        case "starter":
            return [act.NameStarter(_count(action, "who", 0, SEATS - 1))]
        case _:
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


def _house(action: Mapping[str, Any]) -> tuple[int, bool]:
    """The site of a warehouse, and whether it is neutral."""
    neutral = _choice(action, "colour", MAIN_OR_NEUTRAL) == MAIN_OR_NEUTRAL[True]
    return _count(action, "site", 1, SITES) - 1, neutral


def _loan(action: Mapping[str, Any], figures: Figures) -> int:
    """The kind of a loan, by its amount."""
    amounts: list[int] = figures.board.loan_amount.tolist()
    return amounts.index(_choice(action, "amount", amounts))


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


def _leg_from_typed(action: Mapping[str, Any], figures: Figures) -> act.Leg:
    """The leg of a card used in a way that it can be used."""
    card, use, city = _card(action, figures), _choice(action, "as", USES), _city(action, "to")
    leg = find_leg(card, use, city, figures)
    if leg is None:
        raise BadAction("bad-leg", card=figures.cards[card], use=use, city=CITY_NAMES[city])
    return leg


def find_leg(card: int, use: act.Use, city: int, figures: Figures) -> act.Leg | None:
    """The leg of a card in a use to a city, if the card has that use."""
    leg = act.Leg(card, use, city)
    try:
        act.encode_leg(leg, figures)
    except ValueError:
        return None
    return leg


def _pirate_from_typed(action: Mapping[str, Any], figures: Figures) -> Sequence[act.Action]:
    """A move of the pirate."""
    by = _choice(action, "by", (*PIRATE_BY, "cards"))
    city = _city(action, "to")
    space = _count(action, "harbour", 1, SPACES)
    shift = None if action.get("shift") is None else _count(action, "shift", 1, SPACES)
    if shift == space:
        raise BadAction("bad-shift")
    berth = act.Berth(space - 1, None if shift is None else shift - 1)
    cards = action.get("cards", [])
    if not isinstance(cards, list):
        raise BadAction("not-an-array", key="cards", found=short(cards))
    if by != "cards":
        if cards:
            raise BadAction("bad-value", key="cards", found=short(cards), known="[]")
        return [act.MovePirateFree(city, berth) if by == "free" else act.MovePirateForMoney(city, berth)]
    legs = [act.SailPirate(_leg_from_typed(_checked_leg(leg), figures)) for leg in cards]
    if not legs:
        raise BadAction("lacks-key", key="cards")
    if cards[-1]["to"] != action["to"]:
        raise BadAction("bad-voyage", wanted=cards[-1]["to"], found=action["to"])
    return [*legs, act.LandPirate(berth)]


def _checked_leg(leg: object) -> Typed:
    """One card of a voyage: an object with exactly the keys of a leg."""
    if not isinstance(leg, dict):
        raise BadAction("not-an-object", key="cards", found=short(leg))
    _checked({"do": "sail"} | {key: value for key, value in leg.items() if key != "do"})
    if "do" in leg:
        raise BadAction("surplus-key", key="do", nearest="as")
    return leg
