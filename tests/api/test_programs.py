"""Programs at a real server: the example client, `elcapitan sit`, and every command of docs/api.md."""

import contextlib
import json
import os
import re
import shlex
import shutil
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self
from urllib.request import Request, urlopen

import pytest
from tests.browser.running_server import HOST, RunningServer
from tests.cli.running import command, mistake, surroundings

ROOT = Path(__file__).parents[2]
PATIENCE = 120  # seconds for a game, however busy the machine is
CHEAPEST = f"cmd:{shlex.quote(sys.executable)} {ROOT / 'examples' / 'bots' / 'cheapest.py'}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of its own."""
    server = RunningServer(tmp_path_factory.mktemp("server")).open()
    yield server
    server.close()
    assert "Traceback" not in server.said, server.said


def asked(server: RunningServer, path: str, key: str = "", sent: object = None) -> Any:
    """What the server answers."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    body = None if sent is None else json.dumps(sent).encode()
    with urlopen(Request(f"{server.address}/api/v1{path}", body, headers), timeout=60) as answer:
        return json.loads(answer.read())


def created(server: RunningServer, *players: str, **more: object) -> dict[str, Any]:
    """A new game."""
    seats = [{"player": player} for player in players]
    made: dict[str, Any] = asked(server, "/games", "", {"seats": seats, "pace": "instant", **more})
    return made


def ran(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program that comes to its end."""
    return subprocess.run(
        [str(word) for word in words],
        env=surroundings(environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def sitting(server: "RunningServer | Wire", key: str, player: str, *more: str) -> "subprocess.Popen[str]":
    """Somebody who takes a seat; the key is in the environment, where no list of processes shows it."""
    return subprocess.Popen(
        command("sit", server.address, "--player", player, *more),
        env=surroundings({"ELCAPITAN_KEY": key}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def state_of(server: RunningServer, made: dict[str, Any]) -> Any:
    """The table as its host sees it."""
    return asked(server, f"/games/{made['game']}", made["host_key"])


def end(server: RunningServer, made: dict[str, Any]) -> None:
    """The host ends a game."""
    asked(server, f"/games/{made['game']}/end", made["host_key"], {})


def wait_for(server: RunningServer, made: dict[str, Any], number: int) -> None:
    """Wait until a table has come so far."""
    headers = {"Authorization": f"Bearer {made['watch_key']}"}
    until, came = time.monotonic() + PATIENCE, -1
    with urlopen(
        Request(f"{server.address}/api/v1/games/{made['game']}/events", headers=headers), timeout=60
    ) as stream:
        for line in stream:  # signs of life come however long nothing happens
            assert time.monotonic() < until, f"the table stands at {came}"
            if line.startswith(b"data: "):
                came = json.loads(line[6:])["state"]["number"]
                if came >= number:
                    return
    raise AssertionError(f"the stream ended at {came}")


class Wire(socketserver.ThreadingTCPServer):
    """A connection to a server on which one answer is cut off after its head, as by a server that is killed."""

    daemon_threads = True

    def __init__(self, port: int, answer_to: bytes) -> None:
        super().__init__((HOST, 0), Through)
        self.port, self.answer_to = port, answer_to
        self.address = f"http://{HOST}:{self.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class Through(socketserver.StreamRequestHandler):
    """One request through a wire."""

    server: Wire
    rbufsize = 0  # what comes after the first line is still to be handed on

    def handle(self) -> None:
        asked = self.rfile.readline()
        with socket.create_connection((HOST, self.server.port)) as door, door.makefile("rb") as answer:
            door.sendall(asked)
            threading.Thread(target=self.ask_on, args=(door,), daemon=True).start()
            head = list(iter(answer.readline, b"\r\n"))
            self.wfile.write(b"".join(head) + b"\r\n")
            if self.server.answer_to in asked:
                self.server.answer_to = b"nothing else"
                return
            with contextlib.suppress(OSError):  # whoever asked is gone
                while piece := answer.read1():
                    self.wfile.write(piece)

    def ask_on(self, door: socket.socket) -> None:
        """Hand on what else is asked."""
        with contextlib.suppress(OSError):  # it has answered
            while piece := self.request.recv(1 << 16):
                door.sendall(piece)


# ------------------------------------------------------------------------------------------------- the example client


def test_the_client_plays_a_game_of_its_own(server: RunningServer) -> None:
    done = ran(sys.executable, "-I", ROOT / "examples" / "client.py", server.address)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"Client: -?\d+ florins\ntrader: -?\d+ florins\nwanderer: -?\d+ florins\n", done.stdout)


def test_the_client_takes_a_seat_that_is_offered(server: RunningServer) -> None:
    made = created(server, "wanderer", "friend", tiles=["Islas Canarias"])
    done = ran(sys.executable, "-I", ROOT / "examples" / "client.py", server.address, made["seat_keys"][0]["key"])
    assert done.returncode == 0, done.stderr
    state = state_of(server, made)
    assert state["result"]["money"] == [int(money) for money in re.findall(r"(-?\d+) florins", done.stdout)]


def test_the_client_is_short() -> None:
    assert len((ROOT / "examples" / "client.py").read_text().splitlines()) < 70


# ----------------------------------------------------------------------------------------------------- elcapitan sit


def test_two_programs_play_a_whole_game(server: RunningServer) -> None:
    made = created(server, "friend", "friend", tiles=["Islas Canarias"])
    keys = [each["key"] for each in made["seat_keys"]]
    guests = [sitting(server, key, player) for key, player in zip(keys, (CHEAPEST, "wanderer"), strict=True)]
    ends = [guest.communicate(timeout=PATIENCE) for guest in guests]
    state = state_of(server, made)
    money = ", ".join(map(str, state["result"]["money"]))
    for seat, (guest, (out, err)) in enumerate(zip(guests, ends, strict=True)):
        assert guest.returncode == 0 and err == "", err
        assert f"seat {seat + 1} of game {made['game']}" in out and out.endswith(f"The game is over: {money}.\n")


def test_a_program_that_fails_is_named_and_its_seat_is_played_on(server: RunningServer, tmp_path: Path) -> None:
    bot = tmp_path / "bad.py"
    bot.write_text('import sys\nsys.stdin.readline()\nprint(\'{"type": "ready"}\', flush=True)\nsys.stdin.readline()\n')
    made = created(server, "friend", "wanderer")
    guest = sitting(server, made["seat_keys"][0]["key"], f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(bot))}")
    wait_for(server, made, 30)
    end(server, made)
    out, err = guest.communicate(timeout=PATIENCE)
    assert guest.returncode == 0 and "The host has ended this game" in out
    assert "It ended before the game did" in err


def test_python_players_take_seats_and_one_that_fails_is_named(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    made = created(server, "friend", "friend")
    players = [f"py:tests.players.python_players:{player}" for player in ("Last", "Thrower:3")]
    keys = [each["key"] for each in made["seat_keys"]]
    guests = [sitting(server, key, player) for key, player in zip(keys, players, strict=True)]
    ends = [guest.communicate(timeout=PATIENCE) for guest in guests]
    assert all(
        guest.returncode == 0 and "The game is over: " in out for guest, (out, _) in zip(guests, ends, strict=True)
    )
    assert [err for _, err in ends] == ["", f"{players[1]}: It failed with ValueError: over board.\n"]


def test_who_loses_the_seat_leaves(server: RunningServer) -> None:
    made = created(server, "friend", "friend", first=0)
    guest = sitting(server, made["seat_keys"][1]["key"], "captain")
    assert guest.stdout
    assert "sits in seat 2" in guest.stdout.readline()
    asked(server, f"/games/{made['game']}/seats/1/remove", made["host_key"], {})
    out, _err = guest.communicate(timeout=PATIENCE)
    assert guest.returncode == 0 and out == "The seat was taken away.\n"


def test_who_sits_at_a_game_that_is_ended_leaves(server: RunningServer) -> None:
    made = created(server, "friend", "friend", first=0)
    guest = sitting(server, made["seat_keys"][1]["key"], "captain")
    assert guest.stdout and guest.stdout.readline()
    end(server, made)
    out, _err = guest.communicate(timeout=PATIENCE)
    assert guest.returncode == 0 and out == "The host has ended this game.\n"


def test_a_seat_is_kept_through_a_power_cut(tmp_path: Path) -> None:
    server = RunningServer(tmp_path).open()
    made = created(server, "friend", "friend", first=0)
    guests = [sitting(server, each["key"], "wanderer") for each in made["seat_keys"]]
    wait_for(server, made, 20)
    server.kill()
    number = state_of(server.open(), made)["number"]
    wait_for(server, made, number + 20)  # they go on
    end(server, made)
    ends = [guest.communicate(timeout=PATIENCE) for guest in guests]
    server.close()
    for guest, (out, err) in zip(guests, ends, strict=True):
        assert guest.returncode == 0 and "The host has ended this game" in out, err
        assert err.count("The connection is interrupted") <= 2, err


def test_an_answer_that_is_cut_off_is_no_reason_to_leave(server: RunningServer) -> None:
    made = created(server, "friend", "wanderer", first=0)
    with Wire(server.port, b"/actions") as wire:
        guest = sitting(wire, made["seat_keys"][0]["key"], "wanderer")
        wait_for(server, made, 30)
        end(server, made)
        out, err = guest.communicate(timeout=PATIENCE)
    assert guest.returncode == 0 and "The host has ended this game" in out, err
    assert err == "The connection is interrupted (it was closed); trying again.\n"


def test_who_answers_nothing_at_all_is_no_server_for_this_game(server: RunningServer) -> None:
    made = created(server, "friend", "friend")
    with Wire(server.port, b"/join") as wire:
        assert "there is no El Capitán" in mistake("sit", wire.address, "--key", made["seat_keys"][0]["key"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("ftp://x", "--key", "k"), "'ftp://x' is not an address of a server; it begins with https:// or http://."),
        (("http://localhost:1",), "The key of a seat is needed: in the link, with --key, or in the variable"),
        (("http://localhost:1", "--key", "k"), "http://localhost:1 does not answer: Connection refused."),
        (("http://localhost:1/join#abc",), "http://localhost:1 does not answer: Connection refused."),
        (("http://x", "--key", "k", "--player", "nobody"), "There is no computer player nobody"),
        (("http://x", "--key", "k", "--player", "cmd:"), "is not a command line to start a computer player with."),
    ],
)
def test_every_mistake_gets_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in mistake("sit", *words, ELCAPITAN_KEY="")


def test_what_the_server_says_no_to_is_one_sentence_too(server: RunningServer) -> None:
    made = created(server, "friend", "friend")
    assert "This does not open a table here" in mistake("sit", server.address, "--key", "nonsense")
    assert "opens no seat" in mistake("sit", server.address, "--key", made["watch_key"])
    assert "opens no seat" in mistake("sit", server.address, "--key", "-", keys=made["host_key"] + "\n")


# ------------------------------------------------------------------------------------------------------- the document


@pytest.fixture
def with_curl(tmp_path: Path) -> str:
    """Where programs are looked for, with a curl: where there is none, one that knows what the page uses."""
    places = os.environ["PATH"]
    if not shutil.which("curl"):
        stand_in = tmp_path / "curl"
        stand_in.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{ROOT / "tests" / "api" / "curl.py"}" "$@"\n')
        stand_in.chmod(0o755)
        places = f"{tmp_path}:{places}"
    return places


def test_every_command_of_the_page_does_what_it_says(server: RunningServer, with_curl: str) -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    commands = re.findall(r"```sh\n(curl .*?)```", page, re.DOTALL)
    assert len(commands) >= 8
    known: dict[str, str] = {}
    for line in commands:
        done = subprocess.run(
            ["bash", "-euc", line.replace("http://localhost:8000", server.address)],
            env={**os.environ, **known, "PATH": with_curl},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, (line, done.stderr)
        assert '"error"' not in done.stdout, (line, done.stdout)
        if "host_key" in done.stdout:
            made = json.loads(done.stdout)
            known = {"GAME": made["game"], "HOST": made["host_key"], "KEY": made["seat_keys"][0]["key"]}
        if done.stdout.startswith("{") and "number" in (told := json.loads(done.stdout)):
            known["NUMBER"] = str(told["number"])
