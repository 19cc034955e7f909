"""Light and dark: as the system has it, unless the reader has chosen one."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.running_server import RunningServer

pytestmark = pytest.mark.compiled

COLOURS = {"light": "rgb(216, 232, 230)", "dark": "rgb(14, 33, 44)"}


def choose(page: Page, theme: str) -> None:
    """Choose a theme from the list, which takes effect at once."""
    with page.expect_navigation():
        page.locator("select[name=theme]").select_option(theme)


@pytest.mark.parametrize("system", ["light", "dark"])
def test_a_chosen_theme_goes_before_the_one_of_the_system(visit: Visit, server: RunningServer, system: str) -> None:
    page = visit(color_scheme=system)
    body = page.locator("body")
    page.goto("/")
    expect(body).to_have_css("background-color", COLOURS[system])
    for theme in ("light", "dark"):
        choose(page, theme)
        expect(body).to_have_css("background-color", COLOURS[theme])
        expect(page.locator("html")).to_have_css("color-scheme", theme)
    page.goto(server.table("human", "human"))
    expect(body).to_have_css("background-color", COLOURS["dark"])
    page.goto("/")
    choose(page, "auto")
    expect(body).to_have_css("background-color", COLOURS[system])
