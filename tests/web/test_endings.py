"""After the end of a game, on a server where everybody needs a key: the picture, the rematch and who sits there."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.playing import random_game
from tests.web.callers_and_keys import API, BY_COOKIE, FOREIGN, FRIENDLY, HOST, OTHER, STRANGER, WATCHER, Party, party
from tests.web.drawn_tables import seated, table_of

from elcapitan.records import capitan
from elcapitan.service import Rights, Table
from elcapitan.service.derived_games import Reviews
from elcapitan.text.catalogue import LANGUAGES
from elcapitan.web.app import application
from elcapitan.web.auth import COOKIE
from elcapitan.web.server_settings import ServerSettings
from elcapitan.web.view.table_view import table_view
from elcapitan.web.viewer import Viewer

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = ServerSettings(public=True)
    app = application(tmp_path_factory.mktemp("server") / "games.db", settings=settings)
    with TestClient(app, follow_redirects=False) as client:
        yield client


@pytest.fixture
def table(client: TestClient) -> Party:
    """A table whose host has ended the game."""
    found = party(client, "")
    assert client.post(f"/games/{found.game}/end", headers=found.headers(HOST, BY_COOKIE)).status_code == 303
    client.cookies.clear()
    return found


def post(client: TestClient, table: Party, path: str, who: str) -> tuple[int, str, dict[str, str]]:
    """Send something: the status, where it leads, and the keys to other games that came, each with its role."""
    answer = client.post(f"/games/{table.game}/{path}", headers=table.headers(who, BY_COOKIE))
    cookie = answer.cookies.get(COOKIE) or ""
    client.cookies.clear()
    found = {}
    for item in cookie.strip('"').split("."):
        game, _, rest = item.partition(":")
        if game and game != table.game:
            opened = client.post(f"{API}/join", json={"key": rest.partition(":")[0]}).json()
            found[opened["role"]] = opened["game"]
    return answer.status_code, answer.headers.get("location", ""), found


def test_the_host_opens_a_rematch_and_everybody_gets_their_own_seat_there(client: TestClient, table: Party) -> None:
    for who in (WATCHER, FRIENDLY, OTHER, STRANGER, FOREIGN):
        assert post(client, table, "rematch", who)[0] == 403
        assert post(client, table, "rematch/seat", who)[0] in (403, 404), "there is none yet"
    status, place, keys = post(client, table, "rematch", HOST)
    new = place.removeprefix("/games/")
    assert (status, keys) == (303, {"host": new})
    assert post(client, table, "rematch", HOST)[1] == place, "there is one rematch"
    assert post(client, table, "rematch/seat", FRIENDLY) == (303, place, {"seat-1": new})
    assert post(client, table, "rematch/seat", OTHER) == (303, place, {"seat-2": new})
    joined = client.post(f"/games/{table.game}/rematch/seat", headers=table.headers(OTHER, BY_COOKIE))
    assert client.get(place, headers={"cookie": f"{COOKIE}={joined.cookies[COOKIE]}"}).status_code == 200
    client.cookies.clear()
    assert post(client, table, "rematch/seat", HOST) == (303, place, {"host": new})
    for who in (WATCHER, STRANGER, FOREIGN):
        status, place, keys = post(client, table, "rematch/seat", who)
        assert (status, keys) == (403, {})


def test_the_old_table_offers_everybody_what_is_theirs(client: TestClient, table: Party) -> None:
    def page(who: str) -> str:
        return client.get(f"/games/{table.game}", headers=table.headers(who, BY_COOKIE)).text

    assert "The host has opened a rematch." not in page(FRIENDLY)
    _status, place, _keys = post(client, table, "rematch", HOST)
    assert "The host has opened a rematch." in page(FRIENDLY)
    assert place not in page(WATCHER)


def finished(client: TestClient, players: int = 3) -> str:
    """A finished game that was brought; its address. The cookie opens it."""
    text = capitan.to_capitan(random_game(players, seed=4), {"Names": "Inês, Marco, Leyla"})
    answer = client.post("/games/import", data={"text": text})
    assert answer.status_code == 303
    return str(answer.headers["location"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_of_a_game_on_its_page(client: TestClient, language: str) -> None:
    place = finished(client)
    html = client.get(place, headers={"Accept-Language": language}).text
    assert html.count("data-count=") == 3 and html.count('class="curve"') == 3
    assert f'action="{place}/rematch"' in html and f'href="{place}/picture"' in html
    assert f'action="{place}/again"' not in html, "its cards were not shuffled here"
    assert client.post(f"{place}/again").status_code == 422
    client.cookies.clear()


def test_the_picture_of_a_result(client: TestClient) -> None:
    place = finished(client)
    answer = client.get(f"{place}/picture")
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/svg+xml"
    assert "attachment" in answer.headers["content-disposition"]
    assert ET.fromstring(answer.text).tag.endswith("svg") and "Inês" in answer.text
    client.cookies.clear()
    assert client.get(f"{place}/picture").status_code == 403


def test_a_game_that_goes_on_has_no_picture_and_no_mistake(client: TestClient) -> None:
    table = party(client, "")
    headers = table.headers(HOST, BY_COOKIE)
    assert client.get(f"/games/{table.game}/picture", headers=headers).status_code == 404
    assert client.get(f"/games/{table.game}/mistake", headers=headers).status_code == 204
    assert client.post(f"/games/{table.game}/rematch", headers=headers).status_code == 422
    assert client.post(f"/games/{table.game}/again", headers=headers).status_code == 422


def test_the_same_deal_is_a_game_of_ones_own_that_says_so(client: TestClient, table: Party) -> None:
    status, place, keys = post(client, table, "again", FRIENDLY)
    assert status == 303 and list(keys) == ["host"] and place == f"/games/{keys['host']}"
    assert post(client, table, "again", STRANGER)[0] == 403


def test_the_dearest_mistake_is_shown_when_it_is_known(tmp_path: Path) -> None:
    with TestClient(application(tmp_path / "games.db"), follow_redirects=False) as client:
        place = finished(client)
        before = client.get(f"{place}/picture").text
        answer = client.get(f"{place}/mistake")
        assert answer.status_code == 200 and "Costliest mistake" in answer.text and "/replay?at=" in answer.text
        assert "Costliest mistake" in client.get(f"{place}/picture").text and "Costliest mistake" not in before


def test_without_a_dear_mistake_there_are_three_moments_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(_reviews: Reviews, _table: Table) -> None:
        return None

    monkeypatch.setattr(Reviews, "mistake", nothing)
    with TestClient(application(tmp_path / "games.db"), follow_redirects=False) as client:
        place = finished(client)
        answer = client.get(f"{place}/mistake")
        assert answer.status_code == 200 and re.search("Second-(best investment|largest payment)", answer.text)
        assert "Second-" in client.get(f"{place}/picture").text


@pytest.mark.parametrize(
    ("rights", "next_game", "offered"),
    [
        (Rights(host=True, seats=frozenset({0})), "", "Rematch, same table"),
        (Rights(host=True, seats=frozenset({0})), "n3xtgame", "To the rematch"),
        (Rights(host=False, seats=frozenset({1})), "", "A rematch is up to the host."),
        (Rights(host=False, seats=frozenset({1})), "n3xtgame", "Take my seat at the rematch"),
        (Rights(host=False, seats=frozenset()), "n3xtgame", ""),
    ],
)
def test_everybody_is_offered_what_they_may_do_about_a_rematch(rights: Rights, next_game: str, offered: str) -> None:
    table = seated(random_game(3, seed=4))
    table = replace(table, settings=replace(table.settings, rematch=next_game))
    who = Viewer("en", rights=rights)
    html = table_of(table_view(table, who), who)
    words = ("Rematch, same table", "To the rematch", "A rematch is up to the host.", "Take my seat at the rematch")
    assert [each for each in words if each in html] == ([offered] if offered else [])
    assert "n3xtgame" not in html, "the id of the new game is nowhere on the old table"
