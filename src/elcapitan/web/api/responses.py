"""What programs get: every answer, key by key, and how it is made from a table.

A later edition may add keys; none of these goes or changes. The OpenAPI document is generated from these types, and
calls each of them by its name without `Json`. All of it comes from the service's `Table`, whose game was told its
cards one by one and does not know those to come, so there is nothing secret to leak.
"""

from datetime import datetime
from typing import Annotated, Any, Literal, cast

from pydantic import Field
from typing_extensions import TypedDict

from elcapitan.actions.text import to_text, voyage_to_text
from elcapitan.bots.chances import Chances
from elcapitan.game.game import RULES_VERSION
from elcapitan.game.history import action_groups
from elcapitan.players.external import entry
from elcapitan.players.seats import Suggestion
from elcapitan.records.json_record import ResultJson, result_of
from elcapitan.records.view_json import PositionJson, view_to_json
from elcapitan.service import Rights, Table
from elcapitan.service.clock import Clocks
from elcapitan.store.game_store import ChatLine
from elcapitan.web.api.requests import TypedAction, TypedJson

Seats = Annotated[list[int], Field(description="Seats, from 0, ascending")]
Moment = Annotated[str, Field(description="A moment as ISO 8601 writes it", examples=["2026-05-01T20:00:00+00:00"])]

# ------------------------------------------------------------------------------------------------ games, keys, levels


class SeatKeyJson(TypedDict):
    """A key to a seat, told only once."""

    seat: int
    key: str
    link: Annotated[str, Field(description="For a browser: whoever opens it has the seat")]


class CreatedJson(TypedDict):
    """A new table, with the keys to it. They are told only here: keep them."""

    game: Annotated[str, Field(description="The name of the game in all further addresses")]
    number: int
    host_key: Annotated[str, Field(description="Opens everything the host may do, and the seats of `human`")]
    watch_key: Annotated[str, Field(description="Opens the table to look on")]
    seat_keys: list[SeatKeyJson]
    link: Annotated[str, Field(description="For the host's browser")]
    watch_link: str


class JoinedJson(TypedDict):
    """What a key or a phrase opens."""

    game: str
    role: Annotated[str, Field(description="`host`, `watch`, or a seat such as `seat-1`")]
    seat: int | None
    key: Annotated[str, Field(description="To be sent from now on; for a phrase it is a new one")]


class MadeKeyJson(TypedDict):
    """A further key, told only once."""

    role: str
    kind: Literal["link", "phrase"]
    key: Annotated[str, Field(description="The key, or the phrase")]
    link: Annotated[str, Field(description="For a browser; a phrase has none")]


class LevelJson(TypedDict):
    """A level of the computer players."""

    name: Annotated[str, Field(description="What to send", examples=["captain"])]
    title: Annotated[str, Field(description="What people call it")]
    about: Annotated[str, Field(description="What it sees")]


class LevelsJson(TypedDict):
    """All levels, from the weakest to the strongest."""

    levels: list[LevelJson]


# ------------------------------------------------------------------------------------------------------------ a table


class SetUpJson(TypedDict):
    """What the table has agreed to play."""

    rules: Annotated[str, Field(description="The version of the rules")]
    board: str
    players: int
    tiles: list[str]
    first: int
    options: dict[str, bool]


class SeatedJson(TypedDict):
    """Who sits in a seat."""

    player: Annotated[str, Field(description="`friend`, `human` or a level")]
    name: str
    colour: int
    present: Annotated[bool, Field(description="Whether its person follows the table now")]
    stand_in: Annotated[str, Field(description="The level that plays for an absent person, if one does")]


class YouJson(TypedDict):
    """What the key of the request opens."""

    host: bool
    seats: Seats


class WishSeenJson(TypedDict):
    """A wish to go back, which those concerned are asked about."""

    seat: int
    at: int
    agreed: Seats
    waiting: Seats
    until: Annotated[Moment | None, Field(description="When it lapses, unless all have agreed by then")]


class ClocksSeenJson(TypedDict):
    """The time that each seat has left."""

    kind: Literal["turn", "bank"]
    left: Annotated[list[float], Field(description="Seconds of each seat, at the moment `at`")]
    at: Moment
    running: int | None
    due: Moment | None


