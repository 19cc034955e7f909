"""One version at work: run by the interpreter of its checkout, and told "go" on its input for each portion of work.

`worker.py NAME` gets everything ready and does two portions to warm up. Then it answers each line of its input with a
line of JSON: CPU seconds for one unit of work, by name. Both versions do the same portions in the same order. One
script serves both, though their modules differ inside, because it uses few names: the command line, `elcapitan.Game`,
`elcapitan.research`, `elcapitan.service`, `elcapitan.web.app`, and for the search `elcapitan.bots`.
"""

import asyncio
import contextlib
import gc
import io
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import AsyncGenerator, Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

Costs = dict[str, float]  # CPU seconds for one unit, by what was measured
Portion = Callable[[int], Costs]  # given the number of the round
FLEET: Final = 4096
STEPS: Final = 25  # of a fleet in a portion
WATCHED: Final = 100  # games whose course `elcapitan simulate` watches
GAMES_OUT: Final = 2000  # complete games in a portion
SIMULATIONS: Final = 3000  # in a portion
MOVES: Final = 40  # in a portion
GAMES: Final = 4  # loaded from the store in a portion
EVENTS: Final = 120  # actions in each of them
WARM_UP: Final = 2  # portions that do not count
RAM: Final = "/dev/shm" if Path("/dev/shm").is_dir() else None


# ------------------------------------------------------------------------------------------------------------ engine


def games() -> Portion:
    """Complete games inside the engine, by `elcapitan simulate`; the first, which it watches, are subtracted."""
    command = _command()

    def spent(number: int, count: int) -> float:
        begun = time.process_time()
        words = ("--players", "4", "--policy", "light", "--seed", str(number), "--json")
        played = json.loads(command("simulate", "--games", str(count), *words))
        if played["games"] != count:
            raise AssertionError(f"not {count} games: {played}")
        return time.process_time() - begun

    def portion(number: int) -> Costs:
        watched = spent(number, WATCHED)
        return {"complete game, four light players": (spent(number, WATCHED + GAMES_OUT) - watched) / GAMES_OUT}

    return portion


def search() -> Portion:
    """A decision of the navigator, which searches, a few turns into a game of four."""
    create: Callable[[str], Any] = import_module("elcapitan.bots.registry").create
    view: Callable[..., Any] = import_module("elcapitan.bots.bot").View
    generator: Callable[[int], Any] = import_module("elcapitan.engine.rng").generator
    from elcapitan import Game  # noqa: PLC0415

    playing: Any = Game.new(4, seed=5)
    dice = random.Random(5)
    while len(playing.events) < 30 or len(playing.legal()) < 2:
        playing.play(dice.choice(playing.legal()))

    def portion(number: int) -> Costs:
        bot = create(f"navigator:sims={SIMULATIONS}")
        seen = view(playing.view_for(playing.seat), playing.figures.boards)
        begun = time.process_time()
        bot.choose(seen, playing.legal(), generator(number))
        return {"simulation of a search": (time.process_time() - begun) / SIMULATIONS}

    return portion


def fleet(name: str, policy: str, **settings: Any) -> Portion:
    """Steps of a fleet in one thread, first without and then with the choice of the actions."""
    from elcapitan.research.fleet import Fleet  # noqa: PLC0415

    games = Fleet(FLEET, 4, seed=1, threads=1, **settings)
    games.play(300, policy)

    def portion(_number: int) -> Costs:
        spent = 0.0
        for _ in range(STEPS):
            actions = games.choose(policy)
            begun = time.process_time()
            games.step(actions)
            spent += time.process_time() - begun
        begun = time.process_time()
        games.play(STEPS, policy)
        chosen = time.process_time() - begun
        return {f"step of {name}": spent / STEPS / FLEET, f"step of {name}, with the choice": chosen / STEPS / FLEET}

    return portion


