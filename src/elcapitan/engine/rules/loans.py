"""LOAN and AFTER: taking loans, and repaying or extending them after a payday."""

from elcapitan.engine.jit import rule, whole
from elcapitan.engine.rules.sailing import go_to_bank
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import (
    BOUGHT,
    BUY_BEFORE_LOAN,
    FACE_UP,
    FLIPPED,
    LARGE,
    LOANS,
    SMALL,
    START,
)


@rule
def first_round(s: State) -> bool:
    """[LOAN-06, TURN-11] The first round of the game, in which nobody borrows and so everybody has to build."""
    return bool(s.phase == 1 and s.round_no == 1)


@rule
def any_loan_left(s: State) -> bool:
    """[LOAN-07, G-09] The supply of loan cards is what limits borrowing."""
    return bool(s.loans_left[SMALL] > 0 or s.loans_left[LARGE] > 0)


@rule
def loan_turn_open(s: State) -> bool:
    """[LOAN-06, TURN-08, BUY-06, G-06, G-45, G-62] A loan is the only thing in its turn, and not in the first round.

    Table options let cards be bought before it, and the pirate be moved (which then leaves the stage as it is).
    """
    if first_round(s):
        return False
    if s.stage == START:
        return True
    return bool(s.stage == BOUGHT and whole(s.options) & BUY_BEFORE_LOAN)


@rule
def cash_with_loan(s: State, b: Board, seat: int, kind: int) -> int:
    """[LOAN-02, LOAN-03] What a seat has once it has taken a loan of an amount."""
    return whole(s.cash[seat]) + whole(b.loan_amount[kind])


@rule
def borrow(s: State, b: Board, kind: int) -> None:
    """[LOAN-01, LOAN-02, LOAN-03, LOAN-04, LOAN-05, TURN-07] Into the bank harbour, take the card and the money."""
    seat = whole(s.seat)
    go_to_bank(s, seat)
    s.loans[seat, kind, FACE_UP] += 1
    s.loans_left[kind] -= 1
    s.cash[seat] = cash_with_loan(s, b, seat, kind)


@rule
def pay_back(s: State, b: Board, seat: int, kind: int, side: int) -> None:
    """[LOAN-08, LOAN-09, AFTER-02, AFTER-05, G-26] Pay what the card shows; the card returns to its pile."""
    s.cash[seat] -= b.loan_due[kind, side]
    s.loans[seat, kind, side] -= 1
    s.loans_left[kind] += 1


@rule
def repay(s: State, b: Board, kind: int) -> None:
    """[AFTER-02, G-27, G-54] One card that was taken in this phase is paid back."""
    pay_back(s, b, whole(s.seat), kind, FACE_UP)
    s.undecided[kind] -= 1


@rule
def extend(s: State, kind: int) -> None:
    """[AFTER-03, AFTER-04, G-27, G-54] Flip one card: due after the next payday, at the higher amount."""
    seat = whole(s.seat)
    s.loans[seat, kind, FACE_UP] -= 1
    s.loans[seat, kind, FLIPPED] += 1
    s.undecided[kind] -= 1


@rule
def pay_overdue(s: State, b: Board, seat: int) -> None:
    """[AFTER-04, G-28, G-54] Flipped cards must be paid, even below zero."""
    for kind in range(LOANS):
        while s.loans[seat, kind, FLIPPED] > 0:
            pay_back(s, b, seat, kind, FLIPPED)


@rule
def pay_everything(s: State, b: Board, seat: int) -> None:
    """[END-03, G-29] At the end every loan is paid at the amount it shows, even below zero."""
    pay_overdue(s, b, seat)
    for kind in range(LOANS):
        while s.loans[seat, kind, FACE_UP] > 0:
            pay_back(s, b, seat, kind, FACE_UP)


@rule
def owed(s: State, b: Board, seat: int, kind: int, side: int) -> int:
    """[LOAN-08, LOAN-09, AFTER-05] What the loan cards of an amount and side that a seat holds show together."""
    return whole(s.loans[seat, kind, side]) * whole(b.loan_due[kind, side])


@rule
def debt(s: State, b: Board, seat: int) -> int:
    """[LOAN-08, LOAN-09] What all loans that a seat still holds show."""
    total = 0
    for kind in range(LOANS):
        for side in range(2):
            total += owed(s, b, seat, kind, side)
    return total


@rule
def debt_with_loan(s: State, b: Board, seat: int, kind: int) -> int:
    """[LOAN-08, LOAN-09] What all loans of a seat show once it has taken one of an amount."""
    return debt(s, b, seat) + whole(b.loan_due[kind, FACE_UP])


@rule
def wealth(s: State, b: Board, seat: int) -> int:
    """[AFTER-06, G-30] Cash less what the loans still held show."""
    return whole(s.cash[seat]) - debt(s, b, seat)
