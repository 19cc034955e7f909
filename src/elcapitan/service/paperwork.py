"""From a course of a game to what is stored of it, and back."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from elcapitan.engine.state import STATE
from elcapitan.errors import BadRecord, ElCapitanError
from elcapitan.figures import Figures
from elcapitan.game import RULES_VERSION
from elcapitan.service import entries
from elcapitan.service import plan as plans
from elcapitan.service.course import Course
from elcapitan.service.entries import Happening
from elcapitan.service.minutes import Minutes
from elcapitan.service.table import Summary
from elcapitan.setup import Setup
from elcapitan.store.shelf import Entry, Sheet, Snapshot

# A snapshot of another layout cannot be compared with ours; the replay of the log has to do.
FORM: Final = hashlib.sha256(repr(STATE.descr).encode()).hexdigest()[:16]


def setup_to_json(setup: Setup) -> dict[str, Any]:
    """What is played."""
    return {
        "players": setup.players,
        "tiles": list(setup.tiles),
        "first": setup.first,
        "options": dict(setup.options),
    }


def setup_from_json(content: dict[str, Any]) -> Setup:
    """What was stored of what is played, which was checked before."""
    return Setup(content["players"], tuple(content["tiles"]), content["first"], content["options"])


def _checked(setup: Setup) -> Setup:
    """The same, checked again: compiled rules must not meet what cannot be."""
    return Setup.of(setup.players, setup.tiles, setup.first, setup.options)


def standing(course: Course, minutes: Minutes) -> dict[str, Any]:
    """What a list of games tells about one, and when a clock runs out or a wish lapses there."""
    game, due = course.game, minutes.due
    told = {"phase": game.phase, "round": game.round, "seat": game.seat, "money": game.money}
    return {**told, "due": due.isoformat()} if due else told


def log_of(happened: Iterable[Happening], number: int, at: datetime, figures: Figures) -> list[Entry]:
    """Entries for what happened, after so many others."""
    return [Entry(each, *entries.written(what, figures), at) for each, what in enumerate(happened, start=number + 1)]


def snapshot_of(course: Course, number: int) -> Snapshot | None:
    """The position, where a turn begins."""
    return None if course.turn or course.undone else Snapshot(number, FORM, course.secret)


def summary(sheet: Sheet) -> Summary:
    """A game in a list."""
    plan = plans.from_json(sheet.plan, setup_from_json(sheet.setup))
    due = sheet.standing.get("due")
    return Summary(
        id=sheet.id,
        plan=plan,
        number=sheet.length,
        created=sheet.created,
        changed=sheet.changed,
        over=sheet.over,
        phase=sheet.standing["phase"],
        round=sheet.standing["round"],
        deciding=None if plan.ended else sheet.standing["seat"],
        money=tuple(sheet.standing["money"]),
        rules=sheet.rules,
        board=sheet.board,
        origin=origin(sheet),
        due=datetime.fromisoformat(due) if due else None,
    )


def origin(sheet: Sheet) -> tuple[str, int] | None:
    """Where a game branched off."""
    return None if sheet.origin is None or sheet.origin_event is None else (sheet.origin, sheet.origin_event)


def played_again(
    sheet: Sheet, log: Sequence[Entry], snapshot: Snapshot | None, figures: Figures
) -> tuple[Course, Minutes]:
    """The course of a stored game, and the minutes of its table.

    The log is the truth. Where it cannot be played, or does not come to what was stored besides, the course says why:
    such a game can be looked at as far as it goes, but not played on.
    """
    course = Course(_checked(setup_from_json(sheet.setup)), figures)
    minutes = Minutes()
    if sheet.board != figures.name:
        course.problem = BadRecord("other-board", found=sheet.board, wanted=figures.name)
        return course, minutes
    for entry in log:
        try:
            minutes = _happen(course, minutes, entry)
        except (ElCapitanError, KeyError, TypeError, ValueError) as error:
            course.problem = course.problem or _broken(error, entry)
            break
        if snapshot and entry.number == snapshot.number and not _fits(course, snapshot):
            course.problem = course.problem or ElCapitanError("other-position")
    if sheet.rules != RULES_VERSION:
        course.problem = BadRecord("other-rules", found=sheet.rules, wanted=RULES_VERSION)
    elif not _in_step(course):
        course.problem = course.problem or ElCapitanError("other-position")
    return course, minutes


def played_on(course: Course, minutes: Minutes, log: Sequence[Entry]) -> tuple[Course, Minutes] | None:
    """A course and its minutes after more entries; nothing if those cannot be played, and all must be read again."""
    course = course.copy()
    try:
        for entry in log:
            minutes = _happen(course, minutes, entry)
    except (ElCapitanError, KeyError, TypeError, ValueError):
        return None
    return (course, minutes) if course.problem is None and _in_step(course) else None


def _happen(course: Course, minutes: Minutes, entry: Entry) -> Minutes:
    """Let happen what an entry says; the minutes after it."""
    what = entries.read(entry.kind, entry.content, course.figures)
    course.happen(what)
    return minutes.heard(what, entry.at, course)


def _broken(error: Exception, entry: Entry) -> ElCapitanError:
    """An entry that cannot be played."""
    known = error if isinstance(error, ElCapitanError) else BadRecord("not-an-event")
    return BadRecord.because(known, event=entry.number)


def _fits(course: Course, snapshot: Snapshot) -> bool:
    """Whether the game has come to the position that was stored."""
    return snapshot.form != FORM or snapshot.position == course.secret


def _in_step(course: Course) -> bool:
    """Whether the dealer knows nothing that contradicts the game on the table."""
    return course.chance is None or course.chance.in_step(course.game)
