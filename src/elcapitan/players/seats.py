"""The players of seats: levels, external programs and Python players, those of one game, and hints for people.

A level is given by its name, an external program as `cmd:` and its command line, a player written in Python as `py:`
and its class, or by a name that an installed package has registered.
"""

import contextlib
import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.actions.union import is_voyage_piece
from elcapitan.board.figures import Figures
from elcapitan.bots import registry
from elcapitan.bots.bot import Bot, Budget, Searcher, View
from elcapitan.engine.actions import PIRATE_LAND
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.rng import Generators, generator
from elcapitan.errors import BotFault
from elcapitan.game.game import Game
from elcapitan.game.setup import Setup
from elcapitan.players.external import SECONDS, ProgramBot, words_of
from elcapitan.players.foreign import ForeignBot
from elcapitan.players.python_players import PythonBot, is_python, player_of
from elcapitan.records.json_record import result_of
from elcapitan.text.catalogue import Translator
from elcapitan.text.names import board_note, level_name

PROGRAM: Final = "cmd:"
_SEAT = re.compile(
    r"""(?:^|(?<=,))(?:[^,"']++|"[^"]*+"|'[^']*+'|["'])*+"""
)  # commas inside quotation marks belong to a seat
HUMAN: Final = "human"
USUAL_LEVEL: Final = "captain"
HINT_SEED: Final = 1  # the same question gets the same answer
# The network alone misjudges positions that do not come up in its own games, so the best plans are played on.
HINT_BUDGETS: Final = {  # interpreted rules are some thousand times slower
    registry.STRONGEST: Budget(simulations=24 if COMPILED else 1),
    registry.ON_OTHER_BOARDS: Budget(simulations=2000 if COMPILED else 2),
}
MOST_HINTS: Final = 3  # suggestions


def split(seats: str) -> tuple[str, ...]:
    """Split a list of seats at its commas; empty ones are kept, so that they can be refused."""
    return tuple(seat.strip() for seat in _SEAT.findall(seats)) if seats.strip() else ()


def is_program(spec: str) -> bool:
    """Whether a seat is played by an external program."""
    return spec.startswith(PROGRAM)


def is_foreign(spec: str) -> bool:
    """Whether code from outside this package plays a seat: no request or record may name such a player."""
    return is_program(spec) or is_python(spec)


def check(spec: str) -> None:
    """Raise `BadBot` if a seat cannot be played, without starting a program; Python players are loaded."""
    if is_program(spec):
        words_of(spec.removeprefix(PROGRAM))
    elif is_python(spec):
        player_of(spec)
    else:
        registry.create(spec).close()


def create_seat(spec: str, setup: Setup, seat: int, figures: Figures, seconds: float = SECONDS) -> Bot:
    """Create the computer player of a seat; a program may take `seconds` for a decision."""
    if is_program(spec):
        return ProgramBot(spec.removeprefix(PROGRAM), setup, seat, figures, seconds)
    if is_python(spec):
        return PythonBot(spec, figures)
    return registry.create(spec)


def choose_action(bot: Bot, game: Game, dice: Generators) -> int:
    """Ask a computer player for one action in a game in which a seat has to decide."""
    assert game.seat is not None
    return int(bot.choose(View(game.view_for(game.seat), game.figures.boards), game.legal(), dice))


def choose_whole_action(bot: Bot, game: Game, dice: Generators, *first: int) -> tuple[int, ...]:
    """Ask for an action and carry it out; a voyage of the pirate by cards, perhaps begun already, to its landing."""
    numbers = list(first) or [choose_action(bot, game, dice)]
    game.play_all(numbers)
    while is_voyage_piece(numbers[-1]) and numbers[-1] < PIRATE_LAND:
        numbers.append(choose_action(bot, game, dice))
        game.play(numbers[-1])
    return tuple(numbers)


def dismiss(bots: Collection[Bot], game: Game) -> None:
    """Close all computer players of a game, even if one fails; programs are told the result of a finished game."""
    with contextlib.ExitStack() as leaving:
        for bot in bots:
            leaving.callback(bot.close)
        for bot in bots:
            if game.over and isinstance(bot, ProgramBot):
                bot.over(result_of(game))


def dice(seed: int, seat: int) -> Generators:
    """Create the generator of a seat, independent of the cards."""
    return generator(int.from_bytes(hashlib.blake2b(f"{seed} seat {seat}".encode(), digest_size=8).digest()))


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
            if seat not in self._reported and isinstance(bot, ForeignBot) and bot.problem
        ]
        self._reported.update(seat for seat, _fault in found)
        return found

    def title(self, seat: int, t: Translator) -> str:
        """Return the level or program of a seat; nothing for people."""
        bot = self._bots.get(seat)
        if isinstance(bot, ForeignBot):
            return bot.name or bot.title
        return level_name(self._specs[seat], t) if bot else ""

    def board_notes(self, t: Translator) -> list[str]:
        """Say which levels play as others here, because they were not trained for the board."""
        notes = [board_note(spec, self._game.players, self._game.figures.boards, t) for spec in self._specs]
        return [note for note in dict.fromkeys(notes) if note]

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


def foreign(specs: Sequence[str]) -> list[str]:
    """Return the seats that are played by code from outside this package."""
    return [spec for spec in specs if is_foreign(spec)]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested action, how the turn would go on, and the expected result."""

    actions: tuple[int, ...]  # several numbers for a voyage of the pirate by cards, one for any other
    later: tuple[int, ...] = ()  # what would follow in the same turn
    win: float | None = None  # the chance to win, from 0 to 1
    money: tuple[float, ...] | None = None  # of every seat at the end


def adviser(game: Game) -> str:
    """Return the level that gives hints in a game."""
    return registry.adviser(game.players, game.figures.boards)


def suggest(game: Game, enough: Callable[[], bool] | None = None, level: str | None = None) -> list[Suggestion]:
    """Return suggestions for the deciding seat, the best first; none if the game is over.

    `level` is one of HINT_BUDGETS; without it the adviser is asked. A search ends early as soon as `enough` returns
    true.
    """
    if game.seat is None:
        return []
    if len(game.legal()) == 1:
        return [Suggestion(tuple(game.legal()))]
    searcher = searching_level(level or adviser(game), HINT_BUDGETS)
    if enough is not None:
        searcher.stop_when(enough)
    view = View(game.view_for(game.seat), game.figures.boards)
    found: dict[int, Suggestion] = {}
    for line in searcher.lines(view, generator(HINT_SEED)):
        first = line.actions[0]
        if first not in found and len(found) < MOST_HINTS:
            whole = choose_whole_action(registry.create("captain"), game.copy(), generator(HINT_SEED), first)
            found[first] = Suggestion(whole, line.actions[len(whole) :], line.win[game.seat], line.money)
    return list(found.values())


def searching_level(level: str, budgets: Mapping[str, Budget]) -> Searcher:
    """Create a player of a level that searches, with the budget that it has among these."""
    make = registry.LEVELS[level].search
    assert make is not None
    return make(budgets[level])
