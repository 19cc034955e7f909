"""German and French throughout: every page, the log, what opens over the table, and every refusal."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit, Watch
from tests.browser.positions import TILES, before_payday, middle, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer
from tests.playing import random_game
from tests.web.page_client import english_left

from elcapitan.engine.actions import END
from elcapitan.text.catalogue import translator

pytestmark = pytest.mark.compiled
OTHERS = ("de", "fr")


@pytest.fixture(params=OTHERS)
def language(request: pytest.FixtureRequest) -> str:
    """A language that is not the one the program is written in."""
    return str(request.param)


@pytest.fixture
def reader(visit: Visit, language: str) -> Page:
    """Somebody whose browser asks for that language."""
    return visit(locale=language)


def check(page: Page, language: str) -> None:
    """Nothing on the page may be English."""
    assert page.locator("html").get_attribute("lang") == language
    assert english_left(page.content(), language) == []


@pytest.mark.parametrize("address", ["/", "/new", "/friends", "/rules", "/guide", "/nowhere"])
def test_pages(server: RunningServer, reader: Page, language: str, address: str, watches: list[Watch]) -> None:
    watches[0].expect("404")
    reader.goto(address)
    check(reader, language)


def test_the_table_and_what_opens_over_it(server: RunningServer, reader: Page, language: str) -> None:
    game, _after, action = before_payday(1, 3, TILES, seed=3)
    reader.goto(server.brought(written(game)))
    sitting = TablePlayer(reader)
    seen = sitting.wait_for_turn()
    check(reader, language)
    reader.locator(".city .cn").first.click()
    expect(reader.locator("#ways")).to_be_visible()
    check(reader, language)
    sitting.click(action)
    expect(reader.locator("#pay-recap")).to_be_visible()
    check(reader, language)
    sitting.wait_for_turn(seen.number)
    check(reader, language)
    reader.goto(reader.url + "/replay?at=20")
    expect(reader.locator("#replay")).to_be_visible()
    check(reader, language)


def test_the_end_of_a_game(server: RunningServer, reader: Page, language: str) -> None:
    reader.goto(server.brought(written(random_game(2, seed=3))))
    expect(reader.locator("#final")).to_be_visible()
    check(reader, language)


def test_a_hint(server: RunningServer, reader: Page, language: str) -> None:
    reader.goto(server.table("human", "human"))
    TablePlayer(reader).wait_for_turn()
    reader.locator("#ask-hint").click()
    expect(reader.locator("#hint")).to_be_visible(timeout=120_000)
    assert reader.locator("#hint .way").count()
    check(reader, language)


def test_win_chances(server: RunningServer, reader: Page, language: str) -> None:
    reader.goto(server.table("human", "human"))
    TablePlayer(reader).wait_for_turn()
    reader.locator("#open-menu").click()
    reader.locator("#ask-chances").click()
    expect(reader.locator("#hint")).to_be_visible(timeout=120_000)
    expect(reader.locator("#menu")).to_be_hidden()
    assert reader.locator("#hint .way").count() == 2
    check(reader, language)
    reader.locator("#hint .close").click()
    expect(reader.locator("#hint")).to_be_hidden()
    expect(reader.locator("#open-menu")).to_be_focused()


@pytest.mark.parametrize("locale", ["en-GB", "de", "fr"])
def test_a_refusal_cites_its_rule(server: RunningServer, visit: Visit, watches: list[Watch], locale: str) -> None:
    page = visit(locale=locale)
    watches[0].expect("422")
    page.goto(server.table("human", "human"))
    TablePlayer(page).wait_for_turn()
    # No button offers this; it is as if an old page did.
    page.evaluate(
        """(action) => {
            const button = Object.assign(document.createElement("button"), { name: "actions", value: action });
            document.getElementById("turn").append(button);
            button.click();
        }""",
        str(END),
    )
    notice = page.locator("#notice")
    expect(notice).to_be_visible()
    cited = notice.locator("a").inner_text()
    if locale != "en-GB":
        assert english_left(notice.evaluate("(each) => each.outerHTML"), locale) == []
    with page.context.expect_page() as opened:
        notice.locator("a").click()
    shown = opened.value
    shown.wait_for_load_state()
    expect(shown).to_have_url(f"{server.address}/rules#{cited}")
    expect(shown.locator(f"[id='{cited}']")).to_be_in_viewport()

    # What cannot be done says why, with its rule, when one points at it or chooses it.
    refused = page.locator(".card[aria-disabled=true][data-why], .act.no[data-why], .loan[data-why]").first
    why, rule = refused.get_attribute("data-why"), refused.get_attribute("data-rule")
    assert why and rule
    refused.click(force=True)
    expect(page.locator("#bubble")).to_contain_text(why)
    expect(page.locator(f'#bubble a[href$="/rules/{rule}"]')).to_be_visible()


def test_the_language_can_be_changed_at_the_table(server: RunningServer, page: Page) -> None:
    page.goto(server.brought(written(middle(3, seed=1))))
    sitting = TablePlayer(page)
    sitting.wait_for_turn()
    for language in ("de", "fr", "en"):
        page.locator("#open-menu").click()
        page.locator("#menu select[name=language]").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("#log h2")).to_have_text(translator(language).text("Log"))
        sitting.wait_for_turn()
