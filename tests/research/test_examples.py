"""The examples can be read in one sitting, and the network of one sits in the arena.

Most need libraries that the tests do without: `make check` runs those. A network of random weights plays here.
"""

import ast
import importlib.util
import json
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elcapitan.cli.ladder import read_submissions
from elcapitan.engine.vocabulary import TILE_NAMES
from elcapitan.experiments.arena import Config, play_arena
from elcapitan.game.position_queries import without_secrets
from elcapitan.position.as_numbers import observe
from elcapitan.research.fleet import Fleet

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "research"
FILES = sorted([*EXAMPLES.glob("*.py"), *EXAMPLES.glob("*.ipynb")])


def sources(file: Path) -> str:
    """The code of a script or of a notebook."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        return text
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")


def run_all() -> Any:
    spec = importlib.util.spec_from_file_location("run_all", EXAMPLES / "run_all.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "file", sorted([*EXAMPLES.glob("*.py"), *EXAMPLES.glob("*.ipynb")]), ids=lambda file: file.name
)
def test_an_example_is_short_and_every_function_says_what_it_does(file: Path) -> None:
    source = sources(file)
    assert len(source.splitlines()) < 300
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name


def test_every_example_is_run_by_the_checks_and_notebooks_hold_no_output() -> None:
    assert {file.name for file in FILES} == {*run_all().EXAMPLES, "run_all.py", "train.py", "merchant.py"}
    for notebook in EXAMPLES.glob("*.ipynb"):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        assert not any(cell.get("outputs") for cell in cells)


def test_the_search_of_openspiel_plays(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["open_spiel_search.py", "--games", "1", "--simulations", "2"])
    runpy.run_path(str(EXAMPLES / "open_spiel_search.py"), run_name="__main__")
    assert capsys.readouterr().out.startswith("mean lead of the search over 1 games: ")


def test_the_page_shows_the_last_results() -> None:
    module = run_all()
    results = json.loads((EXAMPLES / "results.json").read_text(encoding="utf-8"))
    assert module.table(results) in (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
    assert results.keys() <= module.EXAMPLES.keys()


def test_results_in_one_line() -> None:
    module, curve = run_all(), [[0.5, 100, None], [1.0, 200, 0.2], [2.25, 300, 0.6], [3.0, 400, 0.7]]
    result = {"library": "x 1.0", "date": "2026-01-02", "minutes": 3.0, "seconds": 200, "problem": ""}
    said = {"steps": 12345, "curve": curve}
    assert module.told({**result, "said": said}) == (
        "x 1.0, 2026-01-02: 3 minutes, steps 12,345, 70% of the last games won, above one half after 2.2 minutes"
    )
    assert module.told({**result, "said": "fine"}) == "x 1.0, 2026-01-02: fine"
    assert module.told({**result, "problem": "no room"}) == "x 1.0, 2026-01-02: failed, no room"


@pytest.fixture
def merchant(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the player."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(EXAMPLES)])
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


def test_the_learner_of_the_ladder_plays_as_the_list_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    (learner,) = (each for each in read_submissions(ROOT / "docs" / "ladder.toml") if each.script)
    assert (ROOT / learner.script).is_file() and learner.tables == {2}
    monkeypatch.chdir(ROOT)
    found = play_arena(Config((learner.spec, "wanderer"), 2, games=2, seed=1), jobs=1)
    assert found.complete and not found.forfeited
    assert {each.rank for game in found.games for each in game.merchants if each.bot == learner.spec} == {1}


def test_weights_are_kept_in_half_the_room(merchant: Any) -> None:
    weights = merchant.weights_in(str(EXAMPLES / "merchant.npz"))
    assert {weights[f"{layer}.weight"].dtype for layer in merchant.LAYERS} == {np.dtype(np.float32)}
    with np.load(EXAMPLES / "merchant.npz") as kept:
        assert kept["policy.weight"].dtype == np.float16


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
