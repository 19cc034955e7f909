"""Links: they have the address that was set, or one of this machine, and never what a request claims."""

from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient

from elcapitan.web import server_settings
from elcapitan.web.app import application
from elcapitan.web.server_settings import ServerSettings, addresses_of

PUBLIC = ServerSettings(public=True)
ODD = ("evil.example", "evil.example:80", "192.0.2.66:8000", "192.168.1.20:6666", "localhost:9", "[2001:db8::66]")


def asked(host: str, server: tuple[str, int] | None, scheme: str = "http") -> HTTPConnection:
    """A request to some address of this machine that claims to be for another."""
    scope: dict[str, Any] = {"type": "http", "scheme": scheme, "path": "/", "headers": [(b"host", host.encode())]}
    return HTTPConnection(scope | {"server": server, "query_string": b"", "root_path": "", "method": "GET"})


@pytest.mark.parametrize("host", ODD)
@pytest.mark.parametrize(
    ("server", "address"),
    [
        (("192.168.1.20", 8000), "http://192.168.1.20:8000"),
        (("::ffff:192.168.1.20", 8000), "http://192.168.1.20:8000"),
        (("2001:db8::5", 8000), "http://[2001:db8::5]:8000"),
        (("10.0.0.7", 80), "http://10.0.0.7"),
        (("127.0.0.1", 8000), "http://192.168.1.20:8000"),
        (("::1", 8000), "http://192.168.1.20:8000"),
        (("fe80::1%eth0", 8000), "http://192.168.1.20:8000"),
    ],
)
def test_a_server_for_others_uses_the_address_they_came_to(
    monkeypatch: pytest.MonkeyPatch, host: str, server: tuple[str, int], address: str
) -> None:
    monkeypatch.setattr(server_settings, "own_addresses", lambda _host: ("192.168.1.20", "10.1.2.3"))
    assert addresses_of(asked(host, server), PUBLIC)[0] == address


@pytest.mark.parametrize("host", ODD)
@pytest.mark.parametrize(
    ("server", "listens", "found"),
    [
        (("127.0.0.1", 8000), "0.0.0.0", ["192.168.1.20:8000", "10.1.2.3:8000"]),
        (("127.0.0.2", 8000), "0.0.0.0", ["192.168.1.20:8000", "10.1.2.3:8000"]),
        (("10.1.2.3", 8000), "0.0.0.0", ["10.1.2.3:8000", "192.168.1.20:8000"]),
        (("172.17.0.1", 8000), "::", ["172.17.0.1:8000", "192.168.1.20:8000", "10.1.2.3:8000"]),
        (("10.1.2.3", 8000), "10.1.2.3", ["10.1.2.3:8000"]),
    ],
)
def test_all_addresses_that_a_server_listens_on_are_offered(
    monkeypatch: pytest.MonkeyPatch, host: str, server: tuple[str, int], listens: str, found: list[str]
) -> None:
    monkeypatch.setattr(server_settings, "own_addresses", lambda _host: ("192.168.1.20", "10.1.2.3"))
    settings = ServerSettings(public=True, host=listens)
    assert list(addresses_of(asked(host, server), settings)) == [f"http://{each}" for each in found]


@pytest.mark.parametrize("host", ODD)
def test_an_address_that_was_set_is_used(host: str) -> None:
    settings = ServerSettings(public=True, base_url="https://capitan.example/")
    assert addresses_of(asked(host, ("192.168.1.20", 8000)), settings) == ("https://capitan.example",)


@pytest.mark.parametrize("name", ["localhost:8000", "127.0.0.1:8000", "[::1]:9000"])
def test_on_ones_own_machine_it_is_the_name_one_uses(name: str) -> None:
    """Such a server answers to these names only."""
    assert addresses_of(asked(name, ("127.0.0.1", 8000)), ServerSettings()) == (f"http://{name}",)


def test_without_a_network_there_is_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_settings, "own_addresses", lambda _host: ())
    assert addresses_of(asked("evil.example", ("127.0.0.1", 8000)), PUBLIC) == ("http://localhost:8000",)
    assert addresses_of(asked("localhost", ("192.168.1.20", 8000)), PUBLIC) == ("http://192.168.1.20:8000",)


def test_no_answer_repeats_the_name_of_another_machine(tmp_path: Path) -> None:
    """Links of the API and of the pages, made by a server that answers to every name."""
    app = application(tmp_path / "games.db", ["*"], PUBLIC)
    with TestClient(app, headers={"Host": "evil.example"}, follow_redirects=False) as client:
        seats = [{"player": "human"}, {"player": "friend"}]
        made = client.post("/api/v1/games", json={"seats": seats})
        assert made.status_code == 201
        assert "http://testserver/join#" in made.text and "evil.example" not in made.text
        game, key = made.json()["game"], {"Authorization": f"Bearer {made.json()['host_key']}"}
        invited = client.post(f"/games/{game}/invite", data={"role": "seat-1"}, headers=key)
        further = client.post(f"/api/v1/games/{game}/keys", json={"role": "seat-1"}, headers=key)
        for answer in (invited, further, client.get(f"/games/{game}", headers=key)):
            assert answer.status_code < 400
            assert "evil.example" not in answer.text
        assert "http://testserver/join#" in invited.text and "http://testserver/join#" in further.text
