"""`elcapitan bots`: the computer players that can be chosen."""

from typing import Final

import typer
from rich.table import Table

from elcapitan.bots.registry import LEVELS
from elcapitan.cli.terminal import terminal
from elcapitan.text.catalogue import _

HELP: Final = _(
    "Tell which computer players there are, from the weakest to the strongest, and what each of them sees. Those that "
    "search can be given a budget, such as admiral:sims=400 (simulations: such a game can be repeated) or "
    "admiral:ms=800 (milliseconds)."
)


def bots(context: typer.Context) -> None:
    """Print all levels with what each of them sees."""
    screen = terminal(context)
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, level in LEVELS.items():
        table.add_row(f"[bold]{name}[/]", screen.translator.template(level.about))
    screen.out.print(table)
