"""What is pointed at or has the focus: tooltips that cover nothing, explanations in place, and numbers on sites."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Visit
from tests.browser.positions import game_where, middle, written
from tests.browser.running_server import RunningServer
from tests.browser.several_browsers import set_up
from tests.browser.table_player import TablePlayer
from tests.browser.test_accessible import check
from tests.browser.test_phone import PHONE
from tests.playing import random_game

from elcapitan.actions import union as act
from elcapitan.engine.actions import family
from elcapitan.game.game import Game
from elcapitan.position.preview import preview
from elcapitan.position.routes import ways_to

pytestmark = pytest.mark.compiled
TOOLTIP_AFTER = 650  # milliseconds
TOOLTIPS = ("#links .card:last-of-type", "#destinations .card", "#loan-1", "#merchant-0 .purse")
LOW = {"viewport": {"width": 1280, "height": 640}}
TABLETS = ({"viewport": {"width": 1024, "height": 768}}, {"viewport": {"width": 768, "height": 1024}})
# On tablets, with a mouse or a keyboard: what is always in sight.
TOOLTIPS_ON_TABLETS = ("#city-4 .cn", "#city-0 [data-help=coin]", "#city-8 [data-help=coin]")

# What a box covers of what a player needs next, in square pixels, and whether it leaves the window.
COVERED = """([box, thing]) => {
    const own = document.querySelector(box).getBoundingClientRect();
    const shared = (other) => Math.max(0, Math.min(own.right, other.right) - Math.max(own.left, other.left))
        * Math.max(0, Math.min(own.bottom, other.bottom) - Math.max(own.top, other.top));
    const faults = [...document.querySelectorAll("#acts, #hand, .path"), ...(thing ? [thing] : [])]
        .map((each) => [each.id || each.getAttribute("class"), shared(each.getBoundingClientRect())])
        .filter(([, area]) => area > 0.5);
    if (own.left < 0 || own.top < 0 || own.right > innerWidth || own.bottom > innerHeight) faults.push("outside");
    return faults;
}"""


def covered(page: Page, box: str, thing: Locator | None = None) -> list[Any]:
    """What a box covers that it must not."""
    found: list[Any] = page.evaluate(COVERED, [box, thing.element_handle() if thing else None])
    return found


def can_build(game: Game) -> bool:
    """Whether a warehouse and a fortress can be built, and cards bought, in a later phase."""
    if game.seat is None or game.phase < 2:
        return False
    families = {family(each) for each in game.legal()}
    return {"build", "fortress", "buy"} <= families


def opened(page: Page, server: RunningServer, game: Game) -> TablePlayer:
    """Somebody at a table with a game."""
    page.goto(server.brought(written(game)))
    player = TablePlayer(page)
    player.wait_for_turn()
    return player


# ------------------------------------------------------------------------------------------------------------ tooltips


def test_a_tooltip_covers_neither_the_actions_nor_the_hand_nor_what_it_is_about(
    server: RunningServer, visit: Visit
) -> None:
    for options in ({}, LOW):
        page = visit(**options)
        opened(page, server, game_where(can_build, 4, seed=9))
        for kind in TOOLTIPS:
            thing = page.locator(kind).first
            thing.hover(force=True)
            expect(page.locator("#bubble")).to_be_visible()
            assert not covered(page, "#bubble", thing), kind
            page.mouse.move(2, 2)
            expect(page.locator("#bubble")).not_to_be_visible()


def test_a_tooltip_on_a_tablet_covers_neither_the_actions_nor_what_it_is_about(
    server: RunningServer, visit: Visit
) -> None:
    for options in TABLETS:
        page = visit(**options)
        opened(page, server, game_where(can_build, 4, seed=9))
        for tab, kinds in (("board", TOOLTIPS_ON_TABLETS), ("cards", ("#loan-1", "#links .card:last-of-type"))):
            page.locator(f"#tab-{tab}").click()
            for kind in kinds:
                thing = page.locator(kind).first
                thing.hover(force=True)
                expect(page.locator("#bubble")).to_be_visible()
                assert not covered(page, "#bubble", thing), (options, kind)
                page.mouse.move(2, 2)
                expect(page.locator("#bubble")).not_to_be_visible()
                thing.hover(force=True)
                page.keyboard.press("?")
                expect(page.locator("#explain .about")).not_to_be_empty()
                assert not covered(page, "#explain"), (options, kind)
                page.keyboard.press("Escape")
                page.mouse.move(2, 2)


def test_after_a_click_nothing_is_said_until_the_pointer_moves(server: RunningServer, page: Page) -> None:
    page.goto(server.table("human", "human"))
    sitting = TablePlayer(page)
    seen = sitting.wait_for_turn()
    card = page.locator("#destinations .card.playable").first
    card.hover()
    expect(page.locator("#bubble")).to_be_visible()
    card.click()
    expect(page.locator("#bubble")).not_to_be_visible()
    sitting.wait_for_turn(seen.number)
    page.wait_for_timeout(TOOLTIP_AFTER + 250)  # another card has come to lie below the pointer
    expect(page.locator("#bubble")).not_to_be_visible()
    page.locator("#links .card").nth(2).hover()
    expect(page.locator("#bubble")).to_be_visible()


# -------------------------------------------------------------------------------------------------------- explanations

# What is pointed at, and the rule that explains it; nothing where there is none.
KINDS = {
    "#city-4 .cn": "MAJ-02",
    "#city-4 [data-help=site]": "WARE-05",
    "#city-4 [data-help=harbour]": "SAIL-03",
    "#city-4 [data-help=coin]": "MAJ-02",
    "#merchant-1 .name": "SET-05",
    "#merchant-1 .purse": "END-05",
    "#merchant-1 .stock > [data-help]": "PHASE-01",
    "#bank .quay": "SAIL-08",
    "#loan-0": "LOAN-08",
    "#chart .spaces": "PROL-01",
    "#links .card": "CARD-06",
    "#destinations .decks": "CARD-09",
    "#log h2": "",
    ".top .when": "TURN-01",
    "#open-menu": "",
    "#acts .act:has([href='#i-tower'])": "FORT-02",
    "#hand .cap": "BUY-03",
}


def test_a_key_explains_what_is_pointed_at(server: RunningServer, page: Page) -> None:
    opened(page, server, game_where(can_build, 4, seed=9))
    box, address = page.locator("#explain"), page.url
    for kind, rule in KINDS.items():
        thing = page.locator(kind).first
        thing.hover(force=True)
        page.keyboard.press("?")
        expect(box).to_be_visible()
        expect(box.locator(".about")).not_to_be_empty()
        if rule:
            expect(box.locator(f'[data-read="{rule}"]')).to_contain_text(rule)
            assert len(box.locator(f'[data-read="{rule}"]').inner_text()) > 40, "the rule itself, not only its name"
        assert not covered(page, "#explain"), kind
        page.keyboard.press("Escape")
        expect(box).not_to_be_visible()
    assert page.url == address and len(page.context.pages) == 2  # the other one keeps the window open


def test_a_key_explains_what_has_the_focus(server: RunningServer, page: Page) -> None:
    opened(page, server, game_where(can_build, 4, seed=9))
    box = page.locator("#explain")
    stops = {
        "#ways-4": "MAJ-02",
        ".target:not(:has(.halo-tower))": "WARE-02",
        "#loan-0": "LOAN-08",
        "#links .card": "CARD-06",
        "#merchant-1 .hand-of": "SET-05",
        "#entries": "",
        "#open-menu": "",
        "#acts .act:has([href='#i-tower'])": "FORT-02",
    }
    for kind, rule in stops.items():
        thing = page.locator(kind).first
        thing.focus()
        page.keyboard.press("?")
        expect(box).to_be_focused()
        if rule:
            expect(box.locator(".rules")).to_contain_text(rule)
        page.keyboard.press("Escape")
        expect(box).not_to_be_visible()
        expect(thing).to_be_focused()

    # What cannot have the focus itself is explained next to what has it, and rules that a rule names in place.
    page.locator("#merchant-1 .hand-of").focus()
    page.keyboard.press("?")
    for _ in range(12):
        box.get_by_role("button", name="Explain what comes next").press("Enter")
        if "Money in florins" in box.inner_text():
            break
    expect(box.locator(".about")).to_contain_text("Money in florins")
    named = box.locator(".rule a").last.inner_text()
    box.locator(".rule a").last.press("Enter")
    expect(box.locator(f'[data-read="{named}"]')).to_contain_text(named)
    check(page, "#explain")
    page.keyboard.press("Escape")


def test_paydays_and_the_end_are_explained_too(server: RunningServer, page: Page) -> None:
    opened(page, server, random_game(4, seed=3))
    for path, kind, rule in (
        ("", "#final .verdict", "END-05"),
        ("/payday/2", "#standing-title", "AFTER-06"),
        ("/payday/2", "#stage-title", "PAY-01"),
    ):
        if path not in page.url:
            page.goto(page.url + path)
        page.locator(kind).hover(force=True)
        page.keyboard.press("?")
        expect(page.locator("#explain .rules")).to_contain_text(rule)
        page.keyboard.press("Escape")
        expect(page.locator("#explain")).not_to_be_visible()


def test_a_tap_explains_once_that_was_asked_for(server: RunningServer, visit: Visit) -> None:
    phone = visit(**PHONE)
    sitting = opened(phone, server, game_where(can_build, 4, seed=9))
    number = sitting.see().number
    action = phone.locator("#acts .act:has([href='#i-tower'])")
    for _ in range(2):  # it acts on neither, and each time explains
        phone.locator("#open-menu").tap()
        phone.locator("#ask").tap()
        expect(phone.locator("#explain")).to_contain_text("Choose anything on the table")
        assert not covered(phone, "#explain")
        action.tap()
        expect(phone.locator("#explain .rules")).to_contain_text("FORT-02")
        assert not covered(phone, "#explain", action)
    assert sitting.see().number == number
    action.tap()
    expect(phone.locator("#explain")).not_to_be_visible()
    sitting.wait_for_turn(number)

    # A tap on something that does nothing says what it is; the next tap does away with it.
    phone.locator("#tab-cards").tap()
    phone.locator("#merchant-1 .purse").tap()
    expect(phone.locator("#bubble")).to_be_visible()
    phone.locator("#tab-board").tap()
    expect(phone.locator("#bubble")).not_to_be_visible()


# What is pointed at in the form for a new game, a word of its explanation, and its rule if it has one.
NEW_GAME = {
    "#player0": ("Who decides", ""),
    "#colour1 .swatch": ("The colour of ship", "SET-02"),
    "label[for=tile1]": ("western edge", "EXP-06"),
    "[name=forecast]": ("what a payday would pay", "PAY-01"),
    ".levels summary": ("each computer player", ""),
    ".send .btn": ("Creates the game", ""),
}
ROOM = {
    "#room-seat-1 h2": ("whether they are here", "SET-01"),
    "#room-summary": ("Who is missing", ""),
    "#start": ("Deals the cards", "SET-07"),
    "#room-talk-title": ("seen by everybody", ""),
    "#computer-1": ("until its friend comes", ""),
}


def explained(page: Page, kinds: dict[str, tuple[str, str]]) -> None:
    """Every part is explained by a key where it is pointed at, and the page stays."""
    box, address = page.locator("#explain"), page.url
    for kind, (words, rule) in kinds.items():
        page.locator(kind).first.hover()
        page.keyboard.press("?")
        expect(box.locator(".about")).to_contain_text(words)
        if rule:
            expect(box.locator(f'[data-read="{rule}"]')).to_contain_text(rule)
        page.keyboard.press("Escape")
        expect(box).not_to_be_visible()
    assert page.url == address and len(page.context.pages) == 2


def test_a_key_explains_the_form_for_a_new_game(page: Page) -> None:
    page.goto("/new")
    explained(page, NEW_GAME)
    box = page.locator("#explain")
    # By the keyboard alone; where something is written, a "?" is written.
    page.locator("#pace").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("?")
    expect(box).to_contain_text("a strong computer player")
    check(page, "#explain")
    page.keyboard.press("Escape")
    expect(page.locator("[name=hints]")).to_be_focused()
    page.locator("#name0").press("?")
    expect(page.locator("#name0")).to_have_value("?")
    expect(box).not_to_be_visible()


def test_a_tap_explains_the_form_and_changes_nothing(visit: Visit) -> None:
    phone = visit(**PHONE)
    phone.goto("/new")
    box = phone.locator("#explain")
    phone.locator("#open-rules").tap()
    expect(box).to_contain_text("Choose anything on this page")
    phone.locator("#player1").tap()
    expect(box).to_contain_text("Who decides")
    phone.locator("#open-rules").tap()
    phone.locator("[data-add]").tap()
    expect(box).to_contain_text("five at most")
    expect(phone.locator("[data-seat]:visible")).to_have_count(4)
    box.get_by_role("button", name="Close").tap()
    expect(box).not_to_be_visible()
    phone.locator("[data-add]").tap()
    expect(phone.locator("[data-seat]:visible")).to_have_count(5)


def test_a_key_explains_the_waiting_room(page: Page) -> None:
    page.goto(set_up(page, "human", "friend", "friend"))
    explained(page, ROOM)
    check(page)


# ------------------------------------------------------------------------------------------------------ sites by number


def test_the_site_that_an_action_means_shows_its_number(server: RunningServer, visit: Visit) -> None:
    game = game_where(
        lambda game: (
            game.seat is not None
            and any(family(each) == "build" and preview(game, (each,)).closes is not None for each in game.legal())
        ),
        4,
        seed=9,
    )
    (build,) = (each for each in game.legal() if family(each) == "build")
    ahead = preview(game, (build,))
    assert ahead.site is not None and ahead.closes is not None and ahead.city is not None
    for options in ({}, PHONE):
        page = visit(**options)
        opened(page, server, game)
        city = page.locator(f"#city-{ahead.city}")
        for site in (ahead.site, ahead.closes[0]):
            expect(city.locator(f'.preview use[href="#site-{site + 1}"]')).not_to_be_visible()
        if options:
            page.locator(f"#act-{build}").dispatch_event("pointerover")
        else:
            page.locator(f"#act-{build}").focus()
        around = city.bounding_box()
        for site in (ahead.site, ahead.closes[0]):
            number = city.locator(f'.preview use[href="#site-{site + 1}"]')
            expect(number).to_be_visible()
            box = number.bounding_box()
            assert box and around and min(box["width"], box["height"]) > 14
            assert around["x"] - 4 < box["x"] < around["x"] + around["width"]


def test_a_build_at_the_end_of_a_route_shows_its_site(server: RunningServer, page: Page) -> None:
    game = middle(4, ("Porto", "Lisboa"), seed=12)
    city, build = next(
        (city, build)
        for city in range(9)
        for way in ways_to(game, city)
        for build in way.builds
        if way.actions and isinstance(build.what, act.Build)
    )
    assert isinstance(build.what, act.Build)
    opened(page, server, game)
    page.locator(f"#city-{city} .cn").click()
    page.locator("#ways [data-site] button").first.hover()
    expect(page.locator(f'#city-{city} use[href="#site-{build.what.site + 1}"]')).to_be_visible()
    page.locator("#ways .close").hover()
    expect(page.locator("#route-site")).to_have_count(0)
