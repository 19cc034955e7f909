"""The example can be read in one sitting, and its network sits in the arena.

Learning itself needs PyTorch, which the tests do without: a network of random weights plays here.
"""

import ast
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elcapitan.engine.vocabulary import TILE_NAMES
from elcapitan.experiments.arena import Config, play_arena
from elcapitan.game.position_queries import without_secrets
from elcapitan.position.as_numbers import observe
from elcapitan.research.fleet import Fleet

FOLDER = Path(__file__).parents[2] / "examples" / "research"


@pytest.mark.parametrize("name", ["train.py", "merchant.py"])
def test_the_example_is_short_and_every_function_says_what_it_does(name: str) -> None:
    source = (FOLDER / name).read_text(encoding="utf-8")
    assert len(source.splitlines()) < 300
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name != "__init__":
            assert ast.get_docstring(node), node.name


@pytest.fixture
def merchant(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the player."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(FOLDER)])
    import merchant  # type: ignore[import-not-found] # noqa: PLC0415 - it is no part of the package

    return merchant


def network(merchant: Any, folder: Path) -> str:
    """A file with a small network for two, as the example keeps it."""
    dice, used = np.random.default_rng(1), np.arange(100, merchant.CELLS + merchant.EXTRA)
    sizes = [len(used), 8, 8, merchant.ACTIONS]
    weights: dict[str, Any] = {"players": 2, "used": used}
    for layer, size, wanted in zip(merchant.LAYERS, sizes[:-1], sizes[1:], strict=True):
        weights[f"{layer}.weight"] = dice.normal(size=(wanted, size)).astype(np.float32)
        weights[f"{layer}.bias"] = dice.normal(size=wanted).astype(np.float32)
    np.savez(folder / "merchant.npz", **weights)
    return f"py:merchant:Merchant:{folder / 'merchant.npz'}"


def test_its_network_sits_in_the_arena(merchant: Any, tmp_path: Path) -> None:
    spec = network(merchant, tmp_path)
    found = play_arena(Config((spec, "wanderer"), 2, games=2, seed=1), jobs=1)
    assert found.complete and not found.forfeited


@pytest.mark.parametrize(("players", "tiles"), [(3, ()), (2, TILE_NAMES)])
def test_where_it_has_not_learned_to_play_it_says_so(
    merchant: Any, tmp_path: Path, players: int, tiles: tuple[str, ...]
) -> None:
    spec = network(merchant, tmp_path)
    found = play_arena(Config((spec, "wanderer"), players, tiles, games=1, seed=1), jobs=1)
    faults = {each.fault for game in found.games for each in game.merchants if each.bot == spec}
    assert faults == {
        f"{spec}: It failed with ValueError: this network has learned to play with 2 merchants and without the pirate."
    }


def test_one_game_looks_to_the_network_as_it_does_in_a_fleet(merchant: Any) -> None:
    fleet = Fleet(6, 3, seed=1)
    fleet.play(60)
    rows, leads = merchant.Eyes(6, 3, fleet.figures).look(fleet.observations, fleet.states, fleet.seats)
    for i in range(6):
        state, seat = without_secrets(fleet.states[i : i + 1]), int(fleet.seats[i])
        row, lead = merchant.Eyes(1, 3, fleet.figures).look(observe(state, seat)[None], state, np.array([seat]))
        assert (row[0] == rows[i]).all() and lead[0] == leads[i]
    assert len(set(leads.tolist())) > 1 and (rows != 0).any(0).sum() > 100
