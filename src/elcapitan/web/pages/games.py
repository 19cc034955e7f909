"""The tables of this house, and the shelf of games to go on with."""

from dataclasses import dataclass
from datetime import datetime

from babel.dates import format_datetime
from fastapi import Request

from elcapitan.service import Plan, Summary
from elcapitan.service.access import Rights, rights_of
from elcapitan.text.catalogue import Translator
from elcapitan.text.levels import level_name
from elcapitan.web.access import needs_no_key, roles, tables
from elcapitan.web.pages.setting_up import COLOURS
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
    waits: bool  # whether whoever asks is to decide
    host: bool  # whether they may throw it away
    over: bool
    changed: datetime
    when: str


async def shelf(request: Request) -> list[Shelved]:
    """The caller's games, the latest first: those they have keys for, or all where no key is needed."""
    held, everything = await roles(request), needs_no_key(request)
    games = []
    for summary in await tables(request).summaries(None if everything else set(held)):
        rights = rights_of(held.get(summary.id, ()), summary.plan)
        if rights is None and everything:
            rights = Rights(host=True, seats=summary.plan.persons)
        if rights is not None:
            games.append(shelved(summary, viewer(request).t, rights))
    return sorted(games, key=lambda game: game.changed, reverse=True)


def shelved(summary: Summary, t: Translator, rights: Rights) -> Shelved:
    """A game in the reader's language."""
    seats = tuple(
        Seated(
            name,
            seat.colour,
            "" if seat.person else level_name(seat.player, t),
            summary.money[number],
        )
        for number, (name, seat) in enumerate(zip(names(summary.plan, t), summary.plan.seats, strict=True))
    )
    return Shelved(
        id=summary.id,
        title=summary.plan.title,
        seats=seats,
        state=_state(summary, seats, t),
        waits=summary.waits_for_people and summary.deciding in rights.seats,
        host=rights.host,
        over=summary.over or summary.plan.ended,
        changed=summary.changed,
        when=format_datetime(summary.changed.astimezone(), "short", locale=t.language),
    )


def names(plan: Plan, t: Translator) -> list[str]:
    """What the merchants of a table are called: by their colours if they have no names."""
    return [seat.name or t.template(COLOURS[seat.colour]) for seat in plan.seats]


def _state(summary: Summary, seats: tuple[Seated, ...], t: Translator) -> str:
    """Where a game stands."""
    if summary.plan.ended and not summary.over:
        return t.text("The host has ended this game.")
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
