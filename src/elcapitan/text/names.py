"""What things are called: merchants and colours, places and cards, levels of computer players, sources of money."""

from collections.abc import Sequence
from typing import Final

from elcapitan.board.figures import Figures
from elcapitan.bots import registry
from elcapitan.engine.state import Boards
from elcapitan.engine.vocabulary import AWAY, BANK, CITY_NAMES, MOST_SEALS, NEUTRAL_OFFSET, SEATS, two_colours
from elcapitan.position.ledger import (
    BONUS,
    CARDS,
    FORTRESS_COSTS,
    FORTRESSES,
    LISBOA,
    LOAN_COSTS,
    MAJORITIES,
    PIRATE,
    PROLIFERATION,
    START,
    WAREHOUSES,
)
from elcapitan.text.catalogue import Translator, _
from elcapitan.untrusted_input import whole_number

MINUS: Final = "\N{MINUS SIGN}"

# The merchants in clockwise order. With two players each has a neutral colour besides [TWO-02].
COLOUR_NAMES: Final = (_("Red"), _("Yellow"), _("Green"), _("Blue"), _("Purple"))
PALETTE: Final = (0, 3, 1, 2, 4)  # coral, ultramarine, saffron, sea green and aubergine among COLOUR_NAMES
LEVEL_NAMES: Final = {
    "wanderer": _("wanderer"),
    "trader": _("trader"),
    "captain": _("captain"),
    "helmsman": _("helmsman"),
    "navigator": _("navigator"),
    "admiral": _("admiral"),
    "champion": _("champion"),
}

SOURCE_NAMES: Final = {
    START: _("money at the start"),
    PROLIFERATION: _("proliferation"),
    MAJORITIES: _("majorities"),
    FORTRESSES: _("fortresses"),
    BONUS: _("bonus cards"),
    LISBOA: _("payments from Lisboa"),
    PIRATE: _("the pirate"),
    CARDS: _("cards bought"),
    WAREHOUSES: _("warehouses built"),
    FORTRESS_COSTS: _("fortresses built"),
    LOAN_COSTS: _("cost of loans"),
}


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
        if two_colours(players) and colour >= NEUTRAL_OFFSET:
            return self.translator.text("{who}, neutral", who=self.merchant(colour - NEUTRAL_OFFSET))
        return self.merchant(colour)

    def card(self, card: int) -> str:
        """The name of a sailing card in a sentence: its city and seals, or its two cities."""
        return card_in_words(self.figures.cards[card], self.translator)

    def place(self, place: int) -> str:
        """Where a ship is."""
        if place == BANK:
            return self.translator.text("at the bank")
        if place == AWAY:
            return self.translator.text("not yet at sea")
        return CITY_NAMES[place]


def card_in_words(name: str, t: Translator) -> str:
    """Write a sailing card, of which the name as it is typed is known, as in a sentence."""
    city, _slash, digits = name.partition("/")
    seals = whole_number(digits, MOST_SEALS)
    if seals is None:
        return name.replace("-", "\N{EN DASH}")
    return t.plural("{city} ({number} seal)", "{city} ({number} seals)", seals, city=city)


def level_name(spec: str, t: Translator) -> str:
    """What a level is called in the reader's language, with its strength if that is chosen, without a budget."""
    level, _colon, chosen = spec.partition(":")
    name = t.template(LEVEL_NAMES.get(level, level))
    key, _is, strength = chosen.partition("=")
    return t.text("{level}, strength {strength}", level=name, strength=strength) if key == "strength" else name


def about_level(spec: str, boards: Boards, t: Translator) -> str:
    """Describe how a level plays on this board, in the reader's language."""
    about = t.template(registry.LEVELS[registry.level_of(spec)].about)
    return " ".join(filter(None, (about, board_note(spec, SEATS, boards, t))))


def board_note(spec: str, players: int, boards: Boards, t: Translator) -> str:
    """Say as which level a player plays if it was not trained for this board; nothing if it was."""
    level, plays = registry.level_of(spec), registry.plays_as(spec, players, boards)
    if plays == level:
        return ""
    return t.text(
        "The {level} was not trained for this board and plays like the {other}.",
        level=level_name(level, t),
        other=level_name(plays, t),
    )


def number(amount: int) -> str:
    """Write a number with a minus sign as wide as the plus."""
    return str(amount).replace("-", MINUS)
