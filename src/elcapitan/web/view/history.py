"""What has happened: the log grouped by turn, remarks about the table, the last turn's changes, and earlier moments."""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from elcapitan.actions.union import Sail
from elcapitan.board.figures import Figures
from elcapitan.engine.vocabulary import NOBODY, PIRATE
from elcapitan.game.game import Act, Game, Moment
from elcapitan.position.facts import CityFacts
from elcapitan.service import Table
from elcapitan.text.catalogue import Translator
from elcapitan.text.names import Names, level_name
from elcapitan.text.narration import CARDS, PAYDAY, Entry, LogNarrator
from elcapitan.web.view.cards_and_bank import CardView, card_view
from elcapitan.web.view.context import ViewContext
from elcapitan.web.view.merchants import may_go_back

MOST_TURNS: Final = 16  # shown beside the board; the replay has all of them
NEWS: Final = 4  # sentences that are read out
MOST_BOARDS: Final = 16  # boards in some language whose names of cards are kept


# -------------------------------------------------------------------------------------------------------------- remarks


@dataclass(frozen=True)
class Remark:
    """A sentence about the table, such as who stands in for whom."""

    number: int  # of its entry
    after: int  # how many events had happened
    seat: int | None  # whom it is about
    text: str


@dataclass
class _StandIns:
    """The stand-ins so far, while the log is read."""

    stand_ins: Sequence[str]
    late: Sequence[bool]  # whose time was out: they play again after that turn, without a remark


def remarks(context: ViewContext) -> list[Remark]:
    """Return all remarks of a game in order."""
    seats = _StandIns(("",) * context.players, (False,) * context.players)
    found = []
    if context.table.origin and context.table.origin[1] == 0:  # the deal of another game
        found.append(Remark(0, 1, None, context.t.text("A deal played before: the same cards come in the same order.")))
    for table_events in context.table.table_events:
        for seat, text in _sentences(context, table_events.kind, table_events.content, seats):
            found.append(Remark(table_events.number, table_events.after, seat, text))
    return found


def _sentences(
    context: ViewContext, kind: str, content: Mapping[str, Any], seats: _StandIns
) -> Iterator[tuple[int | None, str]]:
    """Return the sentences for one entry; most settings need none."""
    t = context.t
    if kind == "note":
        yield from _settings_sentences(context, content, seats)
        return
    seat = content["seat"]
    who = context.teller.merchant(seat)
    if kind == "wish":
        yield seat, t.text("{who} asks to go back.", who=who)
    elif kind == "answer":
        yield seat, t.text("{who} agrees.", who=who) if content["yes"] else t.text("{who} does not agree.", who=who)
    elif kind == "lapse":
        yield seat, t.text("Not everyone answered in time, so the game does not go back.")
    elif kind == "back":
        yield seat, t.text("The game went back to here, as {who} had asked.", who=who)


def _settings_sentences(
    context: ViewContext, content: Mapping[str, Any], seats: _StandIns
) -> Iterator[tuple[int | None, str]]:
    """Return the sentences for changed settings."""
    stand_ins = content.get("stand_ins", seats.stand_ins)
    nobody = (False,) * context.players
    late, free = content.get("late", nobody), content.get("free", nobody)
    for seat, (before, level) in enumerate(zip(seats.stand_ins, stand_ins, strict=True)):
        if level != before and (level or not seats.late[seat]):
            yield seat, _stand_in_sentence(context, seat, level, late=late[seat], free=free[seat])
    seats.stand_ins, seats.late = stand_ins, late
    if content.get("ended"):
        yield None, context.t.text("The host has ended this game.")
    if content.get("rematch"):
        yield None, context.t.text("The host has opened a rematch.")


def _stand_in_sentence(context: ViewContext, seat: int, level: str, *, late: bool, free: bool) -> str:
    """Say that a computer player stands in, or that the person plays again."""
    t, who = context.t, context.teller.merchant(seat)
    if not level:
        return t.text("{who} plays again.", who=who)
    if late:
        return t.text("{who} is out of time, so the computer ends the turn.", who=who)
    if free:
        return t.text("The seat of {who} is free; the computer plays until someone takes it.", who=who)
    return t.text("The computer plays for {who}: {level}.", who=who, level=level_name(level, t))


# -------------------------------------------------------------------------------------------------------------- journal


@dataclass(frozen=True)
class JournalLine:
    """A sentence of the log, with its cards to be drawn as chips; that of a payday links to its steps."""

    pieces: tuple[str | CardView, ...]
    payday: int | None = None


@dataclass(frozen=True)
class JournalTurn:
    """The sentences about one turn."""

    key: str  # what it is called on the page
    number: int  # of its first event
    last: int  # how many events had happened when it was over
    heading: str  # phase and round, where they begin
    name: str
    colour: int | None
    mine: bool  # done by the one who looks
    lines: tuple[JournalLine, ...]


