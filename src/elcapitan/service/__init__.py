"""Tables to play at: everything a page or a command needs to know of them.

The names are loaded when they are first asked for, so that the processes of computer players, which use some modules of
this package, need not load the database with them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from elcapitan.errors import BadDatabase, CannotUndo, Frozen, IllegalAction, NoSuchGame, NotYourTurn, StaleMove
    from elcapitan.service.plan import FORECASTS, HUMAN, PACES, Plan, Seat
    from elcapitan.service.table import Summary, Table
    from elcapitan.service.tables import Tables

__all__ = [
    "FORECASTS",
    "HUMAN",
    "PACES",
    "BadDatabase",
    "CannotUndo",
    "Frozen",
    "IllegalAction",
    "NoSuchGame",
    "NotYourTurn",
    "Plan",
    "Seat",
    "StaleMove",
    "Summary",
    "Table",
    "Tables",
]
_AT: Final = {
    "tables": ("Tables",),
    "table": ("Summary", "Table"),
    "plan": ("FORECASTS", "HUMAN", "PACES", "Plan", "Seat"),
}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place = next((f"{__name__}.{module}" for module, names in _AT.items() if name in names), "elcapitan.errors")
    return getattr(import_module(place), name)
