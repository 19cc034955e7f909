"""The guide, played to its end: every lesson has one way on, and nothing lies over what it explains."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import DESKTOP, Visit, Watch
from tests.browser.running_server import RunningServer

from elcapitan.web.pages.guide import TOLD, steps

pytestmark = pytest.mark.compiled
PHONE = {"width": 390, "height": 844}

# Whether a mouse hits something where it stands; while one page fades into the next, it hits nothing.
FREE = """(selector) => {
    const thing = document.querySelector(selector);
    const { x, y, width, height } = thing.getClientRects()[0];
    return thing.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


@pytest.mark.parametrize(("size", "motion"), [(DESKTOP, "no-preference"), (PHONE, "reduce")])
def test_the_guide_is_played_to_its_end(
    server: RunningServer, visit: Visit, watches: list[Watch], size: dict[str, int], motion: str
) -> None:
    page = visit(viewport=size, reduced_motion=motion)
    watches[0].expect("Transition was aborted")  # the page after the guide does not fade in
    page.goto("/guide")
    for step in steps():
        expect(page).to_have_url(f"{server.address}/guide/{step.number}")
        expect(page.locator("#lesson")).to_be_visible()
        page.wait_for_function(FREE, arg=".coach-text")
        if step.name in TOLD:
            payday(page)
        if step.number == len(steps()):
            break
        names = page.get_by_role("link", name="Next", exact=True).count()
        names += page.get_by_role("button", name="Next", exact=True).count()
        if step.action is None:
            assert names == 1, "one way on, and one only"
            page.wait_for_function(FREE, arg=".coach a[rel=next]")
            page.locator(".coach a[rel=next]").click()
        else:
            assert names == 0
            page.locator(f'#table [data-act="{step.action}"]:visible').first.click()
    expect(page.locator("#final")).to_be_visible()
    page.get_by_role("button", name="Now play your own game").click()
    expect(page.locator("#table.acting, #table:not(.acting)").first).to_be_visible()


def payday(page: Page) -> None:
    """The payday is told on the table, below the lesson, and does not ask to be closed."""
    expect(page.locator("#stage")).to_have_count(1)
    assert page.locator("dialog[open]").count() == 0
    if page.locator('[data-stage="end"]').is_enabled():
        page.locator('[data-stage="end"]').click()
    expect(page.locator("#pay-recap")).to_be_visible()
    expect(page.locator("#stage-close")).not_to_be_visible()
    page.wait_for_function(FREE, arg=".coach a[rel=next]")
