"""The environments as Gymnasium makes them."""

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from elcapitan.errors import IllegalAction
from elcapitan.research.gymnasium import NAME, ElCapitanEnv
from elcapitan.research.vector_env import ElCapitanVectorEnv


def turns(env: Any, seen: Any, count: int, seed: int = 1) -> list[Any]:
    """What happens if random actions are played, with games one after another."""
    dice, told = np.random.default_rng(seed), []
    for _ in range(count):
        seen, reward, over, _, info = env.step(int(dice.choice(np.flatnonzero(seen["action_mask"]))))
        told.append((seen["observation"].tobytes(), reward, over, info["own"]))
        if over:
            assert not seen["action_mask"].any() and not env.unwrapped.action_masks().any()
            assert len(info["money"]) == env.unwrapped.fleet.setup.players
            seen, _ = env.reset()
    return told


@pytest.mark.compiled
@pytest.mark.parametrize("arguments", [{}, {"players": 2, "others": "captain", "stakes": "money", "shaping": 0.01}])
def test_gymnasium_accepts_it(arguments: dict[str, Any]) -> None:
    with warnings.catch_warnings():  # nothing is even warned of
        warnings.simplefilter("error")
        check_env(gymnasium.make(NAME, **arguments).unwrapped)
        check_env(gymnasium.make(NAME, render_mode="svg", **arguments).unwrapped)


def test_make_imports_what_registers_it() -> None:
    env = gymnasium.make(f"elcapitan.research.gymnasium:{NAME}", players=3, render_mode="ansi")
    seen, info = env.reset(seed=5)
    assert env.observation_space.contains(seen) and 0 <= info["own"] < 3
    assert "Marseille" in str(env.render())
    env.close()


def test_one_game_and_many_have_the_same_opponents_by_default() -> None:
    envs: Any = gymnasium.make_vec(NAME, num_envs=2)
    one: Any = gymnasium.make(NAME)
    assert envs.unwrapped.fleet.others == one.unwrapped.fleet.others == "light"
    assert gymnasium.make_vec(NAME, num_envs=2, others=None).unwrapped.fleet.others is None  # type: ignore[attr-defined]
    for kind in (ElCapitanEnv, ElCapitanVectorEnv):
        with pytest.raises(ValueError, match="render_mode is one of ansi"):
            kind(2, render_mode="x")


@pytest.mark.compiled
def test_a_game_of_many_is_the_same_as_alone() -> None:
    """And after its end the next one begins, in both."""
    envs: Any = gymnasium.make_vec(NAME, num_envs=3, players=2, others="light", copy=True)
    assert isinstance(envs.unwrapped, ElCapitanVectorEnv)
    seeds = [11, 12, 13]
    singles = [ElCapitanEnv(2) for _ in seeds]
    many, _ = envs.reset(seed=seeds)
    alone = [env.reset(seed=seed)[0] for env, seed in zip(singles, seeds, strict=True)]
    dice, ended = np.random.default_rng(1), 0
    for _ in range(500):
        for i, seen in enumerate(alone):
            assert (many["observation"][i] == seen["observation"]).all()
            assert (many["action_mask"][i] == seen["action_mask"]).all()
        actions = np.array([dice.choice(np.flatnonzero(mask)) for mask in many["action_mask"]])
        many, rewards, over, _, infos = envs.step(actions)
        for i, env in enumerate(singles):
            alone[i], reward, ends, _, _ = env.step(actions[i])
            assert (reward, ends) == (rewards[i], over[i])
            if ends:
                assert (alone[i]["observation"] == infos["final_obs"]["observation"][i]).all()
                alone[i], _ = env.reset()
                ended += 1
    assert ended > 3


def test_a_seed_repeats_the_games_and_no_seed_goes_on() -> None:
    env = ElCapitanEnv(2, stakes="rank")
    first = turns(env, env.reset(seed=3)[0], 30)
    assert turns(env, env.reset(seed=3)[0], 30) == first
    assert turns(env, env.reset()[0], 30) != first
    other = ElCapitanEnv(2)
    assert other.reset()[0]["observation"].shape == (951,), "without any seed"


def test_an_illegal_action_names_the_rule() -> None:
    env = ElCapitanEnv(3)
    seen, _ = env.reset(seed=1)
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    after, reward, over, _, info = env.step(np.int64(illegal))
    assert (after["observation"] == seen["observation"]).all() and (reward, over) == (0, False)
    assert info["illegal"].endswith("]") and "[" in info["illegal"]
    assert "0 to 952" in env.step(np.int64(953))[4]["illegal"]
    for wrong in (1.0, "1", None, np.zeros(2, np.int64)):
        with pytest.raises(TypeError):
            env.step(wrong)  # type: ignore[arg-type]
    env = ElCapitanEnv(3, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalAction) as caught:
        env.step(np.int64(illegal))
    assert str(caught.value) == info["illegal"]
    with pytest.raises(ValueError, match="illegal is one of stay, raise"):
        ElCapitanEnv(3, illegal="x")


@pytest.mark.compiled
def test_after_the_end_a_game_must_be_dealt() -> None:
    env = ElCapitanEnv(2, others="uniform", shaping=0.01)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))
    env.reset(seed=1)
    over, total, begun = False, 0.0, float(env._shaping.potentials()[0, env.fleet.own[0]])  # type: ignore[union-attr]
    while not over:
        _, reward, over, _, info = env.step(env.fleet.choose()[0])
        total += reward
    own = info["own"]
    win = float(env.fleet.rewards[0, own])
    assert total == pytest.approx(win + 0.01 * info["money"][own] - begun, abs=1e-3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_alone(way: Any) -> None:
    env = ElCapitanEnv(3, others="light", shaping=0.1)
    seen, _ = env.reset(seed=2)
    twin = way(env)
    there = turns(twin, seen, 40)
    assert turns(env, seen, 40) == there
