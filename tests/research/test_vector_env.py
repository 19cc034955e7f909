"""The vector environment as Gymnasium wants it."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from elcapitan.research.vector_env import ElCapitanVectorEnv


def test_spaces_and_arrays_fit() -> None:
    envs = ElCapitanVectorEnv(6, players=3, tiles=("Porto",), render_mode="ansi")
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    seen, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(seen) and infos["seat"].shape == (6,)
    dice = np.random.default_rng(1)
    for _ in range(20):
        actions = np.array([dice.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])
        assert envs.action_space.contains(actions)
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        assert envs.observation_space.contains(seen)
        assert rewards.shape == terminated.shape == truncated.shape == (6,) and not truncated.any()
    drawings = envs.render()
    assert drawings is not None and len(drawings) == 6 and "Marseille" in drawings[0]
    envs.close()


@pytest.mark.compiled
def test_rewards_belong_to_the_seat_that_acted() -> None:
    envs = ElCapitanVectorEnv(50, players=2, stakes="rank", copy=True)
    _, infos = envs.reset(seed=2)
    ended = 0
    while ended < 20:
        acting = infos["seat"]
        before = envs.fleet.choose("light").copy()
        seen, rewards, terminated, _, infos = envs.step(before)
        assert (rewards == infos["rewards"][np.arange(50), acting]).all()
        assert ("final_obs" in infos) == terminated.any()
        if terminated.any():
            assert (infos["_final_obs"] == terminated).all()
            final = infos["final_obs"]["observation"][terminated]
            assert (final != seen["observation"][terminated]).any(axis=1).all()
        ended += terminated.sum()


def test_one_seat_against_others() -> None:
    envs = ElCapitanVectorEnv(20, players=4, others="uniform")
    _, infos = envs.reset(seed=3)
    assert (infos["own"] == infos["seat"]).all()
    assert envs.render() is None


def test_seeds() -> None:
    envs = ElCapitanVectorEnv(5, players=2, copy=True)
    first, _ = envs.reset(seed=7)
    other, _ = envs.reset()
    again, _ = envs.reset(seed=7)
    assert (first["observation"] == again["observation"]).all()
    assert (first["observation"] != other["observation"]).any()
    with pytest.raises(gymnasium.error.Error, match="one seed"):
        envs.reset(seed=[1, 2, 3, 4, 5])
