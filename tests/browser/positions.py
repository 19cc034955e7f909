"""Games at certain moments, to be brought to a table."""

import json
from collections.abc import Callable, Sequence

from tests.playing import random_game

from elcapitan.engine import play
from elcapitan.engine.actions import family
from elcapitan.engine.policies import LIGHT, UNIFORM
from elcapitan.engine.rng import generator
from elcapitan.engine.vocabulary import NOBODY
from elcapitan.game.game import Act, Game
from elcapitan.records import json_record as record

TILES = ("Porto", "Lisboa", "Islas Canarias")
MOST = 3000  # actions until a wanted moment


def written(game: Game) -> str:
    """A game as its record."""
    return json.dumps(record.to_json(game))


def game_where(
    wanted: Callable[[Game], bool], players: int, tiles: Sequence[str] = (), seed: int = 1, policy: int = LIGHT
) -> Game:
    """A game played by a policy without thought until something is true of it, between voyages of the pirate."""
    dice, desks = generator(seed + 1), play.desks()
    game = Game.new(players, tiles, seed=seed)
    for _ in range(MOST):
        if game.position.pirate_at == NOBODY and wanted(game):
            return game
        if game.over:
            break
        game.play(play.choose(game.view_for(0), 0, game.figures.boards, desks, 0, dice, policy))
    raise AssertionError("this does not happen in this game")


def big_hand(players: int, tiles: Sequence[str] = (), seed: int = 1, cards: int = 7) -> Game:
    """A game in which whoever decides has so many cards in hand, because they buy whatever they can."""
    dice, desks = generator(seed + 1), play.desks()
    game = Game.new(players, tiles, seed=seed)
    for _ in range(MOST):
        if game.seat is not None and int(game.position.hand[game.seat]).bit_count() >= cards:
            return game
        buys = [number for number in game.legal() if family(number) == "buy"]
        choice = play.choose(game.view_for(0), 0, game.figures.boards, desks, 0, dice, LIGHT)
        game.play(buys[0] if buys else choice)
    raise AssertionError("nobody gets so many cards")


def before_payday(number: int, players: int, tiles: Sequence[str] = (), seed: int = 1) -> tuple[Game, Game, str]:
    """A game just before the action that brings a payday, the same game after it, and the action."""
    game = random_game(players, tiles, seed)
    while len(game.paydays) > number:
        game.take_back()
    after = game.copy()
    while len(game.paydays) == number:
        after = game.copy()
        game.take_back()
    action = after.events[-1]
    while not isinstance(action, Act):  # a card was turned up before the payday
        action = game.events[-1]
        game.take_back()
    return game, after, str(action.numbers[-1])


def cut(game: Game, events: int) -> Game:
    """A game as it was after so many events."""
    then = game.copy()
    then.take_back(len(then.events) - events)
    return then


def settled(game: Game, events: int) -> Game:
    """A game as it was after so many events, or somewhat earlier: when no card was about to be turned up."""
    then = cut(game, events)
    while then.card_due:
        then.take_back()
    return then


def middle(players: int, tiles: Sequence[str] = (), seed: int = 1) -> Game:
    """A game in its second phase, where many things stand on the board."""
    return game_where(lambda game: game.phase == 2 and game.round > 2 and game.seat is not None, players, tiles, seed)


__all__ = ["TILES", "UNIFORM", "before_payday", "big_hand", "cut", "game_where", "middle", "settled", "written"]
