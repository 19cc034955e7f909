"""Where the money came from: one pass over a game that was played.

Every change of a purse belongs to one source, so what all sources brought and took adds up to the money at the end.
"""

from dataclasses import dataclass, field
from typing import Final

from elcapitan.engine import play
from elcapitan.engine.actions import family
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import PHASES, SETTLING
from elcapitan.figures import Figures
from elcapitan.game import Act, Deal, Game, Moment, Payday

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

BY_FAMILY: Final = {
    "buy": CARDS,
    "fortress": FORTRESS_COSTS,
    "loan": LOAN_COSTS,
    "repay": LOAN_COSTS,
    "free_pirate": PIRATE,
    "paid_pirate": PIRATE,
}


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
        """Enter an amount."""
        self.sources[seat][source] += amount


def books(game: Game) -> Ledger:
    """The books of a game from its first card to where it stands."""
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
    """The rounds, and the end of what a payday brings about."""
    phase = int(before.phase) - 1
    ledger.rounds[phase] = max(ledger.rounds[phase], int(before.round_no))
    if len(ledger.settled[0]) < len(ledger.paid[0]) and before.stage < SETTLING:
        _settle(ledger)


def _settle(ledger: Ledger) -> None:
    """Note what everybody has after a payday."""
    for settled, amount in zip(ledger.settled, ledger.money, strict=True):
        settled.append(amount)


def _enter(ledger: Ledger, moment: Moment, figures: Figures) -> None:
    """Book every change of a purse."""
    money = play.scores(moment.after, 0)
    changes = [after - was for was, after in zip(ledger.money, money, strict=True)]
    ledger.money = money
    what = ""
    if isinstance(moment.event, Act):
        what = family(moment.event.numbers[0])
        ledger.actions += 1
        ledger.loans[moment.event.seat] += what == "loan"
    if moment.payday:
        _enter_payday(ledger, moment.payday, changes)
    elif not any(changes):
        return
    elif what in ("build", "reopen"):
        _enter_placing(ledger, moment.before[0], figures, what, changes)
    elif moment.before[0].stage >= SETTLING:
        _enter_all(ledger, LOAN_COSTS, changes)
    else:
        _enter_all(ledger, BY_FAMILY[what], changes)


def _enter_all(ledger: Ledger, source: str, changes: list[int]) -> None:
    """Book all changes under one source."""
    for seat, change in enumerate(changes):
        ledger.book(seat, source, change)


def _enter_payday(ledger: Ledger, payday: Payday, changes: list[int]) -> None:
    """A payday; whatever else changes with it is a loan that was taken just before or is due at once."""
    for income in payday.paid:
        ledger.paid[income.seat].append(income.total)
        ledger.book(income.seat, PROLIFERATION, income.proliferation)
        ledger.book(income.seat, MAJORITIES, sum(income.majority.values()))
        ledger.book(income.seat, FORTRESSES, sum(income.fortress.values()))
        ledger.book(income.seat, BONUS, income.bonus)
        ledger.book(income.seat, LOAN_COSTS, changes[income.seat] - income.total)


def _enter_placing(ledger: Ledger, before: State, figures: Figures, what: str, changes: list[int]) -> None:
    """A warehouse costs what its harbour says; whatever comes back at once is Lisboa's payment."""
    seat = int(before.seat)
    city, space = int(before.ship_city[seat]), int(before.ship_space[seat])
    price = int(figures.board.harbour_price[city, space]) if what == "build" else 0
    ledger.book(seat, WAREHOUSES, -price)
    ledger.book(seat, LISBOA, changes[seat] + price)
