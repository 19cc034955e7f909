"""Every state of the table on every kind of screen: nothing leaves it, overlaps, is cut off, or hard to read or to tap.

Here as many combinations as cover every pair of values; `make check` goes through all of them.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.screens import contrast, measured, opened, pairs_of, pairwise, screens, shown

pytestmark = pytest.mark.compiled

MOST = 70  # screens that are measured here: nine sizes of seven states, and what else is not among these


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


FAINT = """() => {
    const text = document.querySelector("#city-4 .cn");
    text.style.fill = "rgb(150 150 150)";
    const words = document.querySelector("#sentence span");
    words.style.opacity = 0.4;
    const small = document.createElement("button");
    small.style.cssText = "width: 20px; height: 20px; padding: 0; min-width: 0; min-height: 0; flex: none";
    document.querySelector("#entries .told").prepend(small);
}"""


def test_the_measurement_finds_faults(pages: dict[bool, Page]) -> None:
    wanted = [each for each in screens() if each.size == (1180, 820) and each.theme == "light"]
    for _screen, page in shown(pages, wanted[:1]):
        page.evaluate("(name) => measure.look(name)", "cards")
        before = page.evaluate("() => measure.smallTargets()")
        page.evaluate(FAINT)
        found = contrast(page)
        assert [each for each in found if "#sentence" in each or "SPAN" in each]
        assert [each for each in found if "text.cn" in each]
        # What is scrolled out of sight is measured too.
        assert len(page.evaluate("() => measure.smallTargets()")) == len(before) + 1
        page.goto("about:blank")
