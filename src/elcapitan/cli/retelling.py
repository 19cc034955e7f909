"""A game record told again: what it holds, every turn in words, one position, the result."""

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.table.paint import Painter
from elcapitan.cli.table.paydays import payday_page, ranking
from elcapitan.cli.terminal import Terminal
from elcapitan.engine.vocabulary import SETTLING
from elcapitan.game import Act, Game, Reveal
from elcapitan.notation import diagram
from elcapitan.story import moment_told, turned_up
from elcapitan.text.names import plainly
from elcapitan.text.telling import Teller


def draw(screen: Terminal, game: Game, at: int) -> None:
    """Draw the position after an event."""
    moments = list(game.history())
    if at >= len(moments):
        raise BadInput("no-such-event", found=at, most=len(moments) - 1)
    screen.out.print(Text(diagram.draw(moments[at].after[0], game.figures)), soft_wrap=True)


def summary(screen: Terminal, game: Game, file: Path) -> None:
    """What the record holds."""
    actions = sum(isinstance(event, Act) for event in game.events)
    screen.out.print(Text(screen.text("{file} holds: every action in it is legal.", file=file), style="bold"))
    cities = ", ".join(game.setup.tiles) or screen.text("no city of the expansion")
    screen.out.print(
        screen.text(
            "{players} players, {cities}; {events} events, {actions} of them actions.",
            players=game.players,
            cities=cities,
            events=len(game.events),
            actions=actions,
        )
    )


def moves(screen: Terminal, game: Game) -> None:
    """Every turn in words, and the paydays; before each sentence the number of its event."""
    teller = Teller(screen.translator, game.figures)
    painter = Painter(screen.out, teller, game.players)
    turn, new_cards, last = None, 0, 0
    for number, moment in enumerate(game.history()):
        if isinstance(moment.event, Reveal):
            new_cards, last = new_cards | 1 << moment.event.card, number
            continue
        _tell(screen, last, turned_up(teller, new_cards))
        new_cards = 0
        before = moment.before[0]
        now = (plainly(before.phase), plainly(before.round_no), plainly(before.seat), plainly(before.stage) >= SETTLING)
        if isinstance(moment.event, Act) and now != turn:
            turn = now
            screen.out.print()
            screen.out.print(_headline(screen, painter, *now))
        story = moment_told(teller, moment)
        _tell(screen, number, story.deeds)
        if moment.payday:
            screen.out.print()
            screen.out.print(payday_page(painter, moment.payday))
            screen.out.print()
        _tell(screen, number, story.afterwards)


def _tell(screen: Terminal, number: int, sentences: Sequence[str]) -> None:
    """Sentences about an event."""
    for sentence in sentences:
        row = Table.grid(padding=(0, 1, 0, 0))
        row.add_column(style="dim", justify="right", width=5)
        row.add_column()
        row.add_row(str(number), sentence)
        screen.out.print(row)


def _headline(screen: Terminal, painter: Painter, phase: int, round_number: int, seat: int, settling: bool) -> Text:
    """Whose turn it is."""
    if settling:
        when = screen.text("after payday {phase}", phase=phase)
    else:
        when = screen.text("phase {phase}, round {round}", phase=phase, round=round_number)
    return Text.assemble(painter.merchant(seat), "  ", (when, "dim"))


def result(screen: Terminal, game: Game) -> None:
    """How it ended, or where it stopped."""
    screen.out.print()
    if game.over:
        painter = Painter(screen.out, Teller(screen.translator, game.figures), game.players)
        screen.out.print(ranking(painter, game))
    else:
        screen.out.print(
            screen.text("The game is not finished: phase {phase}, round {round}.", phase=game.phase, round=game.round)
        )
