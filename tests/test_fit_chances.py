"""The tool that calibrates win chances: games that can be played again, and figures that say what they should."""

from pathlib import Path

import numpy as np
import pytest

import fit_chances
from elcapitan.bots import chances
from elcapitan.bots.chances import win_chances
from elcapitan.engine.vocabulary import OVER


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiled"), [(2, False), (5, True)])
def test_a_batch_is_the_same_whenever_it_is_played(monkeypatch: pytest.MonkeyPatch, players: int, tiled: bool) -> None:
    monkeypatch.setattr(fit_chances, "GAMES", 6)
    first, again, other = (fit_chances.Table(players, tiled, (1, 2, batch)).play() for batch in (3, 3, 4))
    assert first.positions.tobytes() == again.positions.tobytes() != other.positions.tobytes()
    assert (first.money == again.money).all() and (first.levels == again.levels).all()
    assert (first.positions["stage"] != OVER).all(), "positions in which somebody is to decide"
    assert set(first.positions["players"].tolist()) == {players}
    assert ((first.positions["tiles"] != 0) == tiled).all()
    assert (first.turn >= 1).all() and len(set(first.turn.tolist())) > 1


@pytest.mark.compiled
def test_what_is_reported_is_what_is_offered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fit_chances, "GAMES", 4)
    monkeypatch.setattr(fit_chances, "GROUPS", ((3, True),))
    monkeypatch.setattr(fit_chances, "FITTED_BATCHES", 1)
    fit_chances.play_batches(tmp_path, 3, seed=5)
    assert sorted(path.stem for path in tmp_path.iterdir()) == [
        "fit-3-tiles-000",
        *(f"report-3-tiles-{batch:03}" for batch in range(3)),
    ]
    sample = fit_chances.sample_of(tmp_path, "report", 3, tiled=True)
    assert len({path.read_bytes() for path in tmp_path.iterdir() if path.stem[-4] == "-"}) == 4, "no games twice"
    assert sample.share.shape == (12, 3) and sample.share.sum(axis=1) == pytest.approx(1)
    said, florins, _spread = fit_chances.said_of(sample, 3, tiled=True)
    with np.load(tmp_path / "report-3-tiles-000.npz") as found:
        views = fit_chances.views_of(found["positions"])
    for k, view in enumerate(views):
        offered = win_chances(view)
        assert offered is not None
        assert said[k] == pytest.approx(offered.win) and florins[k] == pytest.approx(offered.money)
    fit_chances.play_batches(tmp_path, 3, seed=6)
    assert (fit_chances.sample_of(tmp_path, "report", 3, tiled=True).money == sample.money).all(), "not played again"


def test_weights_are_found_again() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(20_000, 3, 2))
    expected = chances.softmax(inputs @ np.array([1.5, -0.5]))
    share = np.eye(3)[(rng.random((20_000, 1)) > expected.cumsum(axis=1)).sum(axis=1)]
    assert fit_chances.most_likely(inputs, share, np.zeros(2)) == pytest.approx([1.5, -0.5], abs=0.05)


def test_chances_that_are_right_are_near_the_diagonal_and_others_are_not() -> None:
    rng = np.random.default_rng(2)
    said = rng.random(100_000)
    happened = (rng.random(100_000) < said).astype(float)
    error, (told, mean, low, high) = fit_chances.reliability(said, happened)
    assert error < 0.01 and low - 0.01 < told < high + 0.01 and low < mean < high
    less_often = (rng.random(100_000) < said**2).astype(float)
    error, (told, _mean, low, high) = fit_chances.reliability(said, less_often)
    assert error == pytest.approx(1 / 6, abs=0.01) and not low < told < high


def test_the_interval_of_a_share() -> None:
    low, high = fit_chances.wilson(0.5, 1000)
    assert (low, high) == pytest.approx((0.4594, 0.5406), abs=1e-4)
    assert fit_chances.wilson(0.0, 100)[0] == pytest.approx(0)
