"""The log of a game as it is shown: grouped by turn, the latest last."""

from dataclasses import dataclass
from typing import Final

from elcapitan.service import Table
from elcapitan.story import CARDS, PAYDAY, Chronicle, Entry
from elcapitan.web.scene.remarks import Remark, remarks
from elcapitan.web.scene.sight import Sight

MOST_TURNS: Final = 16  # shown beside the board; the replay has all of them
NEWS: Final = 4  # sentences that are read out


@dataclass(frozen=True)
class Line:
    """A sentence of the log; a payday has more to show."""

    text: str
    payday: int | None = None


@dataclass(frozen=True)
class JournalTurn:
    """What happened in one turn."""

    key: str  # what it is called on the page
    number: int  # of its first event
    last: int  # how many events had happened when it was over
    heading: str  # phase and round, where they begin
    name: str
    colour: int | None
    mine: bool  # done by the one who looks
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Journal:
    """The log."""

    turns: tuple[JournalTurn, ...]
    events: int  # how many have happened
    news: tuple[str, ...]  # the last sentences


def chronicle(table: Table) -> Chronicle:
    """The log of a game, of which only what is new has to be told."""
    return table.once("log", table.id, Chronicle)


def journal(sight: Sight, most: int | None = MOST_TURNS) -> Journal:
    """The log up to the moment that is shown."""
    events = len(sight.moments)
    game = sight.table.game
    at_hand = sight.moments if sight.live else None
    entries = [each for each in chronicle(sight.table).entries(game, sight.teller, at_hand) if each.number < events]
    groups = _grouped(entries)
    shown = groups if most is None else groups[-most:]
    first = shown[0][0].number if shown else 0
    beside = [remark for remark in remarks(sight) if first <= remark.after <= events]
    news = [sentence for entry in entries[-NEWS:] for sentence in entry.sentences]
    news += [remark.text for remark in beside if remark.after == events]
    return Journal(tuple(_with_remarks(sight, _turns(sight, shown), beside)), events, tuple(news[-NEWS:]))


def _grouped(entries: list[Entry]) -> list[list[Entry]]:
    """Entries that belong to the same doing of somebody; cards turned up close a turn."""
    groups: list[list[Entry]] = []
    for entry in entries:
        if groups and (entry.kind == CARDS or _belongs(groups[-1], entry)):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return groups


def _belongs(group: list[Entry], entry: Entry) -> bool:
    """Whether an entry goes on with what somebody began."""
    return entry.seat == group[0].seat and entry.turn == group[0].turn and entry.kind != PAYDAY


def _turns(sight: Sight, groups: list[list[Entry]]) -> list[JournalTurn]:
    """The groups as they are shown."""
    turns: list[JournalTurn] = []
    when: tuple[int, int] | None = None
    for group in groups:
        first = group[0]
        now = first.phase, max(first.round, 1)
        heading = "" if now == when else sight.t.text("Phase {phase}, round {round}", phase=now[0], round=now[1])
        when = now
        lines = tuple(
            Line(sentence, entry.phase if entry.kind == PAYDAY else None)
            for entry in group
            for sentence in entry.sentences[
                : 1 if entry.kind == "sail" else None
            ]  # where one arrives is seen on the board
        )
        seat = first.seat
        turns.append(
            JournalTurn(
                key=f"turn-{first.number}",
                number=first.number,
                last=group[-1].number + 1,
                heading=heading,
                name="" if seat is None else sight.teller.merchant(seat),
                colour=None if seat is None else sight.palette(seat),
                mine=sight.is_me(seat),
                lines=lines,
            )
        )
    return turns


def _with_remarks(sight: Sight, turns: list[JournalTurn], beside: list[Remark]) -> list[JournalTurn]:
    """The turns with what happened between them."""
    shown: list[JournalTurn] = []
    waiting = list(beside)
    for turn in turns:
        while waiting and waiting[0].after <= turn.number:
            shown.append(_beside(sight, waiting.pop(0)))
        shown.append(turn)
    return shown + [_beside(sight, remark) for remark in waiting]


def _beside(sight: Sight, remark: Remark) -> JournalTurn:
    """A sentence about the table."""
    return JournalTurn(
        key=f"remark-{remark.number}-{remark.seat}",
        number=remark.after,
        last=remark.after,
        heading="",
        name="" if remark.seat is None else sight.teller.merchant(remark.seat),
        colour=None if remark.seat is None else sight.palette(remark.seat),
        mine=sight.is_me(remark.seat),
        lines=(Line(remark.text),),
    )
