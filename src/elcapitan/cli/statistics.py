"""What came of many games, for people and for programs."""

import json
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from rich.table import Table
from rich.text import Text

from elcapitan.cli.simulation import Plan, Tally
from elcapitan.cli.terminal import Terminal
from elcapitan.engine.policies import POLICY_NAMES
from elcapitan.engine.vocabulary import OPTION_NAMES, PHASES, TILE_NAMES
from elcapitan.text.names import Names


def report(screen: Terminal, plan: Plan, tally: Tally, *, as_json: bool) -> None:
    """Print what came of the games."""
    if as_json:
        print(json.dumps(as_object(plan, tally), ensure_ascii=False, indent=1))  # noqa: T201 - not to be wrapped
    else:
        _print(screen, plan, tally)


def as_object(plan: Plan, tally: Tally) -> dict[str, Any]:
    """Everything counted, for a program."""
    watched = tally.watched
    return {
        "players": plan.players,
        "tiles": [name for bit, name in enumerate(TILE_NAMES) if plan.tiles >> bit & 1],
        "options": {name: bool(plan.options & bit) for name, bit in OPTION_NAMES.items()},
        "board": plan.figures.name,
        "policy": POLICY_NAMES[plan.policy],
        "seed": plan.seed,
        "games": len(tally.courses),
        "actions": summary([course.actions for course in tally.courses]),
        "watched": len(watched),
        "rounds": [summary([course.rounds[phase] for course in watched]) for phase in range(PHASES)],
        "loans": summary([course.loans for course in watched]),
        "money": [summary([course.money[seat] for course in tally.courses]) for seat in range(plan.players)],
        "wins": wins(plan, tally),
        "seconds": round(tally.seconds, 3),
    }


def summary(numbers: Sequence[int]) -> dict[str, float]:
    """Mean, least and most."""
    return {"mean": round(fmean(numbers), 2), "min": min(numbers), "max": max(numbers)}


def wins(plan: Plan, tally: Tally) -> list[int]:
    """How often every seat won; a shared victory counts for each."""
    return [sum(course.money[seat] == max(course.money) for course in tally.courses) for seat in range(plan.players)]


def _print(screen: Terminal, plan: Plan, tally: Tally) -> None:
    """Two tables: the games, and the merchants."""
    counted = as_object(plan, tally)
    out = screen.out
    out.print(
        Text(
            screen.plural("{number} game, seed {seed}", "{number} games, seed {seed}", plan.games, seed=plan.seed),
            style="bold",
        )
    )
    out.print(_games(screen, counted))
    out.print()
    out.print(_merchants(screen, plan, counted))
    out.print()
    speed = plan.games / max(tally.seconds, 1e-9)
    shown = f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}"
    out.print(
        screen.text("{speed} games a second, {seconds:.1f} seconds in all.", speed=shown, seconds=tally.seconds),
        style="dim",
    )
    if plan.out:
        out.print(screen.text("The records are in {folder}.", folder=plan.out))


def _table(screen: Terminal, first: str) -> Table:
    """A table of means, leasts and mosts."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(first)
    for title in (screen.text("mean"), screen.text("least"), screen.text("most")):
        table.add_column(title, justify="right")
    return table


def _row(numbers: dict[str, float]) -> list[str]:
    """The cells of a summary."""
    return [f"{numbers['mean']:.1f}", f"{numbers['min']:.0f}", f"{numbers['max']:.0f}"]


def _games(screen: Terminal, counted: dict[str, Any]) -> Table:
    """What all games have in common."""
    table = _table(screen, "")
    table.add_row(screen.text("actions"), *_row(counted["actions"]))
    for phase, rounds in enumerate(counted["rounds"], start=1):
        table.add_row(screen.text("rounds of phase {phase}", phase=phase), *_row(rounds))
    table.add_row(screen.text("loans taken"), *_row(counted["loans"]))
    if counted["watched"] < counted["games"]:
        remark = screen.text("rounds and loans: of the first {number} games", number=counted["watched"])
        table.add_row(Text(remark, style="dim"), "", "", "")
    return table


def _merchants(screen: Terminal, plan: Plan, counted: dict[str, Any]) -> Table:
    """The money at the end and the victories of every merchant."""
    names = Names(screen.translator, plan.figures)
    table = _table(screen, screen.text("money at the end"))
    table.add_column(screen.text("wins"), justify="right")
    for seat, money in enumerate(counted["money"]):
        share = 100 * counted["wins"][seat] / counted["games"]
        table.add_row(names.merchant(seat), *_row(money), f"{counted['wins'][seat]} ({share:.0f} %)")
    return table
