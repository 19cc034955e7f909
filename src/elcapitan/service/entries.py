"""The entries of a game's log: what happened, as it is written down and read again.

shuffle {"seed": 7}                              what is face down is in a new order; first of all, or when a game
                                                 of unknown order is taken over
deal    {"destination": [...], "link": [...]}    the opening display
reveal  {"card": "Napoli-Tunis"}                 a card turned up
act     {"seat": 0, "do": "buy Marseille/3"}     an action, or one card of a voyage of the pirate
undo    {"seat": 0, "count": 2}                  actions taken back
redo    {"seat": 0, "count": 1}                  actions done again after all
note    {"pace": "fast"}                         settings of the table changed

Actions are written as text, because that stays readable and does not depend on how the engine numbers them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from elcapitan.errors import BadRecord
from elcapitan.figures import Figures
from elcapitan.history import Act, Deal, Reveal
from elcapitan.notation.actions import find_card, from_text, to_text


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What is face down is shuffled, by a seed."""

    seed: int


@dataclass(frozen=True, slots=True)
class Undo:
    """A seat takes actions back."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Redo:
    """A seat does again what it took back."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Note:
    """The table changed its settings."""

    settings: Mapping[str, Any]


Happening: TypeAlias = Shuffle | Deal | Reveal | Act | Undo | Redo | Note
Written: TypeAlias = tuple[str, dict[str, Any]]  # kind and content


def written(what: Happening, figures: Figures) -> Written:
    """What happened, as it is written down; an action has one number here."""
    match what:
        case Shuffle(seed):
            return "shuffle", {"seed": seed}
        case Deal(destination, link):
            names = {"destination": destination, "link": link}
            return "deal", {kind: [figures.cards[card] for card in cards] for kind, cards in names.items()}
        case Reveal(card):
            return "reveal", {"card": figures.cards[card]}
        case Act(seat, numbers):
            (number,) = numbers
            return "act", {"seat": seat, "do": to_text(number, figures)}
        case Undo(seat, count):
            return "undo", {"seat": seat, "count": count}
        case Redo(seat, count):
            return "redo", {"seat": seat, "count": count}
        case Note(settings):
            return "note", dict(settings)


def read(kind: str, content: Mapping[str, Any], figures: Figures) -> Happening:
    """What was written down."""
    match kind:
        case "shuffle":
            return Shuffle(content["seed"])
        case "deal":
            return Deal(*(tuple(_card(name, figures) for name in content[deck]) for deck in ("destination", "link")))
        case "reveal":
            return Reveal(_card(content["card"], figures))
        case "act":
            return Act(content["seat"], tuple(from_text(content["do"], figures)))
        case "undo":
            return Undo(content["seat"], content["count"])
        case "redo":
            return Redo(content["seat"], content["count"])
        case "note":
            return Note(content)
    raise BadRecord("not-an-event")


def _card(name: str, figures: Figures) -> int:
    """The number of a card."""
    card = find_card(name, figures)
    if card is None:
        raise BadRecord("not-an-event")
    return card
