"""Pictures and measurements of screens: states of the table, nine sizes, both boards, two to five players, languages.

    python -m tests.browser.screens            pictures and contact sheets, in build/screens
    python -m tests.browser.screens --measure  measure all sensible combinations, and list the faults

Pages are drawn in this process and given to one browser without a server; a page is loaded once for each scene and
then resized. What is not measured: other fonts, and what moves while it moves.
"""

import argparse
import base64
import heapq
import html
import itertools
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Route, sync_playwright
from tests.browser.screen_states import SEAT, STAGE, TURN, Scene, answer_to, page_of, scenes

from elcapitan.web.static_files import STATIC_FILES

ROOT: Final = Path(__file__).parents[2]
PICTURES: Final = ROOT / "build" / "screens"
MEASURE: Final = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")
ADDRESS: Final = "http://screens.localhost/"
KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".html": "text/html"}
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
THEMES: Final = ("light", "dark")
OF_TABLE: Final = ("outside", "overlaps", "textOverText", "overTheEdge", "cutOff", "share", "nextStep")
OF_STAGE: Final = ("outside", "textOverText", "overTheEdge", "cutOff", "wideTables")
OF_OTHERS: Final = ("frame", "textOverText", "overTheEdge", "cutOff")
CITIES_IN_SHEETS: Final = "9 12"
PLAYERS_IN_SHEETS: Final = "4"
TABS: Final = ("board", "cards", "zoom")
PATIENCE: Final = 120_000  # milliseconds: a machine may be busy with other things
LEAST_TEXT: Final = 12
LEAST_FIGURES: Final = 11  # on phones


@dataclass(frozen=True, order=True)
class Screen:
    """One combination of everything that changes how a page looks."""

    scene: Scene
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
        scene, (width, height) = self.scene, self.size
        game = f"{scene.cities}-cities-{scene.players}-players-{scene.hand}-cards"
        return f"{scene.state}-{scene.seen}-{width}x{height}-{game}-{scene.language}-{self.theme}"

    @property
    def values(self) -> tuple[Any, ...]:
        """The value of each dimension."""
        return (*astuple(self.scene), self.size, self.theme)


def screens() -> list[Screen]:
    """List all combinations."""
    return [Screen(*each) for each in itertools.product(scenes(), SIZES, THEMES)]


def without_repetition() -> list[Screen]:
    """List what shows anything new: nothing lies elsewhere in the dark, and no colour depends on the language."""
    return [each for each in screens() if each.theme == THEMES[0] or each.scene.language == "en"]


def pairs_of(screen: Screen) -> set[tuple[Any, ...]]:
    """Return every pair of values of a screen."""
    return set(itertools.combinations(enumerate(screen.values), 2))


def pairwise(every: Sequence[Screen]) -> list[Screen]:
    """Choose screens so that every pair of values occurs, always the one that adds most."""
    pairs = list(map(pairs_of, every))
    left = set[tuple[Any, ...]]().union(*pairs)
    chosen = []
    # How many pairs each screen adds, at most: it can only become fewer, so a screen is counted anew when it leads.
    most = [(-len(each), i) for i, each in enumerate(pairs)]
    heapq.heapify(most)
    while left:
        _before, i = heapq.heappop(most)
        adds = (-len(pairs[i] & left), i)
        if most and adds > most[0]:
            heapq.heappush(most, adds)
        else:
            chosen.append(every[i])
            left -= pairs[i]
    return sorted(chosen)


# ------------------------------------------------------------------------------------------------------------ browser


def answer(route: Route) -> None:
    """Answer a request of a page with a drawn page, a part of one, or a static file."""
    asked = urlsplit(route.request.url)
    path = asked.path.strip("/")
    if path.startswith("static/"):
        name = path.split("/", 2)[2]
        content = (STATIC_FILES / name).read_bytes()
        route.fulfill(body=content, content_type=KINDS.get(Path(name).suffix, "application/octet-stream"))
        return
    asking = urlsplit(route.request.headers.get("referer", "")).path if not path.startswith("games/") else path
    words = asking.strip("/").split("/")
    found = answer_to(path, Scene.of(words[1])) if len(words) > 1 and words[0] == "games" else None
    if found is None:
        route.fulfill(status=404)
    else:
        route.fulfill(body=found, content_type=KINDS[".html"])


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
        address = f"{ADDRESS}games/{screen.scene.id}"
        width, height = screen.size
        if page.url != address:
            page_of(screen.scene)
            page.set_viewport_size({"width": width, "height": height})
            page.goto(address)
            page.evaluate(f"() => {{ window.measure = {MEASURE.strip().rstrip(';')} }}")
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme }", screen.theme)
        yield screen, page


def looks(page: Page, screen: Screen, only: Sequence[str] = ()) -> Iterator[str]:
    """Show one part of a screen after the other, and what opens over it: its name, while it is shown."""
    over = screen.scene.state == TURN and screen.scene.seen == SEAT
    for name in page.evaluate("(over) => measure.looks(over)", over):
        if only and name not in only:
            continue
        if page.evaluate("(name) => measure.look(name)", name):
            yield name
    page.evaluate("(name) => measure.look(name)", TABS[0])


