"""Friends by link: several browsers at one table, each with its own seat, where nobody sees a game without a key."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Page, expect
from tests.browser.conftest import SCREENSHOTS, Visit, Watch
from tests.browser.running_server import RunningServer
from tests.browser.several_browsers import acting, agree, come, links, number, seat, set_up, sit_down, start, take_turn
from tests.browser.table_player import TablePlayer, purses
from tests.browser.test_accessible import check
from tests.browser.test_phone import PHONE, WIDER, too_small

from elcapitan.web.server_settings import own_addresses

pytestmark = pytest.mark.compiled
Picture = Callable[[Page, str], None]


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server to which strangers come: without a key nobody sees a game."""
    server = RunningServer(tmp_path_factory.mktemp("public"), public=True).open()
    yield server
    server.close()
    assert "Traceback" not in server.said, server.said


def party(visit: Visit, *players: str, **fields: str) -> tuple[str, list[TablePlayer]]:
    """A table, and everybody at it, the host first."""
    host = visit()
    address = set_up(host, *players, **fields)
    friends = come(host, address, [visit() for player in players if player == "friend"])
    start(host, address, [friend.page for friend in friends])
    return address, [TablePlayer(host), *friends]


def test_two_browsers_play_one_game(visit: Visit, picture: Picture) -> None:
    page = visit()
    address = set_up(page, "human", "friend")
    (link,) = links(page, address)
    sittings = [TablePlayer(page), sit_down(visit(), link, "Friend 1")]
    start(page, address, [sittings[1].page])
    host, friend = (sitting.page for sitting in sittings)
    expect(host.locator(".merchant .presence.here")).to_have_count(2)
    expect(friend.locator("#acts")).to_contain_text("Inês's turn")
    picture(friend, "friends-waiting")
    movers = [seat(take_turn(sittings).page) for _ in range(6)]
    assert movers == ["0", "1"] * 3
    assert purses(host) == purses(friend)
    assert sum(sitting.see().acting for sitting in sittings) == 1
    picture(host, "friends-playing")


def test_only_ones_own_seat_can_be_played(visit: Visit, watches: list[Watch]) -> None:
    for watch in watches:
        watch.expect("422")
    address, (host, friend) = party(visit, "human", "friend")
    seen = host.wait_for_turn()
    assert not friend.see().actions
    refused = friend.page.request.post(f"{address}/act", form={"number": seen.number, "actions": seen.actions[0]})
    assert refused.status == 422
    assert host.see().number == seen.number


def test_five_browsers_in_one_game(visit: Visit, picture: Picture) -> None:
    _address, sittings = party(visit, "human", "friend", "friend", "friend", "friend")
    assert [seat(sitting.page) for sitting in sittings] == list("01234")
    movers = [seat(take_turn(sittings).page) for _ in range(7)]
    assert movers == list("0123401")
    assert len({str(purses(sitting.page)) for sitting in sittings}) == 1
    picture(sittings[3].page, "friends-five")


def test_somebody_watches(visit: Visit, picture: Picture) -> None:
    address, sittings = party(visit, "human", "friend")
    host = sittings[0].page
    host.goto(f"{address}/invite")
    host.get_by_role("button", name="Create a link for spectators").click()
    link = host.locator("#link-watch").input_value()
    host.goto(address)
    watcher = visit()
    agree(watcher, link)
    expect(watcher.locator("#table.watching")).to_be_visible()
    expect(watcher.locator("#acts")).to_contain_text("You are watching")
    take_turn(sittings)
    expect(watcher.locator("#table")).to_have_attribute("data-number", str(number(host)))
    assert not TablePlayer(watcher).see().actions
    expect(watcher.locator(".merchant.me, #to-seat, #say")).to_have_count(0)
    picture(watcher, "friends-watching")
    expect(host.locator(".merchant .presence.here")).to_have_count(2)  # who watches is nobody at the table


def test_a_stranger_sees_nothing_and_a_phrase_opens_the_seat_again(
    visit: Visit, watches: list[Watch], picture: Picture
) -> None:
    address, sittings = party(visit, "human", "friend")
    friend = sittings[1].page
    friend.goto(f"{address}/seat")
    friend.get_by_role("button", name="Create a phrase").click()
    phrase = friend.locator(".phrase").inner_text()
    assert len(phrase.split()) == 4
    picture(friend, "friends-phrase")
    phone = visit(**PHONE)
    watches[-1].expect("403")
    phone.goto(address)
    expect(phone.get_by_role("heading", name="You need a link to open this table")).to_be_visible()
    picture(phone, "friends-closed-phone")
    check(phone)
    phone.get_by_label("I have a phrase of four words").fill("molu tasa vire kopi")
    phone.get_by_role("button", name="Return to my seat").click()
    expect(phone.get_by_role("alert")).to_be_visible()
    phone.get_by_label("I have a phrase of four words").fill(f" {phrase.upper()} ")
    phone.get_by_role("button", name="Return to my seat").click()
    expect(phone.locator("#table")).to_be_visible()
    phone.goto("/")
    expect(phone.locator(".game")).to_have_count(1)
    visit().goto("/")


