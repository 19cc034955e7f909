"""A game without checks is the same game."""

import pickle
import random
from collections.abc import Sequence

import numpy as np
import pytest
from tests.standing import TABLES

from elcapitan.engine import fleet
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.errors import IllegalAction
from elcapitan.game.game import Game
from elcapitan.research.layout import CELLS
from elcapitan.research.plain_game import PlainGame


@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_it_is_the_game_that_it_began_with(players: int, tiles: Sequence[str]) -> None:
    checked, dice = Game.new(players, tiles, seed=players), random.Random(1)
    for _ in range(30):
        checked.play(dice.choice(checked.legal()))
    plain = PlainGame(checked)
    while not plain.over:
        assert plain.legal() == checked.legal() and plain.seat == checked.seat
        action = dice.choice(plain.legal())
        plain.play(action)
        checked.play(action)
    assert checked.over and plain.money == checked.money


def test_a_copy_is_independent() -> None:
    game = PlainGame(Game.new(3, seed=2))
    twin = game.copy()
    before = game.legal()
    twin.play(before[0])
    assert twin.legal() != before == game.legal()
    game.play(before[0])
    assert twin.legal() == game.legal() and twin.seat == game.seat


def test_a_seat_sees_what_every_environment_shows_it() -> None:
    checked = Game.new(4, seed=3)
    row = np.zeros((1, CELLS), np.int8)
    fleet.look(checked.view_for(2), 0, 2, row, 0)
    assert (PlainGame(checked).observe(2) == row[0]).all()


def test_cards_must_come_from_somewhere() -> None:
    told = Game.bare(2, first=0)
    with pytest.raises(ValueError, match=r"see Game\.shuffle"):
        PlainGame(told)
    told.shuffle(5)
    assert PlainGame(told).legal() == told.legal()


def test_a_checked_game_names_the_rule_of_an_illegal_action() -> None:
    game = PlainGame(Game.new(3, seed=1), check=True)
    illegal = next(number for number in range(N_ACTIONS) if number not in game.legal())
    for way in (game, game.copy(), pickle.loads(pickle.dumps(game))):
        before = way.observe(0).tobytes()
        with pytest.raises(IllegalAction, match=r"\[[A-Z]+-\d+\]"):
            way.play(illegal)
        with pytest.raises(IllegalAction, match="952"):
            way.play(N_ACTIONS)
        assert way.observe(0).tobytes() == before
    dice = random.Random(1)
    while not game.over:
        game.play(dice.choice(game.legal()))
    with pytest.raises(IllegalAction, match="END-01"):
        game.play(0)
