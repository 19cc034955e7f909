"""One game of the schedule, and batches of games for workers."""

import json
import pickle
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest
from tests.experiments.arena.toy_bots import LOWEST

from elcapitan.board.figures import packaged
from elcapitan.experiments.arena import games
from elcapitan.experiments.arena.games import LONG_ENOUGH, MOST, Batch, Batches, Config, fixture
from elcapitan.game.game import Game
from elcapitan.records import json_record as record

FOLDER = Path(__file__).parents[2] / "games"


def test_a_result_is_that_of_the_record() -> None:
    config = Config((LOWEST,), 3, games=3, seed=2)
    played = games.play_game(config, fixture(config, 1), with_record=True)
    written = json.loads(played.record or "")
    result = played.result
    assert (result.number, result.deal, result.rotation, result.first) == (1, 0, 1, written["first"])
    assert [merchant.money for merchant in result.merchants] == written["result"]["money"]
    assert [merchant.rank for merchant in result.merchants] == written["result"]["ranks"]
    winners = [merchant.seat for merchant in result.merchants if merchant.win]
    assert winners == written["result"]["winners"] and sum(merchant.win for merchant in result.merchants) == 1
    assert result.actions == sum("do" in event for event in written["events"])


def test_positions_are_counted_from_whoever_begins() -> None:
    game = Game.new(3, first=2, seed=1)
    merchants = games.result_of(game, fixture(Config(("a", "b", "c"), 3), 0), (None,) * 3).merchants
    assert [(merchant.bot, merchant.position) for merchant in merchants] == [("a", 1), ("b", 2), ("c", 0)]


def test_a_shared_victory_is_a_fraction_for_each() -> None:
    (path,) = FOLDER.glob("??-2-base--*shared-victory*.json")
    game = record.from_json(json.loads(path.read_text(encoding="utf-8")))
    merchants = games.result_of(game, fixture(Config(("a", "b"), 2), 0), (None, None)).merchants
    assert [(merchant.win, merchant.rank, merchant.fault) for merchant in merchants] == [
        (0.5, 1, None),
        (0.5, 1, None),
    ]


@pytest.mark.parametrize(
    ("money", "failed", "ranks", "wins"),
    [
        ((50, 40, 30), (), (1, 2, 3), (1, 0, 0)),
        ((50, 40, 30), (0,), (3, 1, 2), (0, 1, 0)),  # the stand-in was the richest: that is not the program's victory
        ((50, 40, 30), (2,), (1, 2, 3), (1, 0, 0)),
        ((50, 40, 40), (0,), (3, 1, 1), (0, 0.5, 0.5)),
        ((40, 40, 30), (0,), (3, 1, 2), (0, 1, 0)),
        ((50, 40, 30, 20), (0, 3), (3, 1, 2, 3), (0, 1, 0, 0)),
        ((50, 40), (0, 1), (2, 2), (0, 0)),
    ],
)
def test_a_program_that_fails_forfeits(
    money: Sequence[int], failed: Sequence[int], ranks: Sequence[int], wins: Sequence[float]
) -> None:
    faults = ["lied" if seat in failed else None for seat in range(len(money))]
    assert games.standing(money, faults) == (list(ranks), list(wins))


def test_a_board_that_has_travelled_is_read_only() -> None:
    config = pickle.loads(pickle.dumps(Config((LOWEST,), board=packaged())))
    assert not config.board.boards.flags.writeable


def batch(games: int, seconds: float) -> Batch:
    """A batch of which only number and time matter."""
    return Batch((None,) * games, seconds)  # type: ignore[arg-type]


def test_one_by_one_until_it_is_known_how_long_games_take() -> None:
    batches = Batches(range(100), 2)
    assert [len(next(batches)) for _ in range(3)] == [1, 1, 1]
    batches.note(batch(1, 5 * LONG_ENOUGH))
    assert len(next(batches)) == 1, "long games stay single"
    batches.note(batch(1, LONG_ENOUGH / 10))
    assert len(next(batches)) == 10
    batches.note(batch(1, LONG_ENOUGH))
    assert len(next(batches)) == 10, "the quickest game tells"


@pytest.mark.parametrize(("games", "workers"), [(1, 4), (10, 3), (997, 8)])
def test_every_game_is_handed_out_once(games: int, workers: int) -> None:
    batches = Batches(range(games), workers)
    batches.note(batch(1, LONG_ENOUGH / 50))
    assert list(chain.from_iterable(batches)) == list(range(games))


def test_the_last_games_are_shared_among_all_workers() -> None:
    batches = Batches(range(40), 4)
    batches.note(batch(1, LONG_ENOUGH / 1000))
    assert len(next(batches)) == 10


def test_a_batch_has_an_end() -> None:
    batches = Batches(range(10**6), 2)
    batches.note(batch(5, 0.0))
    assert len(next(batches)) == MOST
