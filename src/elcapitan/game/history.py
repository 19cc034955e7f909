"""What happened in a game: events, and the log that keeps the position before each of them."""

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from elcapitan.actions.text import is_voyage_piece
from elcapitan.engine.actions import PIRATE_LAND
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import CARDS, DESTINATIONS, DISPLAYED_DESTINATIONS, DISPLAYED_LINKS, DONE
from elcapitan.errors import IllegalAction
from elcapitan.game.income import Payday, position


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


def moments(log: Sequence[Step], now: bytes) -> Iterator[Moment]:
    """The events of a log; the cards of a voyage that has not landed make none yet."""
    voyage: list[Step] = []
    for number, step in enumerate(log, start=1):
        after = log[number].before if number < len(log) else now
        if not step.of_voyage:
            yield Moment(step.event, step.before, after, step.payday)
            continue
        voyage.append(step)
        if step.lands:
            yield Moment(last_event(voyage), voyage[0].before, after, None)
            voyage = []


def last_event(log: Sequence[Step]) -> Event:
    """The event that the last entry of a log completes; the landing of the pirate completes its whole voyage."""
    event = log[-1].event
    if not isinstance(event, Act) or not log[-1].lands:
        return event
    pieces = (step.event for step in log[begin_of_last(log) :])
    return Act(event.seat, tuple(piece.numbers[0] for piece in pieces if isinstance(piece, Act)))


def turned_up(log: Sequence[Step], event: Event | None = None) -> Counts:
    """How many destination cards and links came in a log and one more event, the opening display included."""
    destinations, links = log[-1].turned_up if log else (0, 0)
    cards = cards_of(event) if isinstance(event, Deal | Reveal) else ()
    more = sum(card < DESTINATIONS for card in cards)
    return destinations + more, links + len(cards) - more


def begin_of_last(log: Sequence[Step]) -> int:
    """Where the last event of a log begins; a voyage begins with its first card."""
    first = len(log) - 1
    while log[first].of_voyage and first > 0 and log[first - 1].of_voyage and not log[first - 1].lands:
        first -= 1
    return first


def turn_of(state: State) -> tuple[int, int, int, int]:
    """What tells one turn, or one seat's decisions after a payday, from every other."""
    return int(state.phase), int(state.round_no), int(state.seat), max(int(state.stage), DONE)


def begin_of_turn(log: Sequence[Step], now: State) -> int:
    """Where in the log the actions of the running turn begin; the length of the log if there are none."""
    first = len(log)
    while first > 0:
        step = log[first - 1]
        if not isinstance(step.event, Act) or turn_of(position(step.before)[0]) != turn_of(now):
            break
        first -= 1
    return first


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
