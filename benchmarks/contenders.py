"""What benchmarks/peers.py measures: this engine in all its forms, and the engines beside it.

Every contender is a function that gets everything ready and returns a turn: a call that plays a portion and tells how
many seconds that took and how many actions it were. What is not the engine's work is not timed: in batches the choice
of the actions, for all engines alike. A search counts its play-outs instead of actions.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from benchmarks.their_engines import (
    catanatron_python,
    chess_python,
    fastcatan_batch,
    fastcatan_python,
    openspiel_python,
    openspiel_rollouts,
    openspiel_search,
    pettingzoo_python,
    pgx_batch,
    rlcard_python,
)
from benchmarks.turns import BATCH, SEARCHED, Turn, agents, cores, timed


@dataclass(frozen=True)
class Contender:
    """One engine in one form, which is a line of the table."""

    name: str
    package: str
    kind: str  # batch, game by game inside the engine, from Python, or search
    cores: int  # 0: all of them
    make: Callable[[], Turn]


def our_batch(*, observe: bool, policy: str, games: int = BATCH, players: int = 4, tiles: int = 0) -> Turn:
    """A fleet: step, renewal and mask, with or without observation."""
    from elcapitan.engine.vocabulary import TILE_NAMES
    from elcapitan.research.fleet import Fleet

    fleet = Fleet(games, players, TILE_NAMES[:tiles], observe=observe, flags=False, threads=len(cores()))
    fleet.play(300, policy)

    def turn() -> tuple[float, int]:
        actions = fleet.choose(policy)
        begun = time.perf_counter()
        fleet.step(actions)
        return time.perf_counter() - begun, games

    return turn


def our_kernel(policy: str) -> Turn:
    """Complete games inside the engine."""
    from elcapitan.board.figures import packaged
    from elcapitan.engine import play
    from elcapitan.engine.policies import POLICY_NAMES
    from elcapitan.engine.rng import generator
    from elcapitan.engine.vocabulary import DEFAULT_OPTIONS

    states, boards, desks, dice = play.states(), packaged().boards, play.desks(), generator(1)
    playing = play.Playing(POLICY_NAMES.index(policy), 4, 0, DEFAULT_OPTIONS, games=20, limit=100_000)
    return timed(lambda: play.play_many(states, 0, boards, desks, 0, dice, playing))


def our_python() -> Turn:
    """A checked game, action by action from Python."""
    from elcapitan.game.game import Game

    dice = random.Random(1)

    def work() -> int:
        game, count = Game.new(4, seed=dice.randrange(2**32)), 0
        while not game.over:
            game.play(dice.choice(game.legal()))
            count += 1
        return count

    return timed(work)


def our_plain_python() -> Turn:
    """A game without checks, action by action from Python."""
    from elcapitan.game.game import Game
    from elcapitan.research.plain_game import PlainGame

    dice = random.Random(1)

    def work() -> int:
        game, count = PlainGame(Game.new(4, seed=dice.randrange(2**32))), 0
        while not game.over:
            game.play(dice.choice(game.legal()))
            count += 1
        return count

    return timed(work)


def our_pettingzoo() -> Turn:
    """The PettingZoo environment, with observation and mask."""
    from elcapitan.research import elcapitan_v0

    return timed(agents(elcapitan_v0.env(players=4)))


def our_search() -> Turn:
    """Play-outs of the search from the first turn of a game of four."""
    from elcapitan.board.figures import packaged
    from elcapitan.bots.bot import weights
    from elcapitan.engine import play, think
    from elcapitan.engine.rng import generator
    from elcapitan.engine.search.tree import BY_PLAY, START_OF_SEARCH
    from elcapitan.engine.vocabulary import DEFAULT_OPTIONS

    line, boards = think.lines(), packaged().boards
    play.new(line, START_OF_SEARCH, boards, 4, 0, DEFAULT_OPTIONS, 0, 5, 0)
    play.turn_up(line, START_OF_SEARCH, boards)
    room = (line, boards, play.desks(), think.search_buffers(), weights("worth"), generator(5), think.trees(60_000))
    arrays = think.SearchArrays(*room)

    def work() -> int:
        think.think(arrays, 0, SEARCHED, BY_PLAY, 0)
        return SEARCHED

    return timed(work)


IN_BATCH, INSIDE, FROM_PYTHON, SEARCH = "batch", "complete games inside the engine", "from Python", "search, play-outs"
CONTENDERS: Final = (
    Contender("El Capitán, light players", "elcapitan", IN_BATCH, 1, lambda: our_batch(observe=False, policy="light")),
    Contender(
        "El Capitán, random players", "elcapitan", IN_BATCH, 1, lambda: our_batch(observe=False, policy="uniform")
    ),
    Contender("El Capitán, observed", "elcapitan", IN_BATCH, 1, lambda: our_batch(observe=True, policy="light")),
    Contender("fastcatan", "fastcatan", IN_BATCH, 1, fastcatan_batch),
    Contender("pgx backgammon", "pgx", IN_BATCH, 1, lambda: pgx_batch("backgammon")),
    Contender("pgx chess", "pgx", IN_BATCH, 1, lambda: pgx_batch("chess")),
    Contender("El Capitán, all cores", "elcapitan", IN_BATCH, 0, lambda: our_batch(observe=False, policy="light")),
    Contender(
        "El Capitán, observed, all cores", "elcapitan", IN_BATCH, 0, lambda: our_batch(observe=True, policy="light")
    ),
    Contender("fastcatan, all cores", "fastcatan", IN_BATCH, 0, fastcatan_batch),
    Contender("pgx backgammon, all cores", "pgx", IN_BATCH, 0, lambda: pgx_batch("backgammon")),
    Contender("El Capitán, light policy", "elcapitan", INSIDE, 1, lambda: our_kernel("light")),
    Contender("El Capitán, uniform policy", "elcapitan", INSIDE, 1, lambda: our_kernel("uniform")),
    Contender("OpenSpiel hearts", "open_spiel", INSIDE, 1, lambda: openspiel_rollouts("hearts")),
    Contender("OpenSpiel oh_hell", "open_spiel", INSIDE, 1, lambda: openspiel_rollouts("oh_hell(players=4)")),
    Contender("OpenSpiel backgammon", "open_spiel", INSIDE, 1, lambda: openspiel_rollouts("backgammon")),
    Contender("El Capitán, PlainGame", "elcapitan", FROM_PYTHON, 1, our_plain_python),
    Contender("El Capitán, Game", "elcapitan", FROM_PYTHON, 1, our_python),
    Contender("El Capitán, PettingZoo", "elcapitan", FROM_PYTHON, 1, our_pettingzoo),
    Contender("fastcatan", "fastcatan", FROM_PYTHON, 1, fastcatan_python),
    Contender("OpenSpiel hearts", "open_spiel", FROM_PYTHON, 1, lambda: openspiel_python("hearts")),
    Contender("catanatron", "catanatron", FROM_PYTHON, 1, catanatron_python),
    Contender("RLCard uno", "rlcard", FROM_PYTHON, 1, lambda: rlcard_python("uno")),
    Contender("PettingZoo connect four", "pettingzoo", FROM_PYTHON, 1, lambda: pettingzoo_python("connect_four_v3")),
    Contender("PettingZoo chess", "pettingzoo", FROM_PYTHON, 1, lambda: pettingzoo_python("chess_v6")),
    Contender("python-chess", "chess", FROM_PYTHON, 1, chess_python),
    Contender("El Capitán, search", "elcapitan", SEARCH, 1, our_search),
    Contender("OpenSpiel MCTS, hearts", "open_spiel", SEARCH, 1, lambda: openspiel_search("hearts")),
    Contender("OpenSpiel MCTS, backgammon", "open_spiel", SEARCH, 1, lambda: openspiel_search("backgammon")),
)
