"""What programs send: every request has exactly these keys, and every value its limits."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field, model_validator

from elcapitan.bots.registry import LEVELS
from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.engine.vocabulary import COLOURS, SEATS
from elcapitan.game.setup import FEWEST
from elcapitan.service.seat_names import NAME_LENGTH
from elcapitan.service.settings import LONGEST, PERSONS, TITLE_LENGTH
from elcapitan.web.api.actions import LONGEST_TURN, STRICT, SentAction, check_few_keys

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

SeatNumber = Annotated[int, Field(ge=0, le=SEATS - 1, description="Seat, from 0")]
TableNumber = Annotated[
    int, Field(ge=0, le=HIGHEST_NUMBER, description="The `number` of the table this was decided at", examples=[11])
]
LevelName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=30,
        pattern="^[a-z]+$",
        description="A level of `/levels`",
        json_schema_extra={"enum": list(LEVELS)},
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
            pattern="^[a-z]+$",
            description="`friend`, a person or a program that comes with a key of its own; `human`, a person for whom "
            "the host decides; or a level of `/levels`",
            json_schema_extra={"enum": [*PERSONS, *LEVELS]},
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