def game(*, plain: bool) -> Portion:
    """Random actions from Python, in a checked game or in a `PlainGame`."""
    from elcapitan import Game  # noqa: PLC0415
    from elcapitan.research.plain_game import PlainGame  # noqa: PLC0415

    def portion(number: int) -> Costs:
        dice, count = random.Random(number), 0
        begun = time.process_time()
        for _ in range(80 if plain else 10):
            made = Game.new(4, seed=dice.randrange(2**32))
            playing: Any = PlainGame(made) if plain else made
            while not playing.over:
                playing.play(dice.choice(playing.legal()))
                count += 1
        name = "action of PlainGame" if plain else "action of Game"
        return {name: (time.process_time() - begun) / count}

    return portion


# ----------------------------------------------------------------------------------------------------------- service


def service() -> Portion:
    """Moves of people through `Tables`: checked, applied and stored in a file that lies in memory."""

    async def life(folder: Path) -> AsyncGenerator[Costs, int]:
        from elcapitan.service import Tables  # noqa: PLC0415

        async with Tables.open(folder / "games.db", bots=False) as tables:
            number = yield {}
            while True:
                dice, table, spent = random.Random(number), await tables.create(_plan(number)), 0.0
                for _ in range(MOVES):
                    action = dice.choice(table.game.legal())
                    begun = time.process_time()
                    table = await tables.act(table.id, table.number, [action])
                    spent += time.process_time() - begun
                await tables.delete(table.id)
                number = yield {"move through the service": spent / MOVES}

    return _living(life)


def page() -> Portion:
    """From the request that posts a move to the last byte of the table after it, with everything a server has around.

    Every portion looks at another moment of a game: it begins where the last one ended.
    """

    async def life(folder: Path) -> AsyncGenerator[Costs, int]:
        app = import_module("elcapitan.web.app").application(folder / "games.db")
        async with app.router.lifespan_context(app):
            tables, dice, table = app.state.tables, random.Random(1), None
            number = yield {}
            while True:
                spent = 0.0
                for _ in range(MOVES):
                    if table is None or table.deciding is None:
                        table = await tables.create(_plan(number))
                        await _sent(app, "GET", f"/games/{table.id}")
                    form = {"number": table.number, "actions": dice.choice(table.game.legal())}
                    begun = time.process_time()
                    await _sent(app, "POST", f"/games/{table.id}/act", urlencode(form))
                    spent += time.process_time() - begun
                    table = await tables.get(table.id)
                number = yield {"click to the last byte of the new table": spent / MOVES}

    return _living(life)


def load() -> Portion:
    """A table that is not in memory: read from the store, played again, ready to be shown."""

    async def life(folder: Path) -> AsyncGenerator[Costs, int]:
        from elcapitan.service import Tables  # noqa: PLC0415

        database, made = folder / "games.db", []
        async with Tables.open(database, bots=False) as tables:
            for seed in range(GAMES):
                dice, table = random.Random(seed), await tables.create(_plan(seed))
                for _ in range(EVENTS):
                    table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
                made.append(table.id)
        yield {}
        while True:
            async with Tables.open(database, bots=False) as tables:
                begun = time.process_time()
                for each in made:
                    await tables.get(each)
                spent = time.process_time() - begun
            yield {"load of a table from the store": spent / len(made)}

    return _living(life)


def _plan(seed: int) -> Any:
    """Four people at one screen, all tiles in play."""
    from elcapitan import service  # noqa: PLC0415
    from elcapitan.service import HUMAN, Seat  # noqa: PLC0415

    kind: Any = getattr(service, "TableSettings", None) or getattr(service, "Plan", None)  # as older versions call it
    seats = tuple(Seat(HUMAN, f"M{seat}", seat) for seat in range(4))
    return kind(seats, tiles=("Porto", "Lisboa", "Islas Canarias"), seed=seed, first=0)


