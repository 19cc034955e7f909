"""Any program can play a seat, if it answers JSON lines with JSON lines.

`docs/bots.md` describes the protocol for authors of such programs, `players/protocol.py` its messages. A program that
cannot be started, ends, hangs, or sends an invalid message or an illegal action has a fault: it is recorded, the
program is killed, and the lowest level plays its seat for the rest of the game.
"""

import shlex
from collections.abc import Sequence
from typing import Final

from elcapitan.board.board_file import short
from elcapitan.board.figures import Figures
from elcapitan.bots import registry
from elcapitan.bots.bot import Bot, View
from elcapitan.engine.rng import Generators
from elcapitan.errors import BadBot, BotFault, ElCapitanError
from elcapitan.game.setup import Setup
from elcapitan.players import protocol
from elcapitan.players.external_process import ExternalProgram
from elcapitan.records.json_record import ResultJson

SECONDS: Final = 5.0  # for a decision
START_SECONDS: Final = 10.0  # to get ready in; more if a decision may take longer


class ProgramBot(Bot):
    """A bot that asks an external program, started with its command line."""

    def __init__(self, command: str, setup: Setup, seat: int, figures: Figures, seconds: float = SECONDS) -> None:
        self.command = command
        self.name = ""  # as it calls itself
        self.problem: BotFault | None = None
        self._figures = figures
        self._seconds = float(seconds)
        self._move = 0
        self._program: ExternalProgram | None = None
        self._stand_in = registry.create(registry.LOWEST)
        self._begin(words_of(command), protocol.to_line(protocol.hello(setup, seat, figures)))

    @property
    def fault(self) -> str | None:
        """The program's fault as one English sentence; `problem` can be translated."""
        return str(self.problem) if self.problem else None

    def _begin(self, words: Sequence[str], hello: bytes) -> None:
        """Start the program and wait until it is ready."""
        try:
            self._program = ExternalProgram(words)
            answer = self._program.ask(hello, max(self._seconds, START_SECONDS))
            self.name = protocol.name_in(protocol.from_line(answer))
        except ElCapitanError as error:
            self._give_up(error)
        except BaseException:
            self._stop(grace=0)
            raise

    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """Ask the program; once it has had a fault, ask the lowest level instead."""
        if self._program:
            self._move += 1
            question = protocol.question(self._move, view.states, legal, self._seconds, self._figures)
            try:
                answer = protocol.from_line(self._program.ask(protocol.to_line(question), self._seconds))
                return protocol.action_in(answer, self._move, legal, self._figures)
            except ElCapitanError as error:
                self._give_up(error)
        return self._stand_in.choose(view, legal, rng)

    def _give_up(self, error: ElCapitanError) -> None:
        """Record the fault and kill the program."""
        last_words = self._program.last_words if self._program else ()
        self._stop(grace=0)
        self.problem = BotFault(self.command, error, last_words)

    def over(self, result: ResultJson) -> None:
        """Tell the program how the game ended, and stop it."""
        self._stop(protocol.to_line(protocol.farewell(result)))

    def close(self) -> None:
        """Stop the program and close the stand-in."""
        self._stop()
        self._stand_in.close()

    def _stop(self, last_line: bytes = b"", **grace: float) -> None:
        """Stop the program, if it is running."""
        program, self._program = self._program, None
        if program:
            program.stop(last_line, **grace)


def words_of(command: str) -> list[str]:
    """Split a command line into words without a shell; raise `BadBot` if that is not possible."""
    try:
        words = shlex.split(command)
    except ValueError:  # an unclosed quotation mark
        words = []
    if not words:
        raise BadBot("bad-command", found=short(command))
    return words
