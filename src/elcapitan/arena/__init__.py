"""The arena: many games between computer players, and what they tell about them.

    from elcapitan.arena import Config, play_arena, summarise

    results = play_arena(Config(bots=("wanderer",), players=4, games=100, seed=1))
    print(summarise(results).bots[0].money)

The public names are loaded when they are first asked for, as in the package itself.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elcapitan.arena.result import GameResult, Merchant
    from elcapitan.arena.schedule import Config
    from elcapitan.arena.summary import Summary, summarise
    from elcapitan.arena.tournament import Results, play_arena

__all__ = ["Config", "GameResult", "Merchant", "Results", "Summary", "play_arena", "summarise"]

_MODULES = {
    "Config": "schedule",
    "GameResult": "result",
    "Merchant": "result",
    "Results": "tournament",
    "Summary": "summary",
    "play_arena": "tournament",
    "summarise": "summary",
}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"elcapitan.arena.{_MODULES[name]}"), name)
