"""Intervals hold the true figure as often as they claim, and ratings tell who is stronger."""

import random

import pytest
from openskill.models import PlackettLuce
from tests.experiments.arena.made_results import made

from elcapitan.experiments.arena.summary import (
    STUDENT,
    Z,
    clustered,
    clustered_share,
    mean_ranks,
    ratings,
    student,
    variance_of_mean,
    wilson,
    worth,
)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
        (1, 29, 0.0061, 0.1718),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilson_against_textbook_values(wins: int, games: int, low: float, high: float) -> None:
    found = wilson(wins / games, games)
    assert found.mean == wins / games
    assert found.low == pytest.approx(low, abs=6e-5) and found.high == pytest.approx(high, abs=6e-5)


def test_student() -> None:
    assert (student(1), student(4), student(30)) == (12.706, 2.776, 2.042)
    assert student(60) == pytest.approx(2.000, abs=0.001) and student(120) == pytest.approx(1.980, abs=0.001)
    assert list(STUDENT) == sorted(STUDENT, reverse=True) and student(31) < student(30)
    assert student(10**6) == pytest.approx(Z, abs=1e-5)


def test_deals_of_equal_size_are_one_observation_each() -> None:
    # The means of the deals are 1, 2 and 6: mean 3, variance 7, standard error sqrt(7 / 3).
    values, deals = [0, 2, 1, 3, 5, 7], ["x", "x", "y", "y", "z", "z"]
    assert variance_of_mean(values, deals) == pytest.approx(7 / 3)
    found = clustered(values, deals)
    half = 4.303 * (7 / 3) ** 0.5
    assert found.mean == 3
    assert found.low == pytest.approx(3 - half) and found.high == pytest.approx(3 + half)


def test_without_clusters_it_is_the_usual_standard_error() -> None:
    values = [3.0, 5.0, 4.0, 8.0]
    assert variance_of_mean(values, range(4)) == pytest.approx((4 + 0 + 1 + 9) / 3 / 4)


def test_one_deal_tells_nothing_about_the_spread() -> None:
    found = clustered([1, 2, 3], [0, 0, 0])
    assert (found.mean, found.low, found.high) == (2, None, None)
    assert worth([0, 1, 1], [0, 0, 0]) == 1


def test_correlated_deals_make_a_wider_interval() -> None:
    wins = [1.0, 0.0] * 40
    together, apart = [number % 2 + number // 8 * 2 for number in range(80)], [number // 4 for number in range(80)]
    # Together: all four games of a deal end alike. Apart: two of each four are won.
    alike, mixed = clustered_share(wins, together), clustered_share(wins, apart)
    assert alike.mean == mixed.mean == 0.5
    assert alike.low is not None and alike.high is not None and mixed.low is not None and mixed.high is not None
    assert alike.high - alike.low > 1.8 * (mixed.high - mixed.low)
    assert worth(wins, together) == 20, "as many as deals"
    assert mixed == wilson(0.5, 80), "never narrower than for independent games"


def test_who_wins_always_or_never_has_an_interval_all_the_same() -> None:
    deals = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert clustered_share([1.0] * 10, deals) == wilson(1, 5)
    assert clustered_share([0.0] * 10, deals) == wilson(0, 5)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    # A deal is good or bad for the bot: it wins there with 80 or with 20 of 100. The true share is one half.
    dice = random.Random(1)
    held, held_if_independent = 0, 0
    for _ in range(500):
        wins, deals = [], []
        for deal in range(40):
            chance = dice.choice((0.2, 0.8))
            wins += [float(dice.random() < chance) for _ in range(4)]
            deals += [deal] * 4
        share, plain = clustered_share(wins, deals), wilson(sum(wins) / 160, 160)
        assert share.low is not None and share.high is not None and plain.low is not None and plain.high is not None
        held += share.low <= 0.5 <= share.high
        held_if_independent += plain.low <= 0.5 <= plain.high
    assert 0.93 * 500 <= held <= 0.98 * 500
    assert held_if_independent < 0.88 * 500


def test_one_game_as_the_library_rates_it() -> None:
    model = PlackettLuce()
    second, first = model.rate([[model.rating()], [model.rating()]], ranks=[2, 1])
    found = ratings([made(0, ("a", "b"), (5, 9))])
    for bot, rating in (("a", second[0]), ("b", first[0])):
        assert found[bot].mu == pytest.approx(rating.mu) and found[bot].sigma == pytest.approx(rating.sigma)
    assert found["a"].mu < 25 < found["b"].mu


def test_the_order_is_that_of_strength_and_games_make_it_surer() -> None:
    some = ratings([made(number, ("c", "a", "b"), (10, 30, 20)) for number in range(5)])
    many = ratings([made(number, ("c", "a", "b"), (10, 30, 20)) for number in range(50)])
    assert many["a"].mu > many["b"].mu > many["c"].mu
    assert all(many[bot].sigma < some[bot].sigma < 25 / 3 for bot in "abc")


def test_later_games_count_more() -> None:
    lost, won = made(0, ("a", "b"), (1, 2)), made(1, ("a", "b"), (2, 1))
    up, down = ratings([lost, won])["a"].mu, ratings([won, lost])["a"].mu
    assert up != down and ratings([lost, won])["b"].mu == pytest.approx(down)


def test_a_bot_in_several_seats_takes_part_once() -> None:
    game = made(0, ("a", "b", "b", "b"), (30, 40, 20, 10))
    seats = [(merchant.bot, merchant.rank) for merchant in game.merchants]
    assert mean_ranks(seats) == {"a": 2, "b": pytest.approx((1 + 3 + 4) / 3)}
    found = ratings([game])
    assert found["a"].mu > 25 > found["b"].mu, "ahead of the mean of the others"
    even = ratings([made(0, ("a", "b", "b"), (20, 30, 10))])
    assert even["a"].mu == pytest.approx(even["b"].mu), "one beaten, one not"


def test_alone_a_bot_stays_where_everybody_begins() -> None:
    found = ratings([made(0, ("a", "a"), (1, 2))])
    assert found["a"].mu == 25 and found["a"].sigma == pytest.approx(25 / 3)
