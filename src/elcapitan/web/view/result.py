"""The end of a game: the ranking, the merchants' money over time, and its sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from elcapitan.experiments.arena.svg import ticks
from elcapitan.position.ledger import INCOME, SPENDING, PurseMoment, books, purses
from elcapitan.text.names import SOURCE_NAMES
from elcapitan.text.narration import verdict
from elcapitan.web.view.context import ViewContext, florins

WIDTH, HEIGHT = 560.0, 230.0  # of the chart of purses
LEFT, RIGHT, TOP, BOTTOM = 40.0, 70.0, 10.0, 26.0


@dataclass(frozen=True)
class RankedMerchant:
    """A merchant in the final ranking."""

    rank: int
    name: str
    colour: int
    money: int

    @property
    def purse(self) -> str:
        """The money as it is written."""
        return florins(self.money)


@dataclass(frozen=True)
class MoneyCurve:
    """The money of a merchant over time."""

    name: str
    colour: int
    path: str
    end: tuple[float, float]
    label_y: float
    money: int


@dataclass(frozen=True)
class PurseChart:
    """The money of all merchants over time."""

    width: float
    height: float
    curves: tuple[MoneyCurve, ...]
    amounts: tuple[tuple[float, int], ...]  # height and florins of the lines across
    phases: tuple[tuple[float, int], ...]  # where phases end, and their numbers
    left: float
    right: float
    top: float
    bottom: float


@dataclass(frozen=True)
class MoneySource:
    """What a source brought or took, for each merchant."""

    name: str
    amounts: tuple[int, ...]  # in the order of the ranking


@dataclass(frozen=True)
class ResultView:
    """Ranking, chart and sources of a finished game."""

    verdict: str
    places: tuple[RankedMerchant, ...]
    chart: PurseChart
    income: tuple[MoneySource, ...]
    spending: tuple[MoneySource, ...]
    table: tuple[tuple[int, tuple[int, ...]], ...]  # phase and money after it, in the order of the ranking

    @property
    def most(self) -> int:
        """The largest amount of any source."""
        return max(abs(amount) for source in (*self.income, *self.spending) for amount in source.amounts)


def result(context: ViewContext) -> ResultView:
    """Return the result of a game that is over."""
    game = context.game
    order = [seat for _rank, seat in sorted(zip(game.ranks, range(game.players), strict=True))]
    places = tuple(RankedMerchant(game.ranks[seat], *context.name_and_colour(seat), game.money[seat]) for seat in order)
    moments = purses(game)
    brought = books(game).sources
    return ResultView(
        verdict=verdict(context.teller, game),
        places=places,
        chart=_chart(context, moments, order),
        income=_sources(context, brought, order, INCOME),
        spending=_sources(context, brought, order, SPENDING),
        table=tuple((phase, tuple(money[seat] for seat in order)) for phase, money in _phases(moments)),
    )


def _sources(
    context: ViewContext, brought: Sequence[dict[str, int]], order: Sequence[int], names: Sequence[str]
) -> tuple[MoneySource, ...]:
    """Return the sources that brought or took something."""
    found = [
        MoneySource(context.t.template(SOURCE_NAMES[name]), tuple(brought[seat][name] for seat in order))
        for name in names
    ]
    return tuple(source for source in found if any(source.amounts))


def _phases(moments: Sequence[PurseMoment]) -> list[tuple[int, tuple[int, ...]]]:
    """Return the money of all merchants at the end of each phase."""
    found: dict[int, tuple[int, ...]] = {}
    for moment in moments:
        found[moment.phase] = moment.money
    return list(found.items())


def _chart(context: ViewContext, moments: Sequence[PurseMoment], order: Sequence[int]) -> PurseChart:
    """Return the curves, and a scale that holds them."""
    low = min(0, *(amount for moment in moments for amount in moment.money))
    high = max(amount for moment in moments for amount in moment.money)
    marks = ticks(low, high)
    last = max(moments[-1].number, 1)

    def x(number: int) -> float:
        return round(LEFT + number / last * (WIDTH - LEFT - RIGHT), 1)

    def y(amount: float) -> float:
        share = (amount - marks[0]) / (marks[-1] - marks[0])
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    labels = _spread_apart([y(moments[-1].money[seat]) for seat in order])
    curves = []
    for seat, label in zip(order, labels, strict=True):
        points = " ".join(f"{x(moment.number)},{y(moment.money[seat])}" for moment in moments)
        end = x(moments[-1].number), y(moments[-1].money[seat])
        money = moments[-1].money[seat]
        curves.append(MoneyCurve(*context.name_and_colour(seat), points, end, label, money))
    ends = [(x(moment.number), moment.phase) for moment, later in pairwise(moments) if later.phase > moment.phase]
    return PurseChart(
        WIDTH,
        HEIGHT,
        tuple(curves),
        tuple((y(amount), round(amount)) for amount in marks),
        tuple(ends),
        LEFT,
        WIDTH - RIGHT,
        TOP,
        HEIGHT - BOTTOM,
    )


def _spread_apart(heights: Sequence[float], least: float = 15.0) -> list[float]:
    """Move the heights of labels apart so that none covers another."""
    order = sorted(range(len(heights)), key=lambda number: heights[number])
    placed = list(heights)
    for before, number in pairwise(order):
        placed[number] = max(placed[number], placed[before] + least)
    overflow = max(0.0, max(placed) - (HEIGHT - 8))
    return [round(height - overflow, 1) for height in placed]
