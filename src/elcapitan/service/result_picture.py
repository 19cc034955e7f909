"""The result of a finished game: podium, net worth over time, sources of money and turning points, also as a picture.

The picture is SVG with everything in it: no style sheet, no link, no script. It contains only what all players know.
"""

import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from elcapitan.experiments.drawing import NAMESPACE, SOURCE_COLOURS, add, line, shortened, ticks, write
from elcapitan.game.game import Game
from elcapitan.players.judge import Mistake
from elcapitan.position.ledger import INCOME, SPENDING, PurseMoment, ledger_of, purses
from elcapitan.text.consequences import Teller
from elcapitan.text.names import PALETTE, SOURCE_NAMES, number
from elcapitan.text.narration import TurningPoint, another_point, mistake_point, turning_points, verdict

# ----------------------------------------------------------------------------------------------- what there is to show


@dataclass(frozen=True)
class RankedMerchant:
    """A merchant in the final ranking."""

    rank: int
    name: str
    colour: int  # of the palette
    money: int
    seat: int

    @property
    def purse(self) -> str:
        """The money as it is written."""
        return f"{number(self.money)}\N{NO-BREAK SPACE}ƒ"


@dataclass(frozen=True)
class WorthCurve:
    """The net worth of a merchant over time, as steps: it stays the same from one event to the next."""

    name: str
    colour: int
    points: str
    end: tuple[float, float]
    label_y: float
    worth: int  # at the end


@dataclass(frozen=True)
class WorthChart:
    """The net worth of all merchants over time, and where the paydays were."""

    width: float
    height: float
    curves: tuple[WorthCurve, ...]
    amounts: tuple[tuple[float, int], ...]  # height and florins of the lines across
    paydays: tuple[tuple[float, int], ...]  # where they were held, and their numbers
    left: float
    right: float
    top: float
    bottom: float


@dataclass(frozen=True)
class MoneySource:
    """What a source brought or took, for each merchant."""

    key: str  # of `SOURCE_NAMES`
    name: str
    amounts: tuple[int, ...]  # in the order of the ranking


@dataclass(frozen=True)
class FinalResult:
    """Everything about the result of a game that is over, in one language."""

    verdict: str
    places: tuple[RankedMerchant, ...]
    moments: tuple[PurseMoment, ...]
    income: tuple[MoneySource, ...]
    spending: tuple[MoneySource, ...]
    points: tuple[TurningPoint, ...]

    @property
    def most(self) -> int:
        """The largest amount of any source."""
        return max(abs(amount) for source in (*self.income, *self.spending) for amount in source.amounts)

    @property
    def paydays(self) -> list[tuple[int, tuple[int, ...]]]:
        """The number of each payday, and the net worth of all merchants after it, in the order of the ranking."""
        held = [moment for moment in self.moments if moment.payday]
        return [(each.payday, tuple(each.worths[place.seat] for place in self.places)) for each in held]

    def colour_of(self, seat: int) -> int:
        """Return the place of a seat's colour in the palette."""
        return next(place.colour for place in self.places if place.seat == seat)


def game_result(game: Game, teller: Teller, colours: Sequence[int] | None = None) -> FinalResult:
    """Return the result of a game that is over; without `colours` of the palette seats have those of their names."""
    palette = [PALETTE.index(seat) for seat in range(game.players)] if colours is None else colours
    order = [seat for _rank, seat in sorted(zip(game.ranks, range(game.players), strict=True))]
    brought = ledger_of(game).sources

    def sources(keys: Sequence[str]) -> tuple[MoneySource, ...]:
        named = (
            MoneySource(key, teller.translator.template(SOURCE_NAMES[key]), tuple(brought[seat][key] for seat in order))
            for key in keys
        )
        return tuple(source for source in named if any(source.amounts))

    return FinalResult(
        verdict=verdict(teller, game),
        places=tuple(
            RankedMerchant(game.ranks[seat], teller.merchant(seat), palette[seat], game.money[seat], seat)
            for seat in order
        ),
        moments=tuple(purses(game)),
        income=sources(INCOME),
        spending=sources(SPENDING),
        points=tuple(turning_points(game, teller)),
    )


