"""A player who looks elsewhere is called back, one who refuses notifications loses nothing, and the page is an app."""

import json
import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect
from tests.browser.conftest import Visit, Watch
from tests.browser.running_server import RunningServer
from tests.browser.several_browsers import come, set_up, start
from tests.browser.table_player import TablePlayer
from tests.browser.test_accessible import check
from tests.push_service import Browser

pytestmark = pytest.mark.compiled
MY_TURN = re.compile("^● Your turn – Friday")  # noqa: RUF001
NOT_MY_TURN = re.compile("^Friday")
PUSHED_TO = "https://push.invalid/browser"
# The reader looks at another tab; nothing else tells a headless browser so.
LOOK_AWAY = """(away) => {
    for (const [name, value] of [["hidden", away], ["visibilityState", away ? "hidden" : "visible"]])
        Object.defineProperty(document, name, { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
ASKED_AND_REFUSED = """
    let permission = "default";
    Object.defineProperty(Notification, "permission", { get: () => permission });
    Notification.requestPermission = async () => (permission = "denied");
"""
# A headless browser shows no notifications, so they are noted instead.
SHOWN = """
    self.shown = [];
    ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) => {
        self.shown.push({ title, body, tag, ...data });
    };
    ServiceWorkerRegistration.prototype.getNotifications = async ({ tag }) => self.shown
        .filter((each) => each.tag === tag)
        .map((each) => ({ close: () => self.shown.splice(self.shown.indexOf(each), 1) }));
"""
ALLOWED = f"""
    Object.defineProperty(Notification, "permission", {{ get: () => "granted" }});
    Notification.requestPermission = async () => "granted";
    {SHOWN}
"""
SUBSCRIBED = """
    self.subscribed = null;
    const made = { endpoint: "%s", toJSON: () => (%s), unsubscribe: async () => true };
    PushManager.prototype.subscribe = async (options) => (self.subscribed = options, made);
    PushManager.prototype.getSubscription = async () => self.subscribed && made;
"""
KEPT = """async () => {
    await navigator.serviceWorker.ready;
    const found = [];
    for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
    return found;
}"""


def table_with_friend(visit: Visit) -> tuple[TablePlayer, TablePlayer]:
    """A host, whose turn it is, and a friend."""
    host, friend = visit(), visit()
    address = set_up(host, "human", "friend", title="Friday")
    (sitting,) = come(host, address, [friend])
    start(host, address, [friend])
    return TablePlayer(host), sitting


def state(page: Page) -> str:
    """What the page says about notifications."""
    shown = page.locator("#calls [data-state]:not([hidden])")
    expect(shown).to_have_count(1)
    return str(shown.get_attribute("data-state"))


def icon(page: Page) -> str:
    """The icon of the page in the list of tabs."""
    return str(page.locator("link[rel=icon]").get_attribute("href")).rpartition("/")[2]


# -------------------------------------------------------------------------------------------------- called back

BELL = 659  # hertz: no other sound has this tone
TONES = """
    self.tones = [];
    const set = AudioParam.prototype.setValueAtTime;
    AudioParam.prototype.setValueAtTime = function (value, at) {
        self.tones.push(value);
        return set.call(this, value, at);
    };
