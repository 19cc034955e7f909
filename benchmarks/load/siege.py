"""Hostile visitors at the door of a public house: nothing breaks, nothing leaks, and the game in it goes on."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from benchmarks.hostile import Shot, raw, shots, targets
from benchmarks.load.crowd import API, set_up
from benchmarks.load.servers import Web
from benchmarks.load.wire import HOST, Door

from elcapitan.web.app import application

AT_ONCE: Final = 64
LONGEST_ANSWER: Final = 1.0  # seconds; an event stream goes on for ever, and its beginning is enough
BROKEN: Final = 500


@dataclass(frozen=True)
class Damage:
    """What came of it."""

    requests: int
    answered: int  # the rest was hung up on before it was a request
    broken: int  # answered with a 5xx
    leaks: int
    moved: int  # entries in the log of a game that they may only watch
    seconds: float


async def siege(server: Web, count: int, seed: int = 1) -> Damage:
    """Send so many hostile requests by somebody who may watch one game."""
    door = Door(server.port)
    status, made = await door.ask("POST", f"{API}/games", content={"seats": [{"player": "friend"}] * 4})
    assert status == 201, made
    game, watch = made["game"], made["watch_key"]
    secrets = [made["host_key"].encode(), *(each["key"].encode() for each in made["seat_keys"])]
    known = {"name": [game], "game": [game], "form": ["json", "capitan"], "number": ["1"], "seat": ["0"]}
    fired = itertools.islice(shots(seed, targets(application(":memory:")), known, [watch, "wrong"], HOST), count)
    found: Counter[str] = Counter()
    begin = time.perf_counter()
    await asyncio.gather(*(_visitor(server.port, fired, secrets, found) for _ in range(AT_ONCE)))
    took = time.perf_counter() - begin
    door = Door(server.port)  # nobody keeps a connection open that long on which nothing is asked
    status, after = await door.ask("GET", f"{API}/games/{game}", watch)
    assert status == 200, after
    await set_up(Door(server.port))  # and the house is still open
    moved = after["number"] - made["number"]
    return Damage(count, found["answered"], found["broken"], found["leaks"], moved, took)


async def _visitor(port: int, fired: Iterator[Shot], secrets: list[bytes], found: Counter[str]) -> None:
    """Send one request after another."""
    for shot in fired:
        answer = await _answer(port, raw(shot))
        words = answer[:64].split(b" ")
        if len(words) > 1 and words[1].isdigit():
            found["answered"] += 1
            found["broken"] += int(words[1]) >= BROKEN
        found["leaks"] += any(secret in answer for secret in secrets)


async def _answer(port: int, request: bytes) -> bytes:
    """What is answered, as long as it does not take too long."""
    reader, writer = await asyncio.open_connection(HOST, port)
    found = bytearray()
    try:
        writer.write(request)
        async with asyncio.timeout(LONGEST_ANSWER):
            while piece := await reader.read(1 << 16):
                found += piece
    except (TimeoutError, OSError):
        pass
    finally:
        writer.close()
    return bytes(found)
