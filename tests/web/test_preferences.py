"""What a browser chooses once and for all: language, colours, and whether a table is a board or tables."""

import pytest
from fastapi import FastAPI
from starlette.requests import Request
from starlette.testclient import TestClient
from tests.web.drawn_tables import seated

from elcapitan.game.game import Game
from elcapitan.web.render import current_table
from elcapitan.web.viewer import Viewer, preferences, viewer


@pytest.mark.parametrize(
    ("choice", "value", "kept"),
    [
        ("language", "de", "de"),
        ("language", "xx", "en"),
        ("theme", "dark", "dark"),
        ("theme", "loud", "auto"),
        ("view", "tables", "tables"),
        ("view", "upside down", "board"),
    ],
)
def test_a_choice_is_remembered_if_there_is_such_a_thing(choice: str, value: str, kept: str) -> None:
    app = FastAPI()
    app.include_router(preferences)
    client = TestClient(app, follow_redirects=False)
    answer = client.post(f"/{choice}", data={choice: value, "back": "/rules"})
    assert answer.status_code == 303 and answer.headers["location"] == "/rules"
    cookie = f"{choice}={answer.cookies[choice]}"
    seen = viewer(Request({"type": "http", "headers": [(b"cookie", cookie.encode())]}))
    assert getattr(seen, choice) == answer.cookies[choice] == kept


def test_the_table_comes_as_tables_only_to_those_who_want_that() -> None:
    table = seated(Game.new(3, seed=1))
    assert b'id="as-tables"' not in current_table(table, Viewer("en"))
    assert b'id="as-tables"' in current_table(table, Viewer("en", view="tables"))
