"""What decided a game: the largest payment on a payday, and the city in which money was invested best."""

from collections import defaultdict
from dataclasses import dataclass

from elcapitan.actions import union as act
from elcapitan.board.figures import Figures
from elcapitan.engine import play
from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.game.game import Act, Game, Moment
from elcapitan.position.facts import facts_of
from elcapitan.position.payday import PaydayLine, PaydayStep, steps_of


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
        case _:
            return None
    return seat, int(before.ship_city[seat]), price, gained + price
