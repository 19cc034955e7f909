"""The money of a game: where it came from, what each seat had and owed over time, and what decided the game.

Every change of a purse belongs to one source, so what all sources brought and took adds up to the money at the end.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final, assert_never

from elcapitan.actions import union as act
from elcapitan.board.figures import Figures
from elcapitan.engine import play
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import CITY_NAMES, PHASES, SETTLING
from elcapitan.game.game import Act, Deal, Game, Moment, Payday
from elcapitan.position.facts import facts_of
from elcapitan.position.payday import PaydayLine, PaydayStep, steps_of

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


# -------------------------------------------------------------------------------------------- payments and investments


@dataclass(frozen=True, slots=True)
class LargestPayment:
    """The largest amount that one merchant was paid for one thing."""

    payday: int
    step: PaydayStep
    place: int  # of its line in the step

    @property
    def line(self) -> PaydayLine:
        """The line with this amount."""
        return self.step.lines[self.place]


@dataclass(frozen=True, slots=True)
class Investment:
    """What one merchant paid for building in one city, and what the city brought in."""

    seat: int
    city: int
    at: int  # how many events had happened when the first piece stood there
    spent: int
    earned: int

    @property
    def profit(self) -> int:
        """What is left of the earnings."""
        return self.earned - self.spent


def largest_payment(game: Game) -> LargestPayment | None:
    """Find the largest payment to a merchant on any payday, the first of those that are equal; None without one."""
    return next(iter(largest_payments(game)), None)


def largest_payments(game: Game) -> list[LargestPayment]:
    """List all payments to merchants on paydays, the largest first."""
    found = [
        LargestPayment(moment.payday.number, step, place)
        for moment in game.history()
        if moment.payday
        for step in steps_of(moment, game.figures)
        for place, line in enumerate(step.lines)
        if line.seat is not None and line.amount > 0
    ]
    return sorted(found, key=lambda each: -each.line.amount)


def best_investment(game: Game) -> Investment | None:
    """Find the merchant and the city with the highest profit from building there; None if nothing was gained."""
    return next(iter(best_investments(game)), None)


def best_investments(game: Game) -> list[Investment]:
    """List what brought more than it cost, the highest profit first."""
    return sorted((each for each in investments(game) if each.profit > 0), key=lambda each: -each.profit)


def investments(game: Game) -> list[Investment]:
    """List what every merchant invested in every city, and what came of it, by seat and city.

    Counted are the prices of warehouses and fortresses against what majorities, fortresses and Lisboa paid there. The
    proliferation chart pays for all cities together, so it counts for none of them.
    """
    found: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])  # at, spent, earned
    for number, moment in enumerate(game.history(), start=1):
        if moment.payday:
            for income in moment.payday.paid:
                for city, name in enumerate(CITY_NAMES):
                    earned = income.majority.get(name, 0) + income.fortress.get(name, 0)
                    if earned:
                        found[income.seat, city][2] += earned
        elif built := _built(moment, game.figures):
            seat, city, price, paid = built
            entry = found[seat, city]
            entry[0] = entry[0] or number
            entry[1] += price
            entry[2] += paid
    return [Investment(seat, city, *entry) for (seat, city), entry in sorted(found.items())]


def _built(moment: Moment, figures: Figures) -> tuple[int, int, int, int] | None:
    """Return who built where, for which price, and what was paid for it at once; None if the event is no building."""
    if not isinstance(moment.event, Act):
        return None
    action, seat = act.decode(moment.event.numbers[0], figures), moment.event.seat
    before = moment.before[0]
    gained = play.scores(moment.after, 0)[seat] - play.scores(moment.before, 0)[seat]
    match action:
        case act.Build():
            price = int(facts_of(before, figures).build_price)
        case act.Reopen():
            price = 0
        case act.BuildFortress():
            price = -gained
        case act.Buy() | act.Sail() | act.TakeLoan() | act.Repay() | act.Extend():
            return None
        case act.MovePirateFree() | act.MovePirateForMoney() | act.SailPirate() | act.LandPirate():
            return None
        case act.End() | act.Pass() | act.NameStarter():
            return None
        case _:
            assert_never(action)
    return seat, int(before.ship_city[seat]), price, gained + price
