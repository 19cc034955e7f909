"""Games in portions for workers."""

from itertools import chain

import pytest

from elcapitan.arena.batches import LONG_ENOUGH, MOST, Batches
from elcapitan.arena.match import Batch


def batch(games: int, seconds: float) -> Batch:
    """A batch of which only number and time matter."""
    return Batch((None,) * games, seconds)  # type: ignore[arg-type]


def test_one_by_one_until_it_is_known_how_long_games_take() -> None:
    batches = Batches(100, 2)
    assert [len(next(batches)) for _ in range(3)] == [1, 1, 1]
    batches.note(batch(1, 5 * LONG_ENOUGH))
    assert len(next(batches)) == 1, "long games stay single"
    batches.note(batch(1, LONG_ENOUGH / 10))
    assert len(next(batches)) == 10
    batches.note(batch(1, LONG_ENOUGH))
    assert len(next(batches)) == 10, "the quickest game tells"


@pytest.mark.parametrize(("games", "workers"), [(1, 4), (10, 3), (997, 8)])
def test_every_game_is_handed_out_once(games: int, workers: int) -> None:
    batches = Batches(games, workers)
    batches.note(batch(1, LONG_ENOUGH / 50))
    assert list(chain.from_iterable(batches)) == list(range(games))


def test_the_last_games_are_shared_among_all_workers() -> None:
    batches = Batches(40, 4)
    batches.note(batch(1, LONG_ENOUGH / 1000))
    assert len(next(batches)) == 10


def test_a_batch_has_an_end() -> None:
    batches = Batches(10**6, 2)
    batches.note(batch(5, 0.0))
    assert len(next(batches)) == MOST
