"""Find the weights by which planning players judge positions, and write them to the data file.

Planning players play themselves; for positions on the way the features of every seat are noted, and the money it had
in the end. Least squares find the weights. The first round is played by players that count this payday's income, the
following by those just found; of all the sets found the one that does best against the others is kept.
"""

import argparse
import itertools
import tomllib
from pathlib import Path

import numpy as np
import numpy.typing as npt

from elcapitan.board.figures import packaged
from elcapitan.bots.bot import WEIGHED, WEIGHTS_FILE, weights
from elcapitan.engine import play, think
from elcapitan.engine.rng import generator
from elcapitan.engine.search.worth import N_FEATURES, WEIGHTS_SHAPE, Weights
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS, PHASES, SEATS

DATA = Path(__file__).parents[1] / "src" / "elcapitan" / "data" / WEIGHTS_FILE
Whole = npt.NDArray[np.int64]
TILE_SETS = (0, 0, 7, 1, 2, 4)
ROOM = 300_000
HEAD = """\
# What planning players value, in florins at the end of the game. Figures of our own.
#
# "forecast" counts what a seat has and what a payday now would pay it. "worth" was found by tools/fit_worth.py from
# self-play: least squares of the money at the end on what a seat has and earns, for each number of players and phase,
# on boards with and without the expansion. "spread" is how far the money at the end was from the estimate, in general.

[forecast]
cash = 1
debt = -1
proliferation = 1
first = 1
second = 1
fortress = 1
spread = 40
"""


def self_play(
    sets: list[Weights], players: int, tiles: int, games: int, stray: int, seed: int
) -> tuple[Weights, Whole, Whole]:
    """Features, money at the end with its phase, and the mean final money by seat, of games between sets of weights."""
    rows, notes = np.zeros((ROOM, N_FEATURES)), np.zeros((ROOM, think.NOTES), np.int64)
    each = np.array([sets[seat % len(sets)] for seat in range(SEATS)])
    room = (think.lines(), packaged().boards, play.desks(), think.search_buffers())
    arrays = think.SearchArrays(*room, each, generator(seed), think.trees(1))
    n = think.self_play(arrays, players, tiles, DEFAULT_OPTIONS, games, stray, 3, rows, notes)
    ends = {(game, seat): money for _phase, seat, money, game in notes[:n].tolist()}
    finals = np.array([[ends.get((game, seat), 0) for seat in range(players)] for game in range(games)])
    return rows[:n], notes[:n], finals


def fit(sets: list[Weights], games: int, stray: int, seed: int) -> Weights:
    """Weights by least squares from the self-play of a set."""
    found = np.zeros(WEIGHTS_SHAPE)
    for players in range(2, SEATS + 1):
        played = [self_play(sets, players, tiles, games, stray, seed + i) for i, tiles in enumerate(TILE_SETS)]
        rows, notes = np.vstack([each[0] for each in played]), np.vstack([each[1] for each in played])
        for phase in range(1, PHASES + 1):
            x, y = rows[notes[:, 0] == phase], notes[notes[:, 0] == phase, 2]
            solved = np.linalg.solve(x.T @ x + 1e-4 * len(x) * np.eye(N_FEATURES), x.T @ y)
            found[players - 2, phase - 1, :N_FEATURES] = solved
            found[players - 2, phase - 1, N_FEATURES] = (y - x @ solved).std()
    return found


def share(one: Weights, others: Weights, players: int, games: int, seed: int) -> float:
    """The share of games that one set wins against others in all other seats."""
    won = 0.0
    for seat in range(players):
        sets = [others] * SEATS
        sets[seat] = one
        finals = self_play(sets, players, 0, games // players, 0, seed)[2]
        best = finals == finals.max(axis=1, keepdims=True)
        won += float((best[:, seat] / best.sum(axis=1)).mean())
    return won / players


def write(found: Weights, note: str) -> None:
    """Write the data file anew."""
    text = [HEAD, f"# {note}\n"]
    for players, phase in itertools.product(range(2, SEATS + 1), range(1, PHASES + 1)):
        text.append(f"[worth.players{players}.phase{phase}]\n")
        text += [f"{name} = {value:.2f}\n" for name, value in zip(WEIGHED, found[players - 2, phase - 1], strict=True)]
        text.append("\n")
    DATA.write_text("".join(text).rstrip() + "\n", "utf-8")
    tomllib.loads(DATA.read_text("utf-8"))


def main() -> None:
    """Play, fit, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500, help="games for each number of players and set of tiles")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    sets = [np.array(weights("forecast"))]
    for turn in range(chosen.rounds):
        sets.append(fit(sets[-1:], chosen.games, max(10, 30 - 10 * turn), chosen.seed + 100 * turn))
        mixed = sets[1:] if turn else sets[:1]
        sets.append(fit([mixed[-1], sets[-1]], chosen.games, 15, chosen.seed + 100 * turn + 50))
    table = [[share(a, b, 4, 200, 7) if a is not b else 0.25 for b in sets] for a in sets]
    print(np.array(table).round(2))  # noqa: T201 - a tool that people run
    best = int(np.argmax(np.mean(table, axis=1)))
    write(sets[best], f"Set {best} of {len(sets)}: seed {chosen.seed}, {chosen.games} games each.")


if __name__ == "__main__":
    main()
