"""The screen of a game in the terminal: the table, the latest news, and the legal actions as a numbered menu.

The menu is grouped; long groups are folded until they are asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from elcapitan.bots import registry
from elcapitan.cli.command_line import Terminal
from elcapitan.cli.terminal_game.painter import Painter, flow, spaced
from elcapitan.engine import play
from elcapitan.engine.actions import BUY
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import MAIN_CITIES, PHASES, TRANSIT
from elcapitan.errors import BotFault
from elcapitan.game.game import Game
from elcapitan.game.position_queries import forecast_of
from elcapitan.position.facts import DecodedPosition, bits, facts_of
from elcapitan.text.actions import GROUPS, group, label
from elcapitan.text.consequences import Teller
from elcapitan.text.names import COLOUR_NAMES, Names, level_name

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


class Screen:
    """Draws the table, the news and the choices of one game."""

    def __init__(
        self, terminal: Terminal, game: Game, players: Sequence[str] = (), colours: Sequence[int] = ()
    ) -> None:
        self.terminal = terminal
        self.game = game
        names = players or [terminal.translator.template(COLOUR_NAMES[each]) for each in colours[: game.players]]
        self.teller = Teller(terminal.translator, game.figures, names)
        self.painter = Painter(terminal.out, self.teller, game.players, colours)
        self.menu = Menu(game, self.teller)

    def refresh(self) -> None:
        """Update the menu after the game has changed."""
        self.menu = Menu(self.game, self.teller)

    def table(self) -> RenderableType:
        """The board, the merchants and the cards."""
        game, painter = self.game, self.painter
        seen = DecodedPosition(game.view_for(0), game.figures)
        incomes, merchants = seen.incomes, seen.merchants
        hands = [each for each in merchants if each.hand or each.bonus]
        if not painter.tall:
            hands = [each for each in hands if each.seat == game.seat]
        lists: list[RenderableType] = [painter.hands(hands)] if hands else []
        lists.append(self._for_sale(bits(int(seen.state.display))))
        lists.append(painter.chart(incomes, MAIN_CITIES + len(game.setup.tiles)))
        parts: list[RenderableType] = [
            Group(self._headline(), painter.cities(seen.cities)),
            painter.merchants(merchants, incomes, game.seat),
            Group(*lists),
        ]
        return spaced(*parts) if painter.tall else Group(*parts)

    def _for_sale(self, display: Sequence[int]) -> RenderableType:
        """The display; in a low window only what the menu does not offer."""
        on_offer = [entry.action - BUY for entry in self.menu.of_group("buy")]
        not_now = [card for card in display if card not in on_offer]
        if not self.painter.tall and on_offer:
            return self.painter.cards([], not_now)
        return self.painter.cards(display, [])

    def _headline(self) -> Text:
        """The phase and the round of the game."""
        t = self.terminal
        return Text.assemble(
            ("El Capitán", "bold"),
            "   ",
            t.text("phase {phase} of {phases}", phase=self.game.phase, phases=PHASES),
            "   ",
            t.text("round {round}", round=self.game.round),
            "   ",
            (t.text("type “help” for help"), "dim"),
        )

    def choices(self, room: int | None = None) -> RenderableType:
        """What is to be decided, and everything that can be done; folded until it takes no more than so many lines."""
        prompt = Text(self.teller.prompt(self.game.position))
        if self.game.seat is not None:
            who = self.teller.merchant(self.game.seat)
            prompt.highlight_words([who], style=self.painter.style(self.game.seat))
        out = self.terminal.out
        menus = (self.menu.painted(out.width, fold) for fold in FOLDS)
        if room is None:
            return Group(prompt, next(menus))
        for menu in menus:
            choices = Group(prompt, menu)
            if self.lines(choices) <= room:
                break
        return choices

    def lines(self, part: RenderableType) -> int:
        """How many lines of the terminal something takes."""
        return len(self.terminal.out.render_lines(part, pad=False))

    def news(self, sentences: Sequence[str | Text]) -> Table:
        """What has just happened, as a list of sentences."""
        table = Table.grid(padding=(0, 1, 0, 0))
        for sentence in sentences:
            table.add_row("-", sentence if isinstance(sentence, Text) else Text(sentence, style="italic"))
        return table

    def fault(self, seat: int, fault: BotFault) -> Text:
        """The fault of a program with its last output, and which level plays on for it."""
        t = self.terminal.translator
        sentence = Text(fault.sentence(t.text), style="red")
        plays_on = t.text(
            "From now on the {level} plays for {who}.",
            level=level_name(registry.LOWEST, t),
            who=self.teller.merchant(seat),
        )
        last_words = "".join(f"\n| {line}" for line in fault.last_words)
        return Text.assemble(sentence, " ", plays_on, (last_words, "dim"))
