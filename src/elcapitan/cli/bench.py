"""`elcapitan bench`: measure the engine on this machine."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from elcapitan.cli.options import Json, whole
from elcapitan.cli.terminal import Terminal, terminal
from elcapitan.text.catalogue import _

SHORT = _("Measure the engine on this machine.")
HELP = _("Measure the engine on this machine: complete games, single steps, lists of legal actions.")
LONGEST = 600


def bench(
    context: typer.Context,
    as_json: Json = False,
    seconds: Annotated[
        int,
        typer.Option("--seconds", metavar="N", parser=whole("--seconds", 1, LONGEST), help=_("How long to measure.")),
    ] = 10,
) -> None:
    """Measure."""
    from rich.progress import Progress  # noqa: PLC0415 - needs the engine

    from elcapitan import bench as measuring  # noqa: PLC0415
    from elcapitan.cli import engine  # noqa: PLC0415

    screen = terminal(context)
    engine.ready(screen)
    with Progress(console=screen.err, transient=True, disable=not screen.err.is_terminal) as bar:
        task = bar.add_task(screen.text("Measuring"), total=None)
        measured = measuring.run(seconds, lambda what: bar.update(task, description=what))
    if as_json:
        print(json.dumps(measured, indent=1))  # noqa: T201 - not to be wrapped
    else:
        show(screen, measured)


def show(screen: Terminal, measured: dict[str, Any]) -> None:
    """Print the measurements as a table."""
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(screen.text("Measured"), no_wrap=True)
    table.add_column(screen.text("Result"))
    for name, value in flattened(measured):
        table.add_row(name.replace("_", " "), f"{value:,.0f}" if isinstance(value, float) else str(value))
    screen.out.print(table)


def flattened(measured: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """All measurements by name; what stands in a group has the group's name before its own."""
    for name, value in measured.items():
        if isinstance(value, dict):
            yield from flattened(value, f"{before.replace(':', ',')}{name}: ")
        else:
            yield before + name, value


COMMAND = bench
