"""The screen of a game in the terminal: the table, what has just happened, and what can be done."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from elcapitan.bots import registry
from elcapitan.cli.terminal import Terminal
from elcapitan.cli.terminal_game.menu import FOLDS, Menu
from elcapitan.cli.terminal_game.painter import STYLES, Painter, spaced
from elcapitan.engine.actions import BUY
from elcapitan.engine.vocabulary import MAIN_CITIES, PHASES
from elcapitan.errors import BotFault
from elcapitan.game.game import Game
from elcapitan.position.facts import DecodedPosition, bits
from elcapitan.text.names import level_name
from elcapitan.text.telling import Teller


class Screen:
    """Draws the table, the news and the choices of one game."""

    def __init__(self, terminal: Terminal, game: Game, players: Sequence[str] = ()) -> None:
        self.terminal = terminal
        self.game = game
        self.teller = Teller(terminal.translator, game.figures, players)
        self.painter = Painter(terminal.out, self.teller, game.players)
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
            prompt.highlight_words([who], style=STYLES[self.game.seat])
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
        sentence = Text(fault.sentence(t.template), style="red")
        plays_on = t.text(
            "From now on the {level} plays for {who}.",
            level=level_name(registry.LOWEST, t),
            who=self.teller.merchant(seat),
        )
        last_words = "".join(f"\n| {line}" for line in fault.last_words)
        return Text.assemble(sentence, " ", plays_on, (last_words, "dim"))
