"""The charts of an arena, which a study draws too."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Final

from elcapitan.experiments.arena.summary import BotFigures, Share, Summary, percent
from elcapitan.experiments.drawing import (
    LETTER,
    SOURCE_COLOURS,
    WIDTH,
    Chart,
    Scale,
    add,
    canvas,
    colour,
    line,
    mark,
    rows,
    shortened,
    ticks,
    write,
)
from elcapitan.position.ledger import SOURCES
from elcapitan.text.catalogue import Translator
from elcapitan.text.names import SOURCE_NAMES

LEFT, RIGHT, ROW = 40, WIDTH - 14, 20
PLOT: Final = 210  # height of a chart with two axes
SLOT: Final = 44  # height of a bot in a chart with one
MARKER_ROOM: Final = 34  # of a legend entry, besides its text
KEYS: Final = "ABCDEFGHIJK"


def rating_chart(t: Translator, summary: Summary) -> Chart:
    """Draw the rating of every bot with its error bar."""
    title = t.text("Rating")
    description = "; ".join(
        t.text("{bot}: {mu:.1f}, give or take {error:.1f}", bot=bot.bot, mu=bot.rating.mu, error=2 * bot.rating.sigma)
        for bot in summary.standings
    )
    drawing = canvas("rating", title, description, SLOT * len(summary.bots) + 34)
    ends = [bot.rating.mu + side * 2 * bot.rating.sigma for bot in summary.bots for side in (-1, 1)]
    marks = ticks(min(ends), max(ends))
    scale = Scale(marks[0], marks[-1], 14, RIGHT)
    bottom = SLOT * len(summary.bots) + 8
    _grid_across(drawing, scale, marks, bottom)
    for row, bot in enumerate(summary.standings):
        series, y = summary.bots.index(bot), SLOT * row + 32
        low, high = (scale(bot.rating.mu + side * 2 * bot.rating.sigma) for side in (-1, 1))
        _bar_between(drawing, series, (low, y), (high, y))
        mark(drawing, series, scale(bot.rating.mu), y, 6)
        value = str(bot.rating)
        write(drawing, 2, y - 14, shortened(bot.bot, WIDTH - 20 - len(value) * LETTER))
        write(drawing, WIDTH - 2, y - 14, value, text_anchor="end", class_="soft")
    return Chart("rating", title, drawing)


def money_chart(t: Translator, summary: Summary) -> Chart:
    """Draw the mean money of every bot after each payday."""
    title = t.text("Money after each payday")
    told = [f"{bot.bot}: " + ", ".join(f"{money:.0f}" for money in bot.after_paydays) for bot in summary.standings]
    amounts = [0.0, *(money for bot in summary.bots for money in bot.after_paydays)]
    names = _legend_names(summary)
    top = _legend_height(names)
    drawing = canvas("money", title, "; ".join(told), top + PLOT + 30)
    marks = ticks(min(amounts), max(amounts))
    scale = Scale(marks[0], marks[-1], top + PLOT, top + 10)
    _legend(drawing, names, len(summary.bots))
    _grid_up(drawing, scale, [(each, f"{each:.0f}") for each in marks])
    paydays = len(summary.bots[0].after_paydays)
    places = [LEFT + (RIGHT - LEFT) * (number + 0.5) / paydays for number in range(paydays)]
    for number, x in enumerate(places, start=1):
        label = t.text("payday {number}", number=number)
        write(drawing, x, top + PLOT + 18, label, text_anchor="middle", class_="soft")
    for series, bot in enumerate(summary.bots):
        points = [(x, scale(money)) for x, money in zip(places, bot.after_paydays, strict=True)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        add(drawing, "polyline", points=path, style=f"fill: none; stroke: {colour(series)}; stroke-width: 2")
        for x, y in points:
            mark(drawing, series, x, y)
    return Chart("money", title, drawing)


def seat_chart(t: Translator, summary: Summary) -> Chart:
    """Draw the share of victories of every bot by seat."""
    labels = [t.text("seat {seat}", seat=seat + 1) for seat in range(summary.config.players)]
    return _share_chart(t, summary, "seats", t.text("Victories by seat"), labels, [bot.by_seat for bot in summary.bots])


def position_chart(t: Translator, summary: Summary) -> Chart:
    """Draw the share of victories of every bot by the distance from the starting player."""
    labels = [t.text("starts"), *(f"+{position}" for position in range(1, summary.config.players))]
    title = t.text("Victories by seats after the starting player")
    return _share_chart(t, summary, "positions", title, labels, [bot.by_position for bot in summary.bots])


def _share_chart(
    t: Translator,
    summary: Summary,
    name: str,
    title: str,
    labels: Sequence[str],
    shares: Sequence[Sequence[Share | None]],
) -> Chart:
    """Draw shares of victories with their intervals, side by side for every place at the table."""
    told = [
        f"{bot.bot}: " + ", ".join(percent(share.share.mean) if share else "-" for share in found)
        for bot, found in zip(summary.bots, shares, strict=True)
    ]
    chance = 1 / summary.config.players
    names = _legend_names(summary, t.text("by chance"))
    top = _legend_height(names)
    drawing = canvas(name, title, "; ".join(told), top + PLOT + 30)
    highest = max(_bounds(share)[1] for found in shares for share in found if share)
    marks = ticks(0, max(highest, chance))
    scale = Scale(0, marks[-1], top + PLOT, top + 10)
    _legend(drawing, names, len(summary.bots))
    _grid_up(drawing, scale, [(each, f"{100 * each:.0f} %") for each in marks])
    line(drawing, LEFT, scale(chance), RIGHT, scale(chance), class_="chance")
    wide = (RIGHT - LEFT) / len(labels)
    for place, label in enumerate(labels):
        middle = LEFT + wide * (place + 0.5)
        write(drawing, middle, top + PLOT + 18, label, text_anchor="middle", class_="soft")
        for series, found in enumerate(shares):
            share = found[place]
            x = middle + (series - (len(shares) - 1) / 2) * min(18, 0.8 * wide / len(shares))
            if share:
                low, high = _bounds(share)
                _bar_between(drawing, series, (x, scale(low)), (x, scale(high)))
                mark(drawing, series, x, scale(share.share.mean), 5)
    return Chart(name, title, drawing)


def _bounds(share: Share) -> tuple[float, float]:
    """Return the interval of a share; the mean where a bound is unknown."""
    mean, low, high = share.share.mean, share.share.low, share.share.high
    return (mean if low is None else low), (mean if high is None else high)


def source_chart(t: Translator, summary: Summary) -> Chart:
    """Draw where the money came from, to the right, and where it went, to the left."""
    title = t.text("Where the money came from, and where it went")
    used = [source for source in SOURCES if any(bot.sources[source] for bot in summary.bots)]
    names = [f"{KEYS[SOURCES.index(source)]} {t.template(SOURCE_NAMES[source])}" for source in used]
    placed = list(rows(names, 24))
    top = (placed[-1][2] + 1) * ROW + 6
    told = [
        f"{bot.bot}: " + ", ".join(f"{t.template(SOURCE_NAMES[source])} {bot.sources[source]:+.0f}" for source in used)
        for bot in summary.standings
    ]
    drawing = canvas("sources", title, "; ".join(told), top + SLOT * len(summary.bots) + 34)
    for index, x, row in placed:
        swatch = add(drawing, "rect", x=x, y=float(row * ROW + 3), width=14, height=14, rx=2, class_="bar")
        swatch.set("fill", SOURCE_COLOURS[used[index]])
        write(drawing, x + 7, row * ROW + 14, names[index][0], text_anchor="middle", class_="key")
        write(drawing, x + 18, row * ROW + 14, names[index][2:], class_="soft")
    ends = [
        sum(amount for amount in bot.sources.values() if amount * side > 0) for bot in summary.bots for side in (-1, 1)
    ]
    marks = ticks(min(0, *ends), max(0, *ends), about=6)
    scale = Scale(marks[0], marks[-1], 14, RIGHT)
    bottom = top + SLOT * len(summary.bots) + 8
    _grid_across(drawing, scale, marks, bottom, top)
    for row, bot in enumerate(summary.standings):
        y = top + SLOT * row
        write(drawing, 2, y + 14, shortened(bot.bot, WIDTH - 90))
        value = t.text("{money:.0f} at the end", money=bot.money.mean)
        write(drawing, WIDTH - 2, y + 14, value, text_anchor="end", class_="soft")
        _stack(drawing, scale, y + 20, bot, used)
    line(drawing, scale(0), top, scale(0), bottom, class_="axis")
    return Chart("sources", title, drawing)


def _stack(drawing: ET.Element, scale: Scale, y: float, bot: BotFigures, used: Sequence[str]) -> None:
    """Draw one bot's bar: income to the right of zero, spending to the left, each piece with its letter."""
    ends = {True: 0.0, False: 0.0}
    for source in used:
        amount = bot.sources[source]
        start, ends[amount > 0] = ends[amount > 0], ends[amount > 0] + amount
        left, right = sorted((scale(start), scale(start + amount)))
        piece = add(drawing, "rect", x=left, y=float(y), width=right - left, height=18, class_="bar")
        piece.set("fill", SOURCE_COLOURS[source])
        if right - left > 12:
            key = KEYS[SOURCES.index(source)]
            write(drawing, (left + right) / 2, y + 13, key, text_anchor="middle", class_="key")


