"""Everything without a mouse: from the start page to the end of a turn, with the focus always in sight."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer

pytestmark = pytest.mark.compiled
MOST_TABS = 200

# What has the focus, and whether one can see that it has.
FOCUS = """() => {
    const thing = document.activeElement;
    if (!thing || thing === document.body) return null;
    const drawn = (each) => {
        const style = getComputedStyle(each);
        const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
        return ring || style.boxShadow !== "none" || (each.closest("svg") && style.stroke !== "none");
    };
    const parts = thing.closest("svg") ? [thing, ...thing.querySelectorAll("*")] : [thing];
    const box = thing.getBoundingClientRect();
    return {
        tag: thing.tagName.toLowerCase(), id: thing.id, act: thing.dataset.act ?? "",
        text: thing.textContent.trim().slice(0, 40),
        label: thing.getAttribute("aria-label") ?? "", classes: thing.getAttribute("class") ?? "",
        visible: thing.matches(":focus-visible") && parts.some(drawn),
        inside: box.width > 0 && box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight,
    };
}"""


def focus(page: Page) -> dict[str, Any]:
    """What has the focus; it must be in sight."""
    found: dict[str, Any] | None = page.evaluate(FOCUS)
    assert found is not None, "the focus is lost"
    assert found["visible"] and found["inside"], f"nobody sees that this has the focus: {found}"
    return found


def tab_to(page: Page, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Press Tab until something has the focus; every stop on the way must be in sight."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            continue  # the focus goes round by the window
        found = focus(page)
        if wanted(found):
            return found
    raise AssertionError("Tab does not lead there")


def playing(offered: Sequence[str], place: str) -> Callable[[dict[str, Any]], bool]:
    """Asks whether something plays one of these actions, in a certain place."""
    return lambda thing: thing["act"] in offered and thing["id"].startswith(place)


def test_from_the_start_page_to_the_end_of_a_turn(server: RunningServer, page: Page) -> None:
    # Set a table up.
    page.goto("/")
    tab_to(page, lambda thing: thing["tag"] == "a" and "New game" in thing["text"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()
    tab_to(page, lambda thing: thing["id"] == "pace")
    page.keyboard.press("End")
    expect(page.locator("#pace")).to_have_value("instant")
    tab_to(page, lambda thing: thing["tag"] == "summary" and thing["text"].startswith("More"))
    page.keyboard.press("Enter")
    tab_to(page, lambda thing: thing["id"] == "first")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#first")).to_have_value("0")
    tab_to(page, lambda thing: thing["text"] == "Start the game")
    page.keyboard.press("Enter")

    # Buy a card, sail with it, build, end the turn. The focus stays somewhere after each.
    sitting = TablePlayer(page)
    seen = sitting.wait_for_turn()
    for kind, place in (("buy", "card-"), ("sail", "hand-card-"), ("build", "target-"), ("end", "")):
        offered = seen.of(kind)
        assert offered, kind
        tab_to(page, playing(offered, place))
        page.keyboard.press("Enter")
        seen = sitting.wait_for_turn(seen.number)
        focus(page)
    assert seen.of("buy")  # the others have moved, and it is our turn again


def test_arrow_keys_walk_through_a_city(server: RunningServer, page: Page) -> None:
    page.goto(server.table("human", "human"))
    sitting = TablePlayer(page)
    sitting.wait_for_turn()
    sitting.play_a("buy")
    seen = sitting.play_a("sail")
    target = page.locator(f"#target-{seen.of('build')[0]}")
    city = target.locator("xpath=ancestor::section[@data-city]").get_attribute("data-city")
    page.locator(f"#ways-{city}").focus()
    heard = set()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        heard.add(focus(page)["label"])
        if target.evaluate("(thing) => thing === document.activeElement"):
            break
    expect(target).to_be_focused()
    assert len(heard) > 10 and all(heard)  # every site, harbour and piece says what it is
    page.keyboard.press("Enter")
    seen = sitting.wait_for_turn(seen.number)
    assert not seen.of("build")
    focus(page)
