"""Who may do something at a table now, in the order in which it is asked: the game, the seat, the number."""

from collections.abc import Collection

from elcapitan.errors import BadSetup, Ended, LogFull, NoSuchGame, NotYourTurn, StaleMove, TooMuch
from elcapitan.service.allowance import MOST_ENTRIES, MOST_HOST_ENTRIES
from elcapitan.service.live import Live
from elcapitan.service.plan import Plan


def check_may(live: Live, number: int, seats: Collection[int] | None) -> None:
    """Refuse those who are not to move, then those who decided when the table looked different."""
    check_there(live)
    check_playing(live)
    deciding = live.course.game.seat
    if deciding is not None and not live.plan.human(deciding):
        raise NotYourTurn("computer-to-move", seat=deciding + 1)
    if deciding is not None and seats is not None and deciding not in seats:
        raise NotYourTurn("not-your-turn", seat=deciding + 1)
    check_number(live, number, live.moved)


def check_number(live: Live, number: int, since: int) -> None:
    """Refuse what was decided before an entry; a note after it changes nothing about it."""
    if not since <= number <= live.number:
        raise StaleMove


def check_there(live: Live) -> None:
    """Refuse what is wanted of a game that was thrown away meanwhile."""
    if live.closed:
        raise NoSuchGame(live.id)


def check_playing(live: Live) -> None:
    """Refuse what is wanted of a game that the host has ended."""
    if live.plan.ended:
        raise Ended


def check_change(live: Live, seat: int | None) -> None:
    """Count a change by a seat, or by the host, that does not move the game on.

    Raises `LogFull` or `TooMuch` if there were too many, in all or lately. They are counted apart, so that a player
    cannot use up the changes of the others, nor those by which the host removes that player.
    """
    if live.number >= (MOST_HOST_ENTRIES if seat is None else MOST_ENTRIES):
        raise LogFull
    if seconds := live.allowance(seat).take():
        raise TooMuch("too-many-changes", seconds)


def check_seat(plan: Plan, seat: int, *, person: bool = False) -> int:
    """A seat of this table; of a person, if that is wanted."""
    if type(seat) is not int or not 0 <= seat < len(plan.seats):
        raise BadSetup("not-a-seat", seat=seat + 1 if type(seat) is int else repr(seat)[:20])
    if person and not plan.seats[seat].person:
        raise BadSetup("no-person-there", player=plan.seats[seat].player)
    return seat
