"""`elcapitan warm-up`: compile everything now, so that nothing has to wait later."""

from typing import Final

import typer

from elcapitan.cli.terminal import terminal
from elcapitan.engine.jit import COMPILED
from elcapitan.text.catalogue import _

HELP: Final = _(
    "Compile the rules now, so that no command has to wait for it. This is needed once after an installation; "
    "every command does it by itself if you do not."
)


def warm_up(context: typer.Context) -> None:
    """Compile all kernels and print how long it took."""
    screen = terminal(context)
    if not COMPILED:
        screen.out.print(
            screen.text("The rules run interpreted, because NUMBA_DISABLE_JIT is set: nothing to compile.")
        )
        return
    seconds = screen.compile_rules()
    if not seconds:
        screen.out.print(screen.text("The rules were compiled already."))
    else:
        screen.out.print(screen.text("The rules are compiled; it took {seconds:.0f} seconds.", seconds=seconds))
