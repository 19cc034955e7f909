"""The route finder: the cheapest ways to a city, and one click that sails and builds."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.positions import middle, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer, purses

from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.position.routes import ways_to

pytestmark = pytest.mark.compiled


def test_one_click_sails_and_builds(server: RunningServer, page: Page) -> None:
    game = middle(4, ("Porto", "Lisboa"), seed=12)
    seat = game.seat
    assert seat is not None
    ways = {city: ways_to(game, city) for city in range(12)}
    city = max(ways, key=lambda city: sum(len(way.legs) for way in ways[city]))
    assert len(ways[city]) > 1
    page.goto(server.brought(written(game)))
    sitting = TablePlayer(page)
    seen = sitting.wait_for_turn()

    page.locator(f"#city-{city} .cn").click()
    box = page.locator("#ways")
    expect(box).to_be_visible()
    expect(box).to_contain_text(CITY_NAMES[city])
    expect(box.locator(".way")).to_have_count(len(ways[city]))
    shown = [each.get_attribute("value") for each in box.locator(".after button").all()]
    builds = [(way, build) for way in ways[city] for build in way.builds]
    assert shown == [" ".join(map(str, (*way.actions, build.action))) for way, build in builds]

    way, build = builds[0]
    box.locator(".after button").first.click()
    seen = sitting.wait_for_turn(seen.number)
    expect(box).not_to_be_visible()
    expect(page.locator(f"#city-{city} #ship-{seat}")).to_have_count(1)
    after = game.copy()
    after.play_all([*way.actions, build.action])
    assert purses(page) == dict(enumerate(after.money))
    assert purses(page)[seat] == game.money[seat] - way.fare - build.cost

    # It is one turn like any other: it can be taken back.
    page.locator("#undo-turn").click() if page.locator("#undo-turn").count() else page.locator("#undo-one").click()
    sitting.wait_for_turn(seen.number)
    assert purses(page) == dict(enumerate(game.money))


def test_it_opens_by_keyboard_and_gives_the_focus_back(server: RunningServer, page: Page) -> None:
    page.goto(server.table("human", "human"))
    TablePlayer(page).wait_for_turn()
    city = next(each for each in range(9) if page.locator(f"#ways-{each}").count())
    page.locator(f"#ways-{city}").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#ways")).to_be_visible()
    assert page.evaluate("document.getElementById('ways').contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(page.locator("#ways")).not_to_be_visible()
    expect(page.locator(f"#ways-{city}")).to_be_focused()
