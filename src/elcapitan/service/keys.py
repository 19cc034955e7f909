"""Keys: who may do what at a table.

A key opens a role at a game; there are no accounts. It is a token in a link, or a phrase of four made-up words with
which a person comes back on another device. Only hashes are stored, of a phrase, which is shorter, one that takes a
while. What is looked up is the hash, so the time that takes tells nothing about what is stored.
"""

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol

from elcapitan.background_tasks import BoundedThreads
from elcapitan.errors import BadSetup, NoSuchKey
from elcapitan.service.commit import TRIES, Decide, Draft
from elcapitan.service.open_table import OpenTable, Using
from elcapitan.service.table import Table
from elcapitan.service.table_settings import HUMAN, TableSettings, with_seat
from elcapitan.store.game_store import GameStore, Key
from elcapitan.untrusted_input import whole_number

HOST: Final = "host"
WATCH: Final = "watch"
LINK: Final = "link"
PHRASE: Final = "phrase"
SUCCESSION: Final = "rematch"  # no token belongs to it: those who had the role at the game before may have it again
_SEAT: Final = "seat-"
HIGHEST_ROLE: Final = 99  # number in the name of a role; whether the table has such a seat is checked elsewhere
TOKEN_BYTES: Final = 24
MOST_LINKS: Final = 20  # that open one role; the oldest goes
LONGEST_KEY: Final = 200  # characters; nothing longer is looked up
MOST_UNKNOWN: Final = 10_000  # hashes of tokens that open nothing, cached: about two megabytes
UNKNOWN_SECONDS: Final = 60.0  # seconds for which such a hash is not looked up again
WORDS: Final = 4
CONSONANTS: Final = "bdfghjklmnprstvz"
VOWELS: Final = "aeiou"
# Every game has its own phrases, so salting them one by one would only mean that none could be looked up.
SALT: Final = b"elcapitan phrase 1"
EFFORT: Final = 2**14  # of scrypt: some 50 ms and 16 MB for one phrase
PHRASE_THREADS: Final = 2  # phrases hashed at the same time
MOST_PHRASES: Final = 60  # phrases that wait to be hashed: some seconds of work


class Commit(Protocol):
    """What commits a change of a game, as `Tables` do."""

    async def __call__(self, game: str, decide: Decide, *, tries: int) -> Table:
        """Commit a change and return the table after it."""


@dataclass(frozen=True)
class Rights:
    """What a person may do at a table."""

    host: bool  # settings, stand-ins, links, ending
    seats: frozenset[int]  # the seats they decide for, unless a computer player stands in


def seat_role(seat: int) -> str:
    """Return the role of a seat."""
    return f"{_SEAT}{seat}"


def role_seat(role: str) -> int | None:
    """Return the seat of a role; None for the host or a watcher."""
    number = role.removeprefix(_SEAT)
    return whole_number(number, HIGHEST_ROLE) if role.startswith(_SEAT) else None


def check_role(role: str, settings: TableSettings) -> None:
    """Raise `BadSetup` for a role that this table does not have."""
    known = [HOST, WATCH, *map(seat_role, sorted(settings.persons))]
    if role not in known:
        raise BadSetup("bad-value", key="role", found=repr(role)[:40], known=", ".join(known))


def all_rights(table: Table) -> Rights:
    """Return the rights of the person who runs the server: all."""
    return Rights(host=True, seats=table.settings.persons)


def rights_of(roles: Iterable[str], settings: TableSettings) -> Rights | None:
    """Return the rights of a person with these roles; None without a role. The host plays the "human" seats."""
    held = set(roles)
    if not held:
        return None
    seats = {seat for role in held if (seat := role_seat(role)) is not None}
    if HOST in held:
        seats |= {number for number, seat in enumerate(settings.seats) if seat.player == HUMAN}
    return Rights(HOST in held, frozenset(seats) & settings.persons)


