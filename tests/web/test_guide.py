"""The first-game guide: its game is real, its sentences are true, and its moves are the learner's."""

import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from tests.web.page_client import english_left, in_language, pages_client, words

from elcapitan.actions.text import to_text
from elcapitan.engine.actions import family
from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.game.game import Act, Game
from elcapitan.game.position_queries import Income
from elcapitan.records.capitan import fresh, to_capitan
from elcapitan.text import rulebook
from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.web.pages import guide
from elcapitan.web.pages.guide import LEARNER, GuideStep, game_at, score, steps
from elcapitan.web.pages.guide_lessons import LESSONS

STEPS = {step.name: step for step in steps()}
DEEDS = [step for step in steps() if step.action is not None]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with pages_client(tmp_path_factory.mktemp("server")) as client:
        yield client


# ------------------------------------------------------------------------------------------------------- the game


def test_the_game_is_legal_from_deal_to_result() -> None:
    game = fresh(score().game)
    for event in score().game.events[1:]:
        if isinstance(event, Act):
            assert event.numbers[0] in game.legal()
            game.play_all(event.numbers)
        else:
            game.reveal(event.card)  # type: ignore[union-attr]
    assert game.over and game.players == 3 and game.winners == [LEARNER]


def test_moments_are_in_order_and_every_lesson_is_told_once() -> None:
    assert [step.name for step in steps()] == list(LESSONS)
    assert 25 <= len(steps()) <= 35
    assert [step.number for step in steps()] == list(range(1, len(steps()) + 1))
    assert [step.at for step in steps()] == sorted(step.at for step in steps())
    assert steps()[-1].at == len(score().game.events)


def test_deeds_are_legal_moves_of_the_learner() -> None:
    assert 8 <= len(DEEDS) <= 16
    for step in DEEDS:
        game = game_at(step.at)
        assert game.seat == LEARNER and step.action in game.legal()
    kinds = {family(step.action) for step in DEEDS if step.action is not None}
    assert kinds == {"buy", "sail", "build", "end", "loan", "fortress", "repay", "extend", "reopen"}


def test_what_the_learner_does_leads_to_the_next_moment() -> None:
    for step in DEEDS:
        following = steps()[step.number]
        assert following.at > step.at
        event = score().game.events[step.at]
        assert isinstance(event, Act) and event.numbers == (step.action,)


def test_every_rule_that_is_named_exists() -> None:
    for lesson in LESSONS.values():
        assert lesson.rules
        assert set(lesson.rules) <= set(rulebook.items("en"))


def test_numbers_are_the_same_in_every_language() -> None:
    for lesson in LESSONS.values():
        numbers = [set(re.findall(r"\d+", translator(language).template(lesson.words))) for language in LANGUAGES]
        assert numbers[0] == numbers[1] == numbers[2], lesson.title


# ------------------------------------------------------------------------------------------------- what is said is true


def at(name: str) -> Game:
    return game_at(STEPS[name].at)


def after(name: str) -> Game:
    """The game after the deed of a moment."""
    game = at(name).copy()
    deed = STEPS[name].action
    assert deed is not None
    game.play(deed)
    return game


def income(game: Game, seat: int = LEARNER) -> Income:
    return game.forecast()[seat]


def where(game: Game, seat: int = LEARNER) -> str:
    return CITY_NAMES[int(game.position.ship_city[seat])]


def deed(name: str) -> str:
    number = STEPS[name].action
    assert number is not None
    return to_text(number, score().game.figures)


def test_what_is_said_of_the_first_turn_is_true() -> None:
    assert at("purse").money == [20, 20, 20]
    assert deed("first-card") == "buy Marseille/1" and after("first-card").money[LEARNER] == 16
    assert where(after("first-voyage")) == "Marseille"
    assert deed("first-warehouse") == "build 2" and after("first-warehouse").money[LEARNER] == 12
    now = income(at("first-end"))
    assert (now.total, now.majority, now.proliferation) == (9, {"Marseille": 8}, 1)


def test_what_is_said_of_the_second_and_third_turn_is_true() -> None:
    assert [where(at("others"), seat) for seat in (1, 2)] == ["Tanger", "Venezia"]
    assert at("link-card").money[LEARNER] - after("link-card").money[LEARNER] == 3
    assert where(after("link-voyage")) == "Alexandria"
    assert income(at("spread")).cities == 2
    assert at("short").money == [5, 30, 28]
    assert deed("loan") == "loan 16"
    loans = at("twice").position.loans
    assert at("twice").money[LEARNER] == 37 and loans[LEARNER].tolist() == [[0, 0], [2, 0]]


def test_what_is_said_of_ranks_is_true() -> None:
    overtaken = at("overtaken")
    assert [income(overtaken, seat).majority["Alexandria"] for seat in (2, LEARNER)] == [8, 4]
    answered = after("answer")
    assert [income(answered, seat).majority["Venezia"] for seat in (LEARNER, 2)] == [6, 3]
    assert (deed("route"), where(after("route"))) == ("sail Valencia/2 ~ Constantinople", "Constantinople")
    assert int(at("harbour").position.ship_space[LEARNER]) == 1
    assert int(at("harbour").position.ship_space[2]) == 0 and where(at("harbour"), 2) == "Constantinople"
    assert income(at("harbour")).total == 36
    assert income(at("turns")).cities == 6 and at("turns").position.stock[LEARNER] == 0