def _living(life: Callable[[Path], AsyncGenerator[Costs, int]]) -> Portion:
    """A portion for every step of something that goes on in one event loop, in a folder in memory."""
    folder = Path(tempfile.mkdtemp(dir=RAM))
    runner = asyncio.Runner()
    going = life(folder)
    runner.run(anext(going))
    ENDS.callback(shutil.rmtree, folder)
    ENDS.callback(runner.close)
    ENDS.callback(lambda: runner.run(going.aclose()))
    return lambda number: runner.run(going.asend(number))


async def _sent(app: Any, method: str, path: str, content: str = "") -> None:
    """Send a request as a browser on the same machine does, and wait for the whole answer."""
    headers = {
        "host": "localhost",
        "hx-request": "true",
        "accept-encoding": "gzip",
        "accept-language": "en",
        "cookie": "turn_end=automatic",  # every action ends its turn at once, as in versions that stage nothing
        "content-type": "application/x-www-form-urlencoded",
        "content-length": str(len(content)),
    }
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 40_000),
        "server": ("localhost", 80),
        "state": {},
    }
    waiting, sent = [content.encode()], []

    async def receive() -> dict[str, Any]:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return {"type": "http.disconnect"}

    async def sending(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, sending)
    if sent[0]["status"] != 200:
        raise AssertionError(f"{method} {path}: {sent[0]['status']}")


# --------------------------------------------------------------------------------------------------------- processes


def cold() -> Portion:
    """Compile everything into an empty cache, as the first start of a new version does."""
    return _programs(
        {"cold compile": ["-m", "elcapitan", "warm-up"], "cold compile of the fleet": ["-c", FLEET_OF_ONE]}
    )


def start() -> Portion:
    """Start the program with a warm cache, say what it can do, and end."""
    return _programs({"start of the program": ["-m", "elcapitan", "--help"]}, warm=True)


FLEET_OF_ONE: Final = "from elcapitan.research.fleet import Fleet; Fleet(1)"


def _programs(programs: dict[str, list[str]], *, warm: bool = False) -> Portion:
    """The CPU time of programs and all that they start; with a cold cache they share one that begins empty."""

    def portion(_number: int) -> Costs:
        costs: Costs = {}
        with tempfile.TemporaryDirectory() as cache:
            environment = dict(os.environ) if warm else {**os.environ, "ELCAPITAN_CACHE": cache}
            for name, words in programs.items():
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([sys.executable, *words], env=environment, check=True, stdout=subprocess.DEVNULL)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                costs[name] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return costs

    return portion


def _command() -> Callable[..., str]:
    """The command line in this process: its words, then what it prints."""
    script: str = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]["scripts"]["elcapitan"]
    module, _, name = script.partition(":")
    main = getattr(import_module(module), name)

    def run(*words: str) -> str:
        sys.argv = ["elcapitan", *words]
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
            main()
        return out.getvalue()

    return run


WORK: Final[dict[str, Callable[[], Portion]]] = {
    "games": games,
    "search": search,
    "fleet": lambda: fleet("a fleet, uniform players", "uniform", observe=False, flags=False),
    "observed": lambda: fleet("a fleet with observation, light players", "light"),
    "plain": lambda: game(plain=True),
    "game": lambda: game(plain=False),
    "service": service,
    "page": page,
    "load": load,
    "start": start,
    "cold": cold,
}
LONG: Final = ("cold",)  # nothing to warm up there
ENDS: Final = contextlib.ExitStack()


def _asked() -> Iterator[int]:
    """The numbers of the rounds that are wanted."""
    return (number for number, _line in enumerate(sys.stdin, start=WARM_UP))


def main() -> None:
    """Answer on what was the standard output; what programs print goes nowhere."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    if hasattr(os, "sched_setaffinity") and sys.argv[1] not in LONG:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # both versions on the same core
    with ENDS:
        portion = WORK[sys.argv[1]]()
        if sys.argv[1] not in LONG:
            for number in range(WARM_UP):
                portion(number)
        gc.collect()
        gc.freeze()
        answers.write("ready\n")
        for number in _asked():
            answers.write(json.dumps(portion(number)) + "\n")


if __name__ == "__main__":
    main()
