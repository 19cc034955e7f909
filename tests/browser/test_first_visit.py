"""A first visit is light and asks nothing of anybody else."""

from typing import Any

import pytest
from tests.browser.conftest import FIRST, HERE, Visit, Watch
from tests.browser.positions import TILES, middle, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer

pytestmark = pytest.mark.compiled
MOST_BYTES = 150_000


def test_start_page_and_table_are_light(server: RunningServer, visit: Visit, watches: list[Watch]) -> None:
    page = visit(FIRST)
    network = page.context.new_cdp_session(page)
    sizes: dict[str, int] = {}

    def received(event: dict[str, Any]) -> None:  # also what never ends: the stream of news
        name = event["requestId"]
        sizes[name] = max(sizes.get(name, 0), 0) + int(event["encodedDataLength"])

    def finished(event: dict[str, Any]) -> None:  # heads included
        sizes[event["requestId"]] = int(event["encodedDataLength"])

    network.on("Network.dataReceived", received)
    network.on("Network.loadingFinished", finished)
    network.send("Network.enable")
    page.goto("/", wait_until="networkidle")
    start = sum(sizes.values())
    page.goto(server.brought(written(middle(4, TILES, seed=3))))
    TablePlayer(page).wait_for_turn()
    with page.expect_event("console", lambda message: message.text == "quiet"):
        page.evaluate("setTimeout(() => console.log('quiet'), 1500)")  # whatever the stream says at once has come
    together = sum(sizes.values())
    print(f"start page {start} bytes, with a table {together} bytes, {len(sizes)} answers")  # noqa: T201
    assert 0 < start < together < MOST_BYTES
    assert watches[0].hosts <= set(HERE)
