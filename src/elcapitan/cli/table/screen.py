"""The screen of a game in the terminal: the table, what has just happened, and what can be done."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from elcapitan import look
from elcapitan.bots import registry
from elcapitan.cli.table.menu import FOLDS, Menu
from elcapitan.cli.table.paint import STYLES, Painter, spaced
from elcapitan.cli.terminal import Terminal
from elcapitan.engine.actions import BUY
from elcapitan.engine.vocabulary import MAIN_CITIES, PHASES
from elcapitan.errors import BotFault
from elcapitan.game import Game
from elcapitan.text.levels import level_name
from elcapitan.text.telling import Teller


class Screen:
    """Draws one game."""

    def __init__(self, terminal: Terminal, game: Game, players: Sequence[str] = ()) -> None:
        self.terminal = terminal
        self.game = game
        self.teller = Teller(terminal.translator, game.figures, players)
        self.painter = Painter(terminal.out, self.teller, game.players)
        self.menu = Menu(game, self.teller)

    def refresh(self) -> None:
        """Look at the game again."""
        self.menu = Menu(self.game, self.teller)

    def table(self) -> RenderableType:
        """Board, merchants, cards."""
        game, painter = self.game, self.painter
        state = game.view_for(0)[0]
        incomes = game.forecast()
        merchants = look.merchants(state, game.figures)
        hands = [each for each in merchants if each.hand or each.bonus]
        if not painter.tall:
            hands = [each for each in hands if each.seat == game.seat]
        lists: list[RenderableType] = [painter.hands(hands)] if hands else []
        lists.append(self._for_sale(look.bits(int(state.display))))
        lists.append(painter.chart(incomes, MAIN_CITIES + len(game.setup.tiles)))
        parts: list[RenderableType] = [
            Group(self._headline(), painter.cities(look.cities(state, game.figures, incomes))),
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
        """Where the game stands."""
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
        """How many lines something takes."""
        return len(self.terminal.out.render_lines(part, pad=False))

    def news(self, sentences: Sequence[str | Text]) -> Table:
        """What has just happened."""
        table = Table.grid(padding=(0, 1, 0, 0))
        for sentence in sentences:
            table.add_row("-", sentence if isinstance(sentence, Text) else Text(sentence, style="italic"))
        return table

    def fault(self, seat: int, fault: BotFault) -> Text:
        """A program that has failed, with its last words, and who plays on."""
        t = self.terminal.translator
        sentence = Text(fault.sentence(t.template), style="red")
        plays_on = t.text(
            "From now on the {level} plays for {who}.",
            level=level_name(registry.LOWEST, t),
            who=self.teller.merchant(seat),
        )
        last_words = "".join(f"\n| {line}" for line in fault.last_words)
        return Text.assemble(sentence, " ", plays_on, (last_words, "dim"))
