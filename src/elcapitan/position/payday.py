"""A payday step by step: city after city, who is paid how much and by which rule, and the ranking after each step.

Amounts, ranks and reasons come from the rules. A payday that has not come is taken apart in the same way.

Seats rank by their purse less their debts, as the rules count money after a payday.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from elcapitan.board.figures import Figures
from elcapitan.engine.rules.payday import BONUS, REASON_RULES
from elcapitan.engine.vocabulary import CITY_NAMES, NOBODY
from elcapitan.game.game import Moment
from elcapitan.game.position_queries import Income
from elcapitan.position.facts import DecodedPosition

TIE: Final = "MAJ-04"


@dataclass(frozen=True, slots=True)
class PaydayLine:
    """What one colour is paid in a step, and why."""

    seat: int | None  # nobody for a neutral colour
    colour: int
    amount: int
    houses: int  # open warehouses in the city; cities in the chart; 0 for a fortress or a bonus card
    rank: int | None  # in the city, from 1
    reason: int  # a key of REASON_RULES
    tied: bool = False  # as many warehouses as the one before or behind, so that the foremost one decided

    @property
    def rule(self) -> str:
        """The rule that says so."""
        return REASON_RULES[self.reason]


@dataclass(frozen=True, slots=True)
class PaydayStep:
    """One thing that is paid for."""

    kind: str  # proliferation, city, fortress or bonus
    city: int | None
    worth: int  # what first rank in the city earns, or 0
    lines: tuple[PaydayLine, ...]
    running: tuple[int, ...]  # what every seat has been paid so far, this step included


def steps_of(moment: Moment, figures: Figures) -> list[PaydayStep]:
    """The steps of the payday that an event brought; none if it brought no payday."""
    return steps(DecodedPosition(moment.before, figures)) if moment.payday else []


def steps(position: DecodedPosition) -> list[PaydayStep]:
    """The steps of a payday that is held in a position."""
    incomes, pays = position.incomes, position.facts.pays.tolist()
    found: list[tuple[str, int | None, int, list[PaydayLine]]] = [("proliferation", None, 0, _spread(position))]
    for city in position.in_play:
        found.append(("city", city, pays[city], _city(position, city)))
        found.append(("fortress", city, pays[city], _fortresses(position, city)))
    found.append(("bonus", None, 0, _bonus(incomes)))
    running = [0] * len(incomes)
    told = []
    for kind, where, worth, lines in found:
        for line in lines:
            if line.seat is not None:
                running[line.seat] += line.amount
        if lines:
            told.append(PaydayStep(kind, where, worth, tuple(lines), tuple(running)))
    return told


def _spread(position: DecodedPosition) -> list[PaydayLine]:
    """What the chart pays; seats in no city are left out."""
    return [
        PaydayLine(
            seat=income.seat,
            colour=income.seat,
            amount=income.proliferation,
            houses=income.cities,
            rank=None,
            reason=int(position.facts.why_spread[income.seat]),
        )
        for income in position.incomes
        if income.cities
    ]


def _city(position: DecodedPosition, city: int) -> list[PaydayLine]:
    """The colours in a city by their rank."""
    ranks, why = position.ranks(city), position.facts.why_ranked[city].tolist()
    equal = {pair for pair, (one, other) in enumerate(pairwise(ranks)) if one.houses == other.houses}
    return [
        PaydayLine(
            seat=each.seat,
            colour=each.colour,
            amount=each.earns,
            houses=each.houses,
            rank=place + 1,
            reason=why[each.colour],
            tied=bool(equal & {place - 1, place}),
        )
        for place, each in enumerate(ranks)
    ]


def _fortresses(position: DecodedPosition, city: int) -> list[PaydayLine]:
    """The seats with a fortress in a city, the cheapest site first."""
    return [
        PaydayLine(
            seat=seat,
            colour=seat,
            amount=position.incomes[seat].fortress.get(CITY_NAMES[city], 0),
            houses=0,
            rank=None,
            reason=int(position.facts.why_fortress[city]),
        )
        for seat in position.state.fortress[city].tolist()
        if seat != NOBODY
    ]


def _bonus(incomes: Sequence[Income]) -> list[PaydayLine]:
    """The seats that turn a bonus card into money."""
    return [
        PaydayLine(seat=income.seat, colour=income.seat, amount=income.bonus, houses=0, rank=None, reason=BONUS)
        for income in incomes
        if income.bonus
    ]


@dataclass(frozen=True, slots=True)
class PaydayRanking:
    """What each seat has at one point of a payday, and how they rank. All by seat."""

    purses: tuple[int, ...]
    worths: tuple[int, ...]  # purse less debts
    places: tuple[int, ...]  # from 1; the same for seats that are worth the same


def rankings(moment: Moment, figures: Figures) -> list[PaydayRanking]:
    """Return the ranking before the payday that an event brought, and after each of its steps."""
    if moment.payday is None:
        return []
    cash = [purse.cash for purse in moment.payday.purses]
    debts = [purse.debt for purse in moment.payday.purses]
    running = [(0,) * len(cash), *(step.running for step in steps_of(moment, figures))]
    return [_ranking([sum(each) for each in zip(cash, paid, strict=True)], debts) for paid in running]


def _ranking(purses: Sequence[int], debts: Sequence[int]) -> PaydayRanking:
    """Rank the seats by what they have less what they owe."""
    worths = [purse - debt for purse, debt in zip(purses, debts, strict=True)]
    places = tuple(1 + sum(other > worth for other in worths) for worth in worths)
    return PaydayRanking(tuple(purses), tuple(worths), places)
