"""Playing by program: what is seen and legal, acting in three forms, taking back, wishes, hints, records."""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from pydantic import TypeAdapter
from starlette.testclient import TestClient
from tests.api.visiting import Guest, Party, code, good, house, party

from elcapitan.bots.bot import View
from elcapitan.bots.chances import win_chances
from elcapitan.players.external import entry
from elcapitan.records import capitan
from elcapitan.records import json_record as record
from elcapitan.records.view_json import view_to_json
from elcapitan.web.api.responses import ChancesJson, GameSeenJson, HintJson, PossibilitiesJson


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with house(tmp_path_factory.mktemp("house"), public=False) as client:
        yield client


def legal(guest: Guest) -> list[dict[str, object]]:
    """What is legal now."""
    actions: list[dict[str, object]] = good(guest.get("/actions"))["actions"]
    return actions


def first_turn(table: Party) -> Guest:
    """Whoever begins, after having bought a card."""
    mover = table.deciding
    good(mover.act(legal(mover)[0]["action"]))
    return mover


# ---------------------------------------------------------------------------------------------------------- looking


def test_the_table_is_what_programs_over_pipes_see_too(client: TestClient) -> None:
    table = party(client, seed=5)
    state = table.watcher.state
    game = record.from_json(table.watcher.get("/export/json").json())
    assert state["position"] == view_to_json(game.view_for(0), game.figures)
    possible = good(table.watcher.get("/actions"))
    assert [each["action"] for each in possible["actions"]] == game.legal()
    assert [each["typed"] for each in possible["actions"]] == [entry(each, game.figures) for each in game.legal()]
    assert possible["number"] == state["number"]


def test_everybody_sees_whose_turn_it_is_and_what_is_theirs(client: TestClient) -> None:
    table = party(client, "human", "friend")
    assert table.host.state["you"] == {"host": True, "seats": [0]}
    assert table.seats[1].state["you"] == {"host": False, "seats": [1]}
    assert table.watcher.state["you"] == {"host": False, "seats": []}
    assert [guest.state["yours"] for guest in (table.host, table.seats[1], table.watcher)] == [True, False, False]
    assert all(guest.state["deciding"] == 0 for guest in (table.host, table.seats[1], table.watcher))


def test_answers_have_exactly_the_keys_that_are_described(client: TestClient) -> None:
    table = party(client, tiles=["Porto", "Lisboa", "Islas Canarias"], clock={"kind": "turn", "seconds": 600})
    for _ in range(40):
        mover = table.deciding
        possible = mover.get("/actions")
        TypeAdapter(PossibilitiesJson).validate_json(possible.content, extra="forbid")
        TypeAdapter(GameSeenJson).validate_json(mover.get().content, extra="forbid")
        good(mover.act(random.Random(1).choice(possible.json()["actions"])["action"]))


# ----------------------------------------------------------------------------------------------------------- acting


@pytest.mark.parametrize("form", ["action", "text", "typed"])
def test_an_action_can_be_sent_in_each_of_its_forms(client: TestClient, form: str) -> None:
    table = party(client, seed=3)
    mover, before = table.deciding, table.host.state
    choice = legal(mover)[0]
    after = good(mover.act(choice[form]))
    assert after["number"] > before["number"] and after["undoable"] == 1
    assert good(mover.get("/export/json"))["events"][-1] == {"seat": before["deciding"], **choice["typed"]}  # type: ignore[dict-item]


def test_a_whole_turn_goes_together_or_not_at_all(client: TestClient) -> None:
    table = party(client, seed=3)
    mover = table.deciding
    first = str(legal(mover)[0]["text"])
    assert code(mover.act(first, "sail Nowhere/9"), 422) == "card-wanted"
    answer = mover.act(first, "build 12")
    assert answer.status_code == 422 and answer.json()["error"]["rule"]
    assert mover.state["undoable"] == 0


def test_what_the_rules_forbid_names_the_rule(client: TestClient) -> None:
    table = party(client, seed=3)
    error = table.deciding.act("end").json()["error"]
    assert (error["code"], error["rule"]) == ("build-first", "TURN-03")
    assert error["rule"] not in error["message"]


def test_what_was_sent_twice_is_done_once(client: TestClient) -> None:
    table = party(client, seed=3)
    mover = table.deciding
    sent = {"number": mover.state["number"], "actions": [legal(mover)[0]["action"]]}
    good(mover.post("/actions", sent))
    assert code(mover.post("/actions", sent), 409) == "stale-move"
    assert mover.state["undoable"] == 1


