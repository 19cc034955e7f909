"""Whether a request may change a table now. The game is checked first, then the seat, then the number."""

from collections.abc import Collection
from typing import Final

from elcapitan.errors import BadSetup, Ended, LogFull, NoSuchGame, NotYourTurn, StaleVersion, TooMuch
from elcapitan.service.open_table import OpenTable
from elcapitan.service.settings import Plan

MOST_ENTRIES: Final = 20_000  # entries of a game's log; then players' moves alone are written. Long games have hundreds
MOST_HOST_ENTRIES: Final = 22_000  # entries up to which the host can still remove players and change settings


def check_may_move(table: OpenTable, number: int, seats: Collection[int] | None) -> None:
    """Check that the game is open, a person of these seats is to move, and the number is current, in this order.

    Raises `NoSuchGame`, `Ended`, `NotYourTurn` or `StaleVersion`.
    """
    if table.closed:
        raise NoSuchGame(table.id)
    check_playing(table)
    deciding, plan = table.state.dealt.game.seat, table.plan
    if deciding is not None and not plan.human(deciding):
        raise NotYourTurn("computer-to-move", seat=deciding + 1)
    if deciding is not None and seats is not None and deciding not in seats:
        raise NotYourTurn("not-your-turn", seat=deciding + 1)
    check_number(table, number, table.state.moved)


def check_number(table: OpenTable, number: int, since: int) -> None:
    """Raise `StaleVersion` for what was decided before entry `since`. Notes after it change nothing about it."""
    if not since <= number <= table.number:
        raise StaleVersion


def check_playing(table: OpenTable) -> None:
    """Raise `Ended` if the host has ended the game."""
    if table.plan.ended:
        raise Ended


def check_change(table: OpenTable, seat: int | None) -> None:
    """Count a change by a seat, or by the host, that does not move the game on.

    Raises `LogFull` or `TooMuch` if there were too many, in all or lately. They are counted for each seat and the host,
    so that a player cannot use up the changes of the others, nor those by which the host removes that player.
    """
    if table.number >= (MOST_HOST_ENTRIES if seat is None else MOST_ENTRIES):
        raise LogFull
    if seconds := table.allowance(seat).take():
        raise TooMuch("too-many-changes", seconds)


def check_seat(plan: Plan, seat: int, *, person: bool = False) -> int:
    """Return the seat. Raises `BadSetup` if the table has none such, or it is not a person's and that is wanted."""
    if type(seat) is not int or not 0 <= seat < len(plan.seats):
        raise BadSetup("not-a-seat", seat=seat + 1 if type(seat) is int else repr(seat)[:20])
    if person and not plan.seats[seat].person:
        raise BadSetup("no-person-there", player=plan.seats[seat].player)
    return seat
