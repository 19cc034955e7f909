"""The whole table at 1366 x 768 without scrolling: every city, every purse, every card."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page
from tests.browser.positions import TILES, big_hand, middle, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer

pytestmark = pytest.mark.compiled

# How far the page could be scrolled, and what does not lie wholly in the window.
OUTSIDE = """() => {
    const all = [...document.querySelectorAll(
        "#board .city, .merchant, .merchant .purse, .card, .loan, .spaces li, #log, .tools .btn, .turn:last-child")]
        .filter((each) => each.checkVisibility());
    const out = all.filter((each) => {
        const box = each.getBoundingClientRect();
        return box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
    });
    return out.map((each) => each.id || each.outerHTML.slice(0, 80));
}"""
SCROLLS = """() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    return [scrollHeight - innerHeight, scrollWidth - innerWidth];
}"""
# Words that are cut off where they cannot be scrolled to; a refusal is told in full when one points at it.
CUT_OFF = """() => [...document.querySelectorAll(".pan *, .grp *, .top *, .pan, .grp")].filter((each) => {
    if (!each.checkVisibility() || !each.textContent.trim()) return false;
    if (each.closest("svg, .sr, #entries, .reason, [popover], dialog")) return false;
    const style = getComputedStyle(each);
    const hides = (overflow) => overflow === "hidden" || overflow === "clip";
    return (hides(style.overflowX) && each.scrollWidth > each.clientWidth + 1)
        || (hides(style.overflowY) && each.scrollHeight > each.clientHeight + 1);
}).map((each) => `${each.id || each.className}: ${each.textContent.trim().slice(0, 60)}`)"""
# Things that lie over other things: the middle of every card and every button must be its own.
COVERED = """() => [...document.querySelectorAll(".display .card, .merchant .purse, .loan")].filter((each) => {
    if (!each.checkVisibility()) return false;
    const box = each.getBoundingClientRect();
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !(each.contains(there) || there?.contains(each));
}).map((each) => each.id || each.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("tiles", [(), TILES], ids=["nine", "twelve"])
@pytest.mark.parametrize("moment", ["middle", "big-hand"])
def test_the_whole_table_is_in_sight(
    server: RunningServer,
    page: Page,
    players: int,
    tiles: tuple[str, ...],
    moment: str,
    picture: Callable[[Page, str], None],
) -> None:
    game = middle(players, tiles, seed=5) if moment == "middle" else big_hand(players, tiles)
    page.goto(server.brought(written(game)))
    TablePlayer(page).wait_for_turn()
    picture(page, f"desktop-{len(tiles) + 9}-cities-{players}-merchants-{moment}")
    down, across = page.evaluate(SCROLLS)
    assert down <= 0 and across <= 0
    faults = {
        name: page.evaluate(script)
        for name, script in (("outside", OUTSIDE), ("cut off", CUT_OFF), ("covered", COVERED))
    }
    assert not any(faults.values()), faults
