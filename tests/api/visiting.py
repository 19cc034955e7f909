"""Visits of programs: a house without pages, guests with a key each, and streams that are read as they come."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.testclient import TestClient
from starlette.types import Message

from elcapitan.service import Tables
from elcapitan.web.api import routes
from elcapitan.web.api.app import add_api
from elcapitan.web.security import SecurityMiddleware
from elcapitan.web.server_settings import ServerSettings

API = "/api/v1"
LONGEST = 120  # seconds for anything, however busy the machine is
Answer = Any  # of the test client


def application(folder: Path, *, bots: bool = False, public: bool = True) -> FastAPI:
    """A house with nothing but the API; computer players rest, unless they are wanted."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        async with Tables.open(folder / "games.db", bots=bots, workers=1) as tables:
            app.state.tables = tables
            yield

    app = FastAPI(lifespan=life)
    app.state.settings = ServerSettings(public=public)
    add_api(app, routes.router)
    app.add_middleware(SecurityMiddleware)
    return app


@contextmanager
def house(folder: Path, *, bots: bool = False, public: bool = True) -> Iterator[TestClient]:
    """A client of such a house."""
    with TestClient(application(folder, bots=bots, public=public)) as client:
        yield client


@dataclass(frozen=True)
class Guest:
    """Somebody with a key to a game."""

    client: TestClient
    game: str
    key: str

    def get(self, path: str = "", **headers: str) -> Answer:
        """Ask for something of the game."""
        return self.client.get(f"{API}/games/{self.game}{path}", headers={**bearer(self.key), **headers})

    def post(self, path: str, sent: object, **headers: str) -> Answer:
        """Send something to the game."""
        return self.client.post(f"{API}/games/{self.game}{path}", json=sent, headers={**bearer(self.key), **headers})

    @property
    def state(self) -> dict[str, Any]:
        """The table as this guest sees it."""
        return good(self.get())

    def act(self, *actions: object) -> Answer:
        """Act at the table as it is now."""
        return self.post("/actions", {"number": self.state["number"], "actions": list(actions)})


@dataclass(frozen=True)
class Party:
    """Everybody at a new table."""

    host: Guest
    watcher: Guest
    seats: dict[int, Guest]

    @property
    def deciding(self) -> Guest:
        """Whoever is to move."""
        return self.seats[self.host.state["deciding"]]


def bearer(key: str) -> dict[str, str]:
    """What shows a key."""
    return {"Authorization": f"Bearer {key}"}


def good(answer: Answer, status: int = 200) -> dict[str, Any]:
    """The content of an answer that went well."""
    assert answer.status_code == status, answer.text
    content: dict[str, Any] = answer.json()
    return content


def code(answer: Answer, status: int) -> str:
    """The name of what is wrong, if the answer has the status that is expected."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "rule"} and error["message"]
    return str(error["code"])


def wanted(*players: str, **settings: object) -> dict[str, Any]:
    """A table as a program asks for it."""
    return {"seats": [{"player": player} for player in players], "first": 0, "pace": "instant", **settings}


def party(client: TestClient, *players: str, **settings: object) -> Party:
    """A new table with these players, and everybody who has a key to it."""
    made = good(client.post(f"{API}/games", json=wanted(*(players or ("friend", "friend")), **settings)), 201)
    game = made["game"]
    seats = {each["seat"]: Guest(client, game, each["key"]) for each in made["seat_keys"]}
    return Party(Guest(client, game, made["host_key"]), Guest(client, game, made["watch_key"]), seats)


# ---------------------------------------------------------------------------------------- without waiting for the end


@dataclass
class Reply:
    """An answer, as far as it has come."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes = b""

    @property
    def json(self) -> Any:
        """Its content."""
        return json.loads(self.content)


class Stream:
    """An answer that goes on: what has come so far, and waiting for more."""

    def __init__(self, app: FastAPI, path: str, key: str, **headers: str) -> None:
        self.reply = Reply()
        self._news = asyncio.Condition()
        self._left = asyncio.Event()
        self._task = asyncio.create_task(self._run(app, path, {**bearer(key), **headers}))
        self._read = 0

    async def _run(self, app: FastAPI, path: str, headers: Mapping[str, str]) -> None:
        sent = False

        async def receive() -> Message:
            nonlocal sent
            if sent:
                await self._left.wait()
                return {"type": "http.disconnect"}
            sent = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            async with self._news:
                if message["type"] == "http.response.start":
                    self.reply.status = message["status"]
                self.reply.content += message.get("body", b"").replace(b"\r\n", b"\n")
                self._news.notify_all()

        await app(scope_of("GET", path, headers), receive, send)

    async def message(self) -> dict[str, Any]:
        """The next message, with its id and its name."""
        async with asyncio.timeout(LONGEST), self._news:
            await self._news.wait_for(lambda: b"\n\n" in self.reply.content[self._read :])
        end = self.reply.content.index(b"\n\n", self._read)
        lines = self.reply.content[self._read : end].decode().split("\n")
        self._read = end + 2
        told = dict(line.split(": ", 1) for line in lines if not line.startswith(":"))
        if "data" not in told:
            return await self.message()
        return {"id": told.get("id"), "name": told.get("event", ""), **json.loads(told["data"])}

    async def ended(self) -> None:
        """Wait until nothing more comes."""
        async with asyncio.timeout(LONGEST):
            await self._task

    async def leave(self) -> None:
        """Listen no more."""
        self._left.set()
        await self.ended()


def scope_of(method: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """A request as servers hand it on."""
    parts = urlsplit(path)
    return {
        "type": "http",
        "method": method,
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "headers": [(name.lower().encode(), value.encode()) for name, value in {"Host": "here", **headers}.items()],
        "client": ("127.0.0.1", 1),
        "server": ("here", 80),
    }


async def asked(app: FastAPI, path: str, key: str, sent: object = None, **headers: str) -> Reply:
    """The whole answer to a request; something is posted if there is something to send."""
    body = b"" if sent is None else json.dumps(sent).encode()
    carried = {**bearer(key), "Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
    reply, given = Reply(), False

    async def receive() -> Message:
        nonlocal given
        if given:
            await asyncio.Event().wait()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            reply.status = message["status"]
            reply.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
        reply.content += message.get("body", b"")

    async with asyncio.timeout(LONGEST):
        await app(scope_of("GET" if sent is None else "POST", path, carried), receive, send)
    return reply
