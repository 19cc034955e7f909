"""Compiled code never outlives the rules it was made from."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import elcapitan
from elcapitan.engine import jit

PACKAGE = Path(elcapitan.__file__).parent
ASK = (
    "from elcapitan.engine import play; from elcapitan.board import figures;"
    "boards = figures.load({board}).boards;"
    "states = play.states(); play.new(states, 0, boards, 4, 0, 2, 0, 1, 0);"
    "print(int(states[0].starter), int(states[0].cash[0]))"
)


def test_a_changed_source_has_another_folder(tmp_path: Path) -> None:
    copy = tmp_path / "engine"
    shutil.copytree(PACKAGE / "engine", copy)
    before = jit.source_digest(copy)
    (copy / "rules" / "buildings.py").write_text("ROW_LIMIT = 4\n")
    assert jit.source_digest(copy) != before


def test_bounds_checks_have_a_folder_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    before = jit.source_digest()
    monkeypatch.setattr("numba.config.BOUNDSCHECK", 0 if numba.config.BOUNDSCHECK else 1)
    assert jit.source_digest() != before


def _ask(source: Path, cache: Path, board: str = "") -> str:
    environment = {**os.environ, "PYTHONPATH": str(source), "ELCAPITAN_CACHE": str(cache)}
    answer = subprocess.run(
        [sys.executable, "-c", ASK.format(board=board)], env=environment, capture_output=True, text=True, check=True
    )
    return answer.stdout.strip()


@pytest.mark.compiled
def test_a_changed_rule_and_a_changed_figure_are_never_answered_from_the_cache(tmp_path: Path) -> None:
    """[SET-03] The same cache folder serves a program whose rule, then whose board file, has been edited."""
    source, cache = tmp_path / "src", tmp_path / "cache"
    shutil.copytree(PACKAGE, source / "elcapitan", ignore=shutil.ignore_patterns("__pycache__"))
    assert _ask(source, cache) == "0 20"
    turn = source / "elcapitan" / "engine" / "rules" / "turn.py"
    text = turn.read_text()
    changed = text.replace("    s.starter = starter\n", "    s.starter = (starter + 1) % whole(s.players)\n")
    assert changed != text
    turn.write_text(changed)
    assert _ask(source, cache) == "1 20"
    data = source / "elcapitan" / "data" / "mediterranean.toml"
    other = data.read_text().replace("start = { is = 20,", "start = { is = 23,")
    assert other != data.read_text()
    data.write_text(other)
    assert _ask(source, cache) == "1 23"


def test_the_cache_goes_to_a_temporary_folder_where_the_usual_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a-file").write_text("")
    monkeypatch.setenv("ELCAPITAN_CACHE", str(tmp_path / "a-file" / "below"))
    with pytest.warns(UserWarning, match="not writable"):
        folder = jit.cache_folder()
    assert folder.is_dir()


def test_compiled_code_not_used_for_a_month_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELCAPITAN_CACHE", str(tmp_path))
    old, recent = tmp_path / "old", tmp_path / "recent"
    old.mkdir()
    recent.mkdir()
    os.utime(old, (0, 0))
    jit.cache_folder()
    assert not old.exists() and recent.exists()


@pytest.mark.compiled
@pytest.mark.skipif(not jit.TUNED, reason="our pipeline is left out")
def test_what_is_compiled_is_loaded_without_preparing_to_compile() -> None:
    """Numba prepares in half a second: it imports its linear algebra, and SciPy with it."""
    ask = "import sys; from elcapitan.engine import play; play.possible(play.states(), 0, 0); print(*sys.modules)"
    for _ in range(2):  # the first may have to compile
        loaded = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout.split()
    assert "numba" in loaded and "numba.np.linalg" not in loaded and "scipy.linalg" not in loaded