def describe_mistake(game: Game, teller: Teller, found: Mistake) -> TurningPoint:
    """Tell the dearest mistake of a game."""
    turn, chances = (found.at, found.events), (found.before, found.after)
    return mistake_point(game, teller, found.seat, turn, found.better, chances)


def third_point(game: Game, teller: Teller, found: Mistake | None) -> TurningPoint | None:
    """Tell the dearest mistake of a game, in its place the next best thing that decided it; None without one."""
    return describe_mistake(game, teller, found) if found else another_point(game, teller)


def worth_chart(result: FinalResult, width: float = 400.0, height: float = 230.0, apart: float = 17.0) -> WorthChart:
    """Return the curves of all merchants, and a scale that holds them; labels are at least so far `apart`."""
    moments = result.moments
    worths = [worth for moment in moments for worth in moment.worths]
    marks = ticks(min(0, *worths), max(worths))
    last = max(moments[-1].number, 1)
    left, right, top, bottom = 44.0, width - 60.0, 10.0, height - 26.0

    def x(event: int) -> float:
        return round(left + event / last * (right - left), 1)

    def y(amount: float) -> float:
        return round(bottom - (amount - marks[0]) / (marks[-1] - marks[0]) * (bottom - top), 1)

    labels = _spread_apart([y(moments[-1].worths[place.seat]) for place in result.places], height - 8, apart)
    curves = []
    for place, label in zip(result.places, labels, strict=True):
        seat = place.seat
        points = [f"{x(moments[0].number)},{y(moments[0].worths[seat])}"]
        for before, moment in pairwise(moments):
            points += [f"{x(moment.number)},{y(each.worths[seat])}" for each in (before, moment)]
        worth = moments[-1].worths[seat]
        end = x(moments[-1].number), y(worth)
        curves.append(WorthCurve(place.name, place.colour, " ".join(points), end, label, worth))
    return WorthChart(
        width,
        height,
        tuple(curves),
        tuple((y(amount), round(amount)) for amount in marks),
        tuple((x(moment.number), moment.payday) for moment in moments if moment.payday),
        left,
        right,
        top,
        bottom,
    )


def _spread_apart(heights: Sequence[float], lowest: float, least: float) -> list[float]:
    """Move the heights of labels apart so that none covers another."""
    order = sorted(range(len(heights)), key=lambda label: heights[label])
    placed = list(heights)
    for before, label in pairwise(order):
        placed[label] = max(placed[label], placed[before] + least)
    overflow = max(0.0, max(placed) - lowest)
    return [round(height - overflow, 1) for height in placed]


# --------------------------------------------------------------------------------------------------------- the picture

WIDTH, HEIGHT = 1200, 900
SANS: Final = "'Segoe UI', 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif"
SERIF: Final = "Georgia, 'DejaVu Serif', serif"
PAPER, PANEL, TEXT, MUTED, RULE, GOLD = "#d8e8e6", "#fffdf8", "#1f2f3a", "#52606a", "#e8deca", "#f5c84c"
# Of the merchants, by their place in the palette, as in the light theme of the pages: colour, sign and edge.
COLOURS: Final = (
    ("#d2402a", "#ffffff", "#b23320"),
    ("#1f4fa6", "#ffffff", "#1f4fa6"),
    ("#f3b52f", "#2a1b00", "#8a5c00"),
    ("#118a7e", "#ffffff", "#0c7167"),
    ("#54215c", "#ffffff", "#54215c"),
)
SIGNS: Final = (
    "M-4.3 0A4.3 4.3 0 1 1 4.3 0 4.3 4.3 0 1 1-4.3 0z",
    "M-4.8-4.1h9.6v3.2h-9.6zM-4.8.9h9.6v3.2h-9.6z",
    "M0-5.6 5.2 0 0 5.6-5.2 0z",
    "M0-5.9 1.55-2.05 5.6-1.75 2.5.95 3.5 4.95 0 2.75-3.5 4.95-2.5.95-5.6-1.75-1.55-2.05z",
    "M-5.2 4.6V1L0-4.6 5.2 1v3.6L0-.6z",
)
STEPS: Final = {1: 190, 2: 130, 3: 90}  # height of the podium, by rank
STANDS: Final = (1, 0, 2)  # where the first three stand: the winner in the middle
SENTENCE: Final = 62  # letters in a line of a sentence
LETTER: Final = 0.55  # width of a letter, about, as a share of its height


