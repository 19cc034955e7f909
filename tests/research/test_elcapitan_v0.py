"""The PettingZoo environment passes PettingZoo's own tests, and plays our game."""

import random
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from tests.research.plain_observation import plain

from elcapitan.engine.vocabulary import TILE_NAMES
from elcapitan.game.game import Game
from elcapitan.research import elcapitan_v0

TABLES = [(2, ()), (3, ("Lisboa",)), (4, TILE_NAMES), (5, ("Porto", "Islas Canarias"))]


@pytest.mark.filterwarnings("ignore::UserWarning")  # that observations are dictionaries is what it warns of
@pytest.mark.parametrize(("players", "tiles"), TABLES)
@pytest.mark.parametrize("stakes", elcapitan_v0.STAKES)
def test_pettingzoo_accepts_it(players: int, tiles: Sequence[str], stakes: str) -> None:
    env = elcapitan_v0.env(players=players, tiles=tiles, stakes=stakes)
    api_test(env, num_cycles=300)


def test_a_seed_repeats_a_game() -> None:
    seed_test(lambda: elcapitan_v0.env(players=3, tiles=("Porto",)), num_cycles=120)


def test_it_can_be_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    custom = {"svg": lambda picture: ET.fromstring(picture).tag.endswith("svg")}
    render_test(lambda **how: elcapitan_v0.env(players=2, **how), custom_tests=custom)
    assert "Marseille" in capsys.readouterr().out


def test_pettingzoo_measures_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10_000))
    monkeypatch.setattr("time.time", lambda: next(clock) / 100)  # five seconds pass in some hundred cycles
    performance_benchmark(elcapitan_v0.env())
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_a_whole_game_is_the_game_of_its_seed(players: int, tiles: Sequence[str]) -> None:
    env, game = elcapitan_v0.raw_env(players, tiles, stakes="rank"), Game.new(players, tiles, seed=11)
    env.reset(seed=11)
    dice = random.Random(3)
    while not game.over:
        assert env.agent_selection == f"merchant_{game.seat}"
        seen, reward, terminated, truncated, _ = env.last()
        assert seen is not None and not (reward or terminated or truncated)
        assert np.flatnonzero(seen["action_mask"]).tolist() == game.legal()
        assert game.seat is not None and (seen["observation"] == plain(game.position, game.seat)).all()
        other = env.observe(f"merchant_{(game.seat + 1) % players}")
        assert not other["action_mask"].any()
        action = dice.choice(game.legal())
        game.play(action)
        env.step(action)
    assert all(env.terminations.values())
    best = max(env.rewards.values())
    assert [seat for seat in range(players) if env.rewards[f"merchant_{seat}"] == best] == game.winners
    assert sum(env.rewards.values()) == pytest.approx(players / 2)


def test_max_cycles_truncate_everybody() -> None:
    env = elcapitan_v0.env(players=3, max_cycles=25)
    env.reset(seed=1)
    actions = 0
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        assert not terminated and truncated == (actions == 25)
        action: Any = None if truncated else int(np.flatnonzero(seen["action_mask"])[0])
        actions += action is not None
        env.step(action)
        assert agent in env.possible_agents
    assert actions == 25 and env.agents == []


def test_games_without_a_seed_follow_from_the_last_one() -> None:
    def deals(seed: int) -> list[bytes]:
        env = elcapitan_v0.raw_env(players=2)
        env.reset(seed=seed)
        rows = [env.state().tobytes()]
        for _ in range(2):
            env.reset()
            rows.append(env.state().tobytes())
        return rows

    assert deals(5) == deals(5) and len(set(deals(5))) == 3 and deals(6)[0] != deals(5)[0]


def test_wrong_arguments_get_a_sentence() -> None:
    with pytest.raises(ValueError, match="stakes is one of win, rank, money, not x"):
        elcapitan_v0.env(stakes="x")
    with pytest.raises(ValueError, match="render_mode is one of human, ansi, svg, not x"):
        elcapitan_v0.env(render_mode="x")


def test_an_illegal_action_is_refused_and_nothing_happens() -> None:
    env = elcapitan_v0.raw_env(players=2)
    env.reset(seed=1)
    before = env.state()
    for action in (410, -1, 953, None):
        with pytest.raises(ValueError, match=r"is not legal now.*(\[[A-Z]+-\d+\]|0 to 952)"):
            env.step(action)
    assert (env.state() == before).all() and env.render() is None