def test_a_seat_moves_to_a_phone_by_its_own_link(visit: Visit, picture: Picture) -> None:
    address, sittings = party(visit, "human", "friend")
    friend = sittings[1].page
    friend.locator("#open-menu").click()
    friend.locator("#to-seat").click()
    friend.get_by_role("button", name="Continue on a phone").click()
    expect(friend.locator(".qr-place svg")).to_be_visible()
    picture(friend, "friends-to-phone")
    phone = visit(**PHONE)
    link = friend.locator("[data-link]").input_value()
    agree(phone, link)
    expect(phone.locator("#table")).to_be_visible()  # nobody is asked for a name again
    phone.goto("/")
    phone.goto(link)
    expect(phone.locator("#table")).to_be_visible()  # nor for a click, once the seat is known
    assert "#" not in phone.url
    assert seat(phone) == "1"
    phone.goto(address)
    assert phone.evaluate(WIDER) <= 0
    assert not too_small(phone)


def test_pages_for_friends_fit_a_phone(visit: Visit, picture: Picture) -> None:
    phone = visit(**PHONE)
    address = set_up(phone, "human", "friend", "friend", clock="bank", time="2", unit="hours", more="5")
    found = links(phone, address)
    phone.locator("#guest-1 summary").click()
    small = {"invite": too_small(phone)}
    assert phone.evaluate(WIDER) <= 0
    phone.screenshot(path=SCREENSHOTS / "friends-invite-phone.png", full_page=True)
    phone.goto(found[0])
    expect(phone.get_by_role("button", name="To the table")).to_be_visible()
    small["join"] = too_small(phone)
    picture(phone, "friends-join-phone")
    phone.get_by_role("button", name="To the table").click()
    expect(phone.get_by_label("Your name")).to_be_visible()
    small["name"] = too_small(phone)
    picture(phone, "friends-name-phone")
    for path in ("/join", f"{address}/seat", address, "started"):
        if path == "started":
            phone.locator("#start").tap()
            expect(phone.locator("#table")).to_be_visible()
        else:
            phone.goto(path)
        small[path] = too_small(phone)
        assert phone.evaluate(WIDER) <= 0
    phone.locator("#open-talk").tap()
    expect(phone.locator("#talk")).to_be_visible()
    small["talk"] = too_small(phone)
    picture(phone, "friends-talk-phone")
    phone.locator("#talk [data-close]").tap()
    phone.locator("#tab-cards").tap()
    small["cards"] = too_small(phone)
    picture(phone, "friends-cards-phone")
    assert not any(small.values()), small


def test_everybody_hears_what_is_said(visit: Visit, picture: Picture) -> None:
    _address, sittings = party(visit, "human", "friend")
    host, friend = (sitting.page for sitting in sittings)
    friend.locator("#open-talk").click()
    expect(friend.locator("#say-text")).to_be_focused()
    friend.keyboard.type("<b>Ahoy</b> & welcome")
    friend.keyboard.press("Enter")
    expect(host.locator("#unread")).to_have_text("1")
    expect(host.locator("#heard")).to_contain_text("Friend 1: <b>Ahoy</b> & welcome")
    expect(friend.locator("#say-text")).to_have_value("")
    friend.keyboard.type("half a senten")
    host.locator("#open-talk").click()
    expect(host.locator(".said p")).to_have_text(["<b>Ahoy</b> & welcome"])
    expect(host.locator("#unread")).to_be_hidden()
    host.keyboard.type("Good evening")
    host.keyboard.press("Enter")
    expect(friend.locator(".said p")).to_have_text(["<b>Ahoy</b> & welcome", "Good evening"])
    expect(friend.locator("#say-text")).to_have_value("half a senten")  # what is being written stays
    picture(friend, "friends-talk")
    host.goto(host.url + "/invite")
    host.get_by_role("button", name="Turn chat off").click()
    expect(friend.locator("#open-talk")).to_have_count(0)


