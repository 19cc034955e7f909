"""Computer players: their interface, and those that plan a whole turn, by judging where it leads or by searching.

A search tries the plans of all players many times, with the face-down cards dealt anew each time. The weights by which
positions are judged come from a data file that says how they were found.
"""

import time
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np

from elcapitan.engine import play, think
from elcapitan.engine.rng import Generators
from elcapitan.engine.search.tree import NO_NODE, ROOT, START_OF_SEARCH, Nodes
from elcapitan.engine.search.worth import FEATURES, WEIGHTS_SHAPE, Weights
from elcapitan.engine.state import Boards, States
from elcapitan.engine.vocabulary import PHASES, SEATS

WEIGHTS_FILE: Final = "worth.toml"
SPREAD: Final = "spread"  # how far the money at the end usually is from the estimate
WEIGHED: Final = (*FEATURES, SPREAD)  # in the order of a table

NO_TREE: Final = think.trees(1)
NODES: Final = 60_000  # of a tree; when it is full the search goes on without new ones
SLICE: Final = 0.004  # seconds of searching between two looks at the clock


@dataclass(frozen=True)
class View:
    """What a seat sees: one position without the order of the face-down cards (`Game.view_for`), and the board."""

    states: States
    boards: Boards

    @property
    def seat(self) -> int:
        """The seat that has to decide."""
        return int(self.states[0].seat)

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.states[0].players)


class Bot(ABC):
    """A computer player in one seat of one game.

    It may keep what it thought earlier, but must not depend on it: a server makes a new one for every turn.
    """

    @abstractmethod
    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """Return one of the legal actions. `rng`, a generator of the engine, is the only allowed source of chance."""

    def stop_when(self, enough: Callable[[], bool]) -> None:  # noqa: B027 - most bots never think for long
        """Stop thinking as soon as `enough` returns true, and play the best plan found so far."""

    def close(self) -> None:  # noqa: B027 - most bots hold nothing
        """Release what the bot holds; it is not asked again."""


@cache
def weights(name: str) -> Weights:
    """Return a set of weights by number of players, phase and feature; features that the file omits weigh 0."""
    return read_weights(tomllib.loads((resources.files("elcapitan") / "data" / WEIGHTS_FILE).read_text("utf-8"))[name])


def read_weights(chosen: dict[str, Any]) -> Weights:
    """Read a set of weights: one for all numbers of players and phases, or one for each."""
    table = np.zeros(WEIGHTS_SHAPE)
    for players in range(2, SEATS + 1):
        for phase in range(1, PHASES + 1):
            given = chosen.get(f"players{players}", chosen)
            given = given.get(f"phase{phase}", given)
            if not set(given) <= set(WEIGHED):
                raise ValueError(
                    f"{WEIGHTS_FILE} weighs {', '.join(sorted(set(given) - set(WEIGHED)))}, which nobody counts"
                )
            if given.get(SPREAD, 0) <= 0:
                raise ValueError(f"{WEIGHTS_FILE} has no {SPREAD} for {players} players in phase {phase}")
            table[players - 2, phase - 1] = [float(given.get(feature, 0)) for feature in WEIGHED]
    table.flags.writeable = False
    return table


class PlanOfTurn:
    """The rest of a plan, and the position it continues from; after an undo it no longer fits and is dropped."""

    def __init__(self) -> None:
        self._steps: tuple[int, ...] = ()
        self._expected = b""

    def next_step(self, view: View, legal: Sequence[int]) -> int | None:
        """Return the next action of the plan, if the position is the expected one."""
        if self._steps and self._steps[0] in legal and view.states.tobytes() == self._expected:
            return self._first_step(view, self._steps)
        return None

    def begin(self, view: View, legal: Sequence[int], steps: Sequence[int]) -> int:
        """Start a new plan and return its first action."""
        if steps[0] not in legal:  # never seen; but a bot must not stop a game
            return legal[0]
        return self._first_step(view, tuple(steps))

    def _first_step(self, view: View, steps: tuple[int, ...]) -> int:
        """Return the first step and remember the position it leads to."""
        self._steps = steps[1:]
        if self._steps:
            after = view.states.copy()
            play.apply(after, 0, view.boards, steps[0])
            self._expected = after.tobytes()
        return steps[0]


