"""Progress bars that several commands show."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from elcapitan.cli.terminal import Terminal


def games_bar(screen: Terminal) -> Progress:
    """A progress bar for games that goes away when they are played."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=screen.err,
        transient=True,
        disable=not screen.err.is_terminal,
    )
