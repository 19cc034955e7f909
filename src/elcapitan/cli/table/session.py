"""A game at the terminal, all merchants at one keyboard: read a line, do what it says, show what came of it."""

import contextlib
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from rich.text import Text

from elcapitan.cli import records
from elcapitan.cli.rules import show_items
from elcapitan.cli.table import guide, saves
from elcapitan.cli.table.guide import WORDS
from elcapitan.cli.table.paydays import forecast_page, payday_page, ranking
from elcapitan.cli.table.screen import Screen
from elcapitan.cli.table.story import told
from elcapitan.cli.terminal import Terminal
from elcapitan.errors import ElCapitanError
from elcapitan.game import Game
from elcapitan.notation.actions import from_text
from elcapitan.report import Payday

SHORT: Final = {"?": "help", "h": "help", "u": "undo", "q": "quit", "exit": "quit"}
PROMPT: Final = "> "


class Session:
    """One game at the terminal."""

    def __init__(self, terminal: Terminal, game: Game, table: saves.Table, save_to: Path | None = None) -> None:
        self.terminal = terminal
        self.game = game
        self.table = table
        self.save_to = save_to
        self.screen = Screen(terminal, game, table.names)
        self.news: list[str] = []
        self.turn: tuple[int, int, int | None] | None = None
        self.done = False

    # --------------------------------------------------------------------------------------------------- the loop

    def run(self) -> None:
        """Play until the game is over or somebody leaves."""
        self.keep()
        self.terminal.out.print(guide.greeting(self.screen.painter, self.game, interactive=self.terminal.interactive))
        if self.terminal.interactive:
            with contextlib.suppress(ImportError):
                import_module("readline")  # gives `input` the arrow keys
            self._wait()
        self.show()
        while not self.done:
            line = self._read()
            if line is None:
                self._leave()
            elif line.strip():
                self._obey_or_explain(line.strip())

    def _read(self) -> str | None:
        """The next line, or None when there is none; a line that was not typed is shown as if it had been."""
        if self.terminal.interactive:
            try:
                return printable(input(PROMPT))  # with the line editor of the system, where there is one
            except EOFError:
                return None
        line = sys.stdin.readline()
        if not line:
            return None
        line = printable(line)
        self.terminal.out.print(Text(PROMPT + line, style="bold"))
        return line

    def _wait(self) -> None:
        """Give people time to read."""
        if self.terminal.interactive:
            try:
                self.terminal.out.input(Text(self.terminal.text("Press Enter to go on."), style="dim"))
            except EOFError:
                return

    def _obey_or_explain(self, line: str) -> None:
        """Do what a line says, or say in one sentence why not."""
        try:
            self._obey(line)
        except ElCapitanError as error:
            self.terminal.out.print(Text(error.sentence(self.terminal.translator.template), style="red"))

    def _obey(self, line: str) -> None:
        """Do what a line says: a number of the menu, a word of ours, or an action in text form."""
        if line.isdecimal():
            self._choose(int(line))
            return
        word, _space, rest = line.partition(" ")
        command = self._command(word)
        if command:
            COMMANDS[command](self, rest.strip())
        elif not rest and (group := self.screen.menu.group_called(word)):
            self._list_group(group)
        else:
            self._act(from_text(line, self.game.figures))

    def _command(self, word: str) -> str | None:
        """The command that a word means, in English or in the reader's language."""
        word = word.lower()
        if word in SHORT:
            return SHORT[word]
        known = {self.terminal.translator.template(own).lower(): command for command, own in WORDS.items()}
        return known.get(word, word if word in WORDS else None)

    # --------------------------------------------------------------------------------------------------- acting

    def _choose(self, number: int) -> None:
        """An entry of the menu."""
        action = self.screen.menu.action(number)
        if action is None:
            most = len(self.screen.menu.entries)
            self._say(
                self.terminal.text(
                    "There is no {number} in the list: it goes from 1 to {most}.", number=number, most=most
                )
            )
            return
        self._act([action])

    def _act(self, actions: Sequence[int]) -> None:
        """Carry out an action, tell what came of it, keep the game."""
        before = self.game.copy()
        self.game.play_all(actions)
        paydays = self.game.paydays[len(before.paydays) :]
        for action in actions:
            position = before.position
            before.play(action)
            story = told(self.screen.teller, position, before.position, action)
            self.news += story.deeds
            if paydays and action == actions[-1]:
                self._tell_payday(paydays[0])
            self.news += story.afterwards
        self.keep()
        self.show()

    def _tell_payday(self, payday: Payday) -> None:
        """What a payday paid, item by item."""
        self._tell()
        self.terminal.out.print()
        self.terminal.out.print(payday_page(self.screen.painter, payday))
        self._wait()

    def keep(self) -> None:
        """Keep the game where it can be resumed, and in the file that was named."""
        if self.save_to:
            records.write(self.save_to, self.game)
        if self.game.over:
            saves.forget()
        else:
            saves.keep(self.game, self.table)

    # --------------------------------------------------------------------------------------------------- showing

    def show(self) -> None:
        """Draw what has changed: in a terminal everything, in a stream the table once a turn."""
        self.screen.refresh()
        turn = (self.game.phase, self.game.round, self.game.seat)
        if self.terminal.interactive:
            self.terminal.out.clear()
        room = None
        if self.terminal.interactive or turn != self.turn:
            self._tell_before_table()
            table = self.screen.table()
            self.terminal.out.print(table)
            room = self.terminal.out.height - self.screen.lines(table) - len(self.news) - 2
        self.turn = turn
        self._tell()
        self.terminal.out.print()
        if self.game.over:
            self.terminal.out.print(ranking(self.screen.painter, self.game))
            self.done = True
        else:
            self.terminal.out.print(self.screen.choices(room if self.terminal.interactive else None))

    def _tell_before_table(self) -> None:
        """In a stream the news come before the table of the next turn."""
        if not self.terminal.interactive:
            self._tell()
            self.terminal.out.print()

    def _tell(self) -> None:
        """The news, once."""
        if self.news:
            self.terminal.out.print(self.screen.news(self.news))
            self.news = []

    def _say(self, sentence: str) -> None:
        """One sentence."""
        self.terminal.out.print(Text(sentence))

    def _list_group(self, name: str) -> None:
        """Unfold a group of the menu."""
        if self.screen.menu.of_group(name):
            self.terminal.out.print(self.screen.menu.unfolded(name))
        else:
            self._say(self.terminal.text("Nothing of that kind is possible now."))

    # --------------------------------------------------------------------------------------------------- commands

    def _help(self, _rest: str) -> None:
        """How to play here."""
        self.terminal.out.print(guide.how_to(self.screen.painter))

    def _undo(self, rest: str) -> None:
        """Take the last action back, or all of the turn."""
        if rest.lower() in ("turn", self.terminal.text("turn")):
            self.game.undo_turn()
        else:
            self.game.undo()
        self.keep()
        self.news = [self.terminal.text("Taken back.")]
        self.show()

    def _save(self, rest: str) -> None:
        """Write the game to a file."""
        if not rest:
            self._say(self.terminal.text("Name a file as well, as in: save evening.json"))
            return
        path = Path(rest).expanduser()
        path = path if path.suffix else path.with_suffix(".json")
        records.write(path, self.game)
        self._say(self.terminal.text("The game is saved in {file}.", file=path))

    def _rules(self, rest: str) -> None:
        """Look the rules up."""
        show_items(self.terminal, rest.split() or ["TURN"])

    def _forecast(self, _rest: str) -> None:
        """What a payday now would pay."""
        self.terminal.out.print(forecast_page(self.screen.painter, self.game))

    def _city(self, rest: str) -> None:
        """One city with all its numbers."""
        self.terminal.out.print(guide.city_page(self.screen.painter, self.game, rest))

    def _hands(self, _rest: str) -> None:
        """Everybody's cards."""
        self.terminal.out.print(guide.hands_page(self.screen.painter, self.game))

    def _table(self, _rest: str) -> None:
        """Draw everything again."""
        self.turn = None
        self.show()

    def _quit(self, _rest: str) -> None:
        """Leave, with an offer to save."""
        if self.terminal.interactive:
            question = self.terminal.text("Save to which file? (Enter: none) ")
            name = self.terminal.out.input(Text(question)).strip()
            if name:
                self._save(name)
        self._leave()

    def _leave(self) -> None:
        """Leave; an unfinished game is kept."""
        if not self.game.over:
            self._say(self.terminal.text("The game is kept. Go on with: elcapitan play --resume"))
        self.done = True


def printable(line: str) -> str:
    """A line without control characters, which keys can leave behind and which no message should repeat."""
    return "".join(letter for letter in line if letter.isprintable())


COMMANDS: Final[dict[str, Callable[[Session, str], None]]] = {
    "help": Session._help,
    "undo": Session._undo,
    "save": Session._save,
    "rules": Session._rules,
    "forecast": Session._forecast,
    "city": Session._city,
    "hands": Session._hands,
    "table": Session._table,
    "quit": Session._quit,
}
