"""What happened in a game: events, and the log that keeps the position before each of them.

A voyage of the pirate by cards is one event of several steps: a step for each card and one for the landing. It happens
when it lands.
"""

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from elcapitan.actions.union import is_voyage_piece
from elcapitan.engine.actions import PIRATE_LAND
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import CARDS, DESTINATIONS, DISPLAYED_DESTINATIONS, DISPLAYED_LINKS, DONE
from elcapitan.errors import CannotUndo, IllegalAction
from elcapitan.game.position_queries import Payday, position


@dataclass(frozen=True, slots=True)
class Deal:
    """The opening display, in the order in which it was dealt."""

    destination: tuple[int, ...]
    link: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reveal:
    """A card that was turned up."""

    card: int


@dataclass(frozen=True, slots=True)
class Act:
    """An action of a seat: several numbers for a voyage of the pirate by cards, one for any other."""

    seat: int
    numbers: tuple[int, ...]


Event: TypeAlias = Deal | Reveal | Act
Counts: TypeAlias = tuple[int, int]  # of destination cards and of links


def cards_of(event: Event) -> tuple[int, ...]:
    """The cards that an event brings."""
    match event:
        case Deal(destination, link):
            return (*destination, *link)
        case Reveal(card):
            return (card,)
        case _:
            return ()


def check_deal(deal: Deal) -> None:
    """Refuse an opening display that does not have so many different cards of each kind [SET-07]."""
    right = len(deal.destination) == DISPLAYED_DESTINATIONS and len(deal.link) == DISPLAYED_LINKS
    right = right and len(set(cards_of(deal))) == len(cards_of(deal))
    right = right and all(0 <= card < DESTINATIONS for card in deal.destination)
    if not (right and all(DESTINATIONS <= card < CARDS for card in deal.link)):
        raise IllegalAction("bad-deal", "SET-07", destinations=DISPLAYED_DESTINATIONS, links=DISPLAYED_LINKS)


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of the log: the deal, a card, or a single action number."""

    event: Event
    before: bytes  # the position
    payday: Payday | None = None  # the one that followed
    turned_up: Counts = (0, 0)  # cards that have come since the beginning, with this entry

    @property
    def of_voyage(self) -> bool:
        """Whether this is one card, or the landing, of a voyage of the pirate by cards."""
        return isinstance(self.event, Act) and is_voyage_piece(self.event.numbers[0])

    @property
    def lands(self) -> bool:
        """Whether this is the landing."""
        return isinstance(self.event, Act) and self.event.numbers[0] >= PIRATE_LAND

    @property
    def ends_event(self) -> bool:
        """Whether an event of the game is complete with this; a voyage of the pirate is when it lands."""
        return self.lands or not self.of_voyage


@dataclass(frozen=True)
class Moment:
    """An event with the positions around it, and the payday if it brought one; positions are unpacked when wanted."""

    event: Event
    was: bytes  # the position before
    became: bytes  # the position with everything that followed by itself
    payday: Payday | None

    @functools.cached_property
    def before(self) -> States:
        """One position, as kernels take it."""
        return position(self.was)

    @functools.cached_property
    def after(self) -> States:
        """One position, as kernels take it."""
        return position(self.became)


class Log:
    """The steps of a game, and the events that they make up."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.events: list[Event] = []

    def copy(self) -> "Log":
        """Return an independent log with the same steps."""
        twin = Log()
        twin.steps, twin.events = list(self.steps), list(self.events)
        return twin

    @property
    def turned_up(self) -> Counts:
        """How many destination cards and how many links have come, the opening display included."""
        return self.steps[-1].turned_up if self.steps else (0, 0)

    def add(self, event: Event, before: bytes, payday: Payday | None) -> None:
        """Append a step, and the event that is complete with it."""
        turned_up = self.turned_up
        if not isinstance(event, Act):
            cards = cards_of(event)
            destinations = sum(card < DESTINATIONS for card in cards)
            turned_up = turned_up[0] + destinations, turned_up[1] + len(cards) - destinations
        step = Step(event, before, payday, turned_up)
        self.steps.append(step)
        if not step.of_voyage:
            self.events.append(event)
        elif step.lands:
            self.events.append(_event_of(self.steps[self.begin_of_last() :]))

    def cut(self, length: int) -> bytes:
        """Drop all steps after so many, and return the position before them."""
        before = self.steps[length].before
        undone = sum(step.ends_event for step in self.steps[length:])
        del self.steps[length:], self.events[len(self.events) - undone :]
        return before

    def moments(self, now: bytes) -> Iterator[Moment]:
        """The events with the positions around them; the cards of a voyage that has not landed make none yet."""
        first = 0
        for number, step in enumerate(self.steps, start=1):
            if step.ends_event:
                after = self.steps[number].before if number < len(self.steps) else now
                yield Moment(_event_of(self.steps[first:number]), self.steps[first].before, after, step.payday)
                first = number

    def begin_of_last(self) -> int:
        """Where the last event begins; a voyage, landed or not, begins with its first card. Raises `CannotUndo`."""
        if not self.steps:
            raise CannotUndo("nothing-to-undo")
        first = len(self.steps) - 1
        if self.steps[first].of_voyage:
            while first > 0 and not self.steps[first - 1].ends_event:
                first -= 1
        return first

    def begin_of_turn(self, now: State) -> int:
        """Where the actions of the running turn begin. Raises `CannotUndo` if there are none."""
        first = len(self.steps)
        while first > 0:
            step = self.steps[first - 1]
            if not isinstance(step.event, Act) or turn_of(position(step.before)[0]) != turn_of(now):
                break
            first -= 1
        if first == len(self.steps):
            revealed = first > 0 and isinstance(self.steps[-1].event, Reveal)
            raise CannotUndo("card-was-revealed" if revealed else "nothing-to-undo")
        return first


def _event_of(steps: Sequence[Step]) -> Event:
    """The event that some steps make up."""
    if len(steps) == 1:
        return steps[0].event
    pieces = [step.event for step in steps if isinstance(step.event, Act)]
    return Act(pieces[0].seat, tuple(piece.numbers[0] for piece in pieces))


def turn_of(state: State) -> tuple[int, int, int, int]:
    """What tells one turn, or one seat's decisions after a payday, from every other."""
    return int(state.phase), int(state.round_no), int(state.seat), max(int(state.stage), DONE)


def action_groups(numbers: Iterable[int]) -> list[tuple[int, ...]]:
    """Group the actions of a turn as they are taken back: one by one, but a voyage that has landed at once."""
    found: list[tuple[int, ...]] = []
    voyage: list[int] = []
    for number in numbers:
        if not is_voyage_piece(number):
            found.append((number,))
            continue
        voyage.append(number)
        if number >= PIRATE_LAND:
            found.append(tuple(voyage))
            voyage = []
    return found + [(number,) for number in voyage]
