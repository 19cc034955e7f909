"""Setting a table up by program, coming to one with a key or a phrase, and what a key does not open."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.api.visiting import API, Guest, bearer, code, good, house, party, wanted

from elcapitan.bots.registry import AT_TABLES

TWO = wanted("friend", "friend")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with house(tmp_path_factory.mktemp("house")) as client:
        yield client


def refused(client: TestClient, **changes: Any) -> str:
    """Why a table is not set up."""
    return code(client.post(f"{API}/games", json={**TWO, **changes}), 422)


# ---------------------------------------------------------------------------------------------------------- new tables


def test_a_new_table_has_a_key_for_its_host_its_watchers_and_every_person(client: TestClient) -> None:
    made = good(client.post(f"{API}/games", json=wanted("friend", "captain", "human")), 201)
    assert [each["seat"] for each in made["seat_keys"]] == [0, 2]
    keys = [made["host_key"], made["watch_key"], *(each["key"] for each in made["seat_keys"])]
    assert len(set(keys)) == 4 and all(len(key) >= 32 for key in keys)
    assert made["link"] == f"http://testserver/join#{made['host_key']}"
    assert made["watch_link"].endswith(f"#{made['watch_key']}")


def test_everything_that_can_be_agreed_on_arrives(client: TestClient) -> None:
    table = party(
        client,
        "friend",
        "wanderer",
        "human",
        tiles=["Lisboa"],
        options={"buy_before_loan": True, "pirate_before_loan": True},
        title="Sunday",
        hints=False,
        chat=False,
        first=1,
        clock={"kind": "bank", "seconds": 600, "increment": 5},
    )
    state = table.host.state
    assert state["setup"]["tiles"] == ["Lisboa"] and state["setup"]["first"] == 1
    assert state["setup"]["options"] == {"buy_before_loan": True, "reopen_shuts": True, "pirate_before_loan": True}
    assert (state["title"], state["hints"], state["chat"]) == ("Sunday", False, False)
    assert [seat["player"] for seat in state["seats"]] == ["friend", "wanderer", "human"]
    assert state["clocks"]["kind"] == "bank" and state["clocks"]["left"][0] == 600


def test_colours_that_nobody_chose_are_free_ones(client: TestClient) -> None:
    seats = [{"player": "friend"}, {"player": "friend", "colour": 0}, {"player": "friend"}]
    made = good(client.post(f"{API}/games", json={**TWO, "seats": seats}), 201)
    state = Guest(client, made["game"], made["host_key"]).state
    assert [seat["colour"] for seat in state["seats"]] == [1, 0, 2]


@pytest.mark.parametrize(
    "changes",
    [
        {"seats": [{"player": "friend"}]},
        {"seats": [{"player": "friend"}] * 6},
        {"seats": [{"player": "friend"}, {"player": "friend", "colour": True}]},
        {"seats": [{"player": "friend"}, {"player": "friend", "surplus": 1}]},
        {"seats": [{"player": "friend"}, {"player": "x" * 1000}]},
        {"seats": [{"player": "friend"}, {"player": "admiral:ms=600000"}]},
        {"seats": [{"player": "friend"}, {"player": "helmsman:strength=-1"}]},
        {"seats": [{"player": "friend"}, {"player": "cmd:rm -r /"}]},
        {"seats": [{"player": "friend"}, {"player": "py:os:abort"}]},
        {"tiles": "Lisboa"},
        {"first": "0"},
        {"first": 1.0},
        {"hints": 1},
        {"title": "x" * 81},
        {"clock": {"kind": "bank", "seconds": -1}},
        {"seed": -1},
        {"unknown": 1},
    ],
)
def test_a_field_that_is_not_as_it_must_be_is_named(client: TestClient, changes: dict[str, Any]) -> None:
    answer = client.post(f"{API}/games", json={**TWO, **changes})
    assert code(answer, 422) == "bad-field"
    assert next(iter(changes)) in answer.json()["error"]["message"]


def test_a_table_that_nobody_could_play_at_is_refused_by_the_table(client: TestClient) -> None:
    assert refused(client, seats=[{"player": "friend"}, {"player": "nobody"}]) == "unknown-bot"
    assert refused(client, seats=[{"player": "friend"}, {"player": "helmsman:strength=71"}]) == "other-strength-here"
    assert refused(client, seats=[{"player": "friend"}, {"player": "captain:strength=70"}]) == "no-budget"
    assert (
        refused(client, seats=[{"player": "friend", "colour": 1}, {"player": "friend", "colour": 1}]) == "colour-twice"
    )
    assert refused(client, first=4) == "bad-first"
    for names, reason in (
        (("Ana", "\u0410na"), "name-twice"),
        (("Ana", "Ana"), "name-twice"),
        (("Ana", "B\u3164"), "invisible-letter"),
    ):
        assert refused(client, seats=[{"player": "friend", "name": name} for name in names]) == reason
    assert refused(client, tiles=["Porto", "Porto"]) == "tile-twice"


def test_a_seed_can_be_chosen_only_where_no_strangers_come(client: TestClient, tmp_path: Path) -> None:
    assert code(client.post(f"{API}/games", json={**TWO, "seed": 7}), 403) == "no-seed-here"
    with house(tmp_path, public=False) as local:
        displays = [party(local, seed=7).host.state["position"]["display"] for _ in range(2)]
    assert displays[0] == displays[1]


def test_levels_are_told_in_the_language_of_whoever_asks(client: TestClient) -> None:
    english, german = (
        good(client.get(f"{API}/levels", headers={"Accept-Language": language}))["levels"] for language in ("en", "de")
    )
    assert [level["name"] for level in english] == list(AT_TABLES) == [level["name"] for level in german]
    assert [level["about"] for level in english] != [level["about"] for level in german]


# ------------------------------------------------------------------------------------------------------------- coming


def test_a_key_tells_which_seat_it_opens(client: TestClient) -> None:
    table = party(client)
    for guest, role, seat in (
        (table.host, "host", None),
        (table.watcher, "watch", None),
        (table.seats[1], "seat-1", 1),
    ):
        joined = good(client.post(f"{API}/join", json={"key": guest.key}))
        assert joined == {"game": guest.game, "role": role, "seat": seat, "key": guest.key}


def test_a_phrase_gives_a_seat_back_on_another_device(client: TestClient) -> None:
    table = party(client)
    made = good(table.seats[1].post("/keys", {"role": "seat-1", "kind": "phrase"}), 201)
    assert made["link"] == "" and len(made["key"].split()) == 4
    joined = good(client.post(f"{API}/join", json={"phrase": made["key"].upper().replace(" ", "-")}))
    assert joined["seat"] == 1 and joined["key"] != table.seats[1].key
    assert Guest(client, table.host.game, joined["key"]).state["you"] == {"host": False, "seats": [1]}


def test_what_opens_nothing_is_not_found(client: TestClient) -> None:
    assert code(client.post(f"{API}/join", json={"key": "nonsense"}), 404) == "no-such-key"
    assert code(client.post(f"{API}/join", json={"phrase": "molu tasa vire kopi"}), 404) == "no-such-key"
    assert code(client.post(f"{API}/join", json={}), 422) == "key-or-phrase"
    assert code(client.post(f"{API}/join", json={"key": "a", "phrase": "b"}), 422) == "key-or-phrase"


def test_further_keys_are_made_by_the_host_and_for_ones_own_seat(client: TestClient) -> None:
    table = party(client)
    made = good(table.host.post("/keys", {"role": "seat-0"}), 201)
    assert Guest(client, table.host.game, made["key"]).state["you"]["seats"] == [0]
    assert code(table.seats[1].post("/keys", {"role": "seat-0"}), 403) == "host-only"
    assert code(table.watcher.post("/keys", {"role": "watch"}), 403) == "host-only"
    assert code(table.host.post("/keys", {"role": "seat-4"}), 422) == "bad-value"
    assert code(table.host.post("/keys", {"role": "king"}), 422) == "bad-field"


# --------------------------------------------------------------------------------------------------- the description


def test_every_operation_is_described_with_all_that_can_go_wrong(client: TestClient) -> None:
    description = good(client.get(f"{API}/openapi.json"))
    operations = {
        operation["operationId"]: operation for path in description["paths"].values() for operation in path.values()
    }
    for name, operation in operations.items():
        assert operation["description"], name
        statuses = set(operation["responses"])
        assert statuses & {"200", "201"} and "429" in statuses, name
        assert ("401" in statuses) == ("security" in operation), name
        assert ({"413", "415"} <= statuses) == ("requestBody" in operation), name
    led_to = operations["create"]["responses"]["201"]["links"]
    assert set(led_to) | {"act", "levels", "create"} == set(operations)
    assert {"News", "GameSeen", "Refused"} <= set(description["components"]["schemas"])


# ------------------------------------------------------------------------------------------------------ closed doors


@pytest.mark.parametrize("path", ["", "/actions", "/events?once=true", "/hint", "/chances", "/chat", "/export/json"])
def test_nothing_of_a_game_is_seen_without_a_key_to_it(client: TestClient, path: str) -> None:
    mine, other = party(client).host, party(client).host
    address = f"{API}/games/{mine.game}{path}"
    bare = client.get(address)
    assert code(bare, 401) == "key-wanted" and bare.headers["www-authenticate"] == "Bearer"
    assert code(client.get(address, headers=bearer("nonsense")), 401) == "key-unknown"
    assert code(client.get(address, headers=bearer(other.key)), 403) == "other-key"
    assert code(Guest(client, "a" * 12, mine.key).get(path), 404) == "no-such-game"


def test_cookies_open_nothing(client: TestClient) -> None:
    host = party(client).host
    cookie = {"Cookie": f"keys={host.game}:{host.key}"}
    assert code(client.get(f"{API}/games/{host.game}", headers=cookie), 401) == "key-wanted"
    assert code(client.post(f"{API}/games/{host.game}/end", json={}, headers=cookie), 401) == "key-wanted"


def test_what_is_sent_must_be_called_json(client: TestClient) -> None:
    host = party(client).host
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        headers = {**bearer(host.key), "Content-Type": kind}
        assert code(client.post(f"{API}/games/{host.game}/end", content="{}", headers=headers), 415) == "json-wanted"
    headers = {**bearer(host.key), "Content-Type": "application/json; charset=utf-8"}
    assert code(client.post(f"{API}/games/{host.game}/end", content="{", headers=headers), 422) == "not-json"
    assert host.state["ended"] is False


def test_another_site_cannot_send_anything(client: TestClient) -> None:
    host = party(client).host
    assert host.post("/end", {}, Origin="http://elsewhere.example").status_code == 403
    assert host.state["ended"] is False


def test_addresses_that_are_not_there_answer_in_the_same_form(client: TestClient) -> None:
    assert code(client.get(f"{API}/nothing"), 404) == "no-such-address"
    assert code(client.put(f"{API}/games", json={}), 405) == "other-method"
    assert code(client.get(f"{API}/games/NO-GAME", headers=bearer("x")), 422) == "bad-field"


def test_refusals_speak_the_language_of_whoever_asks(client: TestClient) -> None:
    sentences = {
        language: client.get(f"{API}/games/{'a' * 12}", headers={"Accept-Language": language, **bearer("x")}).json()[
            "error"
        ]["message"]
        for language in ("en", "de", "fr")
    }
    assert len(set(sentences.values())) == 3, sentences
