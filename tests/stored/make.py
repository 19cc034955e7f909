"""Makes the databases in this folder. No test runs this: a database stays as the version that wrote it left it.

    python -m tests.stored.make make sqlite.db         play games and keep them in a new SQLite file
    python -m tests.stored.make make postgresql.sql    the same in a PostgreSQL, which is then dumped
    python -m tests.stored.make look sqlite.db         write down what is seen of each game

Both work on the packed file in this folder, sqlite.db.gz, and on sqlite.json beside it, which holds the keys to the
games and what is seen of them. To make games with an older version, run this file as that version has it. All that is
written is dated 2100. A server goes on from the last time in its database, so tests meet clocks and wishes exactly as
they were left.
"""

import argparse
import asyncio
import gzip
import json
import random
import sqlite3
import subprocess
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.postgres import rows, running
from tests.stored.server import FOLDER, Json, Server, serving, unpacked

LATER = "2100-01-01 12:00:00.000000"
TILES = ["Porto", "Lisboa", "Islas Canarias"]
QUICKLY = ("end", "repay", "reopen", "build", "fortress", "sail")  # what brings a game to its end
DAY = 86_400


@dataclass
class Made:
    """A game that was made, and the keys to it."""

    name: str
    game: str
    host: str = ""
    watch: str = ""
    seats: dict[int, str] = field(default_factory=dict)
    phrase: str = ""  # to the first seat
    dropped: str = ""  # a key that opens nothing any more


class Maker:
    """Makes games on a server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.dice = random.Random(2100)
        self.made: list[Made] = []

    async def new(self, name: str, *players: str, **settings: Any) -> Made:
        """Set a table up; everybody has a name and a colour of their own."""
        seats = [{"player": player, "name": f"M{seat}", "colour": 4 - seat} for seat, player in enumerate(players)]
        asked = {"seats": seats, "first": 0, "pace": "instant", "title": name, **settings}
        told = await self.server.post("/games", **asked)
        keys = {each["seat"]: each["key"] for each in told["seat_keys"]}
        self.made.append(Made(name, told["game"], told["host_key"], told["watch_key"], keys))
        return self.made[-1]

    async def own(self, name: str, game: str) -> Made:
        """Take the host's key to a game that was not set up by the API."""
        self.made.append(Made(name, game, await self.server.tables.keys.link(game, "host")))
        return self.made[-1]

    async def play(self, made: Made, actions: int = 10_000, *, until: int | None = None, within: bool = False) -> Json:
        """Let people act by chance: so many actions, then on until a seat is to move, or `within` a turn."""
        state = await self.server.state(made.game, made.host)
        done = 0
        while state["deciding"] is not None and (
            done < actions or (until is not None and state["deciding"] != until) or (within and state["undoable"] < 2)
        ):
            key = made.seats.get(state["deciding"], made.host)
            legal = await self.server.legal(made.game, key)
            quick = [each for each in legal if each["typed"]["do"] in QUICKLY]
            chosen = self.dice.choice(quick if quick and self.dice.random() < 0.8 else legal)
            state = await self.server.act(state, key, chosen["action"])
            done += 1
        return state

    async def wish(self, made: Made, state: Json, seat: int, back: int) -> Json:
        """Let a seat wish to go back by some events."""
        path = f"/games/{made.game}/wish"
        return await self.server.post(path, made.seats[seat], number=state["number"], at=state["events"] - back)

    async def answer(self, made: Made, state: Json, seat: int, *, yes: bool) -> Json:
        """Let a seat answer a wish."""
        path = f"/games/{made.game}/wish/answer"
        return await self.server.post(path, made.seats[seat], number=state["number"], yes=yes)


