"""Visits to the pages around the table: a house in which computer players rest, and what a page says."""

import functools
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from html.parser import HTMLParser
from pathlib import Path

from fastapi import FastAPI
from starlette.testclient import TestClient

from elcapitan.service import FRIEND, HUMAN, Tables
from elcapitan.text import extract
from elcapitan.text.catalogue import translator
from elcapitan.web.auth import COOKIE
from elcapitan.web.pages import game_list, guide, new_game, rules

SPOKEN = ("aria-label", "title", "placeholder", "alt", "data-wrong", "data-about")


@contextmanager
def pages_client(folder: Path) -> Iterator[TestClient]:
    """A client of a house with an empty shelf."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        async with Tables.open(folder / "games.db", bots=False) as tables:
            app.state.tables = tables
            yield

    app = FastAPI(lifespan=life)
    for router in (game_list.router, new_game.router, rules.router, guide.router):
        app.include_router(router)
    with TestClient(app, follow_redirects=False) as client:
        yield client


def in_language(language: str) -> dict[str, str]:
    """What a browser sends that wants a language."""
    return {"Accept-Language": language}


class _Words(HTMLParser):
    """Everything on a page that somebody reads or hears."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in SPOKEN and value]

    def handle_data(self, data: str) -> None:
        piece = re.sub(r"[ \n]+", " ", data).strip(" ")
        self.found += [piece] if piece else []


def words(html: str) -> list[str]:
    """Everything on a page that somebody reads or hears, piece by piece."""
    reader = _Words()
    reader.feed(re.sub(r"<(script|style)\b.*?</\1>", "", html, flags=re.DOTALL))
    return reader.found


def english_left(html: str, language: str) -> list[str]:
    """The pieces of a page that are messages of ours, but still in English."""
    t = translator(language)
    return [piece for piece in words(html) if piece in messages() and t.template(piece) != piece]


@functools.cache
def messages() -> frozenset[str]:
    """All messages that there are, in English."""
    return frozenset(message for _, message, _ in extract.found() if isinstance(message, str))


def made(client: TestClient) -> tuple[str, str]:
    """A table with a host, a friend in seat 1 and another in seat 2; its name and the host's cookie."""
    players = {"player0": HUMAN, "player1": FRIEND, "player2": FRIEND, "player3": "captain"}
    colours = {f"colour{seat}": str(seat) for seat in range(4)}
    answer = client.post("/games", data={**players, **colours, "first": "0", "friends": "on", "chat": "on"})
    assert answer.status_code == 303, answer.text
    cookie = str(client.cookies[COOKIE])
    client.cookies.clear()
    return str(answer.headers["location"]).removeprefix("/games/").removesuffix("/invite"), cookie


def shown_links(html: str) -> list[str]:
    """The links on a page, in order."""
    return re.findall(r'value="([^"]*/join[^"]*)"', html)