def test_going_back_needs_consent(visit: Visit, picture: Picture) -> None:
    address, sittings = party(visit, "human", "friend")
    host, friend = sittings
    for _ in range(3):
        take_turn(sittings)
    before = purses(host.page)
    asker, asked = (host, friend) if acting(sittings) is friend else (friend, host)
    for answer in ("Refuse", "Agree"):
        asker.page.goto(f"{address}/replay?at=3")
        asker.page.get_by_role("button", name="Ask to go back to here").click()
        wish = asked.page.locator("#wish")
        expect(wish).to_contain_text("asks to go back")
        expect(asker.page.locator("#wish")).to_contain_text("Not answered yet")
        picture(asked.page, "friends-wish")
        wish.get_by_role("button", name=answer).click()
        expect(wish).to_have_count(0)
        expect(asker.page.locator("#wish")).to_have_count(0)
        if answer == "Refuse":
            assert purses(asker.page) == before
            expect(asker.page.locator("#log")).to_contain_text("does not agree.")
    for page in (asker.page, asked.page):
        expect(page.locator("#table")).to_have_attribute("data-events", "3")
        expect(page.locator("#log")).to_contain_text("The game went back to here")
    take_turn(sittings)


def test_a_computer_player_stands_in_and_hands_back(visit: Visit, picture: Picture) -> None:
    address, sittings = party(visit, "human", "friend")
    host, friend = sittings
    expect(host.page.locator(".presence.here")).to_have_count(2)  # the scripts of both pages run
    host.page.locator("#merchant-1 .hand-of").click()
    host.page.get_by_role("button", name="Let the computer play").click()
    for page in (host.page, friend.page):
        expect(page.locator("#merchant-1 .name small")).to_have_text("helmsman plays")
    host.take_turn()  # the one who stands in has moved meanwhile
    picture(host.page, "friends-stand-in")
    host.page.goto(f"{address}/invite")
    host.page.locator("#guest-1 summary").click()
    picture(host.page, "friends-invite-stood-in")
    check(host.page)
    host.page.get_by_role("button", name="Give the seat back").click()
    host.page.goto(address)
    host.hand_over()
    friend.wait_for_turn()
    expect(friend.page.locator("#log")).to_contain_text("plays again")


def test_a_seat_is_taken_away_and_given_to_another(visit: Visit, watches: list[Watch]) -> None:
    address, sittings = party(visit, "human", "friend")
    host, friend = (sitting.page for sitting in sittings)
    watches[1].expect("403")
    host.goto(f"{address}/invite")
    host.locator("#guest-1 summary").click()
    host.get_by_role("button", name="Give the seat away").click()
    expect(host.locator("#state-1")).to_have_text("free seat")
    friend.reload()
    expect(friend.get_by_role("heading", name="You need a link to open this table")).to_be_visible()
    (link,) = links(host, address)
    other = sit_down(visit(), link, "Another")
    expect(host.locator("#state-1")).to_have_text("at the table")  # the page hears of it by itself
    expect(other.page.locator("#merchant-1 .name span").first).to_have_text("Another")


def test_the_host_ends_the_game(visit: Visit, picture: Picture) -> None:
    address, sittings = party(visit, "human", "friend")
    host, friend = (sitting.page for sitting in sittings)
    take_turn(sittings)
    host.goto(f"{address}/invite")
    host.get_by_text("End the game").click()
    host.get_by_role("button", name="Yes, end it").click()
    for page in (host, friend):
        expect(page.locator("#acts")).to_contain_text("The host has ended this game.")
        expect(page.locator("#table[data-over]")).to_be_visible()
    assert not TablePlayer(friend).see().actions
    picture(friend, "friends-ended")


def test_who_is_out_of_time_is_helped_out(visit: Visit, picture: Picture) -> None:
    _address, sittings = party(visit, "human", "friend", clock="turn", time="3", unit="seconds")
    host, friend = (sitting.page for sitting in sittings)
    expect(friend.locator("#log")).to_contain_text("Inês is out of time", timeout=60_000)
    picture(friend, "friends-clock")
    expect(host.locator("#log")).to_contain_text("Inês builds", timeout=60_000)  # the turn was ended for her
    expect(host.locator("#merchant-0 .name small")).not_to_contain_text("helmsman plays")


def test_a_clock_is_counted_down(visit: Visit) -> None:
    host = visit()
    wanted = {"clock": "bank", "time": "10", "unit": "minutes", "more": "5", "more_unit": "seconds"}
    start(host, set_up(host, "human", "friend", **wanted))
    clock = host.locator("#merchant-0 .clock .left")
    shown = clock.inner_text()
    assert shown in ("10:00", "9:59", "9:58")
    expect(clock).not_to_have_text(shown)
    expect(host.locator("#merchant-1 .clock")).to_contain_text("10:00")
    expect(host.locator(".clock.near")).to_have_count(0)


