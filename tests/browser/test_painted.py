"""Everything that a live move brings is painted: a piece in the markup that has no size is not on the table."""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TASTE, TablePlayer

pytestmark = pytest.mark.compiled

SVG: Final = "http://www.w3.org/2000/svg"
# Elements of drawings that are not drawn: in another namespace, or in sight without a size.
UNPAINTED: Final = """(svg) => {
    const inside = "svg, svg *:not(foreignObject *)";
    const strangers = [...document.querySelectorAll(`#table :is(${inside}), #table :is(use, g, rect, path)`)]
        .filter((each) => each.namespaceURI !== svg);
    const sizeless = [...document.querySelectorAll("#table svg, #table .piece")].filter((each) => {
        const { width, height } = each.getBoundingClientRect();
        return each.checkVisibility({ visibilityProperty: true }) && !(width && height);
    });
    return [...strangers, ...sizeless].map((each) => each.outerHTML.slice(0, 160));
}"""
# Where every piece is painted, and how large.
PAINTED: Final = """() => Object.fromEntries([...document.querySelectorAll("#table .piece[id]")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [each.id, [x, y, width, height].map(Math.round)];
}))"""

BORROWS: Final[Mapping[str, float]] = {**TASTE, "loan": 25, "build": 6}


def painted(page: Page) -> dict[str, Any]:
    """Where every piece is painted, once nothing is unpainted."""
    assert page.evaluate(UNPAINTED, SVG) == []
    found: dict[str, Any] = page.evaluate(PAINTED)
    return found


def test_every_piece_is_painted_after_live_moves(server: RunningServer, page: Page) -> None:
    address = server.table("human", "human", "human", seed=4)
    page.goto(address)
    other = page.context.new_page()
    other.goto(address)
    sitting = TablePlayer(page, seed=3, taste=BORROWS)
    moored = 0
    for _ in range(40):
        seen = sitting.wait_for_turn()
        if sitting.paydays or seen.over:
            break
        sitting.play(sitting.choose(seen))
        painted(page)
        moored = max(moored, page.locator("#bank .moored .ship").count())
    assert moored >= 2

    # The page that only looked on, and one that is loaded anew, paint the same.
    number = page.locator("#table").get_attribute("data-number")
    expect(other.locator(f'#table[data-number="{number}"]')).to_be_visible()
    here = painted(page)
    other.wait_for_timeout(400)  # pieces that travel arrive
    assert painted(other).keys() == here.keys()
    other.reload()
    assert painted(other).keys() == here.keys()
    assert painted(other) == here


def test_a_ship_comes_to_the_bank_and_leaves_it(server: RunningServer, page: Page) -> None:
    page.goto(server.table("human", "human", seed=7))
    sitting = TablePlayer(page, taste=BORROWS)
    sitting.go_on(lambda seen: bool(seen.of("loan")))
    before = page.locator("#board #ship-0, #bank #ship-0").bounding_box()
    sitting.end_staged(sitting.play_a("loan"))
    ship = page.locator("#bank #ship-0")
    expect(ship).to_be_visible()
    box = ship.bounding_box()
    assert box and before and box["width"] > 8 and box["height"] > 8
    assert ship.evaluate("(ship) => ship.ownerSVGElement.namespaceURI") == SVG
