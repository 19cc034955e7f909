"""Start page, setting a table up, and the library: what they show, accept and refuse."""

import gzip
import json
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.page_client import english_left, in_language, pages_client, words

from elcapitan.bots.registry import LEVELS
from elcapitan.engine.vocabulary import OPTION_NAMES, TILE_NAMES
from elcapitan.records import capitan
from elcapitan.service import FORECASTS, PACES, Seat, TableSettings
from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.web.pages import new_game

T = translator("en")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with pages_client(tmp_path_factory.mktemp("server")) as client:
        yield client


def filled(**changes: object) -> dict[str, Any]:
    """The form as a browser sends it: two people, the usual settings, and some changes."""
    form: dict[str, Any] = {
        "player0": "human",
        "player1": "human",
        "first": "0",
        "forecast": "all",
        "hints": "on",
        "pace": "normal",
        "options": ["reopen_shuts"],
        **{f"colour{seat}": str(seat) for seat in range(5)},
    }
    form.update(changes)
    return {name: value for name, value in form.items() if value is not None}


def created(client: TestClient, **changes: object) -> str:
    """The name of a table that the form sets up."""
    answer = client.post("/games", data=filled(**changes))
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).removeprefix("/games/")


# ------------------------------------------------------------------------------------------------------- every page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", ["/", "/new"])
def test_pages_speak_the_readers_language(client: TestClient, address: str, language: str) -> None:
    created(client)
    answer = client.get(address, headers=in_language(language))
    assert answer.status_code == 200
    assert f'<html lang="{language}"' in answer.text
    assert translator(language).text("New game") in answer.text
    assert not english_left(answer.text, language)


def test_templates_contain_no_words_of_their_own() -> None:
    names = {"El Capitán", "· El Capitán", "·  · El Capitán", ".capitan", "JSON"}
    folder = resources.files("elcapitan.web") / "templates" / "pages"
    mine = [f"{name}.html" for name in ("start", "new", "rules", "rule", "guide", "art")]
    for file in mine:
        source = (folder / file).read_text(encoding="utf-8")
        bare = re.sub(r"\{% block body_class %\}[\w -]*|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", source, flags=re.DOTALL)
        pieces = {piece.strip() for piece in re.split(r"<[^>]*>", bare)}
        said = {piece for piece in pieces if re.search(r"[^\W\d_]", piece) and not piece.startswith("aria-")}
        assert said <= names, file  # a macro may write attributes


def test_nothing_on_the_pages_is_inline(client: TestClient) -> None:
    for address in ("/", "/new", "/rules"):
        html = client.get(address).text
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:", html), address


# ------------------------------------------------------------------------------------------------------- start


def test_play_now_is_one_click(client: TestClient) -> None:
    html = client.get("/").text
    assert '<form method="post" action="/games/quick">' in html
    answer = client.post("/games/quick")
    assert answer.status_code == 303
    record = client.get(f"{answer.headers['location']}/export/json").json()
    assert record["seats"] == ["human", "captain", "captain", "captain"]
    assert record["tiles"] == []


def test_start_page_lists_games_to_go_on_with(client: TestClient) -> None:
    name = created(client, title="Sunday evening", name0="Anna", name1="Bernhard", player2="trader", name2="Clara")
    html = client.get("/", headers=in_language("de")).text
    entry = html[html.index(f'id="game-{name}"') :].partition("</li>\n      <li")[0]
    assert f'href="/games/{name}"' in entry
    for piece in ("Sunday evening", "Anna", "Bernhard", "Clara"):
        assert piece in entry
    assert translator("de").text("trader") in entry
    said = translator("de").text(
        "{where}: {who}'s turn",
        where=translator("de").text("Phase {phase}, round {round}", phase=1, round=1),
        who="Anna",
    )
    assert said in words(entry)


def test_a_game_is_deleted_after_being_asked(client: TestClient) -> None:
    name = created(client)
    page = client.get("/").text
    asking = page[page.index(f'action="/games/{name}/delete"') :].partition("</form>")[0]
    assert T.text("Delete this game permanently?") in asking
    answer = client.post(f"/games/{name}/delete")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert name not in client.get("/").text


# ------------------------------------------------------------------------------------------------------- setting up


def test_form_offers_every_level_tile_and_option(client: TestClient) -> None:
    html = client.get("/new").text
    for value in (*LEVELS, *TILE_NAMES, *OPTION_NAMES, *FORECASTS, *PACES):
        assert f'value="{value}"' in html
    for level in LEVELS.values():
        assert level.about in html.replace("&#39;", "'")


