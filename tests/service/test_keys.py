"""Keys: who has one may do what it opens, and nobody finds one by what is stored."""

import asyncio
import hashlib
import sqlite3
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest
from tests.service.table_helpers import TWO, settings_for, with_tables

from elcapitan.background_tasks import BoundedThreads
from elcapitan.errors import BadSetup, NoSuchGame, NoSuchKey, NotYourTurn, TooMuch
from elcapitan.service import FRIEND, HUMAN, Rights, Tables, all_rights, keys, role_seat, seat_role
from elcapitan.service.keys import (
    HOST,
    MOST_UNKNOWN,
    UNKNOWN_SECONDS,
    WATCH,
    UnknownKeys,
    hash_of_phrase,
    new_phrase,
    rights_of,
)
from elcapitan.store.game_store import GameStore, Key

WATCHER = Rights(host=False, seats=frozenset())
FRIENDS = settings_for(HUMAN, FRIEND, "captain", FRIEND, HUMAN)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash phrases with little effort."""
    monkeypatch.setattr(keys, "EFFORT", 2)


def test_roles_and_seats() -> None:
    assert [role_seat(seat_role(seat)) for seat in range(5)] == list(range(5))
    assert [role_seat(role) for role in ("host", "watch", "seat-", "seat-x", "seat--1", "seat-²", "")] == [None] * 7


@pytest.mark.parametrize(
    ("roles", "rights"),
    [
        ([], None),
        (["watch"], WATCHER),
        (["seat-1"], Rights(host=False, seats=frozenset({1}))),
        (["seat-1", "seat-3"], Rights(host=False, seats=frozenset({1, 3}))),
        (["host"], Rights(host=True, seats=frozenset({0, 4}))),
        (["host", "watch", "seat-3"], Rights(host=True, seats=frozenset({0, 3, 4}))),
        (["seat-2"], WATCHER),  # a computer player sits there by now
        (["seat-9"], WATCHER),
    ],
)
def test_what_roles_allow(roles: list[str], rights: Rights | None) -> None:
    assert rights_of(roles, FRIENDS) == rights


def test_phrases_can_be_said() -> None:
    phrases = {new_phrase() for _ in range(50)}
    assert len(phrases) == 50
    for phrase in phrases:
        words = phrase.split(" ")
        assert len(words) == 4 and all(len(word) == 4 for word in words)
        assert all(letter in keys.CONSONANTS for word in words for letter in word[::2])
        assert all(letter in keys.VOWELS for word in words for letter in word[1::2])


def test_a_key_opens_its_role(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(FRIENDS)
        assert await tables.keys.rights(table.id, []) is None
        keys = {role: await tables.keys.link(table.id, role) for role in ("host", "watch", "seat-1", "seat-4")}
        assert len(set(keys.values())) == 4 and all(len(token) == 32 for token in keys.values())
        for role, token in keys.items():
            assert await tables.keys.by_token(token) == (table.id, role)
            assert await tables.keys.rights(table.id, [token, "wrong", ""]) == rights_of([role], table.settings)
        assert await tables.keys.rights(table.id, keys.values()) == Rights(host=True, seats=frozenset({0, 1, 4}))
        assert all_rights(table) == Rights(host=True, seats=frozenset({0, 1, 3, 4}))
        other = await tables.create(TWO)
        assert await tables.keys.rights(other.id, keys.values()) is None, "every game has its own"

    with_tables(file, look, bots=False)


def test_what_opens_nothing(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(FRIENDS)
        phrase = await tables.keys.phrase(table.id, "host")
        token = await tables.keys.link(table.id, "host")
        for wrong in ("", "x", token[:-1], token + "x", token.swapcase(), phrase, "ü" * 500):
            with pytest.raises(NoSuchKey, match="does not open a table"):
                await tables.keys.by_token(wrong)
        for wrong in ("", "molu tasa", token, phrase[:-1], phrase + " a"):
            with pytest.raises(NoSuchKey):
                await tables.keys.by_phrase(wrong)
        for role in ("", "guest", "seat-2", "seat-5", "seat-01", "host "):
            with pytest.raises(BadSetup, match="must be one of these: host, watch, seat-0, seat-1, seat-3, seat-4"):
                await tables.keys.link(table.id, role)
            with pytest.raises(BadSetup):
                await tables.keys.phrase(table.id, role)
        with pytest.raises(NoSuchGame):
            await tables.keys.link("nowhere", "host")

    with_tables(file, look, bots=False)


def test_a_phrase_brings_a_seat_back(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(FRIENDS)
        phrase = await tables.keys.phrase(table.id, "seat-3")
        for typed in (phrase, phrase.upper(), phrase.replace(" ", "-"), f"  {phrase.replace(' ', '')}\n"):
            game, role, token = await tables.keys.by_phrase(typed)
            assert (game, role) == (table.id, "seat-3")
            assert await tables.keys.rights(game, [token]) == Rights(host=False, seats=frozenset({3}))
        newer = await tables.keys.phrase(table.id, "seat-3")
        with pytest.raises(NoSuchKey):
            await tables.keys.by_phrase(phrase)
        assert (await tables.keys.by_phrase(newer))[:2] == (table.id, "seat-3")

    with_tables(file, look, bots=False)


def test_nothing_that_opens_is_stored(file: Path) -> None:
    async def look(tables: Tables) -> list[str]:
        table = await tables.create(FRIENDS)
        phrase = await tables.keys.phrase(table.id, "host")
        return [await tables.keys.link(table.id, "seat-1"), phrase, phrase.replace(" ", "")]

    told = with_tables(file, look, bots=False)
    connection = sqlite3.connect(file)
    stored = "\n".join(connection.iterdump())
    connection.close()
    assert stored.count('INSERT INTO "keys"') == 2
    assert not any(secret in stored for secret in told)


def test_old_links_make_room(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "MOST_LINKS", 3)

    async def look(tables: Tables) -> None:
        table = await tables.create(FRIENDS)
        other = await tables.keys.link(table.id, "seat-3")
        tokens = [await tables.keys.link(table.id, "seat-1") for _ in range(5)]
        valid = [await tables.keys.rights(table.id, [token]) is not None for token in (other, *tokens)]
        assert valid == [True, False, False, True, True, True]

    with_tables(file, look, bots=False)


def test_a_removed_player_has_no_seat(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND, FRIEND, first=1))
        mine, theirs = await tables.keys.link(table.id, "seat-1"), await tables.keys.link(table.id, "seat-2")
        phrase = await tables.keys.phrase(table.id, "seat-1")
        assert await tables.keys.rights(table.id, [mine])
        table = await tables.remove(table.id, 1)
        seat = table.settings.seats[1]
        assert (seat.player, seat.stand_in, seat.free, seat.name) == (FRIEND, "helmsman", True, "")
        assert table.thinking and not table.human(1), "somebody stands in at once"
        assert await tables.keys.rights(table.id, [mine]) is None and await tables.keys.rights(table.id, [theirs])
        for attempt in (tables.keys.by_token(mine), tables.keys.by_phrase(phrase)):
            with pytest.raises(NoSuchKey):
                await attempt
        assert (await tables.get(table.id)).settings.seats[1].free
        newer = await tables.keys.link(table.id, "seat-1")
        assert await tables.keys.by_token(newer) == (table.id, "seat-1")
        table = await tables.get(table.id)
        assert table.human(1) and not table.settings.seats[1].free, "whoever comes by a new link takes it"
        await tables.act(table.id, table.number, [table.game.legal()[0]], [1])

    with_tables(file, look, bots=False)


def test_a_key_made_in_another_process_opens_here(file: Path) -> None:
    """Even where processes tell one another nothing."""

    async def look(tables: Tables) -> None:
        table = await tables.create(FRIENDS)
        assert await tables.keys.rights(table.id, ["x"]) is None
        async with Tables.open(file, bots=False) as others:
            token = await others.keys.link(table.id, "seat-1")
        assert await tables.keys.rights(table.id, [token]) == Rights(host=False, seats=frozenset({1}))

    with_tables(file, look, bots=False)


def test_keys_leave_with_their_game(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(FRIENDS)
        token = await tables.keys.link(table.id, "host")
        await tables.delete(table.id)
        with pytest.raises(NoSuchKey):
            await tables.keys.by_token(token)
        with pytest.raises(NoSuchGame):
            await tables.keys.rights(table.id, [token])

    with_tables(file, look, bots=False)


def test_nobody_decides_for_others(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(FRIEND, FRIEND))
        action = table.game.legal()[0]
        for seats in ([], [1], frozenset({1})):
            for attempt in (
                tables.act(table.id, table.number, [action], seats),
                tables.undo(table.id, table.number, 1, seats),
                tables.redo(table.id, table.number, 1, seats),
                tables.hint(table.id, table.number, None, seats),
            ):
                with pytest.raises(NotYourTurn, match="seat 1's turn"):
                    await attempt
        table = await tables.act(table.id, table.number, [action], {0})
        table = await tables.undo(table.id, table.number, 1, {0, 1})
        assert (await tables.redo(table.id, table.number, 1, {0})).undoable == 1

    with_tables(file, look, bots=False)


def test_many_phrases_hold_up_nothing_else(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are tried, so many are hashed at once, some wait, and the rest is refused at once."""
    monkeypatch.setattr(keys, "MOST_PHRASES", 5)
    slow, real, at_once, most = threading.Event(), hashlib.scrypt, 0, 0

    def scrypt(*arguments: Any, **options: Any) -> bytes:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        slow.wait(60)
        at_once -= 1
        return real(*arguments, **options)

    monkeypatch.setattr(hashlib, "scrypt", scrypt)

    async def look(tables: Tables) -> None:
        table = await tables.create(FRIENDS)
        trying = [asyncio.create_task(tables.keys.by_phrase("molu tasa vire kopi")) for _ in range(100)]
        making = [asyncio.create_task(tables.keys.phrase(table.id, "seat-1")) for _ in range(10)]
        try:
            async with asyncio.timeout(30):
                assert await asyncio.to_thread(tables.export, table, "capitan"), "other threads are free"
        finally:
            slow.set()
        found = await asyncio.gather(*trying, *making, return_exceptions=True)
        kinds = [type(each) for each in found]
        assert kinds.count(NoSuchKey) == keys.PHRASE_THREADS + 5 and kinds.count(TooMuch) == 110 - kinds.count(
            NoSuchKey
        )
        assert most == keys.PHRASE_THREADS
        assert await tables.keys.by_phrase(await tables.keys.phrase(table.id, "seat-1")), "and then there is room again"

    with_tables(file, look, bots=False)


