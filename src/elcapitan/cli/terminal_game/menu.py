"""The legal actions as a numbered menu, grouped; long groups are folded until they are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.table import Table
from rich.text import Text

from elcapitan.cli.terminal_game.painter import flow
from elcapitan.engine import play
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import TRANSIT
from elcapitan.game.game import Game
from elcapitan.game.income import forecast_of
from elcapitan.position.facts import facts_of
from elcapitan.text.actions import GROUPS, group, label
from elcapitan.text.names import Names

# How many entries of a group are shown: the first of these that leaves the table in sight is taken.
FOLDS: Final[tuple[dict[str, int], ...]] = (
    {"buy": 10, "sail": 5, "pirate": 3},
    {"buy": 10, "sail": 3, "pirate": 1},
    {"buy": 4, "sail": 2, "pirate": 0},
    {"buy": 2, "sail": 1, "pirate": 0},
    {"buy": 0, "sail": 0, "pirate": 0},
)


@dataclass(frozen=True)
class MenuEntry:
    """One action of the menu, with its number and description."""

    number: int  # from 1, as people type it
    action: int
    group: str
    words: str


class Menu:
    """All legal actions of a position, numbered and grouped."""

    def __init__(self, game: Game, names: Names) -> None:
        self.names = names
        self.game = game
        state = game.position
        order = list(GROUPS)
        groups = [(action, group(action, game.figures)) for action in game.legal()]
        grouped = sorted(groups, key=lambda entry: order.index(entry[1]))
        self.entries = [
            MenuEntry(number, action, name, label(names, state, action) + self._remark(state, action))
            for number, (action, name) in enumerate(grouped, start=1)
        ]

    def action(self, number: int) -> int | None:
        """Return the action with this number, if there is one."""
        return self.entries[number - 1].action if 1 <= number <= len(self.entries) else None

    def of_group(self, name: str) -> list[MenuEntry]:
        """Return all entries of a group."""
        return [entry for entry in self.entries if entry.group == name]

    def _remark(self, state: State, action: int) -> str:
        """Describe what an action leads to: the price of building there, or what it changes on a payday."""
        what, seat = group(action, self.names.figures), int(state.seat)
        if what not in ("sail", "build"):
            return ""
        after = self.game.view_for(seat)
        play.apply(after, 0, self.game.figures.boards, action)
        return self._arrival(after[0], seat) if what == "sail" else self._gain(after, seat)

    def _arrival(self, after: State, seat: int) -> str:
        """What building will cost where the ship has come to, if it has found a harbour."""
        if after.ship_space[seat] == TRANSIT:
            return self.names.translator.text(" (full)")
        price = int(facts_of(after, self.names.figures).build_price)
        return self.names.translator.text(" (builds for {price})", price=price)

    def _gain(self, after: States, seat: int) -> str:
        """By how much a payday now would pay the seat more, or less."""
        gain = forecast_of(after, self.game.figures)[seat].total - self.game.forecast()[seat].total
        return self.names.translator.text(" (payday {gain:+})", gain=gain)

    def painted(self, width: int, fold: dict[str, int]) -> Table:
        """The menu with long groups folded."""
        table = self._table()
        titles = [self.names.translator.template(title) for title in GROUPS.values()]
        room = width - max(len(title) for title in titles) - 2
        for name, title in GROUPS.items():
            entries = self.of_group(name)
            if not entries:
                continue
            shown = entries[: fold.get(name, len(entries))]
            more = self._more(name, len(entries), len(shown))
            table.add_row(self.names.translator.template(title), self._entries(shown, more, room))
        return table

    def group_called(self, word: str) -> str | None:
        """The group that a word means, in English or in the reader's language; to end a turn is an action."""
        for name in GROUPS:
            if word.lower() in (name, self._word(name)) and name != "end":
                return name
        return None

    def _word(self, name: str) -> str:
        """The word to type for all of a group."""
        title = GROUPS[name]
        return self.names.translator.template(title).lower()

    def _more(self, name: str, all_of_them: int, shown: int) -> str:
        """How to see the rest of a group."""
        word = self._word(name)
        if not shown:
            return self.names.translator.plural(
                "{number} choice: type “{word}”", "{number} choices: type “{word}”", all_of_them, word=word
            )
        if shown < all_of_them:
            return self.names.translator.text("and {number} more: type “{word}”", number=all_of_them - shown, word=word)
        return ""

    def unfolded(self, name: str) -> Table:
        """All of one group, one to a line."""
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(justify="right", style="bold cyan")
        table.add_column()
        for entry in self.of_group(name):
            table.add_row(f"{entry.number})", entry.words)
        return table

    def _table(self) -> Table:
        """Create a table with a line for each group."""
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(style="bold", no_wrap=True)
        table.add_column()
        return table

    def _entries(self, entries: Sequence[MenuEntry], more: str, width: int) -> Text:
        """Entries side by side, and a word about those not shown."""
        words = [Text.assemble((f"{entry.number})", "bold cyan"), f" {entry.words}") for entry in entries]
        return flow([*words, Text(more, style="dim italic")] if more else words, width)
