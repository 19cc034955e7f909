"""A whole game in a browser that runs no scripts: from the set-up to the result, by links and buttons alone."""

import random
import re

import pytest
from playwright.sync_api import Error, Page, expect
from tests.browser.conftest import Visit, Watch
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TASTE, family_of, purses

from elcapitan.engine.vocabulary import PHASES
from elcapitan.game.game import Game
from elcapitan.records import json_record as record
from elcapitan.web.view.offers import HELD

pytestmark = pytest.mark.compiled
SETTINGS = {"#player0": "human", "#player1": "wanderer", "#pace": "instant", "#first": "0"}
BUTTONS = "button[name=actions]"


class Reader:
    """Somebody who plays by the buttons of pages: by clicks, or by sending what their forms would send."""

    def __init__(self, page: Page, table: str) -> None:
        self.page = page
        self.table = table
        self.dice = random.Random(2)
        self.played: list[str] = []
        self.html = ""
        self.look()

    def look(self) -> None:
        """Load the page until there is something to do, or the game is over."""
        waiting = True
        while waiting:
            self.html = self.page.request.get(self.table).text()
            waiting = not self.offered and "data-over" not in self.html

    @property
    def offered(self) -> list[str]:
        """What the buttons of the page play."""
        return [*dict.fromkeys(re.findall(r'name="actions" value="([^"]+)"', self.html))]

    def of(self, *families: str) -> list[str]:
        """What is offered of some families."""
        return [each for each in self.offered if " " not in each and family_of(each) in families]

    def choice(self) -> str:
        """Something that is offered, by taste and by chance."""
        single = [each for each in self.offered if " " not in each]
        return self.dice.choices(single, [TASTE[family_of(each)] for each in single])[0]

    def send(self, action: str) -> None:
        """Send what the form of the table would send."""
        number = re.findall(r'name="number" value="(\d+)"', self.html)[0]
        answer = self.page.request.post(f"{self.table}/act", form={"number": number, "actions": action})
        assert answer.ok, answer.text()
        self.played.append(action)
        self.look()

    def click(self, action: str) -> None:
        """Load the page and click on a button in sight that plays an action."""
        load(self.page, self.table)
        self.page.locator(f"button[name=actions][value='{action}']:visible").first.click()
        expect(self.page.locator("#table")).to_be_attached()
        self.played.append(action)
        self.look()


def load(page: Page, address: str) -> None:
    """Load a page, also if the one before it is just loading itself again."""
    for _ in range(5):
        try:
            page.goto(address)
        except Error as error:
            if "interrupted by another navigation" not in error.message:
                raise
        else:
            return
    raise AssertionError(f"{address} could not be loaded")


def set_up(page: Page) -> str:
    """Set a table up by the form of a new game; its address."""
    page.goto("/")
    page.get_by_role("link", name="New game").first.click()
    page.locator("details.more > summary").click()
    for field, value in SETTINGS.items():
        page.locator(field).select_option(value)
    for other in page.locator("[data-player]").all()[2:]:
        other.select_option("empty")
    page.locator("#seed").fill("5")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#table")).to_be_attached()
    return page.url


def first_turn(player: Reader) -> None:
    """Ask for a hint, look at the ways to a city, take one of them, and end the turn."""
    page = player.page
    page.locator("#ask-hint").click()
    expect(page.get_by_role("heading", name="What the")).to_be_visible()
    expect(page.get_by_role("button", name="Play this").first).to_be_visible()
    page.get_by_role("link", name="Back to the game").click()
    city = page.locator("[data-ways-to]").first.get_attribute("data-ways-to")
    page.locator(f"#ways-{city}").click()
    expect(page.locator("button[data-close]")).to_be_hidden()
    page.locator(".means button").first.click()
    assert page.url == player.table
    page.get_by_role("button", name="End the turn").first.click()
    expect(page.locator("#table.acting")).to_be_attached()  # by itself, once the computer player has moved
    player.look()


def borrow(player: Reader) -> None:
    """Take a loan back, and take it again."""
    (loan, *_more) = player.of("loan")
    player.click(loan)
    player.page.locator("#undo-one").click()
    expect(player.page.locator("#staged")).to_have_count(0)
    player.click(loan)
    player.click(HELD)


def read_payday(page: Page, number: int, table: str) -> None:
    """Read a payday step by step, and go back."""
    page.locator(f"[data-payday='{number}']:visible").last.click()
    expect(page.locator("#pay-recap")).to_be_visible()
    assert page.locator(".pay-step:visible").count() > 3
    page.locator("#stage-close").click()
    assert page.url == table


def read_result(page: Page) -> None:
    """Open the result, keep its picture, and look at an earlier moment."""
    page.locator("#open-result").click()
    expect(page.locator("#result .podium .fortune")).to_have_count(2)
    expect(page.locator("#result .sources tbody tr").first).to_be_visible()
    expect(page.locator("#mistake")).to_be_hidden()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as picture").click()
    assert download.value.suggested_filename.endswith(".svg")
    page.locator("#result .close").click()
    page.get_by_role("link", name="Watch the replay").first.click()
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#moment")).to_contain_text("1 of ")


def now(server: RunningServer, table: str) -> Game:
    """The game on a table, by its record."""
    return record.from_json(server.get(table.removeprefix(server.address) + "/export/json"))


def test_a_whole_game(server: RunningServer, visit: Visit, watches: list[Watch]) -> None:
    page = visit(java_script_enabled=False)
    watches[0].expect("csp")  # scripts are not loaded
    table = set_up(page)
    player = Reader(page, table)
    first_turn(player)
    told = 0
    while player.offered:
        if "loan" not in map(family_of, player.played) and player.of("loan"):
            borrow(player)
        elif player.of("repay", "extend", "starter"):
            player.click(player.choice())
        else:
            player.send(player.choice())
        if f'data-payday="{told + 1}"' in player.html:
            told += 1
            load(page, table)
            read_payday(page, told, table)
    assert told == PHASES
    played = set(map(family_of, player.played))
    assert {"buy", "sail", "build", "loan", "end"} <= played and {"repay", "extend"} & played
    game = now(server, table)
    assert game.over and purses(page) == dict(enumerate(game.money))
    read_result(page)
