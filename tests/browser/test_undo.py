"""Undo and redo: within one's turn, as long as no card was turned up."""

from urllib.error import HTTPError

import pytest
from playwright.sync_api import Page, expect
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer, purses

pytestmark = pytest.mark.compiled


def test_a_turn_is_taken_back_and_played_again(server: RunningServer, page: Page) -> None:
    page.goto(server.table("human", "human", "human"))
    sitting = TablePlayer(page)
    seen = sitting.wait_for_turn()
    undo, redo, turn = page.locator("#undo-one"), page.locator("#redo-one"), page.locator("#undo-turn")
    expect(undo).to_be_disabled()
    expect(redo).to_be_disabled()
    money = [purses(page)]
    for kind in ("buy", "sail", "build"):
        seen = sitting.play_a(kind)
        money.append(purses(page))
    assert money[0] != money[1] == money[2] != money[3]

    def press(button: str) -> None:
        nonlocal seen
        page.locator(button).click()
        seen = sitting.wait_for_turn(seen.number)

    press("#undo-one")
    assert purses(page) == money[2]
    press("#redo-one")
    assert purses(page) == money[3]
    press("#undo-turn")
    assert purses(page) == money[0]
    expect(undo).to_be_disabled()
    expect(turn).to_have_count(0)
    for then in money[1:]:
        press("#redo-one")
        assert purses(page) == then
    expect(redo).to_be_disabled()

    # The same by keys.
    page.keyboard.press("Control+z")
    seen = sitting.wait_for_turn(seen.number)
    assert purses(page) == money[2]
    page.keyboard.press("Control+Shift+z")
    seen = sitting.wait_for_turn(seen.number)
    assert purses(page) == money[3]

    # Another action, and what was taken back is gone.
    press("#undo-one")
    sitting.play(seen.of("build")[0] if seen.of("build") else sitting.see().of("build")[0])
    expect(redo).to_be_disabled()


def test_a_card_that_was_turned_up_stays(server: RunningServer, page: Page) -> None:
    page.goto(server.table("human", "human", "human"))
    sitting = TablePlayer(page)
    sitting.wait_for_turn()
    for kind in ("buy", "sail", "build", "end"):
        seen = sitting.play_a(kind)
    expect(page.locator("#undo-one")).to_be_disabled()
    with pytest.raises(HTTPError) as refused:
        server.post(page.url.removeprefix(server.address) + "/undo", {"number": str(seen.number), "count": "1"})
    assert refused.value.code == 422
    assert 'id="notice"' in refused.value.read().decode()
    refused.value.close()
