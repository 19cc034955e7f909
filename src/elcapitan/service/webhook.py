"""An address outside that is told whose turn it is: which addresses there are, and how one is written to.

A page must not make this machine talk to its own house. So the name is looked up first, and every address it stands
for must belong to the public network; then exactly that address is called, and nobody is followed anywhere else.
"""

import http.client
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from elcapitan.board_file import short
from elcapitan.errors import BadSetup

LONGEST_ADDRESS: Final = 500
PORTS: Final = {"http": 80, "https": 443}
LIMIT: Final = 5.0  # seconds until somebody answers a call, and as many for what they answer
HERE: Final = ("localhost", ".localhost", ".local", ".internal", ".home.arpa")  # names that no public machine has
IN_IPV6: Final = ipaddress.ip_network("64:ff9b::/96")  # where addresses of the old kind are translated
# An ntfy server shows the body as it is, unless it is told which parts of it to show; others do not look at these.
FOR_NTFY: Final = {"X-Template": "yes", "X-Title": "{{.title}}", "X-Message": "{{.message}}"}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotTold(Exception):
    """An address could not be told, and why."""


def checked_address(address: str) -> str:
    """An address that can be written to, or nothing; `BadSetup` for anything else."""
    address = str(address).strip()
    if address and not _is_address(address):
        raise BadSetup("bad-webhook", found=short(address))
    return address


def _is_address(address: str) -> bool:
    """Whether this is a plain address of the web, with no name and password in it."""
    if not address.isascii() or not address.isprintable() or " " in address or len(address) > LONGEST_ADDRESS:
        return False
    try:
        parts = urlsplit(address)
        named = bool(parts.hostname) and parts.port != 0  # asking for the port checks it
    except ValueError:
        return False
    return named and parts.scheme in PORTS and "@" not in parts.netloc


def is_inside(address: str) -> bool:
    """Whether an address names a machine of the own network; names that must be looked up are checked when called."""
    name = (urlsplit(address).hostname or "").rstrip(".")
    try:
        return not is_public(ipaddress.ip_address(name))
    except ValueError:
        return name.endswith(HERE)


def tell(address: str, news: Mapping[str, Any], *, anywhere: bool = False) -> None:
    """Post news to an address; `NotTold` if that fails. It takes a while: for a thread of its own.

    With `anywhere` it may be an address of the own network too.
    """
    parts = urlsplit(address)
    body = json.dumps(news, ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "elcapitan", **FOR_NTFY}
    try:
        host = called(parts, anywhere=anywhere)
        with socket.create_connection((host, _port(parts)), LIMIT) as line, line.dup() as same_line:
            hang_up = threading.Timer(LIMIT, _hang_up, (same_line,))  # nobody waits for an answer letter by letter
            hang_up.start()
            try:
                status = _posted(parts, line, body, headers)
            finally:
                hang_up.cancel()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NotTold(type(error).__name__) from None
    if not 200 <= status < 300:
        raise NotTold(f"status {status}")


def called(parts: SplitResult, *, anywhere: bool) -> str:
    """The number to call; all that the name stands for must be public, unless any will do."""
    found = socket.getaddrinfo(parts.hostname, _port(parts), type=socket.SOCK_STREAM)
    numbers = [str(each[4][0]) for each in found]
    if not anywhere and not all(is_public(ipaddress.ip_address(number)) for number in numbers):
        raise NotTold("not a public address")
    return numbers[0]


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public network, and so does any other that is written inside it."""
    return all(each.is_global and not each.is_multicast and not each.is_reserved for each in _inside(address))


def _inside(address: Address) -> Iterator[Address]:
    """An address, and those of the old kind that it may lead to; of a translated one, only what it stands for."""
    if isinstance(address, ipaddress.IPv6Address) and address in IN_IPV6:
        yield ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return
    yield address
    if isinstance(address, ipaddress.IPv6Address):
        yield from filter(None, (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())))


def _port(parts: SplitResult) -> int:
    """The port of an address."""
    return parts.port or PORTS[parts.scheme]


def _posted(parts: SplitResult, line: socket.socket, body: bytes, headers: Mapping[str, str]) -> int:
    """The status of the answer to a post over a line that is open already."""
    name = parts.hostname or ""
    if parts.scheme == "https":
        talking: http.client.HTTPConnection = http.client.HTTPSConnection(name, _port(parts), timeout=LIMIT)
        talking.sock = ssl.create_default_context().wrap_socket(line, server_hostname=name)
    else:
        talking = http.client.HTTPConnection(name, _port(parts), timeout=LIMIT)
        talking.sock = line
    try:
        talking.request("POST", f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}", body, dict(headers))
        return talking.getresponse().status
    finally:
        talking.close()


def _hang_up(line: socket.socket) -> None:
    """End a call, whatever is going on."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