def _bar_between(drawing: ET.Element, series: int, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw an error bar with caps, along either axis."""
    look = f"stroke: {colour(series)}; stroke-width: 2"
    across = 4 if start[1] == end[1] else 0
    up = 0 if across else 4
    line(drawing, *start, *end, style=look)
    for x, y in (start, end):
        line(drawing, x - up, y - across, x + up, y + across, style=look)


def _grid_across(drawing: ET.Element, scale: Scale, marks: Sequence[float], bottom: float, top: float = 4) -> None:
    """Draw lines and numbers of an axis from left to right."""
    for each in marks:
        line(drawing, scale(each), top, scale(each), bottom, class_="grid")
        write(drawing, scale(each), bottom + 16, f"{each:g}", text_anchor="middle", class_="soft")


def _grid_up(drawing: ET.Element, scale: Scale, marks: Sequence[tuple[float, str]]) -> None:
    """Draw lines and labels of an axis from bottom to top."""
    for each, label in marks:
        line(drawing, LEFT, scale(each), RIGHT, scale(each), class_="axis" if each == 0 else "grid")
        write(drawing, LEFT - 5, scale(each) + 4, label, text_anchor="end", class_="soft")


def _legend_names(summary: Summary, *more: str) -> list[str]:
    """Return the entries of a legend: the bots, then other names."""
    return [shortened(name, WIDTH - MARKER_ROOM) for name in (*(bot.bot for bot in summary.bots), *more)]


def _legend_height(names: Sequence[str]) -> float:
    """Return the height of a legend."""
    return (list(rows(names, MARKER_ROOM))[-1][2] + 1) * ROW


def _legend(drawing: ET.Element, names: Sequence[str], bots: int) -> None:
    """Draw a legend: the markers of all bots, then dashed lines."""
    for series, x, row in rows(names, MARKER_ROOM):
        y = row * ROW + 10
        if series < bots:
            mark(drawing, series, x + 8, y)
        else:
            line(drawing, x, y, x + 15, y, class_="chance")
        write(drawing, x + 18, y + 4, names[series])
