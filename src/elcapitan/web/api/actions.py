"""Actions as programs send and get them: the typed forms of docs/notation.md, each with its keys and their limits."""

from typing import Annotated, Any, Final, Literal, NotRequired, TypeAlias, cast

from pydantic import BeforeValidator, ConfigDict, FailFast, Field, with_config
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from elcapitan.actions.text import from_text
from elcapitan.actions.typed import Typed, numbers_of
from elcapitan.board.figures import Figures
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.vocabulary import CARDS, MOST_FLORINS, SEATS, SITES, SPACES
from elcapitan.players.protocol import LANDING, PIRATE_LEG, number_of

LONGEST_NAME: Final = 40  # of a card or a city; a board file could not give longer ones
LONGEST_TEXT: Final = 1000  # of an action; a voyage of the pirate names many cards
LONGEST_TURN: Final = 100  # actions in one request
MOST_KEYS: Final = 20  # keys of a JSON object; the largest, a new table, has thirteen
STRICT: Final = ConfigDict(strict=True, extra="forbid")  # exactly these keys, and no word or truth value as a number


def check_few_keys(content: Any) -> Any:
    """Refuse an object with far too many keys before each of them is looked at."""
    if isinstance(content, dict) and len(content) > MOST_KEYS:
        raise PydanticCustomError("too_many_keys", "an object with too many keys")
    return content


CardName = Annotated[
    str,
    Field(min_length=1, max_length=LONGEST_NAME, description="Name of a sailing card", examples=["Marseille/3"]),
]
CityName = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME, description="Name of a city", examples=["Marseille"])
]
Harbour = Annotated[int, Field(ge=1, le=SPACES, description="Harbour space, from 1")]
Shift = Annotated[
    Annotated[int, Field(ge=1, le=SPACES)] | None,
    Field(description="The space to which the ship there is shifted, if one is there"),
]
Use = Annotated[Literal["destination", "route", "link"], Field(description="How the card is used")]


@with_config(STRICT)
class BuyJson(TypedDict):
    """Buy a card of the display."""

    do: Literal["buy"]
    card: CardName


@with_config(STRICT)
class HouseJson(TypedDict):
    """Build or re-open a warehouse."""

    do: Literal["build", "reopen"]
    site: Annotated[int, Field(ge=1, le=SITES, description="Site, from 1")]
    colour: Literal["main", "neutral"]


@with_config(STRICT)
class AloneJson(TypedDict):
    """Do what needs no more than its name."""

    do: Literal["fortress", "end", "pass"]


@with_config(STRICT)
class LendingJson(TypedDict):
    """Take, repay or extend a loan."""

    do: Literal["loan", "repay", "extend"]
    amount: Annotated[int, Field(ge=1, le=MOST_FLORINS, description="Amount of the loan")]


@with_config(STRICT)
class StarterJson(TypedDict):
    """Name the starting player."""

    do: Literal["starter"]
    who: Annotated[int, Field(ge=0, le=SEATS - 1, description="Seat, from 0")]


# A key called `as` cannot be written in a class.
SailJson = TypedDict("SailJson", {"do": Literal["sail"], "card": CardName, "as": Use, "to": CityName})
LegJson = TypedDict("LegJson", {"card": CardName, "as": Use, "to": CityName})
PirateSailJson = TypedDict(
    "PirateSailJson", {"do": Literal["pirate_sail"], "card": CardName, "as": Use, "to": CityName}
)
for _shape, _description in (
    (SailJson, "Use a card to sail."),
    (LegJson, "A card of a voyage of the pirate."),
    (PirateSailJson, "One card of a voyage of the pirate, by itself."),
):
    with_config(STRICT)(_shape).__doc__ = _description


@with_config(STRICT)
class PirateJson(TypedDict):
    """Move the pirate; a voyage by cards as a whole."""

    do: Literal["pirate"]
    by: Literal["free", "money", "cards"]
    cards: NotRequired[
        Annotated[list[Annotated[LegJson, BeforeValidator(check_few_keys)]], FailFast(), Field(max_length=CARDS)]
    ]
    to: CityName
    harbour: Harbour
    shift: NotRequired[Shift]


@with_config(STRICT)
class PirateLandJson(TypedDict):
    """End a voyage of the pirate that was made card by card."""

    do: Literal["pirate_land"]
    harbour: Harbour
    shift: NotRequired[Shift]


TypedJson: TypeAlias = (
    BuyJson
    | SailJson
    | HouseJson
    | AloneJson
    | LendingJson
    | StarterJson
    | PirateJson
    | PirateSailJson
    | PirateLandJson
)
TypedAction = Annotated[
    TypedJson, Field(discriminator="do", description="An action in its typed form"), BeforeValidator(check_few_keys)
]
Number = Annotated[int, Field(ge=0, lt=N_ACTIONS, description="An action by its number", examples=[0])]
Text = Annotated[
    str,
    Field(min_length=1, max_length=LONGEST_TEXT, description="An action as text", examples=["buy Marseille/3"]),
]
SentAction = Number | Text | TypedAction


def numbers_of_sent(action: int | str | TypedJson, figures: Figures) -> list[int]:
    """Return the numbers of an action in any form: several for a voyage of the pirate, one for any other."""
    if isinstance(action, int):
        return [action]
    if isinstance(action, str):
        return from_text(action, figures)
    typed = cast(Typed, action)
    return [number_of(typed, figures)] if typed["do"] in (PIRATE_LEG, LANDING) else numbers_of(typed, figures)
