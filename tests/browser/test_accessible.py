"""No violation that axe can find, on every page and in every state, light and dark."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit, Watch
from tests.browser.positions import TILES, before_payday, game_where, middle, written
from tests.browser.running_server import RunningServer
from tests.browser.screen_states import game_for
from tests.browser.several_browsers import links, set_up, start
from tests.browser.table_player import TablePlayer
from tests.browser.test_phone import ON_EDGE, PHONE, TABLET
from tests.playing import random_game

from elcapitan.engine.actions import family
from elcapitan.web.pages.guide import TOLD, steps

pytestmark = pytest.mark.compiled
Picture = Callable[[Page, str], None]
SHOWN = {"/": "start", "/new": "set-up", "/guide/5": "guide"}  # pages of which pictures are kept


@contextmanager
def dark(page: Page) -> Iterator[None]:
    """Meanwhile the system asks for dark colours."""
    page.emulate_media(color_scheme="dark")
    yield
    page.emulate_media(color_scheme="light")


def check(page: Page, part: str | None = None) -> None:
    """Nothing may be wrong on a page, or in a part that has come up over it; in the dark only colours can be."""
    assert not faults(page, part, {}), "light"
    with dark(page):
        assert not faults(page, part, {"runOnly": ["color-contrast"]}), "dark"


def faults(page: Page, part: str | None, options: dict[str, object]) -> list[str]:
    """What axe finds wrong."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    loaded = Axe("0")  # it would run its script first, half a megabyte: here nothing but a number
    found = loaded.run(page, part, {"resultTypes": ["violations"], **options})
    return [
        f"{fault['id']}: {node['target']} {node['html'][:160]} {[each['message'] for each in node['any']]}"
        for fault in found.response["violations"]
        for node in fault["nodes"][:6]
    ]


