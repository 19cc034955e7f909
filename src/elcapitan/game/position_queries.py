"""What a position pays, offers, refuses and shows, as plain Python objects made from the engine's records."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from elcapitan.actions import union as act
from elcapitan.actions.typed import Typed, to_typed
from elcapitan.board.figures import Figures
from elcapitan.engine import play, refusals
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.record import from_bytes
from elcapitan.engine.state import Desks, State, States
from elcapitan.engine.vocabulary import CARDS, CITIES, CITY_NAMES, DESTINATIONS, FACE_UP, FLIPPED, NOBODY, SETTLING
from elcapitan.errors import IllegalAction
from elcapitan.game.setup import hashed

LOW_32 = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Income:
    """What one seat earns on a payday; cities that pay nothing are left out."""

    seat: int
    cities: int  # with an open warehouse of the main colour
    proliferation: int
    majority: dict[str, int]
    fortress: dict[str, int]
    bonus: int
    total: int


@dataclass(frozen=True, slots=True)
class Purse:
    """What a seat has and owes when a payday begins."""

    cash: int
    debt: int  # what all its loans cost to pay back
    new: int  # loan cards taken in this phase: each is paid back or extended after the payday
    extended: int  # loan cards that must be paid back after the payday


@dataclass(frozen=True, slots=True)
class Payday:
    """A payday that was held: its number, what it paid every seat, and what they had when it began."""

    number: int
    paid: tuple[Income, ...]
    purses: tuple[Purse, ...]


def position(content: bytes) -> States:
    """The position that was kept as bytes, in the form that kernels take.

    It is also the quickest copy of one: NumPy copies records field by field.
    """
    return from_bytes(State, bytearray(content))


def forecast_of(states: States, figures: Figures) -> tuple[Income, ...]:
    """What a payday in a position would pay each seat [PAY-01]."""
    forecasts = play.forecasts()
    play.forecast(states, 0, figures.boards, forecasts, 0)
    record = forecasts[0]
    return tuple(
        Income(
            seat=seat,
            cities=int(record.cities[seat]),
            proliferation=int(record.proliferation[seat]),
            majority=_by_city(record.majority[seat]),
            fortress=_by_city(record.fortress[seat]),
            bonus=int(record.bonus[seat]),
            total=int(record.total[seat]),
        )
        for seat in range(int(states[0].players))
    )


def purses_at_payday(states: States, figures: Figures, action: act.Action | None) -> tuple[Purse, ...]:
    """What each seat has and owes when a payday begins.

    `states` is the position before the action that closes the phase; None if a card that is turned up closes it.
    """
    record, facts = states[0], play.facts(states, 0, figures.boards)[0]
    players, seat = int(record.players), int(record.seat)
    cash, debts = record.cash[:players].tolist(), facts.debt[:players].tolist()
    cards = record.loans[:players].sum(axis=1)
    new, extended = cards[:, FACE_UP].tolist(), cards[:, FLIPPED].tolist()
    kind = None if action is None else _loan_taken(action)
    if kind is not None:
        cash[seat], debts[seat] = int(facts.cash_with_loan[kind]), int(facts.debt_with_loan[kind])
        new[seat] += 1
    return tuple(map(Purse, cash, debts, new, extended))


def _loan_taken(action: act.Action) -> int | None:
    """The loan that an action takes; None if it takes none."""
    match action:
        case act.TakeLoan(kind):
            return kind
        case act.Buy() | act.Sail() | act.Build() | act.Reopen() | act.BuildFortress():
            return None
        case act.MovePirateFree() | act.MovePirateForMoney() | act.SailPirate() | act.LandPirate():
            return None
        case act.End() | act.Pass() | act.Repay() | act.Extend() | act.NameStarter():
            return None
        case _:
            assert_never(action)


def _by_city(amounts: np.ndarray[tuple[int], np.dtype[np.int16]]) -> dict[str, int]:
    """The cities that pay something."""
    return {CITY_NAMES[city]: int(amounts[city]) for city in range(CITIES) if amounts[city]}


def legal_in(states: States, figures: Figures, desks: Desks) -> list[int]:
    """The numbers of everything legal in a position, ascending."""
    count = play.legal(states, 0, figures.boards, desks, 0)
    numbers: list[int] = desks[0].actions[:count].tolist()
    return numbers


def refusal_in(states: States, figures: Figures, desks: Desks, number: int) -> IllegalAction:
    """Ask the rules why an action is not legal in a position in which a seat has to decide."""
    if not 0 <= number < N_ACTIONS:
        return IllegalAction("no-such-action", "", found=number, most=N_ACTIONS - 1)
    values = np.zeros(refusals.ARGUMENTS, np.int64)
    code = play.refusal(states, 0, figures.boards, desks, 0, number, values)
    reason, rule, names = refusals.REFUSALS[code]
    arguments = {name: _spelt(name, value, figures) for name, value in zip(names, values.tolist(), strict=False)}
    return IllegalAction(reason, rule, **arguments)


def _spelt(name: str, value: int, figures: Figures) -> str | int:
    """An argument of a refusal as people know it: names, and places counted from 1."""
    if name == "card":
        return figures.cards[value]
    if name == "city":
        return CITY_NAMES[value]
    return value + 1 if name in ("seat", "site", "space") else value


def in_typed_form(numbers: list[int], figures: Figures) -> list[Typed]:
    """Actions in typed form, but for voyages of the pirate by cards."""
    return [to_typed(number, figures) for number in numbers if not act.is_voyage_piece(number)]


def without_secrets(states: States) -> States:
    """A position without the order of the face-down cards and without the source of chance."""
    view = position(states.tobytes())
    for deck, first in enumerate((0, DESTINATIONS)):
        beyond = first + int(view[0].deck_left[deck])
        view[0].deck[first:beyond] = np.sort(view[0].deck[first:beyond])
        view[0].deck[beyond : DESTINATIONS if deck == 0 else None] = NOBODY
    view[0].rng[:] = 0
    return view


def cards_to_come(states: States) -> list[int]:
    """The cards of which one is turned up next in a position, ascending; none if no card is due."""
    return [card for card in range(CARDS) if play.possible(states, 0, card)]


def face_down(states: States) -> list[list[int]]:
    """The destination cards and the links that are face down, ascending."""
    record = states[0]
    ends = zip((0, DESTINATIONS), record.deck_left.tolist(), strict=True)
    return [sorted(record.deck[first : first + left].tolist()) for first, left in ends]


def with_decks(states: States, deck: bytes, seed: int, drawn: int) -> States:
    """A position with the decks as the engine stores them, and the generator of a seed after so many numbers."""
    ordered = position(states.tobytes())
    ordered[0].deck[:] = np.frombuffer(deck, np.int8)
    ordered[0].rng[:] = (seed & LOW_32, seed >> 32, drawn)
    return ordered


def arranged(states: States, decks: Sequence[Sequence[int]]) -> States:
    """A position whose face-down cards lie in these orders, destinations and links, the next card first."""
    ordered = without_secrets(states)
    for first, cards in zip((0, DESTINATIONS), decks, strict=True):
        ordered[0].deck[first : first + len(cards)] = cards[::-1]
    return ordered


def shuffled(states: States, seed: int) -> States:
    """A position whose face-down cards lie in an order that a seed decides, and whose generator begins with it."""
    decks = [sorted(deck, key=lambda card: hashed(seed, card), reverse=True) for deck in face_down(states)]
    ordered = arranged(states, decks)
    ordered[0].rng[:] = (seed & LOW_32, seed >> 32, 0)
    return ordered


def turn_given(states: States, seat: int) -> bool:
    """Let a seat's next turn begin in a position in which a turn is running; False if a payday comes before it."""
    running = bool(states[0].stage < SETTLING) and 0 <= seat < int(states[0].players)
    return running and bool(play.give_turn(states, 0, seat))
