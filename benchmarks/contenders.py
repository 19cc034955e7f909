"""What benchmarks/peers.py measures: this engine in all its forms, and the engines beside it.

Every contender is a function that gets everything ready and returns a turn: a call that plays a portion and tells how
many seconds that took and how many decisions were made. What is not the engine's work is not timed: in batches the
choice of the actions, for all engines alike.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from benchmarks.their_engines import (
    catanatron_python,
    chess_python,
    fastcatan_batch,
    fastcatan_game,
    fastcatan_python,
    openspiel_game,
    openspiel_python,
    openspiel_rollouts,
    openspiel_search,
    pettingzoo_python,
    pgx_batch,
    rlcard_python,
)
from benchmarks.turns import BATCH, LOOKED_AT, SEARCHED, Done, Game, Turn, agents, clock, cores, searched, timed


@dataclass(frozen=True)
class Contender:
    """One engine in one form, which is a line of a table."""

    name: str
    package: str
    kind: str  # the table
    does: str  # in a step
    make: Callable[[], Turn]
    mask: str = ""  # the form of the legal actions, if the step makes them
    observation: str = ""  # what the deciding player sees, if the step makes it


def our_batch(*, observe: bool, policy: str, games: int = BATCH, players: int = 4, tiles: int = 0) -> Turn:
    """A fleet: step, renewal and mask, with or without observation."""
    from elcapitan.engine.vocabulary import TILE_NAMES
    from elcapitan.research.fleet import Fleet

    fleet = Fleet(games, players, TILE_NAMES[:tiles], observe=observe, flags=False, threads=len(cores()))
    fleet.play(300, policy)

    now = clock()

    def turn() -> Done:
        actions = fleet.choose(policy)
        begun = now()
        fleet.step(actions)
        return Done(now() - begun, games)

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


def our_plain_python(*, listed: bool) -> Turn:
    """A game without checks, action by action from Python; the legal actions as a list, or as a view."""
    from elcapitan.research.plain_game import PlainGame

    dice = random.Random(1)

    def work() -> int:
        game, count = PlainGame.new(4, seed=dice.randrange(2**32)), 0
        while not game.over:
            game.play(dice.choice(game.legal() if listed else game.actions))
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
    from elcapitan.engine.policies import LIGHT
    from elcapitan.engine.rng import generator
    from elcapitan.engine.search.tree import BY_PLAY, START_OF_SEARCH
    from elcapitan.engine.vocabulary import DEFAULT_OPTIONS

    line, boards = think.lines(), packaged().boards
    play.new(line, START_OF_SEARCH, boards, 4, 0, DEFAULT_OPTIONS, 0, 5, 0)
    play.turn_up(line, START_OF_SEARCH, boards)
    room = (line, boards, play.desks(), think.search_buffers(), weights("worth"), generator(5), think.trees(60_000))
    arrays = think.SearchArrays(*room)
    total = 0
    for _ in range(LOOKED_AT):  # games from there on, by the policy that play-outs take
        line[0] = line[START_OF_SEARCH]
        total += play.play_out(line, 0, boards, arrays.desks, 0, arrays.g, LIGHT, 100_000)
    return searched(lambda: think.think(arrays, 0, SEARCHED, BY_PLAY, 0), total / LOOKED_AT)


def our_game() -> Game:
    """Random games of four."""
    from elcapitan.engine.state import State
    from elcapitan.research.plain_game import PlainGame

    dice, choices = random.Random(1), []
    for seed in range(LOOKED_AT):
        game = PlainGame.new(4, seed=seed)
        while not game.over:
            choices.append(len(game.actions))
            game.play(dice.choice(game.actions))
    return Game.of(LOOKED_AT, choices, State.kind.itemsize)


IN_BATCH, INSIDE, FROM_PYTHON = "batch", "complete games inside the engine", "from Python"
SEARCH, LIGHT_POLICY = "search", "light policy"
STEP, WHOLE, CHOOSE = "step, restart", "uniform choice, step", "legal actions, choice, step"
BITS, CELLS = "bits", "951 cells of 8 bits"


CONTENDERS: Final = (
    Contender("El Capitán", "elcapitan", IN_BATCH, STEP, lambda: our_batch(observe=False, policy="uniform"), mask=BITS),
    Contender(
        "El Capitán, observed",
        "elcapitan",
        IN_BATCH,
        STEP,
        lambda: our_batch(observe=True, policy="uniform"),
        mask=BITS,
        observation=CELLS,
    ),
    Contender("fastcatan", "fastcatan", IN_BATCH, STEP, fastcatan_batch, mask=BITS),
    Contender(
        "pgx backgammon",
        "pgx",
        IN_BATCH,
        STEP,
        lambda: pgx_batch("backgammon"),
        mask="bytes",
        observation="34 numbers of 32 bits",
    ),
    Contender("El Capitán", "elcapitan", INSIDE, WHOLE, lambda: our_kernel("uniform")),
    Contender("OpenSpiel hearts", "open_spiel", INSIDE, WHOLE, lambda: openspiel_rollouts("hearts")),
    Contender("OpenSpiel oh_hell", "open_spiel", INSIDE, WHOLE, lambda: openspiel_rollouts("oh_hell(players=4)")),
    Contender("OpenSpiel backgammon", "open_spiel", INSIDE, WHOLE, lambda: openspiel_rollouts("backgammon")),
    Contender(
        "El Capitán, PlainGame", "elcapitan", FROM_PYTHON, CHOOSE, lambda: our_plain_python(listed=False), mask="view"
    ),
    Contender(
        "El Capitán, PlainGame", "elcapitan", FROM_PYTHON, CHOOSE, lambda: our_plain_python(listed=True), mask="list"
    ),
    Contender("El Capitán, Game", "elcapitan", FROM_PYTHON, f"{CHOOSE}, check, log for undo", our_python, mask="list"),
    Contender("fastcatan", "fastcatan", FROM_PYTHON, CHOOSE, fastcatan_python, mask="list"),
    Contender("OpenSpiel hearts", "open_spiel", FROM_PYTHON, CHOOSE, lambda: openspiel_python("hearts"), mask="list"),
    Contender("catanatron", "catanatron", FROM_PYTHON, CHOOSE, catanatron_python, mask="list"),
    Contender("python-chess", "chess", FROM_PYTHON, CHOOSE, chess_python, mask="list"),
    Contender(
        "El Capitán, PettingZoo",
        "elcapitan",
        FROM_PYTHON,
        CHOOSE,
        our_pettingzoo,
        mask="bytes",
        observation=CELLS,
    ),
    Contender(
        "PettingZoo connect four",
        "pettingzoo",
        FROM_PYTHON,
        CHOOSE,
        lambda: pettingzoo_python("connect_four_v3"),
        mask="bytes",
        observation="84 cells of 8 bits",
    ),
    Contender(
        "RLCard uno",
        "rlcard",
        FROM_PYTHON,
        CHOOSE,
        lambda: rlcard_python("uno"),
        mask="list",
        observation="240 numbers",
    ),
    Contender("El Capitán", "elcapitan", SEARCH, "plans of whole turns as moves, light play-outs", our_search),
    Contender(
        "OpenSpiel MCTS, hearts", "open_spiel", SEARCH, "UCT, uniform play-outs", lambda: openspiel_search("hearts")
    ),
    Contender(
        "OpenSpiel MCTS, backgammon",
        "open_spiel",
        SEARCH,
        "UCT, uniform play-outs",
        lambda: openspiel_search("backgammon"),
    ),
    Contender(
        "El Capitán, batch",
        "elcapitan",
        LIGHT_POLICY,
        STEP,
        lambda: our_batch(observe=False, policy="light"),
        mask=BITS,
    ),
    Contender(
        "El Capitán, batch, observed",
        "elcapitan",
        LIGHT_POLICY,
        STEP,
        lambda: our_batch(observe=True, policy="light"),
        mask=BITS,
        observation=CELLS,
    ),
    Contender(
        "El Capitán, complete games", "elcapitan", LIGHT_POLICY, "light choice, step", lambda: our_kernel("light")
    ),
)

# Measured on one core, two, four and so on.
SCALED: Final = {
    "El Capitán": CONTENDERS[0],
    "El Capitán, observed": CONTENDERS[1],
    "fastcatan": CONTENDERS[2],
    "pgx backgammon": CONTENDERS[3],
}

# What random games are like, where an engine lets one look at them from Python.
GAMES: Final[Mapping[str, tuple[str, Callable[[], Game]]]] = {
    "El Capitán": ("elcapitan", our_game),
    "fastcatan": ("fastcatan", fastcatan_game),
    "OpenSpiel hearts": ("open_spiel", lambda: openspiel_game("hearts")),
    "OpenSpiel oh_hell": ("open_spiel", lambda: openspiel_game("oh_hell(players=4)")),
    "OpenSpiel backgammon": ("open_spiel", lambda: openspiel_game("backgammon")),
}

# A program of its own each, from its first import to its first step.
STARTS: Final[Mapping[str, tuple[str, str]]] = {
    "El Capitán, fleet": (
        "elcapitan",
        f"from elcapitan.research.fleet import Fleet; fleet = Fleet({BATCH}); fleet.step(fleet.choose('uniform'))",
    ),
    "El Capitán, PlainGame": (
        "elcapitan",
        "from elcapitan.research.plain_game import PlainGame; game = PlainGame.new(4); game.play(game.actions[0])",
    ),
    "fastcatan": (
        "fastcatan",
        "import fastcatan; game = fastcatan.Env(); game.reset(seed=1); game.step(game.legal_actions()[0])",
    ),
    "OpenSpiel hearts": (
        "open_spiel",
        "import pyspiel; state = pyspiel.load_game('hearts').new_initial_state();"
        "state.apply_action(state.legal_actions()[0])",
    ),
    "pgx backgammon": (
        "pgx",
        "import jax, pgx; env = pgx.make('backgammon'); keys = jax.random.split(jax.random.PRNGKey(1), 1024);"
        "state = jax.jit(jax.vmap(env.init))(keys); actions = state.legal_action_mask.argmax(1);"
        "jax.block_until_ready(jax.jit(jax.vmap(env.step))(state, actions, keys))",
    ),
}
