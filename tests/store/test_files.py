"""The files of a database: nobody else reads them, and one server at a time uses them."""

import asyncio
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.running import mistake, output
from tests.store.store_helpers import ROW, entry, opened, with_store

from elcapitan.errors import BadDatabase
from elcapitan.store.location import back_up, for_one_server, free_name

LONGEST = 120  # seconds, however busy the machine is


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Whatever is created may be read by everybody, unless its mode says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


async def add(folder: Path) -> set[Path]:
    """Store a game; the files that there are meanwhile."""
    async with opened(folder / "games.db") as (store, _engine):
        await store.add(ROW, [entry(1)], None)
        return {file for file in folder.iterdir() if mode(file) == 0o600}


@pytest.mark.usefixtures("open_umask")
def test_a_new_database_and_its_copies_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    private = asyncio.run(add(folder))
    assert {file.name for file in private} == {"games.db", "games.db-wal", "games.db-shm"}
    assert mode(folder) == 0o700
    copy = tmp_path / "copy.db"
    back_up(folder / "games.db", copy)
    assert mode(copy) == 0o600


@pytest.mark.usefixtures("open_umask")
def test_an_older_database_is_made_private_when_it_is_opened(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with_store(file, lambda store: store.add(ROW, [entry(1)], None))
    copy = free_name(file, "before-0003")
    back_up(file, copy)
    other = tmp_path / "notes.txt"
    other.write_text("mine", encoding="utf-8")
    for each in (file, copy, other):
        each.chmod(0o644)
    with_store(file, lambda store: store.read("first"))
    assert (mode(file), mode(copy), mode(other)) == (0o600, 0o600, 0o644)


def test_one_server_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "new" / "games.db"
    with for_one_server(file):
        with pytest.raises(BadDatabase) as refused, for_one_server(file):
            pass
        assert refused.value.reason == "in-use" and str(file) in str(refused.value)
        with for_one_server(tmp_path / "other.db"), for_one_server(None):
            pass
    with for_one_server(file):
        pass


def test_the_lock_dies_with_its_process(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    holding = (
        "import sys, time; from pathlib import Path; from elcapitan.store.location import for_one_server\n"
        "with for_one_server(Path(sys.argv[1])):\n    print('held', flush=True); time.sleep(600)"
    )
    process = subprocess.Popen([sys.executable, "-c", holding, str(file)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout and process.stdout.readline() == "held\n"
        with pytest.raises(BadDatabase), for_one_server(file):
            pass
        process.send_signal(signal.SIGKILL)
        process.wait(LONGEST)
        with for_one_server(file):
            pass
    finally:
        process.kill()
        process.communicate()


def test_a_second_server_says_so_and_ends_while_commands_go_on(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with_store(file, lambda store: store.add(ROW, [entry(1)], None))
    with for_one_server(file):  # as a server does
        assert mistake("serve", "--no-open", "--database", file).startswith(f"Another server uses {file} already")
        output("games", "backup", tmp_path / "copy.db", "--database", file)
    assert (tmp_path / "copy.db").exists()
