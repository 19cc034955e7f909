"""The messages between a game and a program in one of its seats: the protocol `elcapitan-bot/1`.

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

`players.external` transports them.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from elcapitan.actions import union as act
from elcapitan.actions.text import to_text
from elcapitan.actions.typed import PIRATE_BY, Typed, actions_of, berth_to_typed, leg_to_typed, to_typed
from elcapitan.board.board_file import short
from elcapitan.board.figures import Figures
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.errors import BadAction, BadAnswer
from elcapitan.game.game import RULES_VERSION
from elcapitan.game.setup import Setup
from elcapitan.records.json_record import ResultJson
from elcapitan.records.view_json import view_to_json

PROTOCOL: Final = "elcapitan-bot/1"
PIRATE_LEG, LANDING = "pirate_sail", "pirate_land"
ANY_BERTH: Final = {"do": "pirate", "by": "free", "cards": [], "to": CITY_NAMES[0]}  # what a landing shares with a move
NAME_LENGTH: Final = 30

# ---------------------------------------------------------------------------------------------------------- requests


def hello(setup: Setup, seat: int, figures: Figures) -> dict[str, Any]:
    """Build the first message: the setup of the game, and the printed figures it is played with."""
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
    """Build the request for a decision, with everything the seat may know."""
    return {
        "type": "choose",
        "move": move,
        "seat": int(view[0].seat),
        "position": view_to_json(view, figures),
        "legal": [entry(number, figures) for number in legal],
        "seconds": seconds,
    }


def farewell(result: ResultJson) -> dict[str, Any]:
    """Build the last message: how the game ended."""
    return {"type": "over", **result}


def to_line(message: Mapping[str, Any]) -> bytes:
    """Encode a message as one line, in the order of its keys and without spaces, so that even sed can read it."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def entry(number: int, figures: Figures) -> Typed:
    """Encode a legal action for the list in a request."""
    match act.decode(number, figures):
        case act.SailPirate(leg):
            return {"do": PIRATE_LEG, **leg_to_typed(leg, figures)}
        case act.LandPirate(berth):
            return {"do": LANDING, **berth_to_typed(berth)}
        case _:
            return to_typed(number, figures)  # which mypy names when a family is added


# ----------------------------------------------------------------------------------------------------------- answers


def from_line(line: bytes) -> dict[str, Any]:
    """Decode the message of one line; raise `BadAnswer` if it is not a JSON object."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise BadAnswer("bot-not-json", found=short(line.decode(errors="replace").strip()))
    return message


def name_in(answer: Mapping[str, Any]) -> str:
    """Read the name of a program that is ready; empty if it gives none."""
    _expect(answer, "ready")
    name = answer.get("name")
    return "".join(filter(str.isprintable, name)).strip()[:NAME_LENGTH] if isinstance(name, str) else ""


def action_in(answer: Mapping[str, Any], move: int, legal: Sequence[int], figures: Figures) -> int:
    """Read the legal action that an answer chooses, by its place in the list or written out."""
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
    """Decode an action of the list; raise `BadAction` if it cannot be in one."""
    return act.encode(_action(typed, figures), figures)


def _action(typed: Typed, figures: Figures) -> act.Action:
    """Decode an action of the list; a leg and a landing of the pirate are written as parts of other actions."""
    as_in_records = typed
    if typed.get("do") == PIRATE_LEG:
        as_in_records = {**typed, "do": "sail"}
    if typed.get("do") == LANDING:
        as_in_records = {**typed, **ANY_BERTH}
    action, *more = actions_of(as_in_records, figures)
    if more:  # a whole voyage
        raise BadAction("bad-value", key="by", found=short(typed["by"]), known=", ".join(PIRATE_BY))
    if typed.get("do") == PIRATE_LEG and isinstance(action, act.Sail):
        return act.SailPirate(action.leg)
    if typed.get("do") == LANDING and isinstance(action, act.MovePirateFree):
        return act.LandPirate(action.berth)
    return action


def _chosen(place: object, legal: Sequence[int]) -> int:
    """Return the action at a place of the list, from 0; raise `BadAnswer` if there is none."""
    if type(place) is not int or not 0 <= place < len(legal):
        raise BadAnswer("bot-bad-choice", found=short(place), most=len(legal) - 1)
    return legal[place]


def _expect(answer: Mapping[str, Any], wanted: str) -> None:
    """Raise `BadAnswer` if an answer has the wrong type."""
    if answer.get("type") != wanted:
        raise BadAnswer("bot-wrong-type", found=short(answer.get("type")), wanted=wanted)