def without_scripts(page: Page) -> None:
    """Give a page no script, as to a browser that runs none; what axe needs still runs."""
    page.route("**/*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))


def pictures(page: Page, picture: Picture, name: str) -> None:
    """How it looks, light and dark."""
    picture(page, f"{name}-light")
    with dark(page):
        picture(page, f"{name}-dark")


@pytest.mark.parametrize(
    "address", ["/", "/new", "/friends", "/rules", "/rules?q=loan", "/guide", "/guide/5", "payday", "/nowhere"]
)
def test_pages(server: RunningServer, page: Page, address: str, watches: list[Watch], picture: Picture) -> None:
    watches[0].expect("404")
    lesson = next(each.number for each in steps() if each.name in TOLD)
    page.goto(f"/guide/{lesson}" if address == "payday" else address)
    if address in SHOWN:
        pictures(page, picture, SHOWN[address])
    check(page)


def test_start_page_with_games_and_mistakes(server: RunningServer, page: Page, watches: list[Watch]) -> None:
    watches[0].expect("422")
    server.brought(written(middle(3, seed=1)))
    page.goto("/")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_be_visible()
    check(page)


def test_my_turn_and_what_opens_over_it(server: RunningServer, page: Page, picture: Picture) -> None:
    page.goto(server.brought(written(middle(5, TILES, seed=5))))
    sitting = TablePlayer(page)
    sitting.wait_for_turn()
    pictures(page, picture, "table")
    check(page)
    page.locator(".city .cn").first.click()
    expect(page.locator("#ways")).to_be_visible()
    pictures(page, picture, "ways")
    check(page, "#ways")
    page.keyboard.press("Escape")
    page.locator("#open-menu").click()
    expect(page.locator("#menu")).to_be_visible()
    pictures(page, picture, "menu")
    check(page, "#menu")
    page.locator("#toggle-tables").click()
    expect(page.locator("#as-tables")).to_be_visible()
    pictures(page, picture, "as-tables")
    check(page, "#as-tables")


def test_somebody_elses_turn(server: RunningServer, page: Page) -> None:
    page.goto(server.table("human", "captain", "captain", pace="slow", first=1))
    expect(page.locator("#table:not(.acting)")).to_be_visible()
    check(page)


def test_a_payday_and_the_decisions_after_it(server: RunningServer, page: Page, picture: Picture) -> None:
    game, _after, action = before_payday(1, 4, seed=7)
    page.goto(server.brought(written(game)))
    sitting = TablePlayer(page)
    seen = sitting.wait_for_turn()
    sitting.click(action)
    expect(page.locator("#pay-recap")).to_be_visible()  # as a list, because nothing is to move
    pictures(page, picture, "payday-list")
    check(page)
    page.locator("#stage-list").click()
    page.locator("#stage-next").click()
    expect(page.locator("#pay-step-2")).to_be_visible()
    pictures(page, picture, "payday")
    check(page)
    page.keyboard.press("Escape")
    expect(page.locator("#pay-recap")).to_be_visible()
    check(page)
    seen = sitting.wait_for_turn(seen.number)
    check(page)


def test_loans_to_be_paid_back(server: RunningServer, page: Page, picture: Picture) -> None:
    game = game_where(
        lambda game: game.seat is not None and any(family(each) == "extend" for each in game.legal()), 3, seed=7
    )
    page.goto(server.brought(written(game)))
    TablePlayer(page).wait_for_turn()
    expect(page.locator("#table.decision")).to_be_visible()
    pictures(page, picture, "loans")
    check(page)


def test_the_result_and_the_replay(server: RunningServer, page: Page) -> None:
    page.goto(server.brought(written(random_game(4, seed=3))))
    sitting = TablePlayer(page)
    sitting.wait_for_turn()
    check(page)
    page.locator("#open-result").click()
    expect(page.locator("#result")).to_be_visible()
    check(page, "#result")
    page.goto(page.url + "/replay?at=40")
    check(page)


def test_friends_by_link(server: RunningServer, page: Page, visit: Visit, watches: list[Watch]) -> None:
    watches[0].expect("403")
    page.goto("/join")
    check(page)
    page.get_by_label("I have a link").fill("nothing")
    page.get_by_role("button", name="To the table").click()
    expect(page.get_by_role("alert")).to_be_visible()
    check(page)
    page.goto("/new")
    page.locator("#player1").select_option("friend")
    page.locator("#clock").select_option("bank")
    check(page)
    address = set_up(page, "human", "friend", "captain", clock="turn", time="5", unit="minutes")
    (link,) = links(page, address)
    page.locator("#guest-1 summary").click()
    check(page)
    friend = visit()
    friend.goto(link)
    expect(friend.get_by_text("This link gives you the seat of")).to_be_visible()
    check(friend)
    friend.get_by_role("button", name="To the table").click()
    expect(friend.get_by_label("Your name")).to_be_visible()
    check(friend)
    friend.get_by_role("button", name="Take the seat").click()
    expect(friend.locator("#room")).to_be_visible()
    check(friend)
    other = visit()
    other.goto(link)
    expect(other.get_by_text("This seat is taken.")).to_be_visible()
    check(other)
    other.close()
    page.goto(address)
    check(page)
    start(page, address, [friend])
    check(friend)
    for how in ("Continue on a phone", "Create a phrase"):
        friend.goto(f"{address}/seat")
        friend.get_by_role("button", name=how).click()
        check(friend)
    friend.goto(address)
    friend.locator("#open-talk").click()
    friend.locator("#say-text").fill("Ahoy")
    friend.keyboard.press("Enter")
    expect(friend.locator(".said")).to_have_count(1)
    check(friend, "#talk")
    page.goto(address)
    expect(page.locator("#unread")).to_have_text("1")
    host = TablePlayer(page)
    host.wait_for_turn()
    host.hand_over()
    check(page)
    page.locator("#merchant-1 .hand-of").click()
    check(page, "#hand-1")
    friend.keyboard.press("Escape")
    TablePlayer(friend).hand_over()
    host.wait_for_turn()
    friend.goto(f"{address}/replay?at=2")
    check(friend)
    friend.get_by_role("button", name="Ask to go back to here").click()
    expect(page.locator("#wish")).to_be_visible()
    check(page)
    check(friend)


def test_a_phone(server: RunningServer, visit: Visit) -> None:
    phone = visit(**PHONE)
    phone.goto(server.brought(written(middle(4, seed=5))))
    TablePlayer(phone).wait_for_turn()
    for tab in ("board", "cards"):
        phone.locator(f"#tab-{tab}").tap()
        check(phone)


def test_a_payday_and_the_result_on_a_phone(server: RunningServer, visit: Visit) -> None:
    phone = visit(**PHONE)
    game, after, action = before_payday(3, 4, seed=7)
    phone.goto(server.brought(written(game)))
    sitting = TablePlayer(phone)
    number = sitting.wait_for_turn().number
    phone.request.post(f"{phone.url}/act", form={"number": number, "actions": action})
    expect(phone.locator("#pay-recap")).to_be_visible()
    check(phone)
    phone.locator("#stage-close").tap()
    expect(phone.locator("#result")).to_be_visible()
    check(phone, "#result")
    without_scripts(phone)  # and the payday as a page to read
    phone.goto(f"{phone.url}/payday/3")
    expect(phone.locator("#pay-recap")).to_be_visible()
    check(phone)
    assert after.over


def test_a_staged_loan_in_the_drawer_of_a_tablet(server: RunningServer, visit: Visit) -> None:
    tablet = visit(**TABLET)
    game = game_where(lambda game: game.seat is not None and "loan" in map(family, game.legal()), 4, TILES, seed=7)
    tablet.goto(server.brought(written(game)))
    sitting = TablePlayer(tablet)
    sitting.wait_for_turn()
    tablet.locator("#tab-cards").tap()
    check(tablet)
    sitting.play_a("loan")
    expect(tablet.locator("#staged")).to_be_visible()
    check(tablet, "#acts")


def test_a_hand_of_chips_and_a_phone_on_its_edge(server: RunningServer, visit: Visit) -> None:
    address = server.brought(written(game_for("turn", cities=12, players=5, hand=9)))
    for screen in ({"locale": "fr"}, {**ON_EDGE, "locale": "de-DE"}):
        page = visit(**screen)
        page.goto(address)
        TablePlayer(page).wait_for_turn()
        if page.locator("#tab-cards").is_visible():
            page.locator("#tab-cards").tap()
        expect(page.locator("#hand .chip-face:visible")).to_have_count(9)
        check(page)


def test_a_page_in_german_and_what_a_city_answers_without_a_script(server: RunningServer, visit: Visit) -> None:
    page = visit(locale="de-DE")
    page.goto("/new")
    check(page)
    without_scripts(page)
    page.goto(server.table("human", "human"))
    page.locator(".city a.ground").first.click()
    expect(page.get_by_role("link", name="Zurück zur Partie")).to_be_visible()
    check(page)
