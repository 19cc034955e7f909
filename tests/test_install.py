"""The wheel, installed alone and with extras: how much comes along, what imports and runs, and what says it is missing.

The environments see the packages of this one, as far as they belong to the install. With `ELCAPITAN_REGISTRY=1`, as
in `make installs`, pip installs everything as for anybody else.
"""

import json
import os
import re
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from elcapitan.cli.main import EXTRAS

ROOT = Path(__file__).parents[1]
BY_PIP = bool(os.environ.get("ELCAPITAN_REGISTRY"))
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
FEWER_THAN = {"": 20, "research": 30}
# What needs an extra, by the beginning of the name; all other modules import without one.
NEEDS = {
    "arena": (
        *(
            "cli.arena",
            "cli.ladder",
            "cli.study",
            "experiments.study.economy",
            "experiments.study.games",
            "experiments.study.report",
        ),
        *(
            f"experiments.arena.{name}"
            for name in ("charts", "kept_games", "ladder", "ladder_games", "report", "summary", "tournament")
        ),
    ),
    "openspiel": ("research.openspiel",),
    "research": ("research.dataset", "research.elcapitan_v0", "research.gymnasium", "research.vector_env"),
    "server": ("cli.games", "cli.serve", "service.", "store.", "web."),
}
BRINGS = {"research": ("arena", "research")}  # all others only themselves
IMPORT_ALL = """
import importlib, json, pkgutil, elcapitan
found = {}
for module in pkgutil.walk_packages(elcapitan.__path__, "elcapitan."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
            found[module.name] = None
        except ModuleNotFoundError as error:
            found[module.name] = error.name
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return file


def required(wheel: Path, extra: str) -> set[str]:
    """The packages that an install brings, itself included, by what those that are installed here require."""
    (about,) = (each for each in zipfile.Path(wheel).iterdir() if each.name.endswith(".dist-info"))
    found: set[tuple[str, str]] = set()
    wanted = {("elcapitan", ""), ("elcapitan", extra)}
    while wanted:
        found |= wanted
        following: set[tuple[str, str]] = set()
        for name, chosen in wanted:
            known = metadata.PathDistribution(about) if name == "elcapitan" else metadata.distribution(name)
            for each in map(Requirement, known.requires or ()):
                if each.marker is None or each.marker.evaluate({"extra": chosen}):
                    following |= {(canonicalize_name(each.name), more) for more in ("", *each.extras)}
        wanted = following - found
    return {name for name, _extra in found}


class Environment:
    """An empty virtual environment with the wheel in it, and perhaps one extra."""

    def __init__(self, folder: Path, wheel: Path, extra: str) -> None:
        self.folder = folder
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        into = [*PIP, "--python", str(folder / "bin" / "python"), "install", "--quiet"]
        if BY_PIP:
            subprocess.run([*into, f"elcapitan[{extra}] @ {wheel.as_uri()}"], check=True)
            return
        subprocess.run([*into, "--no-index", "--no-deps", "--no-compile", str(wheel)], check=True)
        (packages,) = folder.glob("lib/python*/site-packages")
        for name in required(wheel, extra) - {"elcapitan"}:
            known = metadata.distribution(name)
            for top in {file.parts[0] for file in known.files or ()} - {"..", "__pycache__"}:
                (packages / top).symlink_to(Path(str(known.locate_file(top))))

    def run(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a program of this environment, with interpreted rules."""
        left_out = ("PYTHONPATH", "ELCAPITAN_DATABASE", "ELCAPITAN_DEBUG")
        own = {"NUMBA_DISABLE_JIT": "1", "ELCAPITAN_DATA": str(self.folder / "data"), "ELCAPITAN_LANGUAGE": "en"}
        surroundings = {name: value for name, value in os.environ.items() if name not in left_out} | own
        command = [str(self.folder / "bin" / program), *words]
        return subprocess.run(
            command, cwd=self.folder, env=surroundings, capture_output=True, text=True, check=False, timeout=120
        )

    def elcapitan(self, *words: str) -> str:
        """What a command prints that goes well."""
        answer = self.run("elcapitan", *words)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    def refused(self, *words: str) -> str:
        """The one line that a command prints that cannot be carried out."""
        answer = self.run("elcapitan", *words)
        assert answer.returncode == 2 and not answer.stdout and answer.stderr.count("\n") == 1, answer.stderr
        return answer.stderr

    def missing(self) -> dict[str, str]:
        """The modules that cannot be imported, each with the package it needs."""
        answer = self.run("python", "-c", IMPORT_ALL)
        assert answer.returncode == 0, answer.stderr
        found = json.loads(answer.stdout)
        assert len(found) > 150
        return {name: package for name, package in found.items() if package}

    def packages(self) -> set[str]:
        """The names of all packages."""
        listed = [*PIP, "--python", str(self.folder / "bin" / "python"), "list", "--format", "json"]
        answer = subprocess.run(listed, capture_output=True, text=True, check=True)
        return {canonicalize_name(each["name"]) for each in json.loads(answer.stdout)}


