"""`elcapitan bench`: measure the engine on this machine."""

from collections.abc import Iterator
from typing import Annotated, Any, Final

import typer

from elcapitan.cli.options import Json, number_option
from elcapitan.cli.terminal import Terminal, plain_table, print_json, terminal
from elcapitan.text.catalogue import _

SHORT: Final = _("Measure the engine on this machine.")
HELP: Final = _("Measure the engine on this machine: complete games, single steps, lists of legal actions.")
LONGEST: Final = 600


def bench(
    context: typer.Context,
    as_json: Json = False,
    seconds: Annotated[int, number_option("--seconds", "N", 1, LONGEST, _("How long to measure."))] = 10,
) -> None:
    """Measure the engine under a progress bar, and print the results."""
    from rich.progress import Progress  # noqa: PLC0415

    from elcapitan.experiments import bench as measuring  # noqa: PLC0415 - needs the engine

    screen = terminal(context)
    screen.compile_rules()
    with Progress(console=screen.err, transient=True, disable=not screen.err.is_terminal) as bar:
        task = bar.add_task(screen.text("Measuring"), total=None)
        measured = measuring.run(seconds, lambda what: bar.update(task, description=what))
    if as_json:
        print_json(measured)
    else:
        show(screen, measured)


def show(screen: Terminal, measured: dict[str, Any]) -> None:
    """Print the measurements as a table."""
    table = plain_table()
    table.add_column(screen.text("Measured"), no_wrap=True)
    table.add_column(screen.text("Result"))
    for name, value in flattened(measured):
        table.add_row(name.replace("_", " "), f"{value:,.0f}" if isinstance(value, float) else str(value))
    screen.out.print(table)


def flattened(measured: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all measurements by name; in a group, the group's name stands before their own."""
    for name, value in measured.items():
        if isinstance(value, dict):
            yield from flattened(value, f"{before.replace(':', ',')}{name}: ")
        else:
            yield before + name, value


COMMAND: Final = bench
