"""What programs get: every answer, key by key. A later edition may add keys; none of these goes or changes."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from elcapitan.web.api.board import Position
from elcapitan.web.api.deeds import Typed

Seats = Annotated[list[int], Field(description="Seats, from 0, ascending")]
Moment = Annotated[str, Field(description="A moment as ISO 8601 writes it", examples=["2026-05-01T20:00:00+00:00"])]


class Refusal(BaseModel):
    """Why something was not done."""

    code: Annotated[str, Field(description="A name that stays the same in all languages", examples=["stale-move"])]
    message: Annotated[str, Field(description="One sentence in the language of `Accept-Language`")]
    rule: Annotated[str, Field(description="The rule that forbids it, if one does", examples=["G-06"])]


class Refused(BaseModel):
    """An answer to what was not done."""

    error: Refusal


class SeatKey(BaseModel):
    """A key to a seat, told only once."""

    seat: int
    key: str
    link: Annotated[str, Field(description="For a browser: whoever opens it has the seat")]


class Created(BaseModel):
    """A new table, with the keys to it. They are told only here: keep them."""

    game: Annotated[str, Field(description="The name of the game in all further addresses")]
    number: int
    host_key: Annotated[str, Field(description="Opens everything the host may do, and the seats of `human`")]
    watch_key: Annotated[str, Field(description="Opens the table to look on")]
    seat_keys: list[SeatKey]
    link: Annotated[str, Field(description="For the host's browser")]
    watch_link: str


class Joined(BaseModel):
    """What a key or a phrase opens."""

    game: str
    role: Annotated[str, Field(description="`host`, `watch`, or a seat such as `seat-1`")]
    seat: int | None
    key: Annotated[str, Field(description="To be sent from now on; for a phrase it is a new one")]


class MadeKey(BaseModel):
    """A further key, told only once."""

    role: str
    kind: Literal["link", "phrase"]
    key: Annotated[str, Field(description="The key, or the phrase")]
    link: Annotated[str, Field(description="For a browser; a phrase has none")]


class Level(BaseModel):
    """A level of the computer players."""

    name: Annotated[str, Field(description="What to send", examples=["captain"])]
    title: Annotated[str, Field(description="What people call it")]
    about: Annotated[str, Field(description="What it sees")]


class Levels(BaseModel):
    """All levels, from the weakest to the strongest."""

    levels: list[Level]


class SetUp(BaseModel):
    """What is played."""

    rules: Annotated[str, Field(description="The version of the rules")]
    board: str
    players: int
    tiles: list[str]
    first: int
    options: dict[str, bool]


class Seated(BaseModel):
    """Who sits in a seat."""

    player: Annotated[str, Field(description="`friend`, `human` or a level")]
    name: str
    colour: int
    present: Annotated[bool, Field(description="Whether its person follows the table now")]
    stand_in: Annotated[str, Field(description="The level that plays for an absent person, if one does")]


class You(BaseModel):
    """What the key of the request opens."""

    host: bool
    seats: Seats


class WishSeen(BaseModel):
    """A wish to go back, which those concerned are asked about."""

    seat: int
    at: int
    agreed: Seats
    waiting: Seats
    until: Annotated[Moment | None, Field(description="When it lapses, unless all have agreed by then")]


class ClocksSeen(BaseModel):
    """Everybody's time."""

    kind: Literal["turn", "bank"]
    left: Annotated[list[float], Field(description="Seconds of each seat, at the moment `at`")]
    at: Moment
    running: int | None
    due: Moment | None


class Result(BaseModel):
    """How a game ended."""

    money: list[int]
    ranks: list[int]
    winners: Seats


class GameSeen(BaseModel):
    """A table as the holder of a key sees it."""

    game: str
    number: Annotated[int, Field(description="Send it with whatever was decided at this table")]
    version: Annotated[str, Field(description="Another one whenever anything shown has changed")]
    title: str
    created: Moment
    changed: Moment
    setup: SetUp
    seats: list[Seated]
    you: You
    deciding: Annotated[int | None, Field(description="Whose turn it is; nobody's when the game is over")]
    yours: Annotated[bool, Field(description="Whether you are to decide")]
    thinking: Annotated[bool, Field(description="Whether a computer player is to decide")]
    events: Annotated[int, Field(description="How many events have happened")]
    turn_begins: Annotated[int, Field(description="How many had happened when the running turn began")]
    undoable: int
    redoable: int
    position: Position
    wish: WishSeen | None
    clocks: ClocksSeen | None
    chat: Annotated[bool, Field(description="Whether people can talk at this table")]
    hints: Annotated[bool, Field(description="Whether people may ask for hints")]
    commitment: Annotated[
        str,
        Field(description="The hash of key (or seed) and salt of the shuffle, which are told when the game is over"),
    ]
    frozen: Annotated[str | None, Field(description="Why the game can be looked at only, if it is so, as a code")]
    ended: Annotated[bool, Field(description="Whether the host has ended the game")]
    result: Annotated[Result | None, Field(description="Of a game that was played to its end")]


class Possible(BaseModel):
    """A legal action in its three forms, each of which can be sent."""

    action: Annotated[int, Field(description="Its number, the same in every position")]
    text: str
    typed: Typed


class Possibilities(BaseModel):
    """Everything legal now."""

    number: int
    deciding: int | None
    yours: bool
    actions: list[Possible]


class Suggested(BaseModel):
    """An action that a computer player would take, and how its turn would go on."""

    actions: Annotated[list[int], Field(description="Its numbers: several for a voyage of the pirate")]
    text: str
    later: Annotated[list[str], Field(description="What would follow in the same turn")]
    win: Annotated[float | None, Field(description="The chance to win, from 0 to 1")]
    money: Annotated[list[float] | None, Field(description="What everybody would have at the end")]


class Hint(BaseModel):
    """What a computer player would do, the best first."""

    number: int
    suggestions: list[Suggested]


class Said(BaseModel):
    """A line that somebody said."""

    number: int
    at: Moment
    seat: Annotated[int | None, Field(description="Who said it; nobody in particular if `null`")]
    text: str


class Talk(BaseModel):
    """What was said last, the oldest first."""

    chat: bool
    lines: list[Said]


class News(BaseModel):
    """One message of the event stream: what is new since the one before it."""

    since: Annotated[int, Field(description="So many events stand as they were told; what was told after them is void")]
    events: Annotated[
        list[dict[str, Any]], Field(description="What has happened after these, in the form of JSON records")
    ]
    lines: Annotated[list[Said], Field(description="What was said")]
    state: GameSeen
