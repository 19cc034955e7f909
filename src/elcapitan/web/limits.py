"""How much one address may ask for and how much of the server's time it may use, so that others are not slowed down.

Counted are all requests, open event streams, pending hints, new games, and keys that are tried or made. Most limits are
token buckets. A request that finds its bucket empty is refused with a time to wait. Little is remembered: a full bucket
is dropped, and when too many addresses come, those that came longest ago are dropped first.
"""

import asyncio
import ipaddress
import math
import re
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import lru_cache, partial
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elcapitan.background_tasks import Metered, overdrawn, requester
from elcapitan.errors import TooMuch
from elcapitan.web.api.errors import refusal
from elcapitan.web.render import page
from elcapitan.web.security import API_PREFIX, IMPORT
from elcapitan.web.server_settings import Limits
from elcapitan.web.viewer import viewer

MOST_ADDRESSES: Final = 20_000  # addresses remembered by each limit, some megabytes
NEIGHBOURS: Final = 64  # bits that all addresses of one household have in common, where there are so many of them
SITE: Final = 48  # bits that all addresses of one customer may have in common: 65,536 households of the kind above
SITE_ALLOWANCE: Final = 8  # times the limits of one address, for an IPv6 network of 48 bits: a provider's phones
MINUTE: Final = 60.0
HOUR: Final = 3600.0
STREAM_WAIT: Final = 10  # seconds until a page may have been closed
HINT_WAIT: Final = 5  # seconds until some hints have been given
IMPORT_WAIT: Final = 5  # seconds until a game has been read
IMPORTS_AT_ONCE: Final = 3  # games of one address that are read or wait to be read, of eight in all
QUICK_REFUSALS: Final = 60  # requests of an address a minute that are refused at once
REFUSAL_PAUSE: Final = 2.0  # seconds before any further one is refused: refusing costs time too
STREAMS: Final = re.compile(r".*/events")
HINTS: Final = re.compile(r".*/(hint|chances|mistake)")
NEW_GAMES: Final = re.compile(
    r"(/api/v1)?/games(/quick|/import|/[^/]+/(branch|what-if|rematch|again))?|/guide/[^/]+/play"
)
# A whole game is played again.
REPLAYS: Final = re.compile(r"/games/import|/games/[^/]+/(branch|what-if)|/guide/[^/]+/play")
TRIES: Final = re.compile(r"(/api/v1)?/join")
NEW_KEYS: Final = re.compile(
    r"/games/[^/]+/(rematch/)?seat|/api/v1/games/[^/]+/keys"
)  # a phrase takes as long to make as to try
AT_ONCE: Final = 4  # requests of one address that are worked on at the same time
SITE_FACTOR: Final = 2  # times as much time and as many requests at once for all addresses of an IPv6 site
TURN_SECONDS: Final = 0.25  # after which a request that still waits for something lets the next one begin
RESTS_BELOW: Final = 0.8  # of its budget: an address with less than that rests between its requests
LONGEST_REST: Final = 1.0  # seconds that an address over its budget waits between two requests
MILLI: Final = 1000.0

Seconds = Callable[[], float]


class TokenBuckets:
    """One bucket of tokens for each address, with a size and a rate at which it fills.

    All addresses of an IPv6 site share another bucket, `wider` times as large; with 0 there is none.
    """

    def __init__(
        self,
        size: float,
        rate: float,
        clock: Seconds = time.monotonic,
        most: int = MOST_ADDRESSES,
        wider: float = SITE_ALLOWANCE,
    ) -> None:
        self._size, self._rate = size, rate
        self._clock, self._most = clock, most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when; used last comes last
        self._sites = TokenBuckets(size * wider, rate * wider, clock, most, wider=0) if wider else None

    def __len__(self) -> int:
        """Return how many addresses are remembered."""
        return len(self._left)

    def take(self, address: str) -> float:
        """Take a token and return 0; if there is none, return the seconds until there is one."""
        now = self._clock()
        tokens = self._tokens(address, now)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / self._rate
        site = site_of(address)
        if not wait and self._sites is not None and site:
            wait = self._sites.take(site)
        self._keep(address, tokens - (not wait), now)
        return wait

    def give_back(self, address: str) -> None:
        """Put a token back that was not needed after all."""
        self.spend(address, -1)

    def spend(self, address: str, tokens: float) -> None:
        """Take any number of tokens, even more than there are: then the address is in debt."""
        now = self._clock()
        self._keep(address, min(self._size, self._tokens(address, now) - tokens), now)
        if self._sites is not None and (site := site_of(address)):
            self._sites.spend(site, tokens)

    def debt(self, address: str) -> float:
        """Return the seconds until an address, and its site, have tokens again; 0 if they have some."""
        own = max(0.0, -self._tokens(address, self._clock()) / self._rate)
        return max(own, self._sites.debt(site)) if self._sites is not None and (site := site_of(address)) else own

    def fullness(self, address: str) -> float:
        """Return how full the bucket of an address or of its site is, from 1 down to 0, or below if it is in debt."""
        own = self._tokens(address, self._clock()) / self._size
        return min(own, self._sites.fullness(site)) if self._sites is not None and (site := site_of(address)) else own

    def _tokens(self, address: str, now: float) -> float:
        """Return the tokens in a bucket by now."""
        left, when = self._left.get(address, (self._size, now))
        return min(self._size, left + (now - when) * self._rate)

    def _keep(self, address: str, tokens: float, now: float) -> None:
        """Store the tokens of a bucket; drop buckets that are full by now, and the oldest if there are too many."""
        self._left[address] = tokens, now
        self._left.move_to_end(address)
        while self._left:
            first, (left, when) = next(iter(self._left.items()))
            if len(self._left) <= self._most and left + (now - when) * self._rate < self._size:
                return
            del self._left[first]


