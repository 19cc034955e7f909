"""What benchmarks/peers.py measured, as a page and two plots."""

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, Final

from elcapitan.experiments.drawing import WIDTH, Chart, Scale, add, canvas, colour, line, mark, write

OURS: Final = "elcapitan"
ROW: Final = 22
BEGIN: Final = 200  # where bars begin
NONE: Final = "-"
PLOT: Final = 150  # height of a plot of growth
GROWTH_NAMES: Final = {"players": "players", "tiles": "cities of the expansion", "games": "games in the batch"}
SHORT_KINDS: Final = {
    "batch": "batch",
    "complete games inside the engine": "games",
    "from Python": "Python",
    "search": "search",
    "light policy": "light",
}
ABOUT: Final = {
    "batch": "Choosing the actions is not timed, for any engine.",
    "complete games inside the engine": "In oh_hell and hearts a step is a card of a hand: far less to decide.",
    "from Python": "`random.Random.choice` chooses, for every engine. Setting up the games counts too.",
    "search": "Play-outs a second times the decisions in one; a play-out goes to the end of the game.",
    "light policy": "Loaded dice of our own. Positions are easier than in uniform play, and no peer has the like.",
}
HEADING: Final = (
    "# Benchmarks\n\n"
    "Every engine plays uniformly random legal actions of its own game, on one core. Only decisions of players count,\n"
    "not cards dealt or dice thrown by the engine. Games differ in what there is to decide, so the tables say what a\n"
    "researcher gets, not how good the code is. `python benchmarks/peers.py` writes this page: it installs the\n"
    "others into an environment of its own and measures all in turns. A rate is the median of all rounds, followed by\n"
    "the slowest and the fastest."
)

# Measured by hand with `perf`, where a run of this program cannot; the next to speed up the engine renews it.
PROFILE: Final = (
    "## Where the time goes\n\n"
    "Profiles of 2026-11-19, each function compiled apart; the last tenth of the batch's speed came after them.\n\n"
    "| a uniformly random step in a batch | ns |\n|---|---:|\n"
    "| whether a purchase or a leg leaves a build in reach (ruling G-06) | 85 |\n"
    "| carrying out the action, cards, paydays, new games | 27 |\n"
    "| collecting the legal actions | 17 |\n"
    "| the loop over the games, memory, writing the mask | 15 |\n\n"
    "No function takes more than 10 ns of a step. Most of it answers a question that fastcatan's game does not have:\n"
    "there an action is legal or not by itself, here only if the turn can still be finished after it.\n\n"
    "In oh_hell and hearts, too, a card is legal or not by itself.\n\n"
    "By the rates above, some three quarters of a search are play-outs by the light policy. Without any tree they\n"
    "reach the rate of the light policy's complete games, and a search can come no higher than that.\n\n"
    "| a decision of PlainGame | \u00b5s |\n|---|---:|\n"
    "| the compiled call | 0.20 |\n"
    "| `random.Random.choice` | 0.15 |\n"
    "| the method around the call | 0.08 |\n"
    "| the list of the legal actions, where one is wanted | 0.06 |\n"
    "| setting up the game, for each of its decisions | 0.02 |\n\n"
    "Without setting up the games, PlainGame made 1.46 times as many decisions as fastcatan by its view and 1.23\n"
    "times by its list, the median of 15 rounds in turns on a busy machine (2026-11-20).\n\n"
    "| the first step of a PlainGame with nothing compiled, on a busy machine | s |\n|---|---:|\n"
    "| Numba's types and translation to LLVM | 6.0 |\n"
    "| LLVM | 4.0 |\n"
    "| importing Numba and what it needs | 1.8 |"
)


