"""The ranking on a payday: what each seat has and owes before it and after each of its steps.

Seats rank by their purse less their debts, as the rules count money after a payday.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from elcapitan.actions.union import TakeLoan, decode
from elcapitan.board.figures import Figures
from elcapitan.game.game import Act, Moment
from elcapitan.position.facts import DecodedPosition
from elcapitan.position.payday import steps_of


@dataclass(frozen=True, slots=True)
class PaydayRanking:
    """What each seat has at one point of a payday, and how they rank. All by seat."""

    purses: tuple[int, ...]
    worths: tuple[int, ...]  # purse less debts
    places: tuple[int, ...]  # from 1; the same for seats that are worth the same


@dataclass(frozen=True, slots=True)
class OpenLoans:
    """The loan cards of a seat when a payday begins, and what they cost to pay back."""

    due: int
    new: int  # cards taken in this phase: each is paid back or extended after the payday
    extended: int  # cards that must be paid back after the payday


def rankings(moment: Moment, figures: Figures) -> list[PaydayRanking]:
    """Return the ranking before a payday that was held, and after each of its steps."""
    cash = [each.cash for each in DecodedPosition(moment.before, figures).merchants]
    seat, kind = _last_loan(moment, figures)
    if seat is not None:
        cash[seat] += DecodedPosition(moment.before, figures).bank[kind].amount
    debts = [each.due for each in open_loans(moment, figures)]
    running = [(0,) * len(cash), *(step.running for step in steps_of(moment, figures))]
    return [_ranking([sum(each) for each in zip(cash, paid, strict=True)], debts) for paid in running]


def open_loans(moment: Moment, figures: Figures) -> list[OpenLoans]:
    """Return the loans of each seat when a payday began."""
    position = DecodedPosition(moment.before, figures)
    borrower, kind = _last_loan(moment, figures)
    found = []
    for merchant in position.merchants:
        extended = sum(loans.cards for loans in merchant.loans if loans.extended)
        new = sum(loans.cards for loans in merchant.loans) - extended
        due = merchant.debt
        if merchant.seat == borrower:
            new += 1
            due += position.bank[kind].due
        found.append(OpenLoans(due, new, extended))
    return found


def _last_loan(moment: Moment, figures: Figures) -> tuple[int | None, int]:
    """Return who took which loan in the very action that brought the payday; no seat if it was another action."""
    if isinstance(moment.event, Act):
        match decode(moment.event.numbers[0], figures):
            case TakeLoan(kind):
                return moment.event.seat, kind
            case _:
                pass
    return None, 0


def _ranking(purses: Sequence[int], debts: Sequence[int]) -> PaydayRanking:
    """Rank the seats by what they have less what they owe."""
    worths = [purse - debt for purse, debt in zip(purses, debts, strict=True)]
    places = tuple(1 + sum(other > worth for other in worths) for worth in worths)
    return PaydayRanking(tuple(purses), tuple(worths), places)