def test_set_up_creates_what_was_asked(client: TestClient) -> None:
    name = created(
        client,
        player0="admiral",
        player1=None,
        player3="human",
        name3="  Anna   Maria ",
        colour0="4",
        colour3="2",
        tiles=["Lisboa", "Porto"],
        options=["buy_before_loan", "pirate_before_loan"],
        first="3",
        seed="7",
        title="Two",
    )
    record = client.get(f"/games/{name}/export/json").json()
    assert record["seats"] == ["admiral", "human"]
    assert sorted(record["tiles"]) == ["Lisboa", "Porto"]
    assert record["options"] == {"buy_before_loan": True, "reopen_shuts": False, "pirate_before_loan": True}
    assert record["first"] == 1
    text = client.get(f"/games/{name}/export/capitan").text
    assert '[Title "Two"]' in text and '[Names "Inês, Anna Maria"]' in text
    again = created(
        client, player0="admiral", player1=None, player3="human", tiles=["Lisboa", "Porto"], first="3", seed="7"
    )
    deals = [client.get(f"/games/{each}/export/json").json()["events"][0] for each in (name, again)]
    assert deals[0] == deals[1], "the same seed gives the same cards"


def test_the_strength_of_a_computer_player_is_chosen_in_the_form(client: TestClient) -> None:
    page = client.get("/new").text
    for strength in (0, 50, 100):
        assert f'<option value="helmsman:strength={strength}"' in page and f"helmsman, strength {strength}" in page
    assert page.count("<dt>helmsman") == 1, "it is described once"
    plan = plan_from(player1="helmsman:strength=30", player2="helmsman:strength=31")
    assert plan is not None and [seat.player for seat in plan.seats] == ["human", "helmsman:strength=30"]
    name = created(client, player1="helmsman:strength=30")
    assert client.get(f"/games/{name}/export/json").json()["seats"][1] == "helmsman:strength=30"


def plan_from(**changes: object) -> TableSettings | None:
    sent = {key: value if isinstance(value, list) else [str(value)] for key, value in filled(**changes).items()}
    return new_game.settings_of(new_game.form_from_request(sent), T)


def test_settings_of_the_table_arrive() -> None:
    plan = plan_from(forecast="own", hints=None, pace="instant", first=new_game.DRAWN)
    assert plan is not None
    assert (plan.forecast, plan.hints, plan.pace, plan.first, plan.seed) == ("own", False, "instant", None, None)
    assert plan.seats == (Seat("human", "Inês", 0), Seat("human", "Marco", 1))


def test_neutral_colours_of_two_players() -> None:
    plan = plan_from(neutral0="4", neutral1="")
    assert plan is not None
    assert plan.palette() == (0, 1, 4, 2)
    three = plan_from(neutral0="4", player2="captain")
    assert three is not None
    assert three.palette() == (0, 1, 2), "more than two have none"


@pytest.mark.parametrize("changes", [{"neutral0": "0"}, {"neutral0": "1"}, {"neutral1": "3", "neutral0": "3"}])
def test_neutral_colour_that_is_taken(client: TestClient, changes: dict[str, str]) -> None:
    answer = client.post("/games", data=filled(**changes))
    assert answer.status_code == 422
    field = "neutral1" if "neutral1" in changes else "neutral0"
    wrong = re.search(rf'id="{field}-wrong">([^<]+)<', answer.text)
    assert wrong and "is already taken" in wrong[1]
    assert f'<a href="#{field}">' in answer.text


def test_who_has_no_name_gets_one_that_nobody_has() -> None:
    plan = plan_from(name1="inês", player2="captain", name2="Leyla")
    assert plan is not None
    names = [seat.name for seat in plan.seats]
    assert names[1:] == ["inês", "Leyla"]
    assert len({name.casefold() for name in names}) == 3


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"player1": "empty"}, "player0", "two to five can play"),
        ({"player1": "pirate"}, "player0", "two to five can play"),
        ({"name0": "Anna", "name1": "ANNA"}, "name1", "ANNA"),
        ({"name1": "x" * 30}, "name1", "20 letters"),
        ({"colour1": "0"}, "colour1", "Red is already taken"),
        ({"first": "4"}, "first", "That seat is empty"),
        ({"first": "x"}, "first", "That seat is empty"),
        ({"seed": "many"}, "seed", "many is not a seed"),
        ({"seed": str(2**64)}, "seed", "is not a seed"),
        ({"seed": "-1"}, "seed", "-1 is not a seed"),
        ({"title": "x" * 99}, "title", "60 letters"),
    ],
)
def test_nonsense_is_refused_by_the_field_and_nothing_is_lost(
    client: TestClient, changes: dict[str, str], field: str, sentence: str
) -> None:
    kept = {"player2": "navigator", "tiles": ["Porto"], "pace": "slow", "forecast": "off", "title": "Our game"}
    answer = client.post("/games", data=filled(**{**kept, **changes} if "player1" not in changes else changes))
    assert answer.status_code == 422
    html = answer.text
    assert f'<a href="#{field}">' in html
    wrong = re.search(rf'id="{field}-wrong">([^<]+)<', html)
    assert wrong and sentence in wrong[1]
    assert f"{field}-wrong" in re.sub(rf'id="{field}-wrong"', "", html), "the field points to its sentence"
    for name, value in changes.items():
        if name.startswith(("name", "seed", "title")):
            assert f'value="{value}"' in html
    if "player1" not in changes:
        assert re.search(r'value="navigator"[^>]* selected', html)
        assert re.search(r'value="Porto"[^>]* checked', html)
        assert re.search(r'value="slow" selected', html) and re.search(r'value="off" checked', html)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_mistakes_are_told_in_the_readers_language(client: TestClient, language: str) -> None:
    answer = client.post("/games", data=filled(seed="x", colour1="0"), headers=in_language(language))
    assert answer.status_code == 422
    assert not english_left(answer.text, language)
    assert translator(language).plural("One thing needs correcting:", "{number} things need correcting:", 2) in words(
        answer.text
    )


