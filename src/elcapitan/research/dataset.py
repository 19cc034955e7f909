"""Many games as rows in Parquet files: what each seat saw, what was legal, what it did, and what came of it.

    from elcapitan.research.dataset import arrays

    rows = arrays("games/")              # NumPy arrays by the names of the columns
    rows["observation"].shape            # (rows, 951), int8; `research.layout` names the parts
    rows["mask"].shape                   # (rows, 953), bool
    visit_shares(rows)                   # (rows, 953), float32: what a search tried, as a target for a policy

With Hugging Face's `datasets` the same arrays come from
`load_dataset("parquet", data_files="games/*.parquet", split="train").with_transform(decoded)`.

Games are those that `elcapitan arena` plays with the same bots and seed, told by their numbers alone. A file holds
some games whole and takes its name only when it is complete, so what was broken off goes on where it was: files that
are there are not made again.
"""

import json
import math
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from elcapitan.research.needs import extra

with extra("research"):
    import joblib
    import pyarrow as pa
    import pyarrow.parquet as pq

from elcapitan.bots.bot import Bot, SearchedPlan, Searcher
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.state import WORDS
from elcapitan.experiments.arena.games import Config, fixture, seated
from elcapitan.experiments.arena.tournament import ignore_interrupts
from elcapitan.game.game import RULES_VERSION, Game
from elcapitan.players import seats
from elcapitan.position.as_numbers import mask_of, observe
from elcapitan.research.layout import CELLS, PARTS, VERSION

FORMAT: Final = "elcapitan-dataset/2"
PLAN: Final = "dataset.json"
CARD: Final = "README.md"
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
    ("terminal", pa.bool_(), "the seat decides no more: the end of the game comes before its next decision"),
    ("over", pa.bool_(), "the game is over after the action"),
    ("expected_win", pa.float32(), "the chance to win that a searching bot expects of its plan; otherwise NaN"),
    ("expected_money", pa.float32(), "the florins at the end that it expects; otherwise NaN"),
    ("searched", pa.list_(pa.int16()), "the actions that it weighed for this decision, by their best plans"),
    ("visits", pa.list_(pa.int32()), "how often it tried each of them"),
    (
        "values",
        pa.list_(pa.float32()),
        "the chance to win that it expects of each; with 0 visits, by its network",
    ),
)
KINDS: Final = {name: kind for name, kind, _ in COLUMNS}
PACKED: Final = {"observation": CELLS, "mask": MASK_BYTES}  # bytes of a row


NOT_EXPECTED: Final = {"expected_win": math.nan, "expected_money": math.nan}


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
    (folder / CARD).write_text(card(plan), encoding="utf-8")
    return [portion for portion in plan.portions if not file_of(folder, portion).exists()]


def card(plan: DatasetPlan) -> str:
    """Return the data card: what the rows are, how they were made, and how to read them."""
    facts, config = plan.facts(), plan.config
    on = ", ".join(config.tiles) or "no expansion"
    options = ", ".join(name for name, chosen in facts["options"].items() if chosen) or "none"
    columns = "\n".join(f"| `{name}` | {kind} | {about} |" for name, kind, about in COLUMNS)
    return f"""---
pretty_name: "El Capitán: {config.games} games of {", ".join(config.bots)}"
tags: [board-games, reinforcement-learning, imitation-learning]
configs: [{{config_name: default, data_files: "games-*.parquet"}}]
---

# {config.games} games of El Capitán

Decisions of computer players in the board game El Capitán: one row for each, with what the seat saw, what was legal,
what it did and what came of it. No row contains face-down cards, and no person took part.

| | |
|---|---|
| games | {config.games}, numbered from 0; {plan.portion} in a file |
| players | {config.players}: {", ".join(config.bots)} |
| board | {facts["board"]}, {on}; table options: {options} |
| seed | {config.seed} |
| versions | {FORMAT}, rules {RULES_VERSION}, observations {VERSION} |

The games are those of `elcapitan arena` with the same bots and seed. `{PLAN}` has all of this for programs, and where
the parts of an observation begin.

| column | type | what it holds |
|---|---|---|
{columns}

```python
from elcapitan.research.dataset import arrays, decoded

rows = arrays("FOLDER")  # NumPy arrays by the names of the columns

from datasets import load_dataset

data = load_dataset("parquet", data_files="FOLDER/*.parquet", split="train").with_transform(decoded)
```

**Limits.** The rows show how these computer players play, not how one should. Rows of one game depend on one another:
split by `game`. `money`, `rank` and `win` are known only at the end, and so must not be inputs.
"""


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
    turns = [TurnThoughts() for _ in range(config.players)]
    with seated(config, scheduled) as (game, bots, dice):
        while (seat := game.seat) is not None:
            action = seats.choose_action(bots[seat], game, dice[seat])
            if problem := getattr(bots[seat], "problem", None):
                raise problem
            seen = {
                "observation": observe(game.view_for(seat), seat).tobytes(),
                "mask": _mask(game.legal()),
                "action": action,
                **turns[seat].of(bots[seat], seat, action),
            }
            rows.append({"game": number, "move": len(rows), "seat": seat, **seen})
            game.play(action)
    for k, row in enumerate(rows):
        row["terminal"], row["over"] = False, k == len(rows) - 1
    for last in {row["seat"]: row for row in rows}.values():
        last["terminal"] = True
    ends = [_end(game, seat, scheduled.bots[seat]) for seat in range(config.players)]
    return [row | ends[row["seat"]] for row in rows]


