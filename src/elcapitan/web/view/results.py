"""What was earned: a payday step by step, with reasons and ranking, and the end of a game with the money over time."""

from dataclasses import dataclass

from elcapitan.engine.vocabulary import PHASES
from elcapitan.game.game import Moment, Payday
from elcapitan.players.judge import Mistake
from elcapitan.position.payday import PaydayRanking, PaydayStep, rankings, steps_of
from elcapitan.service import Table
from elcapitan.service.derived_games import published_secret
from elcapitan.service.result_picture import FinalResult, WorthChart, game_result, picture, third_point, worth_chart
from elcapitan.text.names import number
from elcapitan.text.narration import TurningPoint
from elcapitan.text.payday import Reason, loans_to_settle, ranking_changes, reasons_by_line, title
from elcapitan.web.view.context import ViewContext
from elcapitan.web.viewer import Viewer


@dataclass(frozen=True)
class PaidLine:
    """What a step pays a merchant, and why."""

    seat: int | None  # nobody for a neutral colour
    name: str
    colour: int
    amount: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class PaydayStepView:
    """One thing that is paid for."""

    step: PaydayStep
    title: str
    lines: tuple[PaidLine, ...]
    ranking: PaydayRanking  # after it


@dataclass(frozen=True)
class RecapLine:
    """What a payday has brought a merchant."""

    place: int
    climbed: int  # places gained; below 0 if lost
    name: str
    colour: int
    parts: tuple[int, int, int, int]  # proliferation, ranks, fortresses and bonus
    total: int
    purse: str
    debt: int
    worth: str  # purse less debt


@dataclass(frozen=True)
class PaydayView:
    """A payday that was held."""

    game: str
    number: int
    event: int
    last: bool  # whether the game ends with it
    merchants: tuple[tuple[str, int], ...]  # name and colour, by seat
    steps: tuple[PaydayStepView, ...]
    before: PaydayRanking
    debts: tuple[int, ...]  # when it began, by seat
    totals: tuple[int, ...]
    recap: tuple[RecapLine, ...]  # the first one first
    changes: tuple[str, ...]  # of the ranking, in sentences
    loans: tuple[str, ...]  # that are to be settled, in sentences

    @property
    def order(self) -> list[int]:
        """The seats by their place when the payday began."""
        return sorted(range(len(self.merchants)), key=lambda seat: self.before.places[seat])

    @property
    def most(self) -> int:
        """The largest worth of a merchant at any time of this payday."""
        return max(1, *self.before.worths, *self.steps[-1].ranking.worths)


def payday_view(table: Table, viewer: Viewer, number: int) -> PaydayView | None:
    """Return the payday with this number; None if it has not been held."""
    context = ViewContext.of(table, viewer, table.game, acting=False)
    for event, moment in enumerate(context.moments):
        if moment.payday and moment.payday.number == number:
            return _payday(context, event, moment, moment.payday)
    return None


def _payday(context: ViewContext, event: int, moment: Moment, held: Payday) -> PaydayView:
    """Arrange a payday as the page shows it."""
    figures, teller = context.game.figures, context.teller
    before, *after = rankings(moment, figures)
    return PaydayView(
        game=context.table.id,
        number=held.number,
        event=event,
        last=held.number == PHASES,
        merchants=tuple((teller.merchant(seat), context.palette(seat)) for seat in range(context.players)),
        steps=tuple(
            _step(context, step, ranking) for step, ranking in zip(steps_of(moment, figures), after, strict=True)
        ),
        before=before,
        debts=tuple(purse.debt for purse in held.purses),
        totals=tuple(income.total for income in held.paid),
        recap=_recap(context, held, before, after[-1]),
        changes=tuple(ranking_changes(before, after[-1], held.paid, teller)),
        loans=tuple(loans_to_settle(held.purses, teller, last=held.number == PHASES)),
    )


def _step(context: ViewContext, step: PaydayStep, ranking: PaydayRanking) -> PaydayStepView:
    """Return one step with names, colours and reasons."""
    explained = zip(step.lines, reasons_by_line(step, context.teller), strict=True)
    lines = tuple(
        PaidLine(line.seat, context.owner(line.colour), context.palette(line.colour), line.amount, reasons)
        for line, reasons in explained
    )
    return PaydayStepView(step, title(step, context.t), lines, ranking)


def _recap(context: ViewContext, held: Payday, before: PaydayRanking, after: PaydayRanking) -> tuple[RecapLine, ...]:
    """Return what a payday has brought each merchant, in the order of the ranking after it."""
    found = []
    for seat in sorted(range(context.players), key=lambda seat: after.places[seat]):
        income = held.paid[seat]
        line = RecapLine(
            place=after.places[seat],
            climbed=before.places[seat] - after.places[seat],
            name=context.teller.merchant(seat),
            colour=context.palette(seat),
            parts=(income.proliferation, sum(income.majority.values()), sum(income.fortress.values()), income.bonus),
            total=income.total,
            purse=number(after.purses[seat]),
            debt=after.purses[seat] - after.worths[seat],
            worth=number(after.worths[seat]),
        )
        found.append(line)
    return tuple(found)


@dataclass(frozen=True)
class ResultView:
    """The result of a finished game, and what can be done after it."""

    result: FinalResult
    chart: WorthChart
    rematch: str  # the id of the game that the same people play next, if there is one
    same_deal: bool  # whether its cards can be played again


def result_view(context: ViewContext) -> ResultView:
    """Return the result of a game that is over."""
    table, game = context.table, context.game

    def make() -> tuple[FinalResult, WorthChart]:
        colours = [context.palette(seat) for seat in range(game.players)]
        found = game_result(game, context.teller, colours)
        return found, worth_chart(found)

    # Those who look at the end of a game see the same in each language.
    found, chart = table.once(("result", context.t.language), (game.event_count, table.settings), make)
    return ResultView(found, chart, table.settings.rematch, published_secret(table) is not None)


@dataclass(frozen=True)
class MistakeView:
    """The turn that cost most, or what is told in its place, with the colour of its merchant."""

    point: TurningPoint
    colour: int


def mistake_view(table: Table, viewer: Viewer, found: Mistake | None) -> MistakeView | None:
    """Return the dearest mistake of a finished game in the viewer's language, or the next thing that decided it."""
    context = ViewContext.of(table, viewer, table.game, acting=False)
    point = third_point(table.game, context.teller, found)
    return MistakeView(point, context.palette(point.seat)) if point else None


def result_picture(table: Table, viewer: Viewer, found: Mistake | None) -> str:
    """Draw the result of a finished game in the viewer's language, with its dearest mistake if that is known."""
    context = ViewContext.of(table, viewer, table.game, acting=False)
    third = third_point(table.game, context.teller, found)
    return picture(result_view(context).result, context.teller, table.settings.title, third)
