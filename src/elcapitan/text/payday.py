"""A payday in words: why each merchant is paid what they are paid, and the rule that says so."""

from dataclasses import dataclass

from elcapitan.engine.rules.payday import FIRST, FORTRESS, FULLEST, NEUTRAL, PRESENT, SECOND
from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.engine.vocabulary import NEUTRAL as BESIDE_MAIN
from elcapitan.position.payday import TIE, PaydayLine, PaydayStep
from elcapitan.text.catalogue import Translator
from elcapitan.text.telling import Teller


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
                "{who} and {other} have equally many; {who} stands further forward.",
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
