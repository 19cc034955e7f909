"""Which edition of the program this is: two that differ anywhere in their sources may play different games."""

import hashlib
from collections.abc import Iterator
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from typing import Final


def digest(folder: Traversable) -> str:
    """A digest of all sources and board files of a package, wherever it lies."""
    found = hashlib.sha256()
    for path, file in sorted(_sources(folder), key=lambda each: each[0]):
        found.update(path.encode() + file.read_bytes())
    return found.hexdigest()[:16]


def _sources(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    """All sources and board files under a folder, with their paths."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _sources(each, f"{path}{each.name}/")
        elif each.name.endswith((".py", ".toml")):
            yield path + each.name, each


DIGEST: Final = digest(resources.files("elcapitan"))


def version(package: str) -> str:
    """The version of an installed package; nothing if it runs from its sources."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
