"""Links, phrases and names: how somebody comes to a seat, and what a page tells about it."""

import re
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.callers_and_keys import bearing
from tests.web.page_client import english_left, in_language, made, shown_links, words
from tests.web.test_access import FORBIDDEN

from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.web import server_settings
from elcapitan.web.app import application
from elcapitan.web.auth import COOKIE
from elcapitan.web.pages import new_game
from elcapitan.web.pages.invitations import token_of
from elcapitan.web.server_settings import ServerSettings

T = translator("en")


def invited(client: TestClient, name: str, host: str, role: str) -> str:
    """A link for a role."""
    answer = client.post(f"/games/{name}/invite", data={"role": role}, headers=bearing(host))
    assert answer.status_code == 200
    return shown_links(answer.text)[0]


def started(client: TestClient, name: str, host: str) -> None:
    """Let the host start the game without waiting for anybody."""
    answer = client.post(f"/games/{name}/start", data={"missing": "wait"}, headers=bearing(host))
    assert answer.status_code == 303


def joined(client: TestClient, **sent: str) -> tuple[str, str]:
    """Where somebody is led who comes with a link or a phrase, and the cookie they get."""
    answer = client.post("/join", data=sent)
    cookie = str(client.cookies.get(COOKIE, ""))
    client.cookies.clear()
    return str(answer.headers.get("location", answer.status_code)), cookie


# ------------------------------------------------------------------------------------------------------------- links


