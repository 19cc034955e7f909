"""Thousands of hostile requests to a public house with a game in it: nothing breaks, nothing leaks, nothing moves."""

import asyncio
import io
import itertools
import logging
from pathlib import Path

import pytest
from benchmarks.hostile import Answer, Shot, fire, shots, targets
from tests.service.tabling import plan

from elcapitan.cli import logs
from elcapitan.service import Table, Tables
from elcapitan.service.plan import FRIEND
from elcapitan.web.app import application
from elcapitan.web.guard import CARRIED
from elcapitan.web.house import House, Limits, hashed

SHOTS = 700
SEED = 1
BROKEN = 500
ADMIN = "the-admin-of-this-house-0123456789"
HOUSE = House(public=True, admin=hashed(ADMIN), limits=Limits(requests=1e9, burst=10**9, games=3, tries=10**6))


@pytest.mark.parametrize("role", ["watch", "seat-0", "host"])
def test_nothing_breaks_and_nothing_leaks(tmp_path: Path, role: str) -> None:
    """Whatever is sent, without a key, with a wrong one, or with that of somebody who should know better."""
    log = io.StringIO()
    handler = logs.set_up(logs.JSON, log)
    try:
        asyncio.run(_under_fire(tmp_path, role))
    finally:
        logging.getLogger().removeHandler(handler)
    assert log.getvalue().count("\n") >= SHOTS
    assert '"level": "error"' not in log.getvalue()
    assert ADMIN not in log.getvalue()


async def _under_fire(folder: Path, role: str) -> None:
    app = application(folder / "games.db", house=HOUSE)
    async with app.router.lifespan_context(app):
        tables: Tables = app.state.tables
        table = await tables.create(plan(FRIEND, FRIEND, hints=False, seed=None))
        tokens = {each: await tables.key(table.id, each) for each in ("host", "seat-0", "seat-1", "watch")}
        phrase = await tables.phrase(table.id, "seat-0")
        (promise,) = tables._live[table.id].course.promises
        hashes = [key.hash for key in await tables._shelf.keys(table.id)]
        secrets = [phrase, ADMIN, *hashes, *(token for each, token in tokens.items() if each != role)]
        if role != "host":  # who may end the game, and is told everything then
            secrets += [str(promise.seed), promise.salt]
        known = {"name": [table.id], "game": [table.id], "form": ["json", "capitan"], "number": ["1"], "seat": ["0"]}
        fired = shots(SEED, targets(app), known, [tokens[role], "wrong", ADMIN[:-1]])
        for shot in itertools.islice(fired, SHOTS):
            check(shot, await fire(app, shot), secrets)
        if role == "watch":
            await _nothing_moved(tables, table, tokens["host"])


async def _nothing_moved(tables: Tables, table: Table, host: str) -> None:
    """Whoever only watches has changed nothing."""
    after = await tables.get(table.id)
    assert after.number == table.number and after.game.events == table.game.events
    assert after.plan == table.plan and not after.talk
    assert await tables.by_token(host) == (table.id, "host")


def check(shot: Shot, answer: Answer, secrets: list[str]) -> None:
    """An answer is none of ours to be ashamed of."""
    assert 200 <= answer.status < BROKEN, (shot, answer)
    head = b"\n".join(name + b": " + value for name, value in answer.headers)
    names = {name.decode().lower() for name, _ in answer.headers}
    assert {name.lower() for name in CARRIED} <= names, (shot, names)
    for secret in secrets:
        assert secret.encode() not in answer.body and secret.encode() not in head, shot


def test_the_same_seed_makes_the_same_requests() -> None:
    aims = targets(application(":memory:"))
    first, again = (list(itertools.islice(shots(7, aims, {}), 200)) for _ in range(2))
    assert first == again
    assert len({shot.target for shot in first}) > 100
    assert {"/games/{name}/act", "/api/v1/games/{game}/actions", "/join", "/healthz", "/metrics"} <= {
        aim.pattern for aim in aims
    }
