"""`elcapitan serve` as a program of its own: a public house behind a proxy, and what it tells of its visitors."""

import asyncio
import http.client
import json
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import webbrowser
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.cookiejar import CookieJar
from io import StringIO
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import segno
from fastapi import FastAPI
from rich.console import Console
from tests.cli.running import command, output, surroundings

from elcapitan.cli import serve
from elcapitan.cli.command_line import Terminal
from elcapitan.web.server_settings import ServerSettings, own_addresses

TOKEN = "0123456789abcdefghij"
PUBLIC = ("--public", "--base-url", "https://capitan.example")
ELSEWHERE = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
LONGEST = 120  # seconds, however busy the machine is


@contextmanager
def served(
    folder: Path, *options: str, listening: Sequence[str] = PUBLIC, at: str = "127.0.0.1"
) -> Iterator[tuple[str, Path]]:
    """A server that runs, its address, and the file with its log."""
    with socket.create_server((at, 0)) as free:
        port = free.getsockname()[1]
    log, token = folder / "log", folder / "token"
    token.write_text(TOKEN)
    words = ["serve", *listening, "--port", str(port), "--no-open"]
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
        yield f"http://{at}:{port}", log
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


# -------------------------------------------------------------------------------------------------- for the network


def test_a_second_address_of_this_machine_opens_a_server_for_the_network(tmp_path: Path) -> None:
    """A browser at 127.0.0.2 gets links that other devices can open, whatever name it asks for."""
    with served(tmp_path, listening=["--host", "0.0.0.0"]) as (house, log):
        port = urllib.parse.urlsplit(house).port
        expected = [f"http://{each}:{port}" for each in own_addresses("0.0.0.0")]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        fields = {"player0": "human", "player1": "friend", "colour0": "0", "colour1": "1"}
        with browser.open(f"http://127.0.0.2:{port}/games", urllib.parse.urlencode(fields).encode(), LONGEST) as made:
            invite = made.url
        assert invite.endswith("/invite")
        with browser.open(invite, b"role=friends", LONGEST) as answer:
            html = answer.read().decode()
        links = re.findall(r'value="([^"]*)/join#', html)
        assert links == (expected or [f"http://localhost:{port}"])
        assert ("localhost" in html) == (not expected)
        for link in links:
            assert asked(f"{link}/join")[0] == 200
    assert "Traceback" not in log.read_text()


def test_a_server_at_a_second_loopback_address_answers_there(tmp_path: Path) -> None:
    with served(tmp_path, listening=["--host", "127.0.0.2"], at="127.0.0.2") as (house, _log):
        assert asked(f"{house}/join")[0] == 200
        assert asked(f"{house}/join", {"Host": "evil.example"})[0] == 400


# ------------------------------------------------------------------------------------------ opened while it is running


def pressed(browser: urllib.request.OpenerDirector, house: str) -> str:
    """Press the button of a server for one computer; the page that comes."""
    with browser.open(f"{house}/friends", timeout=LONGEST) as page:
        found = re.search(r'name="key" value="([^"]+)"', page.read().decode())
    assert found
    with browser.open(f"{house}/friends/open", f"key={found[1]}".encode(), LONGEST) as answer:
        return str(answer.read().decode())


def reachable(*addresses: str) -> list[bool]:
    """Whether something answers at each of these addresses."""

    def answers(address: str) -> bool:
        try:
            return asked(f"{address}/join")[0] == 200
        except urllib.error.URLError:
            return False

    return [answers(each) for each in addresses]


def is_cut(connection: http.client.HTTPConnection) -> bool:
    """Whether the server has closed a connection."""
    try:
        return connection.sock.recv(1) == b""
    except ConnectionError:
        return True


def test_a_running_server_is_opened_to_the_network_and_closed(tmp_path: Path) -> None:
    with served(tmp_path, listening=[]) as (house, log):
        port = urllib.parse.urlsplit(house).port
        others = [f"http://{each}:{port}" for each in ("127.0.0.2", *own_addresses("0.0.0.0"))]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        with urllib.request.urlopen(f"{house}/games/quick", b"", LONGEST) as made:  # in another browser
            game = made.url
        kept = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)

        def on_the_same_connection(address: str) -> int:
            kept.request("GET", urllib.parse.urlsplit(address).path)
            answer = kept.getresponse()
            answer.read()
            return answer.status

        assert on_the_same_connection(game) == 200 and not any(reachable(*others))
        page = pressed(browser, house)
        assert all(each in page for each in others[1:])
        assert on_the_same_connection(game) == 403 == asked(game)[0], "it is open still, but needs a key"
        assert browser.open(game, timeout=LONGEST).status == 200
        assert all(reachable(house, *others))
        if others[1:]:
            friend = http.client.HTTPConnection(urllib.parse.urlsplit(others[1]).hostname or "", port, timeout=LONGEST)
            friend.request("GET", "/healthz")
            assert friend.getresponse().read()
        browser.open(f"{house}/friends/close", b"", LONGEST)
        assert reachable(house) == [True] and not any(reachable(*others))
        assert on_the_same_connection(game) == 200
        if others[1:]:
            assert is_cut(friend)
            friend.close()
        kept.close()
        pressed(browser, house)  # what listens when it stops is closed with it
    assert not any(reachable(house, *others))
    assert "Traceback" not in log.read_text()


