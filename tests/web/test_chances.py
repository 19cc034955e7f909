"""Win chances on the pages: for those who ask, in every language, and not where the host allows no hints."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.page_client import in_language, words

from elcapitan.bots.chances import Chances
from elcapitan.service.bot_pool import BotPool
from elcapitan.web.app import application

FOUND = Chances((0.634, 0.366), (182.4, 151.0), (20.2, 20.2))
AS_SCRIPTS_ASK = {"HX-Request": "true"}


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Chances | None]:
    """What the processes answer; the last one again and again."""
    found: list[Chances | None] = [FOUND]

    async def ask(_self: BotPool, _answer: Callable[[Any], Any], _question: Any, _priority: int = 0) -> Chances | None:
        return found[-1]

    monkeypatch.setattr(BotPool, "ask", ask)
    return found


@pytest.fixture
def client(tmp_path: Path, answers: list[Chances | None]) -> Iterator[TestClient]:
    del answers
    with TestClient(application(tmp_path / "games.db"), follow_redirects=False) as client:
        yield client


def new_table(client: TestClient, **more: str) -> str:
    """The address of a table for two people."""
    form = {"player0": "human", "player1": "human", "name0": "Inês", "name1": "Marco", "first": "0", "pace": "normal"}
    answer = client.post("/games", data={**form, "forecast": "all", "colour0": "0", "colour1": "1", **more})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "63 % chance to win"), ("de", "Siegchance 63 %"), ("fr", "63 % de chances de gagner")],
)
def test_every_merchant_has_a_line(client: TestClient, language: str, said: str) -> None:
    table = new_table(client, hints="on")
    answer = client.get(f"{table}/chances", headers={**AS_SCRIPTS_ASK, **in_language(language)})
    told = [word.replace("\u00a0", " ").replace("\u202f", " ") for word in words(answer.text)]
    assert said in told and "182 ± 20 ƒ" in told and "151 ± 20 ƒ" in told
    assert "Inês" in told and "Marco" in told and "<html" not in answer.text


def test_without_a_script_it_is_a_page(client: TestClient) -> None:
    page = client.get(f"{new_table(client, hints='on')}/chances").text
    assert "<html" in page and "63 % chance to win" in page
    assert "<title>Win chances · El Capitán</title>" in page


def test_the_menu_leads_to_it_where_hints_are_allowed(client: TestClient) -> None:
    table, silent = new_table(client, hints="on"), new_table(client)
    assert f'href="{table}/chances"' in client.get(table).text
    assert "/chances" not in client.get(silent).text
    assert client.get(f"{silent}/chances", headers=AS_SCRIPTS_ASK).status_code == 204
    assert client.post(f"{table}/settings", data={"hints": "off"}).status_code == 303
    assert client.get(f"{table}/chances", headers=AS_SCRIPTS_ASK).status_code == 204


def test_on_another_board_that_is_said(client: TestClient, answers: list[Chances | None]) -> None:
    answers.append(None)
    answer = client.get(f"{new_table(client, hints='on')}/chances", headers=AS_SCRIPTS_ASK)
    assert "There is no estimate for this board." in answer.text and "neural" not in answer.text


def test_a_game_that_is_not_there(client: TestClient) -> None:
    assert client.get("/games/nosuchgame/chances").status_code == 404
