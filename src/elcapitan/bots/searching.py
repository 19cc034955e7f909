"""Players that search: they try the plans of everybody many times, with the face-down cards dealt anew each time."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from elcapitan.bots.bot import View
from elcapitan.bots.planning import Thinker
from elcapitan.engine import think
from elcapitan.engine.rng import Generators
from elcapitan.engine.search.tree import NO_NODE, ROOT, START_OF_SEARCH, Nodes

NODES: Final = 60_000  # of a tree; when it is full the search goes on without new ones
SLICE: Final = 0.004  # seconds of searching between two looks at the clock


@dataclass(frozen=True)
class Budget:
    """How long to think: so many simulations, or so many seconds, whichever is over first; at least one of them."""

    simulations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Refuse to think for ever."""
        if self.simulations is None and self.seconds is None:
            raise ValueError("a budget of neither simulations nor seconds")


@dataclass(frozen=True)
class Line:
    """A plan for this turn and what is expected of it."""

    actions: tuple[int, ...]
    visits: int  # how often it was tried
    win: tuple[float, ...]  # every seat's chance to win
    money: tuple[float, ...]  # every seat's money at the end


@dataclass(frozen=True)
class Style:
    """How a new position is judged in the search: see `engine.search.tree`."""

    cut: int
    planned: int  # of 64 turns so many are played by plan, the others by dice


Progress = Callable[[int, list[Line]], bool]  # simulations so far, the lines, best first; False: stop now


class Searcher(Thinker):
    """Searches within a budget. The tree of a turn serves all its actions: no card is turned up before its end."""

    def __init__(self, budget: Budget, style: Style, values: str = "worth", progress: Progress | None = None) -> None:
        super().__init__(values)
        self._budget, self._style, self._progress = budget, style, progress
        self._nodes: Nodes = think.trees(NODES)
        self._enough: Callable[[], bool] | None = None

    def stop_when(self, enough: Callable[[], bool]) -> None:
        """End every search after the slice in which `enough` becomes true, whatever is left of the budget."""
        self._enough = enough

    def new_plan(self, view: View, rng: Generators) -> Sequence[int]:
        """The most tried plan."""
        return self.lines(view, rng)[0].actions

    def lines(self, view: View, rng: Generators) -> list[Line]:
        """Search, and tell the plans for this turn, the best first, with what is expected of them for every seat."""
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
            if self._progress is not None and not self._progress(done, self._known(view)):
                break
        return self._known(view)

    def _known(self, view: View) -> list[Line]:
        """The plans of the root as they stand."""
        lines = []
        child = int(self._nodes[ROOT].child)
        while child != NO_NODE:
            node = self._nodes[child]
            times = 1 + int(node.visits)
            lines.append(
                Line(
                    tuple(node.steps[: node.length].tolist()),
                    int(node.visits),
                    tuple((node.won[: view.players] / times).tolist()),
                    tuple(np.round(node.money[: view.players] / times, 1).tolist()),
                )
            )
            child = int(node.next)
        return sorted(lines, key=lambda line: (-line.visits, -line.win[view.seat]))