def test_a_table_with_friends_leads_to_their_links(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    html = client.get(f"/games/{name}/invite", headers=bearing(host)).text
    assert [T.text("free seat")] * 2 == [each for each in words(html) if each == "free seat"]
    links = shown_links(client.post(f"/games/{name}/invite", data={"role": "friends"}, headers=bearing(host)).text)
    assert len(set(links)) == 2
    assert all(re.fullmatch(r"http://testserver/join#[\w-]{32}", link) for link in links)


def test_a_link_is_shown_once_and_drawn(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    made_now = client.post(f"/games/{name}/invite", data={"role": "seat-1"}, headers=bearing(host)).text
    assert made_now.count("<svg viewBox=") >= 1 and 'class="qr"' in made_now
    assert "style=" not in made_now
    token = token_of(shown_links(made_now)[0])
    assert token not in client.get(f"/games/{name}/invite", headers=bearing(host)).text


def test_whoever_comes_by_link_is_asked_for_a_name_once(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    link = invited(client, name, host, "seat-1")
    where, cookie = joined(client, key=link)
    assert where == f"/games/{name}/name?seat=1"
    html = client.get(where, headers=bearing(cookie)).text
    assert 'value="Marco"' in html
    answer = client.post(f"/games/{name}/name", data={"seat": 1, "wanted": "  Marta  "}, headers=bearing(cookie))
    assert (answer.status_code, answer.headers["location"]) == (303, f"/games/{name}")
    assert "Marta" in client.get(f"/games/{name}", headers=bearing(host)).text
    assert joined(client, key=link, again="1")[0] == f"/games/{name}"
    state = client.get(f"/games/{name}/invite", headers=bearing(host)).text
    assert T.text("joined, but away now") in state


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("x" * 30, "20 letters"),
        ("leyla", "Two merchants are called"),
        ("Le\u0443la", "Two merchants are called"),  # with a Cyrillic letter
        ("Mar\u115fta", "U+115F is invisible"),
        ("Mar\u202eta", "20 letters"),
    ],
)
def test_a_name_that_cannot_be(client: TestClient, table: tuple[str, str], wanted: str, sentence: str) -> None:
    name, host = table
    _where, cookie = joined(client, key=invited(client, name, host, "seat-1"))
    answer = client.post(f"/games/{name}/name", data={"seat": 1, "wanted": wanted}, headers=bearing(cookie))
    assert answer.status_code == 422
    assert sentence in answer.text and f'value="{wanted}"' in answer.text


def test_a_link_to_watch_leads_to_the_table(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    where, cookie = joined(client, key=invited(client, name, host, "watch"))
    assert where == f"/games/{name}"
    room = client.get(where, headers=bearing(cookie)).text
    assert "watching" in room and "/ready" not in room and "/start" not in room and "/say" not in room
    started(client, name, host)
    html = client.get(where, headers=bearing(cookie)).text
    assert "watching" in html and 'id="settings"' not in html and 'id="undo"' not in html


@pytest.mark.parametrize("sent", [{"key": "nothing"}, {"key": ""}, {"phrase": "molu tasa vire kopi"}, {}])
def test_what_opens_nothing_is_refused(client: TestClient, sent: dict[str, str]) -> None:
    answer = client.post("/join", data=sent)
    assert answer.status_code == FORBIDDEN
    assert 'role="alert"' in answer.text
    assert COOKIE not in client.cookies


def test_a_taken_seat_opens_to_nobody(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    link = invited(client, name, host, "seat-1")
    _where, cookie = joined(client, key=link)
    assert client.get(f"/games/{name}", headers=bearing(cookie)).status_code == 200
    client.post(f"/games/{name}/remove", data={"seat": 1}, headers=bearing(host))
    assert client.get(f"/games/{name}", headers=bearing(cookie)).status_code == FORBIDDEN
    assert joined(client, key=link)[0] == str(FORBIDDEN)


@pytest.mark.parametrize("role", ["seat-0", "seat-3", "seat-9", "host", "captain", ""])
def test_there_are_links_only_for_those_who_come_by_link(client: TestClient, table: tuple[str, str], role: str) -> None:
    name, host = table
    answer = client.post(f"/games/{name}/invite", data={"role": role}, headers=bearing(host))
    assert answer.status_code in (FORBIDDEN, 422)


# --------------------------------------------------------------------------------------------------- who can open them

NETWORK = ServerSettings(public=True, host="0.0.0.0")
OWN = ["http://192.168.1.20:8000", "http://10.1.2.3:8000"]


def test_links_name_all_addresses_of_the_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_settings, "own_addresses", lambda _host: ("192.168.1.20", "10.1.2.3"))
    app = application(tmp_path / "games.db", ["*"], NETWORK)
    with TestClient(app, "http://127.0.0.1:8000", follow_redirects=False) as client:
        name, host = made(client)
        before = client.get(f"/games/{name}/invite", headers=bearing(host)).text
        assert 'name="at"' not in before and "--host" not in before
        html = client.post(f"/games/{name}/invite", data={"role": "friends"}, headers=bearing(host)).text
        moved = client.post(f"/games/{name}/seat", data={"role": "host"}, headers=bearing(host)).text
    assert [link.partition("/join#")[0] for link in shown_links(html)] == OWN * 2
    assert len({token_of(link) for link in shown_links(html)}) == 2
    assert html.count('class="qr"') == 4 and html.count('name="at"') == 2 == moved.count('name="at"')
    assert [link.partition("/join?again=1#")[0] for link in shown_links(moved)] == OWN
    assert "localhost" not in html + moved and "127.0.0.1" not in html + moved


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_server_for_this_computer_says_so_and_how_others_can_join(tmp_path: Path, language: str) -> None:
    settings = ServerSettings(network_command="elcapitan serve --host 0.0.0.0 --port 9000")
    with TestClient(application(tmp_path / "games.db", settings=settings), follow_redirects=False) as client:
        name, _host = made(client)
        client.base_url = "http://localhost:8000"
        for path in (f"/games/{name}/invite", f"/games/{name}/seat", "/friends"):
            html = unescape(client.get(path, headers=in_language(language)).text)
            assert 'data-copy="network-command"' in html and "invite.js" in html
            assert translator(language).text("Only this computer can open this page and its links.") in html
            assert "elcapitan serve --host 0.0.0.0 --port 9000" in html
            assert not english_left(html, language)


def test_friends_get_their_links_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_settings, "own_addresses", lambda _host: ("192.168.1.20",))
    app = application(tmp_path / "games.db", ["*"], NETWORK)
    with TestClient(app, "http://127.0.0.1:8000", follow_redirects=True) as client:
        assert 'href="/friends"' in client.get("/").text
        forms = re.findall(r"<form .*?</form>", client.get("/friends").text, re.DOTALL)
        offered = [form for form in forms if 'action="/games"' in form]
        assert len(offered) == 4
        for friends, form in enumerate(offered, start=1):
            fields: dict[str, list[str]] = {}
            for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form):
                fields.setdefault(name, []).append(value)
            answer = client.post("/games", data=fields)
            assert answer.status_code == 200 and answer.url.path.endswith("/invite")
            assert len(shown_links(answer.text)) == answer.text.count('class="qr"') == friends
            assert all(link.startswith("http://192.168.1.20:8000/join#") for link in shown_links(answer.text))
            record = client.get(answer.url.path.replace("/invite", "/export/json")).json()
            assert record["seats"] == ["human"] * (friends + 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_says_how_friends_can_reach_this_computer(tmp_path: Path, language: str) -> None:
    app = application(tmp_path / "games.db")
    with TestClient(app, "http://localhost:8000") as client:
        html = client.get("/friends", headers=in_language(language)).text
    assert "elcapitan serve --host 0.0.0.0" in html and 'action="/games"' not in html
    assert not english_left(html, language)


def test_a_computer_without_a_network_is_told_to_connect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_settings, "own_addresses", lambda _host: ())
    app = application(tmp_path / "games.db", ["*"], NETWORK)
    with TestClient(app, "http://127.0.0.1:8000", follow_redirects=False) as client:
        name, host = made(client)
        html = client.get(f"/games/{name}/invite", headers=bearing(host)).text
        assert "It has no address in a network now." in html and "--host" not in html


