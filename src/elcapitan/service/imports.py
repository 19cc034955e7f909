"""Games that come from elsewhere: read, checked and played again in a thread of their own, few at a time."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from elcapitan.errors import TooMuch
from elcapitan.figures import Figures
from elcapitan.game import Event
from elcapitan.notation.keyed_chance import any_key
from elcapitan.service import plan as plans
from elcapitan.service import records
from elcapitan.service.beginning import taken_over
from elcapitan.service.bounded_threads import BoundedThreads, QueueFull
from elcapitan.service.course import Course
from elcapitan.service.entries import Happening
from elcapitan.service.plan import Plan
from elcapitan.setup import Setup

IMPORT_THREADS: Final = 1  # games read at the same time: each takes some milliseconds, or memory if it is hostile
MOST_IMPORTS: Final = 8  # games that wait to be read, each of 4 MB at most
BUSY_SECONDS: Final = 5  # until a sender who found the queue full should try again

Result = TypeVar("Result")
Begun = tuple[Course, list[Happening]]


class Imports:
    """Reads and replays games for all tables. Its methods raise `TooMuch` if too many games wait."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures
        self._threads = BoundedThreads("imports", IMPORT_THREADS, MOST_IMPORTS)

    async def read(self, content: str | bytes, filename: str) -> tuple[Plan, Course, list[Happening]]:
        """Read a record and replay its game: a table for it, the game, and everything that happened in it."""
        return await self._run(self._read, content, filename)

    async def replay(self, setup: Setup, events: Sequence[Event]) -> Begun:
        """Replay the beginning of a game, to be continued with new cards."""
        return await self._run(taken_over, setup, self._figures, events, any_key())

    def close(self) -> None:
        """Read no more games."""
        self._threads.close()

    def _read(self, content: str | bytes, filename: str) -> tuple[Plan, Course, list[Happening]]:
        brought = records.read(content, filename, self._figures)
        plan = plans.checked(plans.told_apart(brought.plan()))
        return plan, *taken_over(brought.game.setup, self._figures, brought.game.events, any_key())

    async def _run(self, work: Callable[..., Result], *arguments: object) -> Result:
        try:
            return await self._threads.run(work, *arguments)
        except QueueFull:
            raise TooMuch("too-many-imports", BUSY_SECONDS) from None
