"""What things are called: merchants and colours, cities, cards, and the uses of a card."""

import functools
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Final, TypeVar

from elcapitan.engine.actions import LINK_LEGS, ROUTE_LEGS, leg_card
from elcapitan.engine.vocabulary import AWAY, BANK, CITIES, CITY_NAMES, NEUTRAL
from elcapitan.figures import Figures
from elcapitan.text.catalogue import Translator, _

# The merchants in clockwise order. With two players each has a neutral colour besides [TWO-02].
COLOUR_NAMES: Final = (_("Red"), _("Yellow"), _("Green"), _("Blue"), _("Purple"))
PALETTE: Final = (0, 3, 1, 2, 4)  # coral, ultramarine, saffron, sea green and aubergine among COLOUR_NAMES

F = TypeVar("F", bound=Callable[..., object])


def interpreted(rule: F) -> F:
    """A small rule as plain Python, with every rule that it calls: for a few calls that is quicker than compiling."""
    return _in_python(rule) if hasattr(rule, "py_func") else rule


@functools.cache
def _in_python(rule: Any) -> Any:
    """A compiled rule as it is written, in a world where the rules it refers to are interpreted as well."""
    function = rule.py_func
    known = function.__globals__
    world = {name: interpreted(known[name]) for name in function.__code__.co_names if name in known}
    return FunctionType(function.__code__, world, function.__name__)


def plainly(number: object) -> int:
    """A field of a record as a plain number."""
    return int(number)  # type: ignore[call-overload, no-any-return]


class Names:
    """The names of everything at one table, in one language."""

    def __init__(self, translator: Translator, figures: Figures, players: Sequence[str] = ()) -> None:
        self.translator = translator
        self.figures = figures
        self.players = tuple(players)

    def colour(self, colour: int) -> str:
        """The name of a colour."""
        return self.translator.template(COLOUR_NAMES[colour])

    def merchant(self, seat: int) -> str:
        """Who sits there: the name given, or that of the colour."""
        return self.players[seat] if seat < len(self.players) and self.players[seat] else self.colour(seat)

    def owner(self, colour: int, players: int) -> str:
        """Whose warehouse this is."""
        if players == 2 and colour >= NEUTRAL:
            return self.translator.text("{who}, neutral", who=self.merchant(colour - NEUTRAL))
        return self.merchant(colour)

    def card(self, card: int) -> str:
        """The name of a sailing card."""
        return self.figures.cards[card]

    def place(self, place: int) -> str:
        """Where a ship is."""
        if place == BANK:
            return self.translator.text("at the bank")
        if place == AWAY:
            return self.translator.text("off the board")
        return CITY_NAMES[place]


def leg_use(leg: int) -> str:
    """How a leg uses its card: destination, route or link."""
    if leg < ROUTE_LEGS:
        return "destination"
    return "route" if leg < LINK_LEGS else "link"


def leg_city(figures: Figures, leg: int) -> int:
    """The city a leg leads to."""
    if ROUTE_LEGS <= leg < LINK_LEGS:
        return (leg - ROUTE_LEGS) % CITIES
    end = 0 if leg < ROUTE_LEGS else (leg - LINK_LEGS) % 2
    return plainly(figures.board.card_city[card_of(leg), end])


def card_of(leg: int) -> int:
    """The card a leg is sailed with."""
    return interpreted(leg_card)(leg)
