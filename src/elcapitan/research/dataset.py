"""Many games as rows in Parquet files: what each seat saw, what was legal, what it did, and what came of it.

    from elcapitan.research.dataset import arrays

    rows = arrays("games/")              # NumPy arrays by the names of the columns
    rows["observation"].shape            # (rows, 951), int8; `research.layout` names the parts
    rows["mask"].shape                   # (rows, 953), bool

Games are those that `elcapitan arena` plays with the same bots and seed, told by their numbers alone. A file holds
some games whole and takes its name only when it is complete, so what was broken off goes on where it was: files that
are there are not made again.
"""

import json
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import joblib
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.state import WORDS
from elcapitan.experiments.arena.games import Config, fixture, seated
from elcapitan.experiments.arena.tournament import ignore_interrupts
from elcapitan.game.game import RULES_VERSION, Game
from elcapitan.players import seats
from elcapitan.position.as_numbers import mask_of, observe
from elcapitan.research.layout import CELLS, PARTS, VERSION

FORMAT: Final = "elcapitan-dataset/1"
PLAN: Final = "dataset.json"
MASK_BYTES: Final = 8 * WORDS
COLUMNS: Final = (
    ("game", pa.int64(), "number of the game in the schedule, from 0"),
    ("move", pa.int32(), "number of the decision in its game, from 0"),
    ("seat", pa.int8(), "who decides"),
    ("observation", pa.binary(CELLS), "what the seat sees: cells of int8"),
    ("mask", pa.binary(MASK_BYTES), "what is legal: action n is bit n % 8 of byte n // 8"),
    ("action", pa.int16(), "what was done"),
    ("money", pa.int16(), "florins of the seat at the end"),
    ("rank", pa.int8(), "rank of the seat at the end, from 1; equals share one"),
    ("win", pa.float32(), "1 for the winner, shared by several; 0 for the others"),
    ("bot", pa.dictionary(pa.int8(), pa.string()), "who plays the seat"),
)


@dataclass(frozen=True)
class DatasetPlan:
    """Which games are written, and how many to a file."""

    config: Config
    portion: int  # games in a file

    @property
    def portions(self) -> list[range]:
        """The numbers of the games, file by file."""
        whole = self.config.games
        return [range(first, min(first + self.portion, whole)) for first in range(0, whole, self.portion)]

    def facts(self) -> dict[str, Any]:
        """Return everything that decides what the rows are, and how to read them."""
        config = self.config
        return {
            "format": FORMAT,
            "rules": RULES_VERSION,
            "board": config.figures.name,
            "players": config.players,
            "tiles": list(config.tiles),
            "options": dict(config.setup.options),
            "bots": list(config.bots),
            "seed": config.seed,
            "games": config.games,
            "portion": self.portion,
            "actions": N_ACTIONS,
            "observation": VERSION,
            "parts": {part.name: {"begin": part.begin, "shape": part.shape} for part in PARTS.values()},
        }


class OtherData(Exception):
    """The folder holds other data already."""


def schema(plan: DatasetPlan) -> Any:
    """Return the columns of a file, each with its meaning; the plan is stored in every file."""
    fields = [pa.field(name, kind, nullable=False, metadata={"about": about}) for name, kind, about in COLUMNS]
    return pa.schema(fields, metadata={"elcapitan": json.dumps(plan.facts())})


def seed_in(folder: Path) -> int | None:
    """Return the seed of the data in a folder, if there are any, to continue them."""
    written = folder / PLAN
    return int(json.loads(written.read_text(encoding="utf-8"))["seed"]) if written.exists() else None


def prepare(folder: Path, plan: DatasetPlan) -> list[range]:
    """Create the folder, or find what is in it; returns the portions that are still to be written."""
    folder.mkdir(parents=True, exist_ok=True)
    told = json.dumps(plan.facts(), indent=1) + "\n"
    written = folder / PLAN
    if written.exists() and written.read_text(encoding="utf-8") != told:
        raise OtherData(folder)
    written.write_text(told, encoding="utf-8")
    return [portion for portion in plan.portions if not file_of(folder, portion).exists()]


def file_of(folder: Path, portion: range) -> Path:
    """Return the path of the file of some games."""
    return folder / f"games-{portion.start:08d}-{portion.stop - 1:08d}.parquet"


