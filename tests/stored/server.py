"""A server over a database, in the same process: what programs see of its games, by API v1 alone.

The script that made the stored databases and the test that opens them share this. Both keep to what never changes: the
API, and the methods of `Tables` for what the API does not do.
"""

import gzip
import hashlib
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2

from elcapitan.service import Tables
from elcapitan.web.app import application

if TYPE_CHECKING:
    from tests.postgres import Postgres

API = "/api/v1"
FOLDER = Path(__file__).parent
Json = dict[str, Any]


@dataclass(frozen=True)
class Server:
    """A running server."""

    client: httpx2.AsyncClient
    tables: Tables

    async def get(self, path: str, key: str = "") -> httpx2.Response:
        """GET an address of the API."""
        return await self.client.get(API + path, headers=_bearer(key))

    async def post(self, path: str, key: str = "", /, **sent: object) -> Json:
        """POST to an address of the API, which must succeed."""
        return good(await self.try_post(path, key, **sent))

    async def try_post(self, path: str, key: str = "", /, **sent: object) -> httpx2.Response:
        """POST to an address of the API."""
        return await self.client.post(API + path, headers=_bearer(key), json=sent)

    async def state(self, game: str, key: str) -> Json:
        """The table."""
        return good(await self.get(f"/games/{game}", key))

    async def legal(self, game: str, key: str) -> list[Json]:
        """Every legal action in its three forms."""
        actions: list[Json] = good(await self.get(f"/games/{game}/actions", key))["actions"]
        return actions

    async def act(self, state: Json, key: str, *actions: object) -> Json:
        """Act at a table that was seen; the table after it."""
        return await self.post(f"/games/{state['game']}/actions", key, number=state["number"], actions=actions)

    async def seen(self, game: str, key: str) -> Json:
        """Everything that stays the same from one look to the next, and from one version to the next."""
        records = {form: await self.get(f"/games/{game}/export/{form}", key) for form in ("capitan", "json")}
        return {
            "state": steady(await self.state(game, key)),
            "actions": await self.legal(game, key),
            "chat": good(await self.get(f"/games/{game}/chat", key)),
            "capitan": records["capitan"].text,
            "sha256 of json": hashlib.sha256(records["json"].content).hexdigest(),
        }


@asynccontextmanager
async def serving(database: str | Path, *, bots: bool = False) -> AsyncIterator[Server]:
    """A server over a database; without `bots` nobody acts and no clock runs out unless somebody asks."""
    app = application(":memory:")
    async with Tables.open(database, bots=bots, workers=1) as tables:
        app.state.tables = tables
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://testserver", timeout=120) as client:
            yield Server(client, tables)


def unpacked(packed: Path, folder: Path, postgres: "Postgres | None") -> str | Path:
    """Unpack a stored database into a folder: a copy of the SQLite file, or the URL of a PostgreSQL with the dump."""
    file = folder / packed.stem
    file.write_bytes(gzip.decompress(packed.read_bytes()))
    if postgres is None:
        return file
    url = postgres.empty()
    psql = [postgres.tool("psql"), "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--file", str(file), url]
    subprocess.run(psql, check=True, stdout=subprocess.DEVNULL)
    return url


def good(answer: httpx2.Response) -> Json:
    """The content of an answer that went well."""
    assert answer.is_success, answer.text
    content: Json = answer.json()
    return content


def steady(state: Json) -> Json:
    """The table without what differs from one look to the next: its version, and the seconds that run."""
    kept = {name: value for name, value in state.items() if name != "version"}
    if state["clocks"]:
        clocks = kept["clocks"] = {name: value for name, value in state["clocks"].items() if name != "at"}
        clocks["left"] = [None if seat == clocks["running"] else left for seat, left in enumerate(clocks["left"])]
    return kept


def _bearer(key: str) -> dict[str, str]:
    """The header that shows a key."""
    return {"Authorization": f"Bearer {key}"} if key else {}
