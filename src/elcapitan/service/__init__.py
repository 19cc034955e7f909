"""Tables to play at: everything a page or a command needs to know of them.

The names are loaded when they are first asked for, so that the processes of computer players, which use some modules of
this package, need not load the database with them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from elcapitan.errors import (
        BadDatabase,
        BadLine,
        CannotUndo,
        Ended,
        Frozen,
        IllegalAction,
        NoSuchGame,
        NoSuchKey,
        NotYourTurn,
        NoWish,
        StaleMove,
    )
    from elcapitan.service.access import NOBODY_SPECIAL, Rights, all_rights, role_seat, seat_role
    from elcapitan.service.plan import FORECASTS, FRIEND, HUMAN, PACES, Clock, Plan, Seat
    from elcapitan.service.table import Clocks, Summary, Table, Trace, Wish
    from elcapitan.service.tables import Tables

__all__ = [
    "FORECASTS",
    "FRIEND",
    "HUMAN",
    "NOBODY_SPECIAL",
    "PACES",
    "BadDatabase",
    "BadLine",
    "CannotUndo",
    "Clock",
    "Clocks",
    "Ended",
    "Frozen",
    "IllegalAction",
    "NoSuchGame",
    "NoSuchKey",
    "NoWish",
    "NotYourTurn",
    "Plan",
    "Rights",
    "Seat",
    "StaleMove",
    "Summary",
    "Table",
    "Tables",
    "Trace",
    "Wish",
    "all_rights",
    "role_seat",
    "seat_role",
]
_AT: Final = {
    "tables": ("Tables",),
    "table": ("Clocks", "Summary", "Table", "Trace", "Wish"),
    "plan": ("FORECASTS", "FRIEND", "HUMAN", "PACES", "Clock", "Plan", "Seat"),
    "access": ("NOBODY_SPECIAL", "Rights", "all_rights", "role_seat", "seat_role"),
}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place = next((f"{__name__}.{module}" for module, names in _AT.items() if name in names), "elcapitan.errors")
    return getattr(import_module(place), name)
