"""Plans of the next turn and what-if boards on the pages: what their player sees and sends, and what others do not."""

import re

import pytest
from starlette.testclient import TestClient
from tests.playing import random_game
from tests.position.test_planned_turn import game_in_a_turn, way_and_build
from tests.web.callers_and_keys import API, BY_COOKIE, FRIENDLY, HOST, OTHER, WATCHER, Party, party
from tests.web.drawn_tables import Reading, looked_at, seated, table_of

from elcapitan.actions.text import from_text
from elcapitan.engine.actions import END
from elcapitan.game.game import Game
from elcapitan.service.keys import Rights
from elcapitan.web.auth import COOKIE
from elcapitan.web.view.plans import FIRST
from elcapitan.web.view.table_view import planning_view, table_view
from elcapitan.web.viewer import Viewer


def viewer_of(*seats: int) -> Viewer:
    """A person in these seats."""
    return Viewer("en", rights=Rights(host=False, seats=frozenset(seats)))


def after(game: Game, seat: int, steps: int = 1) -> int:
    """The seat that plays so many turns after another."""
    return (seat + steps) % game.players


# --------------------------------------------------------------------------------------------------- the running turn


def test_the_running_turn_is_shown_step_by_step() -> None:
    game = game_in_a_turn()
    assert game.seat is not None
    seat, purse, turn = game.seat, game.money[game.seat], way_and_build(game)
    game.play_all(turn)
    page = looked_at(seated(game, turn=turn, undoable=len(turn)))
    counts = [int(each["value"]) for each in page.elements if each["form"] == "undo" and each["name"] == "count"]
    assert counts == list(range(len(turn), 0, -1)), "each step is taken back with all that follow"
    total = page.by_id("plan-sum").text
    assert f"In all {purse - game.money[seat]}\N{NO-BREAK SPACE}ƒ" in total
    assert f"{game.money[seat]}\N{NO-BREAK SPACE}ƒ left" in total and "payday" in total


def test_a_staged_loan_is_the_last_step() -> None:
    (loan,) = from_text("loan 10", Game.new(2).figures)
    game = next(game for seed in range(100) if loan in (game := random_game(3, seed=seed, most=40)).legal())
    plan = table_view(seated(game, held_action=loan), Viewer("en")).plan
    assert plan is not None and [step.words for step in plan.steps][-1].startswith("Loan of")
    assert plan.steps[-1].undo == 1 and plan.total.startswith("+")


def test_nothing_is_shown_before_the_first_step_nor_at_an_earlier_moment() -> None:
    game = game_in_a_turn()
    plan = table_view(seated(game), Viewer("en")).plan
    assert plan is not None and plan.kind == FIRST and not plan.steps, "it can be planned"
    turn = way_and_build(game)
    game.play_all(turn)
    assert table_view(seated(game, turn=turn, undoable=len(turn)), Viewer("en"), game.event_count - 1).plan is None


# ------------------------------------------------------------------------------------------------------- the next turn


def test_a_plan_is_offered_when_the_turn_comes() -> None:
    game = game_in_a_turn()
    assert game.seat is not None
    turn = way_and_build(game)
    table = seated(game, prepared={game.seat: turn})
    page = looked_at(table, viewer_of(game.seat))
    assert page.by_id("play-plan")["value"].split() == [str(action) for action in turn]
    assert page.by_id("play-plan")["form"] == "turn"


def test_a_plan_that_no_longer_works_says_which_step_and_why() -> None:
    game = game_in_a_turn()
    assert game.seat is not None
    turn = way_and_build(game)
    table = seated(game, prepared={game.seat: (*turn, turn[-1])})
    page = looked_at(table, viewer_of(game.seat))
    assert not [each for each in page.elements if each["id"] == "play-plan"]
    assert "does not work any more: Warehouse" in page.by_id("plan-broken").text
    assert "only one building a turn" in page.by_id("plan-broken").text and "TURN-04" in page.by_id("plan-broken").text


def test_others_learn_nothing_of_a_plan() -> None:
    game = game_in_a_turn()
    assert game.seat is not None
    planner = after(game, game.seat)
    ahead = game.in_turn_of(planner)
    assert ahead is not None
    plans = {planner: way_and_build(ahead)}
    others = [viewer_of(*({0, 1, 2} - {planner})), viewer_of(), viewer_of(game.seat)]
    for viewer in others:
        drawn = {table_of(table_view(seated(game, prepared=each), viewer), viewer) for each in (plans, {})}
        assert len(drawn) == 1
    own = viewer_of(planner)
    assert "Change the plan" in table_of(table_view(seated(game, prepared=plans), own), own)


