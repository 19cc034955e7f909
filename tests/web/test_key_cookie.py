"""The cookie that keeps a browser's keys, and the page that asks before a link adds one."""

import re
from collections.abc import Iterator
from itertools import product

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient
from tests.web.callers_and_keys import bearing, created

from elcapitan.web.app import application
from elcapitan.web.auth import (
    COOKIE,
    LINK,
    MOST_COOKIES,
    MOST_KEYS,
    OWN,
    SECURE_COOKIE,
    StoredKey,
    stored_keys,
    with_key,
)
from elcapitan.web.server_settings import ServerSettings

ALONE = {"player0": "human", "player1": "human", "colour0": "0", "colour1": "1"}  # nobody else is at work
HTTPS = "https://testserver"
FORBIDDEN = 403


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A visitor to a public server."""
    app = application(tmp_path_factory.mktemp("server") / "games.db", settings=ServerSettings(public=True))
    with TestClient(app, follow_redirects=False) as client:
        yield client


@pytest.fixture(autouse=True)
def without_cookies(client: TestClient) -> None:
    """A browser that has no cookies yet."""
    client.cookies.clear()


def read(*cookies: str) -> list[StoredKey]:
    """What is read of some cookies, each with its name."""
    return stored_keys(Request({"type": "http", "headers": [(b"cookie", "; ".join(cookies).encode("latin-1"))]}))


def set_cookies(answer: object) -> dict[str, str]:
    """The cookies that an answer sets, by name, with everything said about them."""
    headers = answer.headers  # type: ignore[attr-defined]
    return {line.partition("=")[0]: line.partition("=")[2] for line in headers.get_list("set-cookie")}


def items(value: str) -> list[str]:
    """The entries in the value of a cookie."""
    return value.partition(";")[0].split(".")


# ---------------------------------------------------------------------------------------------------------- what is set


def test_the_cookie_cannot_be_read_by_scripts_and_goes_nowhere_else(client: TestClient) -> None:
    (sent,) = set_cookies(client.post("/games", data=ALONE)).values()
    assert "HttpOnly" in sent and "samesite=lax" in sent.lower() and "Path=/" in sent and "Secure" not in sent
    client.cookies.clear()
    secure = set_cookies(client.post(f"{HTTPS}/games", data=ALONE))
    assert set(secure) == {SECURE_COOKIE}
    assert "Secure" in secure[SECURE_COOKIE] and "Path=/" in secure[SECURE_COOKIE] and "Domain" not in str(secure)


@pytest.mark.parametrize("cookie", ["", ":", "a", "a:", ":b", "....", "a:b.:c.d:", "\x7f:;", "a:b:c:d", "::::"])
def test_a_cookie_of_any_kind_is_read(cookie: str) -> None:
    assert all(entry.game and entry.token for entry in read(f"{COOKIE}={cookie}"))


def test_every_cookie_of_the_name_counts(client: TestClient) -> None:
    made = created(client)
    own, junk = f"{COOKIE}={made['game']}:{made['host_key']}", f"{COOKIE}=other:junk"
    for sent in (f"{own}; {junk}", f"{junk}; {own}", f"{own}; {COOKIE}="):
        assert client.get(f"/games/{made['game']}/invite", headers={"cookie": sent}).status_code == 200, sent


def test_so_many_cookies_of_the_name_are_read_and_no_more() -> None:
    many = [f"{COOKIE}=" + ".".join(f"g{one}n{two}:t" for two in range(2 * MOST_KEYS)) for one in range(20)]
    assert len(read(*many)) == MOST_COOKIES * MOST_KEYS


def test_what_has_the_plain_name_counts_for_nothing_beside_the_secure_one() -> None:
    assert read(f"{COOKIE}=other:junk", f"{SECURE_COOKIE}=game:token:own") == [StoredKey("game", "token", OWN)]


# ------------------------------------------------------------------------------------------------------ which keys stay


def opening(kept: list[StoredKey], roles: dict[str, str]) -> dict[str, tuple[str, str]]:
    """What each token opens; a role is named by the first letter of the token."""
    return {entry.token: (entry.game, roles[entry.token[0]]) for entry in kept}


ROLES = {"h": "host", "w": "watch", "s": "seat-1"}


def test_of_each_game_and_role_the_newest_key_is_kept() -> None:
    older = [
        StoredKey(game, f"{letter}{game}{number}", LINK) for number, game, letter in product(range(30), "ab", "hws")
    ]
    new = StoredKey("a", "s-new", LINK)
    kept = with_key(new, older, opening([new, *older], ROLES))
    assert [entry.token for entry in kept] == ["s-new", "ha0", "wa0", "hb0", "wb0", "sb0"]


@pytest.mark.parametrize("letter", ["h", "w", "s"])
def test_links_of_others_push_no_key_to_an_own_game_out(letter: str) -> None:
    own = StoredKey("mine", "h-mine", OWN)
    kept = [own]
    for number in range(3 * MOST_KEYS):
        new = StoredKey(f"foreign{number}", f"{letter}{number}", LINK)
        kept = with_key(new, kept, opening([new, *kept], ROLES))
    assert len(kept) == MOST_KEYS
    assert kept[-1] == own and kept[0].game == f"foreign{3 * MOST_KEYS - 1}"


def test_keys_to_watch_go_before_seats_and_the_oldest_first() -> None:
    older = [StoredKey(f"g{number}", f"{'ws'[number % 2]}{number}", LINK) for number in range(MOST_KEYS)]
    new = StoredKey("new", "s-new", LINK)
    kept = with_key(new, older, opening([new, *older], ROLES))
    assert set(older) - set(kept) == {StoredKey(f"g{MOST_KEYS - 2}", f"w{MOST_KEYS - 2}", LINK)}


def test_a_link_to_an_own_game_leaves_it_an_own_one_and_what_opens_nothing_goes() -> None:
    own, dead, old = StoredKey("mine", "h1", OWN), StoredKey("gone", "h2", OWN), StoredKey("before", "h3")
    new = StoredKey("mine", "h-new", LINK)
    kept = with_key(new, [own, dead, old], opening([new, own, old], ROLES))
    assert kept == [StoredKey("mine", "h-new", OWN), StoredKey("before", "h3", OWN)]


def test_a_cookie_full_of_junk_leaves_the_host_the_own_key(client: TestClient) -> None:
    (own,) = items(set_cookies(client.post("/games", data=ALONE))[COOKIE])
    junk = ".".join(f"game{number}:token{number}:own" for number in range(MOST_KEYS))
    client.cookies.clear()
    sent = {"cookie": f"{COOKIE}={junk}; {COOKIE}={own}"}
    made = created(client)
    answer = client.post("/join", data={"key": made["watch_key"]}, headers=sent)
    assert items(set_cookies(answer)[COOKIE]) == [f"{made['game']}:{made['watch_key']}:{LINK}", own]


# -------------------------------------------------------------------------------------------- cookies of older versions


def test_the_cookie_of_an_older_version_is_rewritten_with_the_first_page(client: TestClient) -> None:
    made = created(client)
    old = f"{made['game']}:{made['host_key']}"
    page = client.get(f"{HTTPS}/games/{made['game']}/invite", headers=bearing(old))
    assert page.status_code == 200
    sent = set_cookies(page)
    assert items(sent[SECURE_COOKIE]) == [old] and "Max-Age=0" in sent[COOKIE]
    client.cookies.clear()
    again = client.get(f"{HTTPS}/games/{made['game']}/invite", headers={"cookie": f"{SECURE_COOKIE}={old}"})
    assert again.status_code == 200 and not set_cookies(again)
    assert not set_cookies(client.get(f"/games/{made['game']}/invite", headers=bearing(old)))  # without https


def test_a_new_key_is_added_to_those_of_an_older_version(client: TestClient) -> None:
    made, other = created(client), created(client)
    old = f"{made['game']}:{made['host_key']}"
    sent = set_cookies(client.post(f"{HTTPS}/join", data={"key": other["watch_key"]}, headers=bearing(old)))
    assert items(sent[SECURE_COOKIE]) == [f"{other['game']}:{other['watch_key']}:{LINK}", f"{old}:{OWN}"]
    assert "Max-Age=0" in sent[COOKIE]


# ---------------------------------------------------------------------------------------- asking before a seat is taken


def looked_at(client: TestClient, key: str, cookie: str = "") -> tuple[int, str]:
    """What the page of a link says to the script that shows its key."""
    answer = client.get("/join", headers={"authorization": f"Bearer {key}", **bearing(cookie)})
    assert not set_cookies(answer)
    return answer.status_code, answer.text


def test_a_link_says_what_it_opens_and_takes_nothing(client: TestClient) -> None:
    made = created(client)
    keys = {"host": made["host_key"], "watch": made["watch_key"], "seat": made["seat_keys"][1]["key"]}
    for kind, said in (("seat", "This link gives you the seat of"), ("host", "host of the table"), ("watch", "watch")):
        status, part = looked_at(client, keys[kind])
        assert status == 200 and said in part and f'value="{keys[kind]}"' in part and "data-known" not in part
        assert 'method="post"' in part and "<html" not in part
    assert looked_at(client, "nonsense")[0] == FORBIDDEN


def test_only_a_seat_that_the_browser_has_needs_no_click(client: TestClient) -> None:
    made, other = created(client), created(client)
    seats = [f"{made['game']}:{each['key']}" for each in made["seat_keys"]]
    link = str(made["seat_keys"][1]["key"])
    for cookie, known in (
        (seats[1], True),
        (seats[2], False),
        (f"{made['game']}:{made['host_key']}", False),
        (f"{other['game']}:{other['seat_keys'][1]['key']}", False),
        (f"{made['game']}:{other['seat_keys'][1]['key']}", False),
        ("", False),
    ):
        assert ("data-known" in looked_at(client, link, cookie)[1]) == known, cookie


def test_the_script_posts_nothing_but_what_the_browser_knows(client: TestClient) -> None:
    path = re.search(r'src="(/static/\w+/join\.js)"', client.get("/join").text)
    assert path
    script = client.get(path[1]).text
    assert script.count("requestSubmit") == 1 and '"known" in form.dataset) form.requestSubmit()' in script
    assert "POST" not in script and ".submit(" not in script