class OpenRequests:
    """Counts the open requests of one kind, by address and by site."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return how many addresses and sites have open requests."""
        return len(self._open)

    def full(self, address: str) -> bool:
        """Whether an address or its site has as many as allowed."""
        site = site_of(address)
        return self._open[address] >= self._most or self._open[site] >= self._most * SITE_ALLOWANCE

    @contextmanager
    def one_more(self, address: str) -> Iterator[None]:
        """Count a request as long as the block runs."""
        names = [name for name in (address, site_of(address)) if name]
        self._open.update(names)
        try:
            yield
        finally:
            self._open.subtract(names)
            for name in names:
                if not self._open[name]:
                    del self._open[name]


class RateLimiter:
    """Middleware that refuses requests of an address that asks for too much."""

    def __init__(self, app: ASGIApp, limits: Limits, clock: Seconds = time.monotonic) -> None:
        self._app = app
        self._requests = TokenBuckets(limits.burst, limits.requests, clock)
        self._games = TokenBuckets(limits.games, limits.games / HOUR, clock)
        self._tries = TokenBuckets(limits.tries, limits.tries / MINUTE, clock)
        self._new_keys = TokenBuckets(limits.tries, limits.tries / MINUTE, clock)
        self.streams = OpenRequests(limits.streams)
        self.hints = OpenRequests(limits.hints)
        self.imports = OpenRequests(IMPORTS_AT_ONCE)
        self._refusals = TokenBuckets(QUICK_REFUSALS, QUICK_REFUSALS / MINUTE, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        address = client_group(scope["client"][0] if scope.get("client") else "")
        refused = self._refused(address, scope["method"], scope["path"])
        if refused:
            if self._refusals.take(address):
                await asyncio.sleep(REFUSAL_PAUSE)
            await too_much_response(Request(scope), refused)(scope, receive, send)
        elif STREAMS.fullmatch(scope["path"]):
            with self.streams.one_more(address):
                await self._app(scope, receive, send)
        elif HINTS.fullmatch(scope["path"]):
            with self.hints.one_more(address):
                await self._app(scope, receive, send)
        elif _makes_game(scope):
            with self.imports.one_more(address) if REPLAYS.fullmatch(scope["path"]) else nullcontext():
                await self._game(address, scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refused(self, address: str, method: str, path: str) -> TooMuch | None:
        """Take what a request uses up, and return why it is refused, if it is."""
        wait = self._requests.take(address)
        if wait:
            return TooMuch("too-many-requests", math.ceil(wait))
        if STREAMS.fullmatch(path) and self.streams.full(address):
            return TooMuch("too-many-streams", STREAM_WAIT)
        if HINTS.fullmatch(path) and self.hints.full(address):
            return TooMuch("too-many-hints", HINT_WAIT)
        if method == "POST" and NEW_KEYS.fullmatch(path) and (wait := self._new_keys.take(address)):
            return TooMuch("too-many-keys", math.ceil(wait))
        if method == "POST" and TRIES.fullmatch(path) and (wait := self._tries.take(address)):
            return TooMuch("too-many-tries", math.ceil(wait))
        if method == "POST" and REPLAYS.fullmatch(path) and self.imports.full(address):
            return TooMuch("too-many-imports", IMPORT_WAIT)
        if method == "POST" and NEW_GAMES.fullmatch(path) and (wait := self._games.take(address)):
            return TooMuch("too-many-games", math.ceil(wait))
        return None

    async def _game(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request for a new game; give its token back on an error, except for a record that was read."""
        counted = HTTPStatus.UNPROCESSABLE_ENTITY if scope["path"] == IMPORT else None

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and HTTPStatus.BAD_REQUEST <= message["status"] != counted:
                self._games.give_back(address)
            await send(message)

        await self._app(scope, receive, sending)


def _makes_game(scope: Scope) -> bool:
    """Whether a request may create a game."""
    return scope["method"] == "POST" and NEW_GAMES.fullmatch(scope["path"]) is not None


@lru_cache(maxsize=4096)
def client_group(client: str) -> str:
    """Return the network that counts as one client: the address itself, or the first 64 bits of an IPv6 address."""
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return client[:64]
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, NEIGHBOURS), strict=False).network_address)
    return str(address)


@lru_cache(maxsize=4096)
def site_of(client_group: str) -> str:
    """Return the IPv6 site of a client group, as a network such as "2001:db8:1::/48"; "" for all others."""
    try:
        address = ipaddress.IPv6Address(client_group)
    except ValueError:
        return ""
    return str(ipaddress.ip_network((address, SITE), strict=False))


def too_much_response(request: Request, error: TooMuch) -> Response:
    """Answer a client that asks for too much: a page for people, JSON for programs."""
    headers = {"Retry-After": str(error.seconds), "Cache-Control": "no-store"}
    t = viewer(request).t
    if request.scope["path"].startswith(API_PREFIX) or "text/html" not in request.headers.get("accept", ""):
        return JSONResponse({"error": refusal(error, t)}, HTTPStatus.TOO_MANY_REQUESTS, headers)
    sentence = error.sentence(t.text)
    response = page(request, "pages/error.html", HTTPStatus.TOO_MANY_REQUESTS, sentence=sentence)
    response.headers.update(headers)
    return response


# ------------------------------------------------------------------------------------------------- the server's time
#
# The cost of a request is not known before. So three things hold for every address. A few requests run at a time, the
# others wait. Each is charged for the time it used; an address that has used much lately pauses between its requests as
# long as they took, so that others get at least half of the time. And one that has used more than its budget is refused
# with a time to wait.


class RequestQueue:
    """The requests of one address: some run, others wait. Calls `unused` when there are none."""

    def __init__(self, most: int, unused: Callable[[], object]) -> None:
        self._most, self._unused = most, unused
        self._loop = asyncio.get_running_loop()
        self._running = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._rests_until = 0.0
        self._timer: asyncio.TimerHandle | None = None  # runs while it rests

    async def enter(self) -> None:
        """Wait until this request may run."""
        if self._running < self._most and not self._waiting and not self._timer:
            self._running += 1
            return
        turn = self._loop.create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was its turn at the same moment
                self.leave()
            raise

    def leave(self) -> None:
        """End the turn of a request, and let the next one run."""
        self._running -= 1
        self._go_on()

    def rest(self, seconds: float) -> None:
        """Let no other request begin for this much longer."""
        now = self._loop.time()
        self._rests_until = min(max(now, self._rests_until) + seconds, now + LONGEST_REST)
        if self._timer is None:
            self._timer = self._loop.call_at(self._rests_until, self._rested)

    def _rested(self) -> None:
        """Go on, unless the pause has become longer meanwhile."""
        self._timer = None
        if self._loop.time() < self._rests_until:
            self._timer = self._loop.call_at(self._rests_until, self._rested)
        self._go_on()

    def _go_on(self) -> None:
        """Start waiting requests, as many as may run."""
        while self._waiting and self._running < self._most and not self._timer:
            turn = self._waiting.popleft()
            if not turn.done():
                self._running += 1
                turn.set_result(None)
        if not (self._running or self._waiting or self._timer):
            self._unused()


class WorkLimiter:
    """Middleware that bounds how much of the server's time each address uses."""

    def __init__(
        self, app: ASGIApp, limits: Limits, clock: Seconds = time.monotonic, cpu: Seconds = time.thread_time
    ) -> None:
        self._app = app
        self._cpu = cpu
        self.budget = TokenBuckets(
            limits.work_burst / MILLI, limits.work / MILLI, clock, wider=SITE_FACTOR
        )  # in seconds
        self.queues: dict[str, RequestQueue] = {}  # of addresses that have requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait for the request's turn, handle it, and charge for the time."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        address = client_group(scope["client"][0] if scope.get("client") else "")
        requester.set(address)
        overdrawn.set(partial(self.budget.debt, address))
        queue = self.queue_of(address)
        await queue.enter()
        turn = _RequestTurn(queue)
        try:
            if wait := self.budget.debt(address):
                refusal = TooMuch("too-many-requests", math.ceil(wait))
                await too_much_response(Request(scope), refusal)(scope, receive, send)
            else:
                await Metered(self._app(scope, receive, send), partial(self._charge, address), self._cpu)
        finally:
            turn.end()

    def _charge(self, address: str, seconds: float) -> None:
        """Charge an address for some time; if it has used much lately, let it pause as long."""
        self.budget.spend(address, seconds)
        if self.budget.fullness(address) < RESTS_BELOW:
            self.queue_of(address).rest(seconds)

    def queue_of(self, address: str) -> RequestQueue:
        """Return the queue of an address; all addresses of an IPv6 site share one."""
        site = site_of(address)
        name = site or address
        if name not in self.queues:
            most = AT_ONCE * SITE_FACTOR if site else AT_ONCE
            self.queues[name] = RequestQueue(most, partial(self.queues.pop, name, None))
        return self.queues[name]


class _RequestTurn:
    """The turn of one request; ends once, with the request or after a while."""

    def __init__(self, queue: RequestQueue) -> None:
        self._queue: RequestQueue | None = queue
        self._timer = asyncio.get_running_loop().call_later(TURN_SECONDS, self.end)

    def end(self) -> None:
        """Let the next request begin."""
        self._timer.cancel()
        queue, self._queue = self._queue, None
        if queue:
            queue.leave()
