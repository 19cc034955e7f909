"""A game at the terminal: read a line, do what it says, show what came of it; computer players move in between."""

import contextlib
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from elcapitan.actions.text import from_text
from elcapitan.cli import record_files
from elcapitan.cli.command_line import Terminal
from elcapitan.cli.look_up import show_items
from elcapitan.cli.terminal_game import pages
from elcapitan.cli.terminal_game.screen import Screen
from elcapitan.engine.state import State
from elcapitan.errors import ElCapitanError
from elcapitan.game.game import Game
from elcapitan.game.position_queries import Payday
from elcapitan.players.external import SECONDS
from elcapitan.players.seats import ComputerPlayers, suggest
from elcapitan.text.consequences import Teller
from elcapitan.text.narration import Narration, narrate, narrate_briefly
from elcapitan.untrusted_input import MOST_DIGITS, whole_number

SHORT: Final = {"?": "help", "h": "help", "u": "undo", "q": "quit", "exit": "quit"}
PROMPT: Final = "> "


class Session:
    """One game at the terminal, from the greeting to its end."""

    def __init__(
        self,
        terminal: Terminal,
        game: Game,
        table: record_files.TableSetup,
        save_to: Path | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self.terminal = terminal
        self.game = game
        self.table = table
        self.save_to = save_to
        self.screen = Screen(terminal, game, table.names, table.colours)
        self.computers = ComputerPlayers(table.seats, game, seconds)
        self.news: list[str | Text] = []
        self.watched: list[str | Text] = []  # news printed while computer players moved
        self.turn: tuple[int, int, int | None] | None = None
        self.done = False

    # --------------------------------------------------------------------------------------------------- the loop

    def run(self) -> None:
        """Play until the game is over or the player leaves."""
        try:
            self._begin()
            while not self.done:
                line = self._read()
                if line is None:
                    self._leave()
                elif line.strip():
                    self._obey_or_explain(line.strip())
        finally:
            self.computers.dismiss()

    def _begin(self) -> None:
        """Save the game, print the greeting and show the table."""
        self.save()
        interactive = self.terminal.interactive
        self.terminal.out.print(pages.greeting(self.screen.painter, self.game, self.computers, interactive=interactive))
        if interactive:
            with contextlib.suppress(ImportError):
                import_module("readline")  # gives `input` the arrow keys
        self._wait()
        if self.computers.to_move and not interactive:
            self.terminal.out.print()
        self._add_faults()
        self._play_and_show()

    def _read(self) -> str | None:
        """Read the next line, or None at the end of input; a line that was not typed is printed as if it had been."""
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
        """Wait for Enter, so that people can read."""
        if self.terminal.interactive and not self.computers.alone:
            try:
                self.terminal.out.input(Text(self.terminal.text("Press Enter to go on."), style="dim"))
            except EOFError:
                return

    def _obey_or_explain(self, line: str) -> None:
        """Carry out a line of input, or print why that is not possible."""
        try:
            self._obey(line)
        except ElCapitanError as error:
            self.terminal.out.print(Text(error.sentence(self.terminal.translator.text), style="red"))

    def _obey(self, line: str) -> None:
        """Carry out a line of input: a number of the menu, a command, or an action in text form."""
        if line.isdecimal():
            self._choose(line)
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
        words = pages.WORDS
        known = {self.terminal.translator.template(own).lower(): command for command, own in words.items()}
        return known.get(word, word if word in words else None)

    # --------------------------------------------------------------------------------------------------- acting

    def _choose(self, digits: str) -> None:
        """Carry out the action with this number in the menu."""
        most = len(self.screen.menu.entries)
        number = whole_number(digits, most)
        action = None if number is None else self.screen.menu.action(number)
        if action is None:
            self._print(
                self.terminal.text(
                    "There is no {number} in the list: it goes from 1 to {most}.",
                    number=digits[:MOST_DIGITS],
                    most=most,
                )
            )
            return
        self._act([action])

    def _act(self, actions: Sequence[int]) -> None:
        """Carry out actions, narrate and save them; then the computer players move."""
        if len(actions) > 1:
            self.game.copy().play_all(actions)  # all of it is legal, or nothing is done
        for action in actions:
            self._carry_out(action, narrate)
        self._save_or_report()
        self._play_and_show()

    def _carry_out(self, action: int, tell: Callable[[Teller, State, State, int], Narration]) -> None:
        """Carry out one action and add its narration to the news; a payday is printed at once."""
        before, held = self.game.position, len(self.game.paydays)
        self.game.play(action)
        narration = tell(self.screen.teller, before, self.game.position, action)
        self.news += narration.deeds
        for payday in self.game.paydays[held:]:
            self._print_payday(payday)
        self.news += narration.afterwards

    def _print_payday(self, payday: Payday) -> None:
        """Print a payday, item by item."""
        self._print_news()
        self.terminal.out.print()
        self.terminal.out.print(pages.payday_page(self.screen.painter, payday))
        self.terminal.out.print()
        self._wait()
        self.watched = []

    def _play_and_show(self) -> None:
        """Let computer players move, then show what there is to decide."""
        self._play_computers()
        self.show()

    def _play_computers(self) -> None:
        """Let computer players move, each action in a line, until a person has to decide."""
        if self.computers.to_move and self.terminal.interactive and not self.computers.alone:
            self.terminal.out.clear()
        while self.computers.to_move:
            self.watched += self.news
            self._print_news()
            action = self._ask_computer()
            self._add_faults()
            self._carry_out(action, self._line_of_turn if self.computers.alone else narrate_briefly)
            self._save_or_report()

    def _ask_computer(self) -> int:
        """Ask the computer player that has to decide; a terminal shows meanwhile that it is thinking."""
        if not self.terminal.interactive:
            return self.computers.choose()
        who = self.screen.teller.merchant(self.game.seat or 0)
        with self.terminal.out.status(Text(self.terminal.text("{who} is thinking", who=who), style="dim")):
            return self.computers.choose()

    def _line_of_turn(self, teller: Teller, before: State, after: State, action: int) -> Narration:
        """Narrate a turn in one line with its phase and round, where only computer players play."""
        narration = narrate_briefly(teller, before, after, action, only_deeds=True)
        when = f"{int(before.phase)}.{int(before.round_no)}"
        return Narration([f"{when}  {deed}" for deed in narration.deeds], narration.afterwards)

    def _add_faults(self) -> None:
        """Add the faults of programs to the news."""
        self.news += [self.screen.fault(seat, fault) for seat, fault in self.computers.faults()]

    def _save_or_report(self) -> None:
        """Save the game; if that fails, print why and go on."""
        try:
            self.save()
        except ElCapitanError as error:
            self.news.append(Text(error.sentence(self.terminal.translator.text), style="red"))

    def save(self) -> None:
        """Save the game where it can be resumed, and in the file that was named."""
        if self.save_to:
            record_files.write(self.save_to, self.game, seats=self.table.seats)
        if self.game.over:
            record_files.forget_unfinished()
        else:
            record_files.save_unfinished(self.game, self.table)

    # --------------------------------------------------------------------------------------------------- showing

    def show(self) -> None:
        """Draw the table and the choices: in a terminal always, in a stream the table once a turn."""
        self.screen.refresh()
        turn = (self.game.phase, self.game.round, self.game.seat)
        room = None
        if self.terminal.interactive or turn != self.turn:
            table = self.screen.table()
            room = self._make_room(table)
            self._print_news_before_table()
            self.terminal.out.print(table)
        self.turn = turn
        self._print_news()
        self.terminal.out.print()
        if self.game.over:
            self.terminal.out.print(pages.ranking(self.screen.painter, self.game))
            self.done = True
        else:
            self.terminal.out.print(self.screen.choices(room))

    def _make_room(self, table: RenderableType) -> int | None:
        """Clear the terminal and return how many lines are left for choices; older news are kept if they fit, too."""
        if not self.terminal.interactive or self.computers.alone:
            return None
        room = self.terminal.out.height - self.screen.lines(table) - 2
        watched, self.watched = self.watched, []
        if watched:
            left = room - self.screen.lines(self.screen.news([*watched, *self.news]))
            if self.screen.lines(self.screen.choices(left)) > left:
                self._wait()
            else:
                self.news = [*watched, *self.news]
        self.terminal.out.clear()
        return room - self.screen.lines(self.screen.news(self.news)) if self.news else room

    def _print_news_before_table(self) -> None:
        """Print the news before the table of the next turn, if the output is a stream."""
        if not self.terminal.interactive:
            self._print_news()
            self.terminal.out.print()

    def _print_news(self) -> None:
        """Print the news and forget them."""
        if self.news:
            self.terminal.out.print(self.screen.news(self.news))
            self.news = []

    def _print(self, sentence: str) -> None:
        """Print a sentence, without markup."""
        self.terminal.out.print(Text(sentence))

    def _list_group(self, name: str) -> None:
        """Print all actions of a group of the menu."""
        if self.screen.menu.of_group(name):
            self.terminal.out.print(self.screen.menu.unfolded(name))
        else:
            self._print(self.terminal.text("Nothing of that kind is possible now."))

    # --------------------------------------------------------------------------------------------------- commands

    def _help(self, _rest: str) -> None:
        """Print the commands and signs."""
        self.terminal.out.print(pages.how_to(self.screen.painter))

    def _undo(self, rest: str) -> None:
        """Undo the last action, or the whole turn."""
        if rest.lower() in ("turn", self.terminal.text("turn")):
            self.game.undo_turn()
        else:
            self.game.undo()
        self.save()
        self.news = [self.terminal.text("Undone.")]
        self.show()

    def _hint(self, _rest: str) -> None:
        """Print what a computer player would do."""
        self.terminal.out.print(pages.hint_page(self.screen, suggest(self.game)))

    def _save(self, rest: str) -> None:
        """Write the game to a file."""
        if not rest:
            self._print(self.terminal.text("Name a file as well, as in: save evening.json"))
            return
        path = Path(rest).expanduser()
        path = path if path.suffix else path.with_suffix(".json")
        record_files.write(path, self.game, seats=self.table.seats)
        self._print(self.terminal.text("The game is saved in {file}.", file=path))

    def _rules(self, rest: str) -> None:
        """Print rules by name or by words."""
        show_items(self.terminal, rest.split() or ["TURN"])

    def _forecast(self, _rest: str) -> None:
        """Print what a payday now would pay."""
        self.terminal.out.print(pages.forecast_page(self.screen.painter, self.game))

    def _city(self, rest: str) -> None:
        """Print one city with all its numbers."""
        self.terminal.out.print(pages.city_page(self.screen.painter, self.game, rest))

    def _hands(self, _rest: str) -> None:
        """Print the cards of all merchants."""
        self.terminal.out.print(pages.hands_page(self.screen.painter, self.game))

    def _table(self, _rest: str) -> None:
        """Draw the table again, even if it has not changed."""
        self.turn = None
        self.show()

    def _quit(self, _rest: str) -> None:
        """Leave; a person is asked for a file to save to."""
        if self.terminal.interactive:
            question = self.terminal.text("Save to which file? (Enter: none) ")
            name = self.terminal.out.input(Text(question)).strip()
            if name:
                self._save(name)
        self._leave()

    def _leave(self) -> None:
        """End the session; an unfinished game can be resumed."""
        if not self.game.over:
            self._print(self.terminal.text("The game is saved. Go on with: elcapitan play --resume"))
        self.done = True


def printable(line: str) -> str:
    """A line without control characters, which keys can leave behind and which no message should repeat."""
    return "".join(letter for letter in line if letter.isprintable())


COMMANDS: Final[dict[str, Callable[[Session, str], None]]] = {
    "help": Session._help,
    "undo": Session._undo,
    "hint": Session._hint,
    "save": Session._save,
    "rules": Session._rules,
    "forecast": Session._forecast,
    "city": Session._city,
    "hands": Session._hands,
    "table": Session._table,
    "quit": Session._quit,
}
