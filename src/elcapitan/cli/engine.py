"""The compiled engine, made ready: silently when it was compiled before, with a visible bar when it has to be."""

import time
from collections.abc import Callable
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from elcapitan.cli.terminal import Terminal
from elcapitan.engine.jit import COMPILED

PATIENCE = 0.7  # seconds of silence


def ready(screen: Terminal, patience: float = PATIENCE) -> float:
    """Make all kernels ready; the seconds it took. Only what takes longer than one's patience is shown."""
    if not COMPILED:
        return 0.0
    from elcapitan.engine import warm_up  # noqa: PLC0415 - interpreted rules need none of it

    begun = time.perf_counter()
    kernels: list[tuple[str, Callable[[], Any]]] = warm_up.kernels()
    with _bar(screen) as bar:
        task = bar.add_task("", total=len(kernels), visible=False)
        for name, kernel in kernels:
            words = screen.text("Compiling the rules, only this once: {name}", name=name)
            bar.update(task, visible=time.perf_counter() - begun >= patience, description=words)
            kernel()
            bar.advance(task)
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
