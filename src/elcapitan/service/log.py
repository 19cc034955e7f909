"""The entries of a game's log: what they are in memory, and how they are stored.

shuffle {"scheme": "hmac-sha256", "key": "41d7...", "salt": "9c0f..."}
                                                 from now on this key decides which cards come; first of all, or when
                                                 a game of unknown order is taken over
        {"seed": 7, "salt": "9c0f..."}           the same by the engine's generator, if a seed was chosen or the game
                                                 is older than keys; no salt before there was one
deal    {"destination": [...], "link": [...]}    the opening display
reveal  {"card": "Napoli-Tunis"}                 a card turned up
act     {"seat": 0, "do": "buy Marseille/3"}     an action, or one card of a voyage of the pirate
stage   {"seat": 0, "do": "loan 10"}             an action that would end the turn is chosen, but not yet played
prepare {"seat": 0, "do": ["buy Napoli/1", ...]} a seat prepares its next turn, in the place of what it had prepared
undo    {"seat": 0, "count": 2}                  actions taken back
redo    {"seat": 0, "count": 1}                  actions done again after all
wish    {"seat": 0, "at": 12, "asked": [1]}      a seat asks to go back to when 12 events had happened, and who must
                                                 agree; older entries do not say who
answer  {"seat": 1, "yes": true}                 a seat that is asked agrees or refuses
lapse   {"seat": 0}                              the undo vote of a seat ends, because not all have answered in time
back    {"seat": 0, "at": 12}                    all have agreed: the game is as it was then
note    {"pace": "fast"}                         settings of the table changed

The first entry, whatever its kind, has the settings with which the game began under the key "settings". Logs of older
games do not have it.

Actions are stored as text, because that stays readable and does not depend on how the engine numbers them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any, Final, TypeAlias

from elcapitan.actions.text import from_text, to_text
from elcapitan.actions.typed import find_card
from elcapitan.board.figures import Figures
from elcapitan.errors import BadRecord
from elcapitan.game.history import Act, Deal, Reveal
from elcapitan.records.shuffles import KEYED, SEEDED, Secret, is_key, is_seed
from elcapitan.store.game_store import LogRow

SETTINGS: Final = "settings"  # key of the first entry


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The face-down cards are shuffled, by a key or a seed. With a salt, the hash of both is published."""

    secret: Secret
    salt: str = ""


@dataclass(frozen=True, slots=True)
class Hold:
    """A seat chooses an action that would end its turn; it is played when the seat ends the turn or its time is out."""

    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class Prepare:
    """A seat prepares its next turn while another plays, or forgets what it had prepared if there are no numbers."""

    seat: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """A seat takes back some of its actions."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Redo:
    """A seat repeats actions that it took back."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat asks to go back to when `at` events had happened: an undo vote begins."""

    seat: int
    at: int
    asked: tuple[int, ...] | None = None  # the seats that must agree; older logs do not tell


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat agrees to an undo vote or ends it. The seat that asked can end it too."""

    seat: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Lapse:
    """The undo vote of a seat ends, because not all have answered in time."""

    seat: int


@dataclass(frozen=True, slots=True)
class Back:
    """The game goes back to when `at` events had happened, as a seat has asked."""

    seat: int
    at: int


@dataclass(frozen=True, slots=True)
class Note:
    """Settings of the table change to these values."""

    settings: Mapping[str, Any]


LogEntry: TypeAlias = Shuffle | Deal | Reveal | Act | Hold | Prepare | Undo | Redo | Ask | Answer | Lapse | Back | Note
Written: TypeAlias = tuple[str, dict[str, Any]]  # kind and content
# Entries whose content is their fields, by the kind under which they are stored.
FIELD_BY_FIELD: Final[Mapping[str, type[Undo | Redo | Answer | Lapse | Back]]] = {
    "undo": Undo,
    "redo": Redo,
    "answer": Answer,
    "lapse": Lapse,
    "back": Back,
}
_KINDS: Final = {entry: kind for kind, entry in FIELD_BY_FIELD.items()}


def written(what: LogEntry, figures: Figures) -> Written:
    """Return the kind and content under which an entry is stored. An action must have a single number."""
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
        case Hold(seat, number):
            return "stage", {"seat": seat, "do": to_text(number, figures)}
        case Prepare(seat, numbers):
            return "prepare", {"seat": seat, "do": [to_text(number, figures) for number in numbers]}
        case Ask(seat, at, asked):
            return "wish", {"seat": seat, "at": at} | ({} if asked is None else {"asked": list(asked)})
        case Undo() | Redo() | Answer() | Lapse() | Back():
            return _KINDS[type(what)], asdict(what)
        case Note(settings):
            return "note", dict(settings)


def rows_of(
    entries: Iterable[LogEntry],
    number: int,
    at: datetime,
    figures: Figures,
    settings: Mapping[str, Any] | None = None,
) -> list[LogRow]:
    """Return rows for entries that follow the first `number` entries; the first row holds `settings`, if given."""
    rows = [LogRow(each, *written(what, figures), at) for each, what in enumerate(entries, start=number + 1)]
    if settings is not None:
        rows[0].content[SETTINGS] = settings
    return rows


def read(kind: str, content: Mapping[str, Any], figures: Figures) -> LogEntry:
    """Return the entry that was stored. If it is damaged, raises one of several errors (see `state.DAMAGED`)."""
    match kind:
        case "shuffle":
            return Shuffle(_secret(content), content.get("salt", ""))
        case "deal":
            return Deal(*(tuple(_card(name, figures) for name in content[deck]) for deck in ("destination", "link")))
        case "reveal":
            return Reveal(_card(content["card"], figures))
        case "act":
            return Act(content["seat"], tuple(from_text(content["do"], figures)))
        case "stage":
            (number,) = from_text(content["do"], figures)
            return Hold(content["seat"], number)
        case "prepare":
            return Prepare(
                content["seat"], tuple(number for text in content["do"] for number in from_text(text, figures))
            )
        case "wish":
            asked = content.get("asked")
            return Ask(content["seat"], content["at"], None if asked is None else tuple(asked))
        case _ if kind in FIELD_BY_FIELD:
            entry = FIELD_BY_FIELD[kind]
            return entry(*(content[field.name] for field in fields(entry)))
        case "note":
            return Note(content)
    raise BadRecord("not-an-event")


def _secret(content: Mapping[str, Any]) -> Secret:
    """Return the key or the seed of a shuffle. Raises `BadRecord` for a scheme of a later program."""
    scheme = content.get("scheme", SEEDED)
    secret: Secret = content["key" if scheme else "seed"]
    if scheme not in (KEYED, SEEDED) or not (is_key(secret) if scheme else is_seed(secret)):
        raise BadRecord("not-an-event")
    return secret


def _card(name: str, figures: Figures) -> int:
    """Return the number of a card by its name."""
    card = find_card(name, figures)
    if card is None:
        raise BadRecord("not-an-event")
    return card