# ------------------------------------------------------------------------------------------------------- one's own seat


def test_a_phrase_opens_the_same_seat_elsewhere(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    _where, cookie = joined(client, key=invited(client, name, host, "seat-1"))
    answer = client.post(f"/games/{name}/seat", data={"role": "seat-1", "how": "phrase"}, headers=bearing(cookie))
    phrase = re.search(r"<strong>([a-z ]+)</strong>", answer.text)
    assert phrase
    where, other = joined(client, phrase=phrase[1].upper().replace(" ", "-"))
    assert where == f"/games/{name}"
    started(client, name, host)
    assert 'class="merchant p1 me' in client.get(where, headers=bearing(other)).text
    assert client.get(f"/games/{name}/invite", headers=bearing(other)).status_code == FORBIDDEN


def test_the_host_takes_everything_along(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    answer = client.post(f"/games/{name}/seat", data={"role": "host"}, headers=bearing(host))
    where, cookie = joined(client, key=shown_links(answer.text)[0], again="1")
    assert client.get(f"{where}/invite", headers=bearing(cookie)).status_code == 200


def test_my_games_are_those_of_my_keys(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    other, _cookie = made(client)
    html = client.get("/", headers=bearing(host)).text
    assert f'id="game-{name}"' in html and f'id="game-{other}"' not in html
    assert f"/games/{name}/delete" in html
    _where, friend = joined(client, key=invited(client, name, host, "seat-1"))
    html = client.get("/", headers=bearing(friend)).text
    assert f'id="game-{name}"' in html and f"/games/{name}/delete" not in html
    assert "game-" not in client.get("/", headers=bearing(f"{name}:guessed")).text
    assert "game-" not in client.get("/").text


# ----------------------------------------------------------------------------------------------------------- programs


def test_a_program_sends_its_key(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    token = token_of(invited(client, name, host, "seat-1"))
    for sent, status in ((f"Bearer {token}", 200), ("Bearer x", FORBIDDEN), (token, FORBIDDEN)):
        assert client.get(f"/games/{name}/table", headers={"Authorization": sent}).status_code == status


# ---------------------------------------------------------------------------------------------------------- the pages


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_about_friends_speak_the_readers_language(
    client: TestClient, table: tuple[str, str], language: str
) -> None:
    name, host = table
    _where, friend = joined(client, key=invited(client, name, host, "seat-1"))
    for address, cookie in (
        ("/join", ""),
        ("/new", ""),
        (f"/games/{name}", ""),
        (f"/games/{name}", friend),
        (f"/games/{name}/invite", host),
        (f"/games/{name}/invite", friend),
        (f"/games/{name}/seat", friend),
        (f"/games/{name}/name?seat=1", friend),
    ):
        html = unescape(client.get(address, headers={**in_language(language), **bearing(cookie)}).text)
        assert f'<html lang="{language}"' in html
        assert not english_left(html, language), address
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:", html), address


def test_the_form_asks_for_clock_talk_and_address() -> None:
    sent = {"player0": ["human"], "player1": ["friend"], "colour0": ["0"], "colour1": ["1"], "friends": ["on"]}
    times = {"clock": ["bank"], "time": ["3"], "unit": ["days"], "more": ["12"], "more_unit": ["hours"]}
    plan = new_game.settings_of(new_game.form_from_request({**sent, **times, "webhook": ["https://ntfy.sh/ours"]}), T)
    assert plan is not None and plan.clock is not None
    assert (plan.clock.kind, plan.clock.seconds, plan.clock.increment) == ("bank", 3 * 86400, 12 * 3600)
    assert (plan.chat, plan.webhook) == (False, "https://ntfy.sh/ours")
    assert [seat.free for seat in plan.seats] == [False, True]


def test_the_form_refuses_names_that_look_alike_and_gives_none_of_them() -> None:
    sent = {f"player{seat}": ["human"] for seat in range(3)} | {f"colour{seat}": [str(seat)] for seat in range(3)}
    form = new_game.form_from_request({**sent, "name0": ["\u041carco"]})  # begins with a Cyrillic letter
    plan = new_game.settings_of(form, T)
    assert plan is not None and [seat.name for seat in plan.seats][1:] == ["Youssef", "Leyla"]
    form = new_game.form_from_request({**sent, "name0": ["Ana"], "name2": ["\u0410na"]})
    assert new_game.settings_of(form, T) is None
    assert [bool(row.name_error) for row in form.rows[:3]] == [False, False, True]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"clock": "turn", "time": "0"}, "time"),
        ({"clock": "turn", "time": "soon"}, "time"),
        ({"clock": "turn", "time": "31", "unit": "days"}, "time"),
        ({"clock": "bank", "time": "5", "more": "-1"}, "time"),
        ({"webhook": "ftp://elsewhere.example"}, "webhook"),
        ({"seed": "7"}, "seed"),
    ],
)
def test_nonsense_about_friends_is_refused(client: TestClient, changes: dict[str, str], field: str) -> None:
    players = {"player0": "human", "player1": "friend", "colour0": "0", "colour1": "1", "friends": "on"}
    answer = client.post("/games", data={**players, **changes})
    assert answer.status_code == 422
    assert f'<a href="#{field}">' in answer.text


def test_budgets_of_computer_players_are_refused(client: TestClient, table: tuple[str, str]) -> None:
    """Nobody says from outside how long the server computes."""
    name, host = table
    for level in ("admiral:ms=600000", "navigator:sims=1", "cmd:./mine", "py:mine:Mine"):
        answer = client.post(f"/games/{name}/stand-in", data={"seat": "1", "level": level}, headers=bearing(host))
        assert answer.status_code == 422
    page = client.get(f"/games/{name}/invite", headers=bearing(host)).text
    assert [each for each in words(page) if each == "free seat"] == ["free seat"] * 2
