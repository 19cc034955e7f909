"""Paydays item by item, the forecast of one, and the final ranking."""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from elcapitan.cli.table.paint import Painter
from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.game import Game
from elcapitan.report import Income, Payday
from elcapitan.story import verdict


def payday_table(painter: Painter, incomes: Sequence[Income]) -> Table:
    """What everybody is paid, and for what: a column for each merchant."""
    t = painter.t
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column()
    for income in incomes:
        table.add_column(painter.merchant(income.seat), justify="right")
    table.add_row(t.text("cities"), *(str(income.cities) for income in incomes), style="dim")
    table.add_row(t.text("proliferation"), *(_amount(income.proliferation) for income in incomes))
    for city in CITY_NAMES:
        if any(city in income.majority for income in incomes):
            table.add_row(city, *(_amount(income.majority.get(city, 0)) for income in incomes))
    for city in CITY_NAMES:
        if any(city in income.fortress for income in incomes):
            title = t.text("fortress in {city}", city=city)
            table.add_row(title, *(_amount(income.fortress.get(city, 0)) for income in incomes))
    if any(income.bonus for income in incomes):
        table.add_row(t.text("bonus card"), *(_amount(income.bonus) for income in incomes))
    table.add_section()
    table.add_row(
        Text(t.text("together"), style="bold"), *(Text(str(income.total), style="bold cyan") for income in incomes)
    )
    return table


def _amount(florins: int) -> Text:
    """An amount; nothing is only hinted at."""
    return Text(str(florins)) if florins else Text("-", style="dim")


def payday_page(painter: Painter, payday: Payday) -> Group:
    """A payday that was held."""
    title = Text(painter.t.text("Payday {number}", number=payday.number), style="bold")
    return Group(title, payday_table(painter, payday.paid))


def forecast_page(painter: Painter, game: Game) -> Group:
    """What a payday now would pay."""
    title = Text(painter.t.text("A payday now would pay:"), style="bold")
    return Group(title, payday_table(painter, game.forecast()))


def ranking(painter: Painter, game: Game) -> Group:
    """Who won, and the money of everybody."""
    t = painter.t
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(t.text("Rank"), justify="right")
    table.add_column(t.text("Merchant"))
    table.add_column(t.text("Money"), justify="right")
    for rank, seat in sorted(zip(game.ranks, range(game.players), strict=True)):
        table.add_row(str(rank), painter.merchant(seat), Text(str(game.money[seat]), style="bold"))
    return Group(Text(verdict(painter.names, game), style="bold"), table)
