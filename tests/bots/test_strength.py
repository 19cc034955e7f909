"""A level is stronger than the one before it: a few games with fixed seeds, far from chance."""

import pytest
from tests.bots.asked_bots import play_game

pytestmark = pytest.mark.compiled


def share(one: str, others: str, games: int) -> float:
    """The share of games with four seats that one player wins against three others."""
    won = 0.0
    for seed in range(games):
        seat = seed % 4
        game = play_game([one if each == seat else others for each in range(4)], seed=seed)
        won += game.win_shares[seat]
    return won / games


def test_a_trader_beats_wanderers() -> None:
    assert share("trader", "wanderer", 24) > 0.7


def test_a_captain_beats_traders() -> None:
    assert share("captain", "trader", 24) > 0.5


@pytest.mark.parametrize(("stronger", "weaker"), [(40, 0), (70, 30), (100, 60)])
def test_a_stronger_helmsman_beats_weaker_ones(stronger: int, weaker: int) -> None:
    assert share(f"helmsman:strength={stronger}", f"helmsman:strength={weaker}", 24) > 0.45


def test_a_navigator_beats_captains() -> None:
    assert share("navigator", "captain", 8) > 0.3


def test_more_thought_is_better() -> None:
    assert share("admiral:sims=300", "navigator:sims=10", 8) > 0.4
