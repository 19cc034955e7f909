"""A local server that is opened to its network: who may do that, what holds from then on, and what closing it does."""

import asyncio
import errno
import re
from collections.abc import Callable
from contextlib import ExitStack, closing
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient
from tests.web.callers_and_keys import (
    API,
    OWNER_KEY,
    THIS_MACHINE,
    AnyListener,
    bearing,
    open_to_network,
    owning,
)
from tests.web.page_client import english_left, in_language, made, shown_links

from elcapitan.text.catalogue import LANGUAGES
from elcapitan.web import auth, server_settings
from elcapitan.web.app import application
from elcapitan.web.server_settings import Limits, ServerSettings, hashed

HERE = "http://localhost:8000"
ELSEWHERE = ("192.168.1.30", 50000)  # where a caller on another machine is
BURST = 100  # requests at once
NETWORK = ServerSettings(public=True, host="0.0.0.0", limits=Limits(requests=1, burst=BURST))
FORBIDDEN, CONFLICT, TOO_MANY = 403, 409, 429


class Server:
    """A local server that can be opened, for callers on this machine and on others."""

    def __init__(self, folder: Path, callers: ExitStack) -> None:
        self.app: FastAPI = application(folder / "games.db", opened=NETWORK)
        self.listener = AnyListener()
        self.app.state.network.listener = self.listener
        self._callers = callers
        self.here = callers.enter_context(self._client(THIS_MACHINE))

    def _client(self, where: tuple[str, int], address: str = HERE) -> TestClient:
        return TestClient(self.app, address, follow_redirects=False, client=where)

    def elsewhere(self, address: str = HERE) -> TestClient:
        """A caller on another machine."""
        return self._callers.enter_context(closing(self._client(ELSEWHERE, address)))

    @property
    def is_open(self) -> bool:
        """Whether other machines can connect, which is when every game needs its key."""
        settings: ServerSettings = self.app.state.settings
        assert settings.public == self.listener.listens
        return self.listener.listens


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(server_settings, "own_addresses", lambda _host: ("192.168.1.20",))
    with ExitStack() as callers:
        yield Server(tmp_path, callers)


def key_on(html: str) -> str:
    """The key on the button of a page."""
    found = re.search(r'name="key" value="([^"]*)"', html)
    return found[1] if found else ""


# ---------------------------------------------------------------------------------------------------- who may open it


def test_the_button_opens_the_server(server: Server) -> None:
    page = server.here.get("/friends").text
    assert 'action="/friends/open"' in page and 'action="/games"' not in page and "--host" not in page
    answer = server.here.post("/friends/open", data={"key": key_on(page)})
    assert (answer.status_code, answer.headers["location"]) == (303, "/friends")
    assert server.is_open
    assert "httponly" in answer.headers["set-cookie"].lower() and "samesite=lax" in answer.headers["set-cookie"].lower()
    opened = server.here.get("/friends").text
    assert 'action="/games"' in opened and 'action="/friends/close"' in opened and "http://192.168.1.20:8000" in opened


@pytest.mark.parametrize("page", ["/invite", "/seat"])
def test_the_button_is_where_links_are_and_leads_back(server: Server, page: str) -> None:
    name, _host = made(server.here)
    html = server.here.get(f"/games/{name}{page}").text
    assert f'name="back" value="/games/{name}{page}"' in html
    sent = {"key": key_on(html), "back": f"/games/{name}{page}"}
    assert server.here.post("/friends/open", data=sent).headers["location"] == sent["back"]
    html = server.here.post(f"/games/{name}/invite", data={"role": "friends"}).text
    assert {link.partition("/join#")[0] for link in shown_links(html)} == {"http://192.168.1.20:8000"}


def test_nobody_is_led_to_another_site(server: Server) -> None:
    answer = server.here.post("/friends/open", data={"key": OWNER_KEY, "back": "//evil.example"})
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 400),  # a name that another site has given to this machine
        ({"Origin": "http://evil.example"}, FORBIDDEN),
        ({"Sec-Fetch-Site": "cross-site"}, FORBIDDEN),
        ({"Sec-Fetch-Site": "same-site"}, FORBIDDEN),
        ({"Origin": "http://localhost:9000"}, FORBIDDEN),  # another program on this machine
        ({"X-Forwarded-For": "127.0.0.1"}, FORBIDDEN),
        ({"Forwarded": "for=127.0.0.1"}, FORBIDDEN),
    ],
)
def test_what_was_not_sent_by_a_page_on_this_machine_opens_nothing(
    server: Server, headers: dict[str, str], status: int
) -> None:
    assert open_to_network(server.here, headers=headers).status_code == status
    assert not server.is_open
    assert open_to_network(server.here).status_code == 303


