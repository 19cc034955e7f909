"""Nothing that is sent tells what is face down: no secret of the shuffle, no salt, no order, no key of anybody else."""

import base64
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.playing import random_game

from elcapitan.records import capitan
from elcapitan.records.shuffles import commitment_of
from elcapitan.web.app import application
from elcapitan.web.server_settings import ServerSettings

SEATS = [{"player": "friend"}, {"player": "friend"}, {"player": "friend"}]
MOVES = 120
PAGES = ("", "/table", "/replay", "/replay?at=9", "/export/json", "/export/capitan", "/ways/Tunis", "/payday/1")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(application(tmp_path / "games.db", settings=ServerSettings(public=True))) as client:
        yield client


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


class Recorder:
    """Sends requests, searches every answer for keys, and keeps it, to be searched for what is known only later."""

    def __init__(self, client: TestClient, keys: list[str]) -> None:
        self.client = client
        self.keys = keys
        self.answers: list[str] = []

    def __call__(self, method: str, path: str, **sent: Any) -> Any:
        answer = self.client.request(method, path, **sent)
        assert answer.status_code < 500
        everything = f"{answer.headers!r}\n{answer.text}"
        for key in self.keys:
            assert key not in everything, (method, path)
        self.answers.append(f"{method} {path}\n{everything}")
        return answer


def test_every_answer_of_a_game_is_searched(client: TestClient) -> None:
    """Three friends and somebody who watches; whatever any of them asks for while they play."""
    table = client.post("/api/v1/games", json={"seats": SEATS}).json()
    game, keys = table["game"], [each["key"] for each in table["seat_keys"]]
    ask = Recorder(client, [table["host_key"], *keys])
    api, page = f"/api/v1/games/{game}", f"/games/{game}"
    dice = random.Random(5)
    commitments: set[str] = set()
    for move in range(MOVES):
        seen = ask("GET", api, headers=bearer(table["watch_key"])).json()
        if seen["deciding"] is None:
            break
        commitments.add(seen["commitment"])
        mine = bearer(keys[seen["deciding"]])
        legal = ask("GET", f"{api}/actions", headers=mine).json()["actions"]
        if move % 10 == 0:
            for path in PAGES:
                for key in (mine, bearer(table["watch_key"]), bearer(table["host_key"]), {}):
                    ask("GET", page + path, headers=key)
            ask("GET", f"{api}/export", params={"form": "json"}, headers=mine)
            ask("POST", f"{page}/undo", data={"number": seen["number"]}, headers=mine)
            ask("POST", f"{page}/say", data={"text": "hello"}, headers=mine)
            seen = ask("GET", api, headers=mine).json()
            legal = ask("GET", f"{api}/actions", headers=mine).json()["actions"]
        sent = {"number": seen["number"], "actions": [dice.choice(legal)["action"]]}
        assert ask("POST", f"{api}/actions", json=sent, headers=mine).status_code == 200
    assert len(ask.answers) > 3 * MOVES
    client.post(f"{page}/end", headers=bearer(table["host_key"]))
    over = client.get(page, headers=bearer(table["watch_key"])).text
    commitment, key, salt = re.findall(r"<dd><code>([0-9a-f]+)</code>", over)
    assert commitments == {commitment} == {commitment_of(key, salt)}, "the game has ended: now key and salt are shown"
    raw = bytes.fromhex(key)
    assert len(raw) == 32
    forms = [key, key.upper(), str(int(key, 16)), base64.b64encode(raw).decode(), repr(raw)]
    for secret in (*forms, key[:16], key[-16:], salt):
        assert not [answer for answer in ask.answers if secret in answer]


def test_tables_that_look_alike_are_shown_alike(client: TestClient) -> None:
    """The same game shuffled differently: whatever is sent of it is the same but for the hash of the shuffle."""
    record = capitan.to_capitan(random_game(3, ("Porto", "Islas Canarias"), seed=12, most=70))
    names = []
    for _ in range(2):
        answer = client.post("/games/import", data={"text": record}, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        names.append(answer.headers["location"].removeprefix("/games/"))
    shuffles = [re.findall(r"<dd><code>([0-9a-f]{64})</code>", client.get(f"/games/{name}").text) for name in names]
    assert shuffles[0][-1] != shuffles[1][-1]
    for path in PAGES:
        one, other = (_plainly(client.get(f"/games/{name}{path}").text, name) for name in names)
        assert one == other, path
    assert client.get(f"/games/{names[0]}").status_code == 200


def _plainly(page: str, name: str) -> str:
    """A page without what may differ: names, hashes, times, and what is made up to tell elements apart."""
    page = re.sub(r"[0-9a-f]{64}", "HASH", page.replace(name, "NAME"))
    page = re.sub(r"[0-9a-f]{8,}…?", "HASH", page)
    return re.sub(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?)?|\d\d?:\d\d(:\d\d)?", "TIME", page)
