"""Settings of a server that hold for all of its tables, and its addresses as they stand in links.

The command line creates the settings, `application` takes them, and pages read them with `auth.server_settings`. They
never change; only where a server is opened to its network, others take their place (`web/network`).

A link contains a key. So it never repeats the Host header of a request, except on a server that answers only to names
of its own machine.
"""

import hmac
import ipaddress
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

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


def is_loopback(address: str) -> bool:
    """Whether an IP address is one of this machine that no other can reach; never true of names."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def is_local(host: str) -> bool:
    """Whether an address is reached from this machine only."""
    return host == LOCALHOST or is_loopback(host)


def is_local_url(address: str) -> bool:
    """Whether only this machine can open links to an address such as http://localhost:8000."""
    return is_local(urlsplit(address).hostname or "")


def in_links(host: str) -> str:
    """Write a host as it stands in links; an IPv6 address gets brackets."""
    return f"[{host}]" if ":" in host else host


BEARER: Final = "Bearer "
USUAL_PORTS: Final = {"http": 80, "https": 443}
SERVE_NETWORK: Final = "elcapitan serve --host 0.0.0.0"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one address may ask for; a family behind one address counts as one."""

    requests: float = 40.0  # requests a second, in the long run
    burst: int = 400  # requests at once, after a rest
    work: int = 300  # milliseconds of the server's time a second, in the long run
    work_burst: int = 15_000  # milliseconds of it at once, after a rest: some three hundred pages of a table
    streams: int = 60  # tables followed at the same time
    hints: int = 20  # hints waited for at the same time: four for each of five players
    games: int = 120  # new games in an hour: set up, imported, branched off
    tries: int = 30  # links and phrases tried in a minute, and as many made


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Settings that hold for all tables of a server."""

    public: bool = False  # whether other machines can connect: then every game needs its key
    base_url: str = ""  # the server's address in links, such as https://capitan.example
    admin: str = field(default="", repr=False)  # sha256 of the admin's token; without one there is no admin
    limits: Limits | None = None  # for each address; without them nothing is counted
    allow_local_webhooks: bool = False  # whether webhooks may call machines of the local network
    webhook_ports: frozenset[int] = frozenset()  # ports that webhooks may call besides 80 and 443
    host: str = ""  # the address that the server listens on; empty if it is not known
    network_command: str = SERVE_NETWORK  # starts this server so that other devices in the network can connect
    owner: str = field(default="", repr=False)  # sha256 of the key of the browser that opened it to the network

    def is_owner(self, key: str) -> bool:
        """Whether a key is the one of the browser that opened the server to the network."""
        return bool(self.owner) and hmac.compare_digest(hashed(key), self.owner)

    def is_admin(self, authorization: str) -> bool:
        """Whether an `Authorization` header contains the admin's token."""
        token = authorization[len(BEARER) :].strip()
        if not self.admin or not authorization.startswith(BEARER) or not token:
            return False
        return hmac.compare_digest(hashed(token), self.admin)


LOCAL_SETTINGS: Final = ServerSettings()  # only this machine can connect, and no key is needed


def hashed(token: str) -> str:
    """Hash a token as `ServerSettings` hold it; empty if there is no token."""
    return sha256(token.encode()).hexdigest() if token else ""


def addresses_of(request: HTTPConnection, settings: ServerSettings) -> tuple[str, ...]:
    """Return all addresses of the server that links may name, the most useful first.

    With a base URL, it is the only one. Otherwise the address that was connected to comes first, if other machines can
    use it, then the other addresses of this machine that the server listens on. Without any, there is localhost.
    """
    if settings.base_url:
        return (settings.base_url.rstrip("/"),)
    if not settings.public:
        return (str(request.base_url).rstrip("/"),)
    connected = shareable(_connected(request))
    others = own_addresses(settings.host) if not connected or settings.host in EVERYWHERE else ()
    names = dict.fromkeys(filter(None, (connected, *others))) or (LOCALHOST,)
    return tuple(_url(request, each) for each in names)


def connected_url(request: HTTPConnection, settings: ServerSettings) -> str:
    """Return the base URL or, without one, the address that a request was sent to; it looks nothing up.

    It is empty if other machines cannot use that address.
    """
    connected = shareable(_connected(request))
    return settings.base_url.rstrip("/") or (_url(request, connected) if connected else "")


def _connected(request: HTTPConnection) -> str:
    """Return the address of this machine that a request was sent to, whatever its Host header says."""
    return str((request.scope.get("server") or ("", None))[0])


def _url(request: HTTPConnection, name: str) -> str:
    """Return the URL of this server under a name, with the scheme and the port of a request."""
    scheme = request.url.scheme
    port = (request.scope.get("server") or ("", None))[1]
    return f"{scheme}://{in_links(name)}{'' if port in (None, USUAL_PORTS.get(scheme)) else f':{port}'}"


def is_secure(request: HTTPConnection, settings: ServerSettings) -> bool:
    """Whether people reach this server by https."""
    return settings.base_url.startswith("https:") if settings.base_url else request.url.scheme == "https"