@pytest.mark.parametrize("key", ["", "short", "x" * 33, "x" * 31 + "\u00e9"])
def test_a_key_that_could_be_guessed_is_refused(server: Server, key: str) -> None:
    assert open_to_network(server.here, key).status_code == 422
    assert not server.is_open


def test_another_machine_gets_nothing_from_a_closed_server(server: Server) -> None:
    """Its connection may be older than the moment at which the server was closed."""
    elsewhere = server.elsewhere()
    for path in ("/", "/friends", f"{API}/levels", "/static/theme.css"):
        assert elsewhere.get(path).status_code == FORBIDDEN
    assert open_to_network(elsewhere).status_code == FORBIDDEN
    assert not server.is_open


@pytest.mark.parametrize(
    "settings", [ServerSettings(), ServerSettings(public=True), ServerSettings(public=True, host="0.0.0.0")]
)
def test_other_servers_have_no_button(tmp_path: Path, settings: ServerSettings) -> None:
    app = application(tmp_path / "games.db", ["*"], settings)
    with TestClient(app, HERE, follow_redirects=False, client=THIS_MACHINE) as client:
        assert "/friends/open" not in client.get("/friends").text
        assert open_to_network(client).status_code == FORBIDDEN
        assert client.post("/friends/close", headers=owning(OWNER_KEY)).status_code == FORBIDDEN
    assert app.state.settings is settings


# ------------------------------------------------------------------------------------------------------ once it is open


def test_only_the_browser_that_opened_it_keeps_its_games(server: Server) -> None:
    name, host = made(server.here)
    other, _host = made(server.here)
    assert server.here.get(f"/games/{name}").status_code == 200
    open_to_network(server.here)
    for client in (server.here, server.elsewhere()):
        assert [client.get(f"/games/{each}").status_code for each in (name, other)] == [FORBIDDEN] * 2
        assert "game-" not in client.get("/").text
        assert client.get(f"/games/{name}", headers=owning("x" * 32)).status_code == FORBIDDEN
        assert client.get(f"/games/{name}", headers=bearing(host)).status_code == 200
    for each in (name, other):
        assert server.here.get(f"/games/{each}/invite", headers=owning(OWNER_KEY)).status_code == 200
        assert f"game-{each}" in server.here.get("/", headers=owning(OWNER_KEY)).text
        stolen = server.elsewhere().get(f"/games/{each}", headers=owning(OWNER_KEY))
        passed_on = server.here.get(f"/games/{each}", headers={**owning(OWNER_KEY), "Via": "1.1 proxy"})
        assert stolen.status_code == passed_on.status_code == FORBIDDEN
    told = server.here.get(f"{API}/games/{name}", headers={"Authorization": f"Bearer {OWNER_KEY}"})
    assert told.status_code == 401


def test_it_counts_and_names_itself_as_a_server_for_the_network(server: Server) -> None:
    for _ in range(BURST + 50):
        assert server.here.get("/healthz").status_code == 200
    assert server.here.get("/rules", headers={"Host": "evil.example"}).status_code == 400
    open_to_network(server.here)
    owner = {**owning(OWNER_KEY), "Host": "evil.example"}
    name, _host = made(server.here)
    html = server.here.post(f"/games/{name}/invite", data={"role": "friends"}, headers=owner).text
    assert shown_links(html) and "evil.example" not in html
    assert server.here.post("/games", data={"seed": "7"}, headers=owning(OWNER_KEY)).status_code == 422
    statuses = [server.here.get("/healthz").status_code for _ in range(BURST + 10)]
    assert statuses[0] == 200 and statuses[-1] == TOO_MANY