def picture(result: FinalResult, teller: Teller, title: str = "", mistake: TurningPoint | None = None) -> str:
    """Draw the result of a game as SVG."""
    t = teller.translator
    drawing = ET.Element(
        "svg",
        {
            "xmlns": NAMESPACE,
            "viewBox": f"0 0 {WIDTH} {HEIGHT}",
            "width": str(WIDTH),
            "height": str(HEIGHT),
            "role": "img",
            "font-family": SANS,
            "fill": TEXT,
        },
    )
    add(drawing, "title").text = f"El Capitán: {result.verdict}"
    add(drawing, "rect", width=WIDTH, height=HEIGHT, fill=PAPER)
    _write(drawing, 40, 62, result.verdict, 40, 760, font_family=SERIF, font_weight=700)
    _write(drawing, WIDTH - 40, 62, title or "El Capitán", 22, 360, font_family=SERIF, text_anchor="end", fill=MUTED)
    _podium(_panel(drawing, 40, 90, 480, 420), result)
    _chart(_panel(drawing, 540, 90, 620, 420), result, teller)
    _sources(_panel(drawing, 40, 530, 480, 330), result, t.text("Where the money came from"))
    _points(_panel(drawing, 540, 530, 620, 330), result, [*result.points, *([mistake] if mistake else [])])
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(drawing, encoding="unicode") + "\n"


def _panel(parent: ET.Element, x: int, y: int, width: int, height: int) -> ET.Element:
    """Add a group whose origin is the corner of a panel."""
    group = add(parent, "g", transform=f"translate({x} {y})")
    add(group, "rect", width=width, height=height, rx=14, fill=PANEL)
    return group


def _write(parent: ET.Element, x: float, y: float, text: str, size: int, room: float, **look: object) -> None:
    """Write a text, shortened to the room there is."""
    letters = 7.4 * room / (LETTER * size)  # as `shortened` counts them
    write(parent, x, y, shortened(text, letters), font_size=size, **look)


def _badge(parent: ET.Element, x: float, y: float, colour: int, size: float) -> None:
    """Draw the sign of a merchant around a point."""
    fill, sign, edge = COLOURS[colour]
    group = add(parent, "g", transform=f"translate({x:.1f} {y:.1f}) scale({size / 20:.2f})")
    add(group, "rect", x=-8.7, y=-8.7, width=17.4, height=17.4, rx=4.6, fill=fill, stroke=edge)
    add(group, "path", d=SIGNS[colour], fill=sign)


def _podium(panel: ET.Element, result: FinalResult) -> None:
    """Draw the first three on a podium, and the others below it."""
    others = result.places[3:]
    base = 400 - 34 * len(others)
    for place, stand in zip(result.places, STANDS, strict=False):
        x, high = 30 + 145 * stand, STEPS.get(place.rank, STEPS[3])
        fill = GOLD if place.rank == 1 else RULE
        add(panel, "rect", x=x, y=base - high, width=130, height=high, rx=6, fill=fill)
        middle = {"text_anchor": "middle"}
        _write(panel, x + 65, base - high + 44, str(place.rank), 34, 60, font_weight=700, **middle)
        _badge(panel, x + 65, base - high - 82, place.colour, 34)
        _write(panel, x + 65, base - high - 42, place.name, 18, 140, **middle)
        _write(panel, x + 65, base - high - 14, place.purse, 24, 140, font_weight=700, **middle)
    for row, place in enumerate(others, start=1):
        y = base + 34 * row
        _write(panel, 40, y, str(place.rank), 18, 30, font_weight=700, fill=MUTED)
        _badge(panel, 78, y - 6, place.colour, 24)
        _write(panel, 100, y, place.name, 18, 240)
        _write(panel, 440, y, place.purse, 18, 100, font_weight=700, text_anchor="end")


