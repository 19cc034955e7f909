"""Being called back: who subscribes to push and how it ends; the service worker, the manifest, previews of links."""

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.push_service import PushService, push_service
from tests.web.callers_and_keys import HOST, OTHER, STRANGER, WATCHER, Party, party
from tests.web.drawn_tables import Reading

from elcapitan.service import Tables
from elcapitan.service.open_table import CHANGES_AT_ONCE, Allowance
from elcapitan.store.push_store import PushStore
from elcapitan.web.app import application
from elcapitan.web.security import SECURITY_HEADERS
from elcapitan.web.server_settings import ServerSettings
from elcapitan.web.static_files import STATIC_FILES, static, static_digest

FRIENDLY = "friend"
BASE_URL = "https://capitan.example"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = ServerSettings(public=True, allow_local_webhooks=True)
    app = application(tmp_path_factory.mktemp("server") / "games.db", settings=settings)
    with TestClient(app, follow_redirects=False) as client:
        yield client


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as service:
        yield service


def told(client: TestClient, table: Party) -> list[tuple[str, str]]:
    """The role and the address of all who are told of a table."""
    tables: Tables = client.app.state.tables  # type: ignore[attr-defined]
    assert client.portal
    found = client.portal.call(PushStore(tables.store).of_game, table.game)
    return sorted((each.role, each.subscription.address.split("/")[-2]) for each in found)


def send(client: TestClient, table: Party, who: str, fields: dict[str, str], path: str = "push") -> int:
    """Send a form in somebody's name; the status of the answer."""
    answer = client.post(f"/games/{table.game}/{path}", data=fields, headers=table.headers(who, "cookie"))
    return int(answer.status_code)


# ----------------------------------------------------------------------------------------------------- subscribing


def test_a_subscription_belongs_to_the_seat_of_the_key(client: TestClient, service: PushService) -> None:
    table = party(client, "")
    for who in (FRIENDLY, OTHER, HOST, FRIENDLY):
        assert send(client, table, who, service.endpoint(who)) == 204
    assert told(client, table) == [("host", HOST), ("seat-1", FRIENDLY), ("seat-2", OTHER)]
    for who in (WATCHER, STRANGER):
        assert send(client, table, who, service.endpoint(who)) == 403
    gone = {"address": service.endpoint(FRIENDLY)["address"]}
    assert send(client, table, OTHER, gone, "push/stop") == 204
    assert len(told(client, table)) == 3, "another seat's is left alone"
    assert send(client, table, FRIENDLY, gone, "push/stop") == 204
    assert send(client, table, FRIENDLY, gone, "push/stop") == 204, "twice does no harm"
    assert told(client, table) == [("host", HOST), ("seat-2", OTHER)]


def test_every_player_is_told_the_same_key_of_the_server(client: TestClient) -> None:
    table = party(client, "")
    answers = [
        client.get(f"/games/{table.game}/push", headers=table.headers(who, "cookie")).json()
        for who in (FRIENDLY, OTHER, HOST)
    ]
    assert answers[0] == answers[1] == answers[2]
    assert re.fullmatch(r"B[\w-]{86}", answers[0]["key"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("address", "http://push.example/x"),
        ("address", "https://push.example/" + "x" * 5000),
        ("address", "https://8.8.8.8:25/"),
        ("address", ""),
        ("public_key", "x" * 50_000),
        ("secret", "no secret"),
    ],
)
def test_what_no_browser_sends_is_refused(client: TestClient, service: PushService, field: str, value: str) -> None:
    table = party(client, "")
    assert send(client, table, FRIENDLY, {**service.endpoint("x"), field: value}) == 422
    missing = {name: each for name, each in service.endpoint("x").items() if name != field}
    assert send(client, table, FRIENDLY, missing) == 422
    assert told(client, table) == []


def test_a_seat_subscribes_so_often_and_no_more(client: TestClient, service: PushService) -> None:
    table = party(client, "")
    statuses = [send(client, table, FRIENDLY, service.endpoint(str(turn % 2))) for turn in range(CHANGES_AT_ONCE)]
    assert set(statuses) == {204}
    tables: Tables = client.app.state.tables  # type: ignore[attr-defined]
    tables.in_memory[table.game].allowances[1] = Allowance(1, 0.001)
    wanted = [service.endpoint(name) for name in ("1", "x", "x", "y")]  # the same once more changes nothing
    assert [send(client, table, FRIENDLY, each) for each in wanted] == [204, 204, 204, 429]
    assert send(client, table, OTHER, service.endpoint("x")) == 204, "others are not kept from it"


def test_on_a_local_server_it_takes_a_key_too(tmp_path: Path, service: PushService) -> None:
    with TestClient(application(tmp_path / "games.db"), follow_redirects=False) as client:
        table = party(client, "")
        assert client.get(f"/games/{table.game}").status_code == 200
        answer = client.post(f"/games/{table.game}/push", data=service.endpoint("x"))
        assert answer.status_code == 422, "an address of the own network"
        outside = {**service.endpoint("x"), "address": "https://push.example/x/1"}
        assert client.post(f"/games/{table.game}/push", data=outside).status_code == 403
        assert send(client, table, FRIENDLY, outside) == 204


