"""Callers of every kind, the keys they show, and how to find and redeem every key in an answer."""

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

from starlette.testclient import TestClient

from elcapitan.service.keys import CONSONANTS, VOWELS, WORDS
from elcapitan.web.auth import COOKIE, OWNER_COOKIE
from elcapitan.web.server_settings import hashed

API = "/api/v1"
STRANGER, WATCHER, FRIENDLY, OTHER, HOST = "stranger", "watcher", "friend", "other", "host"
FOREIGN, ADMIN, OWNER = "host of another game", "admin", "owner"
EVERYBODY = (STRANGER, WATCHER, FRIENDLY, OTHER, HOST, FOREIGN, ADMIN, OWNER)
ROLES = {WATCHER: "watch", FRIENDLY: "seat-1", OTHER: "seat-2", HOST: "host"}  # the role that each one's key opens
ADMIN_TOKEN = "the token of the admin"
ADMIN_HASH = hashed(ADMIN_TOKEN)
OWNER_KEY = "the-key-of-whoever-has-opened-it"
BY_COOKIE, BY_HEADER = "cookie", "header"
UNPACKED = {"Accept-Encoding": "identity"}  # packing takes as long as all else that a page needs
THIS_MACHINE = ("127.0.0.1", 50000)  # where a caller on the machine of the server is
PLAYERS = ("human", "friend", "friend", "captain")
TOKEN = re.compile(r"(?<![\w-])[\w-]{32}(?![\w-])")
WORD = f"(?:[{CONSONANTS}][{VOWELS}]){{2}}"
PHRASE = re.compile(rf"\b{WORD}(?: {WORD}){{{WORDS - 1}}}\b")


@dataclass(frozen=True)
class Party:
    """A game with a host, a friend in seat 1, another in seat 2 and a computer player, and everybody's key."""

    game: str
    keys: dict[str, str]

    def headers(self, who: str, how: str) -> dict[str, str]:
        """What a caller sends to show their key."""
        key = self.keys.get(who)
        if key is None:
            return {}
        if who == OWNER and how == BY_COOKIE:
            return owning(key)
        return bearing(f"{self.game}:{key}") if how == BY_COOKIE else {"authorization": f"Bearer {key}"}


def bearing(cookie: str) -> dict[str, str]:
    """What a browser with this cookie sends."""
    return {"cookie": f"{COOKIE}={cookie}"} if cookie else {}


def owning(key: str) -> dict[str, str]:
    """What the browser with this key of the owner sends."""
    return {"cookie": f"{OWNER_COOKIE}={key}"}


class AnyListener:
    """Notes whether other machines can connect. Raises what was put into it instead of letting them."""

    def __init__(self, problem: OSError | None = None) -> None:
        self.listens = False
        self._problem = problem

    async def open(self) -> None:
        """Let other machines connect."""
        if self._problem:
            raise self._problem
        self.listens = True

    def close(self) -> None:
        """Let them connect no more."""
        self.listens = False


def open_to_network(client: TestClient, key: str = OWNER_KEY, **sent: Any) -> Any:
    """Press the button that opens a local server to the network; the answer."""
    answer = client.post("/friends/open", data={"key": key}, **sent)
    client.cookies.clear()
    return answer


def created(client: TestClient) -> dict[str, Any]:
    """A new table, with its keys."""
    seats = [{"player": player} for player in PLAYERS]
    answer = client.post(f"{API}/games", json={"seats": seats, "first": 0})
    assert answer.status_code == 201, answer.text
    content: dict[str, Any] = answer.json()
    return content


def party(client: TestClient, foreign: str) -> Party:
    """A new game and everybody's key; the key of another game's host is given."""
    made = created(client)
    seats = {f"seat-{each['seat']}": each["key"] for each in made["seat_keys"]}
    opens = {"watch": made["watch_key"], "host": made["host_key"], **seats}
    keys = {who: opens[role] for who, role in ROLES.items()}
    return Party(made["game"], {**keys, FOREIGN: foreign, ADMIN: ADMIN_TOKEN, OWNER: OWNER_KEY})


def ways() -> list[tuple[str, str]]:
    """Every caller with every way to show a key."""
    return [(STRANGER, ""), *product(EVERYBODY[1:], (BY_COOKIE, BY_HEADER))]


# --------------------------------------------------------------------------------------------------- keys in answers


class Redeemer:
    """Finds everything in answers that looks like a key or a phrase, and redeems it; what opened nothing is known."""

    def __init__(self, client: TestClient) -> None:
        self._client = client
        self._opens_nothing: set[str] = set()

    def opened(self, answer: Any) -> set[tuple[str, str]]:
        """The game and role of every key that an answer contains."""
        self._client.cookies.clear()
        text = "\n".join([answer.text, *answer.headers.values()])
        looked_at = [("key", found) for found in set(TOKEN.findall(text)) - self._opens_nothing]
        looked_at += [("phrase", found) for found in set(PHRASE.findall(text)) - self._opens_nothing]
        return {opened for kind, found in looked_at if (opened := self._redeemed(kind, found))}

    def _redeemed(self, kind: str, found: str) -> tuple[str, str] | None:
        """The game and role that a key opens; none if it is no key."""
        answer = self._client.post(f"{API}/join", json={kind: found})
        if answer.status_code != 200:
            self._opens_nothing.add(found)
            return None
        return answer.json()["game"], answer.json()["role"]
