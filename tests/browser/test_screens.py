"""The table on every kind of screen: nothing leaves it, overlaps, is cut off, or too small to read or to tap.

Here as many combinations as cover every pair of values; `make check` goes through all of them.
"""

import itertools
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.screens import Screen, glowing, measured, opened, pairs_of, pairwise, screens, shown

pytestmark = pytest.mark.compiled

MOST = 60  # screens that are measured here
GLOWING = [
    Screen(9, 4, 0, "en", size, theme)
    for size, theme in itertools.product(((390, 844), (768, 1024), (1366, 768)), ("light", "dark"))
]


@pytest.fixture(scope="module")
def pages(browser: Browser) -> Iterator[dict[bool, Page]]:
    """A page of a computer and one of a touch screen."""
    made = {touched: opened(browser, touched=touched) for touched in (False, True)}
    yield made
    for page in made.values():
        page.context.close()


def test_every_pair_of_values_occurs() -> None:
    every = screens()
    chosen = pairwise(every)
    assert set().union(*map(pairs_of, chosen)) == set().union(*map(pairs_of, every))
    assert len(chosen) <= MOST


def test_nothing_is_out_of_place_on_any_screen(pages: dict[bool, Page]) -> None:
    faults = [fault for screen, page in shown(pages, pairwise(screens())) for fault in measured(page, screen)]
    assert not faults, "\n".join(faults)


def test_figures_on_glowing_sites_can_be_read(browser: Browser) -> None:
    pages = {touched: opened(browser, touched=touched, scale=3) for touched in (False, True)}
    faults = [fault for screen, page in shown(pages, GLOWING) for fault in glowing(page, screen)]
    for page in pages.values():
        page.context.close()
    assert not faults, "\n".join(faults)
