"""A payday step by step: city after city, who is paid how much, and by which rule.

All amounts come from the engine's own forecast. What is added here is why: the ranks of a city, ties, colours that
earn nothing, the fullest city. A forecast can be told in the same way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from elcapitan.engine.rules.payday import amount, most_houses, open_houses
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import CITY_NAMES, MAIN_CITIES
from elcapitan.engine.vocabulary import NEUTRAL as BESIDE_MAIN
from elcapitan.figures import Figures
from elcapitan.game import Game, Moment, Payday
from elcapitan.look import bits, order
from elcapitan.report import Income
from elcapitan.text.catalogue import Translator
from elcapitan.text.names import interpreted, plainly
from elcapitan.text.telling import Teller

_amount, _most_houses, _open_houses = interpreted(amount), interpreted(most_houses), interpreted(open_houses)

# Why a line is paid what it is paid, and the rule that says so.
FIRST, SECOND, PRESENT, BEHIND, ONLY_FIRST, NEUTRAL = "first", "second", "present", "behind", "only-first", "neutral"
FORTRESS, FULLEST, ONE_OF_FULLEST = "fortress", "fullest", "one-of-fullest"
SPREAD, SPREAD_FAR, BONUS = "spread", "spread-far", "bonus"
RULES: Final = {
    FIRST: "MAJ-02",
    SECOND: "MAJ-03",
    PRESENT: "EXP-12",
    BEHIND: "MAJ-05",
    ONLY_FIRST: "TWO-12",
    NEUTRAL: "TWO-13",
    FORTRESS: "FORTPAY-01",
    FULLEST: "FORTPAY-02",
    ONE_OF_FULLEST: "FORTPAY-03",
    SPREAD: "PROL-04",
    SPREAD_FAR: "EXP-10",
    BONUS: "PROL-07",
}
TIE: Final = "MAJ-04"


@dataclass(frozen=True, slots=True)
class PaydayLine:
    """What one colour is paid in a step, and why."""

    seat: int | None  # nobody for a neutral colour
    colour: int
    amount: int
    houses: int  # open warehouses in the city; cities in the chart; 0 for a fortress or a bonus card
    rank: int | None  # in the city, from 1
    reason: str  # a key of RULES
    tied: bool = False  # as many warehouses as the one before or behind, so that the foremost one decided

    @property
    def rule(self) -> str:
        """The rule that says so."""
        return RULES[self.reason]


@dataclass(frozen=True, slots=True)
class PaydayStep:
    """One thing that is paid for."""

    kind: str  # proliferation, city, fortress or bonus
    city: int | None
    worth: int  # what first rank in the city earns, or 0
    lines: tuple[PaydayLine, ...]
    running: tuple[int, ...]  # what every seat has been paid so far, this step included


@dataclass(frozen=True, slots=True)
class Held:
    """A payday that was held, with all its steps."""

    number: int  # of the event that brought it, from 0
    payday: Payday
    steps: tuple[PaydayStep, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence about a line, and the rule behind it."""

    text: str
    rule: str


# ------------------------------------------------------------------------------------------------------- what is paid


def held(game: Game) -> list[Held]:
    """The paydays of a game so far."""
    return [
        Held(number, moment.payday, tuple(steps_of(moment, game.figures)))
        for number, moment in enumerate(game.history())
        if moment.payday
    ]


def steps_of(moment: Moment, figures: Figures) -> list[PaydayStep]:
    """The steps of the payday that an event brought; none if it brought no payday."""
    return steps(moment.before[0], moment.payday.paid, figures) if moment.payday else []


def steps(s: State, incomes: Sequence[Income], figures: Figures) -> list[PaydayStep]:
    """What a payday in a position pays: `incomes` is its forecast, item by item."""
    found: list[tuple[str, int | None, int, list[PaydayLine]]] = [("proliferation", None, 0, _spread(incomes))]
    in_play = bits(plainly(s.in_play))
    fullest = [city for city in in_play if _open_houses(s, city) == _most_houses(s)]
    for city in in_play:
        worth = _amount(s, figures.board, city)
        found.append(("city", city, worth, _city(s, incomes, city)))
        found.append(("fortress", city, worth, _fortresses(s, incomes, city, fullest)))
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


def _spread(incomes: Sequence[Income]) -> list[PaydayLine]:
    """What the chart pays; those in no city are left out."""
    return [
        PaydayLine(
            seat=income.seat,
            colour=income.seat,
            amount=income.proliferation,
            houses=income.cities,
            rank=None,
            reason=SPREAD if income.cities <= MAIN_CITIES else SPREAD_FAR,
        )
        for income in incomes
        if income.cities
    ]


def _city(s: State, incomes: Sequence[Income], city: int) -> list[PaydayLine]:
    """The colours in a city by their rank."""
    ranked = order(s, city)
    equal = {pair for pair, (one, other) in enumerate(pairwise(ranked)) if one[2] == other[2]}
    return [
        PaydayLine(
            seat=seat,
            colour=colour,
            amount=0 if seat is None else incomes[seat].majority.get(CITY_NAMES[city], 0),
            houses=houses,
            rank=place + 1,
            reason=_reason(city, place, seat, len(incomes)),
            tied=bool(equal & {place - 1, place}),
        )
        for place, (colour, seat, houses) in enumerate(ranked)
    ]


