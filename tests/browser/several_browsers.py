"""Friends at one table, each with a browser of their own."""

import re
from collections.abc import Sequence

from playwright.sync_api import Page, expect
from tests.browser.table_player import PATIENCE, TablePlayer

# The seat that decides, if it is one of these; the end of the game too.
DECIDES = """(seats) => {
    const on = document.querySelector(".merchant.on")?.id.replace("merchant-", "") ?? "";
    return document.querySelector("#table[data-over]") ? "over" : seats.includes(on) ? on : null;
}"""


def set_up(host: Page, *players: str, **fields: str) -> str:
    """A table that somebody sets up in their browser; its address."""
    form = {
        "friends": "on",
        "chat": "on",
        "first": "0",
        "forecast": "all",
        "hints": "on",
        "pace": "instant",
        "options": "reopen_shuts",
        **fields,
    }
    for seat, player in enumerate(players):
        form |= {f"player{seat}": player, f"colour{seat}": str(seat)}
    sent: dict[str, str | float | bool] = dict(form)
    answer = host.request.post("/games", form=sent)
    assert answer.ok, answer.text()
    return answer.url.removesuffix("/invite")


def links(host: Page, address: str) -> list[str]:
    """A link for every friend who has not come yet, as the host finds them."""
    host.goto(f"{address}/invite")
    everybody = host.get_by_role("button", name="Create a link for everyone")
    (
        everybody if everybody.count() else host.get_by_role("button", name=re.compile("^Create a link for "))
    ).first.click()
    found = host.locator("[data-link]")
    expect(found.first).to_be_visible()
    return [each.input_value() for each in found.all()]


def agree(page: Page, link: str) -> None:
    """Open a link that is new to a browser, read what it is for, and agree; nothing is taken before."""
    page.goto(link)
    expect(page.get_by_text("link")).to_contain_text(
        re.compile("This link gives you the seat|This link lets you watch")
    )
    assert not page.context.cookies()
    page.get_by_role("button", name="To the table").click()


def sit_down(page: Page, link: str, name: str) -> TablePlayer:
    """A friend opens a link, agrees to take the seat and says how they are called."""
    agree(page, link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Take the seat").click()
    expect(page.locator("#room, #table")).to_be_visible()
    return TablePlayer(page)


def start(host: Page, address: str, friends: Sequence[Page] = ()) -> None:
    """Let friends in the waiting room say that they are ready, and the host start the game; all come to the table."""
    for friend in friends:
        friend.get_by_role("button", name="I am ready").click()
        expect(friend.get_by_role("button", name="Not ready after all")).to_be_visible()
    host.goto(address)
    host.locator("#start").click()
    for page in (host, *friends):
        expect(page.locator("#table")).to_be_visible()


def come(host: Page, address: str, friends: Sequence[Page]) -> list[TablePlayer]:
    """Friends sit down as in `links` and `sit_down`, which are tested by themselves, without looking at those pages."""
    made = host.request.post(f"{address}/invite", form={"role": "friends"}).text()
    keys = re.findall(r'value="[^"]*/join#([^"]+)"', made)
    assert len(keys) == len(friends), made
    for place, (page, key) in enumerate(zip(friends, keys, strict=True), start=1):
        welcome = page.request.post("/join", form={"key": key})
        seat_taken = welcome.url.rpartition("seat=")[2]
        named = page.request.post(f"{address}/name", form={"seat": seat_taken, "wanted": f"Friend {place}"})
        assert welcome.ok and named.ok, named.text()
        page.goto(address)
        expect(page.locator("#room")).to_be_visible()
    return [TablePlayer(page) for page in friends]


def number(page: Page) -> int:
    """The version of the table that a page shows."""
    return int(page.locator("#table").get_attribute("data-number") or 0)


def seat(page: Page) -> str:
    """The seat of whoever sits at a page."""
    return (page.locator(".merchant.me").get_attribute("id") or "").removeprefix("merchant-")


def acting(sittings: Sequence[TablePlayer]) -> TablePlayer:
    """Whoever is to move, once the computer players have moved."""
    seats = {seat(sitting.page): sitting for sitting in sittings}
    decides = sittings[0].page.wait_for_function(DECIDES, arg=list(seats), timeout=PATIENCE).json_value()
    assert decides in seats, decides
    seats[decides].wait_for_turn()
    return seats[decides]


def take_turn(sittings: Sequence[TablePlayer]) -> TablePlayer:
    """Whoever is to move takes a turn, and everybody sees it; who it was."""
    one = acting(sittings)
    before = one.hand_over()
    one.page.wait_for_function("(number) => Number(table.dataset.number) > number", arg=before)
    after = number(one.page)
    for other in sittings:  # nobody else did anything
        other.page.wait_for_function("(number) => Number(table.dataset.number) >= number", arg=after)
    return one
