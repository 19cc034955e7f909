"""Who may see and do what: every address of pages and API, for every caller, on every kind of server.

A caller has a key of some kind and shows it by cookie or by header. Besides the status of the answer, every key that
an answer contains is redeemed: it must not grant anything that the caller lacked.
"""

import re
from collections.abc import AsyncGenerator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.testclient import TestClient
from tests.web.callers_and_keys import (
    ADMIN,
    ADMIN_HASH,
    API,
    BY_COOKIE,
    BY_HEADER,
    FOREIGN,
    FRIENDLY,
    HOST,
    OTHER,
    OWNER,
    ROLES,
    STRANGER,
    THIS_MACHINE,
    UNPACKED,
    WATCHER,
    AnyListener,
    Party,
    Redeemer,
    created,
    open_to_network,
    party,
    ways,
)

from elcapitan.service import Tables, keys
from elcapitan.web.app import ROUTERS, application
from elcapitan.web.server_settings import ServerSettings

GAME = "/games/{name}"
API_PREFIX = f"{API}/games/{{game}}"
FORBIDDEN = 403
CLOSED = (401, FORBIDDEN)


@dataclass(frozen=True)
class Door:
    """An address about a game: what is sent there, and who may."""

    open_to: tuple[str, ...]
    query: dict[str, Any] = field(default_factory=dict)
    form: dict[str, Any] = field(default_factory=dict)


LOOKING = (WATCHER, FRIENDLY, OTHER, HOST)
PLAYING = (FRIENDLY, OTHER, HOST)
OWN = (FRIENDLY,)  # what is done in the name of the friend's seat
PUSHED = {
    "address": "https://push.example/1",
    "public_key": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "secret": "BTBZMqHH6r4Tts7J_aSIgg",
}
DOORS = {
    "GET ": Door(LOOKING),
    "GET /table": Door(LOOKING),
    "GET /ways/{city}": Door(LOOKING),
    "GET /hint": Door(LOOKING, {"number": 3}),
    "GET /chances": Door(LOOKING),
    "GET /payday/{number}": Door(LOOKING),
    "GET /events": Door(LOOKING),
    "GET /replay": Door(LOOKING),
    "GET /export/{form}": Door(LOOKING),
    "POST /branch": Door(LOOKING, {"at": 1}),
    "POST /what-if": Door(PLAYING, form={"at": 1}),
    "GET /plan": Door(PLAYING),
    "GET /plan/events": Door(PLAYING),
    "GET /plan/ways/{city}": Door(PLAYING),
    "POST /plan/act": Door(PLAYING, form={"number": 1, "actions": "0"}),
    "POST /plan/undo": Door(PLAYING, form={"number": 1}),
    "POST /plan/forget": Door(PLAYING, form={"number": 1}),
    "GET /mistake": Door(LOOKING),
    "GET /picture": Door(LOOKING),
    "POST /rematch": Door((HOST,)),
    "POST /rematch/seat": Door(LOOKING),  # there is none before the end, see test_endings
    "POST /again": Door(LOOKING),
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
    "GET /push": Door(PLAYING),
    "POST /push": Door(PLAYING, form=PUSHED),  # the host plays seat 0
    "POST /push/stop": Door(PLAYING, form={"address": PUSHED["address"]}),
    "GET /invite": Door((HOST,)),
    "POST /invite": Door((HOST,), form={"role": "watch"}),
    "POST /settings": Door((HOST,), form={"pace": "fast", "title": "Ours"}),
    "POST /stand-in": Door((HOST,), form={"seat": 2, "level": "captain"}),
    "POST /remove": Door((HOST,), form={"seat": 2}),
    "POST /end": Door((HOST,)),
    "POST /delete": Door((HOST,)),
    "POST /ready": Door(OWN, form={"seat": 1, "yes": "true"}),
    "POST /start": Door((HOST,), form={"missing": "computers"}),
    "POST /back": Door(OWN, form={"seat": 1}),
}
FOR_PROGRAMS = {
    "GET ": Door(LOOKING),
    "GET /export/{form}": Door(LOOKING),
    "GET /actions": Door(LOOKING),
    "GET /events": Door(LOOKING, {"once": "true"}),
    "GET /chat": Door(LOOKING),
    "GET /hint": Door(PLAYING, {"number": 3}),
    "GET /chances": Door(LOOKING),
    "POST /keys": Door((FRIENDLY, HOST), form={"role": "seat-1"}),
    "POST /actions": Door(PLAYING, form={"number": 1, "actions": [0]}),
    "POST /undo": Door(PLAYING, form={"number": 1}),
    "POST /redo": Door(PLAYING, form={"number": 1}),
    "POST /wish": Door(OWN, form={"number": 1, "at": 1, "seat": 1}),
    "POST /wish/answer": Door(OWN, form={"number": 1, "yes": True, "seat": 1}),
    "POST /chat": Door(OWN, form={"text": "Ahoy", "seat": 1}),
    "POST /seats/{seat}/stand-in": Door((HOST,), form={"level": "captain"}),
    "POST /seats/{seat}/remove": Door((HOST,)),
    "POST /end": Door((HOST,)),
}
ADMIN_ONLY = (f"GET {API}/admin/games", f"DELETE {API}/admin/games/{{name}}", f"POST {API}/admin/games/{{name}}/end")
ELSEWHERE = {
    "GET /",
    "GET /new",
    "GET /friends",
    "POST /friends/open",
    "POST /friends/close",
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
    "GET /compiling",
    "GET /waiting/{token}",
    "GET /service-worker.js",
    "GET /offline",
}


