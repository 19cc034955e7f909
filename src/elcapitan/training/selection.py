"""Choose among networks: `python -m elcapitan.training.selection first.npz second.npz`.

Each network plays alone, without playing on, against a pool: one seat for the network, all others for one opponent of
the pool, which is a level or the file of another network. All networks get the same deals, and sit in every seat
equally often. The deals follow from the seed: published strengths are measured with others. Prints how many percent of
the games each has won against each opponent, and last the network with the highest mean.
"""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Final

from elcapitan.bots import registry
from elcapitan.bots.bot import Bot, Searcher
from elcapitan.bots.champion import Champion
from elcapitan.bots.network import Network, read_network
from elcapitan.engine.vocabulary import TILE_NAMES
from elcapitan.game.game import Game
from elcapitan.players.seats import choose_action, dice

POOL: Final = "captain,navigator,admiral"
TABLES: Final = "4:0,2:0"
GAMES: Final = 40
SEED: Final = 11  # the tables of the levels page are measured with 7
NETWORK: Final = ".npz"  # how the name of a network's file ends


@dataclass(frozen=True)
class SelectionGame:
    """One game: a network in one seat, one opponent in all others."""

    network: str
    opponent: str
    players: int
    tiles: int  # as bits
    seed: int
    seat: int  # of the network

    @property
    def column(self) -> str:
        """What the table calls games like this one."""
        tiles = "".join(f" {name}" for k, name in enumerate(TILE_NAMES) if self.tiles >> k & 1)
        return f"{self.opponent}, {self.players} players{tiles}"


@cache
def _network(file: str) -> Network:
    """Read a network once in each process."""
    return read_network(Path(file).read_bytes(), file)


def _player(name: str) -> Bot:
    """Create a level, or the player of a network that takes the plan it likes most."""
    if not name.endswith(NETWORK):
        return registry.create(name)
    instead = registry.create(registry.ON_OTHER_BOARDS)
    assert isinstance(instead, Searcher)
    return Champion(instead, network=_network(name))


def share_won(match: SelectionGame) -> float:
    """Play a game; return the network's share of the win."""
    tiles = [name for k, name in enumerate(TILE_NAMES) if match.tiles >> k & 1]
    game = Game.new(match.players, tiles, seed=match.seed)
    names = [match.network if seat == match.seat else match.opponent for seat in range(match.players)]
    players = [_player(name) for name in names]
    chances = [dice(match.seed, seat) for seat in range(match.players)]
    while not game.over:
        assert game.seat is not None
        game.play(choose_action(players[game.seat], game, chances[game.seat]))
    return game.win_shares[match.seat]


def schedule(
    networks: list[str], pool: list[str], tables: list[tuple[int, int]], games: int, seed: int
) -> list[SelectionGame]:
    """List all games; every deal is played with the network in each seat."""
    return [
        SelectionGame(network, opponent, players, tiles, seed * 1_000_000 + number // players, number % players)
        for network, opponent, (players, tiles) in product(networks, pool, tables)
        for number in range(games)
    ]


def select(matches: list[SelectionGame], jobs: int) -> dict[str, dict[str, float]]:
    """Play all games on several cores; return the share of wins of every network, by column."""
    with ProcessPoolExecutor(jobs, get_context("spawn")) as processes:
        won = list(processes.map(share_won, matches))
    found: dict[str, dict[str, list[float]]] = {}
    for match, share in zip(matches, won, strict=True):
        found.setdefault(match.network, {}).setdefault(match.column, []).append(share)
    return {network: {column: fmean(shares) for column, shares in row.items()} for network, row in found.items()}


def main(arguments: list[str] | None = None) -> None:
    """Read the command line, play, and print the table."""
    parser = argparse.ArgumentParser("python -m elcapitan.training.selection", description=__doc__.partition("\n")[0])
    parser.add_argument("networks", nargs="+", help="files of networks")
    parser.add_argument("--pool", default=POOL, help=f"levels and files of networks; by default {POOL}")
    parser.add_argument("--tables", default=TABLES, help=f"players:tiles as bits, ...; by default {TABLES}")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of each pair at each table; by default {GAMES}")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    for file in given.networks:
        _network(file)
    tables = [(int(players), int(tiles)) for players, tiles in (each.split(":") for each in given.tables.split(","))]
    found = select(schedule(given.networks, given.pool.split(","), tables, given.games, given.seed), given.jobs)
    for network, row in found.items():
        print(network, *(f"{column}: {100 * share:.1f} %" for column, share in row.items()), sep="; ")  # noqa: T201
    print("best:", max(found, key=lambda each: fmean(found[each].values())))  # noqa: T201


if __name__ == "__main__":
    main()