@pytest.mark.parametrize("number", [0, 2**31 - 1])
def test_numbers_of_other_tables_are_stale(client: TestClient, number: int) -> None:
    mover = party(client, seed=3).deciding
    assert code(mover.post("/actions", {"number": number, "actions": [0]}), 409) == "stale-move"
    assert code(mover.post("/undo", {"number": number}), 409) == "stale-move"


@pytest.mark.parametrize(
    "actions", [[], [True], [-1], [10**6], [1.5], [None], [""], [{"do": "buy"}], [{"do": "fly"}], ["end"] * 101, "end"]
)
def test_what_is_no_action_is_no_action(client: TestClient, actions: object) -> None:
    mover = party(client, seed=3).deciding
    assert code(mover.post("/actions", {"number": mover.state["number"], "actions": actions}), 422) == "bad-field"


def test_only_the_seat_that_is_to_move_acts(client: TestClient) -> None:
    table = party(client, "friend", "friend", "human")
    action = legal(table.host)[0]["action"]
    assert code(table.seats[1].act(action), 409) == "not-your-turn"
    assert code(table.host.act(action), 409) == "not-your-turn"  # its seat is the third
    assert code(table.watcher.act(action), 403) == "players-only"
    good(table.seats[0].act(action))


def test_a_voyage_of_the_pirate_can_be_made_card_by_card_or_at_once(client: TestClient) -> None:
    table, dice = party(client, tiles=["Islas Canarias"], seed=1), random.Random(2)
    while not any(each["typed"]["do"] == "pirate_sail" for each in legal(table.deciding)):  # type: ignore[index]
        mover = table.deciding
        good(mover.act(dice.choice(legal(mover))["action"]))
    mover = table.deciding
    leg = next(each for each in legal(mover) if each["typed"]["do"] == "pirate_sail")  # type: ignore[index]
    at_sea = good(mover.act(leg["typed"]))
    assert at_sea["position"]["pirate"]["sailing"] == leg["typed"]["to"]  # type: ignore[index]
    landing = next(each for each in legal(mover) if each["typed"]["do"] == "pirate_land")  # type: ignore[index]
    landed = good(mover.act(landing["typed"]))
    voyage = good(mover.get("/export/json"))["events"][-1]
    assert good(mover.post("/undo", {"number": landed["number"]}))["position"]["pirate"]["sailing"] is None
    voyage.pop("seat")
    assert good(mover.act(voyage))["position"] == landed["position"]


# ------------------------------------------------------------------------------------------------------ taking back


def test_a_turn_is_taken_back_and_done_again(client: TestClient) -> None:
    table = party(client, seed=3)
    mover = first_turn(table)
    bought = mover.state
    undone = good(mover.post("/undo", {"number": bought["number"], "count": 1}))
    assert (undone["undoable"], undone["redoable"]) == (0, 1)
    assert code(mover.post("/undo", {"number": undone["number"]}), 409) in ("nothing-to-undo", "card-was-revealed")
    again = good(mover.post("/redo", {"number": undone["number"]}))
    assert again["position"] == bought["position"]


def test_nobody_takes_back_what_others_did(client: TestClient) -> None:
    table = party(client, seed=3)
    mover = first_turn(table)
    other = next(guest for guest in table.seats.values() if guest is not mover)
    assert code(other.post("/undo", {"number": other.state["number"]}), 409) == "not-your-turn"
    assert code(table.watcher.post("/undo", {"number": other.state["number"]}), 403) == "players-only"


def play_until_somebody_else_moves(table: Party) -> tuple[Guest, Guest]:
    """Whoever has moved, and whoever is to move then."""
    mover, dice = table.deciding, random.Random(4)
    while table.deciding is mover:
        good(mover.act(dice.choice(legal(mover))["action"]))
    return mover, table.deciding


def test_going_back_further_needs_everybodys_consent(client: TestClient) -> None:
    table = party(client, seed=3)
    mover, other = play_until_somebody_else_moves(table)
    good(other.act(legal(other)[0]["action"]))
    wish = good(mover.post("/wish", {"number": mover.state["number"], "at": 1}))["wish"]
    assert wish["at"] == 1 and wish["waiting"] == other.state["you"]["seats"]
    assert other.state["wish"] == wish
    assert 0 < (datetime.fromisoformat(wish["until"]) - datetime.now(UTC)).total_seconds() <= 60
    good(other.post("/wish/answer", {"number": other.state["number"], "yes": True}))
    state = mover.state
    assert (state["events"], state["wish"], state["yours"]) == (1, None, True)


