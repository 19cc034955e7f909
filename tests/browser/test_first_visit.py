"""A first visit is light and asks nothing of anybody else."""

from typing import Any

import pytest
from playwright.sync_api import Browser
from tests.browser.conftest import DESKTOP, HERE, Watch
from tests.browser.positions import TILES, middle, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer

pytestmark = pytest.mark.compiled
MOST_BYTES_OF_START = 30_000
MOST_BYTES_OF_TABLE = 100_000


def test_start_page_and_table_are_light(server: RunningServer, browser: Browser) -> None:
    start = bytes_of_first_visit(browser, server.address)
    table = bytes_of_first_visit(browser, server.brought(written(middle(4, TILES, seed=3))), table=True)
    print(f"start page {start} bytes, a table {table} bytes")  # noqa: T201
    assert 0 < start < MOST_BYTES_OF_START
    assert start < table < MOST_BYTES_OF_TABLE


def bytes_of_first_visit(browser: Browser, address: str, *, table: bool = False) -> int:
    """How much a browser receives that has never been here, heads of answers included."""
    context = browser.new_context(viewport=DESKTOP)
    watch = Watch(context)
    page = context.new_page()
    network = context.new_cdp_session(page)
    sizes: dict[str, int] = {}

    def received(event: dict[str, Any]) -> None:  # also what never ends: the stream of news
        name = event["requestId"]
        sizes[name] = sizes.get(name, 0) + int(event["encodedDataLength"])

    def finished(event: dict[str, Any]) -> None:  # heads included
        sizes[event["requestId"]] = int(event["encodedDataLength"])

    network.on("Network.dataReceived", received)
    network.on("Network.loadingFinished", finished)
    network.send("Network.enable")
    page.goto(address, wait_until="load" if table else "networkidle")
    if table:
        TablePlayer(page).wait_for_turn()
        with page.expect_event("console", lambda message: message.text == "quiet"):
            page.evaluate("setTimeout(() => console.log('quiet'), 1500)")  # whatever the stream says at once has come
    context.close()
    assert watch.hosts <= set(HERE)
    assert not watch.unexpected
    return sum(sizes.values())