def new_token() -> str:
    """Create a token that cannot be guessed."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_phrase() -> str:
    """Create a phrase of four words, such as "molu tasa vire kopi": some 50 bits."""
    return " ".join("".join(_syllable() + _syllable()) for _ in range(WORDS))


def _syllable() -> str:
    """Return a consonant and a vowel, which can be said in every language."""
    return secrets.choice(CONSONANTS) + secrets.choice(VOWELS)


def hash_of(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token[:LONGEST_KEY].encode()).hexdigest()


def hash_of_phrase(phrase: str) -> str:
    """Return what is stored of a phrase, however it was typed. Takes a while, so it is called in a thread."""
    letters = "".join(letter for letter in phrase[:LONGEST_KEY].lower() if letter.isalpha())
    return hashlib.scrypt(letters.encode(), salt=SALT, n=EFFORT, r=8, p=1, dklen=32).hex()


class UnknownKeys:
    """Hashes of tokens that opened nothing, or nothing at one game, when they were looked up a moment ago.

    A token is shown only after it is stored, so one that opens nothing does not begin to. They are forgotten after a
    while all the same, because a database may be replaced by its backup.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: OrderedDict[str, float] = OrderedDict()  # when each is forgotten, the earliest first

    def __contains__(self, hashed: str) -> bool:
        return self._until.get(hashed, 0.0) > self._clock()

    def add(self, hashes: Iterable[str]) -> None:
        """Remember some hashes; the oldest are forgotten if there are too many."""
        for hashed in hashes:
            self._until[hashed] = self._clock() + UNKNOWN_SECONDS
            self._until.move_to_end(hashed)
        while len(self._until) > MOST_UNKNOWN:
            self._until.popitem(last=False)


