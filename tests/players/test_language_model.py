"""The example that lets a language model play, against a stand-in for the address of the model."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from elcapitan.engine.rng import generator
from elcapitan.game.game import Game
from elcapitan.players import external, seats
from elcapitan.players.extras import extras

PROGRAM = Path(__file__).parents[2] / "examples" / "bots" / "language_model.py"
KEY = "a-key-of-mine"
WISHES = ("drawing", "texts", "digest")
Answer = tuple[int, Any]  # the status, and the content or how many seconds to wait


class StandIn(ThreadingHTTPServer):
    """Answers requests in turn as it was told; the last answer again and again."""

    def __init__(self, *answers: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.asked: list[tuple[str, Any, dict[str, Any]]] = []  # path, headers, content


class Handler(BaseHTTPRequestHandler):
    """One request to the stand-in."""

    server: StandIn

    def do_POST(self) -> None:
        server, content = self.server, json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.asked.append((self.path, self.headers, content))
        status, body = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
        if isinstance(body, float):
            time.sleep(body)
        written = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Location", f"http://127.0.0.1:{server.server_port}/elsewhere")
        self.send_header("Content-Length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)

    def handle(self) -> None:
        """Take it calmly if the program has gone."""
        try:
            super().handle()
        except OSError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def stand_in() -> Iterator[Callable[..., StandIn]]:
    """Start stand-ins."""
    started: list[StandIn] = []

    def start(*answers: Answer) -> StandIn:
        started.append(StandIn(*answers))
        Thread(target=started[-1].serve_forever, daemon=True).start()
        return started[-1]

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


def said(text: Any) -> Answer:
    """An answer of a model."""
    return 200, {"choices": [{"message": {"role": "assistant", "content": text}}]}


def surroundings(url: str) -> dict[str, str]:
    """The environment that names a model."""
    return {**os.environ, "MODEL_URL": url, "MODEL_NAME": "mine", "MODEL_KEY": KEY, "no_proxy": "*"}


def address(server: StandIn) -> str:
    """Where a stand-in is."""
    return f"http://127.0.0.1:{server.server_port}/v1/"


def conversation(server: StandIn, *words: str, seconds: float = 60.0) -> tuple[int, list[str], Game]:
    """The choice in a new game, and the lines on stderr."""
    game = Game.new(3, first=1, seed=3)
    view, legal = game.view_for(1), game.legal()
    asked = external.question(1, view, legal, seconds, game.figures) | extras(WISHES, 1, view, legal, game.figures)
    lines = external.to_line(external.hello(game.setup, 1, game.figures)) + external.to_line(asked)
    command = [sys.executable, str(PROGRAM), *words]
    environment = surroundings(address(server))
    done = subprocess.run(command, input=lines, env=environment, capture_output=True, check=True, timeout=100)
    ready, answer = (json.loads(line) for line in done.stdout.decode().splitlines())
    assert ready == {"type": "ready", "name": "mine", "wants": list(WISHES)}
    assert (answer["type"], answer["move"]) == ("action", 1) and 0 <= answer["choose"] < len(legal)
    errors = done.stderr.decode()
    assert KEY not in errors
    return answer["choose"], errors.splitlines(), game


@pytest.mark.parametrize(
    "text", ["CHOOSE 4", "Not 1 or CHOOSE 2, I think.\n\n**CHOOSE: 4**", " 4\n", "CHOOSE 3 CHOOSE 4."]
)
def test_the_model_is_asked_with_all_that_it_needs_and_chooses(stand_in: Callable[..., StandIn], text: str) -> None:
    server = stand_in(said(text))
    chosen, errors, game = conversation(server)
    assert chosen == 4 and errors == []
    ((path, headers, content),) = server.asked
    assert path == "/v1/chat/completions" and headers["Authorization"] == f"Bearer {KEY}"
    assert content["model"] == "mine" and [each["role"] for each in content["messages"]] == ["system", "user"]
    rules, position = (each["content"] for each in content["messages"])
    assert "CHOOSE 0" in rules and "three paydays" in rules
    assert position.startswith("You are Y.\n\n3 players, phase 1, round 1, Y to move")
    listed = re.findall(r"^(\d+)\. Buy: ", position, re.MULTILINE)
    assert listed == [str(place) for place in range(len(game.legal()))]


@pytest.mark.parametrize(
    ("first", "why"),
    [
        ((500, {}), "HTTP status 500"),
        ((429, {}), "HTTP status 429"),
        ((200, b"not json"), "JSONDecodeError"),
        ((200, {"choices": []}), "IndexError"),
        ((200, []), "TypeError"),
        (said(None), "the answer ends with no number from 0 to 9: ...'None'"),
        (said("CHOOSE 10"), "the answer ends with no number from 0 to 9: ...'CHOOSE 10'"),
        (said("I pass."), "the answer ends with no number from 0 to 9: ...'I pass.'"),
    ],
)
def test_what_may_have_been_an_accident_is_tried_again(
    stand_in: Callable[..., StandIn], first: Answer, why: str
) -> None:
    server = stand_in(first, said("CHOOSE 2"))
    chosen, errors, _game = conversation(server)
    assert chosen == 2 and len(server.asked) == 2
    assert len(errors) == 1 and errors[0].startswith(f"move 1, try 1: {why}")


def test_after_three_tries_a_simple_rule_plays_and_says_so(stand_in: Callable[..., StandIn], tmp_path: Path) -> None:
    server, log = stand_in(said("no")), tmp_path / "model.log"
    chosen, errors, _game = conversation(server, "--log", str(log))
    assert len(server.asked) == 3 and len(errors) == 4 and chosen == 0
    assert errors[-1].startswith("move 1: the model has not chosen; a simple rule plays “Buy: ")
    assert log.read_text(encoding="utf-8").splitlines() == errors


@pytest.mark.parametrize("status", [400, 401, 404, 302])
def test_what_will_not_change_is_not_tried_again(stand_in: Callable[..., StandIn], status: int) -> None:
    server = stand_in((status, {}))
    _chosen, errors, _game = conversation(server)
    assert len(server.asked) == 1 and len(errors) == 2, "a redirect is not followed either"
    assert errors[0] == f"move 1, try 1: HTTP status {status}"


def test_a_model_that_is_too_slow_does_not_cost_the_game(stand_in: Callable[..., StandIn]) -> None:
    begun = time.monotonic()
    _chosen, errors, _game = conversation(stand_in((200, 4.0)), seconds=1.0)
    assert "simple rule" in errors[-1] and time.monotonic() - begun < 20
    assert any("TimeoutError" in line or "the time was over" in line for line in errors[:-1])


def test_an_endless_answer_is_cut_off(stand_in: Callable[..., StandIn]) -> None:
    _chosen, errors, _game = conversation(stand_in((200, b"x" * (2 << 20))))
    assert errors[0] == "move 1, try 1: the answer is too long" and "simple rule" in errors[1]


def test_nobody_at_the_address() -> None:
    server = StandIn(said("CHOOSE 1"))
    server.server_close()
    _chosen, errors, _game = conversation(server)
    assert len(errors) == 4 and "refused" in errors[0]


@pytest.mark.parametrize("url", ["", "ftp://x", "file:///etc/passwd"])
def test_it_says_what_it_needs(url: str) -> None:
    command = [sys.executable, str(PROGRAM)]
    done = subprocess.run(command, env=surroundings(url), capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "MODEL_URL (http://... or https://...) and MODEL_NAME" in done.stderr


def test_a_whole_game(stand_in: Callable[..., StandIn], monkeypatch: pytest.MonkeyPatch) -> None:
    """The model takes the first action of every list; where there is only one it is not asked."""
    server = stand_in(said("CHOOSE 0"))
    for name, value in surroundings(address(server)).items():
        monkeypatch.setenv(name, value)
    game = Game.new(2, seed=1)
    specs = [f"cmd:{sys.executable} {PROGRAM}", "wanderer"]
    bots = [seats.create_seat(spec, game.setup, seat, game.figures, 60.0) for seat, spec in enumerate(specs)]
    decisions = 0
    while game.seat is not None:
        decisions += game.seat == 0 and len(game.legal()) > 1
        action = seats.choose_action(bots[game.seat], game, generator(1))
        assert game.seat == 1 or action == game.legal()[0]
        game.play(action)
    seats.dismiss(bots, game)
    assert getattr(bots[0], "fault", "") is None and getattr(bots[0], "name", "") == "mine"
    assert len(server.asked) == decisions > 20
