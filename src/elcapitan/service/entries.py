"""The entries of a game's log: what happened, as it is written down and read again.

shuffle {"scheme": "hmac-sha256", "key": "41d7...", "salt": "9c0f..."}
                                                 from now on this key decides which cards come; first of all, or when
                                                 a game of unknown order is taken over
        {"seed": 7, "salt": "9c0f..."}           the same by the engine's generator, if a seed was chosen or the game
                                                 is older than keys; no salt before there was one
deal    {"destination": [...], "link": [...]}    the opening display
reveal  {"card": "Napoli-Tunis"}                 a card turned up
act     {"seat": 0, "do": "buy Marseille/3"}     an action, or one card of a voyage of the pirate
undo    {"seat": 0, "count": 2}                  actions taken back
redo    {"seat": 0, "count": 1}                  actions done again after all
wish    {"seat": 0, "at": 12, "asked": [1]}      somebody wishes to go back to when 12 events had happened, and who must
                                                 agree; older ones do not say who
answer  {"seat": 1, "yes": true}                 somebody who is asked about it answers
lapse   {"seat": 0}                              the wish of a seat ends, because not all have answered in time
back    {"seat": 0, "at": 12}                    everybody has agreed: it is as it was then
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
from elcapitan.notation.shuffles import KEYED, SEEDED, Secret, is_key, is_seed


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What is face down is shuffled, by a key or a seed; with a salt, the hash of both was told."""

    secret: Secret
    salt: str = ""


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
class Ask:
    """A seat wishes to go back to when so many events had happened."""

    seat: int
    at: int
    asked: tuple[int, ...] | None = None  # the seats that must agree; older logs do not tell


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat that is asked about a wish agrees, or ends it; who wished it can end it too."""

    seat: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Lapse:
    """The wish of a seat ends, because not all who were asked have answered in time."""

    seat: int


@dataclass(frozen=True, slots=True)
class Back:
    """The game goes back to when so many events had happened, as a seat has wished."""

    seat: int
    at: int


@dataclass(frozen=True, slots=True)
class Note:
    """The table changed its settings."""

    settings: Mapping[str, Any]


Happening: TypeAlias = Shuffle | Deal | Reveal | Act | Undo | Redo | Ask | Answer | Lapse | Back | Note
Written: TypeAlias = tuple[str, dict[str, Any]]  # kind and content


def written(what: Happening, figures: Figures) -> Written:
    """What happened, as it is written down; an action has one number here."""
    match what:
        case Shuffle(str(key), salt):
            return "shuffle", {"scheme": KEYED, "key": key, "salt": salt}
        case Shuffle(seed, salt):
            return "shuffle", {"seed": seed, "salt": salt} if salt else {"seed": seed}
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
        case Ask(seat, at, asked):
            return "wish", {"seat": seat, "at": at} | ({} if asked is None else {"asked": list(asked)})
        case Answer(seat, yes):
            return "answer", {"seat": seat, "yes": yes}
        case Lapse(seat):
            return "lapse", {"seat": seat}
        case Back(seat, at):
            return "back", {"seat": seat, "at": at}
        case Note(settings):
            return "note", dict(settings)


def read(kind: str, content: Mapping[str, Any], figures: Figures) -> Happening:
    """What was written down."""
    match kind:
        case "shuffle":
            return Shuffle(_secret(content), content.get("salt", ""))
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
        case "wish":
            asked = content.get("asked")
            return Ask(content["seat"], content["at"], None if asked is None else tuple(asked))
        case "answer":
            return Answer(content["seat"], content["yes"])
        case "lapse":
            return Lapse(content["seat"])
        case "back":
            return Back(content["seat"], content["at"])
        case "note":
            return Note(content)
    raise BadRecord("not-an-event")


def _secret(content: Mapping[str, Any]) -> Secret:
    """The key or the seed of a shuffle; refuses a scheme of a later program."""
    scheme = content.get("scheme", SEEDED)
    secret: Secret = content["key" if scheme else "seed"]
    if scheme not in (KEYED, SEEDED) or not (is_key(secret) if scheme else is_seed(secret)):
        raise BadRecord("not-an-event")
    return secret


def _card(name: str, figures: Figures) -> int:
    """The number of a card."""
    card = find_card(name, figures)
    if card is None:
        raise BadRecord("not-an-event")
    return card
