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

from elcapitan.notation import capitan
from elcapitan.service import Tables
from elcapitan.web.app import application
from elcapitan.web.house import House

SEATS = [{"player": "friend"}, {"player": "friend"}, {"player": "friend"}]
MOVES = 120
PAGES = ("", "/table", "/replay", "/replay?at=9", "/export/json", "/export/capitan", "/ways/Tunis", "/payday/1")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(application(tmp_path / "games.db", house=House(public=True))) as client:
        yield client


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


class Searching:
    """Sends requests and searches every answer."""

    def __init__(self, client: TestClient, secrets: list[str]) -> None:
        self.client = client
        self.secrets = secrets
        self.answers = 0

    def __call__(self, method: str, path: str, **sent: Any) -> Any:
        answer = self.client.request(method, path, **sent)
        assert answer.status_code < 500
        everything = f"{answer.headers!r}\n{answer.text}"
        for secret in self.secrets:
            assert secret not in everything, (method, path)
        self.answers += 1
        return answer


def test_every_answer_of_a_game_is_searched(client: TestClient) -> None:
    """Three friends and somebody who watches; whatever any of them asks for while they play."""
    table = client.post("/api/v1/games", json={"seats": SEATS}).json()
    game, keys = table["game"], [each["key"] for each in table["seat_keys"]]
    tables: Tables = client.app.state.tables  # type: ignore[attr-defined]
    (promise,) = tables._live[game].course.promises
    raw = bytes.fromhex(promise.key)
    forms = [promise.key, promise.key.upper(), str(int(promise.key, 16)), base64.b64encode(raw).decode(), repr(raw)]
    secrets = [*forms, promise.key[:16], promise.key[-16:], promise.salt]
    assert len(raw) == 32
    ask = Searching(client, [*secrets, table["host_key"], *keys])
    api, page = f"/api/v1/games/{game}", f"/games/{game}"
    dice = random.Random(5)
    for move in range(MOVES):
        seen = ask("GET", api, headers=bearer(table["watch_key"])).json()
        if seen["deciding"] is None:
            break
        assert seen["commitment"] == promise.commitment
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
    assert ask.answers > 3 * MOVES
    client.post(f"{page}/end", headers=bearer(table["host_key"]))
    over = client.get(page, headers=bearer(table["watch_key"])).text
    assert promise.key in over and promise.salt in over, "nobody plays any more: now everybody may check"


def test_tables_that_look_alike_are_shown_alike(client: TestClient) -> None:
    """The same game shuffled differently: whatever is sent of it is the same but for the hash of the shuffle."""
    record = capitan.to_capitan(random_game(3, ("Porto", "Islas Canarias"), seed=12, most=70))
    tables: Tables = client.app.state.tables  # type: ignore[attr-defined]
    names = []
    for _ in range(2):
        answer = client.post("/games/import", data={"text": record}, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        names.append(answer.headers["location"].removeprefix("/games/"))
    secrets = [tables._live[name].course.secret for name in names]
    assert secrets[0] != secrets[1]
    for path in PAGES:
        one, other = (_plainly(client.get(f"/games/{name}{path}").text, name) for name in names)
        assert one == other, path
    assert client.get(f"/games/{names[0]}").status_code == 200


def _plainly(page: str, name: str) -> str:
    """A page without what may differ: names, hashes, times, and what is made up to tell elements apart."""
    page = re.sub(r"[0-9a-f]{64}", "HASH", page.replace(name, "NAME"))
    page = re.sub(r"[0-9a-f]{8,}…?", "HASH", page)
    return re.sub(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?)?|\d\d?:\d\d(:\d\d)?", "TIME", page)
