"""One game: what came of it is what its record says."""

import json
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.arena.toys import LOWEST

from elcapitan.arena import match
from elcapitan.arena.schedule import Config, fixture
from elcapitan.figures import packaged
from elcapitan.game import Game
from elcapitan.notation import record

FOLDER = Path(__file__).parents[1] / "games"


def test_a_result_is_that_of_the_record() -> None:
    config = Config((LOWEST,), 3, games=3, seed=2)
    played = match.play_game(config, fixture(config, 1), with_record=True)
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
    merchants = match._result(game, fixture(Config(("a", "b", "c"), 3), 0), (None,) * 3).merchants
    assert [(merchant.bot, merchant.position) for merchant in merchants] == [("a", 1), ("b", 2), ("c", 0)]


def test_a_shared_victory_is_a_fraction_for_each() -> None:
    (path,) = FOLDER.glob("??-2-base--*shared-victory*.json")
    game = record.from_json(json.loads(path.read_text(encoding="utf-8")))
    merchants = match._result(game, fixture(Config(("a", "b"), 2), 0), (None, None)).merchants
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
    assert match.standing(money, faults) == (list(ranks), list(wins))


def test_a_board_that_has_travelled_is_read_only() -> None:
    config = pickle.loads(pickle.dumps(Config((LOWEST,), board=packaged())))
    assert not config.board.boards.flags.writeable
