"""What a browser prefers or has chosen: language, colours, and whether a table is a board or tables."""

import http.cookies
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.requests import HTTPConnection, Request
from starlette.testclient import TestClient
from tests.web.drawn_tables import seated

from elcapitan.game.game import Game
from elcapitan.web.app import application
from elcapitan.web.render import current_table
from elcapitan.web.viewer import Viewer, cookies, preferences, preferred, viewer, within_site


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
        ("sv, de;q=0.4, fr;q=0.6", "fr"),
        ("en;q=0.3,de-AT;q=0.3", "en"),
        ("it", "en"),
        ("de;q=0", "en"),
        ("de;q=much, fr;q=0.1", "fr"),
        ("de;x=1", "en"),
        (";;;,,=q", "en"),
    ],
)
def test_the_most_wanted_of_our_languages(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


@pytest.mark.parametrize(
    ("address", "answer"),
    [
        ("/games/abc?at=3", "/games/abc?at=3"),
        ("http://elsewhere.example", "/"),
        ("//elsewhere.example", "/"),
        ("/\\elsewhere.example", "/"),
        ("/a\nb", "/"),
        ("", "/"),
    ],
)
def test_one_comes_back_only_to_this_site(address: str, answer: str) -> None:
    assert within_site(address) == answer


def test_cookies_are_read_in_linear_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Older versions of Python need seconds for a quoted value full of backslashes."""
    monkeypatch.setattr(http.cookies, "_unquote", _unquoted)
    with TestClient(application(tmp_path / "games.db")) as client:
        for host in ("testserver", "a b"):
            sent = {"host": host, "cookie": 'a=b; language="' + "\\\\" * 5000 + '"; theme="dark"; language=de'}
            answer = client.get("/", headers=sent)
            assert answer.status_code == (200 if host == "testserver" else 400)
        assert 'lang="de"' in client.get("/", headers={"cookie": 'x; language="de"'}).text


def _unquoted(value: str) -> str:
    """Read a quoted value as the standard library does, but not one with a backslash."""
    assert "\\" not in value
    return value.strip('"')


def test_the_first_known_choice_counts() -> None:
    scope = {
        "type": "http",
        "headers": [(b"cookie", b"theme=odd; theme=dark; themes=light"), (b"cookie", b"view=list")],
    }
    assert cookies(HTTPConnection(scope), "theme") == ["odd", "dark"]
    assert viewer(HTTPConnection(scope)).theme == "dark"


@pytest.mark.parametrize(
    ("choice", "value", "kept"),
    [
        ("language", "de", "de"),
        ("language", "xx", "en"),
        ("theme", "dark", "dark"),
        ("theme", "loud", "auto"),
        ("view", "tables", "tables"),
        ("view", "upside down", "board"),
        ("sound", "on", "on"),
        ("sound", "loud", "off"),
        ("motion", "off", "off"),
        ("motion", "on", "on"),
        ("motion", "wild", "auto"),
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