def test_nobody_else_can_take_it_over_and_a_second_click_is_harmless(server: Server) -> None:
    open_to_network(server.here)
    for client in (server.here, server.elsewhere(), server.elsewhere("http://evil.example:8000")):
        assert key_on(client.get("/friends").text) == ""
        assert open_to_network(client, "x" * 32).status_code == FORBIDDEN
        assert client.post("/friends/close").status_code == FORBIDDEN
        assert client.post("/friends/close", headers=owning("x" * 32)).status_code == FORBIDDEN
    assert open_to_network(server.elsewhere()).status_code == FORBIDDEN
    again = open_to_network(server.here)
    assert again.status_code == 303 and OWNER_KEY in again.headers["set-cookie"]
    assert server.is_open


def test_two_who_open_it_at_once_have_one_owner(server: Server) -> None:
    network, state = server.app.state.network, server.app.state

    async def both() -> None:
        await asyncio.gather(network.open("a" * 32), network.open("b" * 32))

    asyncio.run(both())
    assert state.settings.owner == hashed("a" * 32)


def test_if_it_cannot_be_opened_nothing_changes(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    name, _host = made(server.here)
    server.app.state.network.listener = AnyListener(OSError(errno.EADDRINUSE, "Address already in use"))
    for language in LANGUAGES:
        answer = server.here.post("/friends/open", data={"key": OWNER_KEY}, headers=in_language(language))
        html = unescape(answer.text)
        assert answer.status_code == CONFLICT and 'role="alert"' in html and 'action="/friends/open"' in html
        assert not english_left(html, language)
    assert "Address already in use" in caplog.text
    assert not server.is_open
    assert server.here.get(f"/games/{name}").status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_about_it_speak_the_readers_language(server: Server, language: str) -> None:
    closed = unescape(server.here.get("/friends", headers=in_language(language)).text)
    open_to_network(server.here)
    opened = unescape(server.here.get("/friends", headers={**in_language(language), **owning(OWNER_KEY)}).text)
    assert "/friends/open" in closed and "/friends/close" in opened
    assert not english_left(closed, language) and not english_left(opened, language)


# ----------------------------------------------------------------------------------------------------- closing it again


def test_its_owner_closes_it_and_everything_is_as_before(server: Server) -> None:
    name, _host = made(server.here)
    open_to_network(server.here)
    answer = server.here.post("/friends/close", headers=owning(OWNER_KEY))
    assert (answer.status_code, answer.headers["location"]) == (303, "/friends")
    assert 'owner=""' in answer.headers["set-cookie"]
    assert not server.is_open
    assert server.here.post("/friends/close", headers=owning(OWNER_KEY)).status_code == 303  # a second click
    assert server.here.get(f"/games/{name}").status_code == 200
    assert server.here.get("/rules", headers={"Host": "evil.example"}).status_code == 400
    assert open_to_network(server.here, "y" * 32).status_code == 303
    assert server.here.get(f"/games/{name}", headers=owning(OWNER_KEY)).status_code == FORBIDDEN


def test_neither_opening_nor_closing_gives_rights_to_what_is_under_way(server: Server) -> None:
    """A request that has come before and is answered after it, as slow ones and streams are."""
    closed, opened = ServerSettings(), ServerSettings(public=True, owner=hashed(OWNER_KEY))

    def entitled(came: ServerSettings, now: ServerSettings) -> bool:
        server.app.state.settings = now
        scope = {"type": "http", "app": server.app, "headers": [], "client": THIS_MACHINE, auth.SETTINGS: came}
        return auth.needs_no_key(HTTPConnection(scope))

    assert entitled(closed, closed)
    assert not any(entitled(came, now) for came, now in [(closed, opened), (opened, closed), (opened, opened)])
    server.app.state.settings = closed


@pytest.mark.parametrize("deed", ["open", "close"])
def test_a_slow_request_does_not_open_or_close_it_later(
    server: Server, monkeypatch: pytest.MonkeyPatch, deed: str
) -> None:
    """A page of another site, by a name given to this machine, sends a request while the server is open."""
    open_to_network(server.here)
    read: Callable[..., Any] = auth.server_settings

    def closing_meanwhile(request: HTTPConnection) -> ServerSettings:
        server.app.state.settings = ServerSettings()
        server.listener.close()
        found: ServerSettings = read(request)
        return found

    monkeypatch.setattr("elcapitan.web.network.server_settings", closing_meanwhile)
    stranger = TestClient(server.app, "http://evil.example:8000", follow_redirects=False, client=THIS_MACHINE)
    assert stranger.post(f"/friends/{deed}", data={"key": "x" * 32}).status_code == FORBIDDEN
    assert not server.is_open
