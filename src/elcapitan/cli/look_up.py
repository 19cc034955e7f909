"""`elcapitan rules`, `board` and `bots`: look up a rule, the figures of a board, or the computer players."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.table import Table
from rich.text import Text

from elcapitan.board.board_file import Figure
from elcapitan.cli.command_line import BadInput, Terminal, plain_table, print_json, terminal
from elcapitan.cli.options import Json, value_option
from elcapitan.engine.vocabulary import CITY_NAMES, DESTINATIONS, MAIN_CITIES, TILE_NAMES
from elcapitan.text import rulebook
from elcapitan.text.catalogue import _

if TYPE_CHECKING:
    from elcapitan.board.figures import Figures

RULES_HELP: Final = _(
    "Look the rules up: by name (WARE-07, G-06, EX-12), by chapter (WARE) or by words. "
    "Without a word, the chapters are listed."
)

BOARD_HELP: Final = _("Show the figures of board and cards with their provenance, and check a board file of your own.")
SOURCE_WORDS: Final = {
    "A": _("attested: stands in a rulebook or in a published review"),
    "D": _("derived: follows from attested examples by counting"),
    "I": _("inferred: a pattern that fits every known point"),
    "X": _("chosen: found nowhere, open to correction"),
}
SOURCE_STYLES: Final = {"A": "green", "D": "cyan", "I": "yellow", "X": "red"}
MONEY_ROWS: Final = {
    "money.start": _("money at the start"),
    "money.chart": _("proliferation, for 0, 1, 2 ... cities"),
    "money.bonus": _("bonus cards"),
    "money.charge": _("protection money per building, by phase"),
    "money.pirate_step": _("pirate for money, per step"),
    "money.loans.small.amount": _("small loan"),
    "money.loans.small.cards": _("small loan: cards"),
    "money.loans.small.due": _("small loan: paid back with"),
    "money.loans.small.extended": _("small loan: extended"),
    "money.loans.large.amount": _("large loan"),
    "money.loans.large.cards": _("large loan: cards"),
    "money.loans.large.due": _("large loan: paid back with"),
    "money.loans.large.extended": _("large loan: extended"),
    "pieces.warehouses": _("warehouses a phase"),
    "pieces.neutral_warehouses": _("neutral warehouses a phase, two players"),
    "pieces.fortresses": _("fortresses a phase"),
}
LINK_COLUMNS: Final = 2

BOTS_HELP: Final = _(
    "Tell which computer players there are, from the weakest to the strongest, and what each of them sees. Those that "
    "search can be given a budget, such as admiral:sims=400 (simulations: such a game can be repeated) or "
    "admiral:ms=800 (milliseconds); the helmsman has a strength, such as helmsman:strength=70. On a board file for "
    "which they were not trained, the champion plays like the admiral, and the helmsman like the captain."
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


def board(
    context: typer.Context,
    file: Annotated[Path | None, value_option("--file", "FILE", _("Board file to check and show."))] = None,
    as_json: Json = False,
) -> None:
    """Print the figures of a board; of a file also how it differs from the packaged board."""
    from elcapitan.board.figures import load, packaged  # noqa: PLC0415 - rules are looked up without it

    figures, ours = load(file), packaged()
    if as_json:
        printed = {
            key: {"is": figure.value, "source": figure.source, "note": figure.note}
            for key, figure in figures.printed.items()
        }
        print_json({"name": figures.name, "figures": printed, "differs": differing(figures, ours)})
        return
    screen = terminal(context)
    screen.print_text(screen.text("The board “{name}”", name=figures.name), "bold")
    screen.out.print(_legend(screen))
    for table in (_cities, _destinations, _links, _money):
        screen.out.print()
        screen.out.print(table(screen, figures))
    if file is not None:
        screen.out.print()
        _show_differences(screen, figures, ours, file)


def differing(figures: "Figures", ours: "Figures") -> list[str]:
    """Return the keys of all figures that are not those of our own board."""
    known = ours.printed
    return [key for key, figure in figures.printed.items() if key not in known or known[key].value != figure.value]


def _show_differences(screen: Terminal, figures: "Figures", ours: "Figures", file: Path) -> None:
    """Print what differs from the packaged board, or that nothing does."""
    keys = differing(figures, ours)
    if not keys:
        screen.out.print(screen.text("{file} can be played with and has the figures of the packaged board.", file=file))
        return
    screen.out.print(
        screen.plural(
            "{file} can be played with; {number} figure differs from the packaged board:",
            "{file} can be played with; {number} figures differ from the packaged board:",
            len(keys),
            file=file,
        )
    )
    table = _table(screen.text("Figure"), screen.text("here"), screen.text("packaged"))
    for key in keys:
        before = ours.printed.get(key)
        table.add_row(key, _figure(figures.printed[key]), _figure(before) if before else "")
    screen.out.print(table)


def _legend(screen: Terminal) -> Text:
    """Explain the letters of the sources."""
    lines = [
        Text.assemble((f"{source} ", SOURCE_STYLES[source]), (screen.translator.template(words), "dim"))
        for source, words in SOURCE_WORDS.items()
    ]
    return Text("\n").join(lines)


def _table(*columns: str) -> Table:
    """Create a table whose first column has names."""
    table = plain_table(header_style="bold", pad_edge=True)
    for number, column in enumerate(columns):
        table.add_column(column, style="" if number else "bold cyan", no_wrap=not number)
    return table


def _figure(figure: Figure) -> Text:
    """Write a figure with the letter of its source."""
    values: Iterable[int] = figure.value if isinstance(figure.value, tuple) else (figure.value,)
    text = Text(" ".join(str(value) for value in values) or "-")
    text.append(f" {figure.source}", style=SOURCE_STYLES[figure.source])
    return text


def _cities(screen: Terminal, figures: "Figures") -> Table:
    """List all cities, one to a line."""
    table = _table(
        screen.text("City"),
        screen.text("harbours"),
        screen.text("fortresses"),
        screen.text("track, from the first site to the last space"),
        screen.text("dark"),
        screen.text("triangle"),
    )
    for city, name in enumerate(CITY_NAMES):
        section = "cities" if city < MAIN_CITIES else "expansion"
        keys = [f"{section}.{name}.{part}" for part in ("harbours", "fortresses", "track", "dark", "triangle")]
        table.add_row(name, *(_figure(figures.printed[key]) for key in keys))
        if city == MAIN_CITIES - 1:
            table.add_section()
    assert len(TILE_NAMES) + MAIN_CITIES == len(CITY_NAMES)
    return table


def _destinations(screen: Terminal, figures: "Figures") -> Table:
    """List the destination cards, two to a line."""
    table = _table(screen.text("Destination card"), screen.text("seals"), screen.text("price"), "", "", "")
    half = DESTINATIONS // 2
    for row in range(half):
        cells: list[Text] = []
        for card in (row, row + half):
            key = f"cards.destinations.{CITY_NAMES[card // 2]}.{card % 2 + 1}"
            figured = [_figure(figures.printed[f"{key}.{part}"]) for part in ("seals", "price")]
            cells += [Text(CITY_NAMES[card // 2], style="bold cyan"), *figured]
        table.add_row(*cells)
    return table


def _links(screen: Terminal, figures: "Figures") -> Table:
    """List the interconnection cards, some in each line."""
    table = plain_table(header_style="bold", pad_edge=True)
    for _column in range(LINK_COLUMNS):
        table.add_column(screen.text("Interconnection card"), style="bold cyan", no_wrap=True)
        table.add_column(screen.text("price"))
    prefix = "cards.links."
    links = [
        (key.removeprefix(prefix), _figure(figure)) for key, figure in figures.printed.items() if key.startswith(prefix)
    ]
    rows = -(-len(links) // LINK_COLUMNS)
    for row in range(rows):
        table.add_row(*(cell for link in links[row::rows] for cell in link))
    return table


def _money(screen: Terminal, figures: "Figures") -> Table:
    """List money and pieces with the notes about them."""
    table = _table(screen.text("Money and pieces"), "", "")
    for key, words in MONEY_ROWS.items():
        figure = figures.printed[key]
        table.add_row(screen.translator.template(words), _figure(figure), Text(figure.note, style="dim"))
    return table


def bots(context: typer.Context) -> None:
    """Print all levels with what each of them sees, and the players of installed packages."""
    from elcapitan.bots.registry import LEVELS  # noqa: PLC0415 - slow to import
    from elcapitan.players.python_players import RESERVED, registered  # noqa: PLC0415

    screen = terminal(context)
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, level in LEVELS.items():
        table.add_row(f"[bold]{name}[/]", screen.translator.template(level.about))
    for name, point in registered().items():
        if name not in RESERVED:
            table.add_row(
                Text(name, style="bold"), Text(screen.text("From an installed package: {of}.", of=point.value))
            )
    screen.out.print(table)
