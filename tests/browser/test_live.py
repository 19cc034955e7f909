"""Whoever looks at a table hears of everything, however slowly the page itself came."""

import threading

import pytest
from playwright.sync_api import Page, Request, Route, expect
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("late", ["htmx.min.js", "hx-sse.min.js", "table.js"])
def test_the_stream_begins_once_whichever_script_comes_last(server: RunningServer, page: Page, late: str) -> None:
    streams: list[str] = []

    def noted(request: Request) -> None:
        if "/events" in request.url:
            streams.append(request.url)

    def held(route: Route) -> None:
        threading.Event().wait(0.4)  # a slow network; all others are here by then
        route.continue_()

    page.on("request", noted)
    page.route(f"**/{late}*", held)
    address = server.table("human", "human")
    page.goto(address)
    other = page.context.new_page()
    other.goto(address)
    TablePlayer(other).hand_over()
    expect(page.locator("#merchant-1.on")).to_be_visible()
    assert len([each for each in streams if each.startswith(address)]) >= 1
    assert len(set(streams)) == len(streams)