def test_planning_shows_the_turn_as_if_it_had_come() -> None:
    game = game_in_a_turn()
    assert game.seat is not None
    planner = after(game, game.seat)
    ahead = game.in_turn_of(planner)
    assert ahead is not None
    turn = way_and_build(ahead)
    who = viewer_of(planner)
    empty = planning_view(seated(game), who)
    assert empty is not None and empty.planning and empty.acting and empty.moves == "/games/game/plan"
    assert empty.offers.end is None and not empty.hints
    offered = {each["value"] for each in Reading(table_of(empty, who)).elements if each["name"] == "actions"}
    assert {str(number) for number in ahead.legal()} & offered
    full = planning_view(seated(game, prepared={planner: turn}), who)
    assert full is not None and full.plan is not None
    assert len(full.plan.steps) == len(turn) and full.undoable == len(turn) and not full.plan.broken
    page = Reading(table_of(full, who))
    assert page.by_id("turn")["action"] == "/games/game/plan/act"
    assert page.by_id("undo")["action"] == "/games/game/plan/undo"
    assert page.by_id("close-plan")["href"] == "/games/game"
    assert not page.mismatched
    broken = planning_view(seated(game, prepared={planner: (*turn, turn[-1])}), who)
    assert broken is not None and broken.plan is not None
    assert len(broken.plan.steps) == len(turn) and broken.plan.broken and broken.plan.reason


def test_ones_own_turn_is_planned_before_anything_is_done_in_it() -> None:
    game = game_in_a_turn()
    assert game.seat is not None
    who, turn = viewer_of(game.seat), way_and_build(game)
    page = looked_at(seated(game), who)
    assert page.by_id("open-plan")["href"] == "/games/game/plan" and "Plan first" in page.by_id("open-plan").text
    empty = planning_view(seated(game), who)
    assert empty is not None and empty.planning and empty.moves == "/games/game/plan" and empty.offers.end is None
    assert Reading(table_of(empty, who)).by_id("table")["data-planning"] == "now"
    full = planning_view(seated(game, prepared={game.seat: turn}), who)
    assert full is not None and full.plan is not None and len(full.plan.steps) == len(turn)
    page = Reading(table_of(full, who))
    play = page.by_id("play-plan")
    assert play["value"].split() == [str(action) for action in turn]
    assert page.by_id("play")["action"] == "/games/game/act" and page.by_id("turn")["action"] == "/games/game/plan/act"
    ready = looked_at(seated(game, prepared={game.seat: turn}), who)
    assert ready.by_id("play-plan")["form"] == "turn" and ready.by_id("open-plan").text.strip() == "Change the plan"
    begun = game.copy()
    begun.play(turn[0])
    assert planning_view(seated(begun, turn=turn[:1], undoable=1), who) is None


def test_only_a_player_who_has_a_turn_can_plan() -> None:
    game = game_in_a_turn()
    assert game.seat is not None
    assert planning_view(seated(game), viewer_of()) is None
    assert planning_view(seated(game, people=[game.seat]), viewer_of(after(game, game.seat))) is None
    assert table_view(seated(game), viewer_of()).plan is None
    over = random_game(2, seed=1)
    assert planning_view(seated(over), viewer_of(0)) is None and table_view(seated(over), viewer_of(0)).plan is None


def test_of_several_seats_the_next_one_plans() -> None:
    game = game_in_a_turn()
    assert game.seat is not None
    first, second = after(game, game.seat), after(game, game.seat, 2)
    view = planning_view(seated(game), viewer_of(first, second))
    assert view is not None and view.point_of_view == first


# ---------------------------------------------------------------------------------------------------- through the pages


@pytest.fixture
def table(client: TestClient) -> Party:
    """A game of a host, two friends and a computer player; the host is to move."""
    return party(client, "")


class Caller:
    """One person at a table."""

    def __init__(self, client: TestClient, table: Party, who: str) -> None:
        self.client, self.table, self.who = client, table, who

    def get(self, path: str = "") -> str:
        """A page of the table."""
        answer = self.client.get(f"/games/{self.table.game}{path}", headers=self.table.headers(self.who, BY_COOKIE))
        self.client.cookies.clear()
        assert answer.status_code in (200, 303), answer.status_code
        return str(answer.text) if answer.status_code == 200 else str(answer.headers["location"])

    def post(self, path: str, status: int = 303, **fields: object) -> str:
        """What comes of a form: an address to go to, or a page."""
        place = f"/games/{self.table.game}{path}"
        sent = {name: str(value) for name, value in {"number": self.number, **fields}.items()}
        answer = self.client.post(place, data=sent, headers=self.table.headers(self.who, BY_COOKIE))
        self.cookie = str(answer.cookies.get(COOKIE, ""))
        self.client.cookies.clear()
        assert answer.status_code == status, (answer.status_code, answer.text)
        return str(answer.headers.get("location", answer.text))

    @property
    def number(self) -> int:
        """The number of the table that this person sees."""
        found = re.search(r'data-number="(\d+)"', self.get())
        assert found
        return int(found[1])