def test_every_merchant_of_five_has_a_name_and_a_colour() -> None:
    assert len(new_game.MERCHANTS) == len(new_game.COLOURS) == len(new_game.USUAL_SEATS)
    assert set(new_game.FORECASTS) == set(FORECASTS)
    assert set(new_game.PACES) == set(PACES)


# ------------------------------------------------------------------------------------------------------- library


def unshuffled(record: str) -> str:
    """A record without what it promises about face-down cards: whoever brings a game shuffles them anew."""
    return re.sub(r'"shuffles": \[[^]]*\], |\[Shuffles "[^"]*"\]\n', "", record)


@pytest.mark.parametrize(
    ("form", "media_type"), [("capitan", "text/plain; charset=utf-8"), ("json", "application/json")]
)
def test_export_and_import_round_trip(client: TestClient, form: str, media_type: str) -> None:
    name = created(client, player1="captain", seed="5", tiles=["Porto"])
    exported = client.get(f"/games/{name}/export/{form}")
    assert exported.status_code == 200
    assert exported.headers["content-type"] == media_type
    assert exported.headers["content-disposition"] == f'attachment; filename="elcapitan-{name}.{form}"'
    file = {"file": (f"game.{form}", exported.content, media_type)}
    brought = client.post("/games/import", files=file)
    assert brought.status_code == 303
    again = client.get(f"{brought.headers['location']}/export/{form}")
    assert unshuffled(again.text) == unshuffled(exported.text)
    pasted = client.post("/games/import", data={"text": exported.text})
    assert pasted.status_code == 303
    assert unshuffled(client.get(f"{pasted.headers['location']}/export/{form}").text) == unshuffled(exported.text)


def test_there_are_no_other_forms(client: TestClient) -> None:
    assert client.get(f"/games/{created(client)}/export/pgn").status_code == 404


def bad_record() -> str:
    """A record in which somebody builds before having sailed."""
    game = capitan.fresh(capitan.from_capitan(guide_text()).game)
    record = capitan.to_capitan(game)
    return f"{record}\n1.1 seat 1: build 1\n"


def guide_text() -> str:
    return (resources.files("elcapitan") / "data" / "guide.capitan").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bad_record_is_refused_with_place_reason_and_rule(client: TestClient, language: str) -> None:
    t = translator(language)
    answer = client.post("/games/import", data={"text": bad_record()}, headers=in_language(language))
    assert answer.status_code == 422
    mistake = re.search(r'<p class="mistake" role="alert" id="mistake">(.*?)</p>', answer.text, re.DOTALL)
    assert mistake
    assert t.text("To build, the ship must lie in a harbour of the city.") in mistake[1]
    assert '<a href="/rules/TURN-12">' in mistake[1] or '<a href="/rules/WARE-01">' in mistake[1]
    assert "1.1 seat 1: build 1" in answer.text, "what was pasted is still there"
    assert not english_left(answer.text, language)


def test_a_bad_event_of_a_json_record_is_named(client: TestClient) -> None:
    name = created(client)
    record = client.get(f"/games/{name}/export/json").json()
    record["events"].append({"seat": 0, "do": "fortress"})
    file = {"file": ("game.json", json.dumps(record), "application/json")}
    answer = client.post("/games/import", files=file)
    assert answer.status_code == 422
    assert T.text("Event {event}: {problem}", event=1, problem="")[:8] in answer.text


@pytest.mark.parametrize(
    ("filename", "content"),
    [("game.txt", b"hello"), ("game.capitan", b"\xff\xfe\x00"), ("game.json", b"{"), ("game.json", b"[1]")],
)
def test_files_that_are_no_records_are_refused(client: TestClient, filename: str, content: bytes) -> None:
    answer = client.post("/games/import", files={"file": (filename, content)})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_nothing_to_import(client: TestClient) -> None:
    answer = client.post("/games/import", data={"text": "  "})
    assert answer.status_code == 422
    assert T.text("Choose a file, or paste the text of a game.") in answer.text


def test_first_visit_is_small(tmp_path: Path) -> None:
    with pages_client(tmp_path) as client:
        page = client.get("/", headers={"Accept-Encoding": "identity"}).content
    static = resources.files("elcapitan.web") / "static"
    files = [(static / name).read_bytes() for name in ("theme.css", "pages.css", "preferences.js", "icon.svg")]
    assert sum(len(gzip.compress(each)) for each in (page, *files)) < 30_000
