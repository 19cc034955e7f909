"""The computer players of a game at the terminal."""

from collections.abc import Sequence
from typing import Final

from elcapitan.bots import registry
from elcapitan.bots.bot import Bot
from elcapitan.engine.rng import Generators
from elcapitan.errors import BotFault
from elcapitan.game.game import Game
from elcapitan.players.external import ProgramBot
from elcapitan.players.seats import check, choose_action, create_seat, dice, dismiss, is_program
from elcapitan.text.catalogue import Translator
from elcapitan.text.names import level_name

HUMAN: Final = "human"
USUAL_LEVEL: Final = "captain"


class ComputerPlayers:
    """The computer players of one game, by seat."""

    def __init__(self, specs: Sequence[str], game: Game, seconds: float) -> None:
        self._specs = specs
        self._game = game
        self._bots: dict[int, Bot] = {}
        self._dice: dict[int, Generators] = {}
        self._reported: set[int] = set()  # seats whose fault was returned by `faults`
        try:
            for seat, spec in enumerate(specs):
                if spec != HUMAN:
                    self._bots[seat] = create_seat(spec, game.setup, seat, game.figures, seconds)
                    self._dice[seat] = dice(game.seed or 0, seat)
        except BaseException:
            self.dismiss()
            raise

    @property
    def to_move(self) -> bool:
        """Whether a computer player has to decide now."""
        return self._game.seat in self._bots

    @property
    def alone(self) -> bool:
        """Whether all seats are played by the computer."""
        return len(self._bots) == self._game.players

    def choose(self) -> int:
        """Ask the computer player that has to decide for its action."""
        seat = self._game.seat
        assert seat is not None
        return choose_action(self._bots[seat], self._game, self._dice[seat])

    def faults(self) -> list[tuple[int, BotFault]]:
        """Return the faults of programs since the last call, with their seats."""
        found = [
            (seat, bot.problem)
            for seat, bot in self._bots.items()
            if seat not in self._reported and isinstance(bot, ProgramBot) and bot.problem
        ]
        self._reported.update(seat for seat, _fault in found)
        return found

    def title(self, seat: int, t: Translator) -> str:
        """Return the level or program of a seat; nothing for people."""
        bot = self._bots.get(seat)
        if isinstance(bot, ProgramBot):
            return bot.name or bot.command
        return level_name(self._specs[seat], t) if bot else ""

    def dismiss(self) -> None:
        """Close all computer players."""
        dismiss(self._bots.values(), self._game)


def usual_level() -> str:
    """Return the level that is offered first."""
    return USUAL_LEVEL if USUAL_LEVEL in registry.LEVELS else list(registry.LEVELS)[-1]


def level_called(word: str, t: Translator) -> str:
    """Find a level by name, in English or in the reader's language; raise `BadBot` if there is none."""
    for level in registry.LEVELS:
        if word.casefold() in (level, level_name(level, t).casefold()):
            return level
    check(word)
    return word


def check_seats(specs: Sequence[str]) -> None:
    """Raise `BadBot` if a seat names an unknown player."""
    for spec in specs:
        if spec != HUMAN:
            check(spec)


def programs(specs: Sequence[str]) -> list[str]:
    """Return the seats that are played by external programs."""
    return [spec for spec in specs if is_program(spec)]
