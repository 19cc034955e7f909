"""The server's time: every address has a share of it, and one that uses more slows itself down and nobody else."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from tests.service.table_helpers import settings_for
from tests.web.test_rate_limits import TimeControl, no_pause, scope, status  # noqa: F401 - the pause is patched here too

from elcapitan.background_tasks import Metered, charged_task, run_unless
from elcapitan.errors import NoSuchKey, TooMuch
from elcapitan.service import HUMAN, Tables
from elcapitan.web.limits import (
    AT_ONCE,
    RESTS_BELOW,
    SITE_ALLOWANCE,
    SITE_FACTOR,
    OpenRequests,
    RateLimiter,
    TokenBuckets,
    WorkLimiter,
    site_of,
)
from elcapitan.web.long_requests import MOST_WAITING, THREADS, in_thread
from elcapitan.web.server_settings import Limits

App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Machine:
    """An application whose requests take as much of a processor as a test says; nothing is measured for real."""

    def __init__(self, cost: float, **limits: int) -> None:
        self.cost = cost  # seconds of a request
        self.cpu, self.clock = TimeControl(), TimeControl()
        self.begun = self.at_once = self.most_at_once = 0
        self.held: asyncio.Event | None = None
        self.limiter = WorkLimiter(self.app, Limits(**limits), self.clock, self.cpu)

    async def app(self, asked: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: think, wait for something, think again."""
        self.begun += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.cpu.now += self.cost / 2
        await asyncio.sleep(0)
        if self.held:
            await self.held.wait()
        self.cpu.now += self.cost / 2
        self.at_once -= 1
        await PlainTextResponse("")(asked, receive, send)

    async def ask(self, client: str = "192.0.2.1") -> int:
        """The status of the answer to a request."""
        return (await status(self.limiter, scope("/", client=client)))[0]  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def restless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for real."""
    monkeypatch.setattr("elcapitan.web.limits.LONGEST_REST", 0.001)


# ------------------------------------------------------------------------------------------------------- the budget


def test_whoever_used_up_the_budget_comes_back_later() -> None:
    async def look() -> None:
        machine = Machine(0.1, work=200, work_burst=950)
        codes = [await machine.ask() for _ in range(12)]
        assert codes == [200] * 10 + [429] * 2, "a second of it, a tenth for each"
        assert await machine.ask("192.0.2.2") == 200, "nobody else notices"
        answer = await status(machine.limiter, scope("/"))  # type: ignore[arg-type]
        assert answer[1]["retry-after"] == "1"
        machine.clock.now += 0.6
        assert await machine.ask() == 200
        machine.clock.now += 1000
        assert [await machine.ask() for _ in range(12)] == [200] * 10 + [429] * 2

    asyncio.run(look())


def test_cheap_requests_are_never_refused() -> None:
    """Two milliseconds each, forty in a second: as many as an address may send at all."""

    async def look() -> None:
        machine = Machine(0.002)
        for _ in range(2000):
            assert await machine.ask() == 200
            machine.clock.now += 1 / 40
        assert machine.limiter.budget.fullness("192.0.2.1") > 0.9

    asyncio.run(look())


def test_one_dear_request_is_paid_back_before_the_next() -> None:
    async def look() -> None:
        machine = Machine(5.0, work=100, work_burst=1000)
        assert await machine.ask() == 200
        assert machine.limiter.budget.debt("192.0.2.1") == pytest.approx(40)
        assert await machine.ask() == 429

    asyncio.run(look())


# -------------------------------------------------------------------------------------------------- one after another


def test_a_few_requests_of_an_address_are_worked_on_at_a_time() -> None:
    """Four hundred at once wait for each other; somebody else gets in between."""

    async def look() -> None:
        machine = Machine(0.001)
        machine.held = asyncio.Event()
        crowd = [asyncio.create_task(machine.ask()) for _ in range(400)]
        for _ in range(5):
            await asyncio.sleep(0)
        assert machine.begun == AT_ONCE
        other = asyncio.create_task(machine.ask("192.0.2.2"))
        for _ in range(5):
            await asyncio.sleep(0)
        assert machine.begun == AT_ONCE + 1, "whoever comes from elsewhere does not wait"
        machine.held.set()
        assert await other == 200
        assert await asyncio.gather(*crowd) == [200] * 400
        assert machine.most_at_once == AT_ONCE + 1
        for _ in range(100):
            await asyncio.sleep(0.01)
            if not machine.limiter.queues:
                break
        assert not machine.limiter.queues, "nobody is remembered"

    asyncio.run(look())


def test_requests_that_wait_for_something_do_not_hold_up_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams are open for hours, hints take seconds: they keep nobody waiting."""
    monkeypatch.setattr("elcapitan.web.limits.TURN_SECONDS", 0.01)

    async def look() -> None:
        machine = Machine(0.001)
        machine.held = asyncio.Event()
        streams = [asyncio.create_task(machine.ask()) for _ in range(30)]
        async with asyncio.timeout(30):
            while machine.begun < 30:
                await asyncio.sleep(0.01)
        machine.held.set()
        assert await asyncio.gather(*streams) == [200] * 30

    asyncio.run(look())


