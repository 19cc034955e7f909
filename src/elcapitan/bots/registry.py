"""All computer players by name, from the weakest to the strongest, and how their budgets are written.

captain                the level as it is
admiral:sims=400       with so many simulations for a decision
champion:ms=800        with so many milliseconds: for live play, because such games cannot be repeated
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.bots.bot import Bot, Budget, Planner, Searcher, Style, View
from elcapitan.bots.champion import Champion
from elcapitan.bots.network import knows_board
from elcapitan.engine import play
from elcapitan.engine.policies import LIGHT
from elcapitan.engine.rng import Generators
from elcapitan.engine.search.tree import BY_PLAY
from elcapitan.engine.state import Boards
from elcapitan.errors import BadBot
from elcapitan.untrusted_input import whole_number

LOWEST: Final = "wanderer"
STRONGEST: Final = "champion"
ON_OTHER_BOARDS: Final = "admiral"  # plays in the place of levels whose network was not trained for the board
BUDGET_EXAMPLE: Final = f"{ON_OTHER_BOARDS}:sims=400"
ADMIRAL_SIMULATIONS: Final = 4000
CHAMPION_SIMULATIONS: Final = 96
MOST_SIMULATIONS: Final = 10_000_000
MOST_MILLISECONDS: Final = 600_000


class Wanderer(Bot):
    """Plays the engine's light policy: weighted dice, no thought."""

    def __init__(self) -> None:
        self._desks = play.desks()

    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """Return an action by the dice of the policy."""
        if len(legal) == 1:
            return legal[0]
        return play.choose(view.states, 0, view.boards, self._desks, 0, rng, LIGHT)


@dataclass(frozen=True)
class Level:
    """A computer player that can be chosen by name."""

    about: str  # what it sees, in one line
    make: Callable[[], Bot]
    search: Callable[[Budget], Searcher] | None = None  # for those that take a budget
    elsewhere: str = ""  # the level as which it plays on a board that its network was not trained for


def _search(budget: Budget) -> Searcher:
    """Create a player that judges positions by playing them to the end."""
    return Searcher(budget, Style(BY_PLAY, 0))


def _search_as_admiral() -> Searcher:
    """Create a player that searches as long as an admiral."""
    return _search(Budget(simulations=ADMIRAL_SIMULATIONS))


LEVELS: Final[dict[str, Level]] = {
    LOWEST: Level("Plays at random: sails anywhere and builds wherever it lands.", Wanderer),
    "trader": Level("Plays for the next payday only.", lambda: Planner("forecast")),
    "captain": Level("Plans its whole turn and thinks of later paydays too.", lambda: Planner("worth")),
    "navigator": Level(
        "Tries each plan in a few hundred quick games to the end.",
        lambda: _search(Budget(simulations=300)),
        _search,
    ),
    "admiral": Level(
        "Plays thousands of such games and foresees how the others will answer.",
        _search_as_admiral,
        _search,
    ),
    STRONGEST: Level(
        "Judges plans by what it learned from hundreds of thousands of games against itself, and plays the best on.",
        lambda: Champion(_search_as_admiral(), Budget(simulations=CHAMPION_SIMULATIONS)),
        lambda budget: Champion(_search(budget), budget),
        elsewhere=ON_OTHER_BOARDS,
    ),
}


def level_of(spec: str) -> str:
    """Return the name of a level without its budget."""
    name, _colon, _budget = spec.partition(":")
    return name


def plays_as(spec: str, players: int, boards: Boards) -> str:
    """Return the level as which a player plays on this board: another than its own if it was not trained for it."""
    level = LEVELS.get(level_of(spec))
    elsewhere = level.elsewhere if level else ""
    return elsewhere if elsewhere and not knows_board(players, boards) else level_of(spec)


def adviser(players: int, boards: Boards) -> str:
    """Return the level that gives hints at such a table: the strongest that knows the board."""
    return plays_as(STRONGEST, players, boards)


def create(spec: str) -> Bot:
    """Create a bot for one seat of one game; raise `BadBot` if there is no such level."""
    name, colon, written = spec.partition(":")
    if name not in LEVELS:
        raise BadBot("unknown-bot", found=spec, known=", ".join(LEVELS))
    level = LEVELS[name]
    if not colon:
        return level.make()
    if level.search is None:
        raise BadBot("no-budget", name=name)
    return level.search(_read_budget(written))


def _read_budget(written: str) -> Budget:
    """Parse a budget such as sims=400 or ms=800."""
    found = re.fullmatch(r"(sims|ms)=([1-9][0-9]*)", written)
    if found and found[1] == "sims" and (simulations := whole_number(found[2], MOST_SIMULATIONS)):
        return Budget(simulations=simulations)
    if found and found[1] == "ms" and (milliseconds := whole_number(found[2], MOST_MILLISECONDS)):
        return Budget(seconds=milliseconds / 1000)
    raise BadBot("bad-budget", found=written or ":", example=BUDGET_EXAMPLE)
