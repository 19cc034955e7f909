"""A payday shown step by step: what each step pays, to whom and why, and the totals so far."""

from dataclasses import dataclass

from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.paydays import Held, PaydayStep, held, sentences, title
from elcapitan.service import Table
from elcapitan.web.scene.sight import Sight
from elcapitan.web.viewer import Viewer


@dataclass(frozen=True)
class PaidLine:
    """What one merchant is paid in a step."""

    name: str
    colour: int
    amount: int


@dataclass(frozen=True)
class PaidStep:
    """One step."""

    kind: str
    title: str
    city: str
    worth: int
    lines: tuple[PaidLine, ...]
    reasons: tuple[tuple[str, str], ...]  # a sentence and its rule
    running: tuple[int, ...]  # by seat, this step included


@dataclass(frozen=True)
class PaydayScene:
    """A payday that was held."""

    game: str
    number: int
    event: int
    merchants: tuple[tuple[str, int], ...]  # name and colour, by seat
    steps: tuple[PaidStep, ...]
    totals: tuple[int, ...]
    summary: tuple[tuple[int, int, int, int], ...]  # proliferation, ranks, fortresses and bonus, by seat


def payday(table: Table, viewer: Viewer, number: int) -> PaydayScene | None:
    """The payday with this number, if it was held."""
    sight = Sight.of(table, viewer, table.game, acting=False)
    found = next((each for each in held(table.game) if each.payday.number == number), None)
    return _scene(sight, found) if found else None


def _scene(sight: Sight, found: Held) -> PaydayScene:
    """A payday as it is shown."""
    paid = found.payday.paid
    return PaydayScene(
        game=sight.table.id,
        number=found.payday.number,
        event=found.number,
        merchants=tuple((sight.teller.merchant(seat), sight.palette(seat)) for seat in range(sight.players)),
        steps=tuple(_step(sight, step) for step in found.steps),
        totals=tuple(income.total for income in paid),
        summary=tuple(
            (income.proliferation, sum(income.majority.values()), sum(income.fortress.values()), income.bonus)
            for income in paid
        ),
    )


def _step(sight: Sight, step: PaydayStep) -> PaidStep:
    """One step as it is shown."""
    return PaidStep(
        kind=step.kind,
        title=title(step, sight.t),
        city="" if step.city is None else CITY_NAMES[step.city],
        worth=step.worth,
        lines=tuple(PaidLine(sight.owner(line.colour), sight.palette(line.colour), line.amount) for line in step.lines),
        reasons=tuple((reason.text, reason.rule) for reason in sentences(step, sight.teller)),
        running=step.running,
    )
