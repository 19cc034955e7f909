"""The file of a trained network: its weights, and what they were trained for.

A file is an archive of NumPy's with one array of half-precision numbers for each part of `Layers`, and a text `about`
in JSON: versions of file, features and rules, the board, how it was trained, and a digest of all weights.
"""

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from elcapitan.engine.network import features
from elcapitan.engine.network.evaluate import Layers
from elcapitan.engine.network.turns import OUTCOMES
from elcapitan.engine.rules import RULES_VERSION
from elcapitan.engine.state import DERIVED_FROM, Boards
from elcapitan.errors import BadNetwork

FORMAT: Final = 1
PACKAGED: Final = "champion.npz"
FOR_TWO: Final = "champion_for_two.npz"  # games for two are so different that they have a network of their own
ABOUT: Final = "about"
MOST_BYTES: Final = 6_000_000  # of a file


@dataclass(frozen=True)
class Network:
    """A trained network, and what its file says about it."""

    layers: Layers
    board: str  # the digest of the board it was trained on
    recipe: dict[str, str]
    digest: str  # of its weights

    def fits(self, boards: Boards) -> bool:
        """Whether it was trained on this board."""
        return board_digest(boards) == self.board


def board_digest(boards: Boards) -> str:
    """Return a digest of everything printed on a board."""
    return hashlib.sha256(boards[:1].tobytes()[:DERIVED_FROM]).hexdigest()[:16]


@cache
def packaged_network(players: int) -> Network:
    """Return the champion's network for so many players, which comes with the package; it is read once and shared."""
    return read_network(_packaged_file(players).read_bytes(), _packaged_file(players).name)


@cache
def _packaged_board(players: int) -> str:
    """Return the digest of the board that this network was trained on, without reading its weights."""
    with _packaged_file(players).open("rb") as file, np.load(file, allow_pickle=False) as archive:
        return str(json.loads(str(archive[ABOUT]))["board"])


def knows_board(players: int, boards: Boards) -> bool:
    """Whether the packaged network for so many players was trained on this board."""
    return board_digest(boards) == _packaged_board(players)


def network_file(players: int) -> str:
    """Return the name of the file with the champion's network for so many players."""
    return FOR_TWO if players == 2 else PACKAGED


def _packaged_file(players: int) -> Traversable:
    """Return the packaged file of the champion's network for so many players."""
    return resources.files("elcapitan") / "data" / network_file(players)


def read_network(content: bytes, name: str) -> Network:
    """Read a network from the bytes of a file.

    Raises `BadNetwork` if the file is damaged, or was made for other features or rules.
    """
    if len(content) > MOST_BYTES:
        raise BadNetwork("network-too-large", file=name, most=MOST_BYTES)
    try:
        arrays, about = _parts(content)
    except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
        raise BadNetwork("network-damaged", file=name) from error
    wanted = _versions()
    found = {what: about.get(what) for what in wanted}
    if found != wanted:
        raise BadNetwork("network-of-other-version", file=name, found=_shown(found), wanted=_shown(wanted))
    if about.get("digest") != _digest(arrays) or not _consistent(arrays):
        raise BadNetwork("network-damaged", file=name)
    weights = [array.astype(np.float32) for array in arrays]
    for k in (0, -1):  # those that read a row
        weights[k] *= features.SCALES[:, None]
    for array in weights:
        array.flags.writeable = False
    return Network(Layers(*weights), str(about.get("board")), dict(about.get("recipe", {})), str(about["digest"]))


def write_network(
    path: Path, weights: list[np.ndarray[Any, np.dtype[np.float32]]], boards: Boards, recipe: Any
) -> None:
    """Write a network, its weights in the order of `Layers` and for features brought to scale."""
    arrays = [array.astype(np.float16) for array in weights]
    about = {**_versions(), "board": board_digest(boards), "recipe": recipe, "digest": _digest(arrays)}
    content: dict[str, Any] = {ABOUT: np.array(json.dumps(about)), **dict(zip(Layers._fields, arrays, strict=True))}
    np.savez_compressed(path, **content)


def _parts(content: bytes) -> tuple[list[Any], dict[str, Any]]:
    """Return the arrays of a file in the order of `Layers`, and what it says about itself."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            about = json.loads(str(archive[ABOUT]))
            return [archive[name] for name in Layers._fields], dict(about)
    except zipfile.BadZipFile as error:
        raise ValueError("no archive") from error


def _versions() -> dict[str, object]:
    """Return the versions that a file must have to be read."""
    return {"format": FORMAT, "features": features.VERSION, "rules": RULES_VERSION}


def _shown(versions: dict[str, object]) -> str:
    """Format versions on one line."""
    return ", ".join(f"{what} {version}" for what, version in versions.items())


def _digest(arrays: list[Any]) -> str:
    """Return a digest of all weights."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _consistent(arrays: list[Any]) -> bool:
    """Whether all weights are numbers, and the output of each layer fits the next."""
    if any(array.dtype != np.float16 or not np.isfinite(array).all() for array in arrays):
        return False
    first, second, third, last = arrays[0:8:2]
    shapes = [array.shape for array in (first, second, third, last)]
    if any(len(shape) != 2 for shape in shapes) or first.shape[0] != features.CELLS or last.shape[1] != OUTCOMES:
        return False
    chained = all(before[1] == after[0] for before, after in pairwise(shapes))
    biases = all(bias.shape == (layer[1],) for bias, layer in zip(arrays[1:8:2], shapes, strict=True))
    return chained and biases and arrays[8].shape == (features.CELLS, OUTCOMES)
