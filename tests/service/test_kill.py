"""Killed in the middle of play, as if the power had failed: what was acknowledged is there, and the game goes on."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.running import surroundings
from tests.service.table_helpers import TWO, play_randomly, settings_for, until, with_tables
from tests.store.store_helpers import Database, asked

from elcapitan.service import Table, Tables

pytestmark = pytest.mark.compiled
ROUNDS = 2


def program(module: str, *words: object) -> tuple[list[str], dict[str, str]]:
    """How to start a program of these tests, and its environment."""
    environment = surroundings({})
    environment["PYTHONPATH"] += f":{Path(__file__).resolve().parents[2]}"
    return [sys.executable, "-m", f"tests.service.{module}", *map(str, words)], environment


def killed(database: Database, said: Path, acknowledgements: int) -> tuple[int, int]:
    """Play, and be killed after so many acknowledgements: the last number, and the process of a computer player."""
    words, environment = program("killed_process", database)
    with said.open("w") as out, subprocess.Popen(words, env=environment, stdout=out) as server:
        while server.poll() is None and said.read_text().count("acknowledged") < acknowledgements:
            time.sleep(0.01)
        server.kill()
    assert server.returncode == -signal.SIGKILL, "it was still playing"
    heard = [line.split() for line in said.read_text().splitlines(keepends=True) if line.endswith("\n")]
    numbers = {what: int(number) for what, number in heard}  # the last of each
    return numbers["acknowledged"], numbers["worker"]


def log_length(database: Database) -> int:
    """How many entries there are, after checking that none is missing."""
    if isinstance(database, Path):
        assert asked(database, "PRAGMA integrity_check") == [("ok",)]
    numbers = [number for (number,) in asked(database, "SELECT number FROM entries ORDER BY number")]
    ((length,),) = asked(database, "SELECT length FROM games")
    assert numbers == list(range(1, length + 1))
    return len(numbers)


def test_nothing_acknowledged_is_lost(database: Database, tmp_path: Path) -> None:
    dice, acknowledged = random.Random(9), 0
    for _ in range(ROUNDS):
        last, worker = killed(database, tmp_path / "said.txt", dice.randrange(15, 45))
        assert last > acknowledged
        acknowledged = last
        assert log_length(database) >= acknowledged
        assert _is_gone(worker), "computer players leave with the program they belong to"

    async def go_on(tables: Tables) -> Table:
        (summary,) = await tables.summaries()
        table = await tables.get(summary.id)
        assert table.frozen is None and table.number >= acknowledged
        return await play_randomly(tables, table, dice, 10)

    table = with_tables(database, go_on)
    assert table.number >= acknowledged + 10 and table.frozen is None  # ten moves, and perhaps those of others


def test_what_a_killed_worker_leaves_undone_another_takes_up(shared: str) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for("captain", "captain", "captain", pace="fast"))
        with working(shared) as first:
            await until(tables, table.id, lambda seen: len(seen.game.events) > 8)
            with working(shared):
                first.kill()
                first.wait()
                killed_at = (await tables.get(table.id)).number
                await until(tables, table.id, lambda seen: seen.number > killed_at + 5)
                await tables.change(table.id, pace="instant")
                await until(tables, table.id, lambda seen: seen.game.over)
        assert (await tables.writer.load(table.id)).state.dealt.problem is None

    with_tables(shared, look, jobs="ask")
    assert log_length(shared) > 50


def test_several_programs_at_one_table(shared: str) -> None:
    """All act at once: every number is acknowledged to one of them, and all are in the log."""

    async def begin(tables: Tables) -> str:
        return (await tables.create(TWO)).id

    game = with_tables(shared, begin, bots=False)
    words, environment = program("clicking_process", shared, game, 25)
    players = [
        subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for player in players:
        assert player.stdout is not None and player.stdout.readline() == "ready\n"
    for player in players:
        assert player.stdin is not None
        player.stdin.write("go\n")
        player.stdin.flush()
    acknowledged = [int(number) for player in players for number in player.communicate()[0].split()]
    assert all(player.returncode == 0 for player in players)
    assert len(acknowledged) == len(set(acknowledged)) == 75
    assert max(acknowledged) == log_length(shared)


@contextlib.contextmanager
def working(database: str) -> Iterator[subprocess.Popen[str]]:
    """A worker that is ready."""
    words, environment = program("worker_process", database)
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as worker:
        try:
            assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
            yield worker
        finally:
            worker.kill()


def _is_gone(process: int) -> bool:
    """Whether a process ends within some seconds."""
    for _ in range(100):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, 0)
            time.sleep(0.1)
            continue
        return True
    return False