"""


def test_a_sound_calls_once_it_is_switched_on(visit: Visit) -> None:
    host, friend = table_with_friend(visit)
    friend.page.add_init_script(TONES)
    friend.page.reload()
    for expected in (False, True):
        host.wait_for_turn()
        host.hand_over()
        expect(friend.page).to_have_title(MY_TURN)
        friend.page.wait_for_function(f"(rings) => tones.includes({BELL}) === rings", arg=expected)
        if not expected:
            friend.wait_for_turn()
            friend.page.locator("#open-menu").click()
            friend.page.locator("#sound").select_option("on")
            friend.page.keyboard.press("Escape")
            friend.hand_over()
            expect(host.page).to_have_title(MY_TURN)
            friend.page.evaluate("tones = []")  # it has been heard when it was switched on


def test_title_and_icon_say_whose_turn_it_is(visit: Visit) -> None:
    host, friend = table_with_friend(visit)
    expect(host.page).to_have_title(MY_TURN)
    expect(friend.page).to_have_title(NOT_MY_TURN)
    assert icon(friend.page) == "icon.svg"
    host.wait_for_turn()
    host.hand_over()
    expect(friend.page).to_have_title(MY_TURN)
    expect(host.page).to_have_title(NOT_MY_TURN)
    assert (icon(host.page), icon(friend.page)) == ("icon.svg", "icon_turn.svg")
    picture = friend.page.request.get(str(friend.page.locator("link[rel=icon]").get_attribute("href")))
    assert picture.ok and "svg" in picture.headers["content-type"]


def test_a_page_in_the_background_notifies(visit: Visit, watches: list[Watch]) -> None:
    host, friend = table_with_friend(visit)
    watches[1].expect("Push API in incognito mode")  # so says Chromium when it is asked in a private window
    page = friend.page
    page.add_init_script(ALLOWED)
    page.reload()
    page.locator("#open-menu").click()
    assert state(page) == "off", "until it is switched on"
    page.locator("#notify").check()
    expect(page.locator("[data-state=open]")).to_be_visible()  # this browser has no push service
    page.keyboard.press("Escape")
    page.evaluate(LOOK_AWAY, True)
    host.wait_for_turn()
    host.hand_over()
    expect(page).to_have_title(MY_TURN)
    page.wait_for_function("shown.length")
    path = urlsplit(page.url).path
    told = {"title": "Friday", "body": "It is your turn.", "tag": path.rpartition("/")[2], "path": path}
    assert page.evaluate("shown") == [told]
    page.evaluate(LOOK_AWAY, False)
    page.wait_for_function("!shown.length")
    page.reload()
    page.locator("#open-menu").click()
    expect(page.locator("#notify")).to_be_checked()
    page.locator("#notify").uncheck()
    assert state(page) == "off"
    page.reload()
    page.locator("#open-menu").click()
    expect(page.locator("#notify")).not_to_be_checked()


def test_a_browser_subscribes_to_push_and_shows_what_is_pushed(server: RunningServer, page: Page) -> None:
    browser = Browser()
    keys = {"p256dh": browser.public_key, "auth": browser.secret}
    page.add_init_script(ALLOWED + SUBSCRIBED % (PUSHED_TO, json.dumps({"endpoint": PUSHED_TO, "keys": keys})))
    page.goto(set_up(page, "human", "captain", title="Friday"))
    page.locator("#open-menu").click()
    with page.expect_response(lambda answer: answer.url.endswith("/push") and answer.status == 204):
        page.locator("#notify").check()
    expect(page.locator("[data-state=push]")).to_be_visible()
    assert page.evaluate("subscribed.userVisibleOnly") is True
    assert re.fullmatch(r"B[\w-]{86}", page.evaluate("subscribed.applicationServerKey"))
    (worker,) = page.context.service_workers
    worker.evaluate(f"() => {{ {SHOWN} }}")
    game = urlsplit(page.url).path.rpartition("/")[2]
    push = json.dumps({"title": "Friday", "body": "It is your turn.", "game": game})
    deliver = delivery(page, server.address)
    deliver(push)  # the reader looks at that table
    deliver(push.replace(game, "../x"))
    deliver(push.replace(game, "elsewhere"))
    while not (told := worker.evaluate("shown")):
        page.wait_for_timeout(20)
    assert told == [
        {"title": "Friday", "body": "It is your turn.", "tag": "elsewhere", "path": "/games/elsewhere"},
    ]
    with page.expect_response(lambda answer: answer.url.endswith("/push/stop") and answer.status == 204):
        page.locator("#notify").uncheck()


def delivery(page: Page, origin: str) -> Callable[[str], None]:
    """A function that delivers a pushed message to the service worker of a page, as a push service would."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(
            each["registrationId"] for each in event["registrations"] if each["scopeURL"].startswith(origin)
        ),
    )
    session.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)

    def deliver(message: str) -> None:
        push = {"origin": origin, "registrationId": found[0], "data": message}
        session.send("ServiceWorker.deliverPushMessage", push)

    return deliver


# ---------------------------------------------------------------------------------- browsers that do not notify


def test_a_browser_that_refuses_says_so_and_nothing_is_lost(visit: Visit) -> None:
    host, friend = table_with_friend(visit)
    friend.page.add_init_script(ASKED_AND_REFUSED)
    friend.page.reload()
    friend.page.locator("#open-menu").click()
    friend.page.locator("#notify").click()
    expect(friend.page.get_by_text("Your browser blocks notifications from this site")).to_be_visible()
    expect(friend.page.locator("#notify")).to_be_disabled()
    expect(friend.page.locator("#notify")).not_to_be_checked()
    check(friend.page, "#menu")
    friend.page.keyboard.press("Escape")
    host.wait_for_turn()
    host.hand_over()
    expect(friend.page).to_have_title(MY_TURN)
    friend.wait_for_turn()
    friend.hand_over()
    expect(host.page).to_have_title(MY_TURN)


def test_over_plain_http_the_page_says_what_notifications_need(
    server: RunningServer, page: Page, watches: list[Watch]
) -> None:
    """As on an evening at home: a name that is no localhost, and no https."""
    home = "http://capitan.home.arpa"
    watches[0].expect(home, "ERR_", "Cross-Origin-Opener-Policy")
    address = server.table("human", "captain", pace="instant")

    def forward(route: Route, request: Request) -> None:
        if request.url.endswith("/events") or "/events?" in request.url:
            route.abort()
        else:
            route.fulfill(response=page.request.get(server.address + request.url.removeprefix(home)))

    page.route(f"{home}/**", forward)
    page.goto(home + urlsplit(address).path)
    assert page.evaluate("isSecureContext") is False
    page.locator("#open-menu").click()
    expect(page.get_by_text("Notifications need https, and this page came over http.")).to_be_visible()
    expect(page.locator("#notify")).to_be_disabled()
    expect(page.locator("#sound")).to_be_enabled()
    expect(page).to_have_title(re.compile("^● Your turn"))


# ---------------------------------------------------------------------------------------------------- an app


def test_without_a_network_the_page_says_what_needs_one(
    server: RunningServer, page: Page, watches: list[Watch]
) -> None:
    watches[0].expect("ERR_INTERNET_DISCONNECTED", "Failed to fetch", "net::")
    page.goto(server.table("human", "captain", title="Friday"))
    kept = page.evaluate(KEPT)
    assert "/offline" in kept
    assert all(path == "/offline" or path.startswith("/static/") for path in kept), "no table and no key"
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert page.evaluate("document.styleSheets.length") == 2
    check(page)
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("#table.acting")).to_be_visible()


def test_the_page_can_be_installed(server: RunningServer, page: Page) -> None:
    page.goto("/")
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == [] and "manifest.webmanifest" in manifest["url"]
    problems = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in problems] in ([], ["in-incognito"]), "a window of a test is a private one"