class GameSeenJson(TypedDict):
    """A table as the holder of a key sees it."""

    game: str
    number: Annotated[int, Field(description="Send it with whatever was decided at this table")]
    version: Annotated[str, Field(description="Another one whenever anything shown has changed")]
    title: str
    created: Moment
    changed: Moment
    setup: SetUpJson
    seats: list[SeatedJson]
    you: YouJson
    deciding: Annotated[int | None, Field(description="Whose turn it is; `null` before it begins and when it is over")]
    yours: Annotated[bool, Field(description="Whether you are to decide")]
    thinking: Annotated[bool, Field(description="Whether a computer player is to decide")]
    events: Annotated[int, Field(description="How many events have happened")]
    turn_begins: Annotated[int, Field(description="How many had happened when the running turn began")]
    undoable: int
    redoable: int
    position: PositionJson
    wish: WishSeenJson | None
    clocks: ClocksSeenJson | None
    chat: Annotated[bool, Field(description="Whether people can talk at this table")]
    hints: Annotated[bool, Field(description="Whether people may ask for hints")]
    commitment: Annotated[
        str,
        Field(description="The hash of key (or seed) and salt of the shuffle, which are told when the game is over"),
    ]
    frozen: Annotated[str | None, Field(description="Why the game can be looked at only, if it is so, as a code")]
    ended: Annotated[bool, Field(description="Whether the host has ended the game")]
    result: Annotated[ResultJson | None, Field(description="Of a game that was played to its end")]


def table_to_json(table: Table, rights: Rights) -> GameSeenJson:
    """Return a table as a key with these rights shows it. Only `you` and `yours` depend on the rights."""
    game, settings = table.game, table.settings
    return {
        "game": table.id,
        "number": table.number,
        "version": table.version,
        "title": settings.title,
        "created": table.created.isoformat(),
        "changed": table.changed.isoformat(),
        "setup": _set_up(table),
        "seats": _seats(table),
        "deciding": table.deciding,
        "thinking": table.thinking,
        "events": len(game.events),
        "turn_begins": table.turn_begins,
        "undoable": table.undoable,
        "redoable": table.redoable,
        "position": view_to_json(game.view_for(0), game.figures),
        "wish": _wish(table),
        "clocks": _clocks(table.clocks, table.read_at),
        "chat": settings.chat,
        "hints": settings.hints,
        "commitment": table.commitment,
        "frozen": table.frozen.problem.reason if table.frozen else None,
        "ended": settings.ended,
        "result": result_of(game) if game.over else None,
        "you": rights_to_json(rights),
        "yours": is_yours(table, rights),
    }


def rights_to_json(rights: Rights) -> YouJson:
    """Return what a key with these rights opens."""
    return {"host": rights.host, "seats": sorted(rights.seats)}


def is_yours(table: Table, rights: Rights) -> bool:
    """Whether a key with these rights is to decide."""
    seat = table.deciding
    return seat is not None and seat in rights.seats and table.human(seat) and table.frozen is None


def _set_up(table: Table) -> SetUpJson:
    """What the table has agreed to play."""
    setup = table.game.setup
    return {
        "rules": RULES_VERSION,
        "board": table.game.figures.name,
        "players": setup.players,
        "tiles": list(setup.tiles),
        "first": setup.first,
        "options": dict(setup.options),
    }


def _seats(table: Table) -> list[SeatedJson]:
    """Who sits in each seat."""
    return [
        {
            "player": seat.player,
            "name": seat.name,
            "colour": seat.colour,
            "present": number in table.present,
            "stand_in": seat.stand_in,
        }
        for number, seat in enumerate(table.settings.seats)
    ]


def _wish(table: Table) -> WishSeenJson | None:
    """The wish to go back that is open, if one is."""
    wish = table.undo_vote
    if wish is None:
        return None
    return {
        "seat": wish.seat,
        "at": wish.at,
        "agreed": sorted(wish.agreed),
        "waiting": sorted(wish.waiting),
        "until": wish.until.isoformat() if wish.until else None,
    }


