"""The state of a table: the fold of its log. Game, settings, clocks and undo votes all follow from the entries.

A state is never changed: every entry makes a new one. Only the game in it, which would be slow to copy for each entry,
is copied once for several entries and then changed in place.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from elcapitan.board.figures import Figures
from elcapitan.engine.state import STATE
from elcapitan.errors import BadRecord, ElCapitanError
from elcapitan.game.game import RULES_VERSION
from elcapitan.game.history import Act, Event, Reveal
from elcapitan.game.setup import Setup
from elcapitan.service import log, table_settings
from elcapitan.service.clock import ClockState
from elcapitan.service.dealt_game import DealtGame
from elcapitan.service.log import Answer, Ask, Back, Hold, Lapse, LogEntry, Note, Prepare
from elcapitan.service.table import TableEvent, TableEvents, UndoVote
from elcapitan.service.table_settings import TableSettings
from elcapitan.store.game_store import GameRow, LogRow, Snapshot

SECRET: Final = ("webhook",)  # settings that only the host may see
VOTE_SECONDS: Final = 60  # seconds after which an undo vote without all answers lapses
# A snapshot of another layout cannot be compared with ours; then only the log is read.
FORM: Final = hashlib.sha256(repr(STATE.descr).encode()).hexdigest()[:16]
DAMAGED: Final = (ElCapitanError, KeyError, TypeError, ValueError)  # what a damaged entry raises


@dataclass(frozen=True, slots=True)
class OpenVote:
    """An undo vote that is open, as the log tells it."""

    seat: int
    at: int
    number: int  # of its entry: answers to an earlier vote do not count
    until: datetime  # when it lapses
    asked: frozenset[int] | None = None  # the seats that must agree; older logs do not tell
    holds: bool = True  # whether computer players wait for it: only for the first one of a seat after a move
    agreed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TableState:
    """A table after an entry of its log."""

    dealt: DealtGame = field(compare=False)
    settings: TableSettings
    number: int = 0  # of that entry
    moved: int = 0  # the last entry that changed the game: what was decided since is not stale
    moved_at: datetime | None = None  # when that was
    vote: OpenVote | None = None
    have_asked: frozenset[int] = frozenset()  # the seats that have asked to go back since that last move
    prepared: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # the next turns of seats that play later
    clocks: ClockState = field(default_factory=ClockState)
    table_events: TableEvents = field(default_factory=TableEvents)

    def after(self, what: LogEntry, at: datetime) -> "TableState":
        """Return the state after one more entry, which was applied to the game already."""
        number, dealt = self.number + 1, self.dealt
        refills = isinstance(what, Back) and (self.vote is None or self.vote.asked is None)  # an older log
        clocks = self.clocks.after(what, at, dealt.game, refills=refills)
        state = replace(self, number=number, clocks=clocks)
        match what:
            case Ask(seat, moment, asked):
                others = None if asked is None else frozenset(asked)
                until, holds = at + timedelta(seconds=VOTE_SECONDS), seat not in self.have_asked
                asked_for = OpenVote(seat, moment, number, until, others, holds)
                state = replace(state, vote=asked_for, have_asked=self.have_asked | {seat})
            case Answer(seat, yes):
                agreed = replace(self.vote, agreed=self.vote.agreed | {seat}) if self.vote and yes else None
                state = replace(state, vote=agreed)
            case Lapse():
                state = replace(state, vote=None)
            case Hold():
                pass
            case Prepare(seat, numbers):
                state = replace(state, prepared={**self.prepared, seat: numbers})
            case Note(changes):
                vote = None if _ends_vote(changes, self.vote) else self.vote
                settings = table_settings.applied(self.settings, changes)
                prepared = {seat: kept for seat, kept in self.prepared.items() if not settings.seats[seat].free}
                state = replace(state, vote=vote, settings=settings, prepared=prepared)
            case _:
                state = replace(state, moved=number, moved_at=at, vote=None, have_asked=frozenset())
                if isinstance(what, Act) and not dealt.turn:  # the turn for which it was prepared is over
                    state = replace(state, prepared={**self.prepared, what.seat: ()})
        if isinstance(what, Ask | Answer | Lapse | Back | Note):
            state = replace(state, table_events=self._earlier_events().and_then(_table_event(what, number, at, dealt)))
        return state

    def after_all(self, entries: Iterable[LogEntry], at: datetime) -> "TableState":
        """Return the state after several entries of one time, all applied to the game already."""
        state = self
        for what in entries:
            state = state.after(what, at)
        return state

    def _earlier_events(self) -> TableEvents:
        """Return the events of the table so far; if the game has gone back, its entries happened at the latest then.

        They are in order, so the last one tells whether any is later.
        """
        events = self.dealt.event_count
        if not self.table_events or self.table_events[-1].after <= events:
            return self.table_events
        return TableEvents(each if each.after <= events else replace(each, after=events) for each in self.table_events)

    # ------------------------------------------------------------------------------------------------ who decides

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.dealt.game.over or self.settings.ended

    @property
    def waiting(self) -> bool:
        """Whether people gather in the waiting room: the cards are shuffled, and dealt when the host starts."""
        return not self.dealt.game.dealt and self._playable

    @property
    def deciding_person(self) -> int | None:
        """The person who is to decide; None if none is."""
        seat = self.dealt.game.seat
        return seat if seat is not None and self._playable and self.settings.human(seat) else None

    @property
    def bot_to_move(self) -> str | None:
        """The computer player who is to decide; None if none is, or while it waits for an undo vote."""
        seat = self.dealt.game.seat
        if seat is None or not self._playable or self.settings.human(seat):
            return None
        return None if self.vote and self.vote.holds and self.undo_vote else self.settings.seats[seat].decides

    @property
    def _playable(self) -> bool:
        return not self.dealt.problem and not self.settings.ended

    @property
    def undo_vote(self) -> UndoVote | None:
        """The undo vote that is open, unless a computer player stands in for the seat that asked."""
        vote = self.vote
        if vote is None or not self.settings.human(vote.seat) or self.settings.ended:
            return None
        asked = self.must_be_asked(vote.seat, vote.at) if vote.asked is None else vote.asked
        return UndoVote(vote.seat, vote.at, vote.agreed & asked, asked - vote.agreed, self.vote_due)

    def undo_vote_at(self, now: datetime) -> UndoVote | None:
        """Return the undo vote that is open, unless its time is out."""
        return self.undo_vote if self.vote and now < self.vote.until else None

    def must_be_asked(self, seat: int, at: int) -> frozenset[int]:
        """Return the other persons who must agree if a seat goes back to when `at` events had happened."""
        since, acted = self.dealt.game.events[at:], self.dealt.acted_since(at)
        return must_agree(since, acted, persons_since(self.table_events, self.settings, at)) - {seat}

    @property
    def vote_due(self) -> datetime | None:
        """When the open undo vote lapses: after a while, or earlier with the clock of the running turn."""
        return min(self.vote.until, self.clocks.due or self.vote.until) if self.vote else None

    @property
    def due(self) -> datetime | None:
        """When a clock runs out or an undo vote lapses, whichever is first."""
        return self.vote_due or self.clocks.due  # a vote lapses no later than the clock

    # ------------------------------------------------------------------------------------------------ what is stored

    @property
    def standing(self) -> dict[str, Any]:
        """What the row of a game says for lists of games, and when a clock runs out or an undo vote lapses."""
        game, due = self.dealt.game, self.due
        told = {"phase": game.phase, "round": game.round, "seat": game.seat, "money": game.money}
        told |= {"waiting": True} if self.waiting else {}
        return {**told, "due": due.isoformat()} if due else told

    @property
    def snapshot(self) -> Snapshot | None:
        """The position, if a turn begins."""
        dealt = self.dealt
        return None if dealt.turn or dealt.undone else Snapshot(self.number, FORM, dealt.secret)


def _table_event(what: LogEntry, number: int, at: datetime, dealt: DealtGame) -> TableEvent:
    """Return what the journal shows of an entry."""
    kind, content = log.written(what, dealt.figures)
    return TableEvent(
        number, dealt.event_count, at, kind, {name: content[name] for name in content if name not in SECRET}
    )


def _ends_vote(changes: Mapping[str, Any], vote: OpenVote | None) -> bool:
    """Whether a change of settings ends an undo vote: the game ends, or a computer player stands in for its seat."""
    return bool(changes.get("ended") or (vote and changes.get("stand_ins") and changes["stand_ins"][vote.seat]))


def must_agree(since: Sequence[Event], acted: Collection[int], persons: frozenset[int]) -> frozenset[int]:
    """Return the persons who must agree if these events are taken back: all, if one of them turned a card up."""
    return persons if any(isinstance(event, Reveal) for event in since) else persons.intersection(acted)


def persons_since(table_events: Sequence[TableEvent], settings: TableSettings, at: int) -> frozenset[int]:
    """Return the seats of persons at a table, also of those for whom a computer player stands in.

    A seat whose person was removed since then counts: so removing a person is no way to go back without them. Until
    another person takes that seat, the vote cannot succeed.
    """
    removed: set[int] = set()
    free: Sequence[bool] = (False,) * len(settings.seats)
    stand_ins: Sequence[str] = ("",) * len(settings.seats)
    for each in table_events:
        before, free = free, each.content.get("free", free)
        stand_ins = each.content.get("stand_ins", stand_ins)
        if each.after > at:  # in a seat that was never taken, no computer player stands in
            freed = {seat for seat in settings.persons if free[seat] and not before[seat] and stand_ins[seat]}
            removed |= freed if "names" in each.content else set()  # whoever is removed loses the name too
    return frozenset(seat for seat in settings.persons if seat in removed or not settings.seats[seat].free)


# ------------------------------------------------------------------------------------------------------ reading a log


def replayed(row: GameRow, rows: Sequence[LogRow], snapshot: Snapshot | None, figures: Figures) -> TableState:
    """Fold a whole log. The settings come from its first entry and its notes, in older games from the row.

    If the log cannot be read to its end, or does not lead to the snapshot, `dealt.problem` says why: such a game can be
    looked at as far as it goes, but not played on. Then the settings are those of the row.
    """
    setup = table_settings.setup_from_json(row.setup)
    dealt = DealtGame(Setup.of(setup.players, setup.tiles, setup.first, setup.options), figures)
    stored = table_settings.from_json(row.plan, setup)
    if row.board != figures.name:
        dealt.problem = BadRecord("other-board", found=row.board, wanted=figures.name)
        return TableState(dealt, stored)
    first = _first_settings(rows, setup, stored)
    state = TableState(dealt, first or stored)
    for each in rows:
        try:
            state = _read(state, each)
        except DAMAGED as error:
            dealt.problem = dealt.problem or _damage(error, each)
            break
        if snapshot and each.number == snapshot.number and not _fits(dealt, snapshot):
            dealt.problem = dealt.problem or ElCapitanError("other-position")
    if row.rules != RULES_VERSION:
        dealt.problem = BadRecord("other-rules", found=row.rules, wanted=RULES_VERSION)
    return state if first and state.number == row.length else replace(state, settings=stored)


def without_secrets(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the settings that only the row of a game holds, so that they are gone when they are changed."""
    return {name: value for name, value in stored.items() if name not in SECRET}


