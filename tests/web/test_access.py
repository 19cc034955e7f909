"""Who may see and do what: every address about a game, for everybody who could ask, in both kinds of house."""

import re
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from elcapitan.service import Tables
from elcapitan.service.plan import FRIEND, HUMAN
from elcapitan.web.access import COOKIE
from elcapitan.web.app import ROUTERS, application
from elcapitan.web.house import House

GAME = "/games/{name}"
STRANGER, WATCHER, FRIENDLY, OTHER, HOST = "stranger", "watcher", "friend", "other", "host"
EVERYBODY = (STRANGER, WATCHER, FRIENDLY, OTHER, HOST)
ROLES = {WATCHER: "watch", FRIENDLY: "seat-1", OTHER: "seat-2"}  # of those who come by a link
FORBIDDEN = 403


@dataclass(frozen=True)
class Door:
    """An address about a game: what is sent there, and who may."""

    open_to: tuple[str, ...]
    query: dict[str, Any] = field(default_factory=dict)
    form: dict[str, Any] = field(default_factory=dict)


LOOKING = (WATCHER, FRIENDLY, OTHER, HOST)
PLAYING = (FRIENDLY, OTHER, HOST)
OWN = (FRIENDLY,)  # what is done in the name of the friend's seat
DOORS = {
    "GET ": Door(LOOKING),
    "GET /table": Door(LOOKING),
    "GET /ways/{city}": Door(LOOKING),
    "GET /hint": Door(LOOKING, {"number": 3}),
    "GET /payday/{number}": Door(LOOKING),
    "GET /events": Door(LOOKING),
    "GET /replay": Door(LOOKING),
    "GET /export/{form}": Door(LOOKING),
    "POST /branch": Door(LOOKING, {"at": 1}),
    "POST /act": Door(LOOKING, form={"number": 1, "actions": "0"}),  # whoever is not to move is told so
    "POST /undo": Door(LOOKING, form={"number": 1}),
    "POST /redo": Door(LOOKING, form={"number": 1}),
    "POST /say": Door(OWN, form={"text": "Ahoy", "seat": 1}),
    "POST /wish": Door(OWN, form={"number": 1, "at": 1, "seat": 1}),
    "POST /answer": Door(OWN, form={"number": 1, "yes": "true", "seat": 1}),
    "GET /seat": Door(PLAYING),
    "POST /seat": Door(OWN, form={"role": "seat-1"}),
    "GET /name": Door(OWN, {"seat": 1}),
    "POST /name": Door(OWN, form={"seat": 1, "wanted": "Marta"}),
    "GET /invite": Door((HOST,)),
    "POST /invite": Door((HOST,), form={"role": "watch"}),
    "POST /settings": Door((HOST,), form={"pace": "fast", "title": "Ours"}),
    "POST /stand-in": Door((HOST,), form={"seat": 2, "level": "captain"}),
    "POST /remove": Door((HOST,), form={"seat": 2}),
    "POST /end": Door((HOST,)),
    "POST /delete": Door((HOST,)),
}
ELSEWHERE = {
    "GET /",
    "GET /new",
    "POST /games",
    "POST /games/quick",
    "POST /games/import",
    "GET /join",
    "POST /join",
    "GET /rules",
    "GET /rules/{name}",
    "GET /guide",
    "GET /guide/{number:number}",
    "POST /guide/{number:number}/act",
    "GET /guide/{number:number}/ways/{city}",
    "GET /guide/{number:number}/payday/{held}",
    "POST /guide/{number:number}/play",
}


def addresses() -> list[str]:
    """Every address of the pages, with how it is asked for."""
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    return [f"{method} {route.path}" for route in routes for method in sorted(route.methods or ())]


def test_no_address_is_forgotten() -> None:
    about_games = {each.replace(GAME, "", 1) for each in addresses() if GAME in each}
    assert about_games == set(DOORS)
    assert {each for each in addresses() if GAME not in each} == ELSEWHERE


# ------------------------------------------------------------------------------------------------------- the matrix


def made(client: TestClient) -> tuple[str, str]:
    """A table with a host, a friend in seat 1 and another in seat 2; its name and the host's cookie."""
    players = {"player0": HUMAN, "player1": FRIEND, "player2": FRIEND, "player3": "captain"}
    colours = {f"colour{seat}": str(seat) for seat in range(4)}
    answer = client.post("/games", data={**players, **colours, "first": "0", "friends": "on", "chat": "on"})
    assert answer.status_code == 303, answer.text
    cookie = str(client.cookies[COOKIE])
    client.cookies.clear()
    return str(answer.headers["location"]).removeprefix("/games/").removesuffix("/invite"), cookie


def shown_links(html: str) -> list[str]:
    """The links on a page, in order."""
    return re.findall(r'value="([^"]*/join[^"]*)"', html)


def cookie_of(client: TestClient, name: str, host: str, who: str) -> str:
    """The cookie of somebody, who comes by a link."""
    if who not in ROLES:
        return host if who == HOST else ""
    invited = client.post(f"/games/{name}/invite", data={"role": ROLES[who]}, headers=bearing(host))
    (link,) = shown_links(invited.text)
    assert client.post("/join", data={"key": link}).status_code == 303
    cookie = str(client.cookies[COOKIE])
    client.cookies.clear()
    return cookie


def bearing(cookie: str) -> dict[str, str]:
    """What a browser with this cookie sends."""
    return {"cookie": f"{COOKIE}={cookie}"} if cookie else {}


@pytest.fixture(scope="module", params=[True, False], ids=["public", "local"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A visitor to a house of either kind; computer players are at work."""
    app = application(tmp_path_factory.mktemp("house") / "games.db", house=House(public=request.param))
    with TestClient(app, follow_redirects=False) as client:
        yield client


def ask(client: TestClient, door: str, name: str, cookie: str) -> int:
    """Knock at a door; the answer's status."""
    method, path = door.split(" ", 1)
    path = GAME.format(name=name) + path.format(city=3, number=1, form="json")
    query, form, headers = DOORS[door].query, DOORS[door].form, bearing(cookie)
    return int(client.request(method, path, params=query, data=form or None, headers=headers).status_code)


async def once(_tables: Tables, _game: str, _seats: frozenset[int]) -> AsyncGenerator[int, None]:
    """A table that tells one piece of news, so that its stream ends."""
    yield 1


@pytest.mark.parametrize("door", DOORS)
def test_every_door_is_open_to_those_it_is_for(client: TestClient, door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tables, "follow", once)
    public = client.app.state.house.public  # type: ignore[attr-defined]
    name, host = made(client)
    for who in EVERYBODY:
        status = ask(client, door, name, cookie_of(client, name, host, who))
        open_to = DOORS[door].open_to
        owner = who == STRANGER and not public  # in a local house they sit at the machine, and may do everything
        allowed = who in open_to or (owner and door != "POST /seat")
        assert (status != FORBIDDEN) == allowed, (who, status)
        assert status < 500
        client.cookies.clear()
        if door.startswith("POST"):  # it may have changed something
            name, host = made(client)
