"""The chances to win and the final money of all seats in any position, by the network that the champion plays by.

The network values positions after a plan, seen from the seat that moved. Two things are made of that: what the deciding
seat can make of its turn by the best of its plans, and the position as it stands, seen from each of the other seats as
if it had just moved. Both are about as exact, but their errors differ, so a weighted mean is better in every kind of
game. A third estimate is the captain's: it is rougher, but stays sound in positions that good players never meet, and
with two players that counts most. All three take a quarter to half a millisecond. Where a card is to be turned up, the
only plan is the position itself. Once the game is over, the result is exact [END-05].

`data/chances.toml` weighs the three for tables at which weak and strong players meet, for each number of players,
without tiles and with any, and each phase. `tools/fit_chances.py` finds these numbers, and reports on other games how
often those won who were said to.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

import numpy as np

from elcapitan.bots.bot import View, weights
from elcapitan.bots.champion import ParallelGames, rotated
from elcapitan.bots.network import Network, packaged_network
from elcapitan.engine.network.turns import MONEY_UNIT
from elcapitan.engine.record import Float32s, Float64s
from elcapitan.engine.rng import generator
from elcapitan.engine.search.worth import N_FEATURES
from elcapitan.engine.vocabulary import OVER, PHASES, REVEAL, SEATS

FILE: Final = "chances.toml"
SEED: Final = 1  # of the cards face down: the same question gets the same answer
LEAST: Final = 1e-6  # a chance that is not told apart from none
KNOTS: Final = np.log(np.array([0.1, 0.3, 0.6, 0.9]) / np.array([0.9, 0.7, 0.4, 0.1]))  # where the curve may bend

Group = tuple[int, bool, int]  # players, whether there are tiles, phase


@dataclass(frozen=True, slots=True)
class Chances:
    """The expected result of every seat, by seat."""

    win: tuple[float, ...]  # the share of the win: 1 in all, divided among those who tie
    money: tuple[float, ...]  # at the end
    spread: tuple[float, ...]  # how far from that it usually is: the standard deviation


class Calibration(NamedTuple):
    """The weights of the three estimates, in one phase of one kind of game."""

    plan: float  # of the logarithms of the chances
    others: float
    captain: float  # of its estimate of the money, in units of how far from that it usually is
    decider: float  # added to the seat that is to decide
    money_plan: float  # of the money
    money_others: float
    money_captain: float
    florins: float  # added to it
    spread: float  # the standard deviation of what is left
    curve: tuple[float, ...]  # of what `curve_inputs` makes of the chances so weighed; the same in all phases


class Estimates(NamedTuple):
    """The three estimates of a position, each by seat: logarithms of chances, then money in units of 100 florins."""

    plan: Float64s  # by the network, after the best plan
    others: Float64s  # by the network, from the other seats, on average
    captain: Float64s  # by a captain's estimate, in the place of the chances in units of its spread


def win_chances(view: View, network: Network | None = None) -> Chances | None:
    """Return the expected result of every seat in a position; None on a board that the network was not trained on.

    `network` takes the place of the one that comes with the package.
    """
    network = network or packaged_network(view.players)
    if not network.fits(view.boards):
        return None
    if view.states[0].stage == OVER:
        result = _valued(view, network).outcomes_by_seat()[0]
        win, money = result[: view.players], result[SEATS : SEATS + view.players] * MONEY_UNIT
        return Chances(tuple(win.tolist()), tuple(money.round().tolist()), (0.0,) * view.players)
    return calibrated(estimate(view, network), view, calibrations()[group_of(view)])


def estimate(view: View, network: Network) -> Estimates:
    """Estimate a position in three ways."""
    game, seat, players = _valued(view, network), view.seat, view.players
    others = [other for other in range(players) if other != seat]
    seen = [rotated(row[None], other, players)[0] for row, other in zip(game.seen_from(others), others, strict=True)]
    by_plan, money = game.outcomes_by_seat(), game.captains_estimate()
    usual = weights("worth")[players - 2, min(int(view.states[0].phase), PHASES) - 1, N_FEATURES]
    captain = np.concatenate([money / usual, money / MONEY_UNIT])
    return Estimates(_with_logarithms(by_plan), _with_logarithms(np.array(seen)), captain)


def _valued(view: View, network: Network) -> ParallelGames:
    """Begin a game in the position, and value the plans of its turn."""
    game = ParallelGames(1)
    game.begin(view, network.layers, generator(SEED))
    game.advance()
    return game


def _with_logarithms(outcomes: Float32s) -> Float64s:
    """Return the mean of some outcomes, with the logarithms of the chances in the place of these."""
    found = outcomes.astype(np.float64)
    found[:, :SEATS] = np.log(np.maximum(found[:, :SEATS], LEAST))
    mean: Float64s = found.mean(axis=0)
    return mean


def calibrated(seen: Estimates, view: View, by: Calibration) -> Chances:
    """Combine the estimates of a position, weighed by a calibration."""
    players = view.players
    mixed = by.plan * seen.plan + by.others * seen.others + by.captain * seen.captain
    if view.states[0].stage != REVEAL:
        mixed[view.seat] += by.decider
    weighed = softmax(mixed[:players])
    win = softmax(curve_inputs(weighed) @ np.array(by.curve))
    money = by.money_plan * seen.plan + by.money_others * seen.others + by.money_captain * seen.captain
    florins = money[SEATS : SEATS + players] * MONEY_UNIT + by.florins
    return Chances(tuple(win.tolist()), tuple(florins.tolist()), (by.spread,) * players)


def softmax(logarithms: Float64s) -> Float64s:
    """Turn logarithms of odds into chances, along the last axis."""
    odds = np.exp(logarithms - logarithms.max(axis=-1, keepdims=True))
    found: Float64s = odds / odds.sum(axis=-1, keepdims=True)
    return found


def curve_inputs(weighed: Float64s) -> Float64s:
    """Return the inputs of a curve that corrects chances which are too high in one range and too low in another.

    For each chance these are its logarithm, that of its odds, and by how much this is beyond each of the knots. With
    weights of 1, 0, 0 ... the chances stay as they are.
    """
    near = np.clip(weighed, LEAST, 1 - LEAST)
    logit = np.log(near / (1 - near))
    return np.stack([np.log(near), logit, *(np.maximum(0, logit - knot) for knot in KNOTS)], axis=-1)


def group_of(view: View) -> Group:
    """Return the number of players, whether there are tiles, and the phase: what a calibration is for."""
    state = view.states[0]
    return view.players, bool(state.tiles), min(int(state.phase), PHASES)


@cache
def calibrations() -> dict[Group, Calibration]:
    """Read the calibrations that come with the package."""
    found = tomllib.loads((resources.files("elcapitan") / "data" / FILE).read_text("utf-8"))
    return {
        (players, tiled, phase): Calibration(**group[f"phase{phase}"], curve=tuple(group["curve"]))
        for players in range(2, SEATS + 1)
        for tiled in (False, True)
        for group in (found[f"players{players}"]["tiles" if tiled else "plain"],)
        for phase in range(1, PHASES + 1)
    }
