"""Links have the address that was set, or a useful one of this machine, and never what a request claims."""

import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient

from elcapitan.web import server_settings
from elcapitan.web.app import application
from elcapitan.web.server_settings import (
    ServerSettings,
    addresses_of,
    in_links,
    is_local_url,
    outward_address,
    own_addresses,
    shareable,
)

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


# ----------------------------------------------------------------------------------------------------- addresses

LAPTOP = {
    "lo": ["127.0.0.1", "::1"],
    "tun0": ["100.64.3.4"],
    "docker0": ["172.17.0.1"],
    "br-0123456789ab": ["172.18.0.1"],
    "veth12ab": ["fe80::1%veth12ab"],
    "eth0": ["10.1.2.3", "2a02:8070::5", "fe80::2%eth0"],
    "wlan0": ["192.168.1.20", "169.254.7.7"],
    "eth1": ["192.168.9.9"],
}
DOWN = {"eth1"}


@pytest.fixture
def interfaces(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The network interfaces of a laptop, to be changed; its default route is by Wi-Fi."""
    found = {name: list(addresses) for name, addresses in LAPTOP.items()}

    def addresses() -> dict[str, list[SimpleNamespace]]:
        return {name: [_address(each) for each in given] for name, given in found.items()}

    monkeypatch.setattr(psutil, "net_if_addrs", addresses)
    states = {name: SimpleNamespace(isup=name not in DOWN) for name in LAPTOP}
    monkeypatch.setattr(psutil, "net_if_stats", lambda: states)
    monkeypatch.setattr(server_settings, "outward_address", lambda: "192.168.1.20")
    return found


def _address(text: str) -> SimpleNamespace:
    return SimpleNamespace(family=socket.AF_INET6 if ":" in text else socket.AF_INET, address=text)


@pytest.mark.usefixtures("interfaces")
def test_private_addresses_come_first_and_containers_are_left_out() -> None:
    assert own_addresses("0.0.0.0") == ("192.168.1.20", "10.1.2.3", "100.64.3.4")
    assert own_addresses("::") == ("192.168.1.20", "10.1.2.3", "100.64.3.4", "2a02:8070::5")


@pytest.mark.usefixtures("interfaces")
@pytest.mark.parametrize(
    ("host", "found"),
    [("192.168.1.20", ("192.168.1.20",)), ("laptop.local", ("laptop.local",)), ("127.0.0.2", ()), ("localhost", ())],
)
def test_a_server_that_listens_on_one_address_has_only_that(host: str, found: tuple[str, ...]) -> None:
    assert own_addresses(host) == found


def test_an_address_between_containers_is_better_than_none(
    interfaces: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("tun0", "eth0", "wlan0"):
        del interfaces[name]
    monkeypatch.setattr(server_settings, "outward_address", lambda: "")
    assert own_addresses("0.0.0.0") == ("172.17.0.1", "172.18.0.1")
    interfaces.clear()
    assert own_addresses("0.0.0.0") == ()


def test_without_a_list_of_interfaces_there_is_the_outward_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise PermissionError

    monkeypatch.setattr(psutil, "net_if_addrs", refused)
    monkeypatch.setattr(server_settings, "outward_address", lambda: "192.168.1.20")
    assert own_addresses() == ("192.168.1.20",)


def test_every_address_is_one_of_this_machine() -> None:
    for found in filter(None, (*own_addresses(), outward_address())):
        with socket.socket(socket.AF_INET6 if ":" in found else socket.AF_INET) as line:
            line.bind((found, 0))  # no other machine's address can be bound
        assert shareable(found) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("192.168.1.20", "192.168.1.20"),
        ("::ffff:192.168.1.20", "192.168.1.20"),
        ("2a02:8070::5", "2a02:8070::5"),
        ("capitan.example", "capitan.example"),
        ("localhost", ""),
        ("127.0.0.2", ""),
        ("::1", ""),
        ("0.0.0.0", ""),
        ("169.254.1.1", ""),
        ("fe80::1%eth0", ""),
        ("", ""),
    ],
)
def test_what_other_machines_can_use(name: str, found: str) -> None:
    assert shareable(name) == found


def test_links_that_only_this_machine_can_open() -> None:
    for address in ("http://localhost:8000", "http://127.0.0.2", "http://[::1]:8000"):
        assert is_local_url(address)
    for address in ("http://192.168.1.20:8000", "https://capitan.example", "http://[2a02:8070::5]"):
        assert not is_local_url(address)
    assert in_links("2a02:8070::5") == "[2a02:8070::5]" and in_links("10.0.0.7") == "10.0.0.7"


def test_without_a_network_there_is_no_outward_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_way(*_address: object) -> None:
        raise OSError("network is unreachable")

    class Unreachable(socket.socket):
        connect = no_way

    monkeypatch.setattr(socket, "socket", Unreachable)
    assert outward_address() == ""