def addresses() -> list[str]:
    """Every address of the pages, with how it is asked for."""
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    return [f"{method} {route.path}" for route in routes for method in sorted(route.methods or ())]


def plain(path: str) -> str:
    """A path without the kinds of its parameters."""
    return re.sub(r":\w+}", "}", path)


def test_no_address_is_forgotten() -> None:
    about_games = {each.replace(GAME, "", 1) for each in addresses() if GAME in each}
    assert about_games == set(DOORS)
    assert {each for each in addresses() if GAME not in each} == ELSEWHERE
    everything = {
        f"{method} {path}" for path, route in routes(application(":memory:").routes) for method in route.methods or ()
    }
    assert {each.replace(API_PREFIX, "", 1) for each in everything if API_PREFIX in each} == set(FOR_PROGRAMS)
    assert {*(plain(each) for each in addresses()), *ADMIN_ONLY} <= everything


# ------------------------------------------------------------------------------------------------------- the matrix


@pytest.fixture(scope="module", params=["public", "local", "opened"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client, on the same machine, of a server of each kind; computer players are at work."""
    settings = ServerSettings(public=request.param == "public", admin=ADMIN_HASH)
    opened = replace(settings, public=True) if request.param == "opened" else None
    app = application(tmp_path_factory.mktemp("server") / "games.db", settings=settings, opened=opened)
    with TestClient(app, headers=UNPACKED, follow_redirects=False, client=THIS_MACHINE) as client:
        if opened:
            app.state.network.listener = AnyListener()
            assert open_to_network(client).status_code == 303
        yield client


@pytest.fixture(scope="module")
def foreign(client: TestClient) -> str:
    """The key of another game's host."""
    return str(created(client)["host_key"])


@pytest.fixture(autouse=True)
def ending_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams end after one message."""

    async def once(_tables: Tables, _game: str, _seats: frozenset[int]) -> AsyncGenerator[int, None]:
        yield 1

    monkeypatch.setattr(Tables, "follow", once)


@pytest.fixture(autouse=True)
def quick_phrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phrases are hashed in no time."""
    monkeypatch.setattr(keys, "EFFORT", 2)


def is_public(client: TestClient) -> bool:
    """Whether a client visits a public server."""
    return bool(client.app.state.settings.public)  # type: ignore[attr-defined]


def owns_everything(client: TestClient, who: str, how: str) -> bool:
    """Whether a caller needs no key: on a local server, with none that opens this game and none in a header.

    On a server that was opened to the network only its owner.
    """
    if is_public(client):
        return bool(client.app.state.settings.owner) and (who, how) == (OWNER, BY_COOKIE)  # type: ignore[attr-defined]
    return who not in ROLES and how != BY_HEADER


WITH_A_KEY = ("POST /seat", "POST /push", "POST /push/stop")  # to a seat, on every server
PATHS = {"city": 3, "number": 1, "form": "json", "seat": 2}


@pytest.mark.parametrize("door", DOORS)
def test_every_page_is_open_to_those_it_is_for(client: TestClient, foreign: str, door: str) -> None:
    method, path = door.split(" ", 1)
    expected, table = DOORS[door], party(client, foreign)
    for who, how in ways():
        place = GAME.format(name=table.game) + path.format(**PATHS)
        headers = table.headers(who, how)
        answer = client.request(method, place, params=expected.query, data=expected.form or None, headers=headers)
        client.cookies.clear()
        owner = owns_everything(client, who, how) and door not in WITH_A_KEY
        assert (answer.status_code != FORBIDDEN) == (who in expected.open_to or owner), (who, how, answer.status_code)
        assert answer.status_code < 500
        if method == "POST" and answer.status_code < 400:  # it may have changed something
            table = party(client, foreign)


@pytest.mark.parametrize("door", FOR_PROGRAMS)
def test_the_api_is_open_to_keys_in_a_header_alone(client: TestClient, foreign: str, door: str) -> None:
    method, path = door.split(" ", 1)
    expected, table = FOR_PROGRAMS[door], party(client, foreign)
    for who, how in ways():
        place = API_PREFIX.format(game=table.game) + path.format(**PATHS)
        sent: dict[str, Any] = {"params": expected.query} if method == "GET" else {"json": expected.form}
        answer = client.request(method, place, headers=table.headers(who, how), **sent)
        allowed = who in expected.open_to and how == BY_HEADER
        assert (answer.status_code not in CLOSED) == allowed, (who, how, answer.status_code)
        assert answer.status_code < 500
        if method == "POST" and answer.status_code < 400:
            table = party(client, foreign)


@pytest.mark.parametrize("door", ADMIN_ONLY)
def test_what_is_the_admins_is_open_to_nobody_else(client: TestClient, foreign: str, door: str) -> None:
    method, path = door.split(" ", 1)
    table = party(client, foreign)
    for who, how in ways():
        answer = client.request(method, path.format(name=table.game), headers=table.headers(who, how))
        assert (answer.status_code not in CLOSED) == (who == ADMIN and how == BY_HEADER), (who, how)


# ------------------------------------------------------------------------------------------------- keys in answers

CHOICES: dict[str, tuple[Any, ...]] = {
    "role": ("host", "watch", *(f"seat-{seat}" for seat in range(5)), "friends", ""),
    "how": ("link", "phrase"),
    "kind": ("link", "phrase"),
    "seat": tuple(range(5)),
}
# What is sent in every other field; a form has the same as text.
FILLED: dict[str, Any] = {
    "number": 1,
    "count": 1,
    "at": 1,
    "actions": [0],
    "text": "Ahoy",
    "yes": True,
    "wanted": "Marta",
    "level": "captain",
    "city": 3,
    "form": "json",
    "held": 1,
    "token": "unknown",
    "seats": [{"player": "friend"}, {"player": "human"}],
}
NEW_GAMES = (
    "/games",
    "/games/quick",
    "/games/{name}/branch",
    "/games/{name}/what-if",
    "/games/{name}/rematch",
    "/games/{name}/again",
    "/guide/{number}/play",
    f"{API}/games",
)


@dataclass(frozen=True)
class Question:
    """One request: to which route, and what is sent in each part."""

    method: str
    route: str
    fields: dict[str, Any]
    body: tuple[str, ...]
    query: tuple[str, ...]

    def ask(self, client: TestClient, table: Party, headers: dict[str, str]) -> Any:
        """Send it."""
        path = self.route.format(**{**self.fields, "name": table.game, "game": table.game})
        query = {name: self.fields[name] for name in self.query if name in self.fields}
        body = {name: self.fields[name] for name in self.body if name in self.fields}
        if self.route.startswith(API):
            sent: dict[str, Any] = {"json": body} if self.method == "POST" else {}
        else:
            sent = {"data": {name: "0" if name == "actions" else str(value) for name, value in body.items()}}
        return client.request(self.method, path, params={"once": "true", **query}, headers=headers, **sent)


def routes(listed: Iterable[Any], before: str = "") -> Iterator[tuple[str, APIRoute]]:
    """Every route of an application, of its routers and of what is mounted in it, with its path."""
    for each in listed:
        included = getattr(each, "original_router", None)
        inside = included.routes if included else getattr(each, "routes", None)
        if inside:
            yield from routes(inside, before if included else before + each.path)
        elif isinstance(each, APIRoute):
            yield before + plain(each.path), each


def questions(client: TestClient) -> Iterator[Question]:
    """Every route, with every value of the fields that could name a right."""
    app = client.app
    assert isinstance(app, FastAPI)
    for path, route in routes(app.routes):
        needs = route.dependant
        models = [field.field_info.annotation for field in needs.body_params]
        inner = [getattr(model, "model_fields", None) for model in models]
        body = [name for fields in inner for name in fields or ()] or [field.name for field in needs.body_params]
        query = [field.name for field in needs.query_params]
        names = [*body, *query, *(field.name for field in needs.path_params)]
        varied = {name: CHOICES[name] for name in names if name in CHOICES}
        for values in product(*varied.values()):
            fields = {**FILLED, **dict(zip(varied, values, strict=True))}
            for method in sorted(route.methods or ()):
                yield Question(method, path, fields, tuple(body), tuple(query))


def entitled(client: TestClient, table: Party, who: str, how: str, opened: tuple[str, str]) -> bool:
    """Whether a caller had the rights of a key before they asked."""
    game, role = opened
    if game == table.game:
        return owns_everything(client, who, how) or who == HOST or ROLES.get(who) == role
    return who == FOREIGN


def wanted(client: TestClient, who: str) -> Iterator[Question]:
    """What a caller asks: all about games, on a local server only what names a role; the rest is the same for all."""
    for question in questions(client):
        about_games = "{name}" in question.route or "{game}" in question.route
        if (is_public(client) or "role" in question.body) and (about_games or who in (STRANGER, HOST)):
            yield question


@pytest.mark.parametrize(("who", "how"), ways())
def test_no_answer_grants_anything_that_the_caller_lacked(client: TestClient, foreign: str, who: str, how: str) -> None:
    table, redeemer = party(client, foreign), Redeemer(client)
    for question in wanted(client, who):
        answer = question.ask(client, table, table.headers(who, how))
        assert answer.status_code < 500, question
        opened = redeemer.opened(answer)
        if question.route in NEW_GAMES:  # whoever makes a game is its host
            opened = {(game, role) for game, role in opened if game == table.game}
        assert all(entitled(client, table, who, how, each) for each in opened), (question, opened)
        gone = question.method == "DELETE" or question.route.rpartition("/")[2] in ("end", "delete", "remove")
        if gone and answer.status_code < 400:
            table = party(client, foreign)
