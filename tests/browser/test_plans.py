"""Planning the next turn while another plays, a plan that no longer works, and a what-if board with its way back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.running_server import RunningServer
from tests.browser.several_browsers import come, set_up, start
from tests.browser.table_player import TablePlayer
from tests.browser.test_accessible import check
from tests.browser.test_phone import WIDER

pytestmark = pytest.mark.compiled


@pytest.fixture
def pair(server: RunningServer, visit: Visit) -> tuple[TablePlayer, TablePlayer]:
    """A host who is to move, and a friend who plays next, each in a browser of their own."""
    host, friend = visit(), visit()
    address = set_up(host, "human", "friend", seed="3")
    (guest,) = come(host, address, [friend])
    start(host, address, [friend])
    return TablePlayer(host), guest


def plan_a_turn(page: Page) -> list[str]:
    """Plan the cheapest way to a city and a build there; return the words of its steps."""
    page.get_by_role("link", name="Plan your next turn").click()
    expect(page.locator("#table.planning")).to_be_visible()
    page.locator("#ways-4").click()
    page.locator("#ways .after button").first.click()
    steps = page.locator(".plan-step .words")
    expect(page.locator("#plan-sum")).to_contain_text("left")
    return steps.all_inner_texts()


def test_a_turn_is_planned_while_another_plays_and_played_when_it_comes(pair: tuple[TablePlayer, TablePlayer]) -> None:
    host, friend = pair
    steps = plan_a_turn(friend.page)
    assert len(steps) >= 3
    # The last steps are taken out and the build is chosen again on the board.
    friend.page.locator(".take-back").last.click()
    expect(friend.page.locator(".plan-step")).to_have_count(len(steps) - 1)
    friend.page.locator("#acts .act[name=actions]").first.click()
    expect(friend.page.locator(".plan-step")).to_have_count(len(steps))
    steps = friend.page.locator(".plan-step .words").all_inner_texts()
    check(friend.page)
    friend.page.get_by_role("link", name="Keep the plan").click()
    expect(friend.page.get_by_role("link", name="Change the plan")).to_be_visible()
    friend.page.reload()
    assert friend.page.locator(".plan-step .words").all_inner_texts() == steps
    check(friend.page, "#turn-plan")
    expect(host.page.locator("#table")).not_to_contain_text("Your plan")
    friend.page.get_by_role("link", name="Change the plan").click()
    expect(friend.page.locator("#table.planning")).to_be_visible()
    # The host plays elsewhere; the page of the plan goes to the game as soon as the turn has come.
    take_turn(host, "Alexandria")
    friend.page.wait_for_url(re.compile(r"/games/[a-z0-9]+$"))
    expect(friend.page.locator("#turn-plan.ready .plan-step")).to_have_count(len(steps))
    check(friend.page, "#turn-plan")
    friend.page.get_by_role("button", name="Play my plan").click()
    expect(friend.page.locator("#turn-plan.running .plan-step")).to_have_count(len(steps))
    friend.page.locator("#act-end").click()
    host.wait_for_turn()
    expect(friend.page.get_by_role("link", name="Plan your next turn")).to_be_visible()


def take_turn(player: TablePlayer, city: str) -> None:
    """Sail to a city and build there by the cheapest way, and end the turn."""
    page = player.page
    page.get_by_role("group", name=city).locator("a.ground").click()
    page.locator("#ways .after button").first.click()
    page.locator("#act-end").click()
    expect(page.locator("#table.acting")).to_have_count(0)


def test_a_plan_that_no_longer_works_says_why(pair: tuple[TablePlayer, TablePlayer]) -> None:
    host, friend = pair
    steps = plan_a_turn(friend.page)
    assert steps[0].startswith("Buy ")
    host.page.goto(host.page.url)
    take_turn(host, "Napoli")
    friend.page.wait_for_url(re.compile(r"/games/[a-z0-9]+$"))
    broken = friend.page.locator("#plan-broken")
    expect(broken).to_contain_text(f"This does not work any more: {steps[0]}.")
    expect(friend.page.get_by_role("button", name="Play my plan")).to_have_count(0)
    check(friend.page)
    friend.page.get_by_role("button", name="Forget the plan").click()
    expect(broken).to_have_count(0)


def test_a_what_if_board_and_back(pair: tuple[TablePlayer, TablePlayer]) -> None:
    host, friend = pair
    game, page = friend.page.url, friend.page
    page.locator("#what-if button").click()
    expect(page.locator("#table.aside-board")).to_be_visible()
    board = page.url
    assert board != game
    check(page)
    friend.wait_for_turn()
    friend.play_a("buy")
    # The real game is as it was, and its host cannot open the board.
    expect(host.page.locator("#table")).not_to_contain_text("What if?")
    page.get_by_role("link", name="Back to the game").click()
    page.wait_for_url(game)
    expect(page.locator("#table.acting")).to_have_count(0)
    # From a moment of the replay.
    page.goto(f"{game}/replay?at=1")
    page.get_by_role("button", name="What if? Try it from here").click()
    expect(page.locator("#table.aside-board")).to_be_visible()
    assert page.url not in (board, game)


@pytest.mark.parametrize("size", [(1366, 768), (390, 844), (844, 390)])
def test_ones_own_turn_is_planned_changed_and_sent_as_one(
    pair: tuple[TablePlayer, TablePlayer], picture: Callable[[Page, str], None], size: tuple[int, int]
) -> None:
    host, friend = pair
    page, width = host.page, size[0]
    page.set_viewport_size({"width": size[0], "height": size[1]})
    picture(page, f"plan-first-{width}")
    page.get_by_role("link", name="Plan first").click()
    expect(page.locator("#table.planning")).to_be_visible()
    expect(page).to_have_title(re.compile("^● Your turn"))
    picture(page, f"plan-empty-{width}")
    page.locator("#near-4, .act[data-ways-to]").first.click()
    page.locator("#ways .after button").first.click()
    expect(page.locator("#plan-sum")).to_contain_text("left")
    steps = page.locator(".plan-step .words").all_inner_texts()
    picture(page, f"plan-made-{width}")
    assert page.evaluate(WIDER) <= 0
    check(page)
    # The build is taken out and chosen again.
    page.locator(".take-back").last.click()
    expect(page.locator(".plan-step")).to_have_count(len(steps) - 1)
    page.locator("#acts .act[name=actions][data-act]").first.click()
    expect(page.locator(".plan-step")).to_have_count(len(steps))
    steps = page.locator(".plan-step .words").all_inner_texts()
    page.get_by_role("link", name="Keep the plan").click()
    expect(page.locator("#turn-plan.ready .plan-step")).to_have_count(len(steps))
    picture(page, f"plan-ready-{width}")
    expect(friend.page.locator("#table")).not_to_contain_text("plan-step")
    page.get_by_role("link", name="Change the plan").click()
    expect(page.locator("#table.planning")).to_be_visible()
    page.get_by_role("button", name="Play my plan").click()
    page.wait_for_url(re.compile(r"/games/[a-z0-9]+$"))
    expect(page.locator("#turn-plan.running .plan-step")).to_have_count(len(steps))
    page.locator("#act-end").click()
    friend.wait_for_turn()


def test_a_planned_loan_waits_for_the_end_of_the_turn(pair: tuple[TablePlayer, TablePlayer]) -> None:
    host, friend = pair
    for player in (host, friend):  # nobody borrows in the first round
        player.wait_for_turn()
        player.hand_over()
    host.wait_for_turn()
    page = host.page
    page.get_by_role("link", name="Plan first").click()
    expect(page.locator("#table.planning")).to_be_visible()
    page.locator("#loan-0").click()
    expect(page.locator(".plan-step .words")).to_have_text(["Loan of 10"])
    page.get_by_role("button", name="Play my plan").click()
    page.wait_for_url(re.compile(r"/games/[a-z0-9]+$"))
    expect(page.locator("#staged")).to_contain_text("Loan of 10")
    page.locator("#undo-one").click()
    expect(page.locator("#staged")).to_have_count(0)
    page.get_by_role("button", name="Play my plan").click()
    page.locator("#act-end").click()
    friend.wait_for_turn()