def _first_settings(rows: Sequence[LogRow], setup: Setup, stored: TableSettings) -> TableSettings | None:
    """Read the settings with which a game began, secret ones from its row; None for an older game, or if damaged."""
    try:
        return replace(table_settings.from_json(rows[0].content[log.SETTINGS], setup), webhook=stored.webhook)
    except (*DAMAGED, IndexError):
        return None


def continued(state: TableState, rows: Sequence[LogRow]) -> TableState | None:
    """Fold more entries of a log; None if they cannot be read, so that the whole log must be read again."""
    state = replace(state, dealt=state.dealt.copy())
    try:
        for each in rows:
            state = _read(state, each)
    except DAMAGED:
        return None
    return state if state.dealt.problem is None else None


def _read(state: TableState, row: LogRow) -> TableState:
    """Apply one stored entry."""
    what = log.read(row.kind, row.content, state.dealt.figures)
    state.dealt.apply(what)
    return state.after(what, row.at)


def _damage(error: Exception, row: LogRow) -> ElCapitanError:
    """Say which entry cannot be read, and why."""
    known = error if isinstance(error, ElCapitanError) else BadRecord("not-an-event")
    return BadRecord.because(known, event=row.number)


def _fits(dealt: DealtGame, snapshot: Snapshot) -> bool:
    """Whether replaying the log gave the stored position."""
    return snapshot.form != FORM or snapshot.position == dealt.secret
