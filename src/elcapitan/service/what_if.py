"""What-if boards: private branches of a game, on which a player tries moves that nobody else sees.

A board is a game of its own with keys of its own. What is face down is shuffled anew by a new key, so it tells nothing
about the cards of the real game. Each role of a game has one board at most, and boards that have not been
used for long are deleted when another one begins.
"""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Final

from elcapitan.errors import BadSetup, NoSuchGame
from elcapitan.service.settings import HUMAN, SUBSTITUTE, Plan, Seat
from elcapitan.service.table import Table
from elcapitan.service.tables import Tables

KEPT: Final = timedelta(hours=12)  # how long a what-if board is kept after the last move on it


async def begin(tables: Tables, game: str, at: int, role: str, own: Collection[int]) -> Table:
    """Begin a what-if board for a role from when `at` events had happened, in the place of its older one.

    Its holder plays the `own` seats, and computer players those of other persons. Raises `BadSetup` if the host has
    switched what-if boards off.
    """
    plan = (await tables.get(game)).plan
    check_allowed(plan)
    board = await tables.branch(game, at, _seats(plan, own), private_to=role)
    await _delete_others(tables, board, game, role)
    return board


def check_allowed(plan: Plan) -> None:
    """Raise `BadSetup` if the host has switched what-if boards off, or this is one."""
    if not plan.what_if:
        raise BadSetup("no-what-if")


def _seats(plan: Plan, own: Collection[int]) -> list[Seat]:
    """Return the seats of a board; a person without a seat plays for all persons."""
    return [
        replace(seat, player=HUMAN if not own or number in own else SUBSTITUTE) if seat.person else seat
        for number, seat in enumerate(plan.seats)
    ]


async def _delete_others(tables: Tables, board: Table, game: str, role: str) -> None:
    """Delete the older board of a role, and all boards that have not been used for long."""
    expired = tables.writer.now() - KEPT
    for row in await tables.store.rows(private=True):
        replaced = row.origin == game and row.plan["private_to"] == role
        if row.id != board.id and (replaced or row.changed < expired):
            with suppress(NoSuchGame):
                await tables.delete(row.id)
