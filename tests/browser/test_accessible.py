"""No violation that axe can find, on every page and in every state, light and dark."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit, Watch
from tests.browser.friends import links, set_up
from tests.browser.house import House
from tests.browser.positions import TILES, before_payday, game_where, middle, written
from tests.browser.sitting import Sitting
from tests.browser.test_phone import PHONE
from tests.playing import random_game

from elcapitan.engine.actions import family

pytestmark = pytest.mark.compiled
Picture = Callable[[Page, str], None]
CALM = {"reduced_motion": "reduce", "color_scheme": "light"}
SHOWN = {"/": "start", "/new": "set-up", "/guide/5": "guide"}  # pages of which pictures are kept


@pytest.fixture
def visitor(visit: Visit) -> Page:
    """A window in which nothing moves."""
    return visit(**CALM)


@contextmanager
def dark(page: Page) -> Iterator[None]:
    """Meanwhile the system asks for dark colours."""
    page.emulate_media(color_scheme="dark")
    yield
    page.emulate_media(color_scheme="light")


def check(page: Page) -> None:
    """Nothing may be wrong; in the dark only colours can be."""
    assert not faults(page, {}), "light"
    with dark(page):
        assert not faults(page, {"runOnly": ["color-contrast"]}), "dark"


def faults(page: Page, options: dict[str, object]) -> list[str]:
    """What axe finds wrong."""
    found = Axe().run(page, options={"resultTypes": ["violations"], **options})
    return [
        f"{fault['id']}: {node['target']} {node['html'][:160]} {[each['message'] for each in node['any']]}"
        for fault in found.response["violations"]
        for node in fault["nodes"][:6]
    ]


def pictures(page: Page, picture: Picture, name: str) -> None:
    """How it looks, light and dark."""
    picture(page, f"{name}-light")
    with dark(page):
        picture(page, f"{name}-dark")


@pytest.mark.parametrize("address", ["/", "/new", "/rules", "/rules?q=loan", "/guide", "/guide/5", "/nowhere"])
def test_pages(house: House, visitor: Page, address: str, watches: list[Watch], picture: Picture) -> None:
    watches[0].expect("404")
    visitor.goto(address)
    if address in SHOWN:
        pictures(visitor, picture, SHOWN[address])
    check(visitor)


def test_start_page_with_games_and_mistakes(house: House, visitor: Page, watches: list[Watch]) -> None:
    watches[0].expect("422")
    house.brought(written(middle(3, seed=1)))
    visitor.goto("/")
    visitor.get_by_role("button", name="Bring it in").click()
    expect(visitor.get_by_role("alert")).to_be_visible()
    check(visitor)


def test_my_turn_and_what_opens_over_it(house: House, visitor: Page, picture: Picture) -> None:
    visitor.goto(house.brought(written(middle(5, TILES, seed=5))))
    sitting = Sitting(visitor)
    sitting.wait_for_turn()
    pictures(visitor, picture, "table")
    check(visitor)
    visitor.locator(".city .cn").first.click()
    expect(visitor.locator("#ways")).to_be_visible()
    pictures(visitor, picture, "ways")
    check(visitor)
    visitor.keyboard.press("Escape")
    visitor.locator("#open-menu").click()
    expect(visitor.locator("#menu")).to_be_visible()
    pictures(visitor, picture, "menu")
    check(visitor)
    visitor.locator("#toggle-tables").click()
    expect(visitor.locator("#as-tables")).to_be_visible()
    pictures(visitor, picture, "as-tables")
    check(visitor)


def test_somebody_elses_turn(house: House, visitor: Page) -> None:
    visitor.goto(house.table("human", "captain", "captain", pace="slow", first=1))
    expect(visitor.locator("#table:not(.acting)")).to_be_visible()
    check(visitor)


def test_a_payday_and_the_decisions_after_it(house: House, visitor: Page, picture: Picture) -> None:
    game, _after, action = before_payday(1, 4, seed=7)
    visitor.goto(house.brought(written(game)))
    sitting = Sitting(visitor)
    seen = sitting.wait_for_turn()
    sitting.click(action)
    expect(visitor.locator("#payday")).to_be_visible()
    visitor.locator("[data-payday-next]").click()
    pictures(visitor, picture, "payday")
    check(visitor)
    visitor.locator("[data-payday-all]").click()
    check(visitor)
    seen = sitting.wait_for_turn(seen.number)
    check(visitor)


def test_loans_to_be_paid_back(house: House, visitor: Page, picture: Picture) -> None:
    game = game_where(
        lambda game: game.seat is not None and any(family(each) == "extend" for each in game.legal()), 3, seed=7
    )
    visitor.goto(house.brought(written(game)))
    Sitting(visitor).wait_for_turn()
    expect(visitor.locator("#table.decision")).to_be_visible()
    pictures(visitor, picture, "loans")
    check(visitor)


def test_the_result_and_the_replay(house: House, visitor: Page) -> None:
    visitor.goto(house.brought(written(random_game(4, seed=3))))
    sitting = Sitting(visitor)
    sitting.wait_for_turn()
    check(visitor)
    visitor.locator("#open-result").click()
    expect(visitor.locator("#result")).to_be_visible()
    check(visitor)
    visitor.goto(visitor.url + "/replay?at=40")
    check(visitor)


def test_friends_by_link(house: House, visitor: Page, visit: Visit, watches: list[Watch]) -> None:
    watches[0].expect("403")
    visitor.goto("/join")
    check(visitor)
    visitor.get_by_label("I have a link").fill("nothing")
    visitor.get_by_role("button", name="To the table").click()
    expect(visitor.get_by_role("alert")).to_be_visible()
    check(visitor)
    visitor.goto("/new")
    visitor.locator("#player1").select_option("friend")
    visitor.locator("#clock").select_option("bank")
    check(visitor)
    address = set_up(visitor, "human", "friend", "captain", clock="turn", time="5", unit="minutes")
    (link,) = links(visitor, address)
    visitor.locator("#guest-1 summary").click()
    check(visitor)
    friend = visit(**CALM)
    friend.goto(link)
    expect(friend.get_by_label("What shall they call you?")).to_be_visible()
    check(friend)
    friend.get_by_role("button", name="Take the seat").click()
    expect(friend.locator("#table")).to_be_visible()
    check(friend)
    for how in ("Take it along to a phone", "Make a phrase"):
        friend.goto(f"{address}/seat")
        friend.get_by_role("button", name=how).click()
        check(friend)
    friend.goto(address)
    friend.locator("#open-talk").click()
    friend.locator("#say-text").fill("Ahoy")
    friend.keyboard.press("Enter")
    expect(friend.locator(".said")).to_have_count(1)
    check(friend)
    visitor.goto(address)
    expect(visitor.locator("#unread")).to_have_text("1")
    host = Sitting(visitor)
    host.wait_for_turn()
    host.hand_over()
    check(visitor)
    visitor.locator("#merchant-1 .hand-of").click()
    check(visitor)
    friend.keyboard.press("Escape")
    Sitting(friend).hand_over()
    host.wait_for_turn()
    friend.goto(f"{address}/replay?at=2")
    check(friend)
    friend.get_by_role("button", name="Ask to go back to here").click()
    expect(visitor.locator("#wish")).to_be_visible()
    check(visitor)
    check(friend)


def test_a_phone(house: House, visit: Visit) -> None:
    phone = visit(**CALM, **PHONE)
    phone.goto(house.brought(written(middle(4, seed=5))))
    Sitting(phone).wait_for_turn()
    for tab in ("board", "cards"):
        phone.locator(f"#tab-{tab}").tap()
        check(phone)
