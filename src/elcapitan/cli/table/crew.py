"""Who sits at the table besides people: the computer players of a game at the terminal, and what they are called."""

from collections.abc import Sequence
from typing import Final

from elcapitan.bots import registry
from elcapitan.bots.bot import Bot
from elcapitan.engine.rng import Generators
from elcapitan.errors import BotFault
from elcapitan.game import Game
from elcapitan.players.external import ProgramBot
from elcapitan.players.seats import check, choose_action, create_seat, dice, dismiss, is_program
from elcapitan.text.catalogue import Translator
from elcapitan.text.levels import level_name

HUMAN: Final = "human"
USUAL_LEVEL: Final = "captain"


class Crew:
    """The computer players of one game, by seat."""

    def __init__(self, specs: Sequence[str], game: Game, seconds: float) -> None:
        self._specs = specs
        self._game = game
        self._bots: dict[int, Bot] = {}
        self._dice: dict[int, Generators] = {}
        self._named: set[int] = set()  # seats whose fault has been told
        try:
            for seat, spec in enumerate(specs):
                if spec != HUMAN:
                    self._bots[seat] = create_seat(spec, game.setup, seat, game.figures, seconds)
                    self._dice[seat] = dice(game.seed or 0, seat)
        except BaseException:
            self.dismiss()
            raise

    @property
    def at_sea(self) -> bool:
        """Whether a computer player is to decide."""
        return self._game.seat in self._bots

    @property
    def alone(self) -> bool:
        """Whether nobody else plays."""
        return len(self._bots) == self._game.players

    def choose(self) -> int:
        """What the computer player that is to decide does."""
        seat = self._game.seat
        assert seat is not None
        return choose_action(self._bots[seat], self._game, self._dice[seat])

    def faults(self) -> list[tuple[int, BotFault]]:
        """The programs that have failed since this was last asked, with their seats."""
        found = [
            (seat, bot.problem)
            for seat, bot in self._bots.items()
            if seat not in self._named and isinstance(bot, ProgramBot) and bot.problem
        ]
        self._named.update(seat for seat, _fault in found)
        return found

    def title(self, seat: int, t: Translator) -> str:
        """What kind of player sits there; nothing for people."""
        bot = self._bots.get(seat)
        if isinstance(bot, ProgramBot):
            return bot.name or bot.command
        return level_name(self._specs[seat], t) if bot else ""

    def dismiss(self) -> None:
        """Let everybody go."""
        dismiss(self._bots.values(), self._game)


def usual_level() -> str:
    """The level for those who have no wish."""
    return USUAL_LEVEL if USUAL_LEVEL in registry.LEVELS else list(registry.LEVELS)[-1]


def level_called(word: str, t: Translator) -> str:
    """The level that a word means, in English or in the reader's language; `BadBot` if there is none."""
    for level in registry.LEVELS:
        if word.casefold() in (level, level_name(level, t).casefold()):
            return level
    check(word)
    return word


def check_seats(specs: Sequence[str]) -> None:
    """Refuse seats that nobody could play."""
    for spec in specs:
        if spec != HUMAN:
            check(spec)


def programs(specs: Sequence[str]) -> list[str]:
    """The seats that are played by programs of their own."""
    return [spec for spec in specs if is_program(spec)]
