"""OpenSpiel: its search against players at random, in games for two that are declared zero-sum.

    python examples/research/open_spiel_search.py --games 10 --simulations 50

The search is the one written in Python: that of `pyspiel` cannot play games written in Python (see
`elcapitan.research.openspiel`). The match itself runs in C++, by `evaluate_bots`.
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import elcapitan.research.openspiel  # noqa: F401 - registers the game


class Search(pyspiel.Bot):
    """The search in Python as a bot of `pyspiel`, with play-outs by legal actions at random."""

    def __init__(self, game: pyspiel.Game, seed: int, simulations: int) -> None:
        pyspiel.Bot.__init__(self)
        dice = np.random.RandomState(seed)
        self._search = mcts.MCTSBot(game, 2.0, simulations, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)

    def step(self, state: pyspiel.State) -> int:
        """Return an action for the position."""
        return int(self._search.step(state))

    def restart_at(self, state: pyspiel.State) -> None:
        """Forget nothing, because nothing is kept."""


def main() -> None:
    """Play, and tell the mean lead in hundreds of florins."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    reader.add_argument("--games", type=int, default=1)
    reader.add_argument("--simulations", type=int, default=2)
    chosen = reader.parse_args()
    game = pyspiel.load_game("elcapitan(players=2,stakes=money)")
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    leads = []
    for seed in range(chosen.games):
        bots = [Search(game, seed, chosen.simulations), pyspiel.make_uniform_random_bot(1, seed)]
        leads.append(pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[0])
    print(f"mean lead of the search over {chosen.games} games: {np.mean(leads):.2f}")


if __name__ == "__main__":
    main()
