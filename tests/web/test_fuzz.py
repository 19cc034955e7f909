"""Twenty thousand fuzzed requests to a public server: no error, no leaked key, no long computation, nothing moved."""

import asyncio
import io
import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.fuzzing.client import FuzzClient, Request
from benchmarks.fuzzing.in_process import Headers, routes, send
from benchmarks.fuzzing.mutations import CONTENT_TYPES
from benchmarks.fuzzing.operations import OPERATIONS, PHRASES, FuzzedGame
from starlette.testclient import TestClient
from tests.service.table_helpers import settings_for

from elcapitan.cli import serve_options as logs
from elcapitan.service import Table, Tables
from elcapitan.service.table_settings import FRIEND
from elcapitan.web.app import application
from elcapitan.web.security import SECURITY_HEADERS
from elcapitan.web.server_settings import Limits, ServerSettings, hashed

PORTIONS = 4  # run side by side
REQUESTS = 5_000  # in each
BLOCK = 0.25  # seconds of computing on the event loop for one request
ACCEPTED_SHARE = 0.3
REFUSED_SHARE = 0.01  # because of a limit: chat and changes of a table have some of their own
ADMIN = "the-admin-of-this-server-0123456789"
GENEROUS = Limits(requests=1e9, burst=10**9, work=10**9, work_burst=10**9, games=10**6, tries=10**6)
SERVER = ServerSettings(public=True, admin=hashed(ADMIN), limits=GENEROUS)


@pytest.mark.compiled
@pytest.mark.parametrize("portion", range(PORTIONS))
def test_no_error_no_leak_no_long_computation(tmp_path: Path, portion: int) -> None:
    log = io.StringIO()
    handler = logs.set_up_logs(logs.JSON, log)
    try:
        client = asyncio.run(_fuzz(tmp_path, portion))
    finally:
        logging.getLogger().removeHandler(handler)
    assert '"level": "error"' not in log.getvalue()
    assert ADMIN not in log.getvalue()
    tally = client.tally
    assert tally.requests == REQUESTS and not tally.errors
    assert tally.accepted >= ACCEPTED_SHARE * REQUESTS
    assert tally.statuses["429"] < REFUSED_SHARE * REQUESTS, "otherwise much would not be tried"
    assert set(tally.operations) == {each.name for each in OPERATIONS}
    assert set(tally.content_types) >= set(CONTENT_TYPES)


async def _fuzz(folder: Path, portion: int) -> FuzzClient:
    """Send one portion of requests, and check every answer."""
    app = application(folder / "games.db", settings=SERVER)
    async with app.router.lifespan_context(app):
        tables: Tables = app.state.tables
        guarded, secrets = await _guarded_game(tables, waiting=portion % 2 == 1)
        before = await tables.get(guarded.id)
        watched = replace(guarded, host=guarded.watch, seats=[guarded.watch] * len(guarded.seats))
        client = FuzzClient(f"test {portion}", "testserver", ADMIN, watched)
        await _warm_up(app)
        for _ in range(REQUESTS):
            request = client.next()
            began = time.thread_time()
            status, headers, body = await _send(app, request)
            computing = time.thread_time() - began
            _check(request, status, headers, body, secrets)
            assert computing < BLOCK, (request, computing)
            client.see(request, status, body)
        _check_unchanged(before, await tables.get(guarded.id))
    return client


async def _send(app: Any, request: Request) -> tuple[int, Headers, bytes]:
    """Send a request of the fuzzer."""
    return await send(app, request.method, request.target, request.headers, request.body)


async def _warm_up(app: Any) -> None:
    """Load templates and rules, which happens once."""
    client = FuzzClient("warm up", "testserver", ADMIN)
    for _ in range(300):
        request = client.next()
        status, _headers, body = await _send(app, request)
        client.see(request, status, body)


async def _guarded_game(tables: Tables, *, waiting: bool) -> tuple[FuzzedGame, list[bytes]]:
    """A game or a waiting room that the client may only watch; and what no answer may contain."""
    table = await tables.create(settings_for(*[FRIEND] * 4, hints=False, seed=None), waiting=waiting)
    host, watch = await tables.keys.link(table.id, "host"), await tables.keys.link(table.id, "watch")
    seats = [await tables.keys.link(table.id, f"seat-{seat}") for seat in range(4)]
    phrase = await tables.keys.phrase(table.id, "host")
    return FuzzedGame(table.id, host, watch, seats), [each.encode() for each in (host, *seats, phrase, ADMIN)]


def _check(request: Request, status: int, headers: Headers, body: bytes, secrets: Sequence[bytes]) -> None:
    """Check the status, the security headers, and that no secret is in the answer."""
    assert 200 <= status < 500, (request, status)
    names = {name.decode().lower() for name, _value in headers}
    assert {name.lower() for name in SECURITY_HEADERS} <= names, (request, names)
    answer = b"\n".join([*(value for _name, value in headers), body])
    assert not any(secret in answer for secret in secrets), request


def _check_unchanged(before: Table, after: Table) -> None:
    """Check that a game which may only be watched is as it was."""
    assert after.number == before.number and after.game.events == before.game.events
    assert after.settings == before.settings and not after.chat


# -------------------------------------------------------------------------------------------------- what is covered


ROUTES = routes(application(":memory:"))


def test_every_route_is_fuzzed() -> None:
    assert {each.name for each in OPERATIONS} == set(ROUTES)


@pytest.mark.parametrize("operation", [*OPERATIONS, *PHRASES], ids=lambda each: each.name)
def test_every_parameter_is_fuzzed(operation: Any) -> None:
    """Fields of forms that a page reads by itself are not known to the route; they are listed only here."""
    dependant = getattr(ROUTES[operation.name], "dependant", None)
    if dependant is None:
        return
    assert {each.name for each in dependant.query_params} <= set(operation.query)
    for parameter in dependant.body_params:
        model = getattr(parameter.field_info.annotation, "model_fields", None)
        assert set([parameter.alias] if model is None else model) <= set(operation.fields)


def test_the_same_seed_makes_the_same_requests() -> None:
    first, again = ([FuzzClient("7", "testserver").next() for _ in range(3)] for _ in range(2))
    assert first == again


def test_a_moment_that_does_not_exist_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """The fuzzer found a 500 here: the service refused the branch, and no page handled the refusal."""
    with TestClient(application(tmp_path / "games.db"), follow_redirects=False) as client:
        made = client.post("/games/quick").headers["location"]
        answer = client.post(f"{made}/branch?at=99999")
        assert answer.status_code == 422 and "99999" in answer.text
