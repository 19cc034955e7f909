"""The options of `elcapitan serve` that make a house: what they accept, what they refuse, what comes of them."""

from pathlib import Path

import pytest
from tests.cli.running import mistake

from elcapitan.cli.command_line import BadInput
from elcapitan.cli.serve import server
from elcapitan.cli.serve_options import (
    ADMIN_VARIABLE,
    admin_of,
    hosts_of,
    limits_of,
    ports_of,
    read_base_url,
    read_proxies,
)
from elcapitan.web.app import LOCAL, application
from elcapitan.web.server_settings import Limits, ServerSettings, hashed, is_local

TOKEN = "0123456789abcdefghij"


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.5", False),
        ("capitan.example", False),
    ],
)
def test_what_other_machines_can_reach_is_public(host: str, local: bool) -> None:
    assert is_local(host) == local


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://capitan.example", "https://capitan.example"),
        ("https://Capitan.Example/", "https://capitan.example"),
        (" http://192.168.1.5:8000 ", "http://192.168.1.5:8000"),
        ("http://[2001:db8::1]:8000", "http://[2001:db8::1]:8000"),
    ],
)
def test_public_addresses(text: str, url: str) -> None:
    assert read_base_url(text) == url


@pytest.mark.parametrize(
    "text",
    [
        "",
        "capitan.example",
        "ftp://capitan.example",
        "https://",
        "https://x/table",
        "https://x?y",
        "https://x#y",
        "https://user@x",
        "http://[::1",
        "http://x:0",
        "http://x:99999",
        "javascript:alert(1)",
    ],
)
def test_other_addresses_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_base_url(text)


def test_the_names_a_house_answers_to() -> None:
    assert hosts_of("", LOCAL, public=False) == LOCAL
    assert all(is_local(name.strip("[]")) for name in LOCAL), "a name that others can have would let their pages in"
    assert hosts_of("", LOCAL, public=True) == ("*",)
    assert hosts_of("https://capitan.example:8443", LOCAL, public=True) == ("capitan.example", *LOCAL)
    assert hosts_of("http://[2001:db8::1]:8000", LOCAL, public=True) == ("[2001:db8::1]", *LOCAL)


def test_ports_as_they_are_typed() -> None:
    assert ports_of("") == frozenset()
    assert ports_of("8080, 8443") == {8080, 8443}
    for text in ("0", "65536", "http", "80-90", "8080;8443", "-1", "9" * 5000):
        with pytest.raises(BadInput):
            ports_of(text)


def test_limits_as_they_are_typed() -> None:
    assert limits_of("") == Limits()
    assert limits_of("off") is None
    assert limits_of("games=5, requests = 7") == Limits(games=5, requests=7)
    for text in ("on", "games", "games=", "games=0", "games=-1", "games=1.5", "apples=3", "games=99999999"):
        with pytest.raises(BadInput):
            limits_of(text)


def test_proxies_that_are_believed() -> None:
    assert read_proxies("127.0.0.1, 10.0.0.0/8") == "127.0.0.1,10.0.0.0/8"
    for text in ("*", "proxy", "127.0.0.1,", ""):
        with pytest.raises(BadInput):
            read_proxies(text)


def test_the_token_of_the_admin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ADMIN_VARIABLE, raising=False)
    assert admin_of(None) == ""
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    assert admin_of(file) == hashed(TOKEN)
    assert ServerSettings(admin=admin_of(file)).is_admin(f"Bearer {TOKEN}")
    monkeypatch.setenv(ADMIN_VARIABLE, TOKEN)
    assert admin_of(None) == hashed(TOKEN)
    for bad in ("", "short", "with spaces in it, and long"):
        file.write_text(bad)
        with pytest.raises(BadInput):
            admin_of(file)
    with pytest.raises(BadInput):
        admin_of(tmp_path / "nothing")
    monkeypatch.setenv(ADMIN_VARIABLE, "short")
    with pytest.raises(BadInput):
        admin_of(None)


def test_what_requests_say_about_themselves_is_ignored_unless_a_proxy_is_named(tmp_path: Path) -> None:
    app = application(tmp_path / "games.db")
    alone, behind = server(app, "", limited=False).config, server(app, "10.0.0.1", limited=True).config
    assert not alone.proxy_headers
    assert behind.proxy_headers and behind.forwarded_allow_ips == "10.0.0.1"


def test_mistakes_get_a_sentence(tmp_path: Path) -> None:
    assert mistake("serve", "--base-url", "capitan").startswith("--base-url wants an address such as")
    assert mistake("serve", "--public").startswith("--public needs --base-url, the address for links")
    assert mistake("serve", "--webhook-ports", "x").startswith("--webhook-ports wants a whole number")
    assert mistake("serve", "--proxy", "*").startswith("--proxy wants addresses or networks")
    assert mistake("serve", "--limits", "x").startswith("--limits wants off, or numbers")
    assert mistake("serve", "--log", "loud").startswith("--log wants one of quiet, plain, json")
    assert "cannot be read" in mistake("serve", "--admin-token-file", tmp_path / "nothing")
