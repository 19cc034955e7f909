"""How games begin at a table: shuffled and dealt, or played again as they went elsewhere and shuffled to go on."""

from collections.abc import Sequence

from elcapitan.errors import CannotUndo
from elcapitan.figures import Figures
from elcapitan.game import Game
from elcapitan.history import Act, Event
from elcapitan.notation import keyed_chance
from elcapitan.notation.shuffles import Secret
from elcapitan.service.course import Course
from elcapitan.service.entries import Happening
from elcapitan.service.plan import Plan
from elcapitan.setup import Setup


def begun(plan: Plan, figures: Figures) -> tuple[Course, list[Happening]]:
    """A new game by a plan; and everything that happened in it.

    Its cards come from a new key, unless the plan has a seed: then they are those of any game with this seed.
    """
    secret: Secret = keyed_chance.any_key() if plan.seed is None else plan.seed
    count = len(plan.seats)
    first = _first_seat(plan, secret, figures) if plan.first is None else plan.first
    course = Course(Setup.of(count, plan.tiles, first, plan.options), figures)
    return course, course.begin(secret)


def _first_seat(plan: Plan, secret: Secret, figures: Figures) -> int:
    """Draw by lot who begins."""
    if isinstance(secret, str):
        return keyed_chance.first_seat(secret, len(plan.seats))
    return Game.new(len(plan.seats), plan.tiles, seed=secret, figures=figures).setup.first


def taken_over(
    setup: Setup, figures: Figures, events: Sequence[Event], secret: Secret
) -> tuple[Course, list[Happening]]:
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
    happened += course.begin(secret)
    for event in events[earlier:]:
        assert isinstance(event, Act)  # whatever belongs to the running turn
        happened += course.act(event.numbers)
    return course, happened


def _before_the_turn(setup: Setup, figures: Figures, events: Sequence[Event]) -> int:
    """How many events happened before the running turn."""
    game = Game.replay(setup, events, figures)
    try:
        game.undo_turn()
    except CannotUndo:
        return len(events)
    return len(game.events)


def _pieces(event: Event) -> list[Event]:
    """An event as it is written down: a voyage of the pirate in its pieces."""
    return [Act(event.seat, (number,)) for number in event.numbers] if isinstance(event, Act) else [event]