def measured(page: Page, screen: Screen) -> list[str]:
    """Return the faults of a screen, in all its parts."""
    faults: list[str] = []
    for name in looks(page, screen):
        checks: tuple[str, ...] = OF_TABLE if name in TABS else OF_STAGE if screen.scene.state == STAGE else OF_OTHERS
        if name == "zoom":
            checks = tuple(each for each in checks if each != "share")
        found = page.evaluate("(checks) => checks.flatMap((check) => measure[check]())", checks)
        least = [LEAST_TEXT, LEAST_FIGURES if screen.phone else LEAST_TEXT]
        found += page.evaluate("(least) => measure.smallText(least)", least)
        if screen.touched:
            found += page.evaluate("() => measure.smallTargets()")
        found += contrast(page)
        faults += [f"{screen.name}, {name}: {fault}" for fault in found]
    return faults


def contrast(page: Page) -> list[str]:
    """Return the texts that are hard to read on their ground, which is taken from a picture without them."""
    page.evaluate("() => measure.showText(false)")
    picture = base64.b64encode(page.screenshot(scale="css")).decode()
    page.evaluate("() => measure.showText(true)")
    found: list[str] = page.evaluate("(url) => measure.contrast(url)", f"data:image/png;base64,{picture}")
    return found


# ---------------------------------------------------------------------------------------------------------- the command


CELL: Final = (620, 450)  # pixels of a picture in a sheet, at most
STYLE: Final = (
    "body{margin:8px;display:grid;grid-template-columns:repeat(3,max-content);gap:8px 14px;font:13px sans-serif}"
    f"figure{{margin:0}}img{{display:block;max-width:{CELL[0]}px;max-height:{CELL[1]}px}}"
)


def sheet(title: str, names: Sequence[str]) -> str:
    """A page with the pictures of one scene at all sizes, three in a row."""
    figures = "\n".join(
        f'<figure><figcaption>{html.escape(each)}</figcaption><a href="{each}.png"><img src="{each}.png"></a></figure>'
        for each in names
    )
    return f"<!doctype html><meta charset=utf-8><title>{title}</title><style>{STYLE}</style>\n{figures}\n"


def take_pictures(browser: Browser, pages: dict[bool, Page], chosen: Sequence[Screen], only: str) -> int:
    """Take pictures, and put those of a scene into a sheet for each part of the screen; the number of sheets."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    taken: dict[str, dict[tuple[int, int], str]] = {}
    for screen, page in shown(pages, chosen):
        for name in looks(page, screen, only.split()):
            file = f"{screen.name}-{name}"
            page.screenshot(path=PICTURES / f"{file}.png")
            taken.setdefault(f"{screen.scene.id}-{screen.theme}-{name}", {})[screen.size] = file
    window = browser.new_page(viewport={"width": 3 * CELL[0] + 44, "height": 600})
    for title, files in taken.items():
        page_file = PICTURES / f"sheet-{title}.html"
        page_file.write_text(sheet(title, [files[size] for size in SIZES if size in files]), encoding="utf-8")
        window.goto(page_file.as_uri())
        window.screenshot(path=page_file.with_suffix(".png"), full_page=True)
    return len(taken)


def chosen_screens(wanted: argparse.Namespace) -> list[Screen]:
    """Choose screens by the command line."""
    chosen = without_repetition() if wanted.measure else screens()
    for name in ("state", "seen", "cities", "players", "hand", "language"):
        values = str(getattr(wanted, name)).split()
        chosen = [each for each in chosen if not values or str(getattr(each.scene, name)) in values]
    sizes, themes = wanted.size.split(), wanted.theme.split()
    chosen = [each for each in chosen if not themes or each.theme in themes]
    chosen = [each for each in chosen if not sizes or "x".join(map(str, each.size)) in sizes]
    return pairwise(chosen) if wanted.pairs else chosen


def main() -> None:
    """Read the command line; measure, or make pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="measure instead of making pictures")
    parser.add_argument("--pairs", action="store_true", help="only as many as cover every pair of values")
    for name, values in (
        ("state", "turn staged settling payday end others room"),
        ("seen", "seat watching replay planning"),
        ("cities", "9 12"),
        ("players", "2 3 4 5"),
        ("hand", "cards in hand: 0 7 9"),
        ("language", "en de fr"),
        ("size", "such as 1366x768"),
        ("theme", "light dark"),
        ("look", "parts of a screen: board cards zoom list step recap page menu ways ..."),
    ):
        parser.add_argument(f"--{name}", default="", help=f"only these, one or more in quotation marks: {values}")
    wanted = parser.parse_args()
    if not wanted.measure:
        wanted.cities, wanted.players = wanted.cities or CITIES_IN_SHEETS, wanted.players or PLAYERS_IN_SHEETS
    chosen = chosen_screens(wanted)
    from tests.browser.conftest import ARGUMENTS, chromium  # noqa: PLC0415 - a browser is needed only here

    begun, faults = time.perf_counter(), list[str]()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        pages = {touched: opened(browser, touched=touched) for touched in (False, True)}
        if wanted.measure:
            for screen, page in shown(pages, chosen):
                for fault in measured(page, screen):
                    faults.append(fault)
                    print(fault, flush=True)  # noqa: T201
        else:
            print(f"{take_pictures(browser, pages, chosen, wanted.look)} sheets in {PICTURES}")  # noqa: T201
        browser.close()
    seconds = time.perf_counter() - begun
    print(f"{len(chosen)} screens, {len(faults)} faults, {seconds:.0f} s")  # noqa: T201
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
