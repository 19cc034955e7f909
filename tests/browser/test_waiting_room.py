"""The waiting room: three browsers fill it, say ready and start; one leaves, and the host lets the computer play."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import DESKTOP, Visit, Watch
from tests.browser.several_browsers import agree, come, links, set_up, sit_down, start, take_turn
from tests.browser.table_player import TablePlayer
from tests.browser.test_accessible import check, without_scripts
from tests.browser.test_friends import Picture, server
from tests.browser.test_phone import PHONE, WIDER, too_small

__all__ = ["server"]
pytestmark = pytest.mark.compiled


def states(page: Page, *expected: str) -> None:
    """Wait until the seats in the room are in these states."""
    for seat, state in enumerate(expected):
        expect(page.locator(f"#room-seat-{seat} .state")).to_have_class(f"state {state}")


def test_three_browsers_fill_the_room_and_one_leaves(visit: Visit, picture: Picture) -> None:
    host = visit()
    address = set_up(host, "human", "friend", "friend")
    first_link, second_link = links(host, address)
    host.goto(address)
    states(host, "at-host", "free", "free")
    phone = sit_down(visit(**PHONE), first_link, "Ana").page
    states(host, "at-host", "here", "free")  # the page hears of it by itself
    expect(host.locator("#room-seat-1 h2")).to_have_text("Ana")
    assert phone.evaluate(WIDER) <= 0 and not too_small(phone)
    picture(phone, "room-phone")
    check(phone)
    stranger = visit()
    stranger.goto(first_link)  # somebody else uses the same link
    expect(stranger.get_by_role("alert")).to_contain_text("Its player is at the table right now.")
    stranger.goto("about:blank")
    other = sit_down(visit(), second_link, "Ben").page
    other.locator("#say-text").fill("half a senten")
    phone.get_by_role("button", name="I am ready").tap()
    states(other, "at-host", "ready", "here")
    expect(other.locator("#room-summary")).to_have_text("Ready: 1 of 2")
    expect(other.locator("#room-news")).to_have_text("Ready: 1 of 2")  # is read out
    expect(other.locator("#say-text")).to_have_value("half a senten")
    other.keyboard.press("Enter")
    expect(phone.locator("#room-lines")).to_contain_text("half a senten")
    expect(host.locator("#room-start")).to_contain_text("Here, but not ready yet: Ben")
    picture(host, "room-host")
    other.get_by_role("button", name="I am ready").focus()
    other.keyboard.press("Enter")
    expect(other.get_by_role("button", name="Not ready after all")).to_be_focused()
    host.get_by_role("button", name="Start the game").click()
    sittings = [TablePlayer(page) for page in (host, phone, other)]
    for page in (host, phone, other):
        expect(page.locator("#table")).to_be_visible()
    take_turn(sittings)
    phone.goto("about:blank")  # Ana leaves when it is her turn
    expect(host.get_by_text("Awaited since")).to_be_visible()
    expect(other.get_by_text("The host can invite Ana again")).to_be_visible()
    expect(other.locator("#open-plan")).to_be_visible()  # and the next turn can be planned meanwhile
    picture(host, "awaited-host")
    picture(other, "awaited-other")
    check(host, "#awaited")
    check(other, "#awaited")
    other.get_by_role("button", name="Remind the host in the chat").click()
    expect(host.locator("#unread")).to_have_text("1")
    assert host.request.post(f"{address}/settings", form={"chat": "off"}).ok
    expect(other.get_by_text("Chat is off: call the host or send a message.")).to_be_visible()
    picture(other, "awaited-other-without-chat")
    for width, height in ((390, 844), (844, 390)):
        other.set_viewport_size({"width": width, "height": height})
        expect(other.get_by_text("The host can invite Ana again")).to_be_visible()
        picture(other, f"awaited-other-{width}")
    other.set_viewport_size(DESKTOP)
    host.get_by_role("link", name="Give the seat away").click()
    expect(host.get_by_role("button", name="Give the seat away").first).to_be_visible()
    picture(host, "awaited-give-away")
    host.go_back()
    host.get_by_role("button", name="Let the computer play").first.click()
    expect(host.locator("#merchant-1 .name small")).to_have_text("helmsman plays")
    TablePlayer(other).wait_for_turn()
    phone.goto(address)
    phone.locator("#tab-cards").tap()
    expect(phone.locator("#come-back-1")).to_be_attached()
    check(phone)
    phone.locator("#come-back-1").evaluate("(button) => button.click()")  # in the drawer of a phone
    expect(host.locator("#merchant-1 .name small")).not_to_contain_text("helmsman plays")
    expect(other.locator("#log")).to_contain_text("Ana plays again.")


def test_the_computer_plays_until_a_friend_comes(visit: Visit) -> None:
    host = visit()
    address = set_up(host, "human", "friend")
    (link,) = links(host, address)
    host.get_by_role("button", name="Create a link for spectators").click()
    watcher = visit()
    agree(watcher, host.locator("#link-watch").input_value())
    expect(watcher.locator("#room-start")).to_contain_text("You are watching")
    check(watcher)
    host.get_by_role("button", name="Start; the computer plays until they come").click()
    expect(host.locator("#merchant-1 .name small")).to_have_text("helmsman plays")
    TablePlayer(host).take_turn()
    friend = visit()
    agree(friend, link)
    friend.get_by_role("button", name="Take the seat").click()
    expect(friend.locator("#table")).to_be_visible()
    expect(host.locator("#merchant-1 .name small")).not_to_contain_text("helmsman plays")


def test_the_room_works_without_a_script(visit: Visit, watches: list[Watch]) -> None:
    host, guest = visit(java_script_enabled=False), visit(java_script_enabled=False)
    for watch in watches:
        watch.expect("csp")  # scripts are not loaded
    address = set_up(host, "human", "friend")
    (friend,) = (each.page for each in come(host, address, [guest]))
    friend.get_by_role("button", name="I am ready").click()
    expect(friend.get_by_text("You are ready.")).to_be_visible()
    host.goto(address)
    states(host, "at-host", "ready")
    start(host, address)
    friend.get_by_role("link", name="Load this page again to see who has come.").click()
    expect(friend.locator("#table")).to_be_visible()


def test_a_seat_is_taken_without_a_script(visit: Visit, watches: list[Watch]) -> None:
    host, other = visit(), visit()
    watches[1].expect("409")
    address = set_up(host, "human", "friend")
    (link,) = links(host, address)
    sit_down(visit(), link, "Ana")
    without_scripts(other)
    other.goto("/join")
    other.get_by_label("I have a link").fill(link)
    other.get_by_role("button", name="To the table").click()
    expect(other.get_by_text("This seat is taken.")).to_be_visible()
    check(other)


def test_the_host_ends_the_game_before_it_has_begun(visit: Visit) -> None:
    host, friend = visit(), visit()
    address = set_up(host, "human", "friend")
    come(host, address, [friend])
    host.goto(f"{address}/invite")
    host.get_by_text("End the game").click()
    host.get_by_role("button", name="Yes, end it").click()
    expect(friend.locator("#room-lead")).to_have_text("The host has ended this game.")
    check(friend)