def write_all(folder: Path, plan: DatasetPlan, wanted: list[range], jobs: int) -> Generator[int, None, None]:
    """Write some portions on `jobs` cores; yields the number of games of each as it is done."""
    if jobs == 1:
        yield from (write(folder, plan, portion) for portion in wanted)
        return
    workers = joblib.Parallel(
        n_jobs=jobs, backend="loky", return_as="generator_unordered", initializer=ignore_interrupts
    )
    yield from workers(joblib.delayed(write)(folder, plan, portion) for portion in wanted)


def write(folder: Path, plan: DatasetPlan, portion: range) -> int:
    """Play some games and write them to their file; returns how many."""
    columns: dict[str, list[Any]] = {name: [] for name, _, _ in COLUMNS}
    for number in portion:
        for row in rows_of(plan.config, number):
            for name, value in row.items():
                columns[name].append(value)
    table = pa.table(columns, schema=schema(plan))
    file = file_of(folder, portion)
    unfinished = file.with_suffix(".part")
    pq.write_table(table, unfinished, compression="zstd")
    unfinished.replace(file)
    return len(portion)


def rows_of(config: Config, number: int) -> list[dict[str, Any]]:
    """Play one game of the schedule and return all its decisions.

    Raises `BotFault` if a program fails, because what its stand-in does is not its own.
    """
    scheduled = fixture(config, number)
    rows: list[dict[str, Any]] = []
    with seated(config, scheduled) as (game, bots, dice):
        while (seat := game.seat) is not None:
            action = seats.choose_action(bots[seat], game, dice[seat])
            if problem := getattr(bots[seat], "problem", None):
                raise problem
            seen = {
                "observation": observe(game.view_for(seat), seat).tobytes(),
                "mask": _mask(game.legal()),
                "action": action,
            }
            rows.append({"game": number, "move": len(rows), "seat": seat, **seen})
            game.play(action)
    ends = [_end(game, seat, scheduled.bots[seat]) for seat in range(config.players)]
    return [row | ends[row["seat"]] for row in rows]


def _mask(legal: list[int]) -> bytes:
    """Encode a set of actions as bits."""
    return np.packbits(mask_of(legal), bitorder="little").tobytes()


def _end(game: Game, seat: int, bot: str) -> dict[str, Any]:
    """Return the result of a game for one seat."""
    winners = game.winners
    win = 1 / len(winners) if seat in winners else 0.0
    return {"money": game.money[seat], "rank": game.ranks[seat], "win": win, "bot": bot}


def files(folder: Path | str) -> list[Path]:
    """Return the complete files of a data set, in the order of their games."""
    return sorted(Path(folder).glob("games-*.parquet"))


def portions(folder: Path | str) -> Iterator[dict[str, npt.NDArray[Any]]]:
    """Yield a data set file by file, as arrays, for data that do not fit into memory."""
    for file in files(folder):
        yield _arrays(pq.read_table(file))


def arrays(folder: Path | str) -> dict[str, npt.NDArray[Any]]:
    """Read a whole data set as arrays by the names of its columns."""
    return _arrays(pa.concat_tables([pq.read_table(file) for file in files(folder)], promote_options="permissive"))


def _arrays(table: Any) -> dict[str, npt.NDArray[Any]]:
    """Return the columns of a table, with cells and masks unpacked."""
    columns = {name: table[name].to_numpy() for name in table.column_names if name not in ("observation", "mask")}
    columns["observation"] = _bytes(table["observation"], table["observation"].type.byte_width).view(np.int8)
    masks = np.unpackbits(_bytes(table["mask"], MASK_BYTES), axis=1, bitorder="little")
    columns["mask"] = masks[:, :N_ACTIONS].astype(np.bool_)
    return columns


def _bytes(column: Any, width: int) -> npt.NDArray[np.uint8]:
    """Return a column of equally long bytes as an array."""
    whole = column.combine_chunks()
    chunks = whole.chunks if isinstance(whole, pa.ChunkedArray) else [whole]
    parts = [
        np.frombuffer(chunk.buffers()[1], np.uint8).reshape(-1, width)[chunk.offset : chunk.offset + len(chunk)]
        for chunk in chunks
    ]
    return np.concatenate(parts) if parts else np.zeros((0, width), np.uint8)
