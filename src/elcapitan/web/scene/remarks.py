"""What the log tells besides the game: wishes to go back and what came of them, who stands in for whom, the end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from elcapitan.text.levels import level_name
from elcapitan.web.scene.sight import Sight


@dataclass(frozen=True)
class Remark:
    """A sentence about the table."""

    number: int  # of its entry
    after: int  # how many events had happened
    seat: int | None  # whom it is about
    text: str


@dataclass
class _Seats:
    """Who stood in for whom, as far as the log has told."""

    stand_ins: Sequence[str]
    late: Sequence[bool]  # those whose time was out: when their turn is over they play again, and nobody need be told


def remarks(sight: Sight) -> list[Remark]:
    """Everything that there is to tell, in order."""
    seats = _Seats(("",) * sight.players, (False,) * sight.players)
    found = []
    for trace in sight.table.trace:
        for seat, text in _told(sight, trace.kind, trace.content, seats):
            found.append(Remark(trace.number, trace.after, seat, text))
    return found


def _told(sight: Sight, kind: str, content: Mapping[str, Any], seats: _Seats) -> Iterator[tuple[int | None, str]]:
    """The sentences of one entry; most settings need none."""
    t = sight.t
    if kind == "note":
        yield from _noted(sight, content, seats)
        return
    seat = content["seat"]
    who = sight.teller.merchant(seat)
    if kind == "wish":
        yield seat, t.text("{who} asks to go back.", who=who)
    elif kind == "answer":
        yield seat, t.text("{who} agrees.", who=who) if content["yes"] else t.text("{who} does not agree.", who=who)
    elif kind == "lapse":
        yield seat, t.text("Not everyone answered in time, so the game does not go back.")
    elif kind == "back":
        yield seat, t.text("The game went back to here, as {who} had asked.", who=who)


def _noted(sight: Sight, content: Mapping[str, Any], seats: _Seats) -> Iterator[tuple[int | None, str]]:
    """What changed about those who play."""
    stand_ins = content.get("stand_ins", seats.stand_ins)
    nobody = (False,) * sight.players
    late, free = content.get("late", nobody), content.get("free", nobody)
    for seat, (before, level) in enumerate(zip(seats.stand_ins, stand_ins, strict=True)):
        if level != before and (level or not seats.late[seat]):
            yield seat, _stands_in(sight, seat, level, late=late[seat], free=free[seat])
    seats.stand_ins, seats.late = stand_ins, late
    if content.get("ended"):
        yield None, sight.t.text("The host has ended this game.")


def _stands_in(sight: Sight, seat: int, level: str, *, late: bool, free: bool) -> str:
    """Somebody stands in, or the seat is handed back."""
    t, who = sight.t, sight.teller.merchant(seat)
    if not level:
        return t.text("{who} plays again.", who=who)
    if late:
        return t.text("{who} is out of time: a computer player ends the turn.", who=who)
    if free:
        return t.text("The seat of {who} is free; a computer player stands in until somebody comes.", who=who)
    return t.text("A computer player stands in for {who}: {level}.", who=who, level=level_name(level, t))