def test_keys_that_open_nothing_are_looked_up_once(file: Path) -> None:
    """A browser may bring fifty of them with every request."""

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND))
        held = {role: await tables.keys.link(table.id, role) for role in (HOST, WATCH, "seat-1")}
        asked = counted(tables.store)
        junk = [f"junk{number}" for number in range(47)]
        for _ in range(20):
            opened = await tables.keys.opened_by([*junk, *held.values()])
            assert opened == {token: (table.id, role) for role, token in held.items()}
        assert len(asked) == 20, "one question for all keys"
        assert len(asked[0]) == 50 and all(len(each) == 3 for each in asked[1:])
        for _ in range(20):
            assert await tables.keys.opened_by(junk) == {}
        assert len(asked) == 20

    with_tables(file, look, bots=False)


def test_a_wrong_key_to_a_game_is_looked_up_once(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table, other = (
            await tables.create(settings_for(HUMAN, FRIEND)),
            await tables.create(settings_for(HUMAN, FRIEND)),
        )
        token = await tables.keys.link(other.id, HOST)
        asked = counted(tables.store)
        for _ in range(20):
            assert await tables.keys.rights(table.id, ["junk", token]) is None
        assert len(asked) == 1
        assert await tables.keys.rights(other.id, [token]) is not None, "it opens the game that it is for"
        fresh = await tables.keys.link(table.id, "seat-1")
        assert await tables.keys.rights(table.id, ["junk", fresh]) is not None, "and a new key is known at once"
        await tables.remove(table.id, 1)
        assert await tables.keys.rights(table.id, [fresh]) is None, "and one that was taken away is not"

    with_tables(file, look, bots=False)


def counted(store: GameStore) -> list[list[str]]:
    """The hashes of every question for keys that a shelf is asked from now on; of a game, its name."""
    asked: list[list[str]] = []
    find, of_game = store.find_keys, store.keys

    async def finding(hashes: Collection[str]) -> list[Key]:
        asked.append(list(hashes))
        return await find(hashes)

    async def listing(game: str) -> list[Key]:
        asked.append([game])
        return await of_game(game)

    store.find_keys, store.keys = finding, listing  # type: ignore[method-assign]
    return asked


def test_unknown_keys_are_forgotten() -> None:
    now = [0.0]
    unknown = UnknownKeys(lambda: now[0])
    unknown.add(["a"])
    assert "a" in unknown and "b" not in unknown
    now[0] += UNKNOWN_SECONDS
    assert "a" not in unknown
    unknown.add(str(number) for number in range(3 * MOST_UNKNOWN))
    assert sum(str(number) in unknown for number in range(3 * MOST_UNKNOWN)) == MOST_UNKNOWN


def test_a_removed_player_cannot_make_another_key(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if the host removes them between the check of their key and the storing of the new one."""

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND))
        host, own = await tables.keys.link(table.id, HOST), await tables.keys.link(table.id, "seat-1")
        phrase = await tables.keys.phrase(table.id, "seat-1", [own])
        assert await tables.keys.rights(table.id, [await tables.keys.link(table.id, "seat-1", [own])])
        assert await tables.keys.rights(table.id, [await tables.keys.link(table.id, "seat-1", [host])]), (
            "the host may for all"
        )
        run = BoundedThreads.run

        async def late(self: BoundedThreads, work: Callable[..., str], *arguments: object) -> str:
            assert work is hash_of_phrase
            found = await run(self, work, *arguments)
            await tables.remove(table.id, 1)
            return found

        monkeypatch.setattr(BoundedThreads, "run", late)
        with pytest.raises(NoSuchKey):
            await tables.keys.phrase(table.id, "seat-1", [own])
        with pytest.raises(NoSuchKey):
            await tables.keys.link(table.id, "seat-1", [own])
        with pytest.raises(NoSuchKey):
            await tables.keys.by_phrase(phrase)
        assert not [key for key in await tables.store.keys(table.id) if key.role == "seat-1"]
        assert (await tables.get(table.id)).settings.seats[1].free

    with_tables(file, look, bots=False)
