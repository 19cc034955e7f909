"""What programs send: every request and every action in it, with exactly these keys, and limits for every value.

Actions have the typed forms of docs/notation.md.
"""

from typing import Annotated, Any, Final, Literal, NotRequired, TypeAlias, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, model_validator, with_config
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from elcapitan.actions.text import from_text
from elcapitan.actions.typed import Typed, numbers_of
from elcapitan.board.figures import Figures
from elcapitan.bots.registry import AT_TABLES
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.engine.vocabulary import CARDS, COLOURS, MOST_FLORINS, SEATS, SITES, SPACES
from elcapitan.game.setup import FEWEST
from elcapitan.players.external import LANDING, PIRATE_LEG, number_of
from elcapitan.service.seat_names import NAME_LENGTH
from elcapitan.service.table_settings import LONGEST, PERSONS, TITLE_LENGTH

LONGEST_NAME: Final = 40  # of a card or a city; a board file could not give longer ones
LONGEST_TEXT: Final = 1000  # of an action; a voyage of the pirate names many cards
LONGEST_TURN: Final = 100  # actions in one request
MOST_KEYS: Final = 20  # keys of a JSON object; the largest, a new table, has thirteen
STRICT: Final = ConfigDict(strict=True, extra="forbid")  # exactly these keys, and no word or truth value as a number
HIGHEST_NUMBER: Final = 2**31 - 1
LONGEST_KEY: Final = 200
LONGEST_LINE: Final = 1000  # the table decides how much of it can be said
LONGEST_ADDRESS: Final = 500
TABLE: Final = {
    "seats": [{"player": "friend", "name": "Ana"}, {"player": "human"}, {"player": "captain"}],
    "tiles": ["Lisboa"],
    "clock": {"kind": "turn", "seconds": 86400},
}
TURN: Final = {"number": 11, "actions": ["buy Marseille/3", {"do": "buy", "card": "Tunis/1"}, 54]}


def check_few_keys(content: Any) -> Any:
    """Refuse an object with far too many keys before each of them is looked at."""
    if isinstance(content, dict) and len(content) > MOST_KEYS:
        raise PydanticCustomError("too_many_keys", "an object with too many keys")
    return content


# ---------------------------------------------------------------------------------------------------------- actions


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


# --------------------------------------------------------------------------------------------------------- requests


PLAYER: Final = "^[a-z]+(:strength=[0-9]+)?$"
SeatNumber = Annotated[int, Field(ge=0, le=SEATS - 1, description="Seat, from 0")]
TableNumber = Annotated[
    int, Field(ge=0, le=HIGHEST_NUMBER, description="The `number` of the table this was decided at", examples=[11])
]
LevelName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=30,
        pattern=PLAYER,
        description="A level of `/levels`",
        json_schema_extra={"enum": list(AT_TABLES)},
        examples=["captain"],
    ),
]


