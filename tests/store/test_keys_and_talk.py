"""Keys that open roles at a game, and what is said at its table."""

import asyncio
from dataclasses import replace

import pytest
from tests.store.store_helpers import SHEET, Database, entry, key, line, with_shelf

from elcapitan.errors import NoSuchGame, StaleVersion
from elcapitan.store.game_store import GameStore


def test_keys_are_found_by_what_they_are_made_of(database: Database) -> None:
    async def play(shelf: GameStore) -> None:
        await shelf.add(SHEET, [entry(1)], None)
        await shelf.add(replace(SHEET, id="second"), [entry(1)], None)
        host, seat, other = key("a"), key("b", "seat-1", "phrase", 1), key("c", game="second")
        for each in (seat, host, other):
            await shelf.add_key(each)
        assert await shelf.find_keys(["b"]) == [seat]
        assert await shelf.find_keys(["d"]) == []
        assert sorted(found.hash for found in await shelf.find_keys(["c", "b", "d"])) == ["b", "c"]
        assert await shelf.find_keys([]) == []
        assert await shelf.keys("first") == [host, seat]
        assert await shelf.keys("third") == []

    with_shelf(database, play)


def test_a_key_is_there_once_and_only_for_a_game(database: Database) -> None:
    async def play(shelf: GameStore) -> None:
        with pytest.raises(NoSuchGame):
            await shelf.add_key(key("a"))
        await shelf.add(SHEET, [entry(1)], None)
        await shelf.add_key(key("a"))
        with pytest.raises(StaleVersion):
            await shelf.add_key(key("a", "watch"))
        assert await shelf.keys("first") == [key("a")]

    with_shelf(database, play)


def test_keys_that_open_no_more(database: Database) -> None:
    async def play(shelf: GameStore) -> None:
        await shelf.add(SHEET, [entry(1)], None)
        for minute, name in enumerate("abcd"):
            await shelf.add_key(key(name, "watch", minute=minute))
        await shelf.add_key(key("e", "watch", "phrase", 9))
        await shelf.add_key(key("f", "seat-0"))

        async def left() -> str:
            return "".join(sorted(each.hash for each in await shelf.keys("first")))

        await shelf.drop_keys("first", "watch", kind="link", keep=2)
        assert await left() == "cdef", "the oldest go"
        await shelf.drop_keys("first", "watch", kind="phrase")
        assert await left() == "cdf"
        await shelf.drop_keys("first", "watch")
        assert await left() == "f", "other roles keep theirs"
        with pytest.raises(NoSuchGame):
            await shelf.drop_keys("second", "watch")

    with_shelf(database, play)


def test_what_is_said_stays_in_order(database: Database) -> None:
    async def play(shelf: GameStore) -> None:
        await shelf.add(SHEET, [entry(1)], None)
        first = await shelf.say("first", line("Ahoy, Évora! <b>", 1))
        assert first == replace(line("Ahoy, Évora! <b>", 1), number=1)
        second = await shelf.say("first", line("from nobody's seat", None))
        assert second.seat is None and second.number == 2
        assert await shelf.chat("first") == [first, second]
        assert await shelf.chat("first", 1) == [second]
        assert await shelf.chat("second") == []
        with pytest.raises(NoSuchGame):
            await shelf.say("second", line("Anybody there?"))

    with_shelf(database, play)


def test_who_speaks_at_the_same_time_is_heard(database: Database) -> None:
    async def play(shelf: GameStore) -> None:
        await shelf.add(SHEET, [entry(1)], None)
        said = await asyncio.gather(*(shelf.say("first", line(f"{who}")) for who in range(12)))
        kept = await shelf.chat("first", most=50)
        assert [each.number for each in kept] == list(range(1, 13))
        assert sorted(said, key=lambda each: each.number) == kept

    with_shelf(database, play)
