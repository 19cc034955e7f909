"""The arena: many games between computer players, and how strong they are.

    from elcapitan.experiments.arena import Config, play_arena, summarise

    results = play_arena(Config(bots=("wanderer",), players=4, games=100, seed=1))
    print(summarise(results).bots[0].money)

Public names are loaded when they are first used, as in the package itself.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elcapitan.experiments.arena.games import Config, GameResult, Merchant
    from elcapitan.experiments.arena.summary import Summary, summarise
    from elcapitan.experiments.arena.tournament import Results, check, play_arena

__all__ = ["Config", "GameResult", "Merchant", "Results", "Summary", "check", "play_arena", "summarise"]

_MODULES = {
    "Config": "games",
    "GameResult": "games",
    "Merchant": "games",
    "Results": "tournament",
    "Summary": "summary",
    "check": "tournament",
    "play_arena": "tournament",
    "summarise": "summary",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"elcapitan.experiments.arena.{_MODULES[name]}"), name)
