"""People who are waited for: all in the waiting room, and at the table a person whose turn it is."""

from dataclasses import dataclass
from datetime import datetime

from babel.dates import format_datetime, format_time

from elcapitan.game.game import Act
from elcapitan.service import Table
from elcapitan.service.keys import role_seat, seat_role
from elcapitan.service.table_settings import FRIEND, SUBSTITUTE, Seat
from elcapitan.service.waiting_room import absent_friends, unready_friends
from elcapitan.text.catalogue import Translator
from elcapitan.text.names import level_name
from elcapitan.web.view.context import ViewContext, merchant_names, own_seats
from elcapitan.web.view.merchants import AWAY, HERE, ChatView, chat_lines, presence
from elcapitan.web.viewer import Viewer

FREE, READY, STOOD_IN, COMPUTER, AT_HOST = "free", "ready", "stood-in", "computer", "at-host"


@dataclass(frozen=True)
class RoomSeat:
    """A seat in the waiting room."""

    seat: int
    role: str
    name: str
    colour: int
    state: str  # free, here, away, ready, stood-in, computer or at-host
    level: str  # of the computer player, if one plays or stands in
    friend: bool  # whether its person comes by link
    mine: bool


@dataclass(frozen=True)
class RoomView:
    """The waiting room as one viewer sees it."""

    id: str
    title: str
    base: str
    version: str
    ended: bool  # by the host, before the game began
    host: bool
    seats: tuple[RoomSeat, ...]
    absent: str  # the names of friends who are neither here nor ready
    dawdling: str  # the names of friends who are here and not ready
    summary: str  # how many are here and ready, to be read out when it changes
    substitute: str  # the level that stands in
    chat: ChatView | None

    @property
    def own(self) -> list[RoomSeat]:
        """The viewer's seats whose persons come by link and can say that they are ready."""
        return [seat for seat in self.seats if seat.mine and seat.friend]

    @property
    def complete(self) -> bool:
        """Whether every friend is ready, or a computer player stands in."""
        return not self.absent and not self.dawdling


def room_view(table: Table, viewer: Viewer) -> RoomView:
    """Return the waiting room as a viewer sees it. There are no cards in it: none is dealt before the start."""
    t, settings = viewer.t, table.settings
    names, mine = merchant_names(settings, t), own_seats(table, viewer)
    host = viewer.rights is None or viewer.rights.host
    seats = tuple(_room_seat(table, number, names[number], number in mine, t) for number in range(len(settings.seats)))
    absent = absent_friends(settings, table.present)
    dawdling = [seat for seat in unready_friends(settings) if seat not in absent]
    friends = [seat for seat in seats if seat.friend]
    ready = len(friends) - len(absent) - len(dawdling)
    return RoomView(
        id=table.id,
        title=settings.title,
        base=f"/games/{table.id}",
        version=table.version,
        ended=settings.ended,
        host=host,
        seats=seats,
        absent=", ".join(names[seat] for seat in absent),
        dawdling=", ".join(names[seat] for seat in dawdling),
        summary=t.text("Ready: {ready} of {friends}", ready=ready, friends=len(friends)),
        substitute=SUBSTITUTE,
        chat=ChatView(chat_lines(table, t, mine, host=host)) if settings.chat and (host or mine) else None,
    )


def _room_seat(table: Table, number: int, name: str, mine: bool, t: Translator) -> RoomSeat:
    """Return a seat of the waiting room."""
    seat = table.settings.seats[number]
    level = seat.stand_in or ("" if seat.person else seat.player)
    return RoomSeat(
        seat=number,
        role=seat_role(number),
        name=name,
        colour=table.colour_of(number),
        state=seat_state(table, number),
        level=level_name(level, t) if level else "",
        friend=seat.player == FRIEND,
        mine=mine,
    )


def seat_state(table: Table, number: int) -> str:
    """Return whether a seat is free, or its person here, away, ready or stood in for; or who plays it otherwise."""
    seat: Seat = table.settings.seats[number]
    if seat.player != FRIEND:
        return AT_HOST if seat.person else COMPUTER
    if seat.stand_in and (table.waiting or not seat.free):
        return STOOD_IN
    if seat.free:
        return FREE
    if table.waiting and seat.ready:
        return READY
    return HERE if number in table.present else AWAY


def is_taken(table: Table, role: str) -> bool:
    """Whether a person has taken the seat of a role by its link, as far as the table can tell.

    Tables of programs have no free seats: there it counts who is at the table, and who has acted.
    """
    number = role_seat(role)
    if number is None or table.settings.seats[number].player != FRIEND or table.settings.seats[number].free:
        return False
    acted = (event.seat for event in table.game.events if isinstance(event, Act))
    return number in table.present or any("free" in each.content for each in table.table_events) or number in acted


# ---------------------------------------------------------------------------------------------------- at the table


@dataclass(frozen=True)
class AwaitedView:
    """A person who is absent although it is their turn, and what can be done about it."""

    seat: int
    role: str
    name: str
    by_link: bool  # whether a new link can be made for the seat
    since: str  # since when the turn has lasted, as scripts read it
    since_words: str
    substitute: str  # the level that can stand in


def awaited(context: ViewContext) -> AwaitedView | None:
    """Return the person whose turn it is, if they are not at the table, and not the viewer."""
    table = context.table
    seat = table.deciding if context.live else None
    if seat is None or seat in context.mine or not table.human(seat) or presence(context, seat) != AWAY:
        return None
    since = table.moved_at or table.changed
    return AwaitedView(
        seat=seat,
        role=seat_role(seat),
        name=context.teller.merchant(seat),
        by_link=table.settings.seats[seat].player == FRIEND,
        since=since.isoformat(timespec="seconds"),
        since_words=moment_words(since, table.read_at, context.t),
        substitute=SUBSTITUTE,
    )


def moment_words(moment: datetime, now: datetime, t: Translator) -> str:
    """Write a time of day, with the date unless it is today."""
    there, here = moment.astimezone(), now.astimezone()
    if there.date() == here.date():
        return str(format_time(there, "short", locale=t.language))
    return str(format_datetime(there, "short", locale=t.language))


def left_to_computers(context: ViewContext) -> tuple[int, ...]:
    """Return the viewer's seats that a computer player plays, and that they can have back."""
    if not context.live or context.table.over:
        return ()
    seats = context.table.settings.seats
    return tuple(seat for seat in sorted(context.mine) if seats[seat].stand_in and not seats[seat].late)
