"""Copies and pickles of games and environments go on like the original, and independently of it."""

import copy
import pickle
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyspiel
import pytest

from elcapitan.board.figures import Figures, load, packaged
from elcapitan.bots.bot import Planner
from elcapitan.engine import play
from elcapitan.game.game import Game
from elcapitan.research import elcapitan_v0
from elcapitan.research.fleet import ALIGNMENT, Fleet
from elcapitan.research.openspiel import Observer
from elcapitan.research.plain_game import PlainGame
from elcapitan.research.vector_env import ElCapitanVectorEnv

Copier = Callable[[Any], Any]


def pickled(what: Any) -> Any:
    return pickle.loads(pickle.dumps(what))


WAYS = [copy.copy, copy.deepcopy, pickled]
each_way = pytest.mark.parametrize("way", WAYS, ids=["copy", "deepcopy", "pickle"])


def forms(kernel: Any) -> int:
    """For how many types of arguments a kernel was compiled."""
    return len(getattr(kernel, "signatures", ()))


@each_way
def test_plain_game(way: Copier) -> None:
    game, dice = PlainGame(Game.new(3, seed=2)), random.Random(1)
    for _ in range(20):
        game.play(dice.choice(game.legal()))
    twin = way(game)
    assert type(twin) is PlainGame
    moved = 0
    while not game.over:
        before, seat, legal = game.observe(0).tobytes(), game.seat, game.legal()
        assert (twin.seat, twin.legal(), twin.money) == (seat, legal, game.money)
        action = dice.choice(legal)
        twin.play(action)
        assert (game.observe(0).tobytes(), game.seat, game.legal()) == (before, seat, legal)
        game.play(action)
        assert game.observe(0).tobytes() == twin.observe(0).tobytes()
        moved += game.seat != seat
    assert twin.over and moved > 10


@each_way
def test_game(way: Copier) -> None:
    game, dice = Game.new(4, ["Porto"], seed=5), random.Random(2)
    for _ in range(15):
        game.play(dice.choice(game.legal()))
    game.forecast()
    twin, compiled = way(game), forms(play.look_at)
    assert twin.figures is game.figures and twin.events == game.events
    for _ in range(80):
        action = dice.choice(game.legal())
        before = game.position.tobytes()
        twin.play(action)
        assert game.position.tobytes() == before
        game.play(action)
        assert twin.position.tobytes() == game.position.tobytes() and twin.legal() == game.legal()
    assert twin.forecast() == game.forecast() and forms(play.look_at) == compiled
    twin.take_back(10)
    assert len(game.events) == len(twin.events) + 10


@pytest.mark.parametrize(
    ("way", "make"),
    [*((way, elcapitan_v0.raw_env) for way in WAYS), (copy.deepcopy, elcapitan_v0.env), (pickled, elcapitan_v0.env)],
)
def test_pettingzoo(way: Copier, make: Any) -> None:
    env, dice = make(players=3, stakes="rank"), random.Random(3)
    env.reset(seed=4)
    for _ in range(10):
        env.step(dice.choice(np.flatnonzero(env.last()[0]["action_mask"]).tolist()))
    twin = way(env)
    seats = set()
    for _ in range(3000):
        seen, again = env.last(), twin.last()
        assert env.agent_selection == twin.agent_selection and seen[1:] == again[1:]
        assert all((seen[0][name] == again[0][name]).all() for name in seen[0])
        if seen[2]:
            break
        seats.add(env.agent_selection)
        action = dice.choice(np.flatnonzero(seen[0]["action_mask"]).tolist())
        before = env.state().tobytes()
        twin.step(action)
        assert env.state().tobytes() == before
        env.step(action)
    assert seen[2] and len(seats) == 3 and env.rewards == twin.rewards
    env.reset()
    twin.reset()
    assert env.state().tobytes() == twin.state().tobytes()


def shown(fleet: Fleet) -> list[bytes]:
    arrays = (fleet.observations, fleet.last, fleet.legal, fleet.masks, fleet.seats, fleet.own, fleet.rewards)
    return [array.tobytes() for array in (*arrays, fleet.finished, fleet.actions, fleet.states, fleet.dealt)]


