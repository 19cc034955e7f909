"""The compiled engine, made ready: at once when it was compiled before, with a visible bar when it has to be."""

import time

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from elcapitan.cli.terminal import Terminal
from elcapitan.engine import warm_up


def ready(screen: Terminal) -> float:
    """Make all kernels ready; the seconds it took, 0 if they were."""
    if warm_up.is_ready():
        return 0.0
    begun = time.perf_counter()
    with _bar(screen) as bar:
        task = bar.add_task(screen.text("Compiling the rules, only this once"), total=len(warm_up.kernels()))

        def done(name: str) -> None:
            bar.update(
                task, advance=1, description=screen.text("Compiling the rules, only this once: {name}", name=name)
            )

        warm_up.compile_all(done)
    return time.perf_counter() - begun


def _bar(screen: Terminal) -> Progress:
    """A progress bar that goes away when it is done."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=screen.err,
        transient=True,
        disable=not screen.err.is_terminal,
    )
