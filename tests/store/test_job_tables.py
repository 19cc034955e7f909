"""The tables of the queue of jobs: made once, and brought up to date when procrastinate is."""

import asyncio
import sys
from pathlib import Path

import pytest
from tests.postgres import rows
from tests.store.store_helpers import opened

from elcapitan.errors import BadDatabase
from elcapitan.store import schema

SEEN = "SELECT obj_description(to_regclass('procrastinate_jobs'))"


def start(database: str) -> None:
    async def run() -> None:
        async with opened(database):
            pass

    asyncio.run(run())


def test_they_are_made_with_ours(shared: str) -> None:
    start(shared)
    assert rows(shared, "SELECT count(*) FROM procrastinate_jobs") == [(0,)]
    assert rows(shared, SEEN) == [(schema.job_migrations()[-1].name,)]


def test_they_need_procrastinate(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "procrastinate.schema", None)
    with pytest.raises(BadDatabase, match=r'pip install "elcapitan\[postgres\]"'):
        start(shared)


def test_a_newer_procrastinate_brings_them_up_to_date(
    shared: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(shared)
    later = [tmp_path / "98.00.00_01_one.sql", tmp_path / "98.00.00_02_two.sql"]
    later[0].write_text("CREATE TABLE procrastinate_new (share TEXT DEFAULT '100%')", encoding="utf-8")
    later[1].write_text("ALTER TABLE procrastinate_new ADD COLUMN more TEXT", encoding="utf-8")
    monkeypatch.setattr(schema, "job_migrations", lambda: later)
    start(shared)
    start(shared)
    assert rows(shared, "SELECT share, more FROM procrastinate_new") == []
    assert rows(shared, SEEN) == [(later[1].name,)]
    monkeypatch.undo()
    start(shared)
    assert rows(shared, SEEN) == [(later[1].name,)], "an older procrastinate leaves them alone"