# -------------------------------------------------------------------------------------------- the page of a table


def page(client: TestClient, table: Party, who: str) -> Reading:
    """The page of a table as somebody sees it."""
    return Reading(client.get(f"/games/{table.game}", headers=table.headers(who, "cookie")).text)


def test_a_title_says_whose_turn_it_is(client: TestClient) -> None:
    table = party(client, "")
    pages = {who: page(client, table, who) for who in (HOST, FRIENDLY, WATCHER)}
    titles = {who: [each.text for each in found.elements if each.tag == "title"] for who, found in pages.items()}
    mine = "● Your turn – El Capitán"  # noqa: RUF001
    assert titles == {HOST: [mine], FRIENDLY: ["El Capitán"], WATCHER: ["El Capitán"]}
    assert pages[HOST].by_id("calls")["data-turn-title"] == mine


def test_notifications_are_offered_to_players(client: TestClient) -> None:
    table = party(client, "")
    offered = page(client, table, FRIENDLY).by_id("calls")
    assert offered["data-push"] == f"/games/{table.game}/push" and "hidden" in offered.attributes
    assert page(client, table, WATCHER).ids("calls") == []


# ------------------------------------------------------------------------------------- an application of its own


def test_the_service_worker_and_its_page(client: TestClient) -> None:
    worker = client.get("/service-worker.js", params={"static": static_digest(), "language": "en"})
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-store"
    offline = client.get("/offline")
    files = re.findall(rf'(?:href|src)="/static/{static_digest()}/([^"#]+)', offline.text)
    kept = re.search(r"FILES = \[([^\]]*)\]", worker.text)
    assert kept and {json.loads(name) for name in kept[1].split(", ")} >= set(files) - {"manifest.webmanifest"}
    assert not re.search(r"/(games|join|api)", offline.text), "it says nothing of a table"


def test_what_the_service_worker_keeps(client: TestClient) -> None:
    """The page for when there is no network and its files: no table, no answer of the API, no key."""
    script = (STATIC_FILES / "service_worker.js").read_text(encoding="utf-8")
    assert re.findall(r"cache\.(\w+)\(([^)]*)\)", script) == [("addAll", "[OFFLINE, ...FILES]")]
    assert ".put(" not in script


def test_the_manifest(client: TestClient) -> None:
    address = static("manifest.webmanifest")
    answer = client.get(address)
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    for icon in manifest["icons"]:
        picture = client.get(static(icon["src"]))
        assert picture.headers["content-type"] == icon["type"]
        if icon["sizes"] != "any":
            assert icon["sizes"] == "{}x{}".format(*size(picture.content))
    theme = (STATIC_FILES / "theme.css").read_text(encoding="utf-8")
    assert f"--page: light-dark({manifest['background_color']}," in theme
    assert manifest["theme_color"] == manifest["background_color"]


def size(png: bytes) -> tuple[int, ...]:
    """Width and height of a picture."""
    assert png.startswith(b"\x89PNG")
    return struct.unpack(">II", png[16:24])


def test_the_security_policy_allows_a_manifest_and_a_worker_of_our_own_and_nothing_else() -> None:
    policy = dict(each.split(" ", 1) for each in SECURITY_HEADERS["Content-Security-Policy"].split("; "))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "worker-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }


# ------------------------------------------------------------------------------------------------ previews of links


def preview(html: str) -> dict[str, str]:
    """What a messenger shows of a link."""
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', html))


def test_every_link_has_the_same_preview_and_it_says_nothing_of_a_table(tmp_path: Path) -> None:
    settings = ServerSettings(public=True, base_url=BASE_URL)
    with TestClient(application(tmp_path / "games.db", settings=settings)) as client:
        table = party(client, "")
        place = f"/games/{table.game}"
        client.post(f"{place}/settings", data={"title": "Secret"}, headers=table.headers(HOST, "cookie"))
        pages = [client.get(path).text for path in ("/", "/join", "/join?again=1", "/nowhere", place)]
        pages += [client.get(place, headers=table.headers(who, "cookie")).text for who in (HOST, FRIENDLY)]
        assert "Secret" in pages[-1] and "Secret" not in pages[-3]
        shown = [preview(each) for each in pages]
        assert all(each == shown[0] for each in shown)
        assert shown[0]["og:image"] == f"{BASE_URL}{static('preview.png')}"
        assert "Secret" not in str(shown[0]) and table.game not in str(shown[0])
        assert size(client.get(static("preview.png")).content) == (1200, 630)
        dimensions = shown[0]["og:image:width"], shown[0]["og:image:height"]
        assert dimensions == ("1200", "630") and shown[0]["twitter:card"] == "summary_large_image"


def test_a_preview_names_no_host_that_a_stranger_has_written(tmp_path: Path) -> None:
    with TestClient(application(tmp_path / "games.db", hosts=["*"])) as client:
        html = client.get("/join", headers={"host": "elsewhere.example"}).text
        assert "elsewhere.example" not in preview(html)["og:image"]
