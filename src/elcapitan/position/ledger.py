"""The money of a game: where it came from, and what each seat had and owed over time.

Every change of a purse belongs to one source, so what all sources brought and took adds up to the money at the end.
"""

from dataclasses import dataclass, field
from typing import Final, assert_never

from elcapitan.actions import union as act
from elcapitan.board.figures import Figures
from elcapitan.engine import play
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import PHASES, SETTLING
from elcapitan.game.game import Act, Deal, Game, Moment, Payday
from elcapitan.position.facts import facts_of

START, PROLIFERATION, MAJORITIES, FORTRESSES, BONUS, LISBOA = (
    "start",
    "proliferation",
    "majorities",
    "fortresses",
    "bonus",
    "lisboa",
)
PIRATE: Final = "pirate"  # charges received and paid, and moves for money
CARDS, WAREHOUSES, FORTRESS_COSTS, LOAN_COSTS = "card_costs", "warehouse_costs", "fortress_costs", "loan_costs"
INCOME: Final = (START, PROLIFERATION, MAJORITIES, FORTRESSES, BONUS, LISBOA)
SPENDING: Final = (PIRATE, CARDS, WAREHOUSES, FORTRESS_COSTS, LOAN_COSTS)
SOURCES: Final = INCOME + SPENDING


@dataclass
class Ledger:
    """The books of all merchants of one game."""

    players: int
    sources: list[dict[str, int]] = field(init=False)  # by seat
    loans: list[int] = field(init=False)  # loan cards taken, by seat
    paid: list[list[int]] = field(init=False)  # by seat and payday
    settled: list[list[int]] = field(init=False)  # money after each payday and its loans, by seat
    rounds: list[int] = field(init=False)  # by phase
    money: list[int] = field(init=False)  # by seat, now
    actions: int = 0

    def __post_init__(self) -> None:
        self.sources = [dict.fromkeys(SOURCES, 0) for _ in range(self.players)]
        self.loans = [0] * self.players
        self.paid = [[] for _ in range(self.players)]
        self.settled = [[] for _ in range(self.players)]
        self.rounds = [0] * PHASES
        self.money = [0] * self.players

    def book(self, seat: int, source: str, amount: int) -> None:
        """Add an amount to a source of a seat."""
        self.sources[seat][source] += amount


def ledger_of(game: Game) -> Ledger:
    """Book every change of a purse, from the deal to where the game stands."""
    ledger = Ledger(game.players)
    for moment in game.history():
        if isinstance(moment.event, Deal):
            ledger.money = play.scores(moment.before, 0)
            _enter_all(ledger, START, ledger.money)
        _watch(ledger, moment.before[0])
        _enter(ledger, moment, game.figures)
    if game.over:
        _settle(ledger)
    return ledger


def _watch(ledger: Ledger, before: State) -> None:
    """Count the rounds, and notice when the loans of the last payday are settled."""
    phase = int(before.phase) - 1
    ledger.rounds[phase] = max(ledger.rounds[phase], int(before.round_no))
    if len(ledger.settled[0]) < len(ledger.paid[0]) and before.stage < SETTLING:
        _settle(ledger)


def _settle(ledger: Ledger) -> None:
    """Note the money of each seat once the loans of a payday are settled."""
    for settled, amount in zip(ledger.settled, ledger.money, strict=True):
        settled.append(amount)


def _enter(ledger: Ledger, moment: Moment, figures: Figures) -> None:
    """Book every change of a purse."""
    money = play.scores(moment.after, 0)
    changes = [after - was for was, after in zip(ledger.money, money, strict=True)]
    ledger.money = money
    action: act.Action | None = None
    if isinstance(moment.event, Act):
        action = act.decode(moment.event.numbers[0], figures)
        ledger.actions += 1
        ledger.loans[moment.event.seat] += isinstance(action, act.TakeLoan)
    if moment.payday:
        _enter_payday(ledger, moment.payday, changes)
    elif any(changes):
        before = moment.before[0]
        if before.stage >= SETTLING or action is None:  # loans are settled, perhaps without a decision
            _enter_all(ledger, LOAN_COSTS, changes)
        else:
            _enter_action(ledger, action, before, figures, changes)