def test_what_is_said_of_the_first_payday_is_true() -> None:
    assert where(at("fortress")) == "Athina"
    assert at("fortress").money[LEARNER] - after("fortress").money[LEARNER] == 4
    (payday,) = at("payday").paydays
    mine = payday.paid[LEARNER]
    assert (mine.proliferation, mine.fortress, mine.total) == (20, {"Athina": 2}, 54)
    assert mine.majority == {
        "Constantinople": 8,
        "Venezia": 6,
        "Napoli": 6,
        "Athina": 4,
        "Marseille": 4,
        "Alexandria": 4,
    }
    assert at("payday").money[LEARNER] == 59
    assert after("repay").money[LEARNER] == 39 and deed("extend") == "extend 16"
    starter = score().game.events[STEPS["starter"].at - 1]
    assert isinstance(starter, Act) and starter.seat == 1 and family(starter.numbers[0]) == "starter"
    assert at("starter").seat == 1


def test_what_is_said_of_the_second_phase_is_true() -> None:
    assert where(at("nine")) == "Valencia"
    assert [income(game).proliferation for game in (at("nine"), after("nine"))] == [40, 60]
    assert int(after("nine").position.bonus[LEARNER]) == 1
    before = at("closed").copy()
    before.take_back(1)
    assert [income(before).total, income(at("closed")).total] == [100, 72]
    assert income(at("closed")).cities == 8
    assert where(at("reopen")) == "Constantinople"
    closed = after("reopen").position.closed[CITY_NAMES.index("Constantinople")]
    assert closed[LEARNER] == 0 and closed[2] == 1
    payday = at("payday-two").paydays[-1]
    assert [each.total for each in payday.paid] == [138, 138, 133]
    assert {each.cities for each in payday.paid} == {9}
    assert payday.paid[LEARNER].fortress["Valencia"] == 21


def test_what_is_said_of_the_end_is_true() -> None:
    game = score().game
    assert at("last-phase").phase == 3
    assert game.paydays[-1].paid[LEARNER].total == 197
    assert game.money == [231, 167, 208]


# ------------------------------------------------------------------------------------------------------- the pages


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_moment_is_a_page_in_every_language(client: TestClient, language: str) -> None:
    t = translator(language)
    for step in steps() if language == "en" else steps()[::5]:
        answer = client.get(f"/guide/{step.number}", headers=in_language(language))
        assert answer.status_code == 200
        coach = answer.text.partition('<section class="coach"')[2].partition("</section>")[0]
        said = words(coach)
        assert t.template(step.lesson.title) in said and t.template(step.lesson.words) in said
        assert not english_left(coach, language)


def test_the_guide_begins_at_the_first_moment(client: TestClient) -> None:
    answer = client.get("/guide")
    assert (answer.status_code, answer.headers["location"]) == (303, "/guide/1")


def walked(client: TestClient, step: GuideStep) -> str:
    """Where the one way on from a moment leads."""
    html = client.get(f"/guide/{step.number}").text
    if step.action is None:
        (link,) = re.findall(r'rel="next" href="([^"]+)"', html)
        return str(link)
    offered = set(re.findall(r'name="actions" value="(\d+)"', html)) | set(re.findall(r'data-act="(\d+)"', html))
    assert offered == {str(step.action)}, "nothing else is offered"
    answer = client.post(f"/guide/{step.number}/act", data={"actions": str(step.action), "number": str(step.number)})
    assert answer.status_code == 303
    return str(answer.headers["location"])


def test_the_guide_can_be_walked_from_begin_to_end(client: TestClient) -> None:
    for step in steps()[:-1]:
        assert walked(client, step) == f"/guide/{step.number + 1}"
    html = client.get(f"/guide/{len(steps())}").text
    assert 'action="/games/quick"' in html


@pytest.mark.parametrize("actions", ["", "0", "x", "12 13"])
def test_another_move_gets_a_friendly_sentence(client: TestClient, actions: str) -> None:
    step = STEPS["first-card"]
    answer = client.post(f"/guide/{step.number}/act", data={"actions": actions}, headers=in_language("fr"))
    assert answer.status_code == 422
    friendly = translator("fr").text("Almost! Make the move that is lit in gold.")
    assert friendly in words(answer.text)


@pytest.mark.parametrize("address", ["/guide/0", "/guide/99", "/guide/x"])
def test_there_are_no_other_moments(client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_the_game_of_the_guide_can_be_played_on(client: TestClient) -> None:
    step = STEPS["starter"]
    answer = client.post(f"/guide/{step.number}/play")
    assert answer.status_code == 303
    record = client.get(f"{answer.headers['location']}/export/json").json()
    assert record["seats"] == ["human", "captain", "captain"]
    assert len(record["events"]) == step.at


def test_the_table_of_the_guide_knows_no_face_down_cards() -> None:
    table = guide.table_at(STEPS["welcome"])
    assert table.game.seed is None
    assert "Marseille/3" not in to_capitan(table.game)
