"""`elcapitan worker` and `elcapitan serve --bots`: refused where games are in a file, stopped by a signal."""

import signal
import subprocess
from pathlib import Path

import pytest
from tests.cli.running import command, mistake, surroundings


def test_workers_want_a_database_that_can_be_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = (
        f"Workers need a PostgreSQL database, which several programs can share; {tmp_path}/games.db is something else."
    )
    assert mistake("worker", "--database", tmp_path / "games.db") == sentence
    assert mistake("serve", "--bots", "workers", "--database", tmp_path / "games.db") == sentence
    monkeypatch.setenv("ELCAPITAN_DATABASE", str(tmp_path / "games.db"))
    assert mistake("worker") == sentence
    assert "wants one of here, workers, not there" in mistake("serve", "--bots", "there")
    assert "wants a whole number from 1 to 256" in mistake("worker", "--processes", "0")


def test_a_server_that_does_not_answer(tmp_path: Path) -> None:
    sentence = mistake("worker", "--database", f"postgresql://anna:secret@/games?host={tmp_path}")
    assert "cannot be used to keep games in" in sentence and "secret" not in sentence


@pytest.mark.compiled
def test_a_worker_begins_and_ends(shared: str) -> None:
    words = command("worker", "--database", shared, "--processes", "1")
    with subprocess.Popen(words, env=surroundings({}), stdout=subprocess.PIPE, text=True) as worker:
        try:
            assert worker.stdout is not None
            assert worker.stdout.readline().startswith("Computer players play for the games in postgresql://")
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(30) == 0
        finally:
            worker.kill()
