"""A payday step by step: what everybody gets and why, in pieces that make up the whole."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.positions import TILES, before_payday, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer, number_of, purses

from elcapitan.position.payday import steps_of

pytestmark = pytest.mark.compiled


def amounts(step: Locator) -> list[int]:
    """What a step pays, line by line."""
    words = step.locator(".paid-line b").all_inner_texts()
    return [0 if not re.search(r"\d", each) else number_of(each) for each in words]


@pytest.mark.parametrize(("players", "tiles", "number"), [(3, (), 1), (2, TILES, 2)])
def test_every_step_and_the_sum(
    server: RunningServer, page: Page, players: int, tiles: tuple[str, ...], number: int
) -> None:
    game, after, action = before_payday(number, players, tiles, seed=4)
    page.goto(server.brought(written(game)))
    sitting = TablePlayer(page)
    seen = sitting.wait_for_turn()
    sitting.click(action)
    box = page.locator("#payday")
    expect(box).to_be_visible()

    # One step after another; the sums so far grow by what each pays.
    held = [moment for moment in after.history() if moment.payday][number - 1]
    wanted = steps_of(held, after.figures)
    steps = box.locator(".pay-step")
    expect(steps).to_have_count(len(wanted) + 1)
    for count, step in enumerate(wanted, start=1):
        shown = steps.nth(count - 1)
        expect(shown).to_be_visible()
        assert steps.locator("visible=true").count() == 1
        assert amounts(shown) == [line.amount for line in step.lines]
        assert [number_of(each) for each in shown.locator(".so-far b").all_inner_texts()] == list(step.running)
        assert shown.locator(".reasons li").count()
        if count % 2:
            box.locator("[data-payday-next]").click()
        else:
            page.keyboard.press("ArrowRight")
    totals = [income.total for income in after.paydays[number - 1].paid]
    last = steps.last
    expect(last).to_be_visible()
    assert [number_of(each) for each in last.locator("tbody td:last-child").all_inner_texts()] == totals
    parts = [
        [number_of(each) for each in row.locator("td").all_inner_texts()] for row in last.locator("tbody tr").all()
    ]
    assert all(sum(part[:-1]) == part[-1] for part in parts)
    page.keyboard.press("ArrowLeft")
    expect(steps.nth(len(wanted) - 1)).to_be_visible()

    # It can be left at any time, and looked at again.
    sitting.wait_for_turn(seen.number)
    assert purses(page) == dict(enumerate(after.money))
    page.locator(f'[data-payday="{number}"]').last.click()
    expect(box).to_be_visible()
    box.locator("[data-payday-all]").click()
    assert steps.locator("visible=true").count() == len(wanted) + 1
    page.keyboard.press("Escape")
    expect(box).not_to_be_visible()
    page.reload()
    sitting.wait_for_turn()
    expect(box).not_to_be_visible()  # nobody is shown the same payday twice
