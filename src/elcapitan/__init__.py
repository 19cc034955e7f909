"""El Capitán, the complete digital edition: rules engine, text forms, records and command line.

The public names are loaded when they are first asked for, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elcapitan.errors import (
        BadAction,
        BadBoard,
        BadRecord,
        BadSetup,
        BadText,
        CannotUndo,
        ElCapitanError,
        IllegalAction,
    )
    from elcapitan.game.game import Game

__all__ = [
    "BadAction",
    "BadBoard",
    "BadRecord",
    "BadSetup",
    "BadText",
    "CannotUndo",
    "ElCapitanError",
    "Game",
    "IllegalAction",
]


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("elcapitan.game.game" if name == "Game" else "elcapitan.errors"), name)
