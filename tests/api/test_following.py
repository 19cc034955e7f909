"""Following a table by program: every change once, nothing lost on the way, nothing believed that was taken back."""

import asyncio
import random
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from pydantic import TypeAdapter
from tests.api.visiting import API, Stream, application, asked, wanted

from elcapitan.service import Tables
from elcapitan.web.api.responses import NewsJson
from elcapitan.web.api.stream import MOST_MESSAGES, NOTHING, Known, id_of, stream_of


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[FastAPI]:
    """A house, as long as it is open."""
    app = application(folder)
    async with app.router.lifespan_context(app):
        yield app


class Sitting:
    """A new game for two, and what can be done at it."""

    def __init__(self, app: FastAPI, made: dict[str, Any]) -> None:
        self.app = app
        self.made = made
        self.place = f"{API}/games/{made['game']}"
        self.keys = [each["key"] for each in made["seat_keys"]]

    @classmethod
    async def of(cls, app: FastAPI, **settings: object) -> "Sitting":
        """A new game."""
        return cls(app, (await asked(app, f"{API}/games", "", wanted("friend", "friend", **settings))).json)

    def stream(self, key: str = "", query: str = "", **headers: str) -> Stream:
        """Follow the game; to look on, if no key is given."""
        return Stream(self.app, f"{self.place}/events{query}", key or self.made["watch_key"], **headers)

    async def act(self, dice: random.Random) -> dict[str, Any]:
        """Whoever is to move does something."""
        possible = (await asked(self.app, f"{self.place}/actions", self.made["host_key"])).json
        sent = {"number": possible["number"], "actions": [dice.choice(possible["actions"])["action"]]}
        reply = await asked(self.app, f"{self.place}/actions", self.keys[possible["deciding"]], sent)
        assert reply.status == 200
        return dict(reply.json)

    async def post(self, path: str, key: str, sent: object) -> dict[str, Any]:
        """Send something that goes well."""
        reply = await asked(self.app, self.place + path, key, sent)
        assert reply.status < 300, reply.content
        return dict(reply.json)

    @property
    async def events(self) -> list[dict[str, Any]]:
        """Everything that has happened, as the record has it."""
        return list((await asked(self.app, f"{self.place}/export/json", self.made["host_key"])).json["events"])


def heard(log: list[dict[str, Any]], message: dict[str, Any]) -> None:
    """Take a message in, as a program does."""
    log[message["since"] :] = message["events"]


def run(folder: Path, work: Callable[[Sitting], Awaitable[None]]) -> None:
    """Do something at a new table."""

    async def whole() -> None:
        async with opened(folder) as app:
            await work(await Sitting.of(app))

    asyncio.run(whole())


def test_a_follower_hears_of_every_change_and_knows_the_whole_game(tmp_path: Path) -> None:
    async def work(sitting: Sitting) -> None:
        stream, dice = sitting.stream(query="?since=0"), random.Random(1)
        log: list[dict[str, Any]] = []
        heard(log, await stream.message())
        for _ in range(30):
            state = await sitting.act(dice)
            message = await stream.message()
            content = {key: message[key] for key in NewsJson.__annotations__}
            TypeAdapter(NewsJson).validate_python(content, extra="forbid")
            heard(log, message)
            assert message["state"]["number"] == state["number"] and len(log) == message["state"]["events"]
        assert log == await sitting.events
        await stream.leave()

    run(tmp_path, work)


def test_what_was_taken_back_is_told_to_be_void(tmp_path: Path) -> None:
    async def work(sitting: Sitting) -> None:
        state = await sitting.act(random.Random(1))
        stream = sitting.stream(query="?since=0")
        log: list[dict[str, Any]] = []
        heard(log, await stream.message())
        assert len(log) == 2
        await sitting.post("/undo", sitting.keys[0], {"number": state["number"]})
        back = await stream.message()
        assert (back["since"], back["events"]) == (1, [])
        await sitting.act(random.Random(5))
        heard(log, back)
        heard(log, await stream.message())
        assert log == await sitting.events
        await stream.leave()

    run(tmp_path, work)


def test_who_comes_back_hears_exactly_what_was_missed(tmp_path: Path) -> None:
    async def work(sitting: Sitting) -> None:
        dice = random.Random(1)
        stream = sitting.stream(query="?since=0")
        log: list[dict[str, Any]] = []
        first = await stream.message()
        heard(log, first)
        await stream.leave()
        for _ in range(6):
            await sitting.act(dice)
        await sitting.post("/chat", sitting.keys[0], {"text": "Where are you?"})
        again = sitting.stream(**{"Last-Event-ID": first["id"]})
        message = await again.message()
        assert message["since"] == 1 and [line["text"] for line in message["lines"]] == ["Where are you?"]
        heard(log, message)
        assert log == await sitting.events
        await again.leave()

    run(tmp_path, work)