class KeyStore:
    """The keys to all games of a database, for tables that are in memory."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self._hashing = BoundedThreads("phrases", PHRASE_THREADS, MOST_PHRASES, "too-many-phrases")
        self._unknown = UnknownKeys()

    async def link(self, table: OpenTable, role: str, shown: Collection[str] = ()) -> str:
        """Create a token for a role. Only its hash is stored, so it cannot be shown again.

        Raises `NoSuchKey` if tokens were `shown` for it and none of them opens the role, or the host's, any more.
        """
        return await self._link(table, role, [hash_of(token) for token in shown])

    async def link_for_phrase(self, table: OpenTable, role: str, phrase: str) -> str:
        """Create a token for the role that a phrase opens, given its hash. Raises `NoSuchKey` if it opens none now."""
        return await self._link(table, role, [phrase])

    async def phrase(self, table: OpenTable, role: str, shown: Collection[str] = ()) -> str:
        """Create a phrase for a role, as `link` creates a token; the older phrase opens nothing any more."""
        check_role(role, table.settings)
        phrase = new_phrase()
        hashed = await self._hashing.run(hash_of_phrase, phrase)
        await self._store.drop_keys(table.id, role, kind=PHRASE)
        key = Key(hashed, table.id, role, PHRASE, datetime.now(UTC))
        await self._add(table, key, [hash_of(token) for token in shown])
        return phrase

    async def _link(self, table: OpenTable, role: str, shown: Collection[str]) -> str:
        """Create a token, given the hashes of the keys that were shown for it."""
        check_role(role, table.settings)
        token = new_token()
        await self._store.drop_keys(table.id, role, kind=LINK, keep=MOST_LINKS - 1)
        await self._add(table, Key(hash_of(token), table.id, role, LINK, datetime.now(UTC)), shown)
        return token

    async def _add(self, table: OpenTable, key: Key, shown: Collection[str]) -> None:
        """Store a key, unless those that were shown for it have been dropped, as when the host removes a player.

        They are looked up afterwards: if they are dropped later than that, so is the new key.
        """
        await self._store.add_key(key)
        table.forget_keys()
        if shown:
            found = await self._store.find_keys(shown)
            if not any(each.game == key.game and each.role in (key.role, HOST) for each in found):
                await self.drop(table, key.role)
                raise NoSuchKey

    async def role(self, token: str) -> tuple[str, str]:
        """The game and the role that a token opens."""
        return await self._opened(hash_of(token), LINK)

    async def opened_by(self, tokens: Collection[str]) -> dict[str, tuple[str, str]]:
        """Return the game and the role that each token opens, by token; those that open nothing are left out."""
        hashes = {hash_of(token): token for token in tokens}
        asked = [hashed for hashed in hashes if hashed not in self._unknown]
        found = {key.hash: key for key in await self._store.find_keys(asked)} if asked else {}
        self._unknown.add(hashed for hashed in asked if hashed not in found)
        return {hashes[key.hash]: (key.game, key.role) for key in found.values() if key.kind == LINK}

    async def role_by_phrase(self, phrase: str) -> tuple[str, str, str]:
        """Return the game and the role that a phrase opens, and its hash. Raises `NoSuchKey`."""
        hashed = await self._hashing.run(hash_of_phrase, phrase)
        return *await self._opened(hashed, PHRASE), hashed

    async def roles(self, table: OpenTable, tokens: Iterable[str]) -> frozenset[str]:
        """Return the roles that these tokens open at a table; tokens that do not open it are left out."""
        hashes = {hash_of(token) for token in tokens}
        roles = table.roles or {}
        if any(f"{each} {table.id}" not in self._unknown for each in hashes - roles.keys()):  # it may be new
            roles = table.roles = {}  # a change of keys meanwhile takes it away again
            roles.update({key.hash: key.role for key in await self._store.keys(table.id) if key.kind == LINK})
            self._unknown.add(f"{each} {table.id}" for each in hashes - roles.keys())
        return frozenset(roles[each] for each in hashes if each in roles)

    async def rights(self, table: OpenTable, tokens: Iterable[str]) -> Rights | None:
        """Return the rights of a person with these tokens; None if none of them opens the table."""
        return rights_of(await self.roles(table, tokens), table.settings)

    async def drop(self, table: OpenTable, role: str) -> None:
        """Drop all keys to a role."""
        await self._store.drop_keys(table.id, role)
        table.forget_keys()

    async def opens(self, table: OpenTable, role: str) -> bool:
        """Whether any key opens a role."""
        return any(key.role == role for key in await self._store.keys(table.id))

    def close(self) -> None:
        """End the threads that hash phrases."""
        self._hashing.close()

    async def _opened(self, hashed: str, kind: str) -> tuple[str, str]:
        """Return what a key of one kind opens. Raises `NoSuchKey`."""
        for key in await self._store.find_keys([hashed]):
            if key.kind == kind:
                return key.game, key.role
        raise NoSuchKey


class Keys:
    """The keys to all games by their ids: makes them, says what they open, and lets people take the seats they open."""

    def __init__(self, store: KeyStore, using: Using, commit: Commit) -> None:
        self._store, self._using, self._commit = store, using, commit

    async def link(self, game: str, role: str, shown: Collection[str] = ()) -> str:
        """Create a token for a role, "host", "watch" or "seat-0" to "seat-4". Only its hash is stored.

        Raises `NoSuchKey` if tokens were `shown` for it and none of them opens the role, or the host's, any more.
        """
        async with self._using(game) as table:
            return await self._store.link(table, role, shown)

    async def phrase(self, game: str, role: str, shown: Collection[str] = ()) -> str:
        """Create a phrase for a role, in the place of the older one; the rest as for `link`."""
        async with self._using(game) as table:
            return await self._store.phrase(table, role, shown)

    async def opened(self, token: str) -> tuple[str, str]:
        """Return the game and the role that a token opens. Raises `NoSuchKey`."""
        return await self._store.role(token)

    async def opened_by(self, tokens: Collection[str]) -> dict[str, tuple[str, str]]:
        """Return the game and the role that each token opens, by token; those that open nothing are left out."""
        return await self._store.opened_by(tokens)

    async def by_token(self, token: str) -> tuple[str, str]:
        """Return the game and the role that a token opens, and take its seat if that is free."""
        game, role = await self.opened(token)
        await self.take_seat(game, role)
        return game, role

    async def by_phrase(self, phrase: str) -> tuple[str, str, str]:
        """Return the game and the role that a phrase opens, and a new token for it; take its seat if that is free."""
        game, role, hashed = await self._store.role_by_phrase(phrase)
        await self.take_seat(game, role)
        async with self._using(game) as table:
            return game, role, await self._store.link_for_phrase(table, role, hashed)

    async def roles(self, game: str, tokens: Iterable[str]) -> frozenset[str]:
        """Return the roles that these tokens open at a table; tokens that do not open it are left out."""
        async with self._using(game) as table:
            return await self._store.roles(table, tokens)

    async def rights(self, game: str, tokens: Iterable[str]) -> Rights | None:
        """Return the rights of a person with these tokens; None if none of them opens the table."""
        async with self._using(game) as table:
            return await self._store.rights(table, tokens)

    async def take_seat(self, game: str, role: str) -> bool:
        """Let a person take a free seat, if a key still opens it; return whether they have. Of two, the first has."""
        seat = role_seat(role)
        if seat is None:
            return False
        async with self._using(game) as table:
            if not table.settings.seats[seat].free:
                return False
        taken = False

        async def decide(draft: Draft) -> None:
            nonlocal taken
            taken = await self._store.opens(draft.table, role) and draft.state.settings.seats[seat].free
            if taken:
                draft.change(with_seat(draft.state.settings, seat, stand_in="", free=False))

        await self._commit(game, decide, tries=TRIES)
        return taken


# ------------------------------------------------------------------------------------------------------------- rematch


async def allow_succession(store: GameStore, game: str, roles: Iterable[str]) -> None:
    """Let those who have these roles at the game before have them at its rematch too, until the role is dropped."""
    for role in roles:
        await store.add_key(Key(hash_of(new_token()), game, role, SUCCESSION, datetime.now(UTC)))


async def may_succeed(store: GameStore, game: str) -> frozenset[str]:
    """Return the roles at a rematch that are still open to those who had them at the game before."""
    return frozenset(key.role for key in await store.keys(game) if key.kind == SUCCESSION)
