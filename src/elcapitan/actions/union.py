"""An action as a value: one small class for each family of `engine.actions`, decoded once from its number.

Readers use `match`, and end with `assert_never`: then mypy names every reader that a new family must be added to. Only
to ask whether an action is of one family, or of an alias of several such as `BuildAction`, they use `isinstance`.
Sites, harbour spaces, seats and kinds of loans count from 0 here, as in the engine.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, assert_never

from elcapitan.board.figures import Figures
from elcapitan.engine import actions as numbers
from elcapitan.engine.vocabulary import CITIES, DESTINATIONS, SITES, SPACES

Use: TypeAlias = Literal["destination", "route", "link"]


@dataclass(frozen=True, slots=True)
class Leg:
    """A card, how it is used, and the city it leads to."""

    card: int
    use: Use
    city: int


@dataclass(frozen=True, slots=True)
class Berth:
    """The harbour space that the pirate takes, and the space that the ship there is shifted to, if one is there."""

    space: int
    shift: int | None = None


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy a card of the display."""

    card: int


@dataclass(frozen=True, slots=True)
class Sail:
    """Sail with a card."""

    leg: Leg


@dataclass(frozen=True, slots=True)
class Build:
    """Build a warehouse, in the merchant's own colour or, with two players, in the neutral one."""

    site: int
    neutral: bool = False


@dataclass(frozen=True, slots=True)
class Reopen:
    """Re-open a closed warehouse on the next site."""

    site: int
    neutral: bool = False


@dataclass(frozen=True, slots=True)
class BuildFortress:
    """Build a fortress where the ship lies, at the price of the next site."""


@dataclass(frozen=True, slots=True)
class TakeLoan:
    """Sail to the bank and take a loan."""

    kind: int


@dataclass(frozen=True, slots=True)
class End:
    """End the turn, so that cards are turned up and the next player decides."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass, because nothing is possible."""


@dataclass(frozen=True, slots=True)
class Repay:
    """Pay back a loan after a payday."""

    kind: int


@dataclass(frozen=True, slots=True)
class Extend:
    """Extend a loan after a payday."""

    kind: int


@dataclass(frozen=True, slots=True)
class NameStarter:
    """Name the player who starts the next phase."""

    seat: int


@dataclass(frozen=True, slots=True)
class MovePirateFree:
    """Move the pirate free of charge, after building at Islas Canarias."""

    city: int
    berth: Berth


@dataclass(frozen=True, slots=True)
class MovePirateForMoney:
    """Move the pirate for money."""

    city: int
    berth: Berth


@dataclass(frozen=True, slots=True)
class SailPirate:
    """Take the pirate further with one card of a voyage."""

    leg: Leg


@dataclass(frozen=True, slots=True)
class LandPirate:
    """End a voyage of the pirate where it is."""

    berth: Berth


BuildAction: TypeAlias = Build | Reopen | BuildFortress
PirateAction: TypeAlias = MovePirateFree | MovePirateForMoney | SailPirate | LandPirate
Action: TypeAlias = Buy | Sail | BuildAction | TakeLoan | End | Pass | Repay | Extend | NameStarter | PirateAction

BERTHS: Final[tuple[Berth, ...]] = tuple(
    Berth(space, shift)
    for space in range(SPACES)
    for shift in (None, *(other for other in range(SPACES) if other != space))
)  # by the number of a berthing


def decode(number: int, figures: Figures) -> Action:
    """Decode the number of an action. Raises `ValueError` if there is no action of this number."""
    if not 0 <= number < numbers.N_ACTIONS:
        raise ValueError(f"{number} is no action: they run from 0 to {numbers.N_ACTIONS - 1}")
    return _all_actions(figures)[number]


@functools.lru_cache(maxsize=8)
def _all_actions(figures: Figures) -> tuple[Action, ...]:
    """Decode every number once for each board."""
    return tuple(_decode(number, figures) for number in range(numbers.N_ACTIONS))


