"""Actions as programs send and get them: the typed forms of docs/notation.md, each with its keys and their limits."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field, model_validator
from pydantic_core import PydanticCustomError

from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.vocabulary import CARDS, MOST_FLORINS, SEATS, SITES, SPACES
from elcapitan.figures import Figures
from elcapitan.notation.actions import from_text
from elcapitan.notation.typed import numbers_of
from elcapitan.players.protocol import LANDING, PIRATE_LEG, number_of

LONGEST_NAME: Final = 40  # of a card or a city; a board file could not give longer ones
LONGEST_TEXT: Final = 1000  # of an action; a voyage of the pirate names many cards
LONGEST_TURN: Final = 100  # actions in one request
MOST_KEYS: Final = 20  # keys of a JSON object; the largest, a new table, has thirteen


class Strict(BaseModel):
    """Something a program sends: exactly these keys, and no word or truth value where a number is wanted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, validate_by_name=False)

    @model_validator(mode="before")
    @classmethod
    def _few_keys(cls, content: Any) -> Any:
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
    Field(default=None, description="The space to which the ship there is shifted, if one is there"),
]
Use = Annotated[Literal["destination", "route", "link"], Field(alias="as", description="How the card is used")]


class Buy(Strict):
    """Buy a card of the display."""

    do: Literal["buy"]
    card: CardName


class Sail(Strict):
    """Use a card to sail."""

    do: Literal["sail"]
    card: CardName
    use: Use
    to: CityName


class House(Strict):
    """Build or re-open a warehouse."""

    do: Literal["build", "reopen"]
    site: Annotated[int, Field(ge=1, le=SITES, description="Site, from 1")]
    colour: Literal["main", "neutral"]


class Alone(Strict):
    """What needs no more than its name."""

    do: Literal["fortress", "end", "pass"]


class Lending(Strict):
    """Take, repay or extend a loan."""

    do: Literal["loan", "repay", "extend"]
    amount: Annotated[int, Field(ge=1, le=MOST_FLORINS, description="Amount of the loan")]


class Starter(Strict):
    """Name the starting player."""

    do: Literal["starter"]
    who: Annotated[int, Field(ge=0, le=SEATS - 1, description="Seat, from 0")]


class Leg(Strict):
    """A card of a voyage of the pirate."""

    card: CardName
    use: Use
    to: CityName


class Pirate(Strict):
    """Move the pirate; a voyage by cards as a whole."""

    do: Literal["pirate"]
    by: Literal["free", "money", "cards"]
    cards: Annotated[list[Leg], FailFast(), Field(default_factory=list, max_length=CARDS)]
    to: CityName
    harbour: Harbour
    shift: Shift


class PirateSail(Strict):
    """One card of a voyage of the pirate, by itself."""

    do: Literal["pirate_sail"]
    card: CardName
    use: Use
    to: CityName


class PirateLand(Strict):
    """The end of a voyage of the pirate that was made card by card."""

    do: Literal["pirate_land"]
    harbour: Harbour
    shift: Shift


Typed = Annotated[
    Buy | Sail | House | Alone | Lending | Starter | Pirate | PirateSail | PirateLand,
    Field(discriminator="do", description="An action in its typed form"),
]
Number = Annotated[int, Field(ge=0, lt=N_ACTIONS, description="An action by its number", examples=[0])]
Text = Annotated[
    str,
    Field(min_length=1, max_length=LONGEST_TEXT, description="An action as text", examples=["buy Marseille/3"]),
]
Deed = Number | Text | Typed


def numbers(deed: int | str | BaseModel, figures: Figures) -> list[int]:
    """The numbers of an action, whatever its form: several for a voyage of the pirate, one for any other."""
    if isinstance(deed, int):
        return [deed]
    if isinstance(deed, str):
        return from_text(deed, figures)
    typed = deed.model_dump(by_alias=True)
    return [number_of(typed, figures)] if typed["do"] in (PIRATE_LEG, LANDING) else numbers_of(typed, figures)
