"""Tables to play at: all that pages and commands use of them.

The names are imported when they are first used, so that the processes of computer players, which use some modules of
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
        NoUndoVote,
        StaleVersion,
    )
    from elcapitan.service.clock import Clocks
    from elcapitan.service.keys import Rights, all_rights, role_seat, seat_role
    from elcapitan.service.table import GameSummary, Table, TableEvent, UndoVote
    from elcapitan.service.table_settings import FORECASTS, FRIEND, HUMAN, PACES, Seat, TableSettings, TimeControl
    from elcapitan.service.tables import Tables

__all__ = [
    "FORECASTS",
    "FRIEND",
    "HUMAN",
    "PACES",
    "BadDatabase",
    "BadLine",
    "CannotUndo",
    "Clocks",
    "Ended",
    "Frozen",
    "GameSummary",
    "IllegalAction",
    "NoSuchGame",
    "NoSuchKey",
    "NoUndoVote",
    "NotYourTurn",
    "Rights",
    "Seat",
    "StaleVersion",
    "Table",
    "TableEvent",
    "TableSettings",
    "Tables",
    "TimeControl",
    "UndoVote",
    "all_rights",
    "role_seat",
    "seat_role",
]
_AT: Final = {
    "tables": ("Tables",),
    "table": ("GameSummary", "Table", "TableEvent", "UndoVote"),
    "clock": ("Clocks",),
    "table_settings": ("FORECASTS", "FRIEND", "HUMAN", "PACES", "TimeControl", "TableSettings", "Seat"),
    "keys": ("Rights", "all_rights", "role_seat", "seat_role"),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place = next((f"{__name__}.{module}" for module, names in _AT.items() if name in names), "elcapitan.errors")
    return getattr(import_module(place), name)
