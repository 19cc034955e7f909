"""Many games at once are the same games as one by one."""

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from tests.playing import other_board
from tests.research.plain_observation import plain

from elcapitan.bots.bot import View
from elcapitan.bots.registry import create
from elcapitan.engine import play
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.fleet import LEADER, FleetArrays, payoffs
from elcapitan.engine.jit import prepared
from elcapitan.engine.rng import generator
from elcapitan.engine.vocabulary import OVER, TILE_NAMES
from elcapitan.errors import BadSetup
from elcapitan.game.position_queries import legal_in, without_secrets
from elcapitan.research import sampling
from elcapitan.research.fleet import STAKES, Fleet
from elcapitan.research.layout import part

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
    with pytest.raises(ValueError, match=r"not legal in game 2.*\[[A-Z]+-\d+\]"):
        fleet.step(actions)
    assert [fleet.states[i] == before[i] for i in range(4)] == [False, False, True, False]
    with pytest.raises(BadSetup):
        Fleet(4, 6)


@pytest.mark.parametrize(
    ("wrong", "error", "sentence"),
    [
        *((np.full(4, beyond), ValueError, "numbers from 0 to 952") for beyond in (-1, -2, N_ACTIONS, 2**40)),
        (np.full(4, 2**63, np.uint64), ValueError, "numbers from 0 to 952"),
        (np.zeros(3, np.int64), ValueError, r"shape \(4,\).*not \(3,\)"),
        (np.zeros((4, 1), np.int64), ValueError, r"not \(4, 1\)"),
        (7, ValueError, r"not \(\)"),
        (np.zeros(4), TypeError, "whole numbers, not float64"),
        (np.zeros(4, np.bool_), TypeError, "whole numbers, not bool"),
        ([None] * 4, TypeError, "whole numbers, not object"),
    ],
)
def test_wrong_arrays_of_actions_get_a_sentence(wrong: Any, error: type[Exception], sentence: str) -> None:
    fleet = Fleet(4, 3, seed=1)
    before = fleet.states.copy()
    with pytest.raises(error, match=sentence):
        fleet.step(wrong)
    assert (fleet.states == before).all()


def test_actions_of_any_width_and_with_gaps_are_taken() -> None:
    fleets = [Fleet(4, 3, seed=1) for _ in range(3)]
    actions = fleets[0].choose().copy()
    for fleet, same in zip(
        fleets, (actions.astype(np.int16), np.repeat(actions, 2)[::2], actions.tolist()), strict=True
    ):
        fleet.step(same)
    assert (fleets[0].states == fleets[1].states).all() and (fleets[0].states == fleets[2].states).all()


def test_wrong_seeds_get_a_sentence() -> None:
    fleet = Fleet(4, 3, seed=1)
    for wrong, error in (
        (-1, ValueError),
        (2**64, ValueError),
        (1.5, TypeError),
        ("1", TypeError),
        ("1234", TypeError),
        ([1, 2], ValueError),
        (np.zeros(4), TypeError),
    ):
        with pytest.raises(error, match="seed"):
            fleet.reset(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"others": "x"}, "others is one of uniform, light, trader, captain, champion:sims=1, not x"),
        ({"others": 3}, "others is one of .*, not 3"),
        ({"stakes": "x"}, "stakes is one of win, rank, money, not x"),
        ({"games": 0}, "at least one of its games, not 0"),
        ({"threads": -1}, "at least one of its threads, not -1"),
        ({"threads": 0}, "at least one of its threads, not 0"),
        ({"threads": 1.5}, "the number of threads is a whole number, not 1.5"),
        ({"games": "4"}, "the number of games is a whole number, not '4'"),
    ],
)
def test_wrong_terms_of_a_fleet_get_a_sentence(wrong: Any, sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=sentence):
        Fleet(**{"games": 4, **wrong})


def test_only_policies_without_thought_choose() -> None:
    fleet = Fleet(4)
    for ask in (lambda: fleet.choose("captain"), lambda: fleet.play(1, "captain")):
        with pytest.raises(ValueError, match="policy is one of uniform, light, not captain"):
            ask()


@pytest.mark.compiled
def test_with_a_seed_for_each_place_its_games_are_those_of_a_fleet_of_one() -> None:
    seeds = [5, 2**63 + 1, 5]
    fleet, alone = Fleet(3, 2, others="light"), [Fleet(1, 2, seed=seed, others="light") for seed in seeds]
    fleet.reset(np.array(seeds, np.uint64))
    for _ in range(150):
        assert [each.states[0] == state for each, state in zip(alone, fleet.states, strict=True)] == [True] * 3
        for each in (fleet, *alone):
            each.step(each.choose())
    assert fleet.dealt.min() > 1 and fleet.states[0] == fleet.states[2] != fleet.states[1]


