"""Looking back: keys, slider and links lead to any moment, and from there to another game."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.positions import cut, middle, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer, purses

pytestmark = pytest.mark.compiled


def test_every_moment_can_be_reached(server: RunningServer, page: Page) -> None:
    whole = middle(3, seed=6)
    last = len(whole.events)
    address = server.brought(written(whole))

    def at(moment: int) -> None:
        expect(page.locator("#moment")).to_have_text(f"{moment} of {last}")
        expect(page).to_have_url(re.compile(rf"replay\?at={moment}$"))
        assert purses(page) == dict(enumerate(cut(whole, moment).money))

    page.goto(f"{address}/replay?at=30")
    at(30)
    for key, moment in (
        ("ArrowRight", 31),
        ("ArrowRight", 32),
        ("ArrowLeft", 31),
        ("Home", 1),
        ("ArrowRight", 2),
        ("End", last),
    ):
        page.keyboard.press(key)
        at(moment)
    page.locator("#replay-at").fill("25")
    at(25)
    page.locator("#replay-at").focus()
    page.keyboard.press("ArrowRight")
    at(26)
    page.locator("#replay-before").click()
    at(25)

    # By a link: the same moment in another window, and from the log.
    link = page.locator("#moment-link").get_attribute("href")
    assert link
    page.goto(server.address + link)
    at(25)
    assert not page.locator("#table [data-act]").count()  # one only looks on
    page.locator("#back-to-game").click()
    expect(page).to_have_url(address)


def test_the_log_leads_to_its_moments(server: RunningServer, page: Page) -> None:
    whole = middle(3, seed=6)
    page.goto(server.brought(written(whole)))
    TablePlayer(page).wait_for_turn()
    turn = page.locator(".turn").last
    moment = int(turn.get_attribute("data-event") or 0)
    turn.hover()
    turn.locator(".go-there").click()
    expect(page.locator("#moment")).to_have_text(f"{moment} of {len(whole.events)}")


def test_another_move_from_a_moment_makes_another_game(server: RunningServer, page: Page) -> None:
    whole = middle(3, seed=6)
    address = server.brought(written(whole))
    moment = next(number for number in range(40, 60) if cut(whole, number).seat is not None)
    then = cut(whole, moment)
    page.goto(f"{address}/replay?at={moment}")
    page.locator("#branch button").click()
    expect(page).not_to_have_url(re.compile("replay"))
    assert page.url != address
    sitting = TablePlayer(page, seed=2)
    seen = sitting.wait_for_turn()
    assert seen.events == moment
    assert {int(each) for each in seen.actions} <= set(then.legal())
    assert purses(page) == dict(enumerate(then.money))
    sitting.play(sitting.choose(seen))
    page.goto(address)  # the old game is as it was
    assert sitting.wait_for_turn().events == len(whole.events)