class Thinker(Bot):
    """Makes a plan for its turn and follows it; subclasses say how a plan is made."""

    def __init__(self, values: str) -> None:
        self._values = values
        self._line, self._desks, self._buffers = think.lines(), play.desks(), think.search_buffers()
        self._plan = PlanOfTurn()

    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """Return the next step of this turn's plan. Skips planning if only one action is legal."""
        step = self._plan.next_step(view, legal)
        if step is not None:
            return step
        if len(legal) == 1:
            return legal[0]
        return self._plan.begin(view, legal, self.new_plan(view, rng))

    @property
    def _weights(self) -> Weights:
        """The weights, read-only and shared: a copy would be another type for the compiler."""
        return weights(self._values)

    def search_arrays(self, view: View, rng: Generators, nodes: Nodes) -> think.SearchArrays:
        """Bundle the arrays for the compiled search."""
        return think.SearchArrays(self._line, view.boards, self._desks, self._buffers, self._weights, rng, nodes)

    @abstractmethod
    def new_plan(self, view: View, rng: Generators) -> Sequence[int]:
        """Return the actions of a plan for the turn."""


class Planner(Thinker):
    """Judges the position that every plan of its turn leads to, and chooses the best."""

    def new_plan(self, view: View, rng: Generators) -> Sequence[int]:
        """Return the plan that leads to the position worth most."""
        self._line[START_OF_SEARCH] = view.states[0]
        best = think.think(self.search_arrays(view, rng, NO_TREE))
        buffer = self._buffers[0]
        steps: list[int] = buffer.steps[best][: buffer.length[best]].tolist()
        return steps


@dataclass(frozen=True)
class Budget:
    """How long to think: a number of simulations or of seconds, or both, and then until the first is used up."""

    simulations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Raise `ValueError` for a budget without end."""
        if self.simulations is None and self.seconds is None:
            raise ValueError("a budget of neither simulations nor seconds")


@dataclass(frozen=True)
class SearchedPlan:
    """A plan for this turn, and the result that the search expects of it."""

    actions: tuple[int, ...]
    visits: int  # how often it was tried
    win: tuple[float, ...]  # every seat's chance to win
    money: tuple[float, ...]  # every seat's money at the end


@dataclass(frozen=True)
class Style:
    """How the search judges a new position: see `engine.search.tree`."""

    cut: int
    planned: int  # of 64 turns so many are played by plan, the others by dice


Progress = Callable[[int, list[SearchedPlan]], bool]  # simulations so far, the lines, best first; False: stop now


class Searcher(Thinker):
    """Searches within a budget. The tree of a turn serves all its actions: no card is turned up before its end."""

    searched: Sequence[SearchedPlan] = ()  # what the last plan was chosen from, the best first

    def __init__(self, budget: Budget, style: Style, values: str = "worth", progress: Progress | None = None) -> None:
        super().__init__(values)
        self._budget, self._style, self._progress = budget, style, progress
        self._nodes: Nodes = think.trees(NODES)
        self._enough: Callable[[], bool] | None = None

    def stop_when(self, enough: Callable[[], bool]) -> None:
        """Stop every search soon after `enough` returns true, even if the budget is not used up."""
        self._enough = enough

    def new_plan(self, view: View, rng: Generators) -> Sequence[int]:
        """Return the plan that was tried most often."""
        self.searched = self.lines(view, rng)
        return self.searched[0].actions

    def lines(self, view: View, rng: Generators) -> list[SearchedPlan]:
        """Search, and return the plans for this turn, the best first."""
        self._line[START_OF_SEARCH] = view.states[0]
        arrays = self.search_arrays(view, rng, self._nodes)
        wanted = self._budget.simulations
        began = time.perf_counter()
        done, used, batch = 0, 0, 1
        while True:
            if wanted is not None:
                batch = min(batch, wanted - done)
            sliced = time.perf_counter()
            used = think.think(arrays, used, batch, self._style.cut, self._style.planned)
            now = time.perf_counter()
            done += batch
            batch = max(1, min(2 * batch, int(batch * SLICE / max(now - sliced, 1e-6))))
            if wanted is not None and done >= wanted:
                break
            if self._budget.seconds is not None and now - began + SLICE >= self._budget.seconds:
                break
            if self._enough is not None and self._enough():
                break
            if self._progress is not None and not self._progress(done, self._plans_so_far(view)):
                break
        return self._plans_so_far(view)

    def _plans_so_far(self, view: View) -> list[SearchedPlan]:
        """Return the plans of the root as they are estimated now, the best first."""
        lines = []
        child = int(self._nodes[ROOT].child)
        while child != NO_NODE:
            node = self._nodes[child]
            times = 1 + int(node.visits)
            lines.append(
                SearchedPlan(
                    tuple(node.steps[: node.length].tolist()),
                    int(node.visits),
                    tuple((node.won[: view.players] / times).tolist()),
                    tuple(np.round(node.money[: view.players] / times, 1).tolist()),
                )
            )
            child = int(node.next)
        return sorted(lines, key=lambda line: (-line.visits, -line.win[view.seat]))
