"""How much of the server's time one address may use, so that its requests do not slow down those of others.

The cost of a request is not known before. So three things hold for every address. A few requests run at a time, the
others wait. Each is charged for the time it used; an address that has used much lately pauses between its requests as
long as they took, so that others get at least half of the time. And one that has used more than its budget is refused
with a time to wait.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from elcapitan.background_tasks import Metered, requester
from elcapitan.errors import TooMuch
from elcapitan.web.middleware.rate_limits import Clock, TokenBuckets, client_group, site_of, too_much_response
from elcapitan.web.server_settings import Limits

AT_ONCE: Final = 4  # requests of one address that are worked on at the same time
SITE_FACTOR: Final = 2  # times as much time and as many requests at once for all addresses of an IPv6 site
TURN_SECONDS: Final = 0.25  # after which a request that still waits for something lets the next one begin
RESTS_BELOW: Final = 0.8  # of its budget: an address with less than that rests between its requests
LONGEST_REST: Final = 1.0  # seconds that an address over its budget waits between two requests
MILLI: Final = 1000.0


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
        self, app: ASGIApp, limits: Limits, clock: Clock = time.monotonic, cpu: Clock = time.thread_time
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
        queue = self.queue_of(address)
        await queue.enter()
        turn = _Turn(queue)
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


class _Turn:
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
