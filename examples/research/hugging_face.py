"""Hugging Face's `datasets`: write some games, and read them as arrays.

    python examples/research/hugging_face.py --games 100 --bots navigator

`datasets` reads the Parquet files as they are; `decoded` unpacks observations and masks when rows are asked for.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from datasets import load_dataset

from elcapitan.experiments.arena.games import Config
from elcapitan.research import dataset


def main() -> None:
    """Write the games, read them in both ways and compare."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    reader.add_argument("--games", type=int, default=2)
    reader.add_argument("--bots", default="navigator:sims=20")
    chosen = reader.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = dataset.DatasetPlan(Config(tuple(chosen.bots.split(",")), 2, games=chosen.games, seed=1), portion=1)
        for _ in dataset.write_all(folder, plan, dataset.prepare(folder, plan), jobs=1):
            pass
        files, cache = str(folder / "*.parquet"), str(folder / "cache")
        data = load_dataset("parquet", data_files=files, split="train", cache_dir=cache)
        rows, expected = data.with_transform(dataset.decoded)[:], dataset.arrays(folder)
        for part in ("observation", "mask", "action", "win"):
            assert np.array_equal(rows[part], expected[part]), part
        print(len(rows["action"]), "rows,", rows["observation"].shape[1], "cells, equal in both")


if __name__ == "__main__":
    main()