class Strict(BaseModel):
    """Something a program sends: exactly these keys, and no word or truth value where a number is wanted."""

    model_config = ConfigDict(**STRICT, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _few_keys(cls, content: Any) -> Any:
        return check_few_keys(content)


class NewSeat(Strict):
    """One seat of a new table."""

    player: Annotated[
        str,
        Field(
            min_length=1,
            max_length=30,
            pattern=PLAYER,
            description="`friend`, a person or a program that comes with a key of its own; `human`, a person for whom "
            "the host decides; or a level of `/levels`",
            json_schema_extra={"enum": [*PERSONS, *AT_TABLES]},
            examples=["friend"],
        ),
    ]
    name: Annotated[
        str, Field(default="", max_length=NAME_LENGTH, description="Without one, it is called by its colour")
    ]
    colour: Annotated[
        Annotated[int, Field(ge=0, le=COLOURS - 1)] | None,
        Field(default=None, description="Without one, the first that is free"),
    ]


class TableOptions(Strict):
    """Table options; what is left out is as usual."""

    buy_before_loan: bool | None = None
    reopen_shuts: bool | None = None
    pirate_before_loan: bool | None = None


class NewClock(Strict):
    """How long people may think; when the time is out, a computer player decides."""

    kind: Annotated[
        Literal["turn", "bank"], Field(description="So many seconds for each turn, or for all turns together")
    ]
    seconds: Annotated[int, Field(ge=1, le=LONGEST)]
    increment: Annotated[int, Field(default=0, ge=0, le=LONGEST, description="Seconds that each turn adds to a bank")]


class NewGame(Strict, json_schema_extra={"examples": [TABLE]}):
    """A table to be set up."""

    seats: Annotated[list[NewSeat], FailFast(), Field(min_length=FEWEST, max_length=SEATS)]
    tiles: Annotated[
        list[Literal["Porto", "Lisboa", "Islas Canarias"]],
        FailFast(),
        Field(default_factory=list, max_length=3, description="Cities of the expansion"),
    ]
    options: Annotated[TableOptions, Field(default_factory=TableOptions)]
    first: Annotated[SeatNumber | None, Field(default=None, description="Who begins; drawn by lot if not given")]
    title: Annotated[str, Field(default="", max_length=TITLE_LENGTH)]
    pace: Annotated[
        Literal["slow", "normal", "fast", "instant"], Field(default="normal", description="Of the computer players")
    ]
    forecast: Annotated[
        Literal["off", "own", "all"], Field(default="all", description="Whose payday the pages foretell")
    ]
    hints: Annotated[bool, Field(default=True, description="Whether people may ask for hints")]
    chat: Annotated[bool, Field(default=True, description="Whether people can talk at the table")]
    clock: Annotated[NewClock | None, Field(default=None)]
    webhook: Annotated[
        str,
        Field(default="", max_length=LONGEST_ADDRESS, description="An address that is told whose turn it is"),
    ]
    seed: Annotated[
        Annotated[int, Field(ge=0, le=HIGHEST_SEED)] | None,
        Field(
            default=None,
            description="The same seed gives the same cards; a public server refuses it",
        ),
    ]


class Joining(Strict):
    """The key of a link or a phrase that opens a table; one of them, not both."""

    key: Annotated[
        Annotated[str, Field(min_length=1, max_length=LONGEST_KEY)] | None,
        Field(default=None, description="What stands behind the # of a link"),
    ]
    phrase: Annotated[
        Annotated[str, Field(min_length=1, max_length=LONGEST_KEY)] | None,
        Field(default=None, description="Four words, however they are written", examples=["molu tasa vire kopi"]),
    ]


class NewKey(Strict):
    """A further key to a table."""

    role: Annotated[
        str,
        Field(
            pattern="^(host|watch|seat-[0-4])$",
            description="What it opens: `host`, `watch`, or a seat such as `seat-1`",
            examples=["seat-1"],
        ),
    ]
    kind: Annotated[
        Literal["link", "phrase"], Field(default="link", description="A phrase can be remembered; there is one a role")
    ]


class Acting(Strict, json_schema_extra={"examples": [TURN]}):
    """What the seat that is to move does: all of it, or nothing if one of the actions is not legal."""

    number: TableNumber
    actions: Annotated[
        list[SentAction],
        FailFast(),
        Field(min_length=1, max_length=LONGEST_TURN, description="Each by its number, as text or in typed form"),
    ]


class TakingBack(Strict):
    """How many actions of the running turn are taken back, or done again."""

    number: TableNumber
    count: Annotated[int, Field(default=1, ge=1, le=LONGEST_TURN)]


class Wishing(Strict):
    """A wish to go back further than one's own turn."""

    number: TableNumber
    at: Annotated[int, Field(ge=1, le=HIGHEST_NUMBER, description="To when so many events had happened")]
    seat: Annotated[SeatNumber | None, Field(default=None, description="Who wishes it, for those with several seats")]


class Answering(Strict):
    """An answer to such a wish."""

    number: TableNumber
    yes: bool
    seat: Annotated[SeatNumber | None, Field(default=None, description="Who answers, for those with several seats")]


class Saying(Strict):
    """A line that all at the table can read."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_LINE, examples=["Well sailed!"])]
    seat: Annotated[SeatNumber | None, Field(default=None, description="Who says it, for those with several seats")]


class StandingIn(Strict):
    """The level that plays for an absent person."""

    level: Annotated[
        LevelName | None, Field(description="A level of `/levels`; `null` hands the seat back to its person")
    ]


class Nothing(Strict):
    """An object without keys: `{}`."""
