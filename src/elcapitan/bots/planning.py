"""Players that look through their whole turn: where every way leads, what could be built there, what that is worth."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Final

from elcapitan.bots.bot import Bot, View
from elcapitan.bots.weights import weights
from elcapitan.engine import play, think
from elcapitan.engine.rng import Generators
from elcapitan.engine.search.search_buffers import Weights
from elcapitan.engine.search.tree import START_OF_SEARCH, Nodes

NO_TREE: Final = think.trees(1)


class PlanOfTurn:
    """What is left of a plan, and the position in which it goes on: after an undo, or a surprise, it does not fit."""

    def __init__(self) -> None:
        self._steps: tuple[int, ...] = ()
        self._expected = b""

    def next_step(self, view: View, legal: Sequence[int]) -> int | None:
        """The next action of the plan, if this is where it goes on."""
        if self._steps and self._steps[0] in legal and view.states.tobytes() == self._expected:
            return self._go_on(view, self._steps)
        return None

    def begin(self, view: View, legal: Sequence[int], steps: Sequence[int]) -> int:
        """The first action of a new plan."""
        if steps[0] not in legal:  # never seen; but no bot may bring a game to a stop
            return legal[0]
        return self._go_on(view, tuple(steps))

    def _go_on(self, view: View, steps: tuple[int, ...]) -> int:
        """Take one step and remember where it leads."""
        self._steps = steps[1:]
        if self._steps:
            after = view.states.copy()
            play.apply(after, 0, view.boards, steps[0])
            self._expected = after.tobytes()
        return steps[0]


class Thinker(Bot):
    """Makes a plan for its turn and keeps to it; how it makes one is for others to say."""

    def __init__(self, values: str) -> None:
        self._values = values
        self._line, self._desks, self._buffers = think.lines(), play.desks(), think.search_buffers()
        self._plan = PlanOfTurn()

    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """The next step of the plan of this turn; where there is no choice nothing is thought about."""
        step = self._plan.next_step(view, legal)
        if step is not None:
            return step
        if len(legal) == 1:
            return legal[0]
        return self._plan.begin(view, legal, self.new_plan(view, rng))

    @property
    def _weights(self) -> Weights:
        """Read-only and shared by all players; a copy of them would be another type for the compiler."""
        return weights(self._values)

    def search_arrays(self, view: View, rng: Generators, nodes: Nodes) -> think.SearchArrays:
        """Collect what the compiled search works with."""
        return think.SearchArrays(self._line, view.boards, self._desks, self._buffers, self._weights, rng, nodes)

    @abstractmethod
    def new_plan(self, view: View, rng: Generators) -> Sequence[int]:
        """The actions of a plan for the turn."""


class Planner(Thinker):
    """Makes all plans of its turn, carries out the one that leads to the best position, by its own idea of good."""

    def new_plan(self, view: View, rng: Generators) -> Sequence[int]:
        """The plan it likes best of all there are."""
        self._line[START_OF_SEARCH] = view.states[0]
        best = think.think(self.search_arrays(view, rng, NO_TREE))
        buffer = self._buffers[0]
        steps: list[int] = buffer.steps[best][: buffer.length[best]].tolist()
        return steps
