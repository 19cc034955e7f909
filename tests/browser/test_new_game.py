"""The form for a new table in a browser: two players choose neutral colours too, and get them."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.compiled
NEUTRAL = "Neutral colour, with two players"


def test_two_players_choose_neutral_colours(page: Page) -> None:
    page.goto("/new")
    expect(page.get_by_label(NEUTRAL).locator("visible=true")).to_have_count(0)
    for seat in (4, 3):
        page.get_by_role("button", name=f"Remove seat {seat}").click()
    expect(page.get_by_label(NEUTRAL).locator("visible=true")).to_have_count(2)
    first, second = page.locator("#neutral0"), page.locator("#neutral1")
    expect(first.locator("option:disabled")).to_have_text(["Red", "Blue"])
    first.select_option(label="Purple")
    expect(second.locator("option:disabled")).to_have_text(["Red", "Blue", "Purple"])
    second.select_option(label="Green")
    page.get_by_role("group", name="Seat 1").get_by_role("radio", name="Green").check(force=True)
    expect(second).to_have_value("")  # the colour of a ship is not free any more
    second.select_option(label="Red")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/games/*")
    expect(page.locator(".neutral.p4").first).to_be_visible()
    expect(page.locator(".neutral.p0").first).to_be_visible()
