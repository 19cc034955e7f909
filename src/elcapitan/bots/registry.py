"""All computer players by name, from the weakest to the strongest, and how their budgets are written.

captain                the level as it is
admiral:sims=400       with so many simulations for a decision
champion:ms=800        with so many milliseconds: for live play, because such games cannot be repeated
helmsman:strength=70   as strong as chosen, from 0 to 100
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.bots.bot import WEIGHTS_FILE, Bot, Budget, Planner, Searcher, Style, View
from elcapitan.bots.champion import Champion, Helmsman
from elcapitan.bots.network import knows_board, network_file
from elcapitan.engine import play
from elcapitan.engine.policies import LIGHT
from elcapitan.engine.rng import Generators
from elcapitan.engine.search.tree import BY_PLAY
from elcapitan.engine.state import Boards
from elcapitan.errors import BadBot
from elcapitan.untrusted_input import whole_number

LOWEST: Final = "wanderer"
STRONGEST: Final = "champion"
HELMSMAN: Final = "helmsman"
ON_OTHER_BOARDS: Final = "admiral"  # plays in the place of levels whose network was not trained for the board
BUDGET_EXAMPLE: Final = f"{ON_OTHER_BOARDS}:sims=400"
STRENGTH_EXAMPLE: Final = f"{HELMSMAN}:strength=70"
ADMIRAL_SIMULATIONS: Final = 4000
CHAMPION_SIMULATIONS: Final = 96
MOST_SIMULATIONS: Final = 10_000_000
MOST_MILLISECONDS: Final = 600_000
MOST_STRENGTH: Final = 100
USUAL_STRENGTH: Final = 60
STRENGTH_STEP: Final = 10  # between those that can be chosen at tables


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
    as_strong: Callable[[int], Bot] | None = None  # for those whose strength is chosen
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
    HELMSMAN: Level(
        "Follows the champion's judgement more or less closely: by its strength, from 0 to 100.",
        lambda: Helmsman(USUAL_STRENGTH),
        as_strong=Helmsman,
        elsewhere="captain",
    ),
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


# What can be chosen at the tables of a server: nothing that says how long the server thinks.
AT_TABLES: Final = tuple(
    spec
    for name, level in LEVELS.items()
    for spec in (
        name,
        *(f"{name}:strength={strength}" for strength in range(0, MOST_STRENGTH + 1, STRENGTH_STEP) if level.as_strong),
    )
)


def level_of(spec: str) -> str:
    """Return the name of a level without its budget or strength."""
    name, _colon, _chosen = spec.partition(":")
    return name


def data_files(spec: str, players: int) -> tuple[str, ...]:
    """Return the names of the data files that decide how a level plays; none for programs."""
    level = level_of(spec)
    if level not in LEVELS or level == LOWEST:
        return ()
    return (WEIGHTS_FILE, network_file(players)) if level in (HELMSMAN, STRONGEST) else (WEIGHTS_FILE,)


def at_table(spec: str) -> str:
    """Return a level as it can be chosen at a table: without its budget."""
    return spec if spec in AT_TABLES else level_of(spec)


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
    if level.as_strong is not None:
        return level.as_strong(_read_strength(written))
    if level.search is None:
        raise BadBot("no-budget", name=name)
    return level.search(_read_budget(written))


def _read_strength(written: str) -> int:
    """Parse a strength such as strength=70."""
    found = re.fullmatch(r"strength=(0|[1-9][0-9]*)", written)
    strength = whole_number(found[1], MOST_STRENGTH) if found else None
    if strength is None:
        raise BadBot("bad-strength", found=written or ":", most=MOST_STRENGTH, example=STRENGTH_EXAMPLE)
    return strength


def _read_budget(written: str) -> Budget:
    """Parse a budget such as sims=400 or ms=800."""
    found = re.fullmatch(r"(sims|ms)=([1-9][0-9]*)", written)
    if found and found[1] == "sims" and (simulations := whole_number(found[2], MOST_SIMULATIONS)):
        return Budget(simulations=simulations)
    if found and found[1] == "ms" and (milliseconds := whole_number(found[2], MOST_MILLISECONDS)):
        return Budget(seconds=milliseconds / 1000)
    raise BadBot("bad-budget", found=written or ":", example=BUDGET_EXAMPLE)
