"""Whether a database can be written and read, found out by doing so."""

import shutil
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.store.store_helpers import ROW, entry, with_store

from elcapitan.errors import BadDatabase
from elcapitan.store import database as store_database
from elcapitan.store.game_store import GameStore


def test_a_database_in_order_is_written_and_read(database: str | Path) -> None:
    async def work(store: GameStore) -> None:
        await store.check()
        await store.add(ROW, [entry(1)], None)
        await store.check()

    with_store(database, work)
    if isinstance(database, Path):
        connection = sqlite3.connect(database)
        assert connection.execute("PRAGMA user_version").fetchone() == (2,), "something was written each time"
        connection.close()


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: GameStore) -> None:
        await store.check()
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=store_database.LEAST_FREE - 1))
        with pytest.raises(BadDatabase, match="disk full"):
            await store.check()

    with_store(tmp_path / "games.db", work)


def test_a_damaged_file_is_noticed_though_the_game_was_never_read(tmp_path: Path) -> None:
    file = tmp_path / "games.db"

    async def fill(store: GameStore) -> None:
        await store.add(ROW, [entry(number, text="x" * 3000) for number in range(1, 40)], None)

    async def check(store: GameStore) -> None:
        with pytest.raises(BadDatabase):
            await store.check()

    with_store(file, fill)
    whole = file.read_bytes()
    page = 4096
    assert len(whole) > 20 * page
    begin = len(whole) // page // 2 * page
    file.write_bytes(whole[:begin] + b"\xff" * page + whole[begin + page :])
    with_store(file, check)


def test_a_whole_file_is_looked_through_seldom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, now, found = list[Path](), [100.0], [""]

    def damage(file: Path) -> str:
        looks.append(file)
        now[0] += 1.0  # it takes a second
        return found[0]

    monkeypatch.setattr(store_database, "damage_of", damage)
    monkeypatch.setattr(store_database, "time", SimpleNamespace(monotonic=lambda: now[0]))

    async def work(store: GameStore) -> None:
        for _ in range(3):
            await store.check()
        assert len(looks) == 1
        now[0] += 1 / store_database.CHECKING_SHARE
        found[0] = "torn"
        for _ in range(2):
            with pytest.raises(BadDatabase, match="torn"):
                await store.check()
        assert len(looks) == 2

    with_store(tmp_path / "games.db", work)
