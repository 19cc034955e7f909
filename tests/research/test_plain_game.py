"""A game without checks is the same game."""

import pickle
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from tests.standing import TABLES

from elcapitan.engine import fleet
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.errors import BadSetup, IllegalAction
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


@pytest.mark.parametrize(("players", "tiles"), TABLES)
@pytest.mark.parametrize("agreed", [{}, {"first": 1, "options": {"reopen_shuts": True}}])
def test_it_deals_what_a_game_deals(players: int, tiles: Sequence[str], agreed: dict[str, Any]) -> None:
    for seed in (0, 5, 2**32 + 7, HIGHEST_SEED):
        dealt = Game.new(players, tiles, seed=seed, **agreed)
        plain = PlainGame.new(players, tiles, seed=seed, **agreed)
        assert plain.__getstate__() == PlainGame(dealt).__getstate__()
        assert plain.legal() == dealt.legal() and not plain.over


def test_it_deals_no_game_that_cannot_be_set_up() -> None:
    assert PlainGame.new(2).legal()
    wrongs: list[dict[str, Any]] = [{"players": 6}, {"players": 3, "first": 3}, {"players": 2, "seed": -1}]
    for wrong in wrongs:
        with pytest.raises(BadSetup):
            PlainGame.new(**wrong)


def test_actions_are_a_view_that_the_next_action_overwrites() -> None:
    game = PlainGame.new(4, seed=1)
    view, listed = game.actions, game.legal()
    assert len(view) == len(listed) > 1 and view[-1] == listed[-1] and list(view) == listed
    assert {random.Random(seed).choice(view) for seed in range(400)} == set(listed)
    game.play(view[0])
    assert list(view) != listed and game.legal() == list(game.actions)
    with pytest.raises(TypeError, match="read-only"):
        game.actions[0] = 1
    while not game.over:
        game.play(game.actions[len(game.actions) // 2])
    assert len(game.actions) == 0 and game.legal() == []


def test_an_action_may_come_from_numpy() -> None:
    game, same = PlainGame.new(3, seed=4), PlainGame.new(3, seed=4)
    for _ in range(20):
        action = game.legal()[0]
        game.play(action)
        same.play(np.int16(action))  # type: ignore[arg-type]
    assert game.__getstate__() == same.__getstate__()


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
        for wrong in (1.0, "1", None):
            with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
                way.play(wrong)  # type: ignore[arg-type]
        for seat in (-1, 3):
            with pytest.raises(ValueError, match="a seat is a number from 0 to 2"):
                way.observe(seat)
        assert way.observe(0).tobytes() == before
    dice = random.Random(1)
    while not game.over:
        game.play(dice.choice(game.legal()))
    with pytest.raises(IllegalAction, match="END-01"):
        game.play(0)
