"""A server that dies in the middle of a game: the page waits, comes back by itself, and nothing is lost."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer, purses

from elcapitan.records import json_record as record

pytestmark = pytest.mark.compiled


def test_a_killed_server_goes_on(tmp_path: Path, page: Page, allow: Callable[..., None]) -> None:
    allow("ERR_", "net::", "Failed to fetch", "network error", "htmx")
    server = RunningServer(tmp_path).open()
    try:
        address = server.table("human", "captain", "trader", "captain", seed=3, pace="fast")
        path = address.removeprefix(server.address) + "/export/json"
        page.goto(address)
        page.evaluate("window.same = true")  # whoever loads the page again loses this
        sitting = TablePlayer(page, seed=4)
        sitting.hand_over()
        expect(page.locator("#table:not(.acting)")).to_be_visible()
        before = json.loads(server.get(path))["events"]
        server.kill()  # computer players are at it
        server.open()
        seen = sitting.wait_for_turn()  # it comes back by itself, and they have gone on
        assert page.evaluate("window.same") is True
        content = json.loads(server.get(path))
        assert content["events"][: len(before)] == before
        assert len(content["events"]) == seen.events > len(before)
        assert purses(page) == dict(enumerate(record.from_json(content).money))
        assert sitting.take_turn().number > seen.number
        assert page.evaluate("window.same") is True
    finally:
        server.close()
