"""Settings of a server that hold for all of its tables, and the server's address as it stands in links.

The command line creates the settings, `application` takes them, and pages read them with `auth.server_settings`. They
never change while the server runs.

A link contains a key. So it never repeats the Host header of a request, except on a server that answers only to names
of its own machine.
"""

import hmac
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from starlette.requests import HTTPConnection

from elcapitan.web.own_addresses import EVERYWHERE, LOCALHOST, in_links, own_addresses, shareable

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


def addresses_of(request: HTTPConnection, settings: ServerSettings) -> tuple[str, ...]:
    """Return all addresses of the server that links may name, the most useful first.

    With a base URL, it is the only one. Otherwise the address that was connected to comes first, if other machines can
    use it, then the other addresses of this machine that the server listens on. Without any, there is localhost.
    """
    if settings.base_url:
        return (settings.base_url.rstrip("/"),)
    if not settings.public:
        return (str(request.base_url).rstrip("/"),)
    scheme = request.url.scheme
    name, port = request.scope.get("server") or ("", None)
    connected = shareable(name)
    others = own_addresses(settings.host) if not connected or settings.host in EVERYWHERE else ()
    names = dict.fromkeys(filter(None, (connected, *others))) or (LOCALHOST,)
    ending = "" if port in (None, USUAL_PORTS.get(scheme)) else f":{port}"
    return tuple(f"{scheme}://{in_links(each)}{ending}" for each in names)


def is_secure(request: HTTPConnection, settings: ServerSettings) -> bool:
    """Whether people reach this server by https."""
    return settings.base_url.startswith("https:") if settings.base_url else request.url.scheme == "https"