def test_friends_come_back_by_themselves_after_the_server_was_killed(
    tmp_path: Path, visit: Visit, watches: list[Watch]
) -> None:
    server = RunningServer(tmp_path, public=True).open()

    def there(_first: bool = False, /, **options: Any) -> Page:
        page = visit(base_url=server.address, **options)
        watches[-1].expect("ERR_", "net::", "Failed to fetch", "network error", "htmx")
        return page

    try:
        _address, sittings = party(there, "human", "friend")
        take_turn(sittings)
        for sitting in sittings:
            sitting.page.evaluate("window.same = true")  # whoever loads the page again loses this
        before = number(sittings[0].page)
        server.kill()
        server.open()
        movers = {seat(take_turn(sittings).page) for _ in range(2)}
        assert movers == {"0", "1"}
        assert number(sittings[0].page) > before
        for sitting in sittings:
            assert sitting.page.evaluate("window.same") is True
            expect(sitting.page.locator(".presence.here")).to_have_count(2)
    finally:
        server.close()


def test_a_friend_comes_by_an_address_of_the_network(
    tmp_path: Path, visit: Visit, watches: list[Watch], picture: Picture
) -> None:
    """The host is at localhost; the friend's browser uses the link that was shown, at an address of this machine."""
    server = RunningServer(tmp_path, network=True).open()
    try:
        host, friend = visit(base_url=server.address), visit(**PHONE)
        for watch in watches:
            watch.expect("Cross-Origin-Opener-Policy")  # which Chromium wants to see on https and localhost only
            watch.expect(*(f"a request to another place: http://{each}:" for each in own_addresses("0.0.0.0")))
        host.goto("/")
        host.get_by_role("link", name=re.compile("^Play with friends")).click()
        picture(host, "friends-how-many")
        check(host)
        host.get_by_role("button", name="You and 1 friend").click()
        link = host.locator("[data-link]").first
        expect(link).to_be_visible()
        expect(host.locator(".qr:visible")).to_have_count(1)
        picture(host, "friends-links-at-once")
        check(host)
        assert host.url.startswith(server.address) and host.url.endswith("/invite")
        assert ("localhost" in link.input_value()) == (not own_addresses("0.0.0.0"))
        for choice, shown in zip(host.locator("[name=at]").all(), host.locator("[data-link]").all(), strict=False):
            choice.check()
            expect(host.locator("[data-link]:visible")).to_have_value(shown.input_value())
        sit_down(friend, link.input_value(), "Friend")
        expect(host.locator("#state-1")).to_have_text("at the table")
        friend.get_by_role("button", name="I am ready").tap()
        expect(host.locator("#state-1")).to_have_text("ready")
        host.get_by_role("button", name="Start the game").click()
        for page in (host, friend):
            expect(page.locator("#table")).to_be_visible()
        for page in (host, friend):
            page.goto("about:blank")  # nobody follows the table any more
    finally:
        server.close()
    assert "Traceback" not in server.said, server.said


def test_a_button_opens_a_running_server_to_the_network(
    tmp_path: Path, visit: Visit, watches: list[Watch], picture: Picture
) -> None:
    """A game goes on in the browser that presses it, not in another on this computer, and a friend comes by link."""
    server = RunningServer(tmp_path).open()
    try:
        host, other, friend = visit(base_url=server.address), visit(base_url=server.address), visit(**PHONE)
        for watch in watches:
            watch.expect("Cross-Origin-Opener-Policy", "ERR_", "net::", "Failed to fetch", "network error", "htmx")
            watch.expect("403", *(f"a request to another place: http://{each}:" for each in own_addresses("0.0.0.0")))
        game = server.table("human", "human")
        for page in (host, other):
            page.goto(game)
            expect(page.locator("#table")).to_be_visible()
        host.evaluate("window.same = true")  # a page that is loaded again loses this
        friends = host.context.new_page()
        friends.goto("/friends")
        check(friends)
        picture(friends, "friends-closed")
        friends.get_by_role("button", name="Open to your network").dblclick()
        expect(friends.get_by_role("heading", name="This server is open to your network")).to_be_visible()
        check(friends)
        picture(friends, "friends-opened")
        before = TablePlayer(host).take_turn().number
        expect(other.get_by_role("heading", name="You need a link to open this table")).to_be_visible()
        friends.get_by_role("button", name="You and 1 friend").click()
        link = friends.locator("[data-link]").first.input_value()
        assert ("localhost" in link) == (not own_addresses("0.0.0.0"))
        sit_down(friend, link, "Friend")
        expect(friends.locator("#state-1")).to_have_text("at the table")
        friends.goto("/friends")
        friends.get_by_role("button", name="Only this computer again").click()
        expect(friends.get_by_role("button", name="Open to your network")).to_be_visible()
        if own_addresses("0.0.0.0"):
            with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
                friend.reload()
        other.goto(game)
        expect(other.locator("#table")).to_be_visible()
        assert TablePlayer(host).take_turn().number > before
        expect(other.locator("#table")).to_have_attribute("data-number", str(number(host)))
        assert host.evaluate("window.same") is True
        for page in (host, other, friend, friends):
            page.goto("about:blank")  # nobody follows a table any more
    finally:
        server.close()
    assert "Traceback" not in server.said, server.said
