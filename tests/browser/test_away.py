"""The moves of others: shown in order and at a pace, skipped with a click, summed up; and what sounds and moves."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.running_server import RunningServer
from tests.browser.several_browsers import come, set_up, start, take_turn
from tests.browser.table_player import TablePlayer
from tests.browser.test_accessible import check
from tests.browser.test_phone import WIDER

from elcapitan.service.table_settings import PACES

CAPTAINS = ("captain", "captain", "captain")
LINES = """() => [...document.querySelectorAll("#away .away-line")].map(
    (line) => [line.id, line.innerText, line.dataset.shows])"""
POINTED = '() => [...document.querySelectorAll(".pointed-at")].map((piece) => piece.id).sort()'
# When each table was drawn, and after how many events of the game.
DRAWN = """() => {
    const table = document.getElementById("table");
    window.drawn = [];
    new MutationObserver(() => window.drawn.push([Number(table.dataset.events), performance.now() / 1000]))
        .observe(table, { attributes: true, attributeFilter: ["data-events"] });
}"""
# Counts what would be heard.
LISTENING = """() => {
    window.heard = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
        window.heard += 1;
        return start.apply(this, when);
    };
}"""


def lines(page: Page) -> list[tuple[str, str, str]]:
    """What the log says about the moves since the player's last one."""
    return [tuple(line) for line in page.evaluate(LINES)]


def test_the_moves_since_my_last_one(server: RunningServer, visit: Visit) -> None:
    page = visit()
    address = server.table("human", *CAPTAINS, seed=7)
    page.goto(address)
    sitting = TablePlayer(page)
    sitting.wait_for_turn()
    expect(page.locator("#away")).to_have_count(0)
    for _ in range(9):
        sitting.take_turn()
        told = lines(page)
        if any("house" in shows for _name, _words, shows in told):
            break
    assert [name for name, _words, _pieces in told] == ["away-1", "away-2", "away-3"]
    assert all("ƒ" in words for _name, words, _pieces in told)

    seat, pieces = next((name[-1], sorted(shows.split())) for name, _words, shows in told if "house" in shows)
    line = page.locator(f"#away-{seat}")
    line.hover()
    assert page.evaluate(POINTED) == pieces
    page.locator("#bank").hover()
    assert page.evaluate(POINTED) == []
    line.focus()
    assert page.evaluate(POINTED) == pieces
    page.locator("#open-replay").focus()
    assert page.evaluate(POINTED) == []

    page.reload()
    assert lines(page) == told
    phone = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    phone.goto(address)
    expect(phone.locator("#away")).to_be_hidden()
    phone.locator("#open-away").tap()
    phone.locator(f"#away-pop-{seat}").tap()
    assert phone.evaluate(POINTED) == pieces
    city = line.get_attribute("data-shows-city")
    expect(phone.locator(f"#city-{city}.chosen")).to_be_visible()
    check(phone, "#away-pop")

    page.locator("#away-steps").click()
    expect(page.locator("#replay")).to_be_visible()
    page.locator("#back-to-game").click()
    sitting.play(sitting.choose(sitting.wait_for_turn()))
    expect(page.locator("#away")).to_have_count(0)
    expect(phone.locator("#open-away")).to_have_count(0)


def test_a_phone_shows_them_also_while_others_play(visit: Visit, picture: Callable[[Page, str], None]) -> None:
    host, phone, third = visit(), visit(has_touch=True), visit()
    address = set_up(host, "human", "friend", "friend", chat="on")
    sittings = [TablePlayer(host), *come(host, address, [phone, third])]
    start(host, address, [phone, third])
    for _ in range(3):  # the last of them has moved since the one with the phone
        take_turn(sittings)
    expect(phone.locator("#table.acting")).to_have_count(0)
    for width, height in ((390, 844), (844, 390), (360, 640)):
        phone.set_viewport_size({"width": width, "height": height})
        picture(phone, f"away-button-{width}")
        phone.locator("#open-away").tap()
        expect(phone.locator("#away-pop .away-line").first).to_be_visible()
        picture(phone, f"away-pop-{width}")
        assert phone.evaluate(WIDER) <= 0
        phone.keyboard.press("Escape")


def test_turns_of_others_are_shown_one_after_another_until_a_click(server: RunningServer, visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    page.goto(server.table("human", *CAPTAINS, seed=7, pace="slow"))
    sitting = TablePlayer(page)
    sitting.wait_for_turn()
    page.evaluate(DRAWN)
    number = sitting.hand_over()
    sitting.wait_for_turn(number)
    drawn: list[tuple[int, float]] = page.evaluate("() => window.drawn")
    events = [after for after, _when in drawn]
    assert events == sorted(events) and len(set(events)) >= 4, "my own turn, and three others"
    shown = [when for after, when in drawn if after in sorted(set(events))[-3:]]
    gaps = [later - earlier for earlier, later in itertools.pairwise(shown)]
    assert all(gap > 0.9 * PACES["slow"] for gap in gaps)

    number = sitting.hand_over()
    rest = page.locator("#show-rest")
    expect(rest).to_be_visible()
    clicked: float = rest.evaluate("(button) => (button.click(), performance.now() / 1000)")
    sitting.wait_for_turn(number)
    last = max(when for _after, when in page.evaluate("() => window.drawn"))
    assert 0 <= last - clicked < 1.5 * PACES["slow"], "two more turns would have taken at least 1.8 times as long"
    expect(rest).to_be_hidden()


def oscillators(page: Page) -> int:
    """How many tones were played since the page was loaded."""
    heard: int = page.evaluate("() => window.heard")
    return heard


@pytest.mark.parametrize("system", ["reduce", "no-preference"])
def test_sound_and_motion_are_chosen_in_the_menu_and_remembered(
    server: RunningServer, visit: Visit, system: Any
) -> None:
    page = visit(reduced_motion=system)
    page.add_init_script(f"({LISTENING})()")
    page.goto(server.table("human", "captain", seed=7))
    sitting = TablePlayer(page)
    root = page.locator("html")
    moves = "document.documentElement.classList.contains('moving')"
    assert page.evaluate(moves) is (system == "no-preference"), "what the system asks for counts before a choice"
    sitting.take_turn()
    assert oscillators(page) == 0, "silent until it is switched on"

    page.locator("#open-menu").click()
    with page.expect_response("**/sound"):
        page.locator("#sound").select_option("on")
    assert oscillators(page) > 0, "so that one hears what one has chosen"
    other = "on" if system == "reduce" else "off"
    with page.expect_response("**/motion"):
        page.locator("#motion").select_option(other)
    assert page.evaluate(moves) is (other == "on")
    page.reload()
    expect(root).to_have_attribute("data-sound", "on")
    expect(root).to_have_attribute("data-motion", other)
    assert page.evaluate(moves) is (other == "on")
    sitting.take_turn()
    assert oscillators(page) > 0

    page.locator("#open-menu").click()
    for name, value in (("motion", "auto"), ("sound", "off")):
        with page.expect_response(f"**/{name}"):
            page.locator(f"#{name}").select_option(value)
    assert page.evaluate(moves) is (system == "no-preference")
    heard = oscillators(page)
    page.keyboard.press("Escape")
    sitting.take_turn()
    assert oscillators(page) == heard
