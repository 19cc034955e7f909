"""Actions drawn by logits are those of a plain computation with the same random numbers."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from elcapitan.engine import sampling
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.record import zeros
from elcapitan.engine.rng import Generator
from elcapitan.engine.state import WORDS

GAMES = 40
LOW_32 = 0xFFFFFFFF


def mix(x: int) -> int:
    x = ((x ^ x >> 16) * 0x85EBCA6B) & LOW_32
    x = ((x ^ x >> 13) * 0xC2B2AE35) & LOW_32
    return x ^ x >> 16


def random_number(low: int, high: int, count: int) -> float:
    """What the generator of the engine draws, between 0 and 1."""
    drawn = mix((mix((count * 0x9E3779B9 + low) & LOW_32) + high + 0x7F4A7C15) & LOW_32)
    return (drawn + 0.5) / 2**32


class Draw:
    """Some legal actions and logits, and what the kernel makes of them."""

    def __init__(self, seed: int = 1) -> None:
        dice = np.random.default_rng(seed)
        self.legal = dice.random((GAMES, N_ACTIONS)) < np.linspace(0.01, 1, GAMES)[:, None]
        self.legal[:, [0, 63, 64, 127]] = True  # both ends of words
        self.logits = dice.normal(0, 4, (GAMES, N_ACTIONS)).astype(np.float32)
        self.dice = zeros(Generator, GAMES)
        self.dice["rng"][:] = dice.integers(0, 2**32, (GAMES, 3))
        self.actions, self.log_probs = np.zeros(GAMES, np.int64), np.zeros(GAMES, np.float32)

    def sample(self, temperature: float = 1.0) -> int:
        bits = np.zeros((GAMES, WORDS * 64), np.bool_)
        bits[:, :N_ACTIONS] = self.legal
        masks = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
        odds, arrays = np.zeros((1, WORDS * 64 + 1)), (self.actions, self.log_probs)
        return sampling.sample(masks, self.logits, temperature, self.dice, odds, *arrays, 0, 0, GAMES)

    def odds(self, temperature: float = 1.0) -> npt.NDArray[np.float64]:
        """The softmax of the legal logits."""
        rows = np.where(self.legal, self.logits.astype(np.float64) / temperature, -np.inf)
        odds = np.exp(rows - rows.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("temperature", [1.0, 0.3, 5.0])
def test_actions_are_drawn_by_the_softmax(temperature: float) -> None:
    given = Draw()
    for _ in range(20):
        before = given.dice["rng"].copy()
        assert given.sample(temperature) == sampling.ALL_DRAWN
        odds = given.odds(temperature)
        drawn = np.array([random_number(*row) for row in before.tolist()])
        assert given.actions.tolist() == (odds.cumsum(axis=1) <= drawn[:, None]).sum(axis=1).tolist()
        assert np.abs(given.log_probs - np.log(odds[np.arange(GAMES), given.actions])).max() < 1e-5
        assert (given.dice["rng"][:, 2] == before[:, 2] + 1).all()


def test_without_temperature_the_likeliest_action_is_taken() -> None:
    given = Draw()
    given.logits[3, :] = 2.0  # of equals, the first
    before = given.dice.copy()
    assert given.sample(0.0) == sampling.ALL_DRAWN
    odds = given.odds()
    assert given.actions.tolist() == odds.argmax(axis=1).tolist()
    assert given.actions[3] == np.flatnonzero(given.legal[3])[0]
    assert np.abs(given.log_probs - np.log(odds.max(axis=1))).max() < 1e-5
    assert (given.dice == before).all()


def test_minus_infinity_rules_an_action_out() -> None:
    given = Draw()
    given.logits[:, 1::2] = -np.inf
    for temperature in (1.0, 1e-300, 1e300, 0.0):
        assert given.sample(temperature) == sampling.ALL_DRAWN
        assert (given.actions % 2 == 0).all() and np.isfinite(given.log_probs).all()
    assert given.legal[np.arange(GAMES), given.actions].all()


def test_logits_of_illegal_actions_are_not_read() -> None:
    given, other = Draw(), Draw()
    other.logits[~other.legal] = np.resize([np.nan, np.inf, 1e30], int((~other.legal).sum()))
    assert given.sample() == other.sample() == sampling.ALL_DRAWN
    assert (given.actions == other.actions).all() and (given.log_probs == other.log_probs).all()


@pytest.mark.parametrize("wrong", ["masked", math.nan, math.inf, -math.inf])
def test_a_game_in_which_nothing_can_be_drawn_is_named(wrong: str | float) -> None:
    given = Draw()
    if isinstance(wrong, str):
        given.legal[7] = False
    elif wrong == -math.inf:
        given.logits[7] = wrong
    else:
        given.logits[7, 64] = wrong
    before = given.dice.copy()
    assert given.sample() == 7
    assert given.actions[7] == sampling.UNDRAWN and given.log_probs[7] == 0
    assert (given.dice["rng"][:, 2] - before["rng"][:, 2]).tolist() == [int(i != 7) for i in range(GAMES)]
    assert (np.delete(given.actions, 7) >= 0).all()