def _clocks(clocks: Clocks | None, now: datetime) -> ClocksSeenJson | None:
    """The clocks, with the moment they are read at because they run on."""
    if clocks is None:
        return None
    return {
        "kind": cast(Literal["turn", "bank"], clocks.kind),
        "left": [round(seconds, 1) for seconds in clocks.left],
        "at": now.isoformat(),
        "running": clocks.running,
        "due": clocks.due.isoformat() if clocks.due else None,
    }


# ------------------------------------------------------------------------------------------------- what can be played


class PossibleJson(TypedDict):
    """A legal action in its three forms, each of which can be sent."""

    action: Annotated[int, Field(description="Its number, the same in every position")]
    text: str
    typed: TypedAction


class PossibilitiesJson(TypedDict):
    """Everything that is legal now."""

    number: int
    deciding: int | None
    yours: bool
    actions: list[PossibleJson]


def legal_to_json(table: Table, rights: Rights) -> PossibilitiesJson:
    """Return everything legal now, each action in its three forms."""
    figures = table.game.figures
    legal = [] if table.deciding is None else table.game.legal()
    return {
        "number": table.number,
        "deciding": table.deciding,
        "yours": is_yours(table, rights),
        "actions": [
            {"action": number, "text": to_text(number, figures), "typed": cast(TypedJson, entry(number, figures))}
            for number in legal
        ],
    }


class SuggestedJson(TypedDict):
    """An action that a computer player would take, and how its turn would go on."""

    actions: Annotated[list[int], Field(description="Its numbers: several for a voyage of the pirate")]
    text: str
    later: Annotated[list[str], Field(description="What would follow in the same turn")]
    win: Annotated[float | None, Field(description="The chance to win, from 0 to 1")]
    money: Annotated[list[float] | None, Field(description="What each seat would have at the end")]


class HintJson(TypedDict):
    """What a computer player would do, the best first."""

    number: int
    suggestions: list[SuggestedJson]


def suggestion_to_json(suggestion: Suggestion, table: Table) -> SuggestedJson:
    """Return a suggestion with the texts of its actions."""
    figures = table.game.figures
    return {
        "actions": list(suggestion.actions),
        "text": voyage_to_text(suggestion.actions, figures),
        "later": [voyage_to_text(group, figures) for group in action_groups(suggestion.later)],
        "win": None if suggestion.win is None else float(suggestion.win),
        "money": None if suggestion.money is None else [float(money) for money in suggestion.money],
    }


class SeatChancesJson(TypedDict):
    """What a seat can expect."""

    win: Annotated[float, Field(description="The share of the win, from 0 to 1; all shares together are 1")]
    money: Annotated[float, Field(description="What it would have at the end")]
    spread: Annotated[float, Field(description="How far from that it usually is: the standard deviation")]


class ChancesJson(TypedDict):
    """What all seats can expect, as a network judges the position."""

    number: int
    seats: Annotated[
        list[SeatChancesJson] | None, Field(description="In their order; `null` on a board that no network has learned")
    ]


def chances_to_json(number: int, chances: Chances | None) -> ChancesJson:
    """Return what all seats can expect at a table with this number."""
    if chances is None:
        return {"number": number, "seats": None}
    each = zip(chances.win, chances.money, chances.spread, strict=True)
    return {"number": number, "seats": [{"win": win, "money": money, "spread": apart} for win, money, apart in each]}


# --------------------------------------------------------------------------------------------------- chat and stream


class SaidJson(TypedDict):
    """A line that was said at the table."""

    number: int
    at: Moment
    seat: Annotated[int | None, Field(description="Who said it; nobody in particular if `null`")]
    text: str


class TalkJson(TypedDict):
    """What was said last, the oldest first."""

    chat: bool
    lines: list[SaidJson]


class NewsJson(TypedDict):
    """One message of the event stream: what is new since the one before it."""

    since: Annotated[int, Field(description="So many events stand as they were told; what was told after them is void")]
    events: Annotated[
        list[dict[str, Any]], Field(description="What has happened after these, in the form of JSON records")
    ]
    lines: Annotated[list[SaidJson], Field(description="What was said")]
    state: GameSeenJson


def line_to_json(line: ChatLine) -> SaidJson:
    """Return a line of the chat."""
    return {"number": line.number, "at": line.at.isoformat(), "seat": line.seat, "text": line.text}