def test_a_stream_without_a_key_ends_when_the_server_has_been_opened(tmp_path: Path) -> None:
    with served(tmp_path, listening=[]) as (house, _log):
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        fields = {"player0": "human", "player1": "human", "colour0": "0", "colour1": "1"}
        with browser.open(f"{house}/games", urllib.parse.urlencode(fields).encode(), LONGEST) as made:
            game = made.url
        with urllib.request.urlopen(f"{game}/events", timeout=LONGEST) as stream:
            assert stream.readline()
            pressed(browser, house)
            browser.open(f"{game}/settings", b"title=Secret", LONGEST)
            assert b"Secret" not in stream.read()
        with browser.open(game, timeout=LONGEST) as page:
            assert "Secret" in page.read().decode()


def test_where_the_port_is_taken_the_server_stays_as_it_is(tmp_path: Path) -> None:
    with served(tmp_path, listening=[]) as (house, log):
        port = urllib.parse.urlsplit(house).port
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        with socket.create_server(("127.0.0.2", port or 0)):
            with pytest.raises(urllib.error.HTTPError) as refused:
                pressed(browser, house)
            assert refused.value.code == 409 and "another program" in refused.value.read().decode()
            assert reachable(house) == [True]
        assert reachable(house, f"http://127.0.0.2:{port}") == [True, False]
        pressed(browser, house)
        assert reachable(house, f"http://127.0.0.2:{port}") == [True, True]
    assert "Address already in use" in log.read_text()


def settings_of(monkeypatch: pytest.MonkeyPatch, folder: Path, *options: str) -> list[ServerSettings | None]:
    """The settings of a server with these options, and those that it has once it is opened."""
    found: list[ServerSettings | None] = []

    def noted(_database: str, hosts: Sequence[str], *more: Any) -> SimpleNamespace:
        found.extend((more[0], more[2]))
        return SimpleNamespace(state=SimpleNamespace(network=SimpleNamespace()))

    monkeypatch.setattr("elcapitan.web.app.application", noted)
    monkeypatch.setattr(serve, "set_up_logs", lambda _form: None)
    running = SimpleNamespace(run=lambda sockets: [each.close() for each in sockets])
    monkeypatch.setattr(serve, "server", lambda *_args, **_more: running)
    output("serve", "--no-open", "--database", folder / "games.db", *options)
    return found


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--limits", "games=5"],
        ["--limits", "off"],
        ["--allow-local-webhooks"],
        ["--webhook-ports", "8080", "--host", "localhost"],
        ["--host", "127.0.0.2"],
    ],
)
def test_an_opened_server_has_the_settings_of_one_for_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    local, opened = settings_of(monkeypatch, tmp_path, *options)
    (network, _none) = settings_of(monkeypatch, tmp_path, *options, "--host", "0.0.0.0")
    assert local and not local.public and local.limits is None
    assert opened == network


@pytest.mark.parametrize(
    "options",
    [
        ["--host", "0.0.0.0"],
        ["--host", "::1"],
        ["--base-url", "http://localhost:8000"],
        ["--proxy", "127.0.0.1"],
        ["--public", "--base-url", "https://capitan.example"],
    ],
)
def test_servers_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]) -> None:
    assert settings_of(monkeypatch, tmp_path, *options)[1] is None


# -------------------------------------------------------------------------------------------------- what it tells


@pytest.mark.parametrize(("width", "drawn"), [(80, True), (20, False)])
def test_addresses_are_drawn_in_a_terminal(width: int, drawn: bool) -> None:
    screen, page = Terminal(), StringIO()
    screen.out = Console(file=page, force_terminal=True, no_color=True, width=width, highlight=False)
    address = "http://192.168.1.20:8000"
    serve.announce(screen, "http://localhost:8000", [address], "games.db")
    lines = page.getvalue().splitlines()
    assert lines[:2] == ["El Capitán is at http://localhost:8000", f"In your network: {address}"]
    picture = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines[2:-2]]
    assert bool(picture) == drawn
    if drawn:
        modules = {shown: dark for dark, shown in serve.HALVES.items()}
        rows = chain.from_iterable(zip(*(modules[letter] for letter in line), strict=True) for line in picture)
        code = segno.make(address, error="l", micro=False).matrix_iter(border=serve.QR_BORDER)
        for shown, meant in zip(rows, code, strict=False):
            assert list(shown) == [bool(module) for module in meant]
        assert len(picture) == 15


