"""How games begin at a table: shuffled and dealt, or played again as they went elsewhere and shuffled to go on."""

import secrets
from collections.abc import Sequence

from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.errors import CannotUndo
from elcapitan.figures import Figures
from elcapitan.game import Game
from elcapitan.history import Act, Event
from elcapitan.service.course import Course, told
from elcapitan.service.entries import Happening
from elcapitan.service.plan import Plan
from elcapitan.setup import Setup


def begun(plan: Plan, figures: Figures) -> tuple[Course, list[Happening]]:
    """A new game by a plan; and everything that happened in it."""
    seed = any_seed() if plan.seed is None else plan.seed
    count, first = len(plan.seats), plan.first  # who begins may be drawn by lot
    drawn = Game.new(count, plan.tiles, first=first, options=plan.options, seed=seed, figures=figures)
    course = Course(drawn.setup, figures)
    return course, course.begin(seed)


def any_seed() -> int:
    """A seed that nobody knows."""
    return secrets.randbelow(HIGHEST_SEED + 1)


def taken_over(setup: Setup, figures: Figures, events: Sequence[Event], seed: int) -> tuple[Course, list[Happening]]:
    """A game that was begun elsewhere, its face-down cards shuffled; and everything that happened in it.

    It is shuffled where the running turn began, because within a turn no card is turned up: so the turn can still be
    taken back.
    """
    earlier = _before_the_turn(setup, figures, events)
    course = Course(setup, figures)
    happened: list[Happening] = []
    for event in events[:earlier]:
        for piece in _pieces(event):
            course.happen(piece)
            happened.append(piece)
    happened += course.begin(seed)
    for event in events[earlier:]:
        assert isinstance(event, Act)  # whatever belongs to the running turn
        happened += course.act(event.numbers)
    return course, happened


def _before_the_turn(setup: Setup, figures: Figures, events: Sequence[Event]) -> int:
    """How many events happened before the running turn."""
    game = told(setup, figures, events)
    try:
        game.undo_turn()
    except CannotUndo:
        return len(events)
    return len(game.events)


def _pieces(event: Event) -> list[Event]:
    """An event as it is written down: a voyage of the pirate in its pieces."""
    return [Act(event.seat, (number,)) for number in event.numbers] if isinstance(event, Act) else [event]