def test_games_are_renewed_where_it_is_wanted() -> None:
    fleet, same = Fleet(3, 2, seed=7, others="light"), Fleet(3, 2, seed=7, others="light")
    fleet.step(fleet.choose())
    before = fleet.states.copy()
    fleet.renew([False, True, False])
    assert (fleet.states == before).tolist() == [True, False, True]
    assert fleet.dealt.tolist() == [1, 2, 1] and not fleet.finished.any()
    same.renew(np.full(3, True))
    assert fleet.states[1] == same.states[1]
    with pytest.raises(TypeError, match="by an array of bool, not int64"):
        fleet.renew([0, 2, 0])
    with pytest.raises(ValueError, match=r"has the shape \(3,\), not \(1,\)"):
        fleet.renew([True])


OPPONENTS = ("trader", "captain", "champion:sims=1")


@pytest.mark.compiled
@pytest.mark.parametrize("others", OPPONENTS)
def test_levels_play_all_seats_but_ones_own(others: str) -> None:
    """The same games, whatever the number of threads and of games; a copy goes on in the same way."""
    with Fleet(36, 3, seed=2, others=others, stakes="rank", threads=2) as many:
        few, ended, steps = Fleet(3, 3, seed=2, others=others, stakes="rank"), 0, 200
        for step in range(steps):
            assert (many.seats == many.own).all() and (many.states["seat"] == many.own).all()
            own = many.own.copy()
            if step == steps // 2:
                few = deepcopy(few)
            for fleet in (many, few):
                fleet.step(fleet.choose("light"))
            assert snapshot(few, 3) == snapshot(many, 3)
            over = many.finished
            assert (many.own[~over] == own[~over]).all()
            assert many.rewards[over].sum() == pytest.approx(1.5 * over.sum())
            assert (many.rewards[~over] == 0).all()
            for i in np.flatnonzero(over):
                cash = part(many.last[i : i + 1], "florins")[0, :3].astype(np.int64)
                assert (np.roll(256 * cash[:, 1] + cash[:, 0], own[i]) == many.money[i]).all()
            ended += int(over.sum())
        assert ended > 20 and len(set(many.own.tolist())) == 3


@pytest.mark.compiled
@pytest.mark.parametrize("others", OPPONENTS)
def test_levels_play_like_the_bots_of_that_name(others: str) -> None:
    fleet, dice = Fleet(12, 2, seed=6, others=others), generator(1)
    for _ in range(12):
        before, own = fleet.states.copy(), fleet.own.copy()
        actions = fleet.choose("light").copy()
        fleet.step(actions)
        for i in np.flatnonzero(~fleet.finished).tolist():
            game, bot = before[i : i + 1].copy(), create(others)
            play.apply(game, 0, fleet.figures.boards, int(actions[i]))
            play.turn_up(game, 0, fleet.figures.boards)
            while game[0].seat != own[i]:
                view = View(without_secrets(game), fleet.figures.boards)
                action = bot.choose(view, legal_in(game, fleet.figures, play.desks()), dice)
                play.apply(game, 0, fleet.figures.boards, action)
                play.turn_up(game, 0, fleet.figures.boards)
            assert game.tobytes() == fleet.states[i : i + 1].tobytes()


@pytest.mark.compiled
def test_choosing_and_playing_go_on_against_a_level() -> None:
    fleet, same = Fleet(4, 2, seed=5, others="captain"), Fleet(4, 2, seed=5, others="captain")
    fleet.play(3)
    for _ in range(3):
        same.choose()
        same.step()
    assert (fleet.seats == fleet.own).all() and (same.seats == same.own).all()
    assert fleet.legal[np.arange(4), fleet.actions].all()


@pytest.mark.compiled
def test_without_its_threads_a_fleet_goes_on_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "WORTH_A_THREAD", 10)
    fleets = [Fleet(100, 2, seed=1, others="captain", threads=3) for _ in range(2)]
    logits = np.zeros((100, N_ACTIONS), np.float32)
    fleets[0].sample(logits)
    fleets[0].close()
    fleets[1].sample(logits)
    for fleet in fleets:
        for _ in range(5):
            fleet.sample(logits)
            fleet.step()
    assert snapshot(fleets[0], 100) == snapshot(fleets[1], 100)
    fleets[1].close()


def test_the_network_plays_only_on_the_board_that_it_knows() -> None:
    with pytest.raises(ValueError, match="network was not trained for this board"):
        Fleet(2, 3, others="champion:sims=1", figures=other_board())


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
