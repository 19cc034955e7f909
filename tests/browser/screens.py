"""Pictures and measurements of the table on all screens: nine sizes, both boards, two to five players, three languages.

    python -m tests.browser.screens            contact sheets of all combinations, in build/screens
    python -m tests.browser.screens --measure  measure all combinations, and list the faults

Pages are drawn in this process and given to one browser without a server; a page is loaded once for each position and
language, and then resized. What is not measured: popovers, dialogs and the replay; hands of other sizes; other fonts.
"""

import argparse
import base64
import functools
import html
import itertools
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Route, sync_playwright
from tests.browser.positions import TILES, big_hand, game_where

from elcapitan.game.game import Game
from elcapitan.service import Seat, Table, TableSettings
from elcapitan.web import render
from elcapitan.web.static_files import STATIC_FILES
from elcapitan.web.view.table_view import table_view
from elcapitan.web.viewer import Viewer

ROOT: Final = Path(__file__).parents[2]
PICTURES: Final = ROOT / "build" / "screens"
MEASURE: Final = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")
ADDRESS: Final = "http://screens.localhost/"
KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".html": "text/html"}
NAMES: Final = ("Inês", "Marco", "Leyla", "Youssef", "Despina")
EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)

SIZES: Final = (
    (360, 640),
    (390, 844),
    (844, 390),
    (768, 1024),
    (1024, 768),
    (1180, 820),
    (1366, 768),
    (1920, 1080),
    (2560, 1440),
)
LARGE: Final = 1200  # pixels from which a window is that of a computer with a mouse
CITIES: Final = (9, 12)
PLAYERS: Final = (2, 3, 4, 5)
HANDS: Final = (0, 9)
THEMES: Final = ("light", "dark")
LANGUAGES: Final = ("en", "de", "fr")
TABS: Final = ("board", "cards")
CHECKS: Final = ("outside", "overlaps", "textOverText", "overTheEdge", "cutOff", "share", "nextStep")
PATIENCE: Final = 120_000  # milliseconds: a machine may be busy with other things
LEAST_TEXT: Final = 12
LEAST_FIGURES: Final = 11  # on phones


@dataclass(frozen=True, order=True)
class Screen:
    """One combination of everything that changes how a table looks."""

    cities: int
    players: int
    hand: int
    language: str
    size: tuple[int, int]
    theme: str

    @property
    def touched(self) -> bool:
        """Whether it is a touch screen."""
        return self.size[0] < LARGE

    @property
    def phone(self) -> bool:
        """Whether it is a phone."""
        return min(self.size) < 600

    @property
    def name(self) -> str:
        """What it is called in file names and reports."""
        width, height = self.size
        game = f"{self.cities}-cities-{self.players}-players-{self.hand}-cards"
        return f"{width}x{height}-{game}-{self.language}-{self.theme}"


def screens() -> list[Screen]:
    """List all combinations."""
    return [Screen(*each) for each in itertools.product(CITIES, PLAYERS, HANDS, LANGUAGES, SIZES, THEMES)]


def pairs_of(screen: Screen) -> set[tuple[Any, ...]]:
    """Return every pair of values of a screen."""
    values = (screen.cities, screen.players, screen.hand, screen.language, screen.size, screen.theme)
    return set(itertools.combinations(enumerate(values), 2))


def pairwise(every: Sequence[Screen]) -> list[Screen]:
    """Choose screens so that every pair of values occurs, always the one that adds most."""
    left = set().union(*map(pairs_of, every))
    chosen = []
    while left:
        best = max(every, key=lambda each: len(pairs_of(each) & left))
        chosen.append(best)
        left -= pairs_of(best)
    return sorted(chosen)


# ---------------------------------------------------------------------------------------------------------- positions


@functools.cache
def game_for(cities: int, players: int, hand: int) -> Game:
    """A game on its second day with an empty hand, or one with a hand of nine cards; somebody has to decide."""
    tiles = TILES if cities == max(CITIES) else ()
    for seed in range(1, 100):
        try:
            if hand:
                return big_hand(players, tiles, seed, hand)
            return game_where(
                lambda game: (
                    game.phase == 2 and game.round > 2 and game.seat is not None and not game.position.hand[game.seat]
                ),
                players,
                tiles,
                seed,
            )
        except AssertionError:
            continue
    raise AssertionError((cities, players, hand))


@functools.cache
def table_for(cities: int, players: int, hand: int) -> Table:
    """A table around such a game."""
    seats = tuple(Seat("human", NAMES[seat], seat) for seat in range(players))
    game = game_for(cities, players, hand)
    name = f"painted-{cities}-{players}-{hand}"  # of its own: a browser tells a payday that it has not seen of a game
    return Table(name, TableSettings(seats), game, 7, EPOCH, EPOCH, 0, undoable=2, redoable=1, thinking=False)


@functools.cache
def page_for(cities: int, players: int, hand: int, language: str) -> str:
    """The page of such a table."""
    who, table = Viewer(language), table_for(cities, players, hand)
    return render.rendered(
        "pages/table.html",
        who,
        request_path="/",
        table=table,
        view=table_view(table, who),
        notice=None,
        live=False,
        now=0,
    )


# ------------------------------------------------------------------------------------------------------------ browser


