"""The end of a game: podium, what decided it, the chart, a picture to save, and another game."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.running_server import RunningServer
from tests.browser.table_player import number_of
from tests.browser.test_accessible import check

from elcapitan.game.game import Game
from elcapitan.records import json_record as record

pytestmark = pytest.mark.compiled
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def finished(server: RunningServer) -> str:
    """The address of a table at which computer players have played to the end, without a seed that was chosen."""
    seats = {f"player{seat}": "wanderer" for seat in range(4)} | {f"colour{seat}": str(seat) for seat in range(4)}
    url = server.post("/games", {**seats, "first": "1", "pace": "instant", "title": "Friday"})
    end = time.monotonic() + 60
    while "data-over" not in server.get(url.removeprefix(server.address)):
        assert time.monotonic() < end
        time.sleep(0.1)
    return url


def game_at(server: RunningServer, url: str) -> Game:
    """The game of a table."""
    return record.from_json(server.get(f"{url.removeprefix(server.address)}/export/json"))


def test_the_result_and_its_picture(server: RunningServer, finished: str, page: Page, tmp_path: Path) -> None:
    page.goto(finished)
    game = game_at(server, finished)
    expect(page.locator("#result")).to_be_hidden()  # it opens by itself only when a game ends
    page.get_by_role("button", name="See the result").click()
    result = page.locator("#result")
    # Without motion the final money is there at once, the winner first.
    shown = [number_of(each) for each in result.locator(".podium .fortune").all_inner_texts()]
    assert shown == sorted(game.money, reverse=True)
    expect(result.locator(".points article h4")).to_have_count(3)  # the last one once it is known
    expect(result.locator("#mistake .figure")).to_contain_text("%")
    check(page, "#result")
    expect(result.locator(".purses .curve")).to_have_count(4)
    # Every payday's line stands where the curves jump.
    lines = result.locator(".purses .phase").evaluate_all("paths => paths.map(path => path.getBBox().x)")
    assert len(lines) == 3
    for curve in result.locator(".purses .curve").all():
        xs = [float(point.split(",")[0]) for point in (curve.get_attribute("points") or "").split()]
        assert all(sum(abs(x - at) < 0.2 for x in xs) >= 2 for at in lines)
    with page.expect_download() as download:
        result.get_by_role("link", name="Save as picture").click()
    download.value.save_as(tmp_path / "result.png")
    content = (tmp_path / "result.png").read_bytes()
    assert download.value.suggested_filename.endswith(".png") and content.startswith(PNG) and len(content) > 20_000
    assert (int.from_bytes(content[16:20]), int.from_bytes(content[20:24])) == (2400, 1800)
    with page.expect_download() as download:
        result.get_by_role("link", name="Save as SVG").click()
    assert download.value.suggested_filename.endswith(".svg")
    # What decided it leads to where it happened.
    result.get_by_role("link", name="Watch the moment").first.click()
    page.wait_for_url(re.compile(r"/replay\?at=\d+"))


def test_money_is_counted_up(finished: str, visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    page.goto(finished)
    last = page.locator(".podium .fortune").first.text_content()
    page.evaluate(
        """() => {
            window.counted = [];
            const money = document.querySelector(".podium .fortune");
            new MutationObserver(() => window.counted.push(money.textContent)).observe(money, { childList: true });
        }"""
    )
    page.locator("#open-result").click()
    expect(page.locator(".podium .fortune").first).to_have_text(last or "")
    page.wait_for_function("last => window.counted.at(-1) === last", arg=last)
    numbers = [number_of(each) for each in page.evaluate("window.counted")]
    assert numbers == sorted(numbers) and numbers[0] < numbers[-1] == number_of(last or "")


def test_another_game(server: RunningServer, finished: str, page: Page) -> None:
    old = game_at(server, finished)
    page.goto(finished)
    page.locator("#open-result").click()
    page.locator("#result").get_by_role("button", name="Play this deal again").click()
    page.wait_for_url(lambda url: url != finished)
    again = game_at(server, page.url)
    assert again.setup == old.setup and again.events[0] == old.events[0]
    page.goto(f"{page.url}/replay?at=1")
    expect(page.locator("#entries")).to_contain_text("A deal played before")
    page.goto(finished)
    page.locator("#final").get_by_role("button", name="Rematch, same table").click()
    page.wait_for_url(lambda url: url != finished)
    new = page.url
    rematch = game_at(server, new)
    assert rematch.setup.first == (old.setup.first + 1) % 4 and rematch.events[0] != old.events[0]
    expect(page).to_have_title(re.compile("Friday"))
    page.goto(finished)
    page.locator("#final").get_by_role("button", name="To the rematch").click()
    page.wait_for_url(new)