def _enter_action(ledger: Ledger, action: act.Action, before: State, figures: Figures, changes: list[int]) -> None:
    """Book what an action has changed in a turn."""
    match action:
        case act.Build():
            _enter_placing(ledger, before, int(facts_of(before, figures).build_price), changes)
        case act.Reopen():
            _enter_placing(ledger, before, 0, changes)
        case act.Buy():
            _enter_all(ledger, CARDS, changes)
        case act.BuildFortress():
            _enter_all(ledger, FORTRESS_COSTS, changes)
        case act.TakeLoan() | act.Repay() | act.Extend():
            _enter_all(ledger, LOAN_COSTS, changes)
        case act.MovePirateFree() | act.MovePirateForMoney() | act.SailPirate() | act.LandPirate():
            _enter_all(ledger, PIRATE, changes)
        case act.Sail() | act.NameStarter() | act.End() | act.Pass():
            raise AssertionError(f"{action} costs nothing")
        case _:
            assert_never(action)


def _enter_all(ledger: Ledger, source: str, changes: list[int]) -> None:
    """Book all changes under one source."""
    for seat, change in enumerate(changes):
        ledger.book(seat, source, change)


def _enter_payday(ledger: Ledger, payday: Payday, changes: list[int]) -> None:
    """Book a payday. Other changes at the same time are loans taken just before or due at once."""
    for income in payday.paid:
        ledger.paid[income.seat].append(income.total)
        ledger.book(income.seat, PROLIFERATION, income.proliferation)
        ledger.book(income.seat, MAJORITIES, sum(income.majority.values()))
        ledger.book(income.seat, FORTRESSES, sum(income.fortress.values()))
        ledger.book(income.seat, BONUS, income.bonus)
        ledger.book(income.seat, LOAN_COSTS, changes[income.seat] - income.total)


def _enter_placing(ledger: Ledger, before: State, price: int, changes: list[int]) -> None:
    """Book the price of a warehouse; whatever comes back at once is Lisboa's payment."""
    seat = int(before.seat)
    ledger.book(seat, WAREHOUSES, -price)
    ledger.book(seat, LISBOA, changes[seat] + price)


# ---------------------------------------------------------------------------------------------------- purses over time


@dataclass(frozen=True, slots=True)
class PurseMoment:
    """What each seat has and owes after an event."""

    number: int  # of the event, from 0 as in `Game.events`
    phase: int
    money: tuple[int, ...]  # by seat
    debts: tuple[int, ...]  # what the loans would cost to pay back
    payday: int = 0  # the number of the payday that the event brought, or 0

    @property
    def worths(self) -> tuple[int, ...]:
        """The net worth of each seat: what it has less what it owes."""
        return tuple(money - debt for money, debt in zip(self.money, self.debts, strict=True))


def purses(game: Game) -> list[PurseMoment]:
    """List every change of a purse or of a debt from the deal on; paydays and the last event are always included."""
    found: list[PurseMoment] = []
    last = None
    for number, moment in enumerate(game.history()):
        last = _purses_after(number, moment, game.figures)
        if not found or moment.payday or (last.money, last.debts) != (found[-1].money, found[-1].debts):
            found.append(last)
    if last and found[-1] != last:
        found.append(last)
    return found


def _purses_after(number: int, moment: Moment, figures: Figures) -> PurseMoment:
    """Read the purses off the position after an event."""
    states: States = moment.after
    players = int(states["players"][0])
    debts = play.facts(states, 0, figures.boards)[0].debt[:players].tolist()
    payday = moment.payday.number if moment.payday else 0
    return PurseMoment(number, int(states["phase"][0]), tuple(play.scores(states, 0)), tuple(debts), payday)
