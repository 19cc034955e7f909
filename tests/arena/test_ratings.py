"""Ratings: the order is that of strength, and nobody plays against itself."""

import pytest
from openskill.models import PlackettLuce
from tests.arena.making import made

from elcapitan.arena.ratings import mean_ranks, ratings


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
    assert mean_ranks(game) == {"a": 2, "b": pytest.approx((1 + 3 + 4) / 3)}
    found = ratings([game])
    assert found["a"].mu > 25 > found["b"].mu, "ahead of the mean of the others"
    even = ratings([made(0, ("a", "b", "b"), (20, 30, 10))])
    assert even["a"].mu == pytest.approx(even["b"].mu), "one beaten, one not"


def test_alone_a_bot_stays_where_everybody_begins() -> None:
    found = ratings([made(0, ("a", "a"), (1, 2))])
    assert found["a"].mu == 25 and found["a"].sigma == pytest.approx(25 / 3)