class TurnThoughts:
    """What a searching bot thought of its turn, told action by action."""

    def __init__(self) -> None:
        self._plans: Sequence[SearchedPlan] = ()
        self._done: tuple[int, ...] = ()

    def of(self, bot: Bot, seat: int, action: int) -> dict[str, Any]:
        """Return the columns of a decision; without any thoughts if the bot did not weigh its action."""
        plans = bot.searched if isinstance(bot, Searcher) else ()
        if plans is not self._plans:
            self._plans, self._done = plans, ()
        k = len(self._done)
        fitting = [plan for plan in plans if plan.actions[:k] == self._done and len(plan.actions) > k]
        self._done = (*self._done, action)
        best: dict[int, SearchedPlan] = {}
        visits: Counter[int] = Counter()
        for plan in fitting:
            best.setdefault(plan.actions[k], plan)
            visits[plan.actions[k]] += plan.visits
        if action not in best:
            return {**NOT_EXPECTED, "searched": [], "visits": [], "values": []}
        return {
            "expected_win": best[action].win[seat],
            "expected_money": best[action].money[seat],
            "searched": list(best),
            "visits": [visits[each] for each in best],
            "values": [plan.win[seat] for plan in best.values()],
        }


def _mask(legal: list[int]) -> bytes:
    """Encode a set of actions as bits."""
    return np.packbits(mask_of(legal), bitorder="little").tobytes()


def _end(game: Game, seat: int, bot: str) -> dict[str, Any]:
    """Return the result of a game for one seat."""
    return {"money": game.money[seat], "rank": game.ranks[seat], "win": game.win_shares[seat], "bot": bot}


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
    columns = {name: table[name].to_numpy() for name in table.column_names if name not in PACKED}
    columns["observation"] = _bytes(table["observation"], table["observation"].type.byte_width).view(np.int8)
    columns["mask"] = _flags(_bytes(table["mask"], MASK_BYTES))
    return columns


def _flags(masks: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Return masks with a flag for each action."""
    return np.unpackbits(masks, axis=1, bitorder="little")[:, :N_ACTIONS].astype(np.bool_)


def decoded(rows: Mapping[str, Sequence[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Return some rows, as a library reads them from the files, as arrays like those of `arrays`."""
    columns = {name: _column(values, KINDS.get(name)) for name, values in rows.items() if name not in PACKED}
    for name in PACKED.keys() & rows.keys():
        content = np.frombuffer(b"".join(rows[name]), np.uint8).reshape(len(rows[name]), -1)
        columns[name] = _flags(content) if name == "mask" else content.view(np.int8)
    return columns


def _column(values: Sequence[Any], kind: Any) -> npt.NDArray[Any]:
    """Return values as an array of a kind; lists, which differ in length, as an array of arrays."""
    if not isinstance(kind, pa.ListType):
        return np.asarray(values, kind.to_pandas_dtype() if kind and pa.types.is_primitive(kind) else None)
    column = np.empty(len(values), np.object_)
    column[:] = [np.asarray(each, kind.value_type.to_pandas_dtype()) for each in values]
    return column


def visit_shares(rows: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.float32]:
    """Return how often a search tried each action, as shares of all its tries; rows without tries are 0."""
    shares = np.zeros((len(rows["visits"]), N_ACTIONS), np.float32)
    for share, actions, visits in zip(shares, rows["searched"], rows["visits"], strict=True):
        if len(visits) and (total := np.sum(visits)):
            share[actions] = np.asarray(visits) / total
    return shares


def _bytes(column: Any, width: int) -> npt.NDArray[np.uint8]:
    """Return a column of equally long bytes as an array."""
    whole = column.combine_chunks()
    chunks = whole.chunks if isinstance(whole, pa.ChunkedArray) else [whole]
    parts = [
        np.frombuffer(chunk.buffers()[1], np.uint8).reshape(-1, width)[chunk.offset : chunk.offset + len(chunk)]
        for chunk in chunks
    ]
    return np.concatenate(parts) if parts else np.zeros((0, width), np.uint8)
