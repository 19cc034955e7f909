"""The addresses at which other devices in the network find this machine, the most useful first."""

import ipaddress
import re
import socket
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

EVERYWHERE: Final = ("0.0.0.0", "::")  # a server that listens on one of these is reached at all addresses
ALL_IPV4, ALL_IPV6 = EVERYWHERE
LOCALHOST: Final = "localhost"
IPV4: Final = 4
MOST: Final = 4  # addresses that are offered
# Networks between this machine and its containers or virtual machines, which no other device can reach.
VIRTUAL: Final = re.compile(
    r"docker|br-[0-9a-f]{12}$|veth|virbr|vmnet|vboxnet|cni|flannel|cali|podman|lxc|lxd|bridge1\d\d|vEthernet|VMware"
    r"|VirtualBox",
    re.IGNORECASE,
)
# Addresses from the documentation ranges, which no machine has. Connecting a datagram socket to one sends nothing.
ELSEWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


def own_addresses(host: str = ALL_IPV6) -> tuple[str, ...]:
    """Return the addresses of this machine for a server that listens on `host`: all, those of IPv4, or only that one.

    Private IPv4 addresses come first, then other IPv4, then IPv6; among them, the one that is used to reach other
    networks. Loopback and link-local addresses are left out, and those of containers if there are others.
    """
    if host and host not in EVERYWHERE:
        found = shareable(host)
        return (found,) if found else ()
    outward = shareable(outward_address())
    interfaces = [("", ipaddress.ip_address(outward))] if outward else []
    interfaces += _interfaces()
    if host == ALL_IPV4:
        interfaces = [(name, address) for name, address in interfaces if address.version == IPV4]
    real = [address for name, address in interfaces if not VIRTUAL.match(name)]
    ranked = sorted(real or [address for _name, address in interfaces], key=_rank)
    return tuple(dict.fromkeys(map(str, ranked)))[:MOST]


def _interfaces() -> Iterator[tuple[str, IpAddress]]:
    """Yield name and address of every network interface that is up, without loopback and link-local addresses."""
    import psutil  # noqa: PLC0415 - most commands do without it

    try:
        addresses, states = psutil.net_if_addrs(), psutil.net_if_stats()
    except OSError:  # not allowed, as on some phones
        return
    for name, found in addresses.items():
        if name in states and not states[name].isup:
            continue
        for each in found:
            if each.family in (socket.AF_INET, socket.AF_INET6) and (address := shareable(each.address)):
                yield name, ipaddress.ip_address(address)


def _rank(address: IpAddress) -> int:
    """Rank an address by how likely it is that friends in the network can use it, 0 for the most."""
    if address.version == IPV4:
        return 0 if address.is_private else 1
    return 2


def shareable(name: str) -> str:
    """Return a name or an address if other machines can use it in links, otherwise nothing."""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return "" if name == LOCALHOST else name
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_loopback or address.is_unspecified or address.is_link_local or address.is_multicast:
        return ""
    return str(address)


def outward_address() -> str:
    """Return the address that this machine uses to reach other networks; empty if it has none."""
    for family, elsewhere in ELSEWHERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as line:
                line.connect((elsewhere, 9))
                return str(line.getsockname()[0])
        except OSError:
            continue
    return ""


def is_local(host: str) -> bool:
    """Whether an address is reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == LOCALHOST


def is_local_url(address: str) -> bool:
    """Whether only this machine can open links to an address such as http://localhost:8000."""
    return is_local(urlsplit(address).hostname or "")


def in_links(host: str) -> str:
    """Write a host as it stands in links; an IPv6 address gets brackets."""
    return f"[{host}]" if ":" in host else host