@each_way
@pytest.mark.parametrize(
    ("games", "others"), [(6, None), (6, "light"), pytest.param(300, "light", marks=pytest.mark.compiled)]
)
def test_fleet(way: Copier, games: int, others: str | None) -> None:
    with Fleet(games, 3, ["Lisboa"], seed=6, others=others, stakes="money", threads=2) as fleet:
        fleet.play(5, "uniform")
        with way(fleet) as twin:
            assert twin.figures is fleet.figures and shown(twin) == shown(fleet)
            for _ in range(30):
                before = shown(fleet)
                twin.play(4)
                assert shown(fleet) == before
                fleet.play(4)
                assert shown(twin) == shown(fleet)
            fleet.reset(9)
            twin.reset(9)
            assert shown(twin) == shown(fleet)


@each_way
def test_vector_env(way: Copier) -> None:
    envs = ElCapitanVectorEnv(6, players=2, stakes="money")
    envs.reset(seed=1)
    twin = way(envs)
    for _ in range(40):
        actions = envs.fleet.choose("light").copy()
        mine, others = envs.step(actions), twin.step(actions)
        assert all((mine[0][name] == others[0][name]).all() for name in mine[0])
        assert (mine[1] == others[1]).all() and (mine[2] == others[2]).all()
        assert np.shares_memory(others[0]["action_mask"], twin.fleet.legal)
        assert not np.shares_memory(others[0]["action_mask"], envs.fleet.legal)
    again, other = envs.reset()[0], twin.reset()[0]
    assert (again["observation"] == other["observation"]).all()
    envs.close()
    twin.close()


@each_way
def test_openspiel(way: Copier) -> None:
    game = pyspiel.load_game("elcapitan(players=3,tiles=Porto+Lisboa,stakes=rank,first=1)")
    same = way(game)
    assert str(same) == str(game) and same.setup == game.setup and same.stakes == game.stakes
    assert str(same.new_initial_state()) == str(game.new_initial_state())
    state, dice = game.new_initial_state(), random.Random(1)
    for _ in range(60):
        state.apply_action(dice.choice(state.legal_actions()))
    twin = way(state)
    for _ in range(40):
        before, action = str(state), dice.choice(state.legal_actions())
        twin.apply_action(action)
        assert str(state) == before
        state.apply_action(action)
        assert str(twin) == str(state) and twin.history() == state.history()
        assert twin.legal_actions() == state.legal_actions()


@each_way
def test_openspiel_observer(way: Copier) -> None:
    game = pyspiel.load_game("elcapitan(players=2)")
    seen = way(Observer())
    seen.set_from(game.new_initial_state(), 0)
    assert seen.dict["players"].tolist() == [1, 0, 0, 0] == seen.tensor[:4].tolist()


@each_way
def test_boards_stay_read_only(way: Copier) -> None:
    """A board that can be written is another type for the compiler: every kernel would be compiled once more."""
    own = Figures("mine", packaged().boards, packaged().cards, packaged().printed)
    assert way(load()) is load()
    assert not way(own).boards.flags.writeable
    assert (way(own).name, way(own).boards.tobytes()) == ("mine", own.boards.tobytes())
    assert not way(Planner("worth"))._weights.flags.writeable


@pytest.mark.parametrize("games", [1, 3, 7, 33])
@pytest.mark.parametrize("way", [lambda fleet: fleet, *WAYS], ids=["made", "copied", "deepcopied", "pickled"])
def test_shared_arrays_are_aligned(way: Copier, games: int) -> None:
    """JAX shares the memory of an array only if it begins at a multiple of 64 bytes."""
    fleet = way(Fleet(games, 5, seed=1))
    fleet.choose()
    shared: Sequence[Any] = (
        fleet.observations, fleet.last, fleet.legal, fleet.masks, fleet.seats, fleet.own,
        fleet.rewards, fleet.finished, fleet.actions, fleet.dealt, fleet.states,
    )  # fmt: skip
    assert ALIGNMENT == 64
    assert [array.ctypes.data % ALIGNMENT for array in shared] == [0] * len(shared)
    assert all(array.flags.c_contiguous for array in shared)
    assert np.shares_memory(np.from_dlpack(fleet.masks), fleet.masks)


def test_arrays_of_a_vector_env_are_aligned() -> None:
    envs = ElCapitanVectorEnv(3, players=2)
    seen, _ = envs.reset(seed=1)
    ends: dict[str, Any] = {}
    while not ends:
        seen, *_, infos = envs.step(envs.fleet.choose("light").copy())
        ends = infos.get("final_obs", {})
    assert all(array.ctypes.data % ALIGNMENT == 0 for array in (*seen.values(), *ends.values()))
