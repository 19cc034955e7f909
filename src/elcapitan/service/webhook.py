"""Webhooks: which addresses may be called, and how one is called.

A stranger chooses the address, and must not make this machine talk to its own network. So the name is looked up first,
and every IP address it stands for must be public; then exactly that IP address is called, at a port that is allowed,
and no redirect is followed. Calls run side by side in the event loop, bounded in all and for each target.
"""

import asyncio
import ipaddress
import json
import re
import socket
import ssl
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Final, TypeVar
from urllib.parse import SplitResult, urlsplit
from weakref import WeakValueDictionary

from elcapitan.board.board_file import short
from elcapitan.errors import BadSetup

LONGEST_ADDRESS: Final = 500  # characters of a webhook's address
PORTS: Final = {"http": 80, "https": 443}
USUAL_PORTS: Final = frozenset(PORTS.values())  # others must be allowed by the host
LIMIT: Final = 5.0  # seconds to look a name up, as many to connect, and as many for the answer
MOST_CALLS: Final = 200  # webhooks called at the same time: each is a connection, and needs no thread
CALLS_PER_TARGET: Final = 8  # webhooks called at the same time at one IP address
SLOW_CALLS: Final = 50  # webhooks called at the same time at IP addresses that were too slow before
MOST_LOOKUPS: Final = 16  # names looked up at the same time, each in a thread
MOST_THREADS: Final = 100  # of lookups, those among them that took too long; one may hang for half a minute
LOOKUPS_PER_NAME: Final = 2  # lookups of one name at the same time
SLOW_LOOKUPS: Final = 4  # at the same time of names that took too long before
MOST_SLOW: Final = 1000  # slow targets remembered at a time; the oldest is forgotten first
LONGEST_QUEUE: Final = 500  # calls to one IP address that run or wait, and as many lookups of one name
LONGEST_HEAD: Final = 8192  # bytes until the first line of an answer must end
HERE: Final = ("localhost", ".localhost", ".local", ".internal", ".home.arpa")  # names that no public machine has
STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})[ \r\n]")
# An ntfy server shows the body as it is, unless it is told which parts of it to show; others do not look at that.
NTFY: Final = {"X-Template": "yes", "X-Title": "{{.title}}", "X-Message": "{{.message}}"}
JSON_HEADERS: Final = {"Content-Type": "application/json; charset=utf-8", **NTFY}

Result = TypeVar("Result")


class CallFailed(Exception):
    """A call that failed, and why."""


# -------------------------------------------------------------------------------------------------- public networks

# Listed here and not taken from `ipaddress`, whose answers differ between versions of Python.
# IPv4: everything is public but these.
SPECIAL_IPV4: Final = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared by a provider's customers
            "127.0.0.0/8",  # this machine
            "168.63.129.16/32",  # services of a cloud for its machines
            "169.254.0.0/16",  # link-local; clouds tell machines their secrets here
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments; some clouds keep services here
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # multicast relays
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
        ),
    )
)
# IPv6: nothing is public but this, without the networks below. So site-local (fec0::/10), unique local, link-local,
# multicast, IPv4-mapped and IPv4-compatible addresses and the local NAT64 prefix (64:ff9b:1::/48) are not.
GLOBAL_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
SPECIAL_IPV6: Final = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocol assignments, Teredo among them
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which leads to any IPv4 address
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documentation
        ),
    )
)
NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")  # leads to the IPv4 address in its last 32 bits


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address belongs to the public network, and so does the one it is translated to."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in SPECIAL_IPV4)
    if address in NAT64:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address in GLOBAL_UNICAST and not any(address in network for network in SPECIAL_IPV6)


# ------------------------------------------------------------------------------------------------------- addresses


def checked_address(address: str) -> str:
    """Return a valid address, or an empty one. Raises `BadSetup` for anything else."""
    address = str(address).strip()
    if address and not _is_address(address):
        raise BadSetup("bad-webhook", found=short(address))
    return address


def _is_address(address: str) -> bool:
    """Whether this is a plain HTTP address, without name and password."""
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


