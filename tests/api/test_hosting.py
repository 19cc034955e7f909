"""What the host of a table does by program, and talking at it."""

from collections.abc import Iterator

import pytest
from pydantic import TypeAdapter
from starlette.testclient import TestClient
from tests.api.visiting import Guest, Party, code, good, house, party

from elcapitan.web.api.responses import TalkJson


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with house(tmp_path_factory.mktemp("house")) as client:
        yield client


def everybody_else(table: Party) -> list[Guest]:
    """Those who are not the host."""
    return [table.watcher, *table.seats.values()]


def test_a_bot_stands_in_and_hands_the_seat_back(client: TestClient) -> None:
    table = party(client)
    state = good(table.host.post("/seats/0/stand-in", {"level": "trader"}))
    assert state["seats"][0]["stand_in"] == "trader" and state["thinking"]
    assert not table.seats[0].state["yours"]
    assert code(table.seats[0].act(0), 409) == "computer-to-move"
    state = good(table.host.post("/seats/0/stand-in", {"level": None}))
    assert state["seats"][0]["stand_in"] == "" and table.seats[0].state["yours"]


def test_nobody_stands_in_for_a_computer_player_or_an_empty_chair(client: TestClient) -> None:
    table = party(client, "friend", "captain")
    assert code(table.host.post("/seats/1/stand-in", {"level": "trader"}), 422) == "no-person-there"
    assert code(table.host.post("/seats/4/stand-in", {"level": "trader"}), 404) == "not-a-seat"
    assert code(table.host.post("/seats/0/stand-in", {"level": "friend"}), 422) == "unknown-bot"
    assert code(table.host.post("/seats/0/stand-in", {}), 422) == "bad-field"
    assert code(table.host.post("/seats/9/stand-in", {"level": None}), 422) == "bad-field"


def test_who_is_removed_has_no_key_any_more_and_a_new_one_brings_somebody_else(client: TestClient) -> None:
    table = party(client)
    state = good(table.host.post("/seats/0/remove", {}))
    assert state["seats"][0]["stand_in"]
    assert code(table.seats[0].get(), 401) == "key-unknown"
    made = good(table.host.post("/keys", {"role": "seat-0"}), 201)
    good(client.post("/api/v1/join", json={"key": made["key"]}))
    successor = Guest(client, table.host.game, made["key"])
    assert successor.state["yours"] and successor.state["seats"][0]["stand_in"] == ""


def test_a_game_that_the_host_has_ended_is_played_no_more(client: TestClient) -> None:
    table = party(client)
    state = good(table.host.post("/end", {}))
    assert state["ended"] and state["deciding"] is None and state["result"] is None
    assert code(table.seats[0].act(0), 409) == "game-ended"
    assert good(table.seats[0].get("/actions"))["actions"] == []


def test_only_the_host_is_the_host(client: TestClient) -> None:
    table = party(client)
    for guest in everybody_else(table):
        assert code(guest.post("/seats/0/stand-in", {"level": "trader"}), 403) == "host-only"
        assert code(guest.post("/seats/0/remove", {}), 403) == "host-only"
        assert code(guest.post("/end", {}), 403) == "host-only"
    assert not table.host.state["ended"]


# ---------------------------------------------------------------------------------------------------------- talking


def test_what_is_said_is_heard_by_everybody(client: TestClient) -> None:
    table = party(client)
    good(table.seats[1].post("/chat", {"text": "  Well <b>sailed</b>!\n"}))
    good(table.host.post("/chat", {"text": "Thank you"}))
    for guest in everybody_else(table):
        answer = guest.get("/chat")
        TypeAdapter(TalkJson).validate_json(answer.content, extra="forbid")
        lines = [(line["seat"], line["text"]) for line in good(answer)["lines"]]
        assert lines == [(1, "Well <b>sailed</b>!"), (None, "Thank you")]


def test_talk_has_its_limits(client: TestClient) -> None:
    table = party(client)
    assert code(table.watcher.post("/chat", {"text": "psst"}), 403) == "players-only"
    assert code(table.seats[1].post("/chat", {"text": "x" * 301}), 422) == "line-too-long"
    assert code(table.seats[1].post("/chat", {"text": "x" * 1001}), 422) == "bad-field"
    assert code(table.seats[1].post("/chat", {"text": " \x00 "}), 422) == "empty-line"
    assert code(table.seats[1].post("/chat", {"text": "I am he", "seat": 0}), 403) == "other-seat"
    statuses = [table.seats[1].post("/chat", {"text": "again"}).status_code for _ in range(11)]
    assert statuses == [200] * 10 + [429]


def test_a_silent_table_is_silent(client: TestClient) -> None:
    table = party(client, chat=False)
    assert code(table.seats[1].post("/chat", {"text": "psst"}), 403) == "no-chat"
    assert good(table.host.get("/chat")) == {"chat": False, "lines": []}
