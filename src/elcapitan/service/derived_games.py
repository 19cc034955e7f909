"""Games that come from another (a rematch, the same deal again, a what-if board), and the review of a finished game.

What-if boards are private branches of a game, on which a player tries moves unseen by the others. A board is a game of
its own with keys of its own. What is face down is shuffled anew by a new key, so it tells nothing about the cards of
the real game. Each role of a game has one board at most, and boards that have not been used for long are deleted when
another one begins.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Final

from elcapitan.background_tasks import cancel_and_wait, charge_to, requester
from elcapitan.board.figures import packaged
from elcapitan.errors import BadSetup, NoSuchGame, TooMuch
from elcapitan.players.judge import Mistake
from elcapitan.records.shuffles import Secret
from elcapitan.service import table_settings
from elcapitan.service.bot_pool import REVIEW, BotPool
from elcapitan.service.bot_worker import ReviewQuestion, review
from elcapitan.service.commit import TRIES, Draft
from elcapitan.service.dealt_game import DealtGame
from elcapitan.service.keys import HOST, allow_succession, may_succeed, seat_role
from elcapitan.service.table import Table
from elcapitan.service.table_settings import FRIEND, HUMAN, SUBSTITUTE, Seat, TableSettings
from elcapitan.service.tables import Tables

MOST_REVIEWS: Final = 20  # finished games that wait for their review, each of some seconds
REVIEWS_PER_ADDRESS: Final = 5  # of them by requests of one address: their reviews go on if it asks no more
REVIEW_WAIT: Final = 10  # seconds until some of them have been reviewed
REVIEWS_KEPT: Final = 1000  # reviews in memory, some hundred bytes each
WHAT_IF_KEPT: Final = timedelta(hours=12)  # how long a what-if board is kept after the last move on it

# --------------------------------------------------------------------------------------------------------- the rematch


async def rematch(tables: Tables, game: str) -> Table:
    """Create another game of the same people, in which the next seat begins; return it if there is one already.

    Raises `BadSetup` if the game is not over.
    """
    table = await tables.get(game)
    _check_over(table)
    with suppress(NoSuchGame):  # deleted meanwhile
        if table.settings.rematch:
            return await tables.get(table.settings.rematch)
    settings = table_settings.for_rematch(table.settings)
    created = await tables.create(settings, waiting=settings.company)  # friends take their seats first
    await allow_succession(tables.store, created.id, [HOST, *map(seat_role, sorted(created.settings.persons))])

    def decide(draft: Draft) -> None:
        if draft.state.settings.rematch == table.settings.rematch:  # otherwise another click was faster
            draft.change({"rematch": created.id})

    async with tables.using(game) as finished:
        await tables.writer.commit(finished, decide, tries=TRIES)
        chosen = finished.settings.rematch
    if chosen != created.id:
        await tables.delete(created.id)
        return await tables.get(chosen)
    return created


async def keys_to_rematch(tables: Tables, game: str, roles: Collection[str]) -> dict[str, str]:
    """Create keys to the rematch of a game for those who have these roles at the game; return them by role.

    A role is left out if its holder was removed from the rematch. Raises `NoSuchGame` if there is no rematch.
    """
    table = await tables.get(game)
    if not table.settings.rematch:
        raise NoSuchGame(game)
    allowed = await may_succeed(tables.store, table.settings.rematch)
    keys = {role: await tables.keys.link(table.settings.rematch, role) for role in sorted(allowed.intersection(roles))}
    for key in keys.values():
        await tables.keys.by_token(key)  # takes the seat
    return keys


# ------------------------------------------------------------------------------------------------------- the same deal


def published_secret(table: Table) -> Secret | None:
    """Return what decided all cards of a finished game, which is published; None if the cards came from elsewhere.

    They do if the game was imported or branched off, or began before shuffles were published.
    """
    first = table.promises[0] if table.over and len(table.promises) == 1 else None
    return first.secret if first and first.at == 0 and not table.frozen else None


async def same_deal(tables: Tables, game: str) -> Table:
    """Begin a game of one's own in which the cards of a finished one come again, and the same seat begins.

    All persons are at one screen, because all who have played the other game may know the cards. Raises `BadSetup`
    if the cards of that game were not all published.
    """
    table = await tables.get(game)
    secret = published_secret(table)
    if secret is None:
        raise BadSetup("no-same-deal")
    seats = [
        Seat(HUMAN if seat.player == FRIEND else seat.player, seat.name, seat.colour) for seat in table.settings.seats
    ]
    settings = table_settings.checked(
        table_settings.with_distinct_names(table_settings.for_branch(table.settings, seats))
    )
    dealt = DealtGame(table.game.setup, tables.writer.figures)
    return await tables.add(settings, dealt, dealt.begin(secret), (game, 0))


def _check_over(table: Table) -> None:
    """Raise `BadSetup` unless a game is over, or was ended."""
    if not table.over:
        raise BadSetup("not-over")


# ---------------------------------------------------------------------------------------------------------- the review


class Reviews:
    """The dearest mistakes of finished games, looked for in one game at a time, by a process of the pool."""

    def __init__(self, processes: BotPool) -> None:
        self._processes = processes
        self._one = asyncio.Lock()  # the other processes are for games that are being played
        self._known: OrderedDict[str, Mistake | None] = OrderedDict()  # those asked for last come last
        self._running: dict[str, asyncio.Task[Mistake | None]] = {}
        self._askers: Counter[str] = Counter()  # addresses, each with the reviews that run because it has asked

    def known(self, game: str) -> Mistake | None:
        """Return the dearest mistake of a game if it was found already."""
        return self._known.get(game)

    async def mistake(self, table: Table) -> Mistake | None:
        """Return the dearest mistake of a finished game; None if there is none.

        All who ask about a game wait for the same answer. Raises `BadSetup` if the game is not over, `TooMuch` if too
        many games wait, in all or for this address, and `NoAnswer` if no process can answer.
        """
        if not table.game.over:
            raise BadSetup("not-over")
        if table.id in self._known:
            self._known.move_to_end(table.id)
            return self._known[table.id]
        if table.id not in self._running:
            asker = requester.get()
            if len(self._running) >= MOST_REVIEWS or (asker and self._askers[asker] >= REVIEWS_PER_ADDRESS):
                raise TooMuch("too-many-requests", REVIEW_WAIT)
            self._askers[asker] += 1
            self._running[table.id] = asyncio.create_task(self._review(table, asker))
        return await asyncio.shield(self._running[table.id])

    async def _review(self, table: Table, asker: str) -> Mistake | None:
        """Ask a process for an address, and keep the answer."""
        charge_to.set(None)  # this goes on when the request that began it has ended
        figures = table.game.figures
        question = ReviewQuestion(
            table.game.setup, tuple(table.game.events), None if figures is packaged() else figures
        )
        try:
            async with self._one:
                found = await self._processes.ask(review, question, REVIEW)
        finally:
            del self._running[table.id]
            self._askers -= Counter([asker])
        self._known[table.id] = found
        while len(self._known) > REVIEWS_KEPT:
            self._known.popitem(last=False)
        return found

    async def close(self) -> None:
        """Cancel all reviews that have not ended."""
        await cancel_and_wait(*self._running.values())


# ------------------------------------------------------------------------------------------------------ what-if boards


async def begin_what_if(tables: Tables, game: str, at: int, role: str, own: Collection[int]) -> Table:
    """Begin a what-if board for a role from when `at` events had happened, in the place of its older one.

    Its holder plays the `own` seats, and computer players those of other persons. Raises `BadSetup` if the host has
    switched what-if boards off.
    """
    settings = (await tables.get(game)).settings
    check_what_if_allowed(settings)
    board = await tables.branch(game, at, _seats_of_board(settings, own), private_to=role)
    await _delete_other_boards(tables, board, game, role)
    return board


def check_what_if_allowed(settings: TableSettings) -> None:
    """Raise `BadSetup` if the host has switched what-if boards off, or this is one."""
    if not settings.what_if:
        raise BadSetup("no-what-if")


def _seats_of_board(settings: TableSettings, own: Collection[int]) -> list[Seat]:
    """Return the seats of a board; a person without a seat plays for all persons."""
    return [
        replace(seat, player=HUMAN if not own or number in own else SUBSTITUTE) if seat.person else seat
        for number, seat in enumerate(settings.seats)
    ]


async def _delete_other_boards(tables: Tables, board: Table, game: str, role: str) -> None:
    """Delete the older board of a role, and boards that have not been used for long."""
    expired = tables.writer.now() - WHAT_IF_KEPT
    for row in await tables.store.boards(game, expired):
        replaced = row.origin == game and row.plan["private_to"] == role
        if row.id != board.id and (replaced or row.changed < expired):
            with suppress(NoSuchGame):
                await tables.delete(row.id)
