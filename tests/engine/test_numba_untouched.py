"""Importing this package changes nothing for functions of other programs that Numba compiles in the same process."""

import contextlib
import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from llvmlite import binding
from numba.core.compiler import DefaultPassBuilder, Flags

from elcapitan.engine import code_folder, compiler, numba_pipeline

# Another program's module, whose name contains ours: `last` counts from the end, `total` is a loop worth vectorising,
# `twice` calls something that LLVM by itself finds too large to inline twice.
MODULE = """
from numba import njit

@njit
def last(a):
    return a[-1] + a[-2]

@njit
def total(a):
    s = 0
    for x in a:
        s += x
    return s

@njit
def large(a, b):
    for i in range(len(a)):
        a[i] = a[i] * b + (a[i] ^ 3) if a[i] % 7 > 2 else a[i] // 5 + b % 11
        a[i] += a[-i] * 13 if b % 3 == 1 else a[i // 2] - 17 % (b + 1)
    for i in range(len(a) - 1):
        a[i + 1] ^= a[i] * 31 if a[i] & 1 else a[i] // 3
        a[i] = max(a[i], a[i + 1] - b) if a[i] % 5 else min(a[i], b)
    return a[0]

@njit
def twice(a, b):
    return large(a, b) + large(a, b + 1) * large(a, b - 2)

@njit(cache=True)
def kept(a):
    return a[-1]
"""

PROGRAM = """
import json, re, sys, types
import numpy as np
import llvmlite, numba, my_elcapitan_bot as theirs
import numba.np.arrayobj, numba.core.codegen, numba.core.caching

def inside():  # every attribute of every module and class of Numba, by identity
    found = {}
    for name, module in sorted(sys.modules.items()):
        if name.partition(".")[0] in ("numba", "llvmlite") and isinstance(module, types.ModuleType):
            for key, value in vars(module).items():
                found[f"{name}.{key}"] = id(value)
                if isinstance(value, type) and value.__module__ == name:
                    found |= {f"{name}.{key}.{each}": id(what) for each, what in vars(value).items()}
    return found

def settings():
    return {key: repr(value) for key, value in vars(numba.config).items() if key.isupper()}

def compiled():  # results and code, as if nothing had been compiled before
    a, code = np.arange(40), {}
    for name in ("last", "total", "large", "twice"):
        again = numba.njit(getattr(theirs, name).py_func)
        arguments = (a.copy(), 5) if name in ("large", "twice") else (a,)
        result = again(*arguments)
        text = next(iter(again.inspect_llvm().values()))
        counted = r"B\\d+v\\d+|\\d+ x i8|0x[0-9a-f]+|i64 \\d{9,}"  # functions compiled before, addresses
        code[name] = [int(result), str(again.targetoptions), re.sub(counted, "", text)]
    return code

before = compiled(), settings()
known = inside()
from elcapitan.engine import jit, play

@jit.rule
def ours(a, i):
    return a[i] + 1

@jit.kernel
def kernel(a, i):
    return ours(a, i)

assert kernel(np.arange(5), 2) == 3
now = inside()
changed = [name for name in known if now.get(name) != known[name]]
after = compiled(), settings()

@numba.njit
def calls_ours(a, i):
    return ours(a, i) + kernel(a, i) + a[-1]

theirs.kept(np.arange(5))
print(json.dumps({
    "changed": changed, "before": before, "after": after, "cache": theirs.kept.stats.cache_path,
    "ours": str(kernel.file((np.arange(5), 2), widest=True)), "calls": int(calls_ours(np.arange(5), 2)),
}))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a program finds that compiles its own functions before and after it imports ours."""
    folder = tmp_path_factory.mktemp("theirs")
    (folder / "my_elcapitan_bot.py").write_text(MODULE)
    (folder / "program.py").write_text(PROGRAM)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    environment |= {"ELCAPITAN_CACHE": str(folder / "cache")}
    answer = subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    found: dict[str, Any] = json.loads(answer.stdout) | {"folder": str(folder)}
    return found


@pytest.mark.compiled
def test_their_functions_are_compiled_as_before(told: dict[str, Any]) -> None:
    (before, _), (after, _) = told["before"], told["after"]
    assert before["last"][0] == after["last"][0] == 39 + 38
    for name in before:
        assert after[name] == before[name], name
    assert " x i64>" in after["total"][2]  # vectorised


@pytest.mark.compiled
def test_no_setting_and_nothing_inside_numba_is_changed(told: dict[str, Any]) -> None:
    assert told["before"][1] == told["after"][1]
    assert told["changed"] == []


@pytest.mark.compiled
def test_their_cache_stays_where_it_was(told: dict[str, Any]) -> None:
    assert told["cache"] == str(Path(told["folder"]) / "__pycache__")
    assert told["ours"].startswith(str(Path(told["folder"]) / "cache"))
    assert Path(told["ours"]).exists()


@pytest.mark.compiled
def test_their_functions_can_call_ours(told: dict[str, Any]) -> None:
    assert told["calls"] == 3 + 3 + 4


@pytest.mark.skipif(not compiler.TUNED, reason="our pipeline is left out")
def test_calls_are_inlined_as_far_as_we_want() -> None:
    tuning = binding.create_pipeline_tuning_options()
    numba_pipeline.set_inlining_threshold(tuning, numba_pipeline.INLINE_THRESHOLD)
    assert tuning.inlining_threshold == numba_pipeline.INLINE_THRESHOLD


@pytest.mark.skipif(not compiler.TUNED, reason="our pipeline is left out")
def test_passes_that_are_left_out_are_there_in_numba() -> None:
    state = type("State", (), {"flags": Flags(), "func_ir": None})
    passes = DefaultPassBuilder.define_nopython_pipeline(state).passes
    assert {each[0].name() for each in passes} >= numba_pipeline.LEFT_OUT


def test_no_garbage_is_collected_while_a_kernel_compiles() -> None:
    assert gc.isenabled()
    with numba_pipeline.no_garbage_collection():
        with contextlib.suppress(ValueError), numba_pipeline.no_garbage_collection():
            raise ValueError
        assert not gc.isenabled(), "the inner block has not switched it on"
    assert gc.isenabled()


@pytest.mark.parametrize("versions", [{"numba": "0.61.2"}, {"llvmlite": "0.51.0"}, {"numba": "1.0.0"}])
def test_with_untested_versions_our_pipeline_is_left_out(
    versions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numba.config.DISABLE_JIT", 0)
    monkeypatch.delenv(numba_pipeline.PLAIN_VARIABLE, raising=False)
    assert numba_pipeline.is_wanted()
    for name, version in versions.items():
        monkeypatch.setattr(f"{name}.__version__", version)
    with pytest.warns(UserWarning, match="not tested with"):
        assert not numba_pipeline.is_wanted()


def test_a_variable_leaves_our_pipeline_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.config.DISABLE_JIT", 0)
    for value, wanted in (("1", False), ("0", True), ("", True)):
        monkeypatch.setenv(numba_pipeline.PLAIN_VARIABLE, value)
        assert numba_pipeline.is_wanted() == wanted


def test_code_of_plain_numba_has_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    before = code_folder.source_digest()
    monkeypatch.setenv(numba_pipeline.PLAIN_VARIABLE, "" if os.environ.get(numba_pipeline.PLAIN_VARIABLE) else "1")
    assert code_folder.source_digest() != before
