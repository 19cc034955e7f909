"""The peers that benchmarks/peers.py measures: random legal actions, as quickly as each package allows.

A card dealt or a die thrown by the engine itself is no action: only decisions of players are counted.
"""

import random
from typing import Any

import numpy as np
from benchmarks.turns import BATCH, LOOKED_AT, SEARCHED, Done, Game, Turn, agents, clock, searched, timed


def fastcatan_batch() -> Turn:
    """Step with renewal, and masks."""
    import fastcatan

    games = fastcatan.BatchedEnv(BATCH, seed=0)
    games.reset()
    masks = np.zeros((BATCH, fastcatan.MASK_WORDS), np.uint64)
    actions, done = np.zeros(BATCH, np.uint32), np.zeros(BATCH, np.uint8)
    games.write_masks(masks)
    dice = np.random.default_rng(1)

    now = clock()

    def turn() -> Done:
        flags = np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little")
        actions[:] = (flags * dice.random(flags.shape, np.float32)).argmax(1)
        begun = now()
        games.step_autoreset(actions, done)
        games.write_masks(masks)
        return Done(now() - begun, BATCH)

    for _ in range(300):  # so that the games of the batch are at all stages
        turn()
    return turn


def fastcatan_python() -> Turn:
    """Action by action from Python."""
    import fastcatan

    dice = random.Random(1)

    def work() -> int:
        game, count = fastcatan.Env(), 0
        game.reset(seed=dice.randrange(2**32))
        while not game.done:
            game.step(dice.choice(game.legal_actions()))
            count += 1
        return count

    return timed(work)


def catanatron_python() -> Turn:
    """Complete games of its random players."""
    from catanatron import Color, Game, RandomPlayer

    def work() -> int:
        game = Game([RandomPlayer(colour) for colour in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)])
        game.play()
        return len(game.state.actions)

    return timed(work)


def openspiel_python(name: str) -> Turn:
    """Action by action from Python; chance is played like them, but not counted."""
    import pyspiel

    game, dice = pyspiel.load_game(name), random.Random(1)

    now = clock()

    def turn() -> Done:
        begun = now()
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
        seconds = now() - begun
        return Done(seconds, sum(step.player >= 0 for step in state.full_history()))

    return turn


def _after_chance(name: str) -> tuple[Any, Any, float]:
    """A game of OpenSpiel, its first decision, and how many decisions a random play-out from there has on average."""
    import pyspiel

    game, dice, total = pyspiel.load_game(name), random.Random(1), 0
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(dice.choice(state.legal_actions()))
    for _ in range(LOOKED_AT):
        line = state.clone()
        while not line.is_terminal():
            total += not line.is_chance_node()
            line.apply_action(dice.choice(line.legal_actions()))
    return game, state, total / LOOKED_AT


def openspiel_rollouts(name: str) -> Turn:
    """Random play-outs in C++: an evaluation of two positions by many of them."""
    import pyspiel

    rollouts = 500
    game, state, length = _after_chance(name)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(rollouts, 1), 1.4, 2, 100, False, 1, False)

    def work() -> float:
        bot.step(state)
        return 2 * rollouts * length

    return timed(work)


def openspiel_search(name: str) -> Turn:
    """Play-outs of its search in C++."""
    import pyspiel

    game, state, length = _after_chance(name)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, SEARCHED, 100, False, 1, False)
    return searched(lambda: bot.step(state), length)


def pgx_batch(name: str) -> Turn:
    """Step, observation, mask and renewal of a batch, compiled for this processor."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    games = 1024
    env = pgx.make(name)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    choose = jax.jit(lambda key, mask: jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1))
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, games))

    now = clock()

    def turn() -> Done:
        nonlocal state, key
        key, one, other = jax.random.split(key, 3)
        actions, keys = choose(one, state.legal_action_mask), jax.random.split(other, games)
        jax.block_until_ready((actions, keys))
        begun = now()
        state = step(state, actions, keys)
        jax.block_until_ready(state)
        return Done(now() - begun, games)

    for _ in range(20):
        turn()
    return turn


def rlcard_python(name: str) -> Turn:
    """Complete games of its random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make(name)
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def work() -> int:
        trajectories, _ = env.run(is_training=False)
        return sum(len(line) // 2 for line in trajectories)

    return timed(work)


def pettingzoo_python(name: str) -> Turn:
    """A classic environment, with observation and mask."""
    import importlib

    return timed(agents(importlib.import_module(f"pettingzoo.classic.{name}").env()))


def chess_python() -> Turn:
    """Action by action from Python, until a game is over or has 300 moves."""
    import chess

    dice = random.Random(1)

    def work() -> int:
        board, count = chess.Board(), 0
        while count < 300 and not board.is_game_over():
            board.push(dice.choice(list(board.legal_moves)))
            count += 1
        return count

    return timed(work)


def fastcatan_game() -> Game:
    """Its random games."""
    import fastcatan

    dice, choices = random.Random(1), []
    for seed in range(LOOKED_AT):
        game = fastcatan.Env()
        game.reset(seed=seed)
        while not game.done:
            choices.append(len(game.legal_actions()))
            game.step(dice.choice(game.legal_actions()))
    return Game.of(LOOKED_AT, choices, fastcatan.SNAPSHOT_BYTES)


def openspiel_game(name: str) -> Game:
    """Its random games; how large a position is in memory it does not tell."""
    import pyspiel

    game, dice, choices = pyspiel.load_game(name), random.Random(1), []
    for _ in range(LOOKED_AT):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                choices.append(len(state.legal_actions()))
            state.apply_action(dice.choice(state.legal_actions()))
    return Game.of(LOOKED_AT, choices, 0)
