"""The guide's game, and the moments of it at which something is told or is to be done.

The game is data/guide.capitan, a real one. Its comments mark the moments: {see NAME} shows the position and goes on by
itself, {do NAME} waits until the learner makes the very move that comes next. NAME is a lesson.
"""

import functools
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from typing import Final

from elcapitan.game import Act, Game
from elcapitan.notation import capitan
from elcapitan.service import HUMAN, Plan, Seat, Table, Tables
from elcapitan.web.pages.guide_lessons import LESSONS, Lesson
from elcapitan.web.pages.setting_up import MERCHANTS, USUAL_LEVEL

LEARNER: Final = 0  # the seat of whoever follows the guide
DO: Final = "do"
ALWAYS: Final = datetime(2000, 1, 1, tzinfo=UTC)  # a recorded game has no age


@dataclass(frozen=True)
class Step:
    """One moment of the guide."""

    number: int  # from 1
    name: str
    at: int  # events that have happened
    deed: int | None  # the action that the learner is to do; nothing to do but read if there is none

    @property
    def lesson(self) -> Lesson:
        """What is said."""
        return LESSONS[self.name]


@functools.cache
def score() -> capitan.Score:
    """The game with its comments, every action of it checked."""
    file = resources.files("elcapitan") / "data" / "guide.capitan"
    return capitan.from_capitan(file.read_text(encoding="utf-8"))


@functools.cache
def steps() -> tuple[Step, ...]:
    """All moments in order."""
    line = score().line
    marks = [(1, comment) for comment in line.comments]
    for at, item in enumerate(line.items, start=2):  # the deal is the first event
        marks += [(at, note) for note in item.notes if isinstance(note, str)]
    return tuple(_step(number, at, mark) for number, (at, mark) in enumerate(marks, start=1))


def _step(number: int, at: int, mark: str) -> Step:
    """A moment as its comment marks it."""
    kind, _space, name = mark.strip().partition(" ")
    return Step(number, name, at, _deed(at) if kind == DO else None)


def _deed(at: int) -> int:
    """The action of the learner that comes next."""
    event = score().line.items[at - 1].event
    assert isinstance(event, Act)
    assert event.seat == LEARNER
    (number,) = event.numbers
    return number


@functools.cache
def game_at(at: int) -> Game:
    """The game when so many events have happened; not to be changed."""
    game = score().game.copy()
    game.take_back(len(game.events) - at)
    return game


def plan() -> Plan:
    """Who sits at the guide's table."""
    setup = score().game.setup
    players = [HUMAN if seat == LEARNER else USUAL_LEVEL for seat in range(setup.players)]
    seats = tuple(Seat(player, MERCHANTS[seat], seat) for seat, player in enumerate(players))
    return Plan(seats, first=setup.first, hints=False)


def table_at(step: Step) -> Table:
    """The guide's table at a moment."""
    return Table(
        id="guide",
        plan=plan(),
        game=game_at(step.at),
        number=step.number,
        created=ALWAYS,
        changed=ALWAYS,
        turn_begins=step.at,
        undoable=0,
        redoable=0,
        thinking=False,
    )


def record_at(step: Step) -> str:
    """The game up to a moment as a record, so that somebody can play it on."""
    return Tables.export(table_at(step), "capitan")
