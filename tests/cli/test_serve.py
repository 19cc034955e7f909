"""`elcapitan serve` as a program of its own: a public house behind a proxy, and what it tells of its visitors."""

import json
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.running import command, surroundings

TOKEN = "0123456789abcdefghij"
ELSEWHERE = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
LONGEST = 120  # seconds, however busy the machine is


@contextmanager
def served(folder: Path, *options: str) -> Iterator[tuple[str, Path]]:
    """A server that runs, its address, and the file with its log."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log, token = folder / "log", folder / "token"
    token.write_text(TOKEN)
    words = ["serve", "--public", "--base-url", "https://capitan.example", "--port", str(port), "--no-open"]
    words += ["--log", "json", "--admin-token-file", str(token)]
    with log.open("w") as told:
        process = subprocess.Popen(
            command(*words, "--database", folder / "games.db", *options),
            env=surroundings({}),
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
        )
    try:
        assert process.stdout and process.stdout.readline().startswith("El Capitán is at ")
        yield f"http://127.0.0.1:{port}", log
        process.send_signal(signal.SIGTERM)
        process.wait(LONGEST)
    finally:
        process.kill()
        process.communicate()


def asked(address: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], str]:
    """Status, headers and content of a page."""
    request = urllib.request.Request(address, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=LONGEST) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()


@pytest.mark.parametrize("believed", [True, False])
def test_who_asks_is_what_a_trusted_proxy_says(tmp_path: Path, believed: bool) -> None:
    with served(tmp_path, *(["--proxy", "127.0.0.1"] if believed else [])) as (house, log):
        status, headers, _ = asked(f"{house}/rules", ELSEWHERE)
        assert status == 200
        assert ("strict-transport-security" in {name.lower() for name in headers}) == believed
        assert "server" not in {name.lower() for name in headers}
        assert asked(f"{house}/metrics", ELSEWHERE)[0] == 401, "whoever comes through a proxy is not on this machine"
        assert asked(f"{house}/metrics")[0] == 200
        assert asked(f"{house}/metrics", {**ELSEWHERE, "Authorization": f"Bearer {TOKEN}"})[0] == 200
        assert asked(f"{house}/games/abc")[0] == 404
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    rules = [line for line in lines if line.get("route") == "/rules"]
    assert [line["address"] for line in rules] == ["203.0.113.9" if believed else "127.0.0.1"]
    assert TOKEN not in log.read_text()
