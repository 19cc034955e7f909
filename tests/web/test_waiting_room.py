"""The waiting room on pages, links whose seat is taken, and what the turn of an absent person shows."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import httpx2
import pytest
from starlette.testclient import TestClient
from tests.web.callers_and_keys import API, bearing
from tests.web.page_client import english_left, in_language
from tests.web.test_access import FORBIDDEN
from tests.web.test_friends import invited, joined, started

from elcapitan.board.figures import packaged
from elcapitan.text.catalogue import LANGUAGES
from elcapitan.web.pages.invitations import token_of

CONFLICT = 409


def seated(client: TestClient, name: str, host: str, seat: int = 1) -> str:
    """A friend takes a seat by a link; their cookie."""
    return joined(client, key=invited(client, name, host, f"seat-{seat}"))[1]


def room(client: TestClient, name: str, cookie: str, language: str = "en") -> str:
    """The page of a table that waits."""
    answer = client.get(f"/games/{name}", headers={**in_language(language), **bearing(cookie)})
    assert answer.status_code == 200 and 'id="room"' in answer.text
    return unescape(answer.text)


def states(html: str) -> list[str]:
    """The states of the seats in the room, in order."""
    return re.findall(r'class="state ([\w-]+)"', html)


def posted(client: TestClient, name: str, deed: str, cookie: str, **form: object) -> int:
    """Post a form without a script; the status of the answer."""
    return client.post(f"/games/{name}/{deed}", data=form, headers=bearing(cookie)).status_code


def test_seats_fill_persons_say_ready_and_the_host_starts(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    assert states(room(client, name, host)) == ["at-host", "free", "free", "computer"]
    friend, other = seated(client, name, host, 1), seated(client, name, host, 2)
    assert states(room(client, name, friend)) == ["at-host", "away", "away", "computer"]
    assert posted(client, name, "ready", friend, seat=1, yes="true") == 303
    html = room(client, name, host)
    assert states(html) == ["at-host", "ready", "away", "computer"]
    assert "Ready: 1 of 2" in html and "Still missing: Leyla" in html
    assert 'value="computers"' in html and 'value="wait"' in html
    assert posted(client, name, "ready", other, seat=2, yes="true") == 303
    html = room(client, name, host)
    assert 'id="start"' in html and 'name="missing"' not in html
    assert 'id="start"' not in room(client, name, friend)
    assert posted(client, name, "start", host) == 303
    html = client.get(f"/games/{name}", headers=bearing(friend)).text
    assert 'id="table"' in html and 'class="merchant p1 me' in html


def test_there_are_no_cards_before_the_start(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    cards = {card.replace("-", " ") for card in packaged().cards} | set(packaged().cards)
    pages = ("", "/table", "/replay", "/replay?at=1", "/invite", "/export/json", "/export/capitan")
    for path in pages:
        answer = client.get(f"/games/{name}{path}", headers=bearing(host))
        assert answer.status_code == 200, path
        assert not any(card in answer.text for card in cards), path
    assert client.get(f"/games/{name}/payday/1", headers=bearing(host)).status_code == 404
    assert client.post(f"/games/{name}/branch?at=1", headers=bearing(host)).status_code == 422
    token = token_of(invited(client, name, host, "seat-1"))
    program = {"Authorization": f"Bearer {token}"}
    state = client.get(f"{API}/games/{name}", headers=program).json()
    assert state["deciding"] is None and state["events"] == 0 and state["result"] is None and not state["ended"]
    display = state["position"]["display"]
    assert not any(display.values()) if isinstance(display, dict) else not any(display)
    assert client.get(f"{API}/games/{name}/actions", headers=program).json()["actions"] == []
    refused = client.post(f"{API}/games/{name}/actions", json={"number": 1, "actions": [0]}, headers=program)
    assert refused.status_code == CONFLICT and refused.json()["error"]["code"] == "not-begun"


def test_a_move_before_the_start_is_refused_with_a_sentence(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    answer = client.post(f"/games/{name}/act", data={"number": 1, "actions": "0"}, headers=bearing(host))
    assert answer.status_code == 422
    assert "The game has not begun: the host starts it." in answer.text and 'id="room"' in answer.text


def test_scripts_get_the_room_alone(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    friend = seated(client, name, host)
    sent = {**bearing(friend), "HX-Request": "true"}
    answer = client.post(f"/games/{name}/ready", data={"seat": 1, "yes": "true"}, headers=sent)
    assert answer.status_code == 200 and 'id="room"' in answer.text and "<html" not in answer.text
    assert 'class="state ready"' in answer.text


def test_only_persons_of_a_seat_say_ready_and_only_the_host_starts(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    friend = seated(client, name, host)
    assert posted(client, name, "ready", friend, seat=2, yes="true") == FORBIDDEN
    assert posted(client, name, "ready", host, seat=1, yes="true") == FORBIDDEN
    assert posted(client, name, "start", friend) == FORBIDDEN
    assert states(room(client, name, host)) == ["at-host", "away", "free", "computer"]


def test_the_host_lets_the_computer_play_or_waits_after_all(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    answer = client.post(
        f"/games/{name}/stand-in", data={"seat": 1, "level": "captain", "back": "table"}, headers=bearing(host)
    )
    assert answer.headers["location"] == f"/games/{name}"
    html = room(client, name, host)
    assert states(html)[1] == "stood-in" and "Wait after all" in html
    posted(client, name, "stand-in", host, seat=1, level="", back="table")
    assert states(room(client, name, host))[1] == "free"


def test_whoever_comes_late_gets_the_seat_from_the_computer(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    link = invited(client, name, host, "seat-1")
    assert posted(client, name, "start", host, missing="computers") == 303
    invite = client.get(f"/games/{name}/invite", headers=bearing(host)).text
    assert invite.count("free seat") == 2
    assert joined(client, key=link)[0] == f"/games/{name}/name?seat=1"
    state = client.get(f"{API}/games/{name}", headers={"Authorization": f"Bearer {token_of(link)}"}).json()
    assert [seat["stand_in"] for seat in state["seats"]] == ["", "", "helmsman", ""]


def test_a_person_takes_the_seat_back_from_the_computer(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    friend = seated(client, name, host)
    posted(client, name, "start", host, missing="computers")
    html = client.get(f"/games/{name}", headers=bearing(friend)).text
    assert 'id="come-back-1"' in html
    assert 'id="come-back-1"' not in client.get(f"/games/{name}", headers=bearing(host)).text
    assert posted(client, name, "back", host, seat=1) == FORBIDDEN
    assert posted(client, name, "back", friend, seat=1) == 303
    assert 'id="come-back-1"' not in client.get(f"/games/{name}", headers=bearing(friend)).text


def test_the_list_of_games_leads_to_the_room(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    seated(client, name, host)
    html = client.get("/", headers=bearing(host)).text
    assert "Waiting room; friends here: 1 of 2" in html and "To the waiting room" in html


def test_an_ended_room_says_so(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    posted(client, name, "end", host)
    html = room(client, name, host)
    assert "The host has ended this game." in html and "Let the computer play" not in html
    assert posted(client, name, "start", host) == 422
    assert client.get("/", headers=bearing(host)).status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_room_speaks_the_readers_language(client: TestClient, table: tuple[str, str], language: str) -> None:
    name, host = table
    friend = seated(client, name, host)
    posted(client, name, "stand-in", host, seat=2, level="captain", back="table")
    for cookie in (host, friend):
        html = room(client, name, cookie, language)
        assert not english_left(html, language)
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:", html)
    posted(client, name, "start", host, missing="wait")
    html = client.get(f"/games/{name}", headers={**in_language(language), **bearing(friend)}).text
    assert not english_left(unescape(html), language)


# -------------------------------------------------------------------------------------------- links that are taken


def test_a_link_that_is_taken_says_so_before_it_takes_over(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table
    link = invited(client, name, host, "seat-1")
    shown = {"Authorization": f"Bearer {token_of(link)}"}
    assert "This seat is taken" not in client.get("/join", headers=shown).text
    _where, cookie = joined(client, key=link)
    assert "This seat is taken" in client.get("/join", headers=shown).text
    assert "This seat is taken" not in client.get("/join", headers={**shown, **bearing(cookie)}).text
    answer = client.post("/join", data={"key": link})
    assert answer.status_code == CONFLICT and not client.cookies
    assert "This seat is taken" in answer.text and 'name="sure"' in answer.text
    where, _other = joined(client, key=link, sure="1")
    assert where == f"/games/{name}", "nobody is asked for another name"
    answer = client.post("/join", data={"key": link}, headers=bearing(cookie))
    assert answer.status_code == 303, "whoever has the seat comes back without a question"
    client.cookies.clear()


@pytest.mark.parametrize("waiting", [True, False])
def test_of_two_who_join_at_once_one_has_the_seat_and_the_other_is_told(
    client: TestClient, table: tuple[str, str], *, waiting: bool
) -> None:
    name, host = table
    links = [invited(client, name, host, "seat-1") for _ in range(2)]
    if not waiting:
        started(client, name, host)
    go = threading.Barrier(2)

    def join(link: str) -> httpx2.Response:
        with httpx2.Client(transport=client._transport, base_url=client.base_url) as browser:  # with cookies of its own
            go.wait()
            return browser.post("/join", data={"key": link})

    with ThreadPoolExecutor() as friends:
        first, second = sorted(friends.map(join, links), key=lambda answer: answer.status_code)
    assert first.status_code == 303 and first.headers["location"] == f"/games/{name}/name?seat=1" and first.cookies
    assert second.status_code == CONFLICT and not second.cookies
    assert "This seat is taken." in second.text and "ask the host for a link of your own" in second.text
    where, _cookie = joined(client, key=invited(client, name, host, "seat-2"))
    assert where == f"/games/{name}/name?seat=2", "the other friend takes another seat"


def test_a_seat_that_a_program_made_is_free_until_its_person_comes(client: TestClient) -> None:
    content = client.post(f"{API}/games", json={"seats": [{"player": "friend"}] * 2, "first": 0}).json()
    key = content["seat_keys"][0]["key"]
    assert "This seat is taken" not in client.get("/join", headers={"Authorization": f"Bearer {key}"}).text
    legal = client.get(f"{API}/games/{content['game']}/actions", headers={"Authorization": f"Bearer {key}"}).json()
    client.post(
        f"{API}/games/{content['game']}/actions",
        json={"number": legal["number"], "actions": [legal["actions"][0]["action"]]},
        headers={"Authorization": f"Bearer {key}"},
    )
    assert "This seat is taken" in client.get("/join", headers={"Authorization": f"Bearer {key}"}).text


# --------------------------------------------------------------------------------------------- an absent person's turn


def test_the_turn_of_somebody_absent_shows_what_can_be_done(client: TestClient, table: tuple[str, str]) -> None:
    name, host = table  # seat 0 begins, at the host's screen
    friend = seated(client, name, host)
    started(client, name, host)
    html = unescape(client.get(f"/games/{name}", headers=bearing(friend)).text)
    assert "Awaited since" in html and "Inês plays at the host" in html
    assert 'id="remind-host"' in html and 'id="let-computer-play"' not in html
    assert posted(client, name, "remove", host, seat=0) == 303  # the host gives up the own seat
    posted(client, name, "stand-in", host, seat=0, level="")
    html = unescape(client.get(f"/games/{name}", headers=bearing(host)).text)
    assert all(f'id="{each}"' in html for each in ("invite-again", "let-computer-play", "give-seat-away"))
    html = unescape(client.get(f"/games/{name}", headers=bearing(friend)).text)
    assert "The host can invite" in html and 'id="remind-host"' in html
    reminder = re.search(r'id="remind".*?name="text" value="([^"]+)"', html, re.DOTALL)
    assert reminder and posted(client, name, "say", friend, text=reminder[1]) == 303
    assert reminder[1] in unescape(client.get(f"/games/{name}", headers=bearing(host)).text)
