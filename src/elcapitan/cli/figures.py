"""Tables of a board's figures, each with its provenance, and what differs from the packaged board."""

import json
from collections.abc import Iterable
from pathlib import Path

from rich.table import Table
from rich.text import Text

from elcapitan.board_file import SOURCES, Figure
from elcapitan.cli.terminal import Terminal
from elcapitan.engine.vocabulary import CITY_NAMES, DESTINATIONS, MAIN_CITIES, TILE_NAMES
from elcapitan.figures import Figures, load, packaged
from elcapitan.text.catalogue import _

SOURCE_WORDS = {
    "A": _("attested: stands in a rulebook or in a published review"),
    "D": _("derived: follows from attested examples by counting"),
    "I": _("inferred: a pattern that fits every known point"),
    "X": _("chosen: found nowhere, open to correction"),
}
SOURCE_STYLES = {"A": "green", "D": "cyan", "I": "yellow", "X": "red"}
MONEY_ROWS = {
    "money.start": _("money at the start"),
    "money.chart": _("proliferation, for 0, 1, 2 ... cities"),
    "money.bonus": _("bonus cards"),
    "money.charge": _("protective charge per building, by phase"),
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
LINK_COLUMNS = 2


def print_json(file: Path | None) -> None:
    """Print all figures for a program."""
    figures = load(file)
    printed = {
        key: {"is": figure.value, "source": figure.source, "note": figure.note}
        for key, figure in figures.printed.items()
    }
    content = {"name": figures.name, "figures": printed, "differs": differing(figures)}
    print(json.dumps(content, ensure_ascii=False, indent=1))  # noqa: T201 - a console would wrap the lines


def show(screen: Terminal, file: Path | None) -> None:
    """Print all figures for people; of a file also how it differs from the packaged board."""
    figures = load(file)
    screen.out.print(Text(screen.text("The board “{name}”", name=figures.name), style="bold"))
    screen.out.print(_legend(screen))
    for table in (_cities(screen, figures), _destinations(screen, figures), _links(screen, figures)):
        screen.out.print()
        screen.out.print(table)
    screen.out.print()
    screen.out.print(_money(screen, figures))
    if file is not None:
        screen.out.print()
        _show_differences(screen, figures, file)


def differing(figures: Figures) -> list[str]:
    """The keys of all figures that are not those of the packaged board."""
    ours = packaged().printed
    return [key for key, figure in figures.printed.items() if key not in ours or ours[key].value != figure.value]


def _show_differences(screen: Terminal, figures: Figures, file: Path) -> None:
    """What differs from the packaged board, or that nothing does."""
    keys = differing(figures)
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
        before = packaged().printed.get(key)
        table.add_row(key, _figure(figures.printed[key]), _figure(before) if before else "")
    screen.out.print(table)


def _legend(screen: Terminal) -> Text:
    """What the letters mean."""
    text = Text()
    for source in SOURCES:
        text.append(f"{source} ", style=SOURCE_STYLES[source])
        text.append(screen.translator.template(SOURCE_WORDS[source]) + "\n", style="dim")
    text.right_crop(1)
    return text


def _table(*columns: str) -> Table:
    """A plain table."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, style="bold cyan" if number == 0 else "", no_wrap=number == 0)
    return table


def _figure(figure: Figure) -> Text:
    """A figure with the letter of its source."""
    values: Iterable[int] = figure.value if isinstance(figure.value, tuple) else (figure.value,)
    text = Text(" ".join(str(value) for value in values) or "-")
    text.append(f" {figure.source}", style=SOURCE_STYLES[figure.source])
    return text


def _cities(screen: Terminal, figures: Figures) -> Table:
    """One line for each city."""
    table = _table(
        screen.text("City"),
        screen.text("harbours"),
        screen.text("fortresses"),
        screen.text("track, from S1 to the last space"),
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


def _destinations(screen: Terminal, figures: Figures) -> Table:
    """One line for each destination card."""
    table = _table(screen.text("Destination card"), screen.text("seals"), screen.text("price"), "", "", "")
    cards = [
        (figures.cards[card], f"cards.destinations.{CITY_NAMES[card // 2]}.{card % 2 + 1}")
        for card in range(DESTINATIONS)
    ]
    half = len(cards) // 2
    for left, right in zip(cards[:half], cards[half:], strict=True):
        cells: list[str | Text] = []
        for name, key in (left, right):
            cells += [
                Text(name, style="bold cyan"),
                _figure(figures.printed[f"{key}.seals"]),
                _figure(figures.printed[f"{key}.price"]),
            ]
        table.add_row(*cells)
    return table


def _links(screen: Terminal, figures: Figures) -> Table:
    """The interconnection cards, some in each line."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for _column in range(LINK_COLUMNS):
        table.add_column(screen.text("Interconnection card"), style="bold cyan", no_wrap=True)
        table.add_column(screen.text("price"))
    links = [(key.removeprefix("cards.links."), _figure(figure)) for key, figure in _under(figures, "cards.links.")]
    rows = -(-len(links) // LINK_COLUMNS)
    for row in range(rows):
        cells = [cell for link in links[row::rows] for cell in link]
        table.add_row(*cells)
    return table


def _under(figures: Figures, prefix: str) -> list[tuple[str, Figure]]:
    """All figures whose keys begin so."""
    return [(key, figure) for key, figure in figures.printed.items() if key.startswith(prefix)]


def _money(screen: Terminal, figures: Figures) -> Table:
    """Money and pieces."""
    table = _table(screen.text("Money and pieces"), "", "")
    for key, words in MONEY_ROWS.items():
        figure = figures.printed[key]
        table.add_row(screen.translator.template(words), _figure(figure), Text(figure.note, style="dim"))
    return table
