"""What a table leaves in memory when it goes: nothing, even if nobody collects garbage."""

import asyncio
import gc
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from tests.api.visiting import API, Stream, asked, wanted

from elcapitan.service import open_table
from elcapitan.service.open_table import OpenTable
from elcapitan.service.table import Table
from elcapitan.web.app import application
from elcapitan.web.server_settings import ServerSettings

GAMES = 6
KEPT = 2  # tables in memory


@pytest.fixture
def no_collector() -> Iterator[None]:
    """No garbage is collected meanwhile."""
    thresholds = gc.get_threshold()
    gc.disable()
    yield
    gc.enable()
    gc.set_threshold(*thresholds)


async def sitting(app: FastAPI, dice: random.Random) -> str:
    """A game as it is played and looked at: streams, pages, moves, refusals, talk, records; the game."""
    made = (await asked(app, f"{API}/games", "", wanted("friend", "friend"))).json
    game, keys = made["game"], [each["key"] for each in made["seat_keys"]]
    program = Stream(app, f"{API}/games/{game}/events", keys[0])
    page = Stream(app, f"/games/{game}/events", keys[1])
    await program.message()
    place = f"{API}/games/{game}"
    for _ in range(3):
        possible = (await asked(app, f"{place}/actions", made["host_key"])).json
        sent = {"number": possible["number"], "actions": [dice.choice(possible["actions"])["action"]]}
        key = keys[possible["deciding"]]
        assert (await asked(app, f"{place}/actions", key, sent)).status == 200
        assert (await asked(app, f"{place}/actions", key, {**sent, "number": 0})).status in (409, 422)
    for path in (f"/games/{game}", f"/games/{game}/replay?at=2", f"{place}/export/json"):
        assert (await asked(app, path, keys[0])).status == 200
    assert (await asked(app, f"{place}/chat", keys[0], {"text": "bye"})).status == 200
    await program.leave()
    await page.leave()
    return str(game)


def in_memory(kind: type[OpenTable | Table], games: set[str]) -> int:
    """How many tables of these games there are in memory."""
    return len({each.id for each in gc.get_objects() if type(each) is kind and each.id in games})


def test_a_table_that_leaves_memory_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_collector: None
) -> None:
    monkeypatch.setattr(open_table, "MOST_LIVE", KEPT)
    monkeypatch.setattr(open_table, "LEAVING_SECONDS", 0.0)

    async def work() -> None:
        app = application(tmp_path / "games.db", hosts=["*"], settings=ServerSettings(public=True))
        async with app.router.lifespan_context(app):
            dice = random.Random(7)
            await sitting(app, dice)  # everything is loaded and compiled
            gc.collect()
            games = {await sitting(app, dice) for _ in range(GAMES)}
            await asyncio.sleep(0.05)
            assert len(app.state.tables.in_memory) == KEPT
            assert in_memory(OpenTable, games) == KEPT
            assert in_memory(Table, games) == 0
            assert gc.collect() < 100 * GAMES, "drawing and following leave next to nothing for the collector"

    asyncio.run(work())
