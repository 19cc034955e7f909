"""Compiled code never outlives the rules it was made from."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elcapitan
from elcapitan.engine import code_folder, compiler, jit, object_code, play

tuned = pytest.mark.skipif(not (jit.COMPILED and compiler.TUNED), reason="our pipeline is left out")
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
    before = code_folder.source_digest(copy)
    (copy / "rules" / "buildings.py").write_text("ROW_LIMIT = 4\n")
    assert code_folder.source_digest(copy) != before


def test_bounds_checks_have_a_folder_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    before = code_folder.source_digest()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "" if os.environ.get("NUMBA_BOUNDSCHECK") else "1")
    assert code_folder.source_digest() != before


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
        folder = code_folder.cache_folder()
    assert folder.is_dir()


def test_compiled_code_not_used_for_a_month_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELCAPITAN_CACHE", str(tmp_path))
    old, recent = tmp_path / "old", tmp_path / "recent"
    old.mkdir()
    recent.mkdir()
    os.utime(old, (0, 0))
    code_folder.cache_folder()
    assert not old.exists() and recent.exists()


def _run(program: str) -> list[str]:
    """Run a program in a process of its own; the words that it prints."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()


@tuned
def test_what_is_compiled_is_loaded_without_numba() -> None:
    """Numba is imported in half a second, and its linear algebra and SciPy after it."""
    ask = "import sys; from elcapitan.engine import play; play.possible(play.states(), 0, 0); print(*sys.modules)"
    for _ in range(2):  # the first may have to compile
        loaded = _run(ask)
    assert "elcapitan.engine.object_code" in loaded
    assert not [name for name in loaded if name.partition(".")[0] in ("numba", "scipy")]


@tuned
def test_numba_can_be_imported_and_used_after_a_kernel_was_loaded() -> None:
    told = _run(
        "from elcapitan.engine import play; possible = play.possible(play.states(), 0, 0); import numba, numpy as np;"
        "twice = numba.njit(lambda a: a.copy() + a); again = numba.njit(lambda s: play.possible(s, 0, 0));"
        "print(possible, twice(np.arange(4))[3], numba._helperlib.__name__, again(play.states()))"
    )
    assert told == ["False", "6", "numba._helperlib", "False"]


@tuned
def test_damaged_code_is_not_loaded(tmp_path: Path) -> None:
    kernel = object_code.Kernel(b"\x7fELF and more", "entry", "environment", ("numba_unpickle",))
    file = tmp_path / "some.kernel"
    assert object_code.read(file) is None
    object_code.save(file, kernel)
    assert object_code.read(file) == kernel
    whole = file.read_bytes()
    for damaged in (b"", whole[:10], whole[:-1], whole[:-1] + b"?", bytes([whole[0] ^ 1]) + whole[1:]):
        file.write_bytes(damaged)
        assert object_code.load(file) is None


@tuned
def test_code_that_needs_what_is_not_there_is_not_loaded(tmp_path: Path) -> None:
    file = tmp_path / "some.kernel"
    object_code.save(file, object_code.Kernel(b"", "entry", "environment", ("numba_of_another_version",)))
    assert object_code.load(file) is None


@tuned
def test_kernels_for_other_arguments_have_another_file() -> None:
    states: Any = play.states(4)
    kernel: Any = play.give_turn
    same = kernel.file((states, 0, 0), widest=True)
    assert kernel.file((states[::2], np.int8(1), 2), widest=True) == same
    locked = states.copy()
    locked.flags.writeable = False
    others = [(locked, 0, 0), (play.desks(), 0, 0), (states, 0, 0.5), (states.reshape(2, 2), 0, 0)]
    files = {kernel.file(given, widest=True) for given in others}
    assert len(files | {same}) == len(others) + 1
    assert kernel.file((states, 0, 0), widest=False) != kernel.file((states[::2], 0, 0), widest=False)


@tuned
def test_kernels_with_variables_of_their_makers_are_not_kept() -> None:
    def plus(amount: int) -> Any:
        @jit.kernel
        def add(number: int) -> int:
            return number + amount

        return add

    one, two = plus(1), plus(2)
    assert (one(5), two(5)) == (6, 7)
    assert one.file((5,), widest=True) is None
