"""A fleet draws actions by logits, whatever the logits lie in and on however many threads."""

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from elcapitan.engine.actions import N_ACTIONS
from elcapitan.research import sampling
from elcapitan.research.fleet import Fleet


def some_logits(games: int, seed: int = 1) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).normal(0, 2, (games, N_ACTIONS)).astype(np.float32)


@pytest.mark.compiled
def test_what_is_drawn_is_legal_and_depends_on_the_place_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "WORTH_A_THREAD", 100)
    with Fleet(700, 3, seed=4, threads=3) as many:
        few, logits = Fleet(20, 3, seed=4), some_logits(700)
        for _ in range(120):
            actions, log_probs = many.sample(logits)
            assert many.legal[np.arange(700), actions].all() and (log_probs <= 0).all()
            few_actions, few_log_probs = few.sample(logits[:20])
            assert (few_actions == actions[:20]).all() and (few_log_probs == log_probs[:20]).all()
            assert actions is many.actions and log_probs is many.sample(logits, 0)[1]
            many.step(many.sample(logits)[0])
            few.step(few.sample(logits[:20])[0])
            assert (few.states == many.states[:20]).all()


@pytest.mark.compiled
def test_a_draw_is_as_frequent_as_its_softmax() -> None:
    fleet, logits = Fleet(1, 4, seed=2), some_logits(1)
    legal = np.flatnonzero(fleet.legal[0])
    counts = np.zeros(N_ACTIONS)
    for _ in range(20_000):
        counts[fleet.sample(logits, 2.0)[0]] += 1
    expected = np.exp(logits[0, legal] / 2.0)
    expected *= 20_000 / expected.sum()
    chi_square = ((counts[legal] - expected) ** 2 / expected).sum()
    assert counts[legal].sum() == 20_000 and chi_square < len(legal) + 5 * np.sqrt(2 * len(legal))


def test_a_step_plays_what_was_drawn_and_a_copy_draws_the_same() -> None:
    fleet, logits = Fleet(6, 2, seed=3), some_logits(6)
    twin = deepcopy(fleet)
    for each in (fleet, twin):
        for _ in range(3):
            each.sample(logits)
            each.step()
    assert (fleet.states == twin.states).all()
    twin.reset(3)
    for _ in range(3):
        twin.sample(logits)
        twin.step()
    assert (fleet.states == twin.states).all()


def test_a_game_without_an_action_is_refused() -> None:
    fleet, logits = Fleet(4, 2, seed=3), some_logits(4)
    before = fleet.states.copy()
    logits[2, np.flatnonzero(fleet.legal[2])[0]] = np.nan
    with pytest.raises(ValueError, match="no action can be drawn in game 2"):
        fleet.sample(logits)
    with pytest.raises(ValueError, match="numbers from 0 to 952"):
        fleet.step()
    assert (fleet.states == before).all()


@pytest.mark.parametrize(
    ("wrong", "error", "sentence"),
    [
        (some_logits(4).astype(np.float64), TypeError, "float32, not float64"),
        (some_logits(4).astype(">f4"), TypeError, "float32, not >f4"),
        (np.zeros((4, N_ACTIONS), np.int64), TypeError, "float32, not int64"),
        ("0.5", TypeError, "float32, not <U3"),
        (None, TypeError, "float32, not object"),
        (SimpleNamespace(dtype="torch.bfloat16"), TypeError, "float32, not torch.bfloat16"),
        (some_logits(5), ValueError, r"shape \(4, 953\).*not \(5, 953\)"),
        (some_logits(4)[:, :-1], ValueError, r"not \(4, 952\)"),
        (some_logits(4)[0], ValueError, r"not \(953,\)"),
        (np.asfortranarray(some_logits(4)), ValueError, "without gaps"),
        (some_logits(8)[::2], ValueError, "without gaps"),
    ],
)
def test_wrong_logits_get_a_sentence(wrong: Any, error: type[Exception], sentence: str) -> None:
    fleet = Fleet(4, 2, seed=3)
    with pytest.raises(error, match=sentence):
        fleet.sample(wrong)


def test_logits_may_be_read_only_and_temperatures_are_checked() -> None:
    fleet, logits = Fleet(4, 2, seed=3), some_logits(4)
    expected = deepcopy(fleet).sample(logits)[0].copy()
    logits.flags.writeable = False
    assert (fleet.sample(logits)[0] == expected).all()
    temperatures: tuple[Any, ...] = (-1.0, float("nan"), float("inf"), "1", None, np.ones(4))
    for temperature in temperatures:
        with pytest.raises(ValueError, match="temperature is a number from 0 up"):
            fleet.sample(logits, temperature)