@dataclass(frozen=True)
class Journal:
    """The log as it is shown beside the board."""

    turns: tuple[JournalTurn, ...]
    events: int  # how many have happened
    news: tuple[str, ...]  # the last sentences


def log_narrator(table: Table) -> LogNarrator:
    """Return the narrated log of a game; only new events have to be narrated."""
    return table.once("log", table.id, LogNarrator)


def journal(context: ViewContext, most: int | None = MOST_TURNS) -> Journal:
    """Return the log up to the moment that is shown."""
    events = len(context.moments)
    game = context.table.game
    at_hand = context.moments if context.live else None
    entries = [
        each for each in log_narrator(context.table).entries(game, context.teller, at_hand) if each.number < events
    ]
    groups = _grouped(entries)
    shown = groups if most is None else groups[-most:]
    first = shown[0][0].number if shown else 0
    beside = [remark for remark in remarks(context) if first <= remark.after <= events]
    news = [sentence for entry in entries[-NEWS:] for sentence in entry.sentences]
    news += [remark.text for remark in beside if remark.after == events]
    return Journal(tuple(_with_remarks(context, _turns(context, shown), beside)), events, tuple(news[-NEWS:]))


def _grouped(entries: list[Entry]) -> list[list[Entry]]:
    """Group entries by turn; cards turned up close a turn."""
    groups: list[list[Entry]] = []
    for entry in entries:
        if groups and (entry.kind == CARDS or _is_same_turn(groups[-1], entry)):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return groups


def _is_same_turn(group: list[Entry], entry: Entry) -> bool:
    """Whether an entry belongs to the same turn as a group."""
    return entry.seat == group[0].seat and entry.turn == group[0].turn and entry.kind != PAYDAY


def _turns(context: ViewContext, groups: list[list[Entry]]) -> list[JournalTurn]:
    """Return the groups as turns of the journal."""
    turns: list[JournalTurn] = []
    when: tuple[int, int] | None = None
    before = 0  # turns with the same number
    for group in groups:
        first = group[0]
        now = first.phase, max(first.round, 1)
        heading = "" if now == when else context.t.text("Phase {phase}, round {round}", phase=now[0], round=now[1])
        when = now
        lines = tuple(
            JournalLine(_pieces(context, sentence), entry.phase if entry.kind == PAYDAY else None)
            for entry in group
            for sentence in entry.sentences[: 1 if isinstance(entry.action, Sail) else None]  # arrivals are seen
        )
        # One event can end a turn and bring a payday.
        before = before + 1 if turns and turns[-1].number == first.number else 0
        key, last = f"turn-{first.number}" + f"-{before}" * bool(before), group[-1].number + 1
        turns.append(_journal_turn(context, key, first.seat, first.number, last, lines, heading))
    return turns


def _journal_turn(
    context: ViewContext,
    key: str,
    seat: int | None,
    number: int,
    last: int,
    lines: tuple[JournalLine, ...],
    heading: str = "",
) -> JournalTurn:
    """Return a turn of the journal, with name and colour of its seat, if it has one."""
    name, colour = ("", None) if seat is None else context.name_and_colour(seat)
    return JournalTurn(key, number, last, heading, name, colour, context.is_me(seat), lines)


def _pieces(context: ViewContext, sentence: str) -> tuple[str | CardView, ...]:
    """Split a sentence at the names of sailing cards, and return the cards in their place."""
    names, cards = _card_names(context.t, context.game.figures)
    return tuple(
        card_view(context, cards[piece]) if piece in cards else piece for piece in names.split(sentence) if piece
    )


@functools.lru_cache(maxsize=MOST_BOARDS)
def _card_names(t: Translator, figures: Figures) -> tuple[re.Pattern[str], Mapping[str, int]]:
    """Return a pattern that finds the names of cards in sentences, and the card of each name."""
    names = Names(t, figures)
    cards = {names.card(card): card for card in range(len(figures.cards))}
    return re.compile(f"({'|'.join(map(re.escape, cards))})"), cards


def _with_remarks(context: ViewContext, turns: list[JournalTurn], beside: list[Remark]) -> list[JournalTurn]:
    """Insert the remarks between the turns."""
    shown: list[JournalTurn] = []
    waiting = list(beside)
    for turn in turns:
        while waiting and waiting[0].after <= turn.number:
            shown.append(_remark_turn(context, waiting.pop(0)))
        shown.append(turn)
    return shown + [_remark_turn(context, remark) for remark in waiting]


