"""Games that stand at a drawn position, and positions of games played by chance, for tests of what is shown."""

from collections.abc import Iterator, Sequence

from tests.drawings import position
from tests.playing import random_game

from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import UNIFORM
from elcapitan.game.game import Game

TILES = ("Porto", "Lisboa", "Islas Canarias")
TABLES: Sequence[tuple[int, tuple[str, ...]]] = (
    (2, ()),
    (2, TILES),
    (3, ("Porto",)),
    (3, TILES),
    (4, ()),
    (4, ("Lisboa", "Islas Canarias")),
    (5, ()),
    (5, TILES),
)


def game_at(drawing: str) -> Game:
    """A game that stands at a drawn position and knows no past."""
    return Game.at_position(position(drawing).states)


def games_on_the_way(players: int, tiles: Sequence[str], seed: int, every: int = 17) -> Iterator[Game]:
    """Positions of a game played by dice, one every so many actions, each as a game of its own."""
    game = random_game(players, tiles, seed, UNIFORM, most=400 if COMPILED else 20)
    while game.events[1:]:
        yield game
        game = game.copy()
        game.take_back(min(every, len(game.events) - 1))
