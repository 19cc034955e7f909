"""On phones and tablets: tabs, a drawer, a large city, room for thumbs, and a whole turn by taps."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.positions import TILES, middle, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer, purses

pytestmark = pytest.mark.compiled
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
ON_EDGE = {**PHONE, "viewport": {"width": 844, "height": 390}}
TABLET = {**PHONE, "viewport": {"width": 1024, "height": 768}}
THUMB = 44

# What can be tapped but is too small for a thumb. A box to tick counts with its label; links within texts may be small.
TOO_SMALL = """(least) => [...document.querySelectorAll(
    "button, a.btn, select, input:not([type=hidden]), summary, [role=button]")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .map((each) => [each, (each.closest("label, .choice") ?? each).getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && (box.width < least - 0.5 || box.height < least - 0.5))
    .map(([each, box]) => `${each.outerHTML.slice(0, 90)}: ${Math.round(box.width)} x ${Math.round(box.height)}`)"""
WIDER = """() => document.documentElement.scrollWidth - innerWidth"""


@pytest.fixture
def phone(visit: Visit) -> Page:
    """A page in the hand."""
    return visit(**PHONE)


def too_small(page: Page) -> list[str]:
    """What nobody could tap without hitting something else."""
    found: list[str] = page.evaluate(TOO_SMALL, THUMB)
    return found


@pytest.mark.parametrize("address", ["/", "/new", "/friends", "/rules", "/guide"])
def test_pages_fit_a_phone(server: RunningServer, phone: Page, address: str) -> None:
    phone.goto(address)
    assert phone.evaluate(WIDER) <= 0
    assert not too_small(phone)


# Lists whose chosen words are wider than the room between their edges and the arrow.
CUT_WORDS = """(arrow) => [...document.querySelectorAll("select")].filter((each) => {
    const words = document.createElement("span");
    words.textContent = each.selectedOptions[0].textContent;
    const { font, paddingLeft, paddingRight } = getComputedStyle(each);
    Object.assign(words.style, { font, position: "absolute", whiteSpace: "nowrap" });
    document.body.append(words);
    const { width } = words.getBoundingClientRect();
    words.remove();
    return width > each.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - arrow;
}).map((each) => each.name)"""
ARROW = 12  # pixels, at least


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_lists_of_language_and_theme_show_their_words(server: RunningServer, visit: Visit, language: str) -> None:
    page = visit(**PHONE, locale=language)
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto("/friends")
    assert not page.evaluate(CUT_WORDS, ARROW)
    expect(page.get_by_role("link", name="El Capitán")).to_be_visible()
    assert page.evaluate(WIDER) <= 0


@pytest.mark.parametrize("tiles", [(), TILES], ids=["nine", "twelve"])
def test_both_tabs_have_room_for_thumbs(
    server: RunningServer, phone: Page, tiles: tuple[str, ...], picture: Callable[[Page, str], None]
) -> None:
    game = middle(5 if tiles else 4, tiles, seed=9)
    phone.goto(server.brought(written(game)))
    TablePlayer(phone).wait_for_turn()
    small = {}
    for tab in ("board", "cards"):
        phone.locator(f"#tab-{tab}").tap()
        expect(phone.locator(f"#tab-{tab}")).to_have_attribute("aria-pressed", "true")
        picture(phone, f"phone-{tab}-{'twelve' if tiles else 'nine'}")
        assert phone.evaluate(WIDER) <= 0
        small[tab] = too_small(phone)
    assert not any(small.values()), small


def test_a_whole_turn_by_taps(server: RunningServer, phone: Page) -> None:
    phone.goto(server.table("human", "trader", seed=2))
    sitting = TablePlayer(phone)
    seen = sitting.wait_for_turn()
    money = purses(phone)
    for tab, kind in (("cards", "buy"), ("cards", "sail"), ("board", "build"), ("board", "end")):
        phone.locator(f"#tab-{tab}").tap()
        phone.locator(f'[data-act="{seen.of(kind)[0]}"]:visible').first.tap()
        seen = sitting.wait_for_turn(seen.number)
    assert purses(phone)[0] < money[0] and seen.of("buy")


def test_the_large_city_follows_the_ship_and_what_is_pointed_at(server: RunningServer, phone: Page) -> None:
    phone.goto(server.table("human", "trader", seed=2))
    sitting = TablePlayer(phone)
    seen = sitting.wait_for_turn()
    large = phone.locator(".city.chosen")
    near = phone.locator("#acts [data-ways-to]").last
    near.dispatch_event("pointerover")
    expect(large).to_have_attribute("data-city", near.get_attribute("data-ways-to") or "")
    for tab, kind in (("cards", "buy"), ("cards", "sail")):
        phone.locator(f"#tab-{tab}").tap()
        phone.locator(f'[data-act="{seen.of(kind)[0]}"]:visible').first.tap()
        seen = sitting.wait_for_turn(seen.number)
    phone.locator("#tab-board").tap()
    here = phone.locator(".city.here").get_attribute("data-city") or ""
    expect(large).to_have_attribute("data-city", here)
    phone.locator(".city:not(.chosen) .pick").first.tap()
    expect(large).not_to_have_attribute("data-city", here)
    phone.locator("#acts [data-act]").first.dispatch_event("pointerover")
    expect(large).to_have_attribute("data-city", here)


def test_a_phone_on_edge_enlarges_the_board(server: RunningServer, visit: Visit) -> None:
    phone = visit(**ON_EDGE)
    phone.goto(server.brought(written(middle(4, TILES, seed=9))))
    TablePlayer(phone).wait_for_turn()
    city = phone.locator(".city").last
    small = city.bounding_box()
    city.locator(".pick").tap()
    large = city.bounding_box()
    assert small and large and large["width"] > 1.8 * small["width"]
    assert large["x"] >= 0 and large["x"] + large["width"] <= 844 and large["y"] + large["height"] <= 390
    phone.locator("#zoom").tap()
    assert city.bounding_box() == small


def test_a_tablet_has_a_drawer_over_its_board(server: RunningServer, visit: Visit) -> None:
    tablet = visit(**TABLET)
    tablet.goto(server.brought(written(middle(4, TILES, seed=9))))
    TablePlayer(tablet).wait_for_turn()
    board = tablet.locator("#board").bounding_box()
    assert board and board["width"] > 1000
    for tab, others in (("cards", "visible"), ("board", "hidden")):
        tablet.locator(f"#tab-{tab}").tap()
        for part in ("#destinations", "#links", "#bank", "#chart", "#log"):
            assert tablet.locator(part).is_visible() == (others == "visible")
        expect(tablet.locator("#acts")).to_be_visible()
        assert tablet.locator("#board").bounding_box() == board
