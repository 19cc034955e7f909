"""Whoever looks at a table hears of everything, however slowly the page itself came."""

import threading

import pytest
from playwright.sync_api import Page, Request, Route, expect
from tests.browser.positions import middle, written
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


# What has the focus each time before a table is drawn.
FOCUSED = """() => {
    window.focused = [];
    const note = () => window.focused.push(document.activeElement.id || document.activeElement.localName);
    window.addEventListener("htmx:before:swap", note);
}"""


def test_a_pressed_button_gives_up_its_focus_before_it_is_removed(server: RunningServer, page: Page) -> None:
    """Otherwise a browser lays out the page in the middle of the swap; a key has its focus moved to what follows."""
    page.goto(server.brought(written(middle(4, seed=3))))
    player = TablePlayer(page)
    number = player.wait_for_turn().number
    page.evaluate(FOCUSED)
    action = page.locator("#table button[data-act]:visible").first
    action.click()
    player.wait_for_turn(number)
    assert page.evaluate("window.focused[0]") == "body"
    number = player.see().number
    page.evaluate("window.focused = []")
    page.keyboard.press("Tab")
    action.press("Enter")
    player.wait_for_turn(number)
    assert page.evaluate("window.focused[0]") != "body"


# How often the page has read HTML, and of how many parts of the table that it was left out.
READ = """() => {
    const parse = Document.parseHTMLUnsafe;
    window.read = [];
    Document.parseHTMLUnsafe = (html) => {
        const page = parse.call(Document, html);
        window.read.push(page.querySelector("template").content.querySelectorAll("[data-shown]").length);
        return page;
    };
}"""
# Parts of the table that are not as the server draws them, but for what scripts mark.
DIFFERENT = """async () => {
    const answer = await fetch(document.getElementById("table").dataset.home + "/table");
    const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
    const marks = ["ahead", "chosen", "hot", "moving", "new", "on"];
    const plain = (part) => {
        const copy = part.cloneNode(true);
        for (const each of copy.querySelectorAll("[data-for], .forecast, .purse")) each.classList.remove(...marks);
        copy.classList.remove("chosen", "moving", "new");
        return copy;
    };
    const kinds = ".city, .merchant, .turn, .hand-list, #chart, #destinations, #links";
    const parts = [...drawn.querySelectorAll(kinds)];
    const shown = [...document.querySelectorAll(kinds)];
    return shown.length === parts.length
        ? shown.filter((part, index) => !plain(part).isEqualNode(plain(parts[index]))).map((part) => part.id)
        : [shown.length, parts.length];
}"""


def test_parts_that_are_on_the_page_already_are_left_out(server: RunningServer, page: Page) -> None:
    page.goto(server.brought(written(middle(4, seed=3))))
    player = TablePlayer(page)
    seen = player.wait_for_turn()
    page.evaluate(READ)
    for move in range(12):
        if move == 6:  # a part that a script has changed is drawn again
            page.evaluate("document.querySelector('#chart').append('something else')")
        paydays = player.paydays
        seen = player.play(player.choose(seen))
        assert page.evaluate(DIFFERENT) == []
        left_out = page.evaluate("window.read.splice(0)")
        if player.paydays == paydays:
            assert len(left_out) == 1  # of the answer and the event, what comes second is not read
            assert move == 0 or left_out[0] > 0
