"""`elcapitan rules`: look a rule, an example or a ruling up."""

import re
from typing import Annotated, Final

import typer
from rich.text import Text

from elcapitan.cli.command_line import BadInput
from elcapitan.cli.terminal import Terminal, plain_table, terminal
from elcapitan.text import rulebook
from elcapitan.text.catalogue import _

HELP: Final = _(
    "Look the rules up: by name (WARE-07, G-06, EX-12), by chapter (WARE) or by words. "
    "Without a word, the chapters are listed."
)


def rules(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="NAME|WORD", help=_("A name, or words that must all occur."))
    ] = None,
) -> None:
    """Print the rules that were asked for, or the list of chapters."""
    if words:
        show_items(terminal(context), words)
    else:
        show_chapters(terminal(context))


def show_items(screen: Terminal, words: list[str]) -> None:
    """Print the items that are asked for."""
    language = screen.translator.language
    found = rulebook.find(language, words)
    if not found:
        raise not_found(language, words)
    for item in found:
        screen.print_text(marked(item, words))
    if len(found) > 1:
        screen.out.print()
        screen.out.print(screen.plural("{number} entry", "{number} entries", len(found)), style="dim")


def not_found(language: str, words: list[str]) -> BadInput:
    """Create the error for words that occur nowhere, with the nearest names."""
    asked = " ".join(words)
    near = [name for word in words for name in rulebook.near(language, word)]
    if near:
        return BadInput("near-rule", words=asked, near=", ".join(near))
    return BadInput("no-rule", words=asked)


def marked(item: rulebook.RulebookItem, words: list[str]) -> Text:
    """Format an item: its name first, its emphasis kept, and the words that were looked for highlighted."""
    text = Text()
    text.append(item.name, style="bold cyan")
    text.append("  ")
    start = len(text)
    for number, piece in enumerate(re.split(r"\*+", item.text)):
        text.append(piece, style="bold" if number % 2 else "")
    body = rulebook.plain(text.plain)
    if len(body) == len(text.plain):  # nothing was decomposed into several letters, so places agree
        for word in words:
            for match in re.finditer(re.escape(rulebook.plain(word)), body):
                if match.start() >= start:
                    text.stylize("reverse", *match.span())
    return text


def show_chapters(screen: Terminal) -> None:
    """Print the list of chapters."""
    table = plain_table(header_style="bold", pad_edge=True)
    table.add_column(screen.text("Chapter"), style="bold cyan", no_wrap=True)
    table.add_column(screen.text("About"))
    table.add_column(screen.text("Entries"), justify="right")
    for chapter in rulebook.chapters(screen.translator.language):
        table.add_row(chapter.code, chapter.title, str(len(chapter.items)))
    screen.out.print(table)
    screen.out.print()
    screen.out.print(
        screen.text("Read on with “elcapitan rules WARE”, “elcapitan rules G-06” or “elcapitan rules pirate”."),
        style="dim",
    )
