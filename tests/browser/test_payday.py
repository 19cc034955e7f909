"""A payday on the board: what everybody gets and why, and nothing on the page that is ahead of what is told."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Visit, Watch
from tests.browser.positions import TILES, before_payday, written
from tests.browser.running_server import RunningServer
from tests.browser.table_player import TablePlayer, number_of, purses
from tests.browser.test_accessible import check
from tests.browser.test_calls import LOOK_AWAY

from elcapitan.game.game import Game, Moment
from elcapitan.position.payday import PaydayRanking, PaydayStep, rankings, steps_of
from elcapitan.service.table_settings import TELLING

pytestmark = pytest.mark.compiled
PHONE: Final = {"width": 390, "height": 844}
ON_EDGE: Final = {"width": 844, "height": 390}


def amounts(step: Locator) -> list[int]:
    """What a step pays, line by line."""
    words = step.locator(".paid-line > b").all_inner_texts()
    return [0 if not re.search(r"\d", each) else number_of(each) for each in words]


def held(game: Game, number: int) -> Moment:
    """The event that brought a payday."""
    return [moment for moment in game.history() if moment.payday][number - 1]


def told(game: Game, number: int) -> tuple[list[PaydayStep], list[PaydayRanking]]:
    """The steps of a payday, and the ranking before it and after each step."""
    moment = held(game, number)
    return steps_of(moment, game.figures), rankings(moment, game.figures)


def standing(page: Page) -> dict[int, int]:
    """What the ranking says everybody is worth, from the first to the last."""
    rows: list[list[str]] = page.evaluate(
        """() => [...document.querySelectorAll("#standing li")].map(
            (each) => [each.dataset.seat, each.querySelector(".sum").textContent])"""
    )
    return {int(seat): number_of(words) for seat, words in rows}


def net_worths(page: Page) -> dict[int, int]:
    """What everybody in debt has left after paying it, as the list of merchants says."""
    shown: list[list[str]] = page.evaluate(
        """() => [...document.querySelectorAll("[data-net-of]")].map(
            (each) => [each.dataset.netOf, each.textContent, each.ariaLabel])"""
    )
    assert all(number_of(words) == number_of(label) for _seat, words, label in shown)
    return {int(seat): number_of(words) for seat, words, _label in shown}


def brought(server: RunningServer, page: Page, number: int, players: int, tiles: tuple[str, ...] = ()) -> Game:
    """Bring a game to a table and play the action that brings a payday; the game after it."""
    game, after, action = before_payday(number, players, tiles, seed=4)
    page.goto(server.brought(written(game)))
    sitting = TablePlayer(page)
    sitting.wait_for_turn()
    sitting.click(action)
    expect(page.locator("#stage")).to_have_count(1)
    return after


@pytest.mark.parametrize(("players", "tiles", "number"), [(3, (), 1), (2, TILES, 2), (5, TILES, 2)])
def test_every_step_by_hand(
    server: RunningServer, page: Page, players: int, tiles: tuple[str, ...], number: int
) -> None:
    """Where nothing is to move, the payday is a list, and step by step if that is wished."""
    after = brought(server, page, number, players, tiles)
    steps, ranks = told(after, number)
    shown = page.locator(".pay-step")
    expect(shown).to_have_count(len(steps) + 1)
    for place, step in enumerate(steps):
        assert amounts(shown.nth(place)) == [line.amount for line in step.lines]
        assert shown.nth(place).locator(".why").count() == len(step.lines)
        so_far = shown.nth(place).locator(".so-far b").all_inner_texts()
        assert [number_of(each) for each in so_far] == list(step.running)
    assert shown.locator("visible=true").count() == len(steps) + 1
    assert purses(page) == dict(enumerate(ranks[-1].purses))
    paid = [income.total for income in after.paydays[number - 1].paid]
    gains = [number_of(each) for each in page.locator("#pay-recap .gain").all_inner_texts()]
    assert sorted(gains) == sorted(paid)

    # On the board: one step at a time, with the purses as they are after it.
    page.locator("#stage-list").click()
    for place, step in enumerate(steps):
        expect(shown.nth(place)).to_be_visible()
        assert shown.locator("visible=true").count() == 1
        assert purses(page) == dict(enumerate(ranks[place + 1].purses))
        assert net_worths(page) or players < 5, "somebody is in debt"
        for seat, worth in net_worths(page).items():
            assert worth == ranks[place + 1].worths[seat]
        worths = standing(page)
        assert worths == dict(enumerate(ranks[place + 1].worths))
        assert list(worths.values()) == sorted(worths.values(), reverse=True)
        lit = page.locator(".city.lit")
        if step.city is None:
            expect(lit).to_have_count(0)
            expect(page.locator("#chart.lit")).to_have_count(1)
        else:
            expect(lit).to_have_attribute("data-city", str(step.city))
        page.keyboard.press(("Space", "ArrowRight")[place % 2])
    expect(page.locator("#pay-recap")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(shown.nth(len(steps) - 1)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#pay-recap")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#stage")).to_have_count(0)
    assert purses(page) == dict(enumerate(after.money))

    # It can be seen again, and is not told twice by itself.
    page.locator(f'[data-payday="{number}"]').last.click()
    expect(page.locator("#pay-recap")).to_be_visible()
    page.locator("#stage-close").click()
    expect(page.locator("#stage")).to_have_count(0)
    page.reload()
    TablePlayer(page).wait_for_turn()
    expect(page.locator("#stage")).to_have_count(0)


def test_it_runs_by_itself_and_coins_arrive_before_purses_count(server: RunningServer, visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    after = brought(server, page, 1, 3)
    _steps, ranks = told(after, 1)
    expect(page.locator(".stage-title")).to_be_visible()
    assert purses(page) == dict(enumerate(ranks[0].purses))
    expect(page.locator(".flying-coin").first).to_be_attached()
    assert purses(page) != dict(enumerate(ranks[-1].purses))
    said = page.locator("#stage-said")
    expect(said).to_have_text("")  # nothing talks by itself
    page.locator("#stage-speed").fill("4")
    expect(page.locator("#pay-recap")).to_be_visible()
    assert purses(page) == dict(enumerate(ranks[-1].purses))
    assert standing(page) == dict(enumerate(ranks[-1].worths))
    expect(said).not_to_have_text("")
    expect(page.locator("#stage-close")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#stage")).to_have_count(0)


DURATIONS: Final = """async () => {
    const { name } = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/table/stage.js"));
    return (await import(name)).durations();
}"""


# Milliseconds for which a step is shown, by the page's own clock: the test may be too slow to see a quick one.
TIME_A_STEP: Final = """(id) => {
    const step = document.getElementById(id);
    const hidden = (wanted) => new Promise((resolve) => {
        const look = () => step.hidden === wanted && resolve(performance.now());
        new MutationObserver(look).observe(step, { attributeFilter: ["hidden"] });
        look();
    });
    window.shownFor = hidden(false).then(async (begun) => (await hidden(true)) - begun);
}"""


def test_it_takes_as_long_as_it_should_at_every_speed(server: RunningServer, visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    after = brought(server, page, 1, 3)
    steps, _ranks = told(after, 1)
    taken = {}
    page.evaluate(TIME_A_STEP, f"pay-step-{len(steps) - 1}")
    for place in range(5):
        page.locator("#stage-speed").fill(str(place))
        durations = page.evaluate(DURATIONS)
        assert len(durations) == 1 + len(steps), "the title, and every step"
        taken[place] = sum(durations)
    assert taken[2] == pytest.approx(1000 * TELLING)
    assert [taken[2] / taken[place] for place in (1, 2, 3, 4)] == pytest.approx([0.5, 1, 2, 4])
    expect(page.locator("#pay-recap")).to_be_visible()
    assert page.evaluate("window.shownFor") < max(durations) + 1000


def test_it_waits_while_nobody_looks_at_the_page(server: RunningServer, visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    brought(server, page, 1, 3)
    page.evaluate(LOOK_AWAY, True)
    page.wait_for_timeout(2500)
    expect(page.locator(".stage-title")).to_be_visible()
    page.evaluate(LOOK_AWAY, False)
    expect(page.locator("#pay-step-1")).to_be_visible()
    page.locator("#stage-speed").fill("4")
    page.evaluate(LOOK_AWAY, True)
    now = page.locator(".pay-step:visible").get_attribute("id")
    page.wait_for_timeout(1500)
    expect(page.locator(".pay-step:visible")).to_have_attribute("id", now or "")
    page.evaluate(LOOK_AWAY, False)
    expect(page.locator("#pay-recap")).to_be_visible()


@pytest.mark.parametrize("size", [None, PHONE, ON_EDGE])
def test_the_speed_can_be_chosen_on_every_screen(
    server: RunningServer, visit: Visit, picture: Callable[[Page, str], None], size: dict[str, int] | None
) -> None:
    page = visit(reduced_motion="no-preference", **({"viewport": size} if size else {}))
    brought(server, page, 2, 5, TILES)
    expect(page.locator("#pay-step-1")).to_be_visible()
    expect(page.locator("#stage-speed")).to_be_in_viewport(ratio=1)
    picture(page, f"payday-{size['width'] if size else 'large'}")
    page.locator("#stage-speed").click(position={"x": 2, "y": 10})
    expect(page.locator("#stage-speed")).to_have_value("0")
    picture(page, f"payday-by-hand-{size['width'] if size else 'large'}")
    page.locator("#stage-speed").fill("2")
    page.keyboard.press("Escape")
    expect(page.locator("#pay-recap")).to_be_visible()
    expect(page.locator("#stage-close")).to_be_in_viewport(ratio=1)
    picture(page, f"payday-recap-{size['width'] if size else 'large'}")


def test_it_can_be_paused_and_waits_for_a_key_at_the_slowest_speed(server: RunningServer, visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    brought(server, page, 1, 3)
    expect(page.locator("#pay-step-1")).to_be_visible()
    page.locator("#stage-pause").click()
    now = page.locator(".pay-step:visible").get_attribute("id")
    page.wait_for_timeout(2500)
    expect(page.locator(".pay-step:visible")).to_have_attribute("id", now or "")
    check(page)
    page.locator("#stage-speed").fill("0")
    page.keyboard.press("Space")
    page.wait_for_timeout(2500)
    expect(page.locator(".pay-step:visible")).not_to_have_attribute("id", now or "")
    assert page.locator("#stage-pause:visible").count() == 0
    page.reload()
    expect(page.locator("#stage")).to_have_count(0)


@pytest.mark.parametrize("size", [None, PHONE])
def test_the_winner_is_not_known_before_the_last_payday_is_told(
    server: RunningServer, visit: Visit, size: dict[str, int] | None
) -> None:
    page = visit(reduced_motion="no-preference", **({"viewport": size} if size else {}))
    after = brought(server, page, 3, 3)
    _steps, ranks = told(after, 3)
    expect(page.locator(".stage-title")).to_be_visible()
    assert page.locator("#final, #result, [data-over]").count() == 0
    assert purses(page) == dict(enumerate(ranks[0].purses))
    page.keyboard.press("Escape")
    expect(page.locator("#pay-recap")).to_be_visible()
    assert page.locator("#final, #result").count() == 0
    page.locator("#stage-close").click()
    expect(page.locator("#final")).to_be_visible()
    assert purses(page) == dict(enumerate(after.money))


def test_moves_of_others_wait_until_the_payday_is_told(server: RunningServer, page: Page) -> None:
    """The one who looks on sees nothing of what happens meanwhile, and then everything."""
    game, after, action = before_payday(1, 3, seed=4)
    address = server.brought(written(game))
    page.goto(address)
    TablePlayer(page).wait_for_turn()
    other = page.context.new_page()
    other.goto(address)
    sitting = TablePlayer(other)
    sitting.wait_for_turn()
    sitting.click(action)
    expect(page.locator("#stage")).to_have_count(1)
    seen = sitting.wait_for_turn()
    for _ in range(2):
        seen = sitting.play(sitting.choose(seen))
    _steps, ranks = told(after, 1)
    page.wait_for_timeout(300)
    expect(page.locator("#stage")).to_have_count(1)
    assert purses(page) == dict(enumerate(ranks[-1].purses))
    page.locator("#stage-close").click()
    expect(page.locator(f'#table[data-number="{seen.number}"]')).to_be_visible()
    assert purses(page) == purses(other)


def test_a_payday_that_came_while_the_page_was_shut(server: RunningServer, visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    game, after, action = before_payday(1, 3, seed=4)
    address = server.brought(written(game))
    page.goto(address)
    number = TablePlayer(page).wait_for_turn().number
    page.goto("about:blank")
    server.post(f"{address.removeprefix(server.address)}/act", {"number": str(number), "actions": action})
    page.goto(address)
    _steps, ranks = told(after, 1)
    expect(page.locator(".stage-title")).to_be_visible()
    assert purses(page) == dict(enumerate(ranks[0].purses))
    page.keyboard.press("Escape")
    page.locator("#stage-close").click()
    expect(page.locator("#stage")).to_have_count(0)


def test_without_a_script_it_is_a_page_to_read(server: RunningServer, visit: Visit, watches: list[Watch]) -> None:
    _game, after, _action = before_payday(1, 3, seed=4)
    page = visit(java_script_enabled=False)
    watches[0].expect("csp")  # scripts are not loaded
    address = server.brought(written(after))
    page.goto(address)
    page.locator('[data-payday="1"]').last.click()
    steps, _ranks = told(after, 1)
    shown = page.locator(".pay-step")
    expect(shown).to_have_count(len(steps) + 1)
    for place, step in enumerate(steps):
        expect(shown.nth(place)).to_be_visible()
        assert amounts(shown.nth(place)) == [line.amount for line in step.lines]
    assert page.locator(".stage-controls:visible, #stage-list:visible").count() == 0
    page.locator("#stage-close").click()
    assert page.url == address
