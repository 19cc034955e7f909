"""Settings of a server that hold for all of its tables, and the server's address as it stands in links.

The command line creates the settings, `application` takes them, and pages read them with `auth.server_settings`. They
never change while the server runs.

A link contains a key. So it never repeats the Host header of a request, except on a server that answers only to names
of its own machine.
"""

import hmac
import ipaddress
import socket
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from starlette.requests import HTTPConnection

BEARER: Final = "Bearer "
USUAL_PORTS: Final = {"http": 80, "https": 443}
# Addresses from the documentation ranges, which no machine has. Connecting a datagram socket to one sends nothing.
ELSEWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


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

    def is_admin(self, authorization: str) -> bool:
        """Whether an `Authorization` header contains the admin's token."""
        token = authorization[len(BEARER) :].strip()
        if not self.admin or not authorization.startswith(BEARER) or not token:
            return False
        return hmac.compare_digest(sha256(token.encode()).hexdigest(), self.admin)


LOCAL_SETTINGS: Final = ServerSettings()  # only this machine can connect, and no key is needed


def hashed(token: str) -> str:
    """Hash an admin's token as `ServerSettings.admin` holds it; empty if there is no token."""
    return sha256(token.encode()).hexdigest() if token else ""


def address_of(request: HTTPConnection, settings: ServerSettings) -> str:
    """Return the server's address for links: its base URL if one is set, else the address that was connected to."""
    if settings.base_url:
        return settings.base_url.rstrip("/")
    if not settings.public:
        return str(request.base_url).rstrip("/")
    scheme = request.url.scheme
    name, port = request.scope.get("server") or ("", None)
    name = reachable(name)
    name = f"[{name}]" if ":" in name else name
    return f"{scheme}://{name}" if port in (None, USUAL_PORTS.get(scheme)) else f"{scheme}://{name}:{port}"


def reachable(name: str) -> str:
    """Replace an address that only this machine can use, such as 127.0.0.1, by its address in the network."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_loopback or address.is_unspecified or address.is_link_local:
        return outward_address() or "localhost"
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
