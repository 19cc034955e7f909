"""Everything without a mouse: from the start page to the end of a turn, with the focus always in sight."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.running_server import RunningServer
from tests.browser.several_browsers import come, set_up
from tests.browser.table_player import Seen, TablePlayer

from elcapitan.engine.vocabulary import PHASES

pytestmark = pytest.mark.compiled
MOST_TABS = 200
# What a screen reader finds, in outline.
TABLE = """
- main:
  - link "El Capitán":
    - heading "El Capitán" [level=1]
  - list "Your turn"
  - paragraph
  - button "Menu"
  - region "Board":
    - group "Marseille":
      - 'link /Marseille: first rank earns/'
      - 'img "site 2: 4"'
  - complementary "Merchants and bank":
    - heading "Inês starting player you, not yet at sea" [level=3]
    - 'button "Inês: 0 cards in hand"'
    - heading "Bank" [level=2]
    - group "Log"
"""
STAGE = """
- region "Payday 1":
  - heading "Payday 1" [level=2]
  - status: /Marseille \\d+\\. /
  - list:
    - listitem:
      - heading /Marseille \\d+/ [level=3]
      - list:
        - listitem:
          - img
          - link "MAJ-02"
  - 'region "Ranking: money less debts"':
    - list:
      - listitem
      - listitem
      - listitem
      - listitem
  - group "How the payday is shown":
    - button "One payment back"
    - button "Pause"
    - button "Next payment"
    - button "To the summary"
    - slider "Speed"
  - button "As a list"
"""
RESULT = """
- dialog /wins? the game!/:
  - button "Close"
  - list:
    - listitem: /Rank 1/
    - listitem: /Rank 2/
    - listitem: /Rank 3/
    - listitem: /Rank 4/
  - region "What decided the game"
  - button "Rematch, same table"
  - figure "Net worth over time (cash less debts)"
  - group "Where the money came from"
"""
ROOM = """
- main:
  - heading "Waiting room" [level=1]
  - 'region "Ready: 1 of 1"':
    - paragraph: You are ready.
    - button "Not ready after all"
    - paragraph: Everybody is ready. The host can start the game.
  - list "Seats":
    - listitem:
      - heading "Inês" [level=2]
      - paragraph
    - listitem:
      - heading "Friend 1 (you)" [level=2]
      - paragraph: ready
  - region "Chat":
    - list "Chat messages":
      - listitem:
        - paragraph: Friend 1 Ahoy
    - paragraph:
      - textbox "Message"
  - status: "Ready: 1 of 1"
"""

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
    if (thing.matches(".ground")) parts.push(thing.closest(".city").querySelector(".frame"));
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


MOMENT: Final = 2000  # milliseconds, of a busy machine

# Gives the focus to something that plays an action; or to what opens the list in which it is, and says so.
TO_ACTION = """(action) => {
    const all = (selector) => [...document.querySelectorAll(selector)].filter(
        (each) => !each.disabled && each.checkVisibility() && each.getBoundingClientRect().width > 0);
    const [thing] = all(`[data-act="${action}"]`);
    const list = thing ? null : document.querySelector(`#table [popover]:has([data-act="${action}"])`);
    const wanted = thing ?? all(`[popovertarget="${list.id}"]`)[0];
    wanted.focus({ focusVisible: true });
    return Boolean(list);
}"""


class KeyPlayer(TablePlayer):
    """Plays by Enter on what has the focus, and looks at paydays step by step; the focus is never lost."""

    told: list[str]  # what was read out at paydays

    def click(self, actions: str) -> None:
        """Press Enter on something that plays this."""
        while self.page.evaluate(TO_ACTION, actions):
            self.page.keyboard.press("Enter")
        self.page.keyboard.press("Enter")

    def play(self, actions: str) -> Seen:
        """Play something, and see where the focus is then; a list that closes gives it back a moment later."""
        seen = super().play(actions)
        self.page.wait_for_function("document.activeElement !== document.body", timeout=MOMENT)
        focus(self.page)
        return seen

    def skip_payday(self) -> None:
        """Hear the first steps of a payday, go to its sum, and leave it."""
        keys, said = self.page.keyboard, self.page.locator("#stage-said")
        assert focus(self.page)["id"] == "stage-next"
        expect(said).to_have_text("")
        for step in (1, 2):
            keys.press("Space")
            expect(self.page.locator(f"#pay-step-{step}")).to_be_visible()
            self.told.append(said.inner_text())
        if not self.paydays:
            expect(self.page.locator("#stage")).to_match_aria_snapshot(STAGE)
        keys.press("Escape")
        assert focus(self.page)["id"] == "stage-close"
        self.told.append(said.inner_text())
        keys.press("Enter")
        expect(self.page.locator("#stage")).to_have_count(0)
        self.paydays = self.see().paydays
        focus(self.page)


def test_a_whole_game_by_keys(server: RunningServer, visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    page.goto(server.table("human", "wanderer", "trader", "captain", seed=11))
    sitting = KeyPlayer(page, seed=3)
    sitting.told = []
    sitting.wait_for_turn()
    expect(page.locator("#table")).to_match_aria_snapshot(TABLE)
    assert sitting.to_the_end().over and sitting.paydays == PHASES
    first, second, recap = sitting.told[:3]
    assert first.startswith("Proliferation. Inês has warehouses in ")
    assert re.match(r"Marseille \d+\. \S+ is first with \d+ warehouses? and receives the full amount, \d+\. ", second)
    assert recap.startswith("After payday 1. ") and "Loans to repay or extend: " in recap
    assert not any(re.search(r"[a-z]\d|[.!]\w|[A-Z]{3}", each) for each in sitting.told), sitting.told
    # The result has opened by itself, and is where the keyboard is.
    assert focus(page)["id"] == "result"
    expect(page.locator("#result")).to_match_aria_snapshot(RESULT)
    tab_to(page, lambda thing: thing["text"] == "Rematch, same table")
    page.keyboard.press("Escape")
    expect(page.locator("#result")).to_be_hidden()
    tab_to(page, lambda thing: thing["id"] == "open-result")


def test_the_waiting_room_by_keys(server: RunningServer, visit: Visit) -> None:
    host, friend = visit(), visit()
    address = set_up(host, "human", "friend")
    come(host, address, [friend])
    host.goto(address)
    # The friend says something, and is ready.
    tab_to(friend, lambda thing: thing["id"] == "say-text")
    friend.keyboard.type("Ahoy")
    friend.keyboard.press("Enter")
    expect(friend.locator("#room-lines")).to_contain_text("Ahoy")
    assert focus(friend)["id"] == "say-text"
    tab_to(friend, lambda thing: thing["text"] == "I am ready")
    friend.keyboard.press("Enter")
    expect(friend.get_by_role("button", name="Not ready after all")).to_be_focused()
    expect(friend.locator("main")).to_match_aria_snapshot(ROOM)
    # The host hears of it and starts; both go on at the table.
    expect(host.locator("#room-news")).to_have_text("Ready: 1 of 1")
    tab_to(host, lambda thing: thing["text"] == "Start the game")
    host.keyboard.press("Enter")
    for page in (host, friend):
        expect(page.locator("#table")).to_be_visible()
        page.keyboard.press("Tab")
        assert focus(page)["text"] == "Skip to the content"
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert focus(page)["classes"] == "wordmark"
