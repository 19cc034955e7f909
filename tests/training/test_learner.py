"""The network while it learns: slopes, a small run, and going on from a checkpoint."""

import json
from pathlib import Path

import numpy as np
import pytest

from elcapitan.bots.network import read_network
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.network.evaluate import evaluate
from elcapitan.engine.network.features import CELLS, PRESENT_AT
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS, SEATS
from elcapitan.training import __main__ as training
from elcapitan.training.games import Games
from elcapitan.training.learner import Learner, backend

HIDDEN = (16, 12, 8)


def lessons(count: int, players: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and outcomes of chance."""
    rng = np.random.default_rng(seed)
    rows = (rng.random((count, CELLS)) < 0.2).astype(np.int8)
    rows[:, PRESENT_AT] = np.arange(SEATS) < players
    outcomes = np.zeros((count, 2 * SEATS), np.float32)
    outcomes[np.arange(count), rng.integers(0, players, count)] = 1
    outcomes[:, SEATS : SEATS + players] = rng.random((count, players))
    return rows, outcomes


def loss(learner: Learner, rows: np.ndarray, outcomes: np.ndarray) -> float:
    """What a step should make smaller."""
    entropy, money, _brier = learner.figures(rows, outcomes)
    return entropy + money


def test_the_slope_is_that_of_the_loss() -> None:
    """Compared with the change of the loss when a weight is changed a little, in double precision."""
    learner = Learner(np, HIDDEN, 1)
    rows, outcomes = lessons(20, 3, 1)
    for weights in (learner.weights, learner.average, learner.slope):
        weights.__init__(np, HIDDEN, weights.vector.astype(np.float64))  # type: ignore[misc]
    learner.gradient(rows, outcomes)
    slope = learner.slope.vector.copy()
    vector = learner.weights.vector
    for k in np.random.default_rng(2).choice(np.flatnonzero(np.abs(slope) > 1e-4), 40):
        before, tiny = vector[k], 1e-5
        vector[k] = before + tiny
        above = loss(learner, rows, outcomes)
        vector[k] = before - tiny
        below = loss(learner, rows, outcomes)
        vector[k] = before
        assert (above - below) / (2 * tiny) == pytest.approx(slope[k], rel=0.02, abs=1e-4)


def test_steps_make_the_loss_smaller() -> None:
    learner = Learner(np, HIDDEN, 1)
    rows, outcomes = lessons(300, 4, 3)
    before = loss(learner, rows, outcomes)
    for _ in range(60):
        learner.step(rows, outcomes, 3e-3)
    assert loss(learner, rows, outcomes) < 0.7 * before


def test_players_see_the_average() -> None:
    learner = Learner(np, HIDDEN, 1)
    rows, outcomes = lessons(50, 2, 3)
    before = evaluate(rows, learner.layers())
    for _ in range(20):
        learner.step(rows, outcomes, 1e-2)
    assert np.abs(evaluate(rows, learner.layers()) - before).max() > 1e-4


def test_a_learner_goes_on_as_if_it_had_never_stopped() -> None:
    rows, outcomes = lessons(50, 2, 3)
    whole, first, second = (Learner(np, HIDDEN, 1) for _ in range(3))
    for _ in range(6):
        whole.step(rows, outcomes, 1e-3)
    for _ in range(3):
        first.step(rows, outcomes, 1e-3)
    second.restore(first.state())
    for _ in range(3):
        second.step(rows, outcomes, 1e-3)
    assert (second.weights.vector == whole.weights.vector).all()
    assert (second.average.vector == whole.average.vector).all() and second.steps == whole.steps


@pytest.mark.compiled
def test_lessons_tell_how_games_ended() -> None:
    """With a memory of everything, each row gets the result, turned to the seat that moved."""
    games = Games(8, [(3, 0, DEFAULT_OPTIONS)], 5, captains=0, learning=True)
    layers = Learner(np, HIDDEN, 1).layers()
    count = 0
    while not count:
        count = games.advance(lambda rows: evaluate(rows, layers), 0.2, 0.1, 1.0)
    ended = np.flatnonzero(games.dealing.ended)
    ending = games.dealing.outcome[ended[0]]
    outcomes = games.lessons.outcomes[: count // len(ended)]
    for begin in (0, SEATS):
        seats = slice(begin, begin + 3)
        assert np.allclose(np.sort(outcomes[:, seats], axis=1), np.sort(ending[seats]))
    assert (outcomes[:, :3].sum(axis=1) == 1).all() and not outcomes[:, 3:SEATS].any()
    best = outcomes[:, SEATS : SEATS + 3].argmax(axis=1)
    assert (outcomes[np.arange(len(outcomes)), best] > 0).all()


@pytest.mark.compiled
def test_what_games_teach_makes_the_loss_of_other_games_smaller() -> None:
    """A tiny training without threads and clock: games against itself, some steps, and games that it has not seen."""
    games, learner = Games(16, [(2, 0, DEFAULT_OPTIONS)], 5, captains=0, learning=True), Learner(np, HIDDEN, 1)
    layers, seen, found = learner.layers(), 0, []
    while seen < 2000:
        count = games.advance(lambda rows: evaluate(rows, layers), 0.2, 0.1, 1.0)
        seen += count
        found.append((games.lessons.rows[:count].copy(), games.lessons.outcomes[:count].copy()))
    rows, outcomes = (np.concatenate(each) for each in zip(*found, strict=True))
    half = len(rows) // 2
    before = loss(learner, rows[half:], outcomes[half:])
    for step in range(60):
        batch = slice(step % 8, half, 8)
        learner.step(rows[batch], outcomes[batch], 3e-3)
    assert loss(learner, rows[half:], outcomes[half:]) < 0.7 * before


@pytest.mark.compiled
def test_a_short_run_learns_and_can_be_gone_on_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "--threads 1 --games 16 --test-games 2 --batch 64 --ring 20000 --least 300 --hidden 16,12,8 --mix 2:0:1"
    first = [*words.split(), "--tests", "2:0", "--out", str(tmp_path / "first")]
    assert COMPILED
    assert training.main([*first, "--minutes", "0.06"]) == 0
    network = read_network((tmp_path / "first" / "network.npz").read_bytes(), "network.npz")
    assert network.recipe["mix"] == "2:0:1" and int(network.recipe["steps"]) > 0
    again = [*first, "--minutes", "0.03", "--resume", str(tmp_path / "first" / "last.npz")]
    assert training.main(again) == 0
    recipe = read_network((tmp_path / "first" / "network.npz").read_bytes(), "network.npz").recipe
    assert int(recipe["steps"]) > int(network.recipe["steps"])
    assert json.loads(recipe["earlier"]) == network.recipe
    assert capsys.readouterr().err == ""


def test_one_game_in_five_has_other_table_options() -> None:
    found = training.setups("4:0:3,2:7:1")
    usual = [each for each in found if each[2] == DEFAULT_OPTIONS]
    assert len(usual) / len(found) == pytest.approx(0.8)
    assert sum(each[0] == 4 for each in found) == 3 * sum(each[0] == 2 for each in found)
    assert {each[:2] for each in found} == {(4, 0), (2, 7)}


def test_without_a_gpu_it_is_numpy() -> None:
    assert backend(gpu=False) is np
