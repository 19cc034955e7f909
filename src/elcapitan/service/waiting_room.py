"""What is decided before a game begins, and when a person comes late: who is ready, the start, taking a seat.

The log of a table with a waiting room has its cards shuffled, but not dealt: so no clock runs, no computer player moves
and no card can be seen before the host starts the game. Whether a person is ready is a setting of the seat.
"""

from elcapitan.errors import NotYourTurn
from elcapitan.service.commit import Draft
from elcapitan.service.dealt_game import DealtGame
from elcapitan.service.decisions import check_change, check_playing, check_seat
from elcapitan.service.table_settings import FRIEND, SUBSTITUTE, TableSettings, with_seat


def say_ready(draft: Draft, seat: int, *, ready: bool) -> None:
    """Note that the person of a seat is ready, or not any more. Changes nothing once the game has begun.

    A computer player who would have stood in gives the seat back: its person has come.
    """
    settings = draft.state.settings
    check_seat(settings, seat, person=True)
    if not draft.state.waiting:
        return
    values: dict[str, object] = {"ready": ready, "free": False} | ({"stand_in": ""} if ready else {})
    _change_own_seat(draft, seat, values)


def start(draft: Draft, *, computers: bool) -> None:
    """Deal the cards, so that the first turn begins. Changes nothing if the game has begun already.

    With `computers`, a computer player stands in for every friend who is absent and not ready. A friend who has never
    come gets the seat back by opening the link, another one by `come_back`.
    """
    if draft.state.settings.ended:
        check_playing(draft.table)  # raises `Ended`
    if not draft.state.waiting:
        return
    if computers:
        settings = draft.state.settings
        absent = absent_friends(settings, draft.table.presence.present)
        stand_ins = [SUBSTITUTE if seat in absent else each.stand_in for seat, each in enumerate(settings.seats)]
        draft.change({"stand_ins": stand_ins, "free": [each.free for each in settings.seats]})
    draft.play(DealtGame.deal)


def absent_friends(settings: TableSettings, present: frozenset[int]) -> list[int]:
    """Return the seats of friends who are neither at the table nor ready, and for whom no computer player plays."""
    return [seat for seat in unready_friends(settings) if settings.seats[seat].free or seat not in present]


def unready_friends(settings: TableSettings) -> list[int]:
    """Return the seats of friends who have not said that they are ready, and for whom no computer player plays."""
    return [
        number
        for number, seat in enumerate(settings.seats)
        if seat.player == FRIEND and not seat.ready and not seat.stand_in
    ]


def come_back(draft: Draft, seat: int) -> None:
    """Let a person play again for whom a computer player stands in. Changes nothing if none does.

    Raises `NotYourTurn` for a person whose time is out: otherwise they would get new time by leaving the seat to a
    computer player and coming back.
    """
    check_seat(draft.state.settings, seat, person=True)
    check_playing(draft.table)
    clocks = draft.state.clocks
    if draft.state.settings.seats[seat].late or (clocks.clock and clocks.left[seat] <= 0):
        raise NotYourTurn("time-was-out")
    _change_own_seat(draft, seat, {"stand_in": "", "free": False})


def _change_own_seat(draft: Draft, seat: int, values: dict[str, object]) -> None:
    """Change a seat as its person wants, which counts as a change by that seat if it is one."""
    number = draft.state.number
    draft.change(with_seat(draft.state.settings, seat, **values))
    if draft.first_try and draft.state.number > number:
        check_change(draft.table, seat)
