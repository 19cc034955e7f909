"""An evening of five people behind one address, with phones on bad networks: nobody meets a limit.

The first test plays on the real application with its usual limits and measures what everything costs; time passes as
the players need it. The second plays a whole evening against the same limits with an application that costs three
times what a page costs.
"""

import asyncio
import random
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.fuzzing.in_process import CLIENT, send
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from tests.web.test_rate_limits import TimeControl, scope, status
from tests.web.test_streams import follow

from elcapitan.background_tasks import cancel_and_wait
from elcapitan.service import FRIEND, HUMAN, Seat, Tables, TableSettings
from elcapitan.service.keys import HOST, seat_role
from elcapitan.web.app import application
from elcapitan.web.limits import RateLimiter, WorkLimiter
from elcapitan.web.server_settings import Limits, ServerSettings
from elcapitan.web.view.offers import HELD

PEOPLE = 5
FILES_OF_A_PAGE = 33  # files that a page asks for when a phone has forgotten them
LIMITS = Limits()
TOO_MANY = 429
ADDRESS = CLIENT[0]


class Evening:
    """The application as strangers reach it, and a clock of its own."""

    def __init__(self, folder: Path) -> None:
        self.clock = TimeControl()
        self.app = application(folder / "games.db", settings=ServerSettings(public=True))
        self.work = WorkLimiter(self.app, LIMITS, self.clock)
        self.limiter = RateLimiter(self.work, LIMITS, self.clock)
        self.answers: list[int] = []
        self.game = ""
        self.keys: list[str] = []

    @property
    def tables(self) -> Tables:
        """All tables."""
        found: Tables = self.app.state.tables
        return found

    async def set_up(self) -> None:
        """One of them sets a table up and gives links to the others."""
        seats = (
            Seat(HUMAN, "Ana", 0),
            *(Seat(FRIEND, name, n + 1) for n, name in enumerate(("Ben", "Clo", "Dan", "Eva"))),
        )
        table = await self.tables.create(TableSettings(seats, first=0, seed=7))
        self.game = table.id
        roles = [HOST, *(seat_role(seat) for seat in range(1, PEOPLE))]
        self.keys = [await self.tables.keys.link(table.id, role) for role in roles]

    async def ask(self, who: int, method: str, path: str, **form: object) -> int:
        """A person asks for something."""
        content = urlencode(form).encode() if form else b""
        headers = [("host", "testserver"), ("authorization", f"Bearer {self.keys[who]}"), ("accept", "text/html")]
        if method == "POST":
            headers += [("content-type", "application/x-www-form-urlencoded"), ("content-length", str(len(content)))]
        code, _headers, _body = await send(self.limiter, method, path, headers, content)
        self.answers.append(code)
        return code

    async def load(self, who: int, *, anew: bool = False) -> None:
        """Load the page of the table, with all of its files if the phone has forgotten them, and follow the table."""
        await self.ask(who, "GET", f"/games/{self.game}")
        if anew:
            await asyncio.gather(
                *(self.ask(who, "GET", f"/static/{number}/theme.css") for number in range(FILES_OF_A_PAGE))
            )
        await self.ask(who, "GET", f"/games/{self.game}/events")

    async def follow(self, who: int) -> None:
        """Follow the table all the time: what is drawn for that is charged too."""
        await follow(self.limiter, scope(f"/games/{self.game}/events", authorization=f"Bearer {self.keys[who]}"))

    async def turn(self, dice: random.Random) -> None:
        """Somebody takes a turn: looks at ways, asks for a hint, undoes something, and sends everything twice."""
        table, here = await self.tables.get(self.game), f"/games/{self.game}"
        mover = table.deciding
        assert mover is not None
        for city in dice.sample(range(10), 2):
            await self.ask(mover, "GET", f"{here}/ways/{city}")
        await self.ask(mover, "GET", f"{here}/payday/1")
        while table.deciding == mover:
            action = HELD if table.held_action is not None else dice.choice(table.game.legal())
            for _ in range(2):  # the first answer got lost on its way
                await self.ask(mover, "POST", f"{here}/act", number=table.number, actions=action)
            table = await self.tables.get(self.game)
        await self.ask(mover, "POST", f"{here}/undo", number=table.number)
        await self.ask(mover, "POST", f"{here}/wish", number=table.number, at=1)
        for other in range(PEOPLE):
            await self.ask(other, "POST", f"{here}/answer", number=table.number, yes="false")


