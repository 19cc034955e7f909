"""Games played by chance, for tests that need games."""

import random
from collections.abc import Callable, Mapping, Sequence

from elcapitan.board.figures import Figures, packaged
from elcapitan.engine import play
from elcapitan.engine.actions import PIRATE_LAND, PIRATE_SAIL
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import LIGHT
from elcapitan.engine.rng import generator
from elcapitan.engine.vocabulary import NOBODY
from elcapitan.errors import ElCapitanError
from elcapitan.game.game import Game

CANARIAS = "Islas Canarias"
TO_THE_END = 10_000  # actions: more than any game has
A_WHILE = 40


def length_for(tiles: Sequence[str]) -> int:
    """How far to play: with the pirate, interpreted rules are too slow for whole games."""
    return TO_THE_END if COMPILED or CANARIAS not in tiles else A_WHILE


def other_board() -> Figures:
    """The figures of a board that no network was trained on."""
    ours = packaged()
    boards = ours.boards.copy()
    boards[0].start_cash += 1
    boards.flags.writeable = False
    return Figures("atlantic", boards, ours.cards, ours.printed)


def random_game(
    players: int,
    tiles: Sequence[str] = (),
    seed: int = 1,
    policy: int = LIGHT,
    *,
    most: int | None = None,
    options: Mapping[str, bool] | None = None,
    figures: Figures | None = None,
) -> Game:
    """A game played by a policy without thought, to its end or for so many actions; no voyage is cut in two."""
    game = Game.new(players, tiles, seed=seed, options=options, figures=figures)
    dice = generator(seed + 1)
    desks = play.desks()
    left = length_for(tiles) if most is None else most
    while not game.over and (left > 0 or game.position.pirate_at != NOBODY):
        left -= 1
        game.play(play.choose(game.view_for(0), 0, game.figures.boards, desks, 0, dice, policy))
    return game


def game_with_voyage(seed: int = 1, cards: int = 1) -> tuple[Game, list[int]]:
    """A game in which the pirate can sail by so many cards, and the numbers of such a voyage."""
    dice = random.Random(seed)
    game = Game.new(3, [CANARIAS], seed=seed)
    while True:
        voyage = _voyage(game.copy(), cards, dice)
        if voyage:
            return game, voyage
        legal = [number for number in game.legal() if number < PIRATE_SAIL]
        game.play(dice.choice(legal))


def _voyage(game: Game, cards: int, dice: random.Random) -> list[int]:
    """Some voyage of the pirate by so many cards, if there is one."""
    numbers = []
    for _ in range(cards):
        legs = [number for number in game.legal() if PIRATE_SAIL <= number < PIRATE_LAND]
        if not legs:
            return []
        numbers.append(dice.choice(legs))
        game.play(numbers[-1])
    landings = [number for number in game.legal() if number >= PIRATE_LAND]
    return [*numbers, landings[0]] if landings else []


def refusal(error: type[ElCapitanError], attempt: Callable[[], object]) -> ElCapitanError | None:
    """How an attempt was refused; any other error is a fault."""
    try:
        attempt()
    except error as refused:
        return refused
    return None


def well_refused(error: type[ElCapitanError], attempt: Callable[[], object]) -> bool:
    """Whether an attempt succeeds, or is refused with a sentence."""
    refused = refusal(error, attempt)
    return refused is None or bool(str(refused))
