"""A house to visit, a browser, and pages on which nothing may go wrong unseen."""

import re
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    ViewportSize,
    expect,
    sync_playwright,
)
from tests.browser.running_server import RunningServer

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)
SLOW = 30_000  # milliseconds: a machine may be busy with other things
DESKTOP: ViewportSize = {"width": 1366, "height": 768}
ROOT = Path(__file__).parents[2]
SCREENSHOTS = ROOT / "build" / "screenshots"
HERE = ("localhost", "127.0.0.1")

FIRST = True  # a window that nobody has used

expect.set_options(timeout=SLOW)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server for all tests of this folder."""
    server = RunningServer(tmp_path_factory.mktemp("server")).open()
    yield server
    server.close()
    assert "Traceback" not in server.said, server.said


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser, which ends with this folder: while it runs, nothing else can run an event loop."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        yield browser
        browser.close()


def chromium() -> str:
    """Where Chromium is; it is installed if there is none."""
    tool = [sys.executable, str(ROOT / "tools" / "browser.py")]
    said = subprocess.run(tool, stdout=subprocess.PIPE, text=True, check=True).stdout
    return said.splitlines()[-1].partition(": ")[2]


class Watch:
    """Notes everything that goes wrong in a browser window."""

    def __init__(self, context: BrowserContext) -> None:
        self.trouble: list[str] = []
        self.expected: list[str] = []
        self.hosts: set[str] = set()
        self._context = context
        self._heard: dict[Any, Callable[[Any], None]] = {
            "console": self._console,
            "weberror": lambda error: self._note(f"error in the page: {error.error}"),
            "request": self._request,
            "response": self._response,
            "requestfailed": self._failed,
        }
        for event, hear in self._heard.items():
            context.on(event, hear)

    def end(self) -> None:
        """Note nothing more."""
        for event, hear in self._heard.items():
            self._context.remove_listener(event, hear)

    def expect(self, *words: str) -> None:
        """What may go wrong in this test."""
        self.expected += words

    def _note(self, what: str) -> None:
        self.trouble.append(what)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"{message.type} in the console: {message.text}")

    def _request(self, request: Request) -> None:
        host = urlsplit(request.url).hostname or ""
        self.hosts.add(host)
        if host not in HERE and not request.url.startswith(("data:", "blob:")):
            self._note(f"a request to another place: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 500:
            self._note(f"{response.status} from {response.url}")

    def _failed(self, request: Request) -> None:
        # Leaving a page ends its event stream, a download is none of the page's business any more.
        if "ERR_ABORTED" not in (request.failure or "ERR_ABORTED"):
            self._note(f"{request.url}: {request.failure}")

    @property
    def unexpected(self) -> list[str]:
        """What went wrong and should not have."""
        return [each for each in self.trouble if not any(word in each for word in self.expected)]


class Windows:
    """Browser windows. To open one takes a second, so one that was used is used again once it has forgotten everything.

    What keeps it open meanwhile is a page that does nothing.
    """

    def __init__(self, browser: Browser, server: RunningServer) -> None:
        self._browser = browser
        self._house = server
        self._unused: dict[str, list[BrowserContext]] = {}

    def take(self, wishes: dict[str, Any]) -> BrowserContext:
        """A window that knows nothing."""
        unused = self._unused.get(repr(wishes))
        return unused.pop() if unused else self.opened(wishes)

    def opened(self, wishes: dict[str, Any]) -> BrowserContext:
        """A window that nobody has used."""
        context = self._browser.new_context(**wishes)
        context.set_default_timeout(SLOW)
        context.new_page().goto(self._house.address + "/join")
        return context

    def give_back(self, context: BrowserContext, wishes: dict[str, Any]) -> None:
        """Let a window forget everything; another test may use it."""
        keeper, *pages = context.pages
        for page in pages:
            page.close()
        context.clear_cookies()
        context.clear_permissions()
        keeper.evaluate("localStorage.clear()")
        self._unused.setdefault(repr(wishes), []).append(context)


@pytest.fixture(scope="package")
def windows(browser: Browser, server: RunningServer) -> Windows:
    """The browser windows of all tests of this folder."""
    return Windows(browser, server)


class Visit(Protocol):
    """Opens another browser window."""

    def __call__(self, first: bool = False, /, **options: Any) -> Page:
        """A page of its own; options as of a browser context. Nothing is at hand in a window at its first visit."""


@pytest.fixture
def watches() -> list[Watch]:
    """What was noted in this test, window by window."""
    return []


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note whether a test failed, so that a picture is kept of what it saw last."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture
def visit(
    windows: Windows, server: RunningServer, watches: list[Watch], request: pytest.FixtureRequest
) -> Iterator[Visit]:
    """Browser windows that forget everything after the test, and in which nothing may go wrong."""
    taken: list[tuple[BrowserContext, dict[str, Any]]] = []

    def opened(first: bool = False, /, **options: Any) -> Page:
        # What moves keeps the machine busy; whole games against computer players are played with everything moving.
        wishes = {
            "viewport": DESKTOP,
            "locale": "en-GB",
            "base_url": server.address,
            "reduced_motion": "reduce",
            **options,
        }
        context = windows.opened(wishes) if first else windows.take(wishes)
        taken.append((context, wishes))
        watches.append(Watch(context))
        return context.new_page()

    yield opened
    for number, (context, wishes) in enumerate(taken):
        watches[number].end()
        if request.node.stash.get(FAILED, False):
            name = re.sub(r"[^\w-]+", "-", request.node.name)
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            context.pages[1].screenshot(path=SCREENSHOTS / f"failed-{name}-{number}.png")
            context.close()
        else:
            windows.give_back(context, wishes)
    trouble = [each for watch in watches for each in watch.unexpected]
    assert not trouble, "\n".join(trouble)


@pytest.fixture
def page(visit: Visit) -> Page:
    """A window of the usual size."""
    return visit()


@pytest.fixture
def allow(page: Page, watches: list[Watch]) -> Callable[..., None]:
    """Says what may go wrong in a test."""
    return watches[0].expect


@pytest.fixture
def picture() -> Callable[[Page, str], None]:
    """Keeps a picture of a page, to be looked at."""

    def keep(page: Page, name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENSHOTS / f"{name}.png")

    return keep