@pytest.mark.parametrize("extra", FEWER_THAN)
def test_few_packages_come_along(wheel: Path, tmp_path: Path, extra: str) -> None:
    found = Environment(tmp_path / "own", wheel, extra).packages() if BY_PIP else required(wheel, extra)
    print(len(found), *sorted(found))  # noqa: T201 - for `make installs`
    assert 10 < len(found) < FEWER_THAN[extra], sorted(found)


@pytest.mark.parametrize("extra", ["", *NEEDS])
def test_only_what_needs_another_extra_cannot_be_imported(wheel: Path, tmp_path: Path, extra: str) -> None:
    missing = Environment(tmp_path / "own", wheel, extra).missing()
    brought = BRINGS.get(extra, (extra,))
    others = tuple(f"elcapitan.{name}" for each, names in NEEDS.items() if each not in brought for name in names)
    assert [name for name in missing if not name.startswith(others)] == []
    assert not {package for package in missing.values() if package.startswith("elcapitan")}
    assert all(any(name.startswith(other) for name in missing) for other in others), "this needs no extra any more"


def test_alone_it_plays_measures_and_says_what_is_missing(wheel: Path, tmp_path: Path) -> None:
    own = Environment(tmp_path / "own", wheel, "")
    assert "Usage: elcapitan" in own.elcapitan("--help")
    assert own.elcapitan("--version") == f"elcapitan {wheel.name.split('-')[1]}\n"
    assert "WARE-07" in own.elcapitan("rules", "WARE-07", "--language", "de")
    own.elcapitan("simulate", "--games", "1", "--players", "2", "--seed", "1", "--out", ".")
    own.elcapitan("replay", "game-000001.json", "--picture", "result.svg")
    for command, extra in EXTRAS.items():
        needed = f'pip install "elcapitan[{extra}]"'
        assert own.refused(command) == f"“elcapitan {command}” needs more packages: {needed}.\n"
    assert own.refused("serve", "--help", "--language", "fr").startswith("Pour «")
    modules = dict.fromkeys(("dataset", "elcapitan_v0", "gymnasium", "vector_env"), "research")
    for name, extra in (modules | {"openspiel": "openspiel"}).items():
        last = own.run("python", "-c", f"import elcapitan.research.{name}").stderr.splitlines()[-1]
        assert re.fullmatch(rf'ModuleNotFoundError: \w+ is missing: pip install "elcapitan\[{extra}\]"', last)


def test_with_a_server_the_sentence_names_what_else_is_missing(wheel: Path, tmp_path: Path) -> None:
    own = Environment(tmp_path / "own", wheel, "server")
    assert "--base-url" in own.elcapitan("serve", "--help")
    assert own.elcapitan("games", "list").startswith("No games are kept in ")
    assert "elcapitan[postgres]" in own.refused("games", "list", "--database", "postgresql://anna@host/games")
