"""The page of hints: what a computer player would do here, and what it expects of it."""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from elcapitan.cli.table.screen import Screen
from elcapitan.engine.actions import END
from elcapitan.notation.actions import to_text, voyage_to_text
from elcapitan.players.hints import Suggestion, adviser
from elcapitan.text.actions import GROUPS
from elcapitan.text.levels import level_name


def hint_page(screen: Screen, suggestions: Sequence[Suggestion]) -> Group:
    """The advised actions with their numbers in the menu, the best first."""
    t = screen.teller.translator
    title = t.text("What the {level} would do:", level=level_name(adviser(), t))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold cyan", no_wrap=True)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    table.add_column()
    for suggestion in suggestions:
        table.add_row(*_action(screen, suggestion), _hope(screen, suggestion))
        if later := [to_text(step, screen.game.figures) for step in suggestion.later if step != END]:
            table.add_row("", "", Text(t.text("then {steps}", steps=", ".join(later)), style="dim"), "")
    return Group(Text(title, style="bold"), table)


def _action(screen: Screen, suggestion: Suggestion) -> tuple[str, str, str]:
    """Number, group and words of an action; a whole voyage as it can be typed."""
    entry = next(each for each in screen.menu.entries if each.action == suggestion.actions[0])
    title = GROUPS[entry.group]
    words = entry.words if len(suggestion.actions) == 1 else voyage_to_text(suggestion.actions, screen.game.figures)
    return f"{entry.number})", screen.teller.translator.template(title), words


def _hope(screen: Screen, suggestion: Suggestion) -> Text:
    """The chance to win and everybody's money at the end, where they were worked out."""
    parts = []
    if suggestion.win is not None:
        parts.append(Text(screen.terminal.text("wins {percent} %", percent=round(100 * suggestion.win))))
    for seat, money in enumerate(suggestion.money or ()):
        parts.append(Text.assemble(screen.painter.piece(seat), f" {round(money)}"))
    return Text("  ").join(parts)