def _remark_turn(context: ViewContext, remark: Remark) -> JournalTurn:
    """Return a remark as a turn of the journal."""
    key = f"remark-{remark.number}-{remark.seat}"
    return _journal_turn(context, key, remark.seat, remark.after, remark.after, (JournalLine((remark.text,)),))


# -------------------------------------------------------------------------------------------------------------- changes


@dataclass(frozen=True)
class Changes:
    """Places on the board where the last turn changed something."""

    sites: frozenset[tuple[int, int]] = frozenset()  # city and site with a new warehouse
    towers: frozenset[tuple[int, int]] = frozenset()  # city and site with a new fortress
    ships: frozenset[int] = frozenset()  # seats whose ship has moved
    pirate: bool = False

    def within(self, city: CityFacts) -> "Changes":
        """Return the changes in one city."""
        present = {slot.occupant for slot in city.harbours}
        return Changes(
            sites=frozenset(each for each in self.sites if each[0] == city.number),
            towers=frozenset(each for each in self.towers if each[0] == city.number),
            ships=self.ships & present,
            pirate=self.pirate and PIRATE in present,
        )


def changes(moments: Sequence[Moment]) -> Changes:
    """Return what the seat that acted last changed in its turn."""
    turn = _last_turn(moments)
    if not turn:
        return Changes()
    before, after = turn[0].before[0], turn[-1].after[0]
    sites = (after.site != before.site) & (after.site != NOBODY)
    towers = (after.fortress != before.fortress) & (after.fortress != NOBODY)
    moved = (after.ship_city != before.ship_city) | (after.ship_space != before.ship_space)
    return Changes(
        sites=frozenset((int(city), int(site)) for city, site in zip(*sites.nonzero(), strict=True)),
        towers=frozenset((int(city), int(site)) for city, site in zip(*towers.nonzero(), strict=True)),
        ships=frozenset(seat for seat in range(int(after.players)) if moved[seat]),
        pirate=int(after.pirate_city) != int(before.pirate_city),
    )


def _last_turn(moments: Sequence[Moment]) -> Sequence[Moment]:
    """Return the moments of the last turn in which a seat acted, with the cards turned up after it."""
    seat: int | None = None
    first = len(moments)
    for number in range(len(moments) - 1, -1, -1):
        event = moments[number].event
        if not isinstance(event, Act):
            if seat is not None:
                break
            continue
        if seat is not None and event.seat != seat:
            break
        seat, first = event.seat, number
    return moments[first:] if seat is not None else ()


# --------------------------------------------------------------------------------------------------------------- replay


@dataclass(frozen=True)
class Replay:
    """The moment of the game that is shown, and the moments one can go to."""

    at: int  # events so far
    last: int
    turns: tuple[int, ...]  # after which events a turn begins
    branch: bool  # whether one can try another move from here
    back: str  # whether one may "ask" to go back to here, or just go "back"
    told: str  # what has just happened

    @property
    def before(self) -> int:
        """The moment before this one."""
        return max(self.at - 1, 1)

    @property
    def after(self) -> int:
        """The moment after this one."""
        return min(self.at + 1, self.last)

    @property
    def turn_before(self) -> int:
        """The beginning of the turn, or of the one before."""
        return max((number for number in self.turns if number < self.at), default=1)

    @property
    def turn_after(self) -> int:
        """The beginning of the next turn."""
        return min((number for number in self.turns if number > self.at), default=self.last)


def game_at(game: Game, at: int) -> Game:
    """Return the game after `at` events; a voyage of the pirate is one event."""
    then = game.copy()
    if int(then.position.pirate_at) != NOBODY:
        then.take_back()  # a voyage that has not landed is no event yet
    then.take_back(max(0, len(then.events) - max(at, 1)))  # nothing can be seen before the deal
    return then


def replay(context: ViewContext, whole: Game, at: int) -> Replay:
    """Return the moment that is shown, among all of them."""
    events = whole.events
    turns = []
    seat: int | None = None
    for number, event in enumerate(events):
        if isinstance(event, Act):
            if event.seat != seat:
                turns.append(number)
            seat = event.seat
    now = min(max(at, 1), len(events))
    branch = context.game.seat is not None
    return Replay(now, len(events), tuple(turns), branch, may_go_back(context, now), _just_happened(context, now))


def sentences_before(context: ViewContext, at: int) -> str:
    """Return the last sentences before a moment."""
    entries = log_narrator(context.table).entries(context.table.game, context.teller)
    return next((" ".join(entry.sentences) for entry in reversed(entries) if entry.number < at), "")


def _just_happened(context: ViewContext, at: int) -> str:
    """Return the sentences for the event before a moment."""
    entries = log_narrator(context.table).entries(context.table.game, context.teller)
    return " ".join(sentence for entry in entries if entry.number == at - 1 for sentence in entry.sentences)
