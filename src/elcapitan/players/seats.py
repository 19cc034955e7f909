"""The players of seats: a level by its name, or an external program as `cmd:` and its command line."""

import contextlib
import hashlib
import re
from collections.abc import Collection
from typing import Final

from elcapitan.actions.union import is_voyage_piece
from elcapitan.board.figures import Figures
from elcapitan.bots import registry
from elcapitan.bots.bot import Bot, View
from elcapitan.engine.actions import PIRATE_LAND
from elcapitan.engine.rng import Generators, generator
from elcapitan.game.game import Game
from elcapitan.game.setup import Setup
from elcapitan.players.external import SECONDS, ProgramBot, words_of
from elcapitan.records.json_record import result_of

PROGRAM: Final = "cmd:"
_SEAT = re.compile(
    r"""(?:^|(?<=,))(?:[^,"']++|"[^"]*+"|'[^']*+'|["'])*+"""
)  # commas inside quotation marks belong to a seat


def split(seats: str) -> tuple[str, ...]:
    """Split a list of seats at its commas; empty ones are kept, so that they can be refused."""
    return tuple(seat.strip() for seat in _SEAT.findall(seats)) if seats.strip() else ()


def is_program(spec: str) -> bool:
    """Whether a seat is played by an external program."""
    return spec.startswith(PROGRAM)


def check(spec: str) -> None:
    """Raise `BadBot` if a seat cannot be played, without starting a program."""
    if is_program(spec):
        words_of(spec.removeprefix(PROGRAM))
    else:
        registry.create(spec).close()


def create_seat(spec: str, setup: Setup, seat: int, figures: Figures, seconds: float = SECONDS) -> Bot:
    """Create the computer player of a seat; a program may take `seconds` for a decision."""
    if is_program(spec):
        return ProgramBot(spec.removeprefix(PROGRAM), setup, seat, figures, seconds)
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
