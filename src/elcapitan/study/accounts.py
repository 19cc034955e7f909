"""Debts, and what was left to build when a phase ended: one pass over a game that was played.

The arena's own result has everything else; its money after a payday is cash, without the loans that were extended.
"""

from dataclasses import dataclass

from elcapitan.actions.union import Extend, TakeLoan, decode
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import LOANS, NAMING, NEUTRAL, PHASES
from elcapitan.figures import Figures
from elcapitan.game import Act, Game


@dataclass(frozen=True)
class Accounts:
    """The debts and the stock of one merchant, payday by payday."""

    worth: tuple[int, ...]  # money less debt after each payday
    taken: tuple[int, ...]  # loan cards, by phase
    extended: tuple[int, ...]  # how many of these were extended after the payday of the phase
    left: tuple[int, ...]  # pieces in the stock at each payday


def accounts(game: Game) -> tuple[Accounts, ...]:
    """The accounts of all merchants of a game that is over, by seat."""
    seats = range(game.players)
    worth: list[list[int]] = [[] for _ in seats]
    left: list[list[int]] = [[] for _ in seats]
    taken, extended = ([[0] * PHASES for _ in seats] for _ in range(2))
    for moment in game.history():
        before, after = moment.before[0], moment.after[0]
        if isinstance(moment.event, Act):
            action, phase = decode(moment.event.numbers[0], game.figures), int(before.phase) - 1
            taken[moment.event.seat][phase] += isinstance(action, TakeLoan)
            extended[moment.event.seat][phase] += isinstance(action, Extend)
        for seat in seats:
            if moment.payday:
                left[seat].append(pieces(after, seat))
            if before.stage == NAMING:  # all loans of the payday are settled
                worth[seat].append(net(before, game.figures, seat))
    for seat in seats:
        worth[seat].append(net(game.position, game.figures, seat))
    return tuple(
        Accounts(tuple(worth[seat]), tuple(taken[seat]), tuple(extended[seat]), tuple(left[seat])) for seat in seats
    )


def net(state: State, figures: Figures, seat: int) -> int:
    """A merchant's money less what the loans still held show."""
    owed = sum(
        int(state.loans[seat, kind, side]) * int(figures.board.loan_due[kind, side])
        for kind in range(LOANS)
        for side in range(2)
    )
    return int(state.cash[seat]) - owed


def pieces(state: State, seat: int) -> int:
    """What a merchant has left to build: warehouses, with two players the neutral ones too, and fortresses."""
    neutral = int(state.stock[seat + NEUTRAL]) if state.players == 2 else 0
    return int(state.stock[seat]) + neutral + int(state.fortresses[seat])
