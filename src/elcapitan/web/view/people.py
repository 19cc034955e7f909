"""The people at a table with several screens: presence, clocks, chat, and votes on going back."""

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from elcapitan.game.game import Act
from elcapitan.service.settings import HOST_LABEL
from elcapitan.service.state import must_agree, persons_since
from elcapitan.text.catalogue import Translator
from elcapitan.web.view.context import ViewContext

HERE, AWAY = "here", "away"
MINUTE, HOUR, DAY = 60, 3600, 86400
IN_DAYS: Final = 2 * DAY  # from here on clocks show days
NEAR: Final = 10  # seconds before the end from which on it is high time, at least
LONGEST_LINE: Final = 300  # characters that can be said at once


@dataclass(frozen=True)
class ClockView:
    """The time that a person has left."""

    words: str  # at the moment of drawing
    due: int | None  # when it is out, in milliseconds, if it runs and is to be counted down
    near: int  # seconds before that from which on it is high time
    running: bool
    low: bool


@dataclass(frozen=True)
class ChatLineView:
    """A message of the chat."""

    number: int
    at: str
    name: str
    colour: int | None  # None for a host without a seat
    text: str
    mine: bool


@dataclass(frozen=True)
class ChatView:
    """The last messages of the chat."""

    lines: tuple[ChatLineView, ...]
    most: int = LONGEST_LINE

    @property
    def last(self) -> int:
        """The number of the last message, from which the page knows what is new."""
        return self.lines[-1].number if self.lines else 0


@dataclass(frozen=True)
class UndoVoteView:
    """A vote on going back to an earlier moment."""

    words: str
    colour: int
    at: int
    waiting: str  # those who have not answered
    clock: ClockView | None  # the time until it lapses
    asked: bool  # whether the viewer is among them
    mine: bool  # whether the viewer asked for it


def presence(context: ViewContext, seat: int) -> str:
    """Return whether a person is at the table; empty for computer players, and where all share one screen."""
    if not context.table.plan.company or not context.table.plan.seats[seat].person:
        return ""
    return HERE if seat in context.table.present else AWAY


# ----------------------------------------------------------------------------------------------------------- clocks


def clock(context: ViewContext, seat: int) -> ClockView | None:
    """Return a person's clock: always in a game with a time bank, else while it runs."""
    clocks, agreed = context.table.clocks, context.table.plan.clock
    if not context.live or clocks is None or agreed is None or not context.table.plan.seats[seat].person:
        return None  # an earlier moment has no clocks
    running = clocks.running == seat
    if not running and clocks.kind != "bank":
        return None
    left, near = clocks.left[seat], max(NEAR, min(HOUR, agreed.seconds // 10))
    counted = running and clocks.due is not None and left < IN_DAYS
    return ClockView(
        words=duration_words(left, context.t),
        due=_milliseconds(clocks.due) if counted and clocks.due else None,
        near=near,
        running=running,
        low=left <= near,
    )


def duration_words(seconds: float, t: Translator) -> str:
    """Write a span of time as clocks show it; several days without hours."""
    whole = max(0, math.ceil(seconds))
    if whole >= IN_DAYS:
        return t.plural("{number} day", "{number} days", whole // DAY)
    hours, minutes, rest = whole // HOUR, whole // MINUTE % MINUTE, whole % MINUTE
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _milliseconds(moment: datetime) -> int:
    """Convert a moment to milliseconds, as scripts count."""
    return round(1000 * moment.timestamp())


# ------------------------------------------------------------------------------------------------------------- talk


def chat(context: ViewContext, *, host: bool) -> ChatView | None:
    """Return the chat for players and the host; None where all share one screen, or where chat is off."""
    if not context.table.plan.company or not context.table.plan.chat or not (host or context.mine):
        return None
    lines = tuple(
        ChatLineView(
            number=line.number,
            at=line.at.isoformat(timespec="seconds"),
            name=context.t.text(HOST_LABEL) if line.seat is None else context.teller.merchant(line.seat),
            colour=None if line.seat is None else context.palette(line.seat),
            text=line.text,
            mine=line.seat in context.mine if line.seat is not None else host,
        )
        for line in context.table.chat
    )
    return ChatView(lines)


# ------------------------------------------------------------------------------------------------------------ wishes


def undo_vote(context: ViewContext, moment: str) -> UndoVoteView | None:
    """Return the running vote; `moment` says what had just happened at the moment to go back to."""
    wanted = context.table.undo_vote
    if wanted is None:
        return None
    who = context.teller.merchant(wanted.seat)
    return UndoVoteView(
        words=context.t.text("{who} asks to go back to where it was: {moment}", who=who, moment=moment),
        colour=context.palette(wanted.seat),
        at=wanted.at,
        waiting=", ".join(context.teller.merchant(seat) for seat in sorted(wanted.waiting)),
        clock=_vote_clock(context, wanted.until) if wanted.until else None,
        asked=bool(wanted.waiting & context.mine),
        mine=wanted.seat in context.mine,
    )


def _vote_clock(context: ViewContext, until: datetime) -> ClockView:
    """Return the clock of a vote."""
    left = (until - context.table.read_at).total_seconds()
    return ClockView(duration_words(left, context.t), _milliseconds(until), NEAR, running=True, low=left <= NEAR)


def may_go_back(context: ViewContext, at: int) -> str:
    """Return "ask" if others must agree to going back to a moment, "back" if none must, or "" if it is not possible."""
    table = context.table
    if table.over or table.undo_vote or table.frozen or not context.mine or not 1 <= at < len(table.game.events):
        return ""
    since = table.game.events[at:]
    acted = {event.seat for event in since if isinstance(event, Act)}
    others = must_agree(since, acted, persons_since(table.trace, table.plan, at)) - context.mine
    return "ask" if others else "back"
