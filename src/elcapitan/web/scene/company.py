"""The others at a table that is not all at one screen: who is there, what is said, whose time runs, what is wished."""

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from elcapitan.game import Act
from elcapitan.service.minutes import must_agree, persons_since
from elcapitan.service.plan import HOST_LABEL
from elcapitan.text.catalogue import Translator
from elcapitan.web.scene.sight import Sight

HERE, AWAY = "here", "away"
MINUTE, HOUR, DAY = 60, 3600, 86400
IN_DAYS: Final = 2 * DAY  # from here on nobody counts hours
NEAR: Final = 10  # seconds before the end from which on it is high time, at least
LONGEST_LINE: Final = 300  # characters that can be said at once


@dataclass(frozen=True)
class ClockScene:
    """The time that somebody has left."""

    words: str  # at the moment of drawing
    due: int | None  # when it is out, in milliseconds, if it runs and is to be counted down
    near: int  # seconds before that from which on it is high time
    running: bool
    low: bool


@dataclass(frozen=True)
class Said:
    """A line of the talk."""

    number: int
    at: str
    name: str
    colour: int | None  # nobody's where the host has no seat
    text: str
    mine: bool


@dataclass(frozen=True)
class Talk:
    """What was said last."""

    lines: tuple[Said, ...]
    most: int = LONGEST_LINE

    @property
    def last(self) -> int:
        """The number of the last line, to know what is new."""
        return self.lines[-1].number if self.lines else 0


@dataclass(frozen=True)
class WishScene:
    """A wish to go back."""

    words: str
    colour: int
    at: int
    waiting: str  # those who have not answered
    clock: ClockScene | None  # the time until it lapses
    asked: bool  # whether whoever looks is among them
    mine: bool  # whether it is their own wish


def presence(sight: Sight, seat: int) -> str:
    """Whether a person is at the table; nothing for computer players, and where all sit at one screen."""
    if not sight.table.plan.company or not sight.table.plan.seats[seat].person:
        return ""
    return HERE if seat in sight.table.present else AWAY


# ----------------------------------------------------------------------------------------------------------- clocks


def clock(sight: Sight, seat: int) -> ClockScene | None:
    """The time of a person: in a game with a bank always, else while it runs."""
    clocks, agreed = sight.table.clocks, sight.table.plan.clock
    now = sight.game is sight.table.game  # an earlier moment has no clocks
    if not now or clocks is None or agreed is None or not sight.table.plan.seats[seat].person:
        return None
    running = clocks.running == seat
    if not running and clocks.kind != "bank":
        return None
    left, near = clocks.left[seat], max(NEAR, min(HOUR, agreed.seconds // 10))
    counted = running and clocks.due is not None and left < IN_DAYS
    return ClockScene(
        words=lasting(left, sight.t),
        due=_milliseconds(clocks.due) if counted and clocks.due else None,
        near=near,
        running=running,
        low=left <= near,
    )


def lasting(seconds: float, t: Translator) -> str:
    """A span of time, as clocks show it; of several days nobody counts the minutes."""
    whole = max(0, math.ceil(seconds))
    if whole >= IN_DAYS:
        return t.plural("{number} day", "{number} days", whole // DAY)
    hours, minutes, rest = whole // HOUR, whole // MINUTE % MINUTE, whole % MINUTE
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _milliseconds(moment: datetime) -> int:
    """A moment as scripts count it."""
    return round(1000 * moment.timestamp())


# ------------------------------------------------------------------------------------------------------------- talk


def talk(sight: Sight, *, host: bool) -> Talk | None:
    """What is said, for those who belong to the table; nothing where all sit at one screen, or nobody may talk."""
    if not sight.table.plan.company or not sight.table.plan.chat or not (host or sight.mine):
        return None
    lines = tuple(
        Said(
            number=line.number,
            at=line.at.isoformat(timespec="seconds"),
            name=sight.t.text(HOST_LABEL) if line.seat is None else sight.teller.merchant(line.seat),
            colour=None if line.seat is None else sight.palette(line.seat),
            text=line.text,
            mine=line.seat in sight.mine if line.seat is not None else host,
        )
        for line in sight.table.talk
    )
    return Talk(lines)


# ------------------------------------------------------------------------------------------------------------ wishes


def wish(sight: Sight, told: str) -> WishScene | None:
    """What somebody wishes, in words; `told` is what had just happened at the moment they would go back to."""
    wanted = sight.table.wish
    if wanted is None:
        return None
    who = sight.teller.merchant(wanted.seat)
    return WishScene(
        words=sight.t.text("{who} asks to go back to where it was: {moment}", who=who, moment=told),
        colour=sight.palette(wanted.seat),
        at=wanted.at,
        waiting=", ".join(sight.teller.merchant(seat) for seat in sorted(wanted.waiting)),
        clock=_lapsing(sight, wanted.until) if wanted.until else None,
        asked=bool(wanted.waiting & sight.mine),
        mine=wanted.seat in sight.mine,
    )


def _lapsing(sight: Sight, until: datetime) -> ClockScene:
    """The time until a wish lapses."""
    left = (until - sight.table.read_at).total_seconds()
    return ClockScene(lasting(left, sight.t), _milliseconds(until), NEAR, running=True, low=left <= NEAR)


def may_go_back(sight: Sight, at: int) -> str:
    """Whether one may go back to a moment: "ask" those concerned, go "back" if nobody else is, or neither."""
    table = sight.table
    if table.over or table.wish or table.frozen or not sight.mine or not 1 <= at < len(table.game.events):
        return ""
    since = table.game.events[at:]
    acted = {event.seat for event in since if isinstance(event, Act)}
    others = must_agree(since, acted, persons_since(table.trace, table.plan, at)) - sight.mine
    return "ask" if others else "back"
