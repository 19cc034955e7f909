"""Killed in the middle of play, as if the power had failed: what was acknowledged is there, and the game goes on."""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.running import surroundings
from tests.service.tabling import play_randomly, with_tables

from elcapitan.service import Table, Tables

pytestmark = pytest.mark.compiled
ROUNDS = 3


def killed(file: Path, acknowledgements: int) -> tuple[int, int]:
    """Play, and be killed after so many acknowledgements: the last number, and the process of a computer player."""
    environment = surroundings({})
    environment["PYTHONPATH"] += f":{Path(__file__).resolve().parents[2]}"
    words = [sys.executable, "-m", "tests.service.victim", str(file)]
    said = file.with_name("said.txt")
    with said.open("w") as out, subprocess.Popen(words, env=environment, stdout=out) as victim:
        while victim.poll() is None and said.read_text().count("acknowledged") < acknowledgements:
            time.sleep(0.01)
        victim.kill()
    assert victim.returncode == -signal.SIGKILL, "it was still playing"
    heard = [line.split() for line in said.read_text().splitlines(keepends=True) if line.endswith("\n")]
    numbers = {what: int(number) for what, number in heard}  # the last of each
    return numbers["acknowledged"], numbers["worker"]


def log_length(file: Path) -> int:
    """How many entries there are, after checking that none is missing."""
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    numbers = [number for (number,) in connection.execute("SELECT number FROM entries ORDER BY number")]
    ((length,),) = connection.execute("SELECT length FROM games")
    connection.close()
    assert numbers == list(range(1, length + 1))
    return len(numbers)


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    file, dice, acknowledged = tmp_path / "games.db", random.Random(9), 0
    for _ in range(ROUNDS):
        last, worker = killed(file, dice.randrange(15, 45))
        assert last > acknowledged
        acknowledged = last
        assert log_length(file) >= acknowledged
        assert _is_gone(worker), "computer players leave with the program they belong to"

    async def go_on(tables: Tables) -> Table:
        (summary,) = await tables.summaries()
        table = await tables.get(summary.id)
        assert table.frozen is None and table.number >= acknowledged
        return await play_randomly(tables, table, dice, 10)

    table = with_tables(file, go_on)
    assert table.number > acknowledged + 10 and table.frozen is None


def _is_gone(process: int) -> bool:
    """Whether a process ends within some seconds."""
    for _ in range(100):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, 0)
            time.sleep(0.1)
            continue
        return True
    return False
