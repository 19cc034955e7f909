"""Cities, merchants and cards as coloured text: every colour has a letter too, so nothing depends on colour."""

import functools
from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from elcapitan.cli.command_line import plain_table
from elcapitan.engine.vocabulary import BANK, CITIES, NEUTRAL_OFFSET, NO_SITE, NOBODY, PIRATE, two_colours
from elcapitan.game.position_queries import Income
from elcapitan.position.facts import FREE, SHUTTING, VACATED, CityFacts, MerchantFacts, Slot
from elcapitan.text.names import Names

LETTERS: Final = "RYGBP"  # as in drawings and records
STYLES: Final = (
    "bold bright_red",
    "bold bright_yellow",
    "bold bright_green",
    "bold bright_blue",
    "bold bright_magenta",
)
PIRATE_SIGN: Final = "*"
SIGNS: Final = {FREE: "·", SHUTTING: "▪", VACATED: "-"}
PLAIN_SIGNS: Final = {FREE: ".", SHUTTING: ":", VACATED: "-"}
FRAME: Final = tuple("╭╮╰╯─│")
PLAIN_FRAME: Final = tuple("++++-|")
SITES_TOGETHER: Final = 4  # a track is easier to count in fours

CELL: Final = 24  # columns that a city needs in the grid
ROOMY: Final = 28  # columns in which a city's name leaves room for words
GRID_HEIGHT: Final = 36  # lines a window needs for the grid


