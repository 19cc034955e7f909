"""What every command shares: the reader's language, the two consoles, progress bars, and compiled rules."""

import functools
import json
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from elcapitan.text.catalogue import DEFAULT, Translator, translator

if TYPE_CHECKING:
    import typer
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table
    from rich.text import Text

NO_BREAK: Final = "\N{NO-BREAK SPACE}"
STAND_IN: Final = "\ue000"  # a private character, which is no space


# Rich is imported where it is used: help and errors are printed without it, in a third of the time.
class Terminal:
    """The reader's language, and the consoles for results and for progress."""

    def __init__(self, language: str = DEFAULT) -> None:
        self.translator: Translator = translator(language)

    @functools.cached_property
    def out(self) -> "Console":
        """The console for results."""
        from rich.console import Console  # noqa: PLC0415

        return Console(highlight=False, emoji=False)

    @functools.cached_property
    def err(self) -> "Console":
        """The console for progress and problems, so that results can be piped."""
        from rich.console import Console  # noqa: PLC0415

        return Console(stderr=True, highlight=False, emoji=False)

    @property
    def interactive(self) -> bool:
        """Whether a person can be asked: input and output are a terminal."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def say(self, sentence: str, style: str = "", *, error: bool = False) -> None:
        """Print a sentence without reading markup in it; long ones are broken by the terminal, not by Rich."""
        from rich.text import Text  # noqa: PLC0415

        (self.err if error else self.out).print(Text(sentence, style=style), soft_wrap=True)

    def print_text(self, text: "Text | str", style: str = "") -> None:
        """Print a text in lines that are never broken at a no-break space, as Rich would do."""
        from rich.text import Text  # noqa: PLC0415

        text = text if isinstance(text, Text) else Text(text, style=style)
        text.plain = text.plain.replace(NO_BREAK, STAND_IN)
        for line in text.wrap(self.out, self.out.width):
            line.rstrip()
            line.plain = line.plain.replace(STAND_IN, NO_BREAK)
            self.out.print(line, soft_wrap=True)

    def text(self, message: str, /, **arguments: object) -> str:
        """Translate a message and fill in its arguments."""
        return self.translator.text(message, **arguments)

    def plural(self, one: str, many: str, number: int, /, **arguments: object) -> str:
        """Translate a message whose form depends on a number."""
        return self.translator.plural(one, many, number, **arguments)

    def compile_rules(self) -> float:
        """Compile all kernels under a progress bar; returns the seconds it took, 0 if they were compiled before."""
        from rich.progress import TimeElapsedColumn  # noqa: PLC0415

        from elcapitan.engine import warm_up  # noqa: PLC0415 - slow to import

        if warm_up.is_ready():
            return 0.0
        begun = time.perf_counter()
        with self._progress(TimeElapsedColumn()) as bar:
            task = bar.add_task(self.text("Compiling the rules, only this once"), total=len(warm_up.kernels()))

            def done(name: str) -> None:
                text = self.text("Compiling the rules, only this once: {name}", name=name)
                bar.update(task, advance=1, description=text)

            warm_up.compile_all(done)
        return time.perf_counter() - begun

    def games_bar(self) -> "Progress":
        """Create a progress bar that counts games."""
        from rich.progress import TimeRemainingColumn  # noqa: PLC0415

        return self._progress(TimeRemainingColumn())

    def _progress(self, clock: Any) -> "Progress":
        """Create a progress bar that disappears at its end; nothing is shown unless stderr is a terminal."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), clock)
        return Progress(*columns, console=self.err, transient=True, disable=not self.err.is_terminal)


def terminal(context: "typer.Context") -> Terminal:
    """Return the terminal of a running command."""
    return context.obj if isinstance(context.obj, Terminal) else Terminal()


def plain_table(*titles: str, header_style: str = "dim", pad_edge: bool = False) -> "Table":
    """Create a table without lines; titles make columns of names first, then of numbers."""
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=pad_edge, header_style=header_style)
    for number, title in enumerate(titles):
        table.add_column(title, justify="right" if number else "left")
    return table


def json_text(content: Any) -> str:
    """Format JSON for files and for `--json`."""
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def print_json(content: Any) -> None:
    """Print JSON as it is; a console would wrap its lines."""
    print(json_text(content), end="")  # noqa: T201