def check_target(address: str, *, anywhere: bool, ports: Collection[int]) -> None:
    """Raise `BadSetup` for an address that would never be called: of the own network, or at another port.

    With `anywhere` a name may turn out to be of the own network, where every port is allowed.
    """
    if is_inside(address):
        if not anywhere:
            raise BadSetup("private-webhook", found=short(address))
    elif _port(urlsplit(address)) not in ports and not (anywhere and _is_name(address)):
        raise BadSetup("webhook-port", found=short(address), ports=", ".join(map(str, sorted(ports))))


def _is_name(address: str) -> bool:
    """Whether an address has a name that must be looked up, and no number."""
    try:
        ipaddress.ip_address(urlsplit(address).hostname or "")
    except ValueError:
        return True
    return False


def _port(parts: SplitResult) -> int:
    """Return the port of an address."""
    return parts.port or PORTS[parts.scheme]


# ----------------------------------------------------------------------------------------------------------- slots


class NoSlot(Exception):
    """Too many calls wait already."""


class CallSlots:
    """Slots for calls: so many in all, for one target, and for all targets whose last call took too long.

    At most `queue` calls to one target run or wait. A target that was slow shares a few slots with all others that
    were. So calls that hang cannot take every slot.
    """

    def __init__(self, most: int, *, per_target: int, slow: int, queue: int) -> None:
        self._all = asyncio.Semaphore(most)
        self._for_slow = asyncio.Semaphore(slow)
        self._per_target, self._queue = per_target, queue
        self._targets: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()  # while they are used
        self.users: Counter[str] = Counter()  # calls that run or wait, by target
        self._slow: OrderedDict[str, None] = OrderedDict()

    async def acquire(self, target: str) -> Callable[[], None]:
        """Wait for a slot and return the function that releases it; `NoSlot` if the target's queue is full.

        Calling that function again does nothing.
        """
        if self.users[target] >= self._queue:
            raise NoSlot
        self.users[target] += 1
        held: list[asyncio.Semaphore] = []
        released = False

        def release() -> None:
            nonlocal released
            if released:
                return
            released = True
            for semaphore in held:
                semaphore.release()
            self.users[target] -= 1
            if not self.users[target]:
                del self.users[target]

        try:
            for semaphore in self._needed(target):
                await semaphore.acquire()
                held.append(semaphore)
        except BaseException:
            release()
            raise
        return release

    def _needed(self, target: str) -> Iterator[asyncio.Semaphore]:
        """Yield the semaphores a call must hold, always in the same order; whether a target is slow is asked late."""
        yield self._targets.setdefault(target, asyncio.Semaphore(self._per_target))
        if self.is_slow(target):
            yield self._for_slow
        yield self._all

    def is_slow(self, target: str) -> bool:
        """Whether the last call to a target timed out."""
        return target in self._slow

    def took_too_long(self, target: str) -> None:
        """Remember that a call to a target timed out."""
        self._slow[target] = None
        self._slow.move_to_end(target)
        while len(self._slow) > MOST_SLOW:
            self._slow.popitem(last=False)

    def was_quick(self, target: str) -> None:
        """Remember that a target answered in time."""
        self._slow.pop(target, None)


# ----------------------------------------------------------------------------------------------------------- calls


