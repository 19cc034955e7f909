"""The end of a game: the ranking, everybody's money over time, and where it came from."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from elcapitan.arena.labels import SOURCE_NAMES
from elcapitan.arena.ledger import INCOME, SPENDING
from elcapitan.arena.svg import ticks
from elcapitan.purses import PurseMoment, history, sources
from elcapitan.story import verdict
from elcapitan.web.scene.sight import Sight
from elcapitan.web.scene.words import florins

WIDTH, HEIGHT = 560.0, 230.0  # of the chart of purses
LEFT, RIGHT, TOP, BOTTOM = 40.0, 70.0, 10.0, 26.0


@dataclass(frozen=True)
class Place:
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
class Curve:
    """The purse of a merchant over time."""

    name: str
    colour: int
    path: str
    end: tuple[float, float]
    label_y: float
    money: int


@dataclass(frozen=True)
class PurseChart:
    """Everybody's money over time."""

    width: float
    height: float
    curves: tuple[Curve, ...]
    amounts: tuple[tuple[float, int], ...]  # height and florins of the lines across
    phases: tuple[tuple[float, int], ...]  # where phases end, and their numbers
    left: float
    right: float
    top: float
    bottom: float


@dataclass(frozen=True)
class Source:
    """What a source brought or took, everybody."""

    name: str
    amounts: tuple[int, ...]  # in the order of the ranking


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    verdict: str
    places: tuple[Place, ...]
    chart: PurseChart
    income: tuple[Source, ...]
    spending: tuple[Source, ...]
    table: tuple[tuple[int, tuple[int, ...]], ...]  # phase and money after it, in the order of the ranking

    @property
    def most(self) -> int:
        """The largest amount of any source."""
        return max(abs(amount) for source in (*self.income, *self.spending) for amount in source.amounts)


def result(sight: Sight) -> Result:
    """The end of a game that is over."""
    game = sight.game
    order = [seat for _rank, seat in sorted(zip(game.ranks, range(game.players), strict=True))]
    places = tuple(
        Place(game.ranks[seat], sight.teller.merchant(seat), sight.palette(seat), game.money[seat]) for seat in order
    )
    moments = history(game)
    brought = sources(game)
    return Result(
        verdict=verdict(sight.teller, game),
        places=places,
        chart=_chart(sight, moments, order),
        income=_sources(sight, brought, order, INCOME),
        spending=_sources(sight, brought, order, SPENDING),
        table=tuple((phase, tuple(money[seat] for seat in order)) for phase, money in _phases(moments)),
    )


def _sources(
    sight: Sight, brought: Sequence[dict[str, int]], order: Sequence[int], names: Sequence[str]
) -> tuple[Source, ...]:
    """The sources that brought or took something."""
    found = [
        Source(sight.t.template(SOURCE_NAMES[name]), tuple(brought[seat][name] for seat in order)) for name in names
    ]
    return tuple(source for source in found if any(source.amounts))


def _phases(moments: Sequence[PurseMoment]) -> list[tuple[int, tuple[int, ...]]]:
    """The money of everybody at the end of each phase."""
    found: dict[int, tuple[int, ...]] = {}
    for moment in moments:
        found[moment.phase] = moment.money
    return list(found.items())


def _chart(sight: Sight, moments: Sequence[PurseMoment], order: Sequence[int]) -> PurseChart:
    """The curves, and a scale that holds them."""
    low = min(0, *(amount for moment in moments for amount in moment.money))
    high = max(amount for moment in moments for amount in moment.money)
    marks = ticks(low, high)
    last = max(moments[-1].number, 1)

    def x(number: int) -> float:
        return round(LEFT + number / last * (WIDTH - LEFT - RIGHT), 1)

    def y(amount: float) -> float:
        share = (amount - marks[0]) / (marks[-1] - marks[0])
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    labels = _apart([y(moments[-1].money[seat]) for seat in order])
    curves = []
    for seat, label in zip(order, labels, strict=True):
        points = " ".join(f"{x(moment.number)},{y(moment.money[seat])}" for moment in moments)
        end = x(moments[-1].number), y(moments[-1].money[seat])
        money = moments[-1].money[seat]
        curves.append(Curve(sight.teller.merchant(seat), sight.palette(seat), points, end, label, money))
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


def _apart(heights: Sequence[float], least: float = 15.0) -> list[float]:
    """Heights of labels, moved until none covers another."""
    order = sorted(range(len(heights)), key=lambda number: heights[number])
    placed = list(heights)
    for before, number in pairwise(order):
        placed[number] = max(placed[number], placed[before] + least)
    overflow = max(0.0, max(placed) - (HEIGHT - 8))
    return [round(height - overflow, 1) for height in placed]