def _decode(number: int, figures: Figures) -> Action:  # noqa: PLR0912 - one branch for each family
    """Decode a number by its family."""
    name = numbers.family(number)
    operand = number - numbers.FAMILIES[name][0]
    match name:
        case "buy":
            return Buy(operand)
        case "sail":
            return Sail(decode_leg(operand, figures))
        case "build":
            return Build(operand % SITES, operand >= SITES)
        case "reopen":
            return Reopen(operand % SITES, operand >= SITES)
        case "fortress":
            return BuildFortress()
        case "loan":
            return TakeLoan(operand)
        case "end":
            return End()
        case "pass":
            return Pass()
        case "repay":
            return Repay(operand)
        case "extend":
            return Extend(operand)
        case "starter":
            return NameStarter(operand)
        case "free_pirate":
            return MovePirateFree(operand // len(BERTHS), BERTHS[operand % len(BERTHS)])
        case "paid_pirate":
            return MovePirateForMoney(operand // len(BERTHS), BERTHS[operand % len(BERTHS)])
        case "pirate_sail":
            return SailPirate(decode_leg(operand, figures))
        case _:
            return LandPirate(BERTHS[operand])


def encode(action: Action, figures: Figures) -> int:  # noqa: PLR0912 - one branch for each family
    """Return the number of an action."""
    match action:
        case Buy(card):
            return numbers.BUY + card
        case Sail(leg):
            return numbers.SAIL + encode_leg(leg, figures)
        case Build(site, neutral):
            return numbers.BUILD + neutral * SITES + site
        case Reopen(site, neutral):
            return numbers.REOPEN + neutral * SITES + site
        case BuildFortress():
            return numbers.FORTRESS
        case TakeLoan(kind):
            return numbers.LOAN + kind
        case End():
            return numbers.END
        case Pass():
            return numbers.PASS
        case Repay(kind):
            return numbers.REPAY + kind
        case Extend(kind):
            return numbers.EXTEND + kind
        case NameStarter(seat):
            return numbers.STARTER + seat
        case MovePirateFree(city, berth):
            return numbers.FREE_PIRATE + city * len(BERTHS) + BERTHS.index(berth)
        case MovePirateForMoney(city, berth):
            return numbers.PAID_PIRATE + city * len(BERTHS) + BERTHS.index(berth)
        case SailPirate(leg):
            return numbers.PIRATE_SAIL + encode_leg(leg, figures)
        case LandPirate(berth):
            return numbers.PIRATE_LAND + BERTHS.index(berth)
        case _:
            assert_never(action)


def is_voyage_piece(number: int) -> bool:
    """Whether a number is one card or the landing of a pirate voyage by cards: several numbers make one action."""
    return number >= numbers.PIRATE_SAIL


def decode_voyage(pieces: Sequence[int], figures: Figures) -> tuple[list[Leg], Berth]:
    """Decode a whole voyage of the pirate. Raises `ValueError` for other numbers than cards, then a landing."""
    *sailed, landed = (decode(number, figures) for number in pieces)
    legs = [piece.leg for piece in sailed if isinstance(piece, SailPirate)]
    if not isinstance(landed, LandPirate) or len(legs) < len(sailed):
        raise ValueError(f"{list(pieces)} is no voyage: cards, then a landing")
    return legs, landed.berth


def decode_leg(leg: int, figures: Figures) -> Leg:
    """Decode the number of a leg."""
    if leg < numbers.ROUTE_LEGS:
        return Leg(leg, "destination", int(figures.board.card_city[leg, 0]))
    if leg < numbers.LINK_LEGS:
        card, city = divmod(leg - numbers.ROUTE_LEGS, CITIES)
        return Leg(card, "route", city)
    link, end = divmod(leg - numbers.LINK_LEGS, 2)
    return Leg(DESTINATIONS + link, "link", int(figures.board.card_city[DESTINATIONS + link, end]))


def encode_leg(leg: Leg, figures: Figures) -> int:
    """Return the number of a leg. Raises `ValueError` if its card does not lead to its city in that use."""
    if (leg.use == "link") != (leg.card >= DESTINATIONS):
        raise ValueError(f"{leg} uses its card as it cannot be used")
    if leg.use == "route":
        return numbers.ROUTE_LEGS + leg.card * CITIES + leg.city
    end = figures.board.card_city[leg.card].tolist().index(leg.city)
    return leg.card if leg.use == "destination" else numbers.LINK_LEGS + (leg.card - DESTINATIONS) * 2 + int(end)
