"""What benchmarks/peers.py measured, as a page and two plots."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from elcapitan.experiments.drawing import WIDTH, Chart, Scale, add, canvas, colour, line, mark, write

OURS: Final = "elcapitan"
ROW: Final = 22
BEGIN: Final = 200  # where bars begin
PLOT: Final = 150  # height of a plot of growth
GROWTH_NAMES: Final = {"players": "players", "tiles": "cities of the expansion", "games": "games in the batch"}
KINDS: Final = {
    "batch": "batch",
    "complete games inside the engine": "games",
    "from Python": "Python",
    "search, play-outs": "search",
}


def page(measured: Mapping[str, Any]) -> str:
    """The page of the documentation."""
    parts = [
        "# Benchmarks",
        "",
        "Every engine plays random legal actions in its own game, uniformly unless a row names another policy.\n"
        "Searches are measured in play-outs per second. `python benchmarks/peers.py` writes this page: it installs\n"
        "the others into an environment of its own and measures all in turns. Games differ in how much work a step\n"
        "is, so the tables compare what a researcher gets per second, not the quality of the code.",
        "",
        *_facts(measured),
        "",
    ]
    for kind in dict.fromkeys(each["kind"] for each in measured["lines"]):
        parts += [*_table(kind, [each for each in measured["lines"] if each["kind"] == kind]), ""]
    if measured["growth"]:
        parts += ["![Actions per second](images/benchmark-peers.svg)", "", "## Growth", ""]
        parts += [
            "Steps per second on one core, with observations, by number of players, expansion cities and games:",
            "",
        ]
        parts += ["![Growth of the cost](images/benchmark-growth.svg)", ""]
    return "\n".join(parts)


def _facts(measured: Mapping[str, Any]) -> list[str]:
    """When, where and how."""
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    facts = {name: measured[name] for name in ("date", "machine", "method")} | {"versions": versions}
    return ["| | |", "|---|---|", *(f"| {name} | {fact} |" for name, fact in facts.items())]


def _table(kind: str, lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """One kind of play, the fastest first."""
    ranked = sorted(lines, key=lambda each: (each["cores"] == 0, -each["best"]))
    rows = [
        f"| {each['name']} | {each['cores'] or 'all'} | {each['best']:,.0f} |"
        if each["best"]
        else f"| {each['name']} | {each['cores'] or 'all'} | {each['problem']} |"
        for each in ranked
    ]
    counted = "play-outs" if kind.startswith("search") else "actions"
    return [f"## {kind[0].upper()}{kind[1:]}", "", f"| engine | cores | {counted}/s |", "|---|---|---:|", *rows]


def plots(measured: Mapping[str, Any]) -> dict[str, str]:
    """The plots by the names of their files."""
    return {"benchmark-peers.svg": bars(measured["lines"]), "benchmark-growth.svg": growth(measured["growth"])}


def bars(lines: Sequence[Mapping[str, Any]]) -> str:
    """All engines on one logarithmic scale."""
    known = sorted((each for each in lines if each["best"]), key=lambda each: -each["best"])
    title = "Actions a second, or play-outs of a search"
    told = "; ".join(f"{each['name']} ({each['kind']}): {each['best']:,.0f}" for each in known)
    drawing = canvas("peers", title, told, ROW * len(known) + 30)
    low = math.floor(math.log10(known[-1]["best"]))
    high = math.ceil(math.log10(known[0]["best"]))
    scale = Scale(low, high, BEGIN, WIDTH - 50)
    bottom = ROW * len(known) + 6
    for power in range(low, high + 1):
        line(drawing, scale(power), 0, scale(power), bottom, class_="grid")
        write(drawing, scale(power), bottom + 16, _power(power), text_anchor="middle", class_="soft")
    for row, each in enumerate(known):
        y = ROW * row + 4
        shade = colour(0 if each["package"] == OURS else 1)
        wide = scale(math.log10(each["best"])) - BEGIN
        add(drawing, "rect", x=float(BEGIN), y=float(y), width=float(wide), height=ROW - 8.0, style=f"fill: {shade}")
        cores = "" if each["cores"] else ", all cores"
        name = f"{each['name'].removesuffix(', all cores')}{cores} · {KINDS[each['kind']]}"
        write(drawing, BEGIN - 6, y + 11, name, text_anchor="end", font_size=9)
        write(drawing, BEGIN + wide + 4, y + 11, short(each["best"]), class_="soft", font_size=9)
    return Chart("peers", title, drawing).alone()


def growth(entries: Sequence[Mapping[str, Any]]) -> str:
    """Steps a second by players, tiles and size of the batch: three small plots."""
    title = "Steps a second of one core, observed"
    groups = {by: [each for each in entries if each["by"] == by] for by in GROWTH_NAMES}
    told = "; ".join(f"{by} {each[by]}: {short(each['best'])}" for by, group in groups.items() for each in group)
    drawing = canvas("growth", title, told, len(groups) * (PLOT + 40))
    top = max(each["best"] for each in entries)
    for number, (by, group) in enumerate(groups.items()):
        _one_growth(drawing, number * (PLOT + 40), by, group, top)
    return Chart("growth", title, drawing).alone()


def _one_growth(drawing: Any, y: float, by: str, group: Sequence[Mapping[str, Any]], top: float) -> None:
    """One of the small plots."""
    up = Scale(0, top, y + PLOT, y + 16)
    across = Scale(0, len(group) - 1, 70, WIDTH - 30)
    for share in (0, 0.5, 1):
        line(drawing, 60, up(top * share), WIDTH - 14, up(top * share), class_="grid")
        write(drawing, 54, up(top * share) + 4, short(top * share), text_anchor="end", class_="soft")
    points = [(across(k), up(each["best"])) for k, each in enumerate(group)]
    path = " ".join(f"{x:.1f},{height:.1f}" for x, height in points)
    add(drawing, "polyline", points=path, style=f"fill: none; stroke: {colour(0)}; stroke-width: 2")
    for (x, height), each in zip(points, group, strict=True):
        mark(drawing, 0, x, height, 4)
        write(drawing, x, y + PLOT + 16, f"{each[by]}", text_anchor="middle", class_="soft")
    write(drawing, WIDTH - 14, y + PLOT + 30, GROWTH_NAMES[by], text_anchor="end", class_="soft")


def _power(power: int) -> str:
    """A power of ten."""
    return f"{10 ** (power % 3)}{('', ' k', ' M')[power // 3]}"


def short(rate: float) -> str:
    """A rate in few letters."""
    return f"{rate / 1e6:.2f} M" if rate >= 1e6 else f"{rate / 1e3:.1f} k" if rate >= 1e3 else f"{rate:.0f}"
