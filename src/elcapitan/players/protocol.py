"""What a game and a program in one of its seats say to each other: the protocol `elcapitan-bot/1`, message by message.

    we say   {"type": "hello", "protocol": "elcapitan-bot/1", "rules": "1", "players": 4, "seat": 2, ...}
    it says  {"type": "ready", "name": "cheapest"}
    we say   {"type": "choose", "move": 17, "seat": 2, "position": {...}, "legal": [{...}, ...], "seconds": 5.0}
    it says  {"type": "action", "move": 17, "choose": 3}
    or       {"type": "action", "move": 17, "do": "buy", "card": "Marseille/3"}
    we say   {"type": "over", "money": [...], "ranks": [...], "winners": [...]}

Every legal action number has exactly one entry in "legal", in the order of the numbers. These are typed actions, as in
records; but a voyage of the pirate by cards, which a record holds as a whole, is made here piece by piece:

    {"do": "pirate_sail", "card": "Tunis/1", "as": "destination", "to": "Tunis"}
    {"do": "pirate_land", "harbour": 1, "shift": null}

How the messages travel is not said here.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from elcapitan.actions.union import BERTHS, decode_leg
from elcapitan.board_file import short
from elcapitan.engine.actions import FREE_PIRATE, PIRATE_LAND, PIRATE_SAIL, SAIL
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.errors import BadAction, BadAnswer
from elcapitan.figures import Figures
from elcapitan.game import RULES_VERSION
from elcapitan.notation.actions import to_text
from elcapitan.notation.typed import (
    PIRATE_BY,
    Typed,
    berth_to_typed,
    is_voyage_piece,
    leg_to_typed,
    numbers_of,
    to_typed,
)
from elcapitan.notation.view_json import view_to_json
from elcapitan.setup import Setup

PROTOCOL: Final = "elcapitan-bot/1"
PIRATE_LEG, LANDING = "pirate_sail", "pirate_land"
ANY_BERTH: Final = {"do": "pirate", "by": "free", "cards": [], "to": CITY_NAMES[0]}  # what a landing shares with a move
NAME_LENGTH: Final = 30

# ------------------------------------------------------------------------------------------------------- what we say


def hello(setup: Setup, seat: int, figures: Figures) -> dict[str, Any]:
    """The first message: the game that is about to be played, and the printed figures it is played with."""
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "rules": RULES_VERSION,
        "players": setup.players,
        "tiles": list(setup.tiles),
        "board": figures.name,
        "seat": seat,
        "options": dict(setup.options),
        "prices": dict(zip(figures.cards, figures.board.card_price.tolist(), strict=True)),
        "figures": {key: figure.value for key, figure in figures.printed.items() if not key.startswith("cards.")},
    }


def question(move: int, view: States, legal: Sequence[int], seconds: float, figures: Figures) -> dict[str, Any]:
    """What a seat is to decide, and everything it may know."""
    return {
        "type": "choose",
        "move": move,
        "seat": int(view[0].seat),
        "position": view_to_json(view, figures),
        "legal": [entry(number, figures) for number in legal],
        "seconds": seconds,
    }


def farewell(result: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """The last message: how the game ended."""
    return {"type": "over", **result}


def to_line(message: Mapping[str, Any]) -> bytes:
    """A message as one line, in the order of its keys and without spaces, so that even sed can read it."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def entry(number: int, figures: Figures) -> Typed:
    """A legal action as it stands in the list."""
    if number >= PIRATE_LAND:
        return {"do": LANDING, **berth_to_typed(BERTHS[number - PIRATE_LAND])}
    if is_voyage_piece(number):
        return {"do": PIRATE_LEG, **leg_to_typed(decode_leg(number - PIRATE_SAIL, figures), figures)}
    return to_typed(number, figures)


# ---------------------------------------------------------------------------------------------------- what is answered


def from_line(line: bytes) -> dict[str, Any]:
    """The message of one line; `BadAnswer` if there is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise BadAnswer("bot-not-json", found=short(line.decode(errors="replace").strip()))
    return message


def name_in(answer: Mapping[str, Any]) -> str:
    """The name of a program that is ready; nothing if it does not tell one."""
    _expect(answer, "ready")
    name = answer.get("name")
    return "".join(filter(str.isprintable, name)).strip()[:NAME_LENGTH] if isinstance(name, str) else ""


def action_in(answer: Mapping[str, Any], move: int, legal: Sequence[int], figures: Figures) -> int:
    """The legal action that an answer chooses, by its place in the list or as it stands there."""
    _expect(answer, "action")
    found = answer.get("move")
    if type(found) is not int or found != move:
        raise BadAnswer("bot-wrong-move", found=short(found), wanted=move)
    if "choose" in answer:
        return _chosen(answer["choose"], legal)
    if "do" not in answer:
        raise BadAnswer("bot-no-choice")
    number = number_of({key: value for key, value in answer.items() if key not in ("type", "move")}, figures)
    if number not in legal:
        raise BadAnswer("bot-illegal", action=to_text(number, figures))
    return number


def number_of(typed: Typed, figures: Figures) -> int:
    """The number of an action as it stands in the list; `BadAction` if it cannot stand there."""
    if typed.get("do") == PIRATE_LEG:
        return numbers_of({**typed, "do": "sail"}, figures)[0] - SAIL + PIRATE_SAIL
    if typed.get("do") == LANDING:
        return numbers_of({**typed, **ANY_BERTH}, figures)[0] - FREE_PIRATE + PIRATE_LAND
    number, *more = numbers_of(typed, figures)
    if more:  # a whole voyage
        raise BadAction("bad-value", key="by", found=short(typed["by"]), known=", ".join(PIRATE_BY))
    return number


def _chosen(place: object, legal: Sequence[int]) -> int:
    """The action at a place of the list, from 0."""
    if type(place) is not int or not 0 <= place < len(legal):
        raise BadAnswer("bot-bad-choice", found=short(place), most=len(legal) - 1)
    return legal[place]


def _expect(answer: Mapping[str, Any], wanted: str) -> None:
    """An answer of the right type."""
    if answer.get("type") != wanted:
        raise BadAnswer("bot-wrong-type", found=short(answer.get("type")), wanted=wanted)
