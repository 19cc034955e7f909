"""Addresses of this machine: the useful ones first, and none that other devices cannot use."""

import socket
from types import SimpleNamespace

import psutil
import pytest

from elcapitan.web import own_addresses as module
from elcapitan.web.own_addresses import in_links, is_local_url, outward_address, own_addresses, shareable

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
    monkeypatch.setattr(module, "outward_address", lambda: "192.168.1.20")
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
    monkeypatch.setattr(module, "outward_address", lambda: "")
    assert own_addresses("0.0.0.0") == ("172.17.0.1", "172.18.0.1")
    interfaces.clear()
    assert own_addresses("0.0.0.0") == ()


def test_without_a_list_of_interfaces_there_is_the_outward_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise PermissionError

    monkeypatch.setattr(psutil, "net_if_addrs", refused)
    monkeypatch.setattr(module, "outward_address", lambda: "192.168.1.20")
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