class Painter:
    """Formats what is on the table as Rich text, for one console and one game."""

    def __init__(self, console: Console, names: Names, players: int, colours: Sequence[int] = ()) -> None:
        self.console = console
        self.names = names
        self.players = players
        self.colours = tuple(colours) or tuple(range(players))  # of the seats, and neutral ones if those are chosen
        self.t = names.translator
        plain = not console.encoding.lower().startswith("utf")
        self.signs = PLAIN_SIGNS if plain else SIGNS
        self.frame = PLAIN_FRAME if plain else FRAME

    # ------------------------------------------------------------------------------------------------------- pieces

    def piece(self, colour: int) -> Text:
        """The letter of a colour; a small one for neutral warehouses, of their merchant if none was chosen for them."""
        neutral = two_colours(self.players) and colour >= NEUTRAL_OFFSET
        chosen = self.colours[colour if colour < len(self.colours) else colour - NEUTRAL_OFFSET]
        return Text(LETTERS[chosen].lower() if neutral else LETTERS[chosen], style=STYLES[chosen])

    def style(self, seat: int) -> str:
        """How the name of a merchant is printed."""
        return STYLES[self.colours[seat]]

    def merchant(self, seat: int) -> Text:
        """Letter and name of a merchant; the letter of its neutral colour too, if that was chosen."""
        letters = [self.piece(each) for each in (seat, seat + self.players) if each < len(self.colours)]
        return Text.assemble(*letters, " ", (self.names.merchant(seat), self.style(seat)))

    def occupant(self, who: int) -> Text:
        """The occupant of a harbour or a fortress site."""
        if who == NOBODY:
            return Text(self.signs[FREE], style="dim")
        if who == PIRATE:
            return Text(PIRATE_SIGN, style="bold reverse")
        return self.piece(who)

    def slots(self, label: str, slots: Sequence[Slot]) -> Text:
        """Harbours or fortress sites with their prices."""
        text = Text(label, style="dim")
        for slot in slots:
            text.append(" ")
            text.append_text(self.occupant(slot.occupant))
            text.append(str(slot.price), style="" if slot.occupant == NOBODY else "dim")
        return text

    def track(self, city: CityFacts) -> Text:
        """The twelve sites; the next one is underlined."""
        text = Text()
        for site, what in enumerate(city.sites):
            if site and site % SITES_TOGETHER == 0:
                text.append(" ")
            sign = self.piece(what) if what >= 0 else Text(self.signs[what], style="dim")
            if site == city.next != NO_SITE:
                sign.stylize("not dim bold underline")
            text.append_text(sign)
        return text

    def earners(self, city: CityFacts) -> Text:
        """Who earns what for warehouses, first rank first."""
        text = Text()
        for number, (seat, florins) in enumerate(city.earners):
            text.append("  " if number else "")
            text.append_text(self.piece(seat))
            text.append(f" {florins}")
        return text

    def closed(self, city: CityFacts) -> Text:
        """Closed warehouses and ships that must sail on."""
        text = Text()
        if city.closed:
            text.append("x ", style="dim")
            for colour in city.closed:
                text.append_text(self.piece(colour))
        for seat in city.passing:
            text.append(" ~" if text else "~", style="dim")
            text.append_text(self.piece(seat))
        return text

    # ------------------------------------------------------------------------------------------------------- cities

    def cities(self, looks: Sequence[CityFacts]) -> RenderableType:
        """All cities: in their places on the board if the window has room for it, else one to a line."""
        columns = sorted({look.column for look in looks})
        if self.tall and self.console.width >= CELL * len(columns):
            return self._grid(looks, columns)
        return self._lines(looks)

    @property
    def tall(self) -> bool:
        """Whether the terminal is tall enough for the full view."""
        return self.console.height >= GRID_HEIGHT

    def _grid(self, looks: Sequence[CityFacts], columns: Sequence[int]) -> Table:
        """Cities in their rows and columns; a place without a city stays empty."""
        width = min(self.console.width // len(columns), 34)
        grid = Table.grid(padding=0)
        for _column in columns:
            grid.add_column(width=width)
        for row in sorted({look.row for look in looks}):
            here = {look.column: look for look in looks if look.row == row}
            grid.add_row(*(self._cell(here[column], width) if column in here else "" for column in columns))
        return grid

    def _cell(self, city: CityFacts, width: int) -> Group:
        """One city in a frame: name and amount above, harbours, fortresses, track and ranks inside."""
        inner = width - 4
        prices = self._spread(self.slots("H", city.harbours), self.slots("F", city.fortresses), inner)
        ranks = self._spread(self.earners(city), self.closed(city), inner)
        body = [self._framed(line, width) for line in (prices, self.track(city), ranks)]
        _, _, left, right, line, _ = self.frame
        return Group(self._head(city, width), *body, Text(left + line * (width - 3) + right + " ", style="dim"))

    def _head(self, city: CityFacts, width: int) -> Text:
        """The upper edge of a city's frame, with its name and what first rank earns now."""
        pays = self.t.text("pays {amount}", amount=city.pays) if width >= ROOMY else str(city.pays)
        left, right, _, _, line, _ = self.frame
        line *= max(1, width - len(city.name) - len(pays) - 7)
        return Text.assemble(
            (f"{left} ", "dim"),
            (city.name, "bold"),
            (f" {line} ", "dim"),
            (pays, "cyan"),
            (f" {right} ", "dim"),
            no_wrap=True,
        )

    def _framed(self, line: Text, width: int) -> Text:
        """A line between the edges of a city's frame."""
        inner = width - 4
        line.truncate(inner - 1, overflow="ellipsis")
        line.pad_right(inner - 1 - line.cell_len)
        edge = self.frame[-1]
        return Text.assemble((f"{edge} ", "dim"), line, (f" {edge} ", "dim"), no_wrap=True)

    def _spread(self, left: Text, right: Text, width: int) -> Text:
        """Two texts, the second at the right edge."""
        gap = max(1, width - 1 - left.cell_len - right.cell_len)
        return Text.assemble(left, " " * gap, right)

    def _lines(self, looks: Sequence[CityFacts]) -> Table:
        """Cities in a table, one to a line."""
        table = plain_table()
        for title, justify in (
            (self.t.text("City"), "left"),
            (self.t.text("Harbours"), "left"),
            (self.t.text("Fortresses"), "left"),
            (self.t.text("Track"), "left"),
            (self.t.text("Pays"), "right"),
        ):
            table.add_column(title, justify=justify, no_wrap=True)  # type: ignore[arg-type]
        table.add_column(self.t.text("Now to"))  # where the window is too narrow, this is what takes two lines
        for city in looks:
            closed = self.closed(city)
            table.add_row(
                Text(city.name, style="bold"),
                self.slots("", city.harbours)[1:],
                self.slots("", city.fortresses)[1:],
                self.track(city),
                Text(str(city.pays), style="cyan"),
                Text.assemble(self.earners(city), "  " if city.earners and closed else "", closed),
            )
        return table

    # ---------------------------------------------------------------------------------------------------- merchants

    def merchants(self, looks: Sequence[MerchantFacts], incomes: Sequence[Income], deciding: int | None) -> Table:
        """Purses, debts, stocks, ships and hands; what a payday now would pay."""
        table = plain_table()
        for title, justify in (
            (self.t.text("Merchant"), "left"),
            (self.t.text("Money"), "right"),
            (self.t.text("Debt"), "right"),
            (self.t.text("Stock"), "left"),
            (self.t.text("Payday now"), "right"),
            (self.t.text("Cards"), "right"),
            (self.t.text("Ship"), "left"),
        ):
            table.add_column(title, justify=justify, no_wrap=True)  # type: ignore[arg-type]
        for look, income in zip(looks, incomes, strict=True):
            arrow = Text("> " if look.seat == deciding else "  ", style="bold")
            table.add_row(
                Text.assemble(arrow, self.merchant(look.seat)),
                self._purse(look),
                self._debt(look),
                self._stock(look),
                Text(str(income.total), style="cyan"),
                Text(str(len(look.hand)) if look.hand else "-", style="" if look.hand else "dim"),
                self._ship(look),
            )
        return table

    def _purse(self, look: MerchantFacts) -> Text:
        """Cash and, with loans, the net worth in brackets."""
        text = Text(str(look.cash), style="bold red" if look.cash < 0 else "bold")
        return text.append(f" ({look.worth})", style="not bold dim") if look.debt else text

    def _debt(self, look: MerchantFacts) -> Text:
        """What the loans would cost; a mark if one of them cannot be extended any more."""
        if not look.debt:
            return Text("-", style="dim")
        last = any(loans.extended for loans in look.loans)
        return Text(f"{look.debt}{'!' if last else ''}", style="red")

    def _stock(self, look: MerchantFacts) -> Text:
        """Warehouses and fortresses still to build."""
        houses = "+".join(str(count) for count in look.stock)
        return Text(self.t.text("{houses} W {fortresses} F", houses=houses, fortresses=look.fortresses))

    def _ship(self, look: MerchantFacts) -> Text:
        """The place of a ship."""
        if look.place >= BANK:
            return Text(self.names.place(look.place), style="dim")
        harbour = f" H{look.harbour}" if look.harbour else " ~"
        return Text.assemble(self.names.place(look.place), (harbour, "dim"))

    def hands(self, looks: Sequence[MerchantFacts]) -> Table:
        """The sailing cards and bonus cards of some merchants."""
        table = self._listing()
        for look in looks:
            cards = [self.names.figures.cards[card] for card in look.hand]  # as they are typed
            if look.bonus:
                cards.append(self.t.text("bonus card {amount}", amount=look.bonus))
            if cards:
                label = Text.assemble((self.t.text("Hand") + " ", "dim"), self.piece(look.seat))
                table.add_row(label, flow([Text(card) for card in cards], self._room, gap=2))
        return table

    def _listing(self) -> Table:
        """Create a list whose lines have a label."""
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(style="dim", no_wrap=True, min_width=self.label_width)
        table.add_column()
        return table

    @functools.cached_property
    def label_width(self) -> int:
        """The width of the labels of lists, so that they stand in line."""
        labels = (
            self.t.text("Hand") + " R",
            self.t.text("For sale"),
            self.t.text("Not now"),
            self.t.text("Proliferation"),
        )
        return max(len(label) for label in labels)

    # -------------------------------------------------------------------------------------------------------- cards

    def cards(self, for_sale: Iterable[int], too_dear: Iterable[int]) -> Table:
        """The cards of the display with their prices; those that cannot be bought now stand apart."""
        table = self._listing()
        names, prices = self.names.figures.cards, self.names.figures.board.card_price
        for label, cards in ((self.t.text("For sale"), for_sale), (self.t.text("Not now"), too_dear)):
            priced = [Text.assemble(names[card], (f" {prices[card]}", "cyan")) for card in cards]
            if priced:
                table.add_row(label, flow(priced, self._room, gap=2))
        return table

    def chart(self, incomes: Sequence[Income], cities: int) -> Table:
        """The chart of proliferation, in a list."""
        table = self._listing()
        table.add_row(self.t.text("Proliferation"), self._chart(incomes, cities))
        return table

    @property
    def _room(self) -> int:
        """The width right of the labels of lists."""
        return self.console.width - self.label_width - 2

    def _chart(self, incomes: Sequence[Income], cities: int) -> Text:
        """What proliferation pays for so many cities, and who is where."""
        chart = self.names.figures.board.chart
        entries = []
        for count in range(1, min(cities, CITIES) + 1):
            who = [self.piece(income.seat) for income in incomes if income.cities == count]
            entries.append(Text.assemble((f"{count}:", "dim"), (str(chart[count]), "cyan"), *who))
        return flow(entries, self._room, gap=2)


def flow(entries: Sequence[Text], width: int, gap: int = 3) -> Text:
    """Entries side by side in lines of a width; none is broken unless it is longer than a line."""
    lines: list[Text] = []
    for entry in entries:
        if lines and lines[-1].cell_len + gap + entry.cell_len <= width:
            lines[-1] = Text.assemble(lines[-1], " " * gap, entry)
        else:
            lines.append(entry)
    return Text("\n").join(lines)


def spaced(*parts: RenderableType) -> Group:
    """Parts of a screen with an empty line between them."""
    return Group(*(part if number == 0 else Padding(part, (1, 0, 0, 0)) for number, part in enumerate(parts)))