class WebhookSender:
    """Posts messages to addresses. With `anywhere` they may be of the own network too, and there at any port."""

    def __init__(self, *, anywhere: bool = False, ports: Collection[int] = USUAL_PORTS) -> None:
        self._anywhere = anywhere
        self._ports = frozenset(ports)
        self._calls = CallSlots(MOST_CALLS, per_target=CALLS_PER_TARGET, slow=SLOW_CALLS, queue=LONGEST_QUEUE)
        self._threads = 0  # of lookups
        self._lookups = CallSlots(MOST_LOOKUPS, per_target=LOOKUPS_PER_NAME, slow=SLOW_LOOKUPS, queue=LONGEST_QUEUE)

    def check(self, address: str) -> None:
        """Raise `BadSetup` for an address that would never be called."""
        check_target(address, anywhere=self._anywhere, ports=self._ports)

    async def send(self, address: str, message: Mapping[str, Any]) -> None:
        """Post a message to an address. Raises `CallFailed` if that fails."""
        status = await self.post(address, JSON_HEADERS, json.dumps(message, ensure_ascii=False).encode())
        if not 200 <= status < 300:
            raise CallFailed(f"status {status}")

    async def post(self, address: str, headers: Mapping[str, str], body: bytes) -> int:
        """Post something to an address and return the status of the answer. Raises `CallFailed` if there is none."""
        try:
            if not _is_address(address):
                raise CallFailed("no address")
            parts = urlsplit(address)
            return await self._call(await self.called(parts), parts, _request(parts, headers, body))
        except NoSlot:
            raise CallFailed("too many calls wait") from None
        except (OSError, EOFError, asyncio.LimitOverrunError, ValueError) as error:
            raise CallFailed(type(error).__name__) from None

    async def called(self, parts: SplitResult) -> str:
        """The IP address to call: the first that the name stands for, if all are public (or any will do).

        At a public address the port must be allowed too.
        """
        numbers = await self._look_up(parts.hostname or "", _port(parts))
        public = [is_public(ipaddress.ip_address(number)) for number in numbers]
        if not all(public) and not self._anywhere:
            raise CallFailed("not a public address")
        if public[0] and _port(parts) not in self._ports:
            raise CallFailed("not an allowed port")
        return numbers[0]

    async def _look_up(self, name: str, port: int) -> list[str]:
        """All IP addresses of a name, in a thread, which nothing can stop.

        A lookup that takes too long gives its slot back, unless its name was slow before: then the slot is held until
        the thread has ended. So threads that hang leave room for names that are new.
        """
        release = await self._lookups.acquire(name)
        if self._threads >= MOST_THREADS:
            release()
            raise NoSlot
        self._threads += 1
        lookup = in_daemon_thread(lambda: socket.getaddrinfo(name, port, type=socket.SOCK_STREAM))

        def ended(lookup: "asyncio.Future[Any]") -> None:
            self._threads -= 1
            release()
            _ = lookup.cancelled() or lookup.exception()  # the waiting call may be gone

        lookup.add_done_callback(ended)
        await asyncio.wait({lookup}, timeout=LIMIT)
        if not lookup.done():
            if not self._lookups.is_slow(name):
                release()
            self._lookups.took_too_long(name)
            raise CallFailed("lookup takes too long")
        self._lookups.was_quick(name)
        return [str(each[4][0]) for each in lookup.result()]

    async def _call(self, number: str, parts: SplitResult, request: bytes) -> int:
        """Call an IP address, send a request, and return the status of the answer."""
        release = await self._calls.acquire(number)
        try:
            status = await _posted(number, parts, request)
        except TimeoutError:
            self._calls.took_too_long(number)
            raise
        finally:
            release()
        self._calls.was_quick(number)
        return status


async def _posted(number: str, parts: SplitResult, request: bytes) -> int:
    """Send a request over a new connection and return the status of the answer; the rest of it is not read."""
    encrypted = parts.scheme == "https"
    async with asyncio.timeout(LIMIT):
        reader, writer = await asyncio.open_connection(
            number,
            _port(parts),
            limit=LONGEST_HEAD,
            ssl=_encryption() if encrypted else None,
            server_hostname=parts.hostname if encrypted else None,
        )
    try:
        async with asyncio.timeout(LIMIT):
            writer.write(request)
            line = await reader.readuntil(b"\n")
    finally:
        writer.transport.abort()  # a polite end could take another half minute
    found = STATUS.match(line)
    if found is None:
        raise CallFailed("not HTTP")
    return int(found[1])


def _request(parts: SplitResult, headers: Mapping[str, str], body: bytes) -> bytes:
    """Return a request that posts a body to a checked address, which has no spaces and no line breaks."""
    name = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = "" if _port(parts) == PORTS[parts.scheme] else f":{_port(parts)}"
    usual = {"Host": f"{name}{port}", "User-Agent": "elcapitan", "Content-Length": len(body), "Connection": "close"}
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in {**usual, **headers}.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + body


@cache
def _encryption() -> ssl.SSLContext:
    """The context for encrypted calls, which checks names and certificates; made once, as that reads a large file."""
    return ssl.create_default_context()


def in_daemon_thread(work: Callable[[], Result]) -> "asyncio.Future[Result]":
    """Run blocking work in a thread that does not keep the program from ending, as an executor's would."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except Exception as problem:
            error = problem
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, name="webhook lookup", daemon=True).start()
    return future
