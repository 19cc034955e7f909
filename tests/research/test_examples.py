"""The examples can be read in one sitting. Most need libraries that the tests do without: `make check` runs those."""

import ast
import importlib.util
import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

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
    assert {file.name for file in FILES} == {*run_all().EXAMPLES, "run_all.py", "train.py"}
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
