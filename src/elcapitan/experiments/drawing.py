"""Drawing in SVG: elements, texts, markers and scales, and a chart as part of a page or as a file of its own.

A drawing is a tree of elements, so the file is well-formed whatever a bot is called. Colours are custom properties
with a light and a dark value each; a drawing in a page takes those of the page, one in a file brings its own.
"""

import functools
import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final

from elcapitan.position.ledger import SOURCES

NAMESPACE: Final = "http://www.w3.org/2000/svg"
WIDTH: Final = 460  # of every chart; on a telephone its letters are still readable
LETTER: Final = 7.4  # width of a letter, about
MARGIN: Final = 16.0  # round a chart that is a file of its own

COLOURS: Final = 8
MARKERS: Final = ("circle", "square", "triangle", "diamond", "cross", "turned")
INCOME_COLOURS: Final = ("#c3ccd5", "#8cc7ee", "#7fd0a8", "#ecd95f", "#f3b562", "#e5a0cf")
SPENDING_COLOURS: Final = ("#b9b1e8", "#e8a38c", "#d98b8b", "#c9a892", "#a9a9b5")
SOURCE_COLOURS: Final = dict(zip(SOURCES, (*INCOME_COLOURS, *SPENDING_COLOURS), strict=True))


@functools.cache
def style() -> str:
    """Return the style sheet of all charts, with colours for light and dark screens."""
    return (resources.files("elcapitan.experiments") / "templates" / "charts.css").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Chart:
    """A drawing with a title and a name for its file."""

    name: str
    title: str
    drawing: ET.Element

    def inside(self) -> str:
        """Return the drawing as part of a page."""
        return ET.tostring(self.drawing, encoding="unicode")

    def alone(self) -> str:
        """Return the drawing as a file of its own, with background and title."""
        _, _, width, height = (float(each) for each in self.drawing.attrib["viewBox"].split())
        box = (-MARGIN, -2.5 * MARGIN, width + 2 * MARGIN, height + 3.5 * MARGIN)
        whole = ET.Element("svg", self.drawing.attrib | {"viewBox": " ".join(map(number, box))})
        whole.extend(list(self.drawing)[:2])  # title and description stay first
        add(whole, "style").text = style()
        paper = {"x": box[0], "y": box[1], "width": box[2], "height": box[3]}
        add(whole, "rect", **paper, style="fill: var(--paper)")
        write(whole, 0, -MARGIN, self.title, font_weight=600, font_size=15)
        whole.extend(list(self.drawing)[2:])
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(whole, encoding="unicode") + "\n"


def add(parent: ET.Element, tag: str, /, **attributes: object) -> ET.Element:
    """Add an element; `x_y` stands for the attribute `x-y`, `class_` for `class`."""
    named = {name.rstrip("_").replace("_", "-"): number(value) for name, value in attributes.items()}
    return ET.SubElement(parent, tag, named)


def number(value: object) -> str:
    """Format an attribute; fractions get one digit, more could not be seen."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def canvas(name: str, title: str, description: str, height: float) -> ET.Element:
    """Create an empty drawing with a title and a description for screen readers."""
    drawing = ET.Element(
        "svg",
        {
            "xmlns": NAMESPACE,
            "viewBox": f"0 0 {WIDTH} {number(float(height))}",
            "role": "img",
            "aria-labelledby": f"{name}-title {name}-desc",
        },
    )
    add(drawing, "title", id=f"{name}-title").text = title
    add(drawing, "desc", id=f"{name}-desc").text = description
    return drawing


def write(parent: ET.Element, x: float, y: float, text: str, **attributes: object) -> ET.Element:
    """Add a text at a point."""
    element = add(parent, "text", x=float(x), y=float(y), **attributes)
    element.text = text
    return element


def line(parent: ET.Element, x1: float, y1: float, x2: float, y2: float, **attributes: object) -> ET.Element:
    """Add a line between two points."""
    return add(parent, "line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), **attributes)


def colour(series: int) -> str:
    """Return the colour of a series."""
    return f"var(--c{series % COLOURS})"


def mark(parent: ET.Element, series: int, x: float, y: float, size: float = 5) -> None:
    """Draw the marker of a series; shapes differ too, for readers who do not see colours."""
    shape = MARKERS[series % len(MARKERS)]
    look = {"style": f"fill: {colour(series)}; stroke: var(--paper)"}
    if shape == "circle":
        add(parent, "circle", cx=float(x), cy=float(y), r=size, **look)
        return
    corners = {
        "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
        "triangle": ((0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
        "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        "cross": (
            *((-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4)),
            *((0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4)),
        ),
        "turned": ((0, 1.2), (1.1, -0.9), (-1.1, -0.9)),
    }[shape]
    points = " ".join(f"{number(x + dx * size)},{number(y + dy * size)}" for dx, dy in corners)
    add(parent, "polygon", points=points, **look)


def shortened(text: str, width: float) -> str:
    """Shorten a text to fit into a width."""
    most = max(2, int(width / LETTER))
    return text if len(text) <= most else f"{text[: most - 1]}…"


def rows(labels: Sequence[str], room: float, width: float = WIDTH) -> Iterator[tuple[int, float, int]]:
    """Place the entries of a legend: number, x and row; `room` is what each needs besides its text."""
    x, row = 0.0, 0
    for index, label in enumerate(labels):
        wide = len(label) * LETTER + room
        if x and x + wide > width:
            x, row = 0.0, row + 1
        yield index, x, row
        x += wide


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round numbers that cover a range, about as many as told."""
    step = nice((high - low or 1) / about)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(tick * step, 10) for tick in range(first, max(last, first + 1) + 1)]


def nice(step: float) -> float:
    """Round a step up to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(each * power for each in (1, 2, 5, 10) if each * power >= step * (1 - 1e-9))


@dataclass(frozen=True)
class Scale:
    """A linear scale: maps numbers to coordinates along an axis."""

    low: float
    high: float
    start: float  # where the lowest number is drawn
    end: float

    def __call__(self, value: float) -> float:
        """Return the coordinate of a number."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)
