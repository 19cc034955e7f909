"""The address of this server as it stands in links and QR codes.

A link carries a key. So it never repeats what a request says about where it was sent to (the Host header), but for a
server that answers to names of its own machine only.
"""

import ipaddress
import socket
from typing import Final

from starlette.requests import HTTPConnection

from elcapitan.web.house import House

USUAL_PORTS: Final = {"http": 80, "https": 443}
# Networks of no machine, from the documentation ranges. Choosing a way there sends nothing.
ELSEWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def address_of(request: HTTPConnection, house: House) -> str:
    """Where people find this server: as it was set, else at the address of this machine that was connected to."""
    if house.base_url:
        return house.base_url.rstrip("/")
    if not house.public:
        return str(request.base_url).rstrip("/")
    scheme = request.url.scheme
    name, port = request.scope.get("server") or ("", None)
    name = reachable(name)
    name = f"[{name}]" if ":" in name else name
    return f"{scheme}://{name}" if port in (None, USUAL_PORTS.get(scheme)) else f"{scheme}://{name}:{port}"


def reachable(name: str) -> str:
    """An address of this machine as others can use it: instead of one that nobody else can, the one to the network."""
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
    """The address of this machine on the network that leads elsewhere; nothing if there is none."""
    for family, elsewhere in ELSEWHERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as line:
                line.connect((elsewhere, 9))
                return str(line.getsockname()[0])
        except OSError:
            continue
    return ""