def _reason(city: int, place: int, seat: int | None, players: int) -> str:
    """Why a colour on this rank earns what it earns."""
    if seat is None:
        return NEUTRAL
    if place == 0:
        return FIRST
    if city >= MAIN_CITIES:
        return PRESENT
    if players == 2:
        return ONLY_FIRST
    return SECOND if place == 1 else BEHIND


def _fortresses(s: State, incomes: Sequence[Income], city: int, fullest: Sequence[int]) -> list[PaydayLine]:
    """Those with a fortress in a city, the cheapest site first."""
    full = FULLEST if len(fullest) == 1 else ONE_OF_FULLEST
    return [
        PaydayLine(
            seat=seat,
            colour=seat,
            amount=incomes[seat].fortress.get(CITY_NAMES[city], 0),
            houses=0,
            rank=None,
            reason=full if city in fullest else FORTRESS,
        )
        for seat in s.fortress[city].tolist()
        if seat >= 0
    ]


def _bonus(incomes: Sequence[Income]) -> list[PaydayLine]:
    """Those who turn a bonus card into money."""
    return [
        PaydayLine(seat=income.seat, colour=income.seat, amount=income.bonus, houses=0, rank=None, reason=BONUS)
        for income in incomes
        if income.bonus
    ]


# ----------------------------------------------------------------------------------------------------------- and why


def title(step: PaydayStep, t: Translator) -> str:
    """What a step is about, in a few words."""
    if step.city is None:
        return t.text("proliferation") if step.kind == "proliferation" else t.text("bonus cards")
    name = CITY_NAMES[step.city]
    return name if step.kind == "city" else t.text("fortress in {city}", city=name)


def sentences(step: PaydayStep, teller: Teller) -> list[Reason]:
    """Why everybody is paid what they are paid in a step: a sentence for each line, and one for each tie."""
    told = []
    for place, line in enumerate(step.lines):
        who = _who(line, teller)
        told.append(Reason(_sentence(step, line, who, teller.translator), line.rule))
        behind = step.lines[place + 1] if place + 1 < len(step.lines) else None
        if line.tied and behind and behind.houses == line.houses:
            tie = teller.translator.text(
                "{who} and {other} have equally many; {who} stands further forward.",
                who=who,
                other=_who(behind, teller),
            )
            told.append(Reason(tie, TIE))
    return told


def _who(line: PaydayLine, teller: Teller) -> str:
    """Whose warehouses these are."""
    if line.seat is not None:
        return teller.merchant(line.seat)
    return teller.translator.text("{who} (neutral)", who=teller.merchant(line.colour - BESIDE_MAIN))


def _sentence(step: PaydayStep, line: PaydayLine, who: str, t: Translator) -> str:
    """One line in words."""
    if step.kind == "city":
        return _majority(line, who, t)
    if step.kind == "fortress":
        return _fortress(line, who, t)
    if step.kind == "bonus":
        return t.text("{who} turns the bonus card into {amount}.", who=who, amount=line.amount)
    return t.plural(
        "{who} has warehouses in {number} city and receives {amount}.",
        "{who} has warehouses in {number} cities and receives {amount}.",
        line.houses,
        who=who,
        amount=line.amount,
    )


def _majority(line: PaydayLine, who: str, t: Translator) -> str:
    """A rank in a city."""
    arguments = {"who": who, "amount": line.amount, "rank": line.rank}
    if line.reason == FIRST:
        return t.plural(
            "{who} is first with {number} warehouse and receives the full amount, {amount}.",
            "{who} is first with {number} warehouses and receives the full amount, {amount}.",
            line.houses,
            **arguments,
        )
    if line.reason == SECOND:
        return t.plural(
            "{who} is second with {number} warehouse and receives half, {amount}.",
            "{who} is second with {number} warehouses and receives half, {amount}.",
            line.houses,
            **arguments,
        )
    if line.reason == PRESENT:
        return t.plural(
            "{who} is not first but present with {number} warehouse and receives half, {amount}.",
            "{who} is not first but present with {number} warehouses and receives half, {amount}.",
            line.houses,
            **arguments,
        )
    if line.reason == NEUTRAL and line.rank == 1:
        return t.plural(
            "{who} is first with {number} warehouse, so the full amount goes to nobody.",
            "{who} is first with {number} warehouses, so the full amount goes to nobody.",
            line.houses,
            **arguments,
        )
    return t.plural(
        "{who} is on rank {rank} with {number} warehouse and receives nothing.",
        "{who} is on rank {rank} with {number} warehouses and receives nothing.",
        line.houses,
        **arguments,
    )


def _fortress(line: PaydayLine, who: str, t: Translator) -> str:
    """A fortress in a city."""
    if line.reason == FORTRESS:
        return t.text("The fortress of {who} earns half of the amount, {amount}.", who=who, amount=line.amount)
    if line.reason == FULLEST:
        return t.text(
            "No other city has as many warehouses, so the fortress of {who} earns the full amount, {amount}.",
            who=who,
            amount=line.amount,
        )
    return t.text(
        "No city has more warehouses, so the fortress of {who} earns the full amount, {amount}.",
        who=who,
        amount=line.amount,
    )