def page(measured: Mapping[str, Any]) -> str:
    """The page of the documentation."""
    parts = [HEADING, _facts(measured), _games(measured["games"])]
    for kind in dict.fromkeys(each["kind"] for each in measured["lines"]):
        parts += _table(kind, [each for each in measured["lines"] if each["kind"] == kind])
    parts += [_scaling(measured["scaling"]), _starts(measured["starts"]), PROFILE]
    if measured["growth"]:
        parts += [
            "## Growth",
            "Steps per second on one core, with observations, by number of players, expansion cities and games:",
            "![Growth of the cost](images/benchmark-growth.svg)",
            "All rates on one scale:",
            "![Actions per second](images/benchmark-peers.svg)",
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def rate(numbers: Sequence[float]) -> float:
    """What counts of several rounds; 0 if nothing was measured."""
    return median(numbers) if numbers else 0.0


def _columns(names: str, numbers: int, rows: Sequence[Sequence[str]]) -> str:
    """A table whose last columns, so many, are numbers."""
    titles = names.split(" | ")
    lines = ["---"] * (len(titles) - numbers) + ["---:"] * numbers
    return (
        "\n".join(f"| {' | '.join(row)} |" for row in (titles, lines, *rows))
        .replace("| --- ", "|---")
        .replace("| ---: ", "|---:")
    )


def _facts(measured: Mapping[str, Any]) -> str:
    """When, where and how."""
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    facts = {name: measured[name] for name in ("date", "machine", "method")} | {"versions": versions}
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {fact} |" for name, fact in facts.items())])


def _games(games: Sequence[Mapping[str, Any]]) -> str:
    """What the games are like."""
    rows = [
        [
            each["name"],
            f"{each['decisions']:,.0f}",
            f"{each['choices']:.1f}",
            f"{each['size']:,}" if each["size"] else NONE,
        ]
        if not each["problem"]
        else [each["name"], each["problem"], "", ""]
        for each in games
    ]
    return "## Games\n\n" + _columns("random game | decisions | legal actions at each | bytes of a position", 3, rows)


def _table(kind: str, lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """One kind of play, the fastest first."""
    ranked = sorted(lines, key=lambda each: -rate(each["actions"]))
    searching = any(any(each["playouts"]) for each in lines)
    rows = []
    for each in ranked:
        counts = [spread(each["actions"]) or each["problem"]] + [spread(each["playouts"])] * searching
        about = [each["does"]] if searching else [each["does"], each["mask"] or NONE, each["observation"] or NONE]
        rows.append([each["name"], *about, *counts])
    names = (
        "engine | search | actions/s | play-outs/s" if searching else "engine | a step | mask | observation | actions/s"
    )
    return [f"## {kind[0].upper()}{kind[1:]}", ABOUT[kind], _columns(names, 1 + searching, rows)]


def _scaling(entries: Sequence[Mapping[str, Any]]) -> str:
    """Batches by cores."""
    counts = sorted({each["cores"] for each in entries})
    found = {(each["name"], each["cores"]): each for each in entries}
    rows = [
        [name, *(spread(found[name, count]["actions"]) or found[name, count]["problem"] for count in counts)]
        for name in dict.fromkeys(each["name"] for each in entries)
    ]
    names = " | ".join(["batch, actions/s", *(f"{count} core{'s' * (count > 1)}" for count in counts)])
    return "## Cores\n\n" + _columns(names, len(counts), rows)


def _starts(entries: Sequence[Mapping[str, Any]]) -> str:
    """Seconds to the first step."""
    rows = [
        [each["name"], *(f"{rate(each[kind]):.2f}" if any(each[kind]) else NONE for kind in ("warm", "cold"))]
        for each in entries
    ]
    return (
        "## First step\n\nSeconds from the first import to the first step; cold, with none of our rules compiled.\n\n"
        + _columns("engine | warm | cold", 2, rows)
    )


def spread(rates: Sequence[float]) -> str:
    """The median of some rates, the lowest and the highest; empty without any."""
    return f"{short(median(rates))} ({short(min(rates))} to {short(max(rates))})" if rates else ""


def plots(measured: Mapping[str, Any]) -> dict[str, str]:
    """The plots by the names of their files."""
    return {"benchmark-peers.svg": bars(measured["lines"]), "benchmark-growth.svg": growth(measured["growth"])}


def bars(lines: Sequence[Mapping[str, Any]]) -> str:
    """All engines on one logarithmic scale."""
    rates = [(rate(each["actions"]), each) for each in lines if each["actions"]]
    known = sorted(rates, key=lambda each: -each[0])
    title = "Actions a second of one core"
    told = "; ".join(f"{each['name']} ({each['kind']}): {found:,.0f}" for found, each in known)
    drawing = canvas("peers", title, told, ROW * len(known) + 30)
    low, high = math.floor(math.log10(known[-1][0])), math.ceil(math.log10(known[0][0]))
    scale = Scale(low, high, BEGIN, WIDTH - 50)
    bottom = ROW * len(known) + 6
    for power in range(low, high + 1):
        line(drawing, scale(power), 0, scale(power), bottom, class_="grid")
        write(drawing, scale(power), bottom + 16, _power(power), text_anchor="middle", class_="soft")
    for row, (found, each) in enumerate(known):
        y = ROW * row + 4
        shade = colour(0 if each["package"] == OURS else 1)
        wide = scale(math.log10(found)) - BEGIN
        add(drawing, "rect", x=float(BEGIN), y=float(y), width=float(wide), height=ROW - 8.0, style=f"fill: {shade}")
        name = f"{each['name']} · {SHORT_KINDS[each['kind']]}"
        write(drawing, BEGIN - 6, y + 11, name, text_anchor="end", font_size=9)
        write(drawing, BEGIN + wide + 4, y + 11, short(found), class_="soft", font_size=9)
    return Chart("peers", title, drawing).alone()


def growth(entries: Sequence[Mapping[str, Any]]) -> str:
    """Steps a second by players, tiles and size of the batch: three small plots."""
    title = "Steps a second of one core, observed"
    groups = {by: [each for each in entries if each["by"] == by] for by in GROWTH_NAMES}
    told = "; ".join(
        f"{by} {each[by]}: {short(rate(each['actions']))}" for by, group in groups.items() for each in group
    )
    drawing = canvas("growth", title, told, len(groups) * (PLOT + 40))
    top = max(rate(each["actions"]) for each in entries)
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
    points = [(across(k), up(rate(each["actions"]))) for k, each in enumerate(group)]
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