def test_one_no_ends_a_wish(client: TestClient) -> None:
    table = party(client, seed=3)
    mover, other = play_until_somebody_else_moves(table)
    good(other.act(legal(other)[0]["action"]))
    before = good(mover.post("/wish", {"number": mover.state["number"], "at": 1}))["events"]
    after = good(other.post("/wish/answer", {"number": other.state["number"], "yes": False}))
    assert (after["events"], after["wish"]) == (before, None)
    assert code(other.post("/wish/answer", {"number": other.state["number"], "yes": True}), 409) == "no-wish"


def test_who_has_several_seats_says_for_which(client: TestClient) -> None:
    table = party(client, "human", "human", "friend")
    number = table.host.state["number"]
    assert code(table.host.post("/wish", {"number": number, "at": 1}), 422) == "which-seat"
    assert code(table.host.post("/wish", {"number": number, "at": 1, "seat": 2}), 403) == "other-seat"
    assert code(table.watcher.post("/wish", {"number": number, "at": 1}), 403) == "players-only"


# ------------------------------------------------------------------------------------------------- hints and records


def test_hints_are_for_whoever_is_to_move(client: TestClient) -> None:
    table = party(client, seed=3)
    mover = table.deciding
    answer = mover.get("/hint?level=captain")
    TypeAdapter(HintJson).validate_json(answer.content, extra="forbid")
    advice = good(answer)
    assert advice["suggestions"][0]["actions"][0] in [each["action"] for each in legal(mover)]
    other = next(guest for guest in table.seats.values() if guest is not mover)
    assert code(other.get("/hint"), 409) == "not-your-turn"
    assert code(table.watcher.get("/hint"), 403) == "players-only"
    assert code(mover.get("/hint?number=0"), 409) == "stale-move"
    assert code(mover.get("/hint?level=nobody"), 422) == "unknown-bot"
    assert good(mover.get("/hint?level=helmsman:strength=40"))["suggestions"]
    assert code(mover.get("/hint?level=helmsman:strength=41"), 422) == "unknown-bot"
    assert code(mover.get("/hint?level=admiral:ms=600000"), 422) == "bad-field"


def test_a_table_without_hints_has_none(client: TestClient) -> None:
    table = party(client, hints=False)
    assert code(table.deciding.get("/hint"), 403) == "no-hints"


@pytest.mark.compiled
def test_all_who_see_the_table_see_the_chances(client: TestClient) -> None:
    table = party(client, seed=3)
    answers = [guest.get("/chances") for guest in (table.watcher, table.host, *table.seats.values())]
    TypeAdapter(ChancesJson).validate_json(answers[0].content, extra="forbid")
    first = good(answers[0])
    assert all(good(answer) == first for answer in answers)
    assert first["number"] == table.host.state["number"]
    assert len(first["seats"]) == 2 and sum(seat["win"] for seat in first["seats"]) == pytest.approx(1)
    game = record.from_json(table.watcher.get("/export/json").json())
    expected = win_chances(View(game.view_for(0), game.figures.boards))
    assert expected is not None and [seat["money"] for seat in first["seats"]] == pytest.approx(expected.money)


def test_a_table_without_hints_tells_no_chances(client: TestClient) -> None:
    table = party(client, hints=False)
    assert code(table.watcher.get("/chances"), 403) == "no-hints"
    assert code(table.host.get("/chances"), 403) == "no-hints"


def test_records_can_be_taken_away_in_both_forms(client: TestClient) -> None:
    table = party(client, seed=3)
    first_turn(table)
    as_json, as_text = table.watcher.get("/export/json"), table.watcher.get("/export/capitan")
    assert as_json.headers["content-type"] == "application/json"
    assert as_text.headers["content-type"] == "text/plain; charset=utf-8"
    games = record.from_json(as_json.text), capitan.from_capitan(as_text.text).game
    assert games[0].events == games[1].events
    assert code(table.watcher.get("/export/pdf"), 422) == "bad-field"


def test_nothing_is_kept_by_caches(client: TestClient) -> None:
    table = party(client)
    for path in ("", "/actions", "/chat", "/export/json", "/events?once=true"):
        assert table.watcher.get(path).headers["cache-control"] == "no-store"
    assert "key" not in json.dumps(table.host.state)
