"""A payday in words: why each merchant is paid what they are paid, by which rule, and what it has changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.engine.rules.payday import FIRST, FORTRESS, FULLEST, NEUTRAL_REASON, PRESENT, SECOND
from elcapitan.engine.vocabulary import CITY_NAMES, NEUTRAL_OFFSET
from elcapitan.game.position_queries import Income, Purse
from elcapitan.position.payday import TIE, PaydayLine, PaydayRanking, PaydayStep
from elcapitan.text.catalogue import Translator, _
from elcapitan.text.consequences import Teller

# Each with what a merchant got from a source, and what another got.
PASSES: Final = (
    _("{who} passes {others}: {amount} by proliferation, {less} for {other}."),
    _("{who} passes {others}: {amount} by ranks in the cities, {less} for {other}."),
    _("{who} passes {others}: {amount} by fortresses, {less} for {other}."),
    _("{who} passes {others}: {amount} by the bonus card, {less} for {other}."),
)


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence about a line, and the rule behind it."""

    text: str
    rule: str


def title(step: PaydayStep, t: Translator) -> str:
    """What a step is about, in a few words."""
    if step.city is None:
        return t.text("proliferation") if step.kind == "proliferation" else t.text("bonus cards")
    name = CITY_NAMES[step.city]
    return name if step.kind == "city" else t.text("fortress in {city}", city=name)


def sentences(step: PaydayStep, teller: Teller) -> list[Reason]:
    """Explain a step: a sentence for each line, and one for each tie."""
    return [reason for reasons in reasons_by_line(step, teller) for reason in reasons]


def reasons_by_line(step: PaydayStep, teller: Teller) -> list[tuple[Reason, ...]]:
    """Explain each line of a step: why it pays that, and how a tie with the next line was decided."""
    told = []
    for place, line in enumerate(step.lines):
        who = _who(line, teller)
        reasons = [Reason(_sentence(step, line, who, teller.translator), line.rule)]
        behind = step.lines[place + 1] if place + 1 < len(step.lines) else None
        if line.tied and behind and behind.houses == line.houses:
            tie = teller.translator.text(
                "{who} and {other} are tied; {who} is nearer the start.",
                who=who,
                other=_who(behind, teller),
            )
            reasons.append(Reason(tie, TIE))
        told.append(tuple(reasons))
    return told


def _who(line: PaydayLine, teller: Teller) -> str:
    """Whose warehouses these are."""
    if line.seat is not None:
        return teller.merchant(line.seat)
    return teller.translator.text("{who} (neutral)", who=teller.merchant(line.colour - NEUTRAL_OFFSET))


def _sentence(step: PaydayStep, line: PaydayLine, who: str, t: Translator) -> str:
    """One line in words."""
    if step.kind == "city":
        return _majority(line, who, t)
    if step.kind == "fortress":
        return _fortress(line, who, t)
    if step.kind == "bonus":
        return t.text("{who} receives {amount} for the bonus card.", who=who, amount=line.amount)
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
    if line.reason == NEUTRAL_REASON and line.rank == 1:
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


def ranking_changes(before: PaydayRanking, after: PaydayRanking, paid: Sequence[Income], teller: Teller) -> list[str]:
    """Say who passes whom and what brought it about; if none does, who got the most."""
    seats = range(len(paid))
    told = []
    for who in sorted(seats, key=lambda seat: after.places[seat]):
        passed = [seat for seat in seats if _passes(who, seat, before, after)]
        if passed:
            told.append(_passing(who, passed, after, paid, teller))
    if told:
        return told
    most = max(income.total for income in paid)
    best = ", ".join(teller.merchant(income.seat) for income in paid if income.total == most)
    return [teller.translator.text("The ranking stays the same. Most goes to {who}: {amount}.", who=best, amount=most)]


def _passes(who: int, other: int, before: PaydayRanking, after: PaydayRanking) -> bool:
    """Whether a merchant was not ahead of another before a payday and is ahead after it, and was behind."""
    return before.worths[who] < before.worths[other] and after.worths[who] > after.worths[other]


def _passing(who: int, passed: Sequence[int], after: PaydayRanking, paid: Sequence[Income], teller: Teller) -> str:
    """Say whom a merchant passes, compared with the strongest of them by the source that differs most."""
    other = max(passed, key=lambda seat: after.worths[seat])
    mine, theirs = _by_source(paid[who]), _by_source(paid[other])
    source = max(range(len(PASSES)), key=lambda each: mine[each] - theirs[each])
    return teller.translator.text(
        PASSES[source],
        who=teller.merchant(who),
        others=", ".join(teller.merchant(seat) for seat in passed),
        amount=mine[source],
        less=theirs[source],
        other=teller.merchant(other),
    )


def _by_source(income: Income) -> tuple[int, int, int, int]:
    """What a merchant gets from each source, in the order of `PASSES`."""
    return income.proliferation, sum(income.majority.values()), sum(income.fortress.values()), income.bonus


def loans_to_settle(purses: Sequence[Purse], teller: Teller, *, last: bool) -> list[str]:
    """Say which loans come up after a payday; after the `last` one all of them are paid back."""
    text = teller.translator.text
    if not any(each.debt for each in purses):
        return [text("Nobody owes anything.")]
    if last:
        return [text("All loans are repaid now: {amounts}.", amounts=_list(teller, [each.debt for each in purses]))]
    told = []
    if any(each.new for each in purses):
        cards = _list(teller, [each.new for each in purses])
        told.append(text("Loans to repay or extend: {cards}.", cards=cards))
    if any(each.extended for each in purses):
        cards = _list(teller, [each.extended for each in purses])
        told.append(text("Extended loans to repay now: {cards}.", cards=cards))
    return told


def _list(teller: Teller, numbers: Sequence[int]) -> str:
    """List the merchants that have a number, each with it."""
    return ", ".join(f"{teller.merchant(seat)} {number}" for seat, number in enumerate(numbers) if number)
