"""How many cores a fleet may use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from elcapitan.research import cores


@pytest.mark.parametrize(
    ("said", "of_eight"),
    [
        (["max 100000"], 8),
        (["150000 100000"], 2),
        (["10000 100000"], 1),
        (["1600000 100000"], 8),
        (["-1", "100000"], 8),
        (["300000", "100000"], 3),
        (["nonsense"], 8),
        ([], 8),
    ],
)
def test_a_container_with_a_limit_has_fewer_cores(
    said: list[str], of_eight: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / str(number) for number in range(len(said) or 1)]
    for file, text in zip(files, said, strict=False):
        file.write_text(text + "\n")
    monkeypatch.setattr(cores, "LIMITS", (tuple(map(str, files)),))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: set(range(8)), raising=False)
    assert cores.usable_cores() == of_eight


def test_importing_a_fleet_imports_neither_joblib_nor_numba() -> None:
    ask = "import sys, elcapitan.research.fleet; print(sorted({'joblib', 'numba', 'scipy'} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "[]"
