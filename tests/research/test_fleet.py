"""Many games at once are the same games as one by one."""

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from tests.research.plain_observation import plain

from elcapitan.engine import play
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.fleet import LEADER, FleetArrays, payoffs
from elcapitan.engine.jit import prepared
from elcapitan.engine.vocabulary import OVER, TILE_NAMES
from elcapitan.errors import BadSetup
from elcapitan.game.position_queries import legal_in
from elcapitan.research.fleet import STAKES, Fleet

TABLES = [(players, tiles) for players in range(2, 6) for tiles in ((), TILE_NAMES)]


def snapshot(fleet: Fleet, games: int) -> list[bytes]:
    """All arrays of the first games."""
    arrays = (fleet.observations, fleet.legal, fleet.masks, fleet.seats, fleet.rewards, fleet.finished, fleet.states)
    return [array[:games].tobytes() for array in arrays]


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_masks_and_observations_are_those_of_the_positions(players: int, tiles: Sequence[str]) -> None:
    fleet = Fleet(40, players, tiles, seed=3)
    for policy in ("light", "uniform"):
        fleet.play(60, policy)
        for i in range(fleet.games):
            one = fleet.states[i : i + 1].copy()
            legal = legal_in(one, fleet.figures, play.desks())
            assert np.flatnonzero(fleet.legal[i]).tolist() == legal
            assert np.flatnonzero(np.unpackbits(fleet.masks[i], bitorder="little")).tolist() == legal
            assert fleet.seats[i] == one[0].seat
            assert (fleet.observations[i] == plain(one[0], int(one[0].seat))).all()


@pytest.mark.compiled
def test_a_fleet_plays_the_same_games_as_one_by_one() -> None:
    fleet = Fleet(30, 3, ["Porto"], seed=5, stakes="money")
    single = fleet.states.copy()
    ended = 0
    while ended < 60:
        actions, acting = fleet.choose("light").copy(), fleet.seats.copy()
        fleet.step(actions)
        for i, action in enumerate(actions.tolist()):
            play.apply(single, i, fleet.figures.boards, action)
            play.turn_up(single, i, fleet.figures.boards)
        over = single["stage"] == OVER
        assert (fleet.finished == over).all()
        assert (fleet.rewards[~over] == 0).all()
        for i in np.flatnonzero(over).tolist():
            money = play.scores(single, i)
            lead = [(own - max(money[:seat] + money[seat + 1 :])) / 100 for seat, own in enumerate(money)]
            assert fleet.rewards[i].tolist() == pytest.approx(lead)
            assert (fleet.last[i] == plain(single[i], int(acting[i]))).all()
        ended += int(over.sum())
        single[over] = fleet.states[over]
        assert single.tobytes() == fleet.states.tobytes()


@pytest.mark.compiled
def test_a_game_depends_on_its_place_alone_not_on_how_many_there_are() -> None:
    alone, few, many = Fleet(1, 2, seed=9), Fleet(20, 2, seed=9), Fleet(700, 2, seed=9, threads=3)
    for _ in range(4):
        for fleet in (alone, few, many):
            fleet.play(150)
        assert snapshot(few, 20) == snapshot(many, 20)
        assert snapshot(alone, 1) == snapshot(many, 1)
    assert few.dealt.min() > 2
    many.close()


@pytest.mark.compiled
def test_a_seed_repeats_everything_and_another_one_nothing() -> None:
    with Fleet(300, 4, seed=1, threads=2) as fleet:
        begin = snapshot(fleet, 300)
        assert len({state.tobytes() for state in fleet.states}) == 300
        fleet.play(50)
        fleet.reset(2**63 + 5)
        assert snapshot(fleet, 300) != begin
        fleet.reset(1)
        assert snapshot(fleet, 300) == begin
        fleet.play(50)
        fleet.reset()
        assert snapshot(fleet, 300) == begin


def test_an_illegal_action_is_refused_and_changes_nothing_in_its_game() -> None:
    fleet = Fleet(4, 3, seed=1)
    before = fleet.states.copy()
    actions = fleet.choose().copy()
    actions[2] = np.flatnonzero(~fleet.legal[2])[0]
    with pytest.raises(ValueError, match="not legal in game 2"):
        fleet.step(actions)
    assert [fleet.states[i] == before[i] for i in range(4)] == [False, False, True, False]
    for beyond in (-1, -2):
        with pytest.raises(ValueError, match="numbers from 0 to 952"):
            fleet.step(np.full(4, beyond))
    with pytest.raises(ValueError, match="not legal in game"):
        fleet.step(np.full(4, N_ACTIONS + 1000))
    with pytest.raises(ValueError, match="seed"):
        fleet.reset(-1)
    with pytest.raises(BadSetup):
        Fleet(4, 6)