def test_without_a_terminal_addresses_are_only_written() -> None:
    screen, page = Terminal(), StringIO()
    screen.out = Console(file=page, force_terminal=False, highlight=False)
    serve.announce(screen, "http://localhost:8000", ["http://192.168.1.20:8000", "http://10.1.2.3:8000"], "games.db")
    assert page.getvalue().splitlines() == [
        "El Capitán is at http://localhost:8000",
        "In your network: http://192.168.1.20:8000",
        "In your network: http://10.1.2.3:8000",
        "Games are kept in games.db",
        "Stop with Ctrl+C.",
    ]


def test_the_command_for_the_network_keeps_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(serve.STARTED_BY, raising=False)
    monkeypatch.setattr(shutil, "which", lambda _name: "somewhere")
    assert serve.network_command(None, None) == "elcapitan serve --host 0.0.0.0"
    asked_for = "elcapitan serve --host 0.0.0.0 --port 9000 --database 'my games.db'"
    assert serve.network_command(9000, "my games.db") == asked_for
    assert "secret" not in serve.network_command(None, "postgresql://anna:secret@db.example/games")
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.setattr(sys, "argv", [".venv/bin/elcapitan", "serve"])
    assert serve.network_command(None, None) == ".venv/bin/elcapitan serve --host 0.0.0.0"
    monkeypatch.setattr(sys, "argv", ["src/elcapitan/__main__.py", "serve"])
    assert serve.network_command(None, None) == "python -m elcapitan serve --host 0.0.0.0"


def test_after_make_play_another_target_is_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(serve.STARTED_BY, "make")
    assert serve.network_command(None, None) == "make friends"
    assert shlex.split(serve.network_command(9000, "my games.db")) == [
        "make",
        "friends",
        "ARGS=--port 9000 --database 'my games.db'",
    ]
    makefile = (Path(__file__).parents[2] / "Makefile").read_text()
    assert f"{serve.STARTED_BY}=make $(BIN)/elcapitan serve $(ARGS)" in makefile
    assert "\nfriends: $(PLAYABLE)" in makefile and "elcapitan serve --host 0.0.0.0 $(ARGS)" in makefile


@pytest.mark.parametrize(
    ("options", "desktop", "opened"),
    [
        ([], False, ["http://localhost:{port}"]),
        (["--host", "0.0.0.0"], True, ["http://localhost:{port}"]),
        (["--host", "0.0.0.0"], False, []),
        (["--host", "0.0.0.0", "--open"], False, ["http://localhost:{port}"]),
        (["--host", "0.0.0.0", "--no-open"], True, []),
        (["--host", "0.0.0.0", "--base-url", "https://capitan.example"], True, []),
        (["--public", "--base-url", "https://capitan.example"], True, []),
    ],
)
def test_where_somebody_sits_the_page_opens_in_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], desktop: bool, opened: list[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    shown: list[str] = []
    monkeypatch.setattr(serve, "has_desktop", lambda _platform, _environment: desktop)
    monkeypatch.setattr(webbrowser, "open", shown.append)
    monkeypatch.setattr(serve, "set_up_logs", lambda _form: None)

    def run(sockets: Sequence[socket.socket]) -> None:
        sockets[0].close()
        end = time.monotonic() + 10
        while len(shown) < len(opened) and time.monotonic() < end:
            time.sleep(0.01)

    monkeypatch.setattr(serve, "server", lambda *_args, **_more: SimpleNamespace(run=run))
    output("serve", *options, "--port", str(port), "--database", tmp_path / "games.db")
    assert shown == [each.format(port=port) for each in opened]


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {}, False),
        ("darwin", {}, True),
        ("win32", {}, True),
        ("darwin", {"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}, False),
    ],
)
def test_who_has_a_desktop(platform: str, environment: dict[str, str], expected: bool) -> None:
    assert serve.has_desktop(platform, environment) is expected


def test_a_server_that_stops_answers_what_it_does_not_finish(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serve, "GRACE", 0)
    app, begun = FastAPI(), threading.Event()

    @app.get("/")
    async def _endless() -> None:
        begun.set()
        await asyncio.Event().wait()

    running = serve.server(app, "", limited=False)
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor() as threads:
        port = listener.getsockname()[1]
        stopped = threads.submit(running.run, sockets=[listener])
        answer = threads.submit(asked, f"http://127.0.0.1:{port}/")
        assert begun.wait(LONGEST)
        running.should_exit = True
        status, headers, _text = answer.result(LONGEST)
        stopped.result(LONGEST)
    assert (status, headers["retry-after"]) == (503, "5")
    assert not [record for record in caplog.records if record.exc_info]
