"""What came of an arena, as tables for people."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.table import Table
from rich.text import Text

from elcapitan.arena.labels import SOURCE_NAMES, between, percent, plus_minus
from elcapitan.arena.report import by_chance, lead, told_faults
from elcapitan.arena.schedule import Config
from elcapitan.arena.summary import BotFigures, Share, Summary
from elcapitan.cli.terminal import Terminal

BESIDE: Final = 4  # bots beside one another, where each has a column
NAME_WIDTH: Final = 24


def announce(screen: Terminal, config: Config) -> None:
    """Say beforehand if more games are played than wanted."""
    if config.scheduled > config.games:
        remark = screen.text(
            "{wanted} games were wanted; {scheduled} make whole deals of {each} games each.",
            wanted=config.games,
            scheduled=config.scheduled,
            each=config.games_per_deal,
        )
        screen.print_text(Text(remark, style="dim"))


def show(screen: Terminal, summary: Summary, *, seconds: float, out: Path | None) -> None:
    """Print all tables."""
    screen.print_text(Text(lead(screen.translator, summary), style="bold"))
    screen.out.print()
    screen.out.print(_strength(screen, summary))
    screen.print_text(Text(by_chance(screen.translator, summary), style="dim"))
    screen.out.print()
    screen.print_text(Text(screen.text("Victories by seat, and by seats after the starting player (+0)"), style="bold"))
    screen.out.print(_places(screen, summary))
    for bots in _groups(summary.standings):
        screen.out.print()
        screen.out.print(_money(screen, bots))
    screen.out.print()
    _show_course(screen, summary, seconds)
    for fault in told_faults(screen.translator, summary):
        screen.print_text(Text(fault, style="bold"))
    if out:
        screen.print_text(Text(screen.text("Figures, report and games are in {folder}.", folder=out)))


def _plain_table() -> Table:
    """A table without lines."""
    return Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")


def _strength(screen: Terminal, summary: Summary) -> Table:
    """Who is stronger."""
    table = _plain_table()
    table.add_column(screen.text("bot"), overflow="fold", max_width=NAME_WIDTH)
    titles = [screen.text("games"), screen.text("wins"), "95 %", screen.text("rank"), screen.text("money")]
    for title in (*titles, screen.text("loans"), screen.text("rating")):
        table.add_column(title, justify="right", no_wrap=True)
    for bot in summary.standings:
        table.add_row(
            bot.bot,
            str(bot.games),
            percent(bot.share.mean),
            between(bot.share.low, bot.share.high),
            f"{bot.rank:.2f}",
            plus_minus(bot.money.mean, bot.money.low),
            f"{bot.loans:.1f}",
            f"{bot.rating.mu:.1f} ± {2 * bot.rating.sigma:.1f}" if len(summary.bots) > 1 else "",
        )
    return table


def _places(screen: Terminal, summary: Summary) -> Table:
    """Victories by place at the table, of every bot and of all."""
    table = _plain_table()
    table.add_column(screen.text("bot"), overflow="fold", max_width=NAME_WIDTH)
    players = range(summary.config.players)
    for title in (*(str(seat + 1) for seat in players), *(f"+{position}" for position in players)):
        table.add_column(title, justify="right", no_wrap=True)
    for bot in summary.standings:
        table.add_row(bot.bot, *_shares(bot.by_seat), *_shares(bot.by_position))
    if len(summary.bots) > 1:
        table.add_row(screen.text("all"), *_shares(summary.by_seat), *_shares(summary.by_position), style="dim")
    return table


def _shares(shares: Sequence[Share | None]) -> list[str]:
    """Some shares as cells."""
    return ["-" if share is None else f"{100 * share.share.mean:.0f} %" for share in shares]


def _groups(bots: Sequence[BotFigures]) -> list[Sequence[BotFigures]]:
    """Bots in groups that fit beside one another."""
    return [bots[first : first + BESIDE] for first in range(0, len(bots), BESIDE)]


def _money(screen: Terminal, bots: Sequence[BotFigures]) -> Table:
    """Mean money of some bots: when it was there, and where it came from."""
    table = _plain_table()
    table.add_column(screen.text("mean money"), no_wrap=True)
    for bot in bots:
        table.add_column(bot.bot, justify="right", overflow="fold")
    for number in range(len(bots[0].after_paydays)):
        cells = [f"{bot.after_paydays[number]:.1f}" for bot in bots]
        table.add_row(screen.text("after payday {phase}", phase=number + 1), *cells)
    table.add_section()
    for source, name in SOURCE_NAMES.items():
        amounts = [bot.sources[source] for bot in bots]
        if any(amounts):
            table.add_row(screen.translator.template(name), *(f"{amount:+.1f}" for amount in amounts))
    return table


def _show_course(screen: Terminal, summary: Summary, seconds: float) -> None:
    """How long games are, for those who play them and for those who wait for them."""
    rounds = " + ".join(f"{phase.mean:.1f}" for phase in summary.rounds)
    screen.print_text(
        Text(
            screen.text(
                "A game has {rounds} rounds in its three phases and {actions:.0f} actions on average.",
                rounds=rounds,
                actions=summary.actions.mean,
            )
        )
    )
    speed = summary.played / max(seconds, 1e-9)
    shown = f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}"
    screen.out.print(
        screen.text("{speed} games a second, {seconds:.1f} seconds in all.", speed=shown, seconds=seconds), style="dim"
    )
