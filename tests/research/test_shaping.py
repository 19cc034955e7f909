"""Shaped rewards are differences of potentials."""

from typing import Any

import numpy as np
import pytest

from elcapitan.engine import play
from elcapitan.position.facts import DecodedPosition
from elcapitan.research.fleet import Fleet
from elcapitan.research.shaping import Shaping


def test_the_potential_is_cash_and_income_less_debts() -> None:
    fleet = Fleet(12, 3, ["Porto"], seed=8)
    fleet.play(40)
    potentials = Shaping(fleet, 0.25).potentials()
    assert potentials.shape == (12, 3) and potentials.dtype == np.float32
    forecasts = play.forecasts(12)
    play.forecast_all(fleet.states, fleet.figures.boards, forecasts)
    owing = 0
    for i in range(12):
        for merchant in DecodedPosition.of(fleet.states[i], fleet.figures).merchants:
            income = int(forecasts[i].total[merchant.seat])
            assert potentials[i, merchant.seat] == 0.25 * (merchant.cash + income - merchant.debt)
            owing += merchant.debt > 0
    assert owing > 0 and (forecasts["total"] > 0).any()


class AnyLegal:
    """A player of the other seats."""

    dice = np.random.default_rng(1)

    def choose_many(self, _rows: Any, legal: Any) -> Any:
        return np.where(legal, self.dice.random(legal.shape), -1).argmax(axis=1)


@pytest.mark.compiled
@pytest.mark.parametrize("others", [None, "light", "captain", AnyLegal()])
@pytest.mark.parametrize("end", ["money", "zero"])
def test_the_rewards_of_a_game_add_up(others: Any, end: str) -> None:
    """To the potential at the end less that at the beginning, for every seat."""
    fleet = Fleet(20, 3, seed=5, others=others)
    shaping, ended = Shaping(fleet, 0.01, end=end), 0
    begun, total = shaping.potentials(), np.zeros((20, 3))
    while ended < 20:
        fleet.step(fleet.choose("light"))
        total += shaping.step()
        over = fleet.finished
        final = 0.01 * fleet.money if end == "money" else np.zeros((20, 3))
        assert total[over] == pytest.approx((final - begun)[over], abs=1e-3)
        assert total[~over] == pytest.approx((shaping.potentials() - begun)[~over], abs=1e-3)
        total[over], begun[over] = 0, shaping.potentials()[over]
        ended += over.sum()


@pytest.mark.compiled
def test_with_a_discount_the_potential_after_a_step_counts_less() -> None:
    fleet = Fleet(10, 2, seed=5)
    shaping, plain = Shaping(fleet, 0.01, discount=0.9), Shaping(fleet, 0.01)
    for _ in range(400):
        before = plain.potentials()
        fleet.step(fleet.choose("light"))
        after = plain.step() + before
        assert shaping.step() == pytest.approx(0.9 * after - before, abs=1e-5)


def test_after_a_reset_what_was_before_does_not_count() -> None:
    fleet = Fleet(3, 2, seed=5)
    shaping = Shaping(fleet)
    fleet.play(30)
    shaping.reset()
    fleet.choose()
    assert not shaping.step().any()
    with pytest.raises(ValueError, match="end is one of money, zero, not x"):
        Shaping(fleet, end="x")
    for wrong in (float("nan"), -0.1, "0.1"):
        with pytest.raises(ValueError, match="the scale of shaping is a number from 0 up"):
            Shaping(fleet, wrong)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="a discount is a number from 0 up"):
            Shaping(fleet, discount=wrong)  # type: ignore[arg-type]
