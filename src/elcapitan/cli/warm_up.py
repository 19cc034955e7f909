"""`elcapitan warm-up`: compile everything now, so that nothing has to wait later."""

import typer

from elcapitan.cli.terminal import terminal
from elcapitan.text.catalogue import _

SHORT = _("Compile the rules now, so that no command has to wait for it.")
HELP = _(
    "Compile the rules now, so that no command has to wait for it. This is needed once after an installation; "
    "every command does it by itself if you do not."
)


def warm_up(context: typer.Context) -> None:
    """Compile all kernels."""
    from elcapitan.cli import engine  # noqa: PLC0415 - needs the engine
    from elcapitan.engine.jit import COMPILED  # noqa: PLC0415

    screen = terminal(context)
    if not COMPILED:
        screen.out.print(
            screen.text("The rules run interpreted, because NUMBA_DISABLE_JIT is set: nothing to compile.")
        )
        return
    seconds = engine.ready(screen)
    if not seconds:
        screen.out.print(screen.text("The rules were compiled already."))
    else:
        screen.out.print(screen.text("The rules are compiled; it took {seconds:.0f} seconds.", seconds=seconds))


COMMAND = warm_up