@pytest.mark.compiled
def test_others_play_all_seats_but_ones_own() -> None:
    fleet = Fleet(60, 4, seed=2, others="light", stakes="rank")
    owners, ended = set(), 0
    for _ in range(150):
        assert (fleet.seats == fleet.own).all()
        own = fleet.own.copy()
        fleet.step(fleet.choose("light"))
        assert (fleet.own[~fleet.finished] == own[~fleet.finished]).all()
        ended += int(fleet.finished.sum())
        assert fleet.rewards[fleet.finished].sum() == pytest.approx(2 * fleet.finished.sum())
        owners |= set(fleet.own.tolist())
    assert owners == {0, 1, 2, 3} and ended > 50


@pytest.mark.parametrize(
    ("money", "win", "rank", "lead"),
    [
        ((50, 20, 30), (1, 0, 0), (1, 0, 0.5), (0.2, -0.3, -0.2)),
        ((40, 40, -10), (0.5, 0.5, 0), (0.75, 0.75, 0), (0, 0, -0.5)),
        ((7, 7, 7), (1 / 3, 1 / 3, 1 / 3), (0.5, 0.5, 0.5), (0, 0, 0)),
    ],
)
def test_what_a_game_pays(money: Sequence[int], win: Any, rank: Any, lead: Any) -> None:
    states = play.states()
    states[0].players = len(money)
    states[0].cash[: len(money)] = money
    for stakes, paid in zip(STAKES, (win, rank, lead), strict=True):
        assert payoffs(states, 0, STAKES.index(stakes)) == pytest.approx(paid)


def test_arrays_are_shared_and_never_replaced() -> None:
    fleet = Fleet(8, 2, seed=4)
    shared = np.from_dlpack(fleet.observations)
    before = shared.copy()
    fleet.play(3)
    assert np.shares_memory(shared, fleet.observations) and (shared != before).any()
    for array in (fleet.legal, fleet.rewards, fleet.seats, fleet.masks, fleet.finished):
        assert np.shares_memory(np.from_dlpack(array), array)


def test_what_is_not_wanted_is_not_written() -> None:
    fleet = Fleet(8, 2, seed=4, observe=False, flags=False)
    fleet.play(5)
    assert fleet.observations.shape[0] == fleet.legal.shape[0] == fleet.last.shape[0] == 0
    other = Fleet(8, 2, seed=4)
    other.play(5)
    assert fleet.masks.tobytes() == other.masks.tobytes()


FAILING = """
from elcapitan.engine.fleet import LEADER
from elcapitan.research import fleet

made, dice = fleet.prepared, 2000

def with_few_dice(kernel, *arguments):
    step = made(kernel, *arguments)
    return lambda arrays, desk, turn: step(
        arrays if desk == LEADER else arrays._replace(dice=arrays.dice[:dice]), desk, turn
    )

fleet.prepared = with_few_dice
games = fleet.Fleet(2000, 2, seed=1, threads=2)
dice = 5  # the helper has dice for five games: with bounds checks an IndexError
for step in range(100_000):  # until the helper is awake early enough to take games from the leader
    try:
        games.play(1)
    except RuntimeError as error:
        print(type(error.__cause__).__name__, error)
        break
"""


@pytest.mark.compiled
def test_a_step_does_not_wait_for_a_thread_that_failed_in_the_middle_of_it() -> None:
    """The helper has taken games that it never finishes; without the fix the leader waits for them for ever."""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    answer = subprocess.run(
        [sys.executable, "-c", FAILING], env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    assert answer.stdout.startswith("IndexError a thread of this fleet failed")


@pytest.mark.compiled
def test_a_fleet_whose_thread_failed_goes_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = threading.Event()

    def breaking(kernel: Any, *arguments: Any) -> Callable[[FleetArrays, int, int], int]:
        step = prepared(kernel, *arguments)

        def stepped(arrays: FleetArrays, desk: int, turn: int) -> int:
            if desk != LEADER and broken.is_set():
                raise TypeError
            return int(step(arrays, desk, turn))

        return stepped

    monkeypatch.setattr("elcapitan.research.fleet.prepared", breaking)
    with Fleet(300, 2, seed=1, threads=2) as fleet:
        broken.set()
        with pytest.raises(RuntimeError, match="make a new fleet") as caught:
            fleet.play(1_000_000)  # until the helper is awake
        assert isinstance(caught.value.__cause__, TypeError)
        for ask in (lambda: fleet.step([0] * 300), fleet.reset, fleet.choose, lambda: pickle.dumps(fleet)):
            with pytest.raises(RuntimeError, match="make a new fleet"):
                ask()
