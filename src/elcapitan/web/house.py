"""The house that the tables stand in: who may come, under which address, and how much of everything.

The command line makes one, `application` takes it, and every page finds it as `request.app.state.house`. Nothing in it
ever changes while the server runs.
"""

import hmac
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

BEARER: Final = "Bearer "


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one address may ask for; a family behind one address is one address."""

    requests: float = 40.0  # requests a second, in the long run
    burst: int = 400  # requests at once, after a rest
    work: int = 300  # milliseconds of the server's time a second, in the long run
    work_burst: int = 15_000  # milliseconds of it at once, after a rest: some three hundred pages of a table
    streams: int = 60  # tables followed at the same time
    hints: int = 20  # hints waited for at the same time: four for each of five players
    games: int = 120  # new games in an hour: set up, imported, branched off
    tries: int = 30  # links and phrases tried in a minute, and as many made


@dataclass(frozen=True, slots=True)
class House:
    """The settings of a server that hold for all of its tables."""

    public: bool = False  # whether strangers may come: then a key opens a game, and nothing else does
    base_url: str = ""  # where people find it, such as https://capitan.example, for links
    admin: str = field(default="", repr=False)  # sha256 of the token of whoever runs the house; nobody has one if empty
    limits: Limits | None = None  # for each address; nobody is counted if there are none
    allow_local_webhooks: bool = False  # whether a table may tell machines of the own network whose turn it is
    webhook_ports: frozenset[int] = frozenset()  # ports of other machines besides 80 and 443 that may be told it

    def is_admin(self, authorization: str) -> bool:
        """Whether a request with this header comes from whoever runs the house."""
        token = authorization[len(BEARER) :].strip()
        if not self.admin or not authorization.startswith(BEARER) or not token:
            return False
        return hmac.compare_digest(sha256(token.encode()).hexdigest(), self.admin)


LOCAL_HOUSE: Final = House()  # on this machine only: whoever sits at it owns everything


def hashed(token: str) -> str:
    """An admin's token as a house keeps it."""
    return sha256(token.encode()).hexdigest() if token else ""
