"""A held action on the page: its seat can end the turn or take it back, and no other viewer learns of it."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.playing import random_game
from tests.web.callers_and_keys import BY_COOKIE, HOST, Party, party
from tests.web.drawn_tables import Reading, looked_at, page_of, seated, table_of

from elcapitan.actions.text import from_text
from elcapitan.engine.actions import END, PASS
from elcapitan.game.game import Game
from elcapitan.service.keys import Rights
from elcapitan.web.app import application
from elcapitan.web.server_settings import ServerSettings
from elcapitan.web.view.table_view import table_view
from elcapitan.web.viewer import BY_BUTTON, TURN_ENDS, Viewer


def game_with_loans() -> Game:
    """A game in which the deciding seat may borrow or do something else."""
    for seed in range(100):
        game = random_game(3, seed=seed, most=40)
        loans = [action for action in game.legal() if action in LOANS]
        if loans and len(game.legal()) > len(LOANS):
            return game
    raise AssertionError("nobody may borrow")


LOANS = [number for text in ("loan 10", "loan 16") for number in from_text(text, Game.new(2).figures)]


def test_only_the_end_of_the_turn_is_offered() -> None:
    game = game_with_loans()
    page = looked_at(seated(game, held_action=LOANS[0]))
    plays = {element["value"] for element in page.elements if element["name"] == "actions"}
    assert plays == {"staged"}
    assert "Loan of 10" in page.by_id("staged").text
    assert "Loan of 10: end the turn, or undo this." in page.by_id("sentence").text
    assert table_view(seated(game, held_action=LOANS[0]), Viewer("en")).undoable == 1, "it can be taken back"


def test_other_viewers_learn_nothing() -> None:
    game = game_with_loans()
    assert game.seat is not None
    others = Viewer("en", rights=Rights(host=False, seats=frozenset({0, 1, 2} - {game.seat})))
    onlooker = Viewer("en", rights=Rights(host=False, seats=frozenset()))
    for viewer in (others, onlooker):
        with_it, without = (
            table_of(table_view(seated(game, held_action=held), viewer), viewer) for held in (LOANS[0], None)
        )
        assert with_it == without


def test_an_earlier_moment_shows_nothing_of_it() -> None:
    game = game_with_loans()
    seen = table_view(seated(game, held_action=LOANS[0]), Viewer("en"), game.event_count - 1)
    assert seen.offers.held is None


def test_loans_come_last_and_apart() -> None:
    game = game_with_loans()
    page = looked_at(seated(game))
    listed = [int(each["value"]) for each in page.elements if "act" in each.classes and each["value"]]
    first = min(listed.index(loan) for loan in LOANS if loan in listed)
    assert set(listed[first:]) <= {*LOANS, END, PASS}
    assert "Or take a loan" in page.by_id("acts").text


@pytest.mark.parametrize("chosen", TURN_ENDS)
def test_the_menu_offers_the_other_way_to_end_turns(chosen: str) -> None:
    viewer = Viewer("en", turn_end=chosen)
    page = Reading(page_of(table_view(seated(game_with_loans()), viewer), viewer))
    assert page.by_id("toggle-turn-end")["value"] == (TURN_ENDS[1] if chosen == BY_BUTTON else BY_BUTTON)


def test_with_automatic_ends_building_ends_the_turn(tmp_path: Path) -> None:
    with TestClient(application(tmp_path / "games.db", settings=ServerSettings(public=True))) as client:
        table, other = party(client, ""), party(client, "")
        for each, chosen, turns in ((table, TURN_ENDS[1], 1), (other, BY_BUTTON, 0)):
            assert turns_after_building(client, each, chosen) == turns


def turns_after_building(client: TestClient, table: Party, chosen: str) -> int:
    """How often the host's turn has ended once the host has sailed and built, with a choice of how turns end."""
    headers = table.headers(HOST, BY_COOKIE)
    headers["cookie"] += f"; turn_end={chosen}"
    place = f"/games/{table.game}"
    page = client.get(place, headers=headers).text
    ways = client.get(f"{place}/ways/4", headers=headers).text
    whole = max(re.findall(r'name="actions" value="([\d ]+)"', ways), key=lambda actions: len(actions.split()))
    number = Reading(page).by_id("table")["data-number"]
    fields = {"number": number, "actions": whole}
    answer = client.post(f"{place}/act", data=fields, headers=headers, follow_redirects=False)
    assert answer.status_code == 303
    client.cookies.clear()
    after = Reading(client.get(place, headers=headers).text)
    client.cookies.clear()
    return int(not any(each["id"] == "act-end" for each in after.elements))
