"""What the holder of a key sees of a table, as plain objects: everything public, and nothing else there is to leak.

All of it comes from the service's `Table`, whose game was told its cards one by one and does not know those to come.
"""

from datetime import datetime
from typing import Any

from elcapitan.game import RULES_VERSION
from elcapitan.notation.actions import to_text, voyage_to_text
from elcapitan.notation.record import result_of
from elcapitan.notation.view_json import view_to_json
from elcapitan.players.hints import Suggestion
from elcapitan.players.protocol import entry
from elcapitan.service import Rights, Table
from elcapitan.service.course import groups
from elcapitan.service.table import Clocks
from elcapitan.store.shelf import Line

Plain = dict[str, Any]


def seen_by_all(table: Table) -> Plain:
    """What everybody who has a key sees of a table."""
    game, plan = table.game, table.plan
    return {
        "game": table.id,
        "number": table.number,
        "version": table.version,
        "title": plan.title,
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
        "chat": plan.chat,
        "hints": plan.hints,
        "commitment": table.commitment,
        "frozen": table.frozen.problem.reason if table.frozen else None,
        "ended": plan.ended,
        "result": result_of(game) if game.over else None,
    }


def seen_by(table: Table, rights: Rights) -> Plain:
    """What else somebody with these rights sees."""
    return {"you": {"host": rights.host, "seats": sorted(rights.seats)}, "yours": is_yours(table, rights)}


def is_yours(table: Table, rights: Rights) -> bool:
    """Whether somebody with these rights is to decide."""
    seat = table.deciding
    return seat is not None and seat in rights.seats and table.human(seat) and table.frozen is None


def _set_up(table: Table) -> Plain:
    """What is played."""
    setup = table.game.setup
    return {
        "rules": RULES_VERSION,
        "board": table.game.figures.name,
        "players": setup.players,
        "tiles": list(setup.tiles),
        "first": setup.first,
        "options": dict(setup.options),
    }


def _seats(table: Table) -> list[Plain]:
    """Who sits where."""
    return [
        {
            "player": seat.player,
            "name": seat.name,
            "colour": seat.colour,
            "present": number in table.present,
            "stand_in": seat.stand_in,
        }
        for number, seat in enumerate(table.plan.seats)
    ]


def _wish(table: Table) -> Plain | None:
    """The wish to go back that is open, if one is."""
    wish = table.wish
    if wish is None:
        return None
    return {
        "seat": wish.seat,
        "at": wish.at,
        "agreed": sorted(wish.agreed),
        "waiting": sorted(wish.waiting),
        "until": wish.until.isoformat() if wish.until else None,
    }


def _clocks(clocks: Clocks | None, now: datetime) -> Plain | None:
    """Everybody's time; it runs on, so it is told for which moment it holds."""
    if clocks is None:
        return None
    return {
        "kind": clocks.kind,
        "left": [round(seconds, 1) for seconds in clocks.left],
        "at": now.isoformat(),
        "running": clocks.running,
        "due": clocks.due.isoformat() if clocks.due else None,
    }


def possibilities(table: Table, rights: Rights) -> Plain:
    """Everything legal now, each action in its three forms."""
    figures = table.game.figures
    legal = [] if table.deciding is None else table.game.legal()
    return {
        "number": table.number,
        "deciding": table.deciding,
        "yours": is_yours(table, rights),
        "actions": [
            {"action": number, "text": to_text(number, figures), "typed": entry(number, figures)} for number in legal
        ],
    }


def suggested(suggestion: Suggestion, table: Table) -> Plain:
    """An action that a computer player would take."""
    figures = table.game.figures
    return {
        "actions": list(suggestion.actions),
        "text": voyage_to_text(suggestion.actions, figures),
        "later": [voyage_to_text(group, figures) for group in groups(suggestion.later)],
        "win": None if suggestion.win is None else float(suggestion.win),
        "money": None if suggestion.money is None else [float(money) for money in suggestion.money],
    }


def said(line: Line) -> Plain:
    """A line of the talk."""
    return {"number": line.number, "at": line.at.isoformat(), "seat": line.seat, "text": line.text}
