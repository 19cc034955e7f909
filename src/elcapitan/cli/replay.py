"""`elcapitan replay`: verify a game record, tell every turn in words, or draw one position."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.table import Table

from elcapitan.board.figures import load
from elcapitan.cli import record_files
from elcapitan.cli.command_line import BadInput
from elcapitan.cli.options import BoardFile, RecordFile, number_option
from elcapitan.cli.terminal import Terminal, terminal
from elcapitan.cli.terminal_game.pages import payday_page, ranking
from elcapitan.cli.terminal_game.painter import Painter
from elcapitan.engine.vocabulary import SETTLING
from elcapitan.game.game import Act, Game, Reveal
from elcapitan.notation import diagram
from elcapitan.text.catalogue import _
from elcapitan.text.narration import moment_told, turned_up
from elcapitan.text.telling import Teller

HELP: Final = _(
    "Verify a game record, .json or .capitan: every action must be legal and every result right. "
    "Then tell what the game was, or draw one of its positions."
)
MOST_EVENTS: Final = 10_000_000


def replay(
    context: typer.Context,
    file: RecordFile,
    at: Annotated[
        int | None,
        number_option("--at", "N", 0, MOST_EVENTS, _("Draw the position after event N; 0 is the deal.")),
    ] = None,
    moves: Annotated[bool, typer.Option("--moves", help=_("Tell every turn in words."))] = False,
    board: BoardFile = None,
) -> None:
    """Verify a record, then print a summary of the game, its turns, or one position."""
    screen = terminal(context)
    figures = load(board)
    screen.compile_rules()
    game = record_files.read(file, figures)
    if at is not None:
        _draw(screen, game, at)
        return
    painter = Painter(screen.out, Teller(screen.translator, figures), game.players)
    _print_summary(screen, game, file)
    if moves:
        _print_moves(screen, game, painter)
    _print_result(screen, game, painter)


def _draw(screen: Terminal, game: Game, at: int) -> None:
    """Draw the position after an event."""
    moments = list(game.history())
    if at >= len(moments):
        raise BadInput("no-such-event", found=at, most=len(moments) - 1)
    screen.say(diagram.draw(moments[at].after[0], game.figures))


def _print_summary(screen: Terminal, game: Game, file: Path) -> None:
    """Print what the record holds."""
    screen.print_text(screen.text("{file} holds: every action in it is legal.", file=file), "bold")
    cities = ", ".join(game.setup.tiles) or screen.text("no city of the expansion")
    screen.out.print(
        screen.text(
            "{players} players, {cities}; {events} events, {actions} of them actions.",
            players=game.players,
            cities=cities,
            events=len(game.events),
            actions=sum(isinstance(event, Act) for event in game.events),
        )
    )


def _print_moves(screen: Terminal, game: Game, painter: Painter) -> None:
    """Print every turn in words, and the paydays; each sentence after the number of its event."""
    teller = Teller(screen.translator, game.figures)
    turn, new_cards, last = None, 0, 0
    for number, moment in enumerate(game.history()):
        if isinstance(moment.event, Reveal):
            new_cards, last = new_cards | 1 << moment.event.card, number
            continue
        _print_sentences(screen, last, turned_up(teller, new_cards))
        new_cards = 0
        before = moment.before[0]
        now = (int(before.phase), int(before.round_no), int(before.seat), int(before.stage) >= SETTLING)
        if isinstance(moment.event, Act) and now != turn:
            turn = now
            screen.out.print()
            _print_headline(screen, painter, *now)
        story = moment_told(teller, moment)
        _print_sentences(screen, number, story.deeds)
        if moment.payday:
            screen.out.print()
            screen.out.print(payday_page(painter, moment.payday))
            screen.out.print()
        _print_sentences(screen, number, story.afterwards)


def _print_sentences(screen: Terminal, number: int, sentences: Sequence[str]) -> None:
    """Print sentences about an event, each after its number."""
    for sentence in sentences:
        row = Table.grid(padding=(0, 1, 0, 0))
        row.add_column(style="dim", justify="right", width=5)
        row.add_column()
        row.add_row(str(number), sentence)
        screen.out.print(row)


def _print_headline(
    screen: Terminal, painter: Painter, phase: int, round_number: int, seat: int, settling: bool
) -> None:
    """Print whose turn begins, and when."""
    if settling:
        when = screen.text("after payday {phase}", phase=phase)
    else:
        when = screen.text("phase {phase}, round {round}", phase=phase, round=round_number)
    screen.out.print(painter.merchant(seat).append("  ").append(when, style="dim"))


def _print_result(screen: Terminal, game: Game, painter: Painter) -> None:
    """Print how the game ended, or where it stopped."""
    screen.out.print()
    if game.over:
        screen.out.print(ranking(painter, game))
    else:
        screen.out.print(
            screen.text("The game is not finished: phase {phase}, round {round}.", phase=game.phase, round=game.round)
        )