def test_whoever_leaves_while_waiting_takes_no_turn() -> None:
    async def look() -> None:
        machine = Machine(0.001)
        machine.held = asyncio.Event()
        running = [asyncio.create_task(machine.ask()) for _ in range(AT_ONCE)]
        waiting = [asyncio.create_task(machine.ask()) for _ in range(10)]
        await asyncio.sleep(0)
        for task in waiting[:5]:
            task.cancel()
        await asyncio.gather(*waiting[:5], return_exceptions=True)
        machine.held.set()
        assert await asyncio.gather(*running, *waiting[5:]) == [200] * (AT_ONCE + 5)
        assert machine.begun == AT_ONCE + 5
        for task in (tasks := [asyncio.create_task(machine.ask()) for _ in range(3 * AT_ONCE)]):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert await machine.ask() == 200

    asyncio.run(look())


def test_an_address_that_used_much_rests_between_its_requests() -> None:
    """As long as they took, so that others get half of the time; one that used little never does."""

    async def look() -> None:
        machine = Machine(0.05)
        rests: list[float] = []
        queue = machine.limiter.queue_of("192.0.2.1")
        queue.rest = rests.append  # type: ignore[assignment,method-assign]
        spent = 0
        while machine.limiter.budget.fullness("192.0.2.1") - 0.05 / 15 > RESTS_BELOW:
            assert await machine.ask() == 200
            machine.limiter.queues["192.0.2.1"] = queue
            spent += 1
        assert spent >= 50 and rests == [], "dozens of pages at once"
        for _ in range(20):
            assert await machine.ask() == 200
            machine.limiter.queues["192.0.2.1"] = queue
        assert sum(rests) >= 18 * 0.05

    asyncio.run(look())


# ------------------------------------------------------------------------------------------------------------ the meter


def test_everything_that_a_request_does_is_charged() -> None:
    """In its own task and in a thread; also if it fails or is cancelled. Waiting is not."""

    async def look() -> None:
        cpu, seconds = TimeControl(), 0.0

        def charge(spent: float) -> None:
            nonlocal seconds
            seconds += spent

        async def work() -> None:
            cpu.now += 1
            await asyncio.sleep(0.01)
            cpu.now += 2
            raise KeyError

        with pytest.raises(KeyError):
            await Metered(work(), charge, cpu)
        assert seconds == 3

        async def endless() -> None:
            cpu.now += 1
            try:
                await asyncio.Event().wait()
            finally:
                cpu.now += 4

        async def metered(work: Any) -> None:
            await Metered(work, charge, cpu)

        task = asyncio.create_task(metered(endless()))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert seconds == 8

        async def starting() -> None:
            await in_thread(sum, range(200_000))
            await asyncio.sleep(0.05)

        await metered(starting())
        assert seconds > 8.0005, "measured for real"

        async def summing() -> int:
            return sum(range(200_000))

        for start in (lambda: charged_task(summing()), lambda: run_unless(asyncio.sleep(60), summing())):
            before = seconds
            await metered(start())
            assert seconds > before + 0.0005, "so are tasks that it starts"

    asyncio.run(look())


