"""What a payday has changed, in words: who passes whom and by what, and the loans that are to be settled."""

from collections.abc import Sequence
from typing import Final

from elcapitan.game.income import Income
from elcapitan.position.payday_ranking import OpenLoans, PaydayRanking
from elcapitan.text.catalogue import _
from elcapitan.text.telling import Teller

# Each with what a merchant got from a source, and what another got.
PASSES: Final = (
    _("{who} passes {others}: {amount} by proliferation, {less} for {other}."),
    _("{who} passes {others}: {amount} by ranks in the cities, {less} for {other}."),
    _("{who} passes {others}: {amount} by fortresses, {less} for {other}."),
    _("{who} passes {others}: {amount} by the bonus card, {less} for {other}."),
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
    return [teller.translator.text("The order stays as it was. Most goes to {who}: {amount}.", who=best, amount=most)]


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


def loans_to_settle(loans: Sequence[OpenLoans], teller: Teller, *, last: bool) -> list[str]:
    """Say which loans come up after a payday; after the `last` one all of them are paid back."""
    text = teller.translator.text
    if not any(each.due for each in loans):
        return [text("Nobody owes anything.")]
    if last:
        return [text("All loans are paid back now: {amounts}.", amounts=_list(teller, [each.due for each in loans]))]
    told = []
    if any(each.new for each in loans):
        cards = _list(teller, [each.new for each in loans])
        told.append(text("Loans to pay back or extend: {cards}.", cards=cards))
    if any(each.extended for each in loans):
        cards = _list(teller, [each.extended for each in loans])
        told.append(text("Extended loans, to be paid back now: {cards}.", cards=cards))
    return told


def _list(teller: Teller, numbers: Sequence[int]) -> str:
    """List the merchants that have a number, each with it."""
    return ", ".join(f"{teller.merchant(seat)} {number}" for seat, number in enumerate(numbers) if number)