def _chart(panel: ET.Element, result: FinalResult, teller: Teller) -> None:
    """Draw the net worth of all merchants over time."""
    t = teller.translator
    _write(panel, 20, 34, t.text("Net worth over time (cash less debts)"), 18, 560, font_weight=600)
    chart = worth_chart(result, 600, 350, 20)
    inside = add(panel, "g", transform="translate(10 52)")
    for y, amount in chart.amounts:
        line(inside, chart.left, y, chart.right, y, stroke=RULE)
        _write(inside, chart.left - 6, y + 5, number(amount), 14, 60, text_anchor="end", fill=MUTED)
    for x, payday in chart.paydays:
        line(inside, x, chart.top, x, chart.bottom, stroke="#a87400", stroke_dasharray="3 3")
        label = t.text("Payday {number}", number=payday)
        _write(inside, x, chart.bottom + 18, label, 14, 140, text_anchor="end" if x > chart.right - 40 else "middle")
    for curve in chart.curves:
        edge = COLOURS[curve.colour][2]
        add(
            inside, "polyline", points=curve.points, fill="none", stroke=edge, stroke_width=2.4, stroke_linejoin="round"
        )
        _badge(inside, chart.right + 15, curve.label_y, curve.colour, 18)
        _write(inside, chart.right + 28, curve.label_y + 5, number(curve.worth), 15, 60, font_weight=700)


def _sources(panel: ET.Element, result: FinalResult, heading: str) -> None:
    """Draw a bar for each merchant with what each source brought, and what each colour stands for."""
    _write(panel, 20, 34, heading, 18, 440, font_weight=600)
    totals = [
        sum(max(0, amount) for amount in amounts)
        for amounts in zip(*(each.amounts for each in result.income), strict=True)
    ]
    pixels = 330 / max(*totals, 1)
    for row, merchant in enumerate(result.places):
        x, y = 60.0, 54 + 34 * row
        _badge(panel, 36, y + 11, merchant.colour, 24)
        for source in result.income:
            wide = max(0, source.amounts[row]) * pixels
            add(panel, "rect", x=x, y=y, width=wide, height=22, fill=SOURCE_COLOURS[source.key], stroke=PANEL)
            x += wide
        _write(panel, x + 8, y + 16, str(totals[row]), 15, 50, font_weight=700)
    for place, source in enumerate(result.income):
        x, y = 28 + 225 * (place % 2), 84 + 34 * len(result.places) + 26 * (place // 2)
        add(panel, "rect", x=x, y=y - 12, width=14, height=14, rx=3, fill=SOURCE_COLOURS[source.key])
        _write(panel, x + 22, y, source.name, 14, 190, fill=MUTED)


def _points(panel: ET.Element, result: FinalResult, points: Sequence[TurningPoint]) -> None:
    """Write what decided the game."""
    y = 34
    for point in points:
        _badge(panel, 32, y - 6, result.colour_of(point.seat), 24)
        _write(panel, 54, y, point.title, 18, 240, font_weight=600)
        _write(panel, 600, y, point.figure, 18, 320, font_weight=700, text_anchor="end")
        for row in textwrap.wrap(point.sentence, SENTENCE)[:4]:
            y += 22
            write(panel, 54, y, row, font_size=16, fill=MUTED)
        y += 42
