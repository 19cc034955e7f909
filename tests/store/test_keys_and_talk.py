"""Keys that open roles at a game, and what is said at its table."""

import asyncio
from dataclasses import replace

import pytest
from tests.store.store_helpers import ROW, Database, entry, key, line, with_store

from elcapitan.errors import NoSuchGame, StaleVersion
from elcapitan.store.game_store import GameStore


def test_keys_are_found_by_what_they_are_made_of(database: Database) -> None:
    async def play(store: GameStore) -> None:
        await store.add(ROW, [entry(1)], None)
        await store.add(replace(ROW, id="second"), [entry(1)], None)
        host, seat, other = key("a"), key("b", "seat-1", "phrase", 1), key("c", game="second")
        for each in (seat, host, other):
            await store.add_key(each)
        assert await store.find_keys(["b"]) == [seat]
        assert await store.find_keys(["d"]) == []
        assert sorted(found.hash for found in await store.find_keys(["c", "b", "d"])) == ["b", "c"]
        assert await store.find_keys([]) == []
        assert await store.keys("first") == [host, seat]
        assert await store.keys("third") == []

    with_store(database, play)


def test_a_key_is_there_once_and_only_for_a_game(database: Database) -> None:
    async def play(store: GameStore) -> None:
        with pytest.raises(NoSuchGame):
            await store.add_key(key("a"))
        await store.add(ROW, [entry(1)], None)
        await store.add_key(key("a"))
        with pytest.raises(StaleVersion):
            await store.add_key(key("a", "watch"))
        assert await store.keys("first") == [key("a")]

    with_store(database, play)


def test_keys_that_open_no_more(database: Database) -> None:
    async def play(store: GameStore) -> None:
        await store.add(ROW, [entry(1)], None)
        for minute, name in enumerate("abcd"):
            await store.add_key(key(name, "watch", minute=minute))
        await store.add_key(key("e", "watch", "phrase", 9))
        await store.add_key(key("f", "seat-0"))

        async def left() -> str:
            return "".join(sorted(each.hash for each in await store.keys("first")))

        await store.drop_keys("first", "watch", kind="link", keep=2)
        assert await left() == "cdef", "the oldest go"
        await store.drop_keys("first", "watch", kind="phrase")
        assert await left() == "cdf"
        await store.drop_keys("first", "watch")
        assert await left() == "f", "other roles keep theirs"
        with pytest.raises(NoSuchGame):
            await store.drop_keys("second", "watch")

    with_store(database, play)


def test_what_is_said_stays_in_order(database: Database) -> None:
    async def play(store: GameStore) -> None:
        await store.add(ROW, [entry(1)], None)
        first = await store.say("first", line("Ahoy, Évora! <b>", 1))
        assert first == replace(line("Ahoy, Évora! <b>", 1), number=1)
        second = await store.say("first", line("from nobody's seat", None))
        assert second.seat is None and second.number == 2
        assert await store.chat("first") == [first, second]
        assert await store.chat("first", 1) == [second]
        assert await store.chat("second") == []
        with pytest.raises(NoSuchGame):
            await store.say("second", line("Anybody there?"))

    with_store(database, play)


def test_who_speaks_at_the_same_time_is_heard(database: Database) -> None:
    async def play(store: GameStore) -> None:
        await store.add(ROW, [entry(1)], None)
        said = await asyncio.gather(*(store.say("first", line(f"{who}")) for who in range(12)))
        kept = await store.chat("first", most=50)
        assert [each.number for each in kept] == list(range(1, 13))
        assert sorted(said, key=lambda each: each.number) == kept

    with_store(database, play)
