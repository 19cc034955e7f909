"""What a result depends on: the versions and sources of the program, and when and where it ran."""

import hashlib
import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from typing import Any, Final

from elcapitan.game.game import RULES_VERSION


def digest(folder: Traversable) -> str:
    """Hash all sources and board files of a package, independent of where it is installed."""
    found = hashlib.sha256()
    for path, file in sorted(_sources(folder), key=lambda each: each[0]):
        found.update(path.encode() + file.read_bytes())
    return found.hexdigest()[:16]


def _sources(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield all sources and board files under a folder, with their paths."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _sources(each, f"{path}{each.name}/")
        elif each.name.endswith((".py", ".toml")):
            yield path + each.name, each


DIGEST: Final = digest(resources.files("elcapitan"))  # two programs that differ here may play different games


def version(package: str) -> str:
    """Return the version of an installed package; nothing if it runs from its sources."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def versions() -> dict[str, str]:
    """Return the versions that decide the results of an arena or a study."""
    return {"elcapitan": version("elcapitan"), "rules": RULES_VERSION, "openskill": version("openskill")}


def run_facts(played: int, seconds: float, *, complete: bool) -> dict[str, Any]:
    """Describe a run: what depends on when and where its games were played."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "games_per_second": round(played / max(seconds, 1e-9), 3),
        "complete": complete,
        "machine": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
        "sources": DIGEST,
    }