def turn_on(page: str) -> list[str]:
    """Purchases, a way and a build that a page offers, as a route to a city."""
    return re.findall(r'name="actions" value="([\d ]+)"', page)


def test_a_plan_is_prepared_played_and_forgotten(client: TestClient, table: Party) -> None:
    host, friend = Caller(client, table, HOST), Caller(client, table, FRIENDLY)
    assert "Plan your next turn" in friend.get() and "Plan your next turn" not in host.get()
    ways = friend.get("/plan/ways/4")
    whole = max(turn_on(ways), key=lambda actions: len(actions.split()))
    assert friend.post("/plan/act", actions=whole) == f"/games/{table.game}/plan"
    assert friend.get("/plan").count('<li class="plan-step') == len(whole.split())
    friend.post("/plan/undo", count=1)
    assert friend.get("/plan").count('<li class="plan-step') == len(whole.split()) - 1
    refused = friend.post("/plan/act", 422, actions=whole.split()[0])
    assert 'role="alert"' in refused
    friend.post("/plan/act", actions=whole.split()[-1])
    assert "Change the plan" in friend.get() and "Change the plan" not in Caller(client, table, OTHER).get()
    program = {"authorization": f"Bearer {table.keys[WATCHER]}"}
    seen = client.get(f"{API}/games/{table.game}", headers=program).text
    assert "prepare" not in seen and "plan-step" not in Caller(client, table, WATCHER).get()
    friend.post("/plan/forget")
    assert "Plan your next turn" in friend.get()


def test_ones_own_turn_is_planned_and_played_as_one(client: TestClient, table: Party) -> None:
    host, friend = Caller(client, table, HOST), Caller(client, table, FRIENDLY)
    assert "Plan first" in host.get() and "Plan first" not in friend.get()
    whole = max(turn_on(host.get("/plan/ways/4")), key=lambda actions: len(actions.split()))
    assert host.post("/plan/act", actions=whole) == f"/games/{table.game}/plan"
    planned = host.get("/plan")
    assert planned.count('<li class="plan-step') == len(whole.split()) and "Play my plan" in planned
    assert "Change the plan" in host.get() and "plan-step" not in friend.get()
    assert host.post("/act", actions=whole) == f"/games/{table.game}"
    assert 'id="act-end"' in host.get() and "Play my plan" not in host.get()
    assert host.get("/plan") == f"/games/{table.game}", "the turn is begun"
    refused = host.post("/plan/act", 303, actions=whole)
    assert refused == f"/games/{table.game}"


@pytest.mark.parametrize("actions", ["", "x", "-1", "999999999", "0 x", str(END), "staged"])
def test_what_is_no_plan_is_refused(client: TestClient, table: Party, actions: str) -> None:
    friend = Caller(client, table, FRIENDLY)
    place, headers = f"/games/{table.game}/plan/act", table.headers(FRIENDLY, BY_COOKIE)
    answer = client.post(place, data={"number": "1", "actions": actions}, headers=headers)
    assert answer.status_code in (303, 422)
    client.cookies.clear()
    assert "Plan your next turn" in friend.get(), "nothing is planned"


def test_a_what_if_board_is_its_players_alone(client: TestClient, table: Party) -> None:
    host, friend = Caller(client, table, HOST), Caller(client, table, FRIENDLY)
    assert "what-if-now" in friend.get() and "what-if-now" not in Caller(client, table, WATCHER).get()
    board = friend.post("/what-if", at=1)
    key = next(each for each in friend.cookie.strip('"').split(".") if each.startswith(board.removeprefix("/games/")))
    page = client.get(board, headers={"cookie": f"{COOKIE}={key}"}).text
    client.cookies.clear()
    assert f'id="back-to-game" href="/games/{table.game}"' in page and "What if?" in page
    for who in (HOST, OTHER, WATCHER, FRIENDLY):  # keys of the real game do not open it
        assert client.get(board, headers=table.headers(who, BY_COOKIE)).status_code == 403
        client.cookies.clear()
    listed = client.get("/", headers={"cookie": f"{COOKIE}={key}"}).text
    client.cookies.clear()
    assert board not in listed
    host.post("/settings", what_if="off")
    assert "what-if-now" not in friend.get()
    friend.post("/what-if", 422, at=1)
    place, headers = f"/games/{table.game}/branch", table.headers(FRIENDLY, BY_COOKIE)
    assert client.post(place, params={"at": 1}, headers=headers).status_code == 422
    client.cookies.clear()


@pytest.mark.parametrize("at", [0, -1, 10**6])
def test_a_board_begins_at_a_moment_of_the_game(client: TestClient, table: Party, at: int) -> None:
    Caller(client, table, FRIENDLY).post("/what-if", 422, at=at)
