"""Purses over time, and where their money came from."""

import pytest
from tests.playing import random_game
from tests.standing import TABLES

from elcapitan import look
from elcapitan.engine.jit import COMPILED
from elcapitan.game import Game
from elcapitan.purses import history, sources


@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_purses_are_those_of_the_positions(players: int, tiles: tuple[str, ...]) -> None:
    game = random_game(players, tiles, seed=players, most=150 if COMPILED else 30)
    moments = list(game.history())
    kept = {moment.number: moment for moment in history(game)}
    assert 0 in kept and len(moments) - 1 in kept and list(kept) == sorted(kept)
    known = kept[0]
    for number, moment in enumerate(moments):
        known = kept.get(number, known)
        merchants = look.merchants(moment.after[0], game.figures)
        assert known.money == tuple(merchant.cash for merchant in merchants)
        assert known.debts == tuple(merchant.debt for merchant in merchants)
        assert number not in kept or known.phase == int(moment.after[0].phase)
    assert len(kept) < len(moments)


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_sources_add_up(players: int, tiles: tuple[str, ...]) -> None:
    for most in (0, 7, 150):
        game = random_game(players, tiles, seed=players, most=most)
        assert [sum(books.values()) for books in sources(game)] == game.money


def test_before_the_deal_there_is_nothing_to_show() -> None:
    game = Game.bare(3, first=0)
    assert history(game) == []