def answer(route: Route) -> None:
    """Answer a request of a page with a drawn table or a static file."""
    path = urlsplit(route.request.url).path.strip("/")
    if path.startswith("static/"):
        name = path.split("/", 2)[2]
        content = (STATIC_FILES / name).read_bytes()
        route.fulfill(body=content, content_type=KINDS[Path(name).suffix])
    elif path.count("-") < 3:
        route.fulfill(status=404)
    else:
        cities, players, hand, language = path.split("-")
        route.fulfill(body=page_for(int(cities), int(players), int(hand), language), content_type=KINDS[".html"])


def opened(browser: Browser, *, touched: bool, scale: float = 1) -> Page:
    """A page that gets drawn tables instead of those of a server."""
    context = browser.new_context(
        has_touch=touched, is_mobile=touched, reduced_motion="reduce", device_scale_factor=scale
    )
    context.set_default_timeout(PATIENCE)
    context.route("**/*", answer)
    return context.new_page()


def shown(pages: dict[bool, Page], wanted: Iterable[Screen]) -> Iterator[tuple[Screen, Page]]:
    """Show one screen after the other; a page is loaded only if the one before it cannot be resized to it."""
    for screen in sorted(wanted, key=lambda each: (each.touched, each)):
        page = pages[screen.touched]
        address = f"{ADDRESS}{screen.cities}-{screen.players}-{screen.hand}-{screen.language}"
        if page.url != address:
            page_for(screen.cities, screen.players, screen.hand, screen.language)
            page.goto(address)
            page.evaluate(f"() => {{ window.measure = {MEASURE.strip().rstrip(';')} }}")
        width, height = screen.size
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme }", screen.theme)
        yield screen, page


def tab(page: Page, name: str) -> bool:
    """Open a tab if there are tabs; whether there are."""
    return bool(
        page.evaluate(
            """(name) => {
                const button = document.getElementById(`tab-${name}`);
                const isThere = button.checkVisibility();
                document.documentElement.dataset.tab = name;
                return isThere;
            }""",
            name,
        )
    )


def measured(page: Page, screen: Screen) -> list[str]:
    """Return the faults of a screen, in all tabs."""
    faults: list[str] = []
    for name in TABS:
        if not tab(page, name) and name != TABS[0]:
            break
        found = [fault for check in CHECKS for fault in page.evaluate(f"() => measure.{check}()")]
        least = [LEAST_TEXT, LEAST_FIGURES if screen.phone else LEAST_TEXT]
        found += page.evaluate("(least) => measure.smallText(least)", least)
        if screen.touched:
            found += page.evaluate("() => measure.smallTargets()")
        faults += [f"{screen.name}, {name}: {fault}" for fault in found]
    tab(page, TABS[0])
    return faults


def glowing(page: Page, screen: Screen) -> list[str]:
    """Return what glows and is hard to read, from a picture with the figures and one without them."""
    boxes = page.evaluate("() => measure.places()")
    assert boxes, f"{screen.name}: nothing glows"
    scale = page.evaluate("() => devicePixelRatio")
    pictures = [page.screenshot()]
    page.add_style_tag(content="text { fill: transparent !important }")
    pictures.append(page.screenshot())
    page.evaluate("() => document.head.querySelector('style:last-of-type').remove()")
    urls = [f"data:image/png;base64,{base64.b64encode(each).decode()}" for each in pictures]
    found = page.evaluate("(given) => measure.contrast(given)", [*urls, boxes, scale])
    return [f"{screen.name}: {fault}" for fault in found]


# ---------------------------------------------------------------------------------------------------------- the command


def row(size: tuple[int, int], names: Sequence[str]) -> str:
    """A page with pictures side by side."""
    figures = "\n".join(
        f'<figure><a href="{each}.png"><img src="{each}.png" width="{min(size[0], 480)}" loading="lazy"></a>'
        f"<figcaption>{html.escape(each)}</figcaption></figure>"
        for each in names
    )
    style = "body{display:flex;flex-wrap:wrap;gap:12px;font:12px sans-serif}figure{margin:0}"
    return f"<!doctype html><meta charset=utf-8><title>{size[0]} x {size[1]}</title><style>{style}</style>\n{figures}\n"


def main() -> None:
    """Read the command line; measure, or make pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="measure instead of making pictures")
    parser.add_argument("--pairs", action="store_true", help="only as many as cover every pair of values")
    parser.add_argument("--only", default="", help="only screens whose name contains all these words")
    wanted = parser.parse_args()
    chosen = [each for each in screens() if all(word in each.name for word in wanted.only.split())]
    chosen = pairwise(chosen) if wanted.pairs else chosen
    from tests.browser.conftest import ARGUMENTS, chromium  # noqa: PLC0415 - a browser is needed only here

    begun, faults, pictures = time.perf_counter(), list[str](), dict[tuple[int, int], list[str]]()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        pages = {touched: opened(browser, touched=touched) for touched in (False, True)}
        for screen, page in shown(pages, chosen):
            if wanted.measure:
                faults += measured(page, screen)
                continue
            PICTURES.mkdir(parents=True, exist_ok=True)
            for name in TABS:
                if not tab(page, name) and name != TABS[0]:
                    break
                file = f"{screen.name}-{name}"
                page.screenshot(path=PICTURES / f"{file}.png")
                pictures.setdefault(screen.size, []).append(file)
        browser.close()
    for size, names in pictures.items():
        (PICTURES / f"{size[0]}x{size[1]}.html").write_text(row(size, names), encoding="utf-8")
    seconds = time.perf_counter() - begun
    for fault in faults:
        print(fault)  # noqa: T201
    print(f"{len(chosen)} screens, {len(faults)} faults, {seconds:.0f} s")  # noqa: T201
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
