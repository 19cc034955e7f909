"""The tables of this house, and the shelf of games to go on with."""

from dataclasses import dataclass
from datetime import datetime

from babel.dates import format_datetime
from fastapi import Request

from elcapitan.service import Plan, Summary, Tables
from elcapitan.text.catalogue import Translator
from elcapitan.text.levels import level_name
from elcapitan.web.pages.setting_up import COLOURS, HUMAN
from elcapitan.web.viewer import viewer


@dataclass(frozen=True)
class Seated:
    """A merchant as the shelf shows it."""

    name: str
    colour: int  # of the palette
    kind: str  # the level of a computer player; nothing for people
    money: int


@dataclass(frozen=True)
class Shelved:
    """A game as the shelf shows it."""

    id: str
    title: str
    seats: tuple[Seated, ...]
    state: str  # where the game stands, in a few words
    waits: bool  # whether a person is to decide
    over: bool
    changed: datetime
    when: str


def tables(request: Request) -> Tables:
    """All tables of this house."""
    found: Tables = request.app.state.tables
    return found


async def shelf(request: Request) -> list[Shelved]:
    """All games, the latest first."""
    summaries = await tables(request).summaries()
    t = viewer(request).t
    return sorted((shelved(summary, t) for summary in summaries), key=lambda game: game.changed, reverse=True)


def shelved(summary: Summary, t: Translator) -> Shelved:
    """A game in the reader's language."""
    seats = tuple(
        Seated(
            name,
            seat.colour,
            "" if seat.player == HUMAN else level_name(seat.player, t),
            summary.money[number],
        )
        for number, (name, seat) in enumerate(zip(names(summary.plan, t), summary.plan.seats, strict=True))
    )
    return Shelved(
        id=summary.id,
        title=summary.plan.title,
        seats=seats,
        state=_state(summary, seats, t),
        waits=summary.waits_for_people,
        over=summary.over,
        changed=summary.changed,
        when=format_datetime(summary.changed.astimezone(), "short", locale=t.language),
    )


def names(plan: Plan, t: Translator) -> list[str]:
    """What the merchants of a table are called: by their colours if they have no names."""
    return [seat.name or t.template(COLOURS[seat.colour]) for seat in plan.seats]


def _state(summary: Summary, seats: tuple[Seated, ...], t: Translator) -> str:
    """Where a game stands."""
    if summary.over:
        most = max(seat.money for seat in seats)
        winners = [seat.name for seat in seats if seat.money == most]
        if len(winners) > 1:
            return t.text("Finished: {who} share the victory.", who=", ".join(winners))
        return t.text("Finished: {who} has won.", who=winners[0])
    where = t.text("Phase {phase}, round {round}", phase=summary.phase, round=summary.round)
    if summary.deciding is None:
        return where
    return t.text("{where}: it is the turn of {who}", where=where, who=seats[summary.deciding].name)
