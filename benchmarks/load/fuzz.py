"""Fuzzed requests to real servers, in portions that can be run one after another: `--only fuzz`.

Each portion has a server of its own, and as many run side by side as are asked for. What was counted so far is kept in
a file, so that a million requests can be sent in several sittings: a second call goes on where the first one stopped.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from benchmarks.fuzzing.client import SERVER_ERROR, FuzzClient, Request, Tally
from benchmarks.fuzzing.operations import PLAYERS, FuzzedGame
from benchmarks.load.servers import Web, mebibytes
from benchmarks.load.wire import HOST, Connection, Disconnected

ROOT: Final = Path(__file__).parents[2]
CLIENTS: Final = 4  # at the same time: as many as a server with its default limits works on for one address
BROKEN_AT_ONCE: Final = 16  # requests of one client that the server waits to be completed, beside its next ones
ANSWER_SECONDS: Final = 30.0  # until a request counts as unanswered
BROKEN_SECONDS: Final = 2.0  # the same for requests that lie about their length: the server waits for the rest
LONGEST_DELAY: Final = 0.25  # seconds that the event loop may be late
ACCEPTED_SHARE: Final = 0.3
DELAY: Final = re.compile(r"^elcapitan_loop_(delay|block)_max_seconds ([0-9.e-]+)$", re.MULTILINE)


@dataclass
class FuzzResult:
    """What was counted over all portions."""

    program: str = ""  # digest of the program that was fuzzed
    tally: Tally = field(default_factory=Tally)
    portions: int = 0
    leaks: int = 0  # answers with a key that the client was never given
    moved: int = 0  # entries in the log of a game that the clients may only watch
    delay: float = 0.0  # seconds that the event loop was late at most, whatever the reason
    block: float = 0.0  # seconds of computing between two turns of the event loop at most
    memory: float = 0.0  # MiB of the server at the end of a portion, the most of all
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether everything that is wanted holds."""
        broken = sum(count for status, count in self.tally.statuses.items() if int(status) >= SERVER_ERROR)
        accepted = self.tally.accepted >= ACCEPTED_SHARE * self.tally.requests
        return not (broken or self.leaks or self.moved) and accepted and self.block <= LONGEST_DELAY

    def save(self, path: Path) -> None:
        """Write everything to a file."""
        path.write_text(json.dumps({**vars(self), "tally": self.tally.to_json()}, indent=1))

    @classmethod
    def load(cls, path: Path) -> "FuzzResult":
        """Read what was counted before with the same program; nothing if there is no such file."""
        program = _digest()
        if path.exists() and (content := json.loads(path.read_text()))["program"] == program:
            return cls(**{**content, "tally": Tally.from_json(content["tally"])})
        return cls(program)


def _digest() -> str:
    """Hash the sources of the program and of the fuzzer."""
    digest = hashlib.sha256()
    for folder in (ROOT / "src", ROOT / "benchmarks" / "fuzzing"):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


async def fuzz(servers: Sequence[Web], admin: str, counts: Sequence[int], result: FuzzResult) -> None:
    """Send one portion of requests to each server, all just started, and add what was found."""
    begin = perf_counter()
    portions = range(result.portions, result.portions + len(servers))
    await asyncio.gather(*(_portion(*each, admin, result) for each in zip(portions, servers, counts, strict=True)))
    result.seconds += perf_counter() - begin
    result.portions += len(servers)


async def _portion(number: int, server: Web, count: int, admin: str, result: FuzzResult) -> None:
    """Send one portion of requests to one server; the number is the seed."""
    guarded, before = await _guarded_game(server.port)
    secrets = [key.encode() for key in (guarded.host, *guarded.seats)]
    left = iter(range(count))
    watched = replace(guarded, host=guarded.watch, seats=[guarded.watch] * PLAYERS)  # what the clients know of it
    clients = [FuzzClient(f"{number}:{each}", HOST, admin, watched) for each in range(CLIENTS)]
    leaks = await asyncio.gather(*(_visit(server.port, client, left, secrets) for client in clients))
    for client in clients:
        result.tally.add(client.tally)
    result.leaks += sum(leaks)
    connection = Connection(server.port)
    _status, after = await connection.ask("GET", f"/api/v1/games/{guarded.id}", guarded.host)
    result.moved += after["number"] - before
    _status, metrics = await connection.ask("GET", "/metrics", admin)
    longest = {name: float(value) for name, value in DELAY.findall(metrics.decode())}
    result.delay, result.block = max(result.delay, longest["delay"]), max(result.block, longest["block"])
    assert server.process is not None
    result.memory = max(result.memory, mebibytes([server.process.pid]))


async def _guarded_game(port: int) -> tuple[FuzzedGame, int]:
    """Create a game that the clients may only watch; returns it with the length of its log."""
    seats = [{"player": "friend"}] * PLAYERS
    status, made = await Connection(port).ask("POST", "/api/v1/games", content={"seats": seats, "hints": False})
    assert status == 201, made
    keys = [each["key"] for each in made["seat_keys"]]
    return FuzzedGame(made["game"], made["host_key"], made["watch_key"], keys), made["number"]


async def _visit(port: int, client: FuzzClient, left: Any, secrets: list[bytes]) -> int:
    """Send requests until enough are sent; return the number of answers that contained a secret.

    The client goes on while the server waits for the rest of a broken request.
    """
    connection, leaks = Connection(port), 0
    broken: set[asyncio.Task[None]] = set()

    async def exchange(request: Request) -> None:
        nonlocal leaks
        status, answer = await _send(port, connection, request)
        leaks += any(secret in answer for secret in secrets)
        client.see(request, status, answer)

    for _number in left:
        request = client.next()
        if request.reusable:
            await exchange(request)
            continue
        broken.add(asyncio.create_task(exchange(request)))
        if len(broken) == BROKEN_AT_ONCE:
            _done, broken = await asyncio.wait(broken, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.gather(*broken)
    connection.close()
    return leaks


async def _send(port: int, connection: Connection, request: Request) -> tuple[int, bytes]:
    """Send a request, over a connection of its own if that is unusable afterwards."""
    if not request.reusable:
        connection, patience = Connection(port), BROKEN_SECONDS
    else:
        patience = ANSWER_SECONDS
    try:
        async with asyncio.timeout(patience):
            return await connection.send(_bytes(request), request.method)
    except (TimeoutError, Disconnected):
        connection.close()
        return 0, b""
    finally:
        if not request.reusable:
            connection.close()


def _bytes(request: Request) -> bytes:
    """Encode a request as it is sent over a socket."""
    lines = [f"{request.method} {request.target} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in request.headers if not {"\x00", "\n"} & set(value)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + request.body