def test_slow_work_waits_in_a_queue_of_its_own() -> None:
    """It takes none of the threads that load tables, and too much of it is refused."""

    async def look() -> None:
        done = threading.Event()
        many = [asyncio.create_task(in_thread(done.wait, 60)) for _ in range(THREADS + MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(TooMuch):
            await in_thread(sum, [1])
        assert await asyncio.to_thread(sum, [1, 2]) == 3
        done.set()
        assert all(await asyncio.gather(*many))
        assert await in_thread(sum, [1]) == 1

    asyncio.run(look())


def test_nothing_is_charged_where_nobody_is_counted() -> None:
    async def look() -> int:
        return await in_thread(sum, [1, 2])

    assert asyncio.run(look()) == 3


# ---------------------------------------------------------------------------------------------------------- IPv6 sites


@pytest.mark.parametrize(
    ("client_group", "site"),
    [
        ("2001:db8:1:2::", "2001:db8:1::/48"),
        ("2001:db8:1:ffff::", "2001:db8:1::/48"),
        ("2001:db8:2:2::", "2001:db8:2::/48"),
        ("192.0.2.7", ""),
        ("testclient", ""),
        ("", ""),
        ("2001:db8:1::/48", ""),
    ],
)
def test_sites(client_group: str, site: str) -> None:
    assert site_of(client_group) == site


def network(number: int) -> str:
    """One of the 65,536 networks of a site."""
    return f"2001:db8:1:{number:x}::7"


def test_all_networks_of_a_site_together_get_a_few_times_as_much_as_one() -> None:
    async def ok(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("")(scope, receive, send)

    async def look() -> None:
        clock = TimeControl()
        app = RateLimiter(ok, Limits(requests=1, burst=10, games=5, tries=5), clock)
        codes = [(await status(app, scope("/", client=network(n))))[0] for n in range(1000)]
        assert codes.count(200) == 10 * SITE_ALLOWANCE
        assert (await status(app, scope("/", client="2001:db8:2::7")))[0] == 200
        assert (await status(app, scope("/", client="192.0.2.7")))[0] == 200
        clock.now += 100
        for path, most in (("/join", 5), ("/games/quick", 5)):
            codes = []
            for number in range(100):
                codes.append((await status(app, scope(path, "POST", client=network(number))))[0])
                clock.now += 0.2
            assert codes.count(200) <= (most + 2) * SITE_ALLOWANCE
            assert codes[:most] == [200] * most

    asyncio.run(look())


def test_a_site_has_a_budget_and_a_queue_of_its_own() -> None:
    async def look() -> None:
        machine = Machine(0.1, work=100, work_burst=1000)
        codes = [await machine.ask(network(number)) for number in range(100)]
        assert codes.count(200) == pytest.approx(10 * SITE_FACTOR, abs=1)
        machine = Machine(0.001)
        machine.held = asyncio.Event()
        crowd = [asyncio.create_task(machine.ask(network(number))) for number in range(100)]
        for _ in range(5):
            await asyncio.sleep(0)
        assert machine.begun == AT_ONCE * SITE_FACTOR
        machine.held.set()
        await asyncio.gather(*crowd)

    asyncio.run(look())


def test_streams_of_a_site() -> None:
    streams = OpenRequests(2)
    opened = [streams.one_more(f"2001:db8:1:{number:x}::") for number in range(2 * SITE_ALLOWANCE)]
    for number, stream in enumerate(opened):
        assert not streams.full(f"2001:db8:1:{number:x}::")
        stream.__enter__()
    assert streams.full("2001:db8:1:ffff::") and not streams.full("2001:db8:2::")
    for stream in opened:
        stream.__exit__(None, None, None)
    assert not streams.full("2001:db8:1:ffff::") and not len(streams)


def test_a_token_that_is_given_back_is_given_back_to_the_site() -> None:
    buckets = TokenBuckets(1, 0.001, TimeControl(), wider=2)
    for number in range(50):
        assert buckets.take(f"2001:db8:1:{number:x}::") == 0
        buckets.give_back(f"2001:db8:1:{number:x}::")
    assert [buckets.take(f"2001:db8:1:{number:x}::") > 0 for number in range(3)] == [False, False, True]


def test_a_request_is_charged_for_the_database_and_for_loading(tmp_path: Path) -> None:
    """Both happen in other tasks and threads, and are most of what a request costs."""
    charged: dict[str, float] = {}

    async def look() -> None:
        async with Tables.open(tmp_path / "games.db", workers=1, bots=False) as tables:
            table = await tables.create(settings_for(HUMAN, HUMAN, seed=None))

        async with Tables.open(tmp_path / "games.db", workers=1, bots=False) as tables:
            record = Tables.export(table, "capitan")
            requests: dict[str, Callable[[], Awaitable[object]]] = {
                "lookup": lambda: tables.keys.opened("junk"),
                "load": lambda: tables.get(table.id),
                "move": lambda: tables.act(table.id, table.number, [table.game.legal()[0]]),
                "import": lambda: tables.import_record(record, ""),
                "phrase": lambda: tables.keys.by_phrase("no such phrase"),
            }
            await tables.check()
            for name, work in requests.items():
                own, everything = time.thread_time(), time.process_time()

                def charge(seconds: float, name: str = name) -> None:
                    charged[name] = charged.get(name, 0.0) + seconds

                with suppress(NoSuchKey):
                    await asyncio.create_task(awaited(Metered(work(), charge)))
                await asyncio.sleep(0.01)
                spent = max(time.thread_time() - own, (time.process_time() - everything) / 2)
                assert charged[name] > 0.4 * spent, (name, charged[name], spent)

    async def awaited(work: Any) -> None:
        await work

    asyncio.run(look())
