"""What every command shares: the reader's language and the two consoles."""

import functools
import sys
from typing import TYPE_CHECKING, Final

from elcapitan.text.catalogue import DEFAULT, Translator, translator

if TYPE_CHECKING:
    import typer
    from rich.console import Console
    from rich.text import Text

NO_BREAK: Final = "\N{NO-BREAK SPACE}"
STAND_IN: Final = "\ue000"  # a private character, which is no space


class Terminal:
    """The reader's language, and where to write to."""

    def __init__(self, language: str = DEFAULT) -> None:
        self.translator: Translator = translator(language)

    @functools.cached_property
    def out(self) -> "Console":
        """Where results go."""
        from rich.console import Console  # noqa: PLC0415 - help and errors need none

        return Console(highlight=False, emoji=False)

    @functools.cached_property
    def err(self) -> "Console":
        """Where progress goes, so that results can be piped."""
        from rich.console import Console  # noqa: PLC0415

        return Console(stderr=True, highlight=False, emoji=False)

    @property
    def interactive(self) -> bool:
        """Whether somebody sits there and can be asked."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def print_text(self, text: "Text") -> None:
        """Print a text in lines that are never broken at a no-break space, as Rich would do."""
        text.plain = text.plain.replace(NO_BREAK, STAND_IN)
        for line in text.wrap(self.out, self.out.width):
            line.rstrip()
            line.plain = line.plain.replace(STAND_IN, NO_BREAK)
            self.out.print(line, soft_wrap=True)

    def text(self, message: str, /, **arguments: object) -> str:
        """A message in the reader's language."""
        return self.translator.text(message, **arguments)

    def plural(self, one: str, many: str, number: int, /, **arguments: object) -> str:
        """A message that depends on a number, in the reader's language."""
        return self.translator.plural(one, many, number, **arguments)


def terminal(context: "typer.Context") -> Terminal:
    """The terminal of a command."""
    return context.obj if isinstance(context.obj, Terminal) else Terminal()
