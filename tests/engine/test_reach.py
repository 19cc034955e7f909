"""G-06 against exhaustion: the engine's exact test beside a referee that tries everything."""

import pytest
from tests.playing import random_game
from tests.referee.judge import judge

from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import LIGHT, UNIFORM
from elcapitan.records import json_record as record

TILES = ("Porto", "Lisboa", "Islas Canarias")
SETS = [tuple(tile for bit, tile in enumerate(TILES) if bits >> bit & 1) for bits in range(8)]


@pytest.mark.parametrize("tiles", SETS, ids=lambda tiles: "+".join(tiles) or "none")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_list_of_offers_is_what_exhaustive_search_finds(players: int, tiles: tuple[str, ...]) -> None:
    """[G-02, G-06, G-45, D-01, D-02, D-03, D-04, D-12] Thousands of positions of light games, all lists compared."""
    game = random_game(players, tiles, seed=31 * players + len(tiles), policy=LIGHT, most=150 if COMPILED else 25)
    judge(record.to_json(game, trace=True), sample=1.0 if len(tiles) < 2 else 0.5)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_poor_players_with_many_cards_are_judged_alike(players: int) -> None:
    """[G-06, G-08] Uniform players, who spend everything on cards, meet the dead ends that light ones avoid."""
    game = random_game(players, (), seed=players, policy=UNIFORM, most=60 if COMPILED else 30)
    judge(record.to_json(game, trace=True))
