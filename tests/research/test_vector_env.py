"""The vector environment as Gymnasium wants it."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from elcapitan.research.shaping import Shaping
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


def test_with_a_seed_for_each_game_one_like_another_deals_the_same() -> None:
    envs = ElCapitanVectorEnv(4, players=3, others="light", copy=True)
    first, _ = envs.reset(seed=[4, 9, None, 4])
    assert (first["observation"][0] == first["observation"][3]).all()
    again, _ = envs.reset(seed=[9, 4, None, 1])
    assert (first["observation"][:2] == again["observation"][[1, 0]]).all()
    assert (first["observation"][2] != again["observation"][2]).any()
    with pytest.raises(ValueError, match="2 seeds for 4 games"):
        envs.reset(seed=[1, 2])


@pytest.mark.compiled
def test_shaped_rewards_of_ones_own_seat() -> None:
    """They add up to the money at the end of a game, less the potential at its beginning."""
    envs = ElCapitanVectorEnv(30, players=3, stakes="money", others="light", shaping=0.5)
    _, infos = envs.reset(seed=2)
    shaping, every = Shaping(envs.fleet, 0.5), np.arange(30)
    begun, total, ended = shaping.potentials()[every, infos["own"]], np.zeros(30), 0
    while ended < 30:
        own = infos["own"]
        _, rewards, over, _, infos = envs.step(envs.fleet.choose("light"))
        total += rewards
        expected = envs.fleet.rewards[every, own] + 0.5 * envs.fleet.money[every, own] - begun
        assert total[over] == pytest.approx(expected[over], abs=1e-3)
        total[over], ended = 0, ended + over.sum()
        begun[over] = shaping.potentials()[every, infos["own"]][over]