def test_who_comes_back_to_another_course_of_the_game_hears_all_of_it(tmp_path: Path) -> None:
    async def work(sitting: Sitting) -> None:
        state = await sitting.act(random.Random(1))
        once = await asked(sitting.app, f"{sitting.place}/events?once=true", sitting.keys[0])
        known = once.content.decode().split("\n")[0].removeprefix("id: ")
        before = await sitting.events
        await sitting.post("/undo", sitting.keys[0], {"number": state["number"]})
        while (await sitting.events)[: len(before)] in (before, before[:1]):
            await sitting.act(random.Random(7))
        stream = sitting.stream(query=f"?since={known}")
        message = await stream.message()
        assert message["since"] == 0 and message["events"] == await sitting.events
        await stream.leave()

    run(tmp_path, work)


def test_who_says_nothing_hears_only_what_is_new(tmp_path: Path) -> None:
    async def work(sitting: Sitting) -> None:
        await sitting.act(random.Random(1))
        for headers in ({}, {"Last-Event-ID": "nonsense"}):
            stream = sitting.stream(**headers)
            message = await stream.message()
            assert (message["since"], message["events"]) == (2, [])
            await stream.leave()

    run(tmp_path, work)


def test_followers_are_present_and_talk_is_heard(tmp_path: Path) -> None:
    async def work(sitting: Sitting) -> None:
        watcher = sitting.stream()
        assert [seat["present"] for seat in (await watcher.message())["state"]["seats"]] == [False, False]
        friend = sitting.stream(sitting.keys[1])
        assert [seat["present"] for seat in (await watcher.message())["state"]["seats"]] == [False, True]
        await sitting.post("/chat", sitting.keys[1], {"text": "Hello"})
        assert [line["text"] for line in (await watcher.message())["lines"]] == ["Hello"]
        await friend.leave()
        assert [seat["present"] for seat in (await watcher.message())["state"]["seats"]] == [False, False]
        await watcher.leave()

    run(tmp_path, work)


def test_the_stream_of_a_key_that_opens_nothing_any_more_ends(tmp_path: Path) -> None:
    async def work(sitting: Sitting) -> None:
        stream = sitting.stream(sitting.keys[1])
        await stream.message()
        await sitting.post("/seats/1/remove", sitting.made["host_key"], {})
        message = await stream.message()
        while not message["name"]:
            message = await stream.message()
        assert message["name"] == "end" and message["error"]["code"] == "key-unknown"
        await stream.ended()

    run(tmp_path, work)


def test_a_stream_ends_with_the_game(tmp_path: Path) -> None:
    async def work(sitting: Sitting) -> None:
        stream = sitting.stream()
        await stream.message()
        tables: Tables = sitting.app.state.tables
        await tables.delete(sitting.made["game"])
        await stream.ended()

    run(tmp_path, work)


def test_what_is_the_same_for_several_is_encoded_once(tmp_path: Path) -> None:
    async def work(sitting: Sitting) -> None:
        tables: Tables = sitting.app.state.tables
        table = await tables.get(sitting.made["game"])
        player = await tables.keys.rights(table.id, [sitting.keys[0]])
        twin = await tables.keys.rights(table.id, [sitting.keys[0]])
        watcher = await tables.keys.rights(table.id, [sitting.made["watch_key"]])
        assert player and twin and watcher
        news, known = stream_of(table), Known()
        sent = news.message(known, table, player)
        assert news.message(known, table, twin) is sent
        assert stream_of(await tables.get(table.id)).message(known, table, player) is sent
        assert news.message(known, table, watcher) != sent

    run(tmp_path, work)


def test_what_is_kept_of_messages_does_not_grow_with_what_readers_claim_to_know(tmp_path: Path) -> None:
    async def work(sitting: Sitting) -> None:
        for text in ("one", "two", "three"):
            await sitting.post("/chat", sitting.keys[0], {"text": text})
        tables: Tables = sitting.app.state.tables
        table = await tables.get(sitting.made["game"])
        rights = await tables.keys.rights(table.id, [sitting.keys[0]])
        assert rights
        news = stream_of(table)
        last = id_of(news.now()).rpartition("-")[0]
        assert news.known_by(f"{last}-3") == news.known_by(f"{last}-999999999") == news.now()
        assert news.known_by(f"{last}-0") != news.known_by(f"{last}-1")
        size = len(news.message(news.now(), table, rights))
        tracemalloc.start()
        try:
            for lines in range(300):  # as if each were known to somebody
                news.message(Known(news.digests[:1], lines), table, rights)
            grown, _most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert grown < 3 * MOST_MESSAGES * size

    run(tmp_path, work)


def test_a_claim_about_lines_that_are_not_there_is_the_same_as_knowing_all(tmp_path: Path) -> None:
    async def work(sitting: Sitting) -> None:
        await sitting.post("/chat", sitting.keys[0], {"text": "hello"})
        digest = NOTHING
        told = await sitting.stream(query=f"?once=true&since=0-{digest}-0").message()
        assert [line["text"] for line in told["lines"]] == ["hello"] and told["since"] == 0
        told = await sitting.stream(query=f"?once=true&since=0-{digest}-777").message()
        assert told["lines"] == [] and told["since"] == 0
        await sitting.post("/chat", sitting.keys[0], {"text": "again"})
        told = await sitting.stream(query=f"?once=true&since=0-{digest}-1").message()
        assert [line["text"] for line in told["lines"]] == ["again"]

    run(tmp_path, work)