def test_they_meet_no_limit(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    dice = random.Random(1)

    async def play() -> None:
        async with evening.app.router.lifespan_context(evening.app):
            await evening.set_up()
            # All of them come at the same moment; nobody waits between two requests.
            await asyncio.gather(*(evening.ask(who, "GET", "/join") for who in range(PEOPLE)))
            await asyncio.gather(*(evening.ask(who, "POST", "/join", key=key) for who, key in enumerate(evening.keys)))
            await asyncio.gather(*(evening.load(who, anew=True) for who in range(PEOPLE)))
            await evening.ask(1, "POST", f"/games/{evening.game}/seat", role="seat-1", how="phrase")
            assert evening.work.budget.fullness(ADDRESS) > 0.5
            following = [asyncio.create_task(evening.follow(who)) for who in range(PEOPLE)]
            began, spent = evening.clock.now, 0.0
            for number in range(8):
                before = evening.work.budget.fullness(ADDRESS)
                await evening.turn(dice)
                await evening.ask(number % PEOPLE, "POST", f"/games/{evening.game}/say", text=f"Ahoy {number}")
                for who in dice.sample(range(PEOPLE), 2):  # two networks break down in every turn
                    await evening.load(who, anew=dice.random() < 0.2)
                spent += (before - evening.work.budget.fullness(ADDRESS)) * LIMITS.work_burst / 1000
                evening.clock.now += 20  # seconds of a quick turn
            passed = evening.clock.now - began
            await cancel_and_wait(*following)
            assert spent / passed < LIMITS.work / 1000, "they could go on like that for ever"

    asyncio.run(play())
    assert TOO_MANY not in evening.answers
    assert len(evening.answers) > 250
    assert sum(code < 400 for code in evening.answers) > len(evening.answers) * 0.6


class Costly:
    """An application whose requests cost what a test says."""

    def __init__(self) -> None:
        self.cpu, self.clock = TimeControl(), TimeControl()
        self.cost = 0.0
        self.work = WorkLimiter(self.app, LIMITS, self.clock, self.cpu)
        self.limiter = RateLimiter(self.work, LIMITS, self.clock)

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        self.cpu.now += self.cost
        await PlainTextResponse("")(scope, receive, send)

    async def ask(self, path: str, cost: float, method: str = "GET") -> None:
        """Ask for something that costs so many seconds; nobody is refused."""
        self.cost = cost
        code, _headers, _body = await status(self.limiter, scope(path, method))
        assert code == 200, path


def test_a_whole_evening() -> None:
    """Three hours in which every phone loses its network every minute, and all of them at once every ten."""
    dice = random.Random(2)
    page, move, part, file = 0.15, 0.1, 0.03, 0.003  # seconds: three times what a slow machine needs

    async def play() -> None:
        machine = Costly()

        async def load() -> None:
            await machine.ask("/games/abc", page)
            for _ in range(FILES_OF_A_PAGE):
                await machine.ask("/static/x", file)
            await machine.ask("/games/abc/events", part)

        for _ in range(PEOPLE):
            await machine.ask("/join", page)
            await machine.ask("/join", page, "POST")
        lowest = 1.0
        for second in range(3 * 3600):
            machine.clock.now += 1
            if second % 600 == 0:
                for _ in range(PEOPLE):
                    await load()
                await machine.ask("/games/quick", page, "POST")  # and they begin a new game
            if dice.random() < PEOPLE / 60:
                await load()
            if dice.random() < 0.2:  # somebody moves every five seconds
                await machine.ask("/games/abc/act", move, "POST")
            if dice.random() < 0.3:
                await machine.ask("/games/abc/ways/3", part)
            if dice.random() < 0.1:
                await machine.ask("/games/abc/hint", part)
                await machine.ask("/games/abc/say", part, "POST")
            if dice.random() < 0.01:
                await machine.ask("/games/abc/seat", part, "POST")
                await machine.ask("/join", part, "POST")
            lowest = min(lowest, machine.work.budget.fullness("192.0.2.1"))
        assert lowest > 0.5, "far from a limit"

    asyncio.run(play())