async def with_keys(maker: Maker) -> None:
    """Make games of a version that has keys and an API, while nobody but us acts."""
    server = maker.server
    made = await maker.new("in the middle of a turn", "friend", "friend")
    state = await maker.play(made, 30, within=True)
    path, key = f"/games/{made.game}/undo", made.seats[state["deciding"]]
    await server.post(path, key, number=state["number"], count=1)
    made.phrase = (await server.post(f"/games/{made.game}/keys", made.host, role="seat-0", kind="phrase"))["key"]

    finished = await maker.new("finished", "friend", "friend", tiles=["Porto"])
    await maker.play(finished)
    await maker.play(await maker.new("finished, with a seed", "friend", "friend", seed=2026))
    await maker.play(await maker.new("with a seed", "human", "friend", "friend", seed=7, tiles=["Lisboa"]), 25)

    made = await maker.new("a wish is open", *["friend"] * 5, tiles=TILES, options={"buy_before_loan": True})
    state = await maker.play(made, 60, until=2)
    state = await maker.wish(made, state, 1, 20)
    await maker.answer(made, state, state["wish"]["waiting"][-1], yes=True)

    made = await maker.new("wishes were answered", *["friend"] * 3, options={"reopen_shuts": False})
    state = await maker.wish(made, await maker.play(made, 40, until=1), 0, 12)
    await maker.answer(made, state, state["wish"]["waiting"][0], yes=False)
    state = await maker.wish(made, await maker.play(made, 5, until=2), 1, 9)
    while state["wish"]:
        state = await maker.answer(made, state, state["wish"]["waiting"][0], yes=True)

    made = await maker.new("a clock for each turn", *["friend"] * 3, clock={"kind": "turn", "seconds": DAY})
    await maker.play(made, 20, until=1)
    made = await maker.new("a bank", *["friend"] * 4, clock={"kind": "bank", "seconds": 7200, "increment": 20})
    await maker.play(made, 35, within=True)

    made = await maker.new("somebody stands in", *["friend"] * 3)
    await maker.play(made, 20, until=0)
    await server.post(f"/games/{made.game}/seats/2/stand-in", made.host, level="trader")
    made = await maker.new("whoever stands in is to move", *["friend"] * 3, pace="slow")
    await maker.play(made, 15, until=1)
    await server.post(f"/games/{made.game}/seats/1/stand-in", made.host, level="trader")
    await maker.new("a computer player begins", "human", "wanderer", "captain", first=1)

    made = await maker.new("a player was removed", *["friend"] * 3, tiles=["Islas Canarias"])
    await maker.play(made, 18, until=0)
    made.dropped = made.seats[1]
    await server.post(f"/games/{made.game}/seats/1/remove", made.host)
    made.seats[1] = (await server.post(f"/games/{made.game}/keys", made.host, role="seat-1"))["key"]

    made = await maker.new("people talk", *["friend"] * 4)
    for seat, text in enumerate(["Well sailed!", "Évora?", "ὁ καπετάνιος <b>", "…"]):
        await server.post(f"/games/{made.game}/chat", made.seats[seat], text=text)
    await server.post(f"/games/{made.game}/chat", made.host, text="Your host")
    await maker.play(made, 30)

    made = await maker.new("settings were changed", "friend", "human", "friend")
    await maker.play(made, 12)
    await server.tables.change(made.game, title="Renamed", names=["Ana", "Bo", ""], hints=False, pace="fast")
    await server.tables.change(made.game, forecast="own", chat=False, clock={"kind": "turn", "seconds": 3 * DAY})
    await server.tables.rename(made.game, 2, "Çelebi")

    record = (await server.get(f"/games/{made.game}/export/capitan", made.host)).text
    await maker.play(await maker.own("imported", (await server.tables.import_record(record, "a.capitan")).id), 10)
    record = (await server.get(f"/games/{finished.game}/export/json", finished.host)).text
    await maker.own("finished, imported", (await server.tables.import_record(record, "a.json")).id)
    await maker.play(await maker.own("a branch", (await server.tables.branch(finished.game, 60)).id), 10)

    made = await maker.new("ended by the host", "friend", "friend")
    await maker.play(made, 14)
    await server.post(f"/games/{made.game}/end", made.host)


async def out_of_time(maker: Maker) -> None:
    """Make a game in which a wish lapsed and a computer player stood in for the rest of a turn."""
    made = await maker.new("time was out", *["friend"] * 3, clock={"kind": "turn", "seconds": DAY})
    state = await maker.play(made, 20, until=2)
    await maker.wish(made, state, 1, 15)
    await maker.server.tables.change(made.game, clock={"kind": "turn", "seconds": 2})
    async with asyncio.timeout(300):
        while (await maker.server.state(made.game, made.host))["deciding"] == 2:
            await asyncio.sleep(0.05)
    await maker.server.tables.change(made.game, clock={"kind": "turn", "seconds": DAY})


async def make(database: str | Path) -> list[Made]:
    """Make all games that this version knows."""
    made: list[Made] = []
    async with serving(database) as server:
        first = await server.post("/games", seats=[{"player": "friend"}] * 2)
    changed(database, f"UPDATE games SET changed = '{LATER}'")
    async with serving(database, bots=True) as server:
        await out_of_time(maker := Maker(server))
        made += maker.made
    async with serving(database) as server:
        await with_keys(maker := Maker(server))
        await server.tables.delete(first["game"])
    return made + maker.made


def changed(database: str | Path, statement: str) -> None:
    """Change a database behind everybody's back."""
    if isinstance(database, str):
        rows(database, statement)
    else:
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute(statement)


def date_later(file: Path) -> None:
    """Date what versions wrote that go by the wall clock, whatever stands in their database."""
    year = f"{datetime.now(UTC).year}-"
    for table, columns in {"games": ("created", "changed", "standing"), "entries": ("at",)}.items():
        for column in columns:
            changed(file, f"UPDATE {table} SET {column} = replace({column}, '{year}', '2100-')")
    changed(file, "VACUUM")


async def look(database: str | Path, made: list[Made]) -> list[Json]:
    """Everything that is seen of each game; a host's key is made where there is none, and forgotten."""
    async with serving(database) as server:
        found = []
        for each in made:
            key = each.host or await server.tables.keys.link(each.game, "host")
            found.append({**asdict(each), "seen": await server.seen(each.game, key)})
        return found


def main() -> None:
    """Make a database, or look at it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "look"])
    parser.add_argument("name", type=Path, help="sqlite.db or postgresql.sql, say")
    given = parser.parse_args()
    packed, told = FOLDER / f"{given.name}.gz", (FOLDER / given.name).with_suffix(".json")
    with ExitStack() as stack:
        file = Path(stack.enter_context(TemporaryDirectory())) / given.name
        server = stack.enter_context(running()) if file.suffix == ".sql" else None
        if given.what == "make":
            database = server.empty() if server else file
            found = [asdict(each) for each in asyncio.run(make(database))]
            if server:
                dump = [server.tool("pg_dump"), "--no-owner", "--no-privileges", "--file", file, database]
                subprocess.run(dump, check=True)
            else:
                date_later(file)
            packed.write_bytes(gzip.compress(file.read_bytes(), mtime=0))
        else:
            names = [each.name for each in fields(Made)]
            kept = [{name: each[name] for name in names} for each in json.loads(told.read_text("utf-8"))]
            found = asyncio.run(look(unpacked(packed, file.parent, server), [Made(**each) for each in kept]))
    lines = ",\n".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in found)
    told.write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
