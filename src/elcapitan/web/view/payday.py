"""A payday shown step by step: what each step pays, to whom and why, and the totals so far."""

from dataclasses import dataclass

from elcapitan.game.game import Moment, Payday
from elcapitan.position.payday import PaydayStep, steps_of
from elcapitan.service import Table
from elcapitan.text.payday import Reason, sentences, title
from elcapitan.web.view.context import ViewContext
from elcapitan.web.viewer import Viewer


@dataclass(frozen=True)
class PaydayView:
    """A payday that was held."""

    game: str
    number: int
    event: int
    merchants: tuple[tuple[str, int], ...]  # name and colour, by seat
    owners: tuple[tuple[str, int], ...]  # name and colour, by colour, neutral ones included
    steps: tuple[tuple[PaydayStep, str, tuple[Reason, ...]], ...]  # each with its title and why it pays that
    totals: tuple[int, ...]
    summary: tuple[tuple[int, int, int, int], ...]  # proliferation, ranks, fortresses and bonus, by seat


def payday_view(table: Table, viewer: Viewer, number: int) -> PaydayView | None:
    """Return the payday with this number; None if it has not been held."""
    context = ViewContext.of(table, viewer, table.game, acting=False)
    for event, moment in enumerate(context.moments):
        if moment.payday and moment.payday.number == number:
            return _payday(context, event, moment, moment.payday)
    return None


def _payday(context: ViewContext, event: int, moment: Moment, held: Payday) -> PaydayView:
    """Arrange a payday as the page shows it."""
    return PaydayView(
        game=context.table.id,
        number=held.number,
        event=event,
        merchants=tuple((context.teller.merchant(seat), context.palette(seat)) for seat in range(context.players)),
        owners=tuple((context.owner(colour), palette) for colour, palette in enumerate(context.naming.colours)),
        steps=tuple(
            (step, title(step, context.t), tuple(sentences(step, context.teller)))
            for step in steps_of(moment, context.game.figures)
        ),
        totals=tuple(income.total for income in held.paid),
        summary=tuple(
            (income.proliferation, sum(income.majority.values()), sum(income.fortress.values()), income.bonus)
            for income in held.paid
        ),
    )
