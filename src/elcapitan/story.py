"""What has happened, told in sentences: a single action with all that comes of it, and whole games."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from elcapitan.engine.actions import PIRATE_LAND, PIRATE_SAIL, berthing_space, family
from elcapitan.engine.record import cached
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import CITY_NAMES, NAMING, OVER, SETTLING
from elcapitan.game import Act, Deal, Event, Game, Moment, Payday, Reveal
from elcapitan.history import turn_of
from elcapitan.look import bits
from elcapitan.text.names import Names, card_of, interpreted, plainly
from elcapitan.text.telling import Teller

UNTOLD: Final = ("end",)  # what needs no words when people only watch
ON_THE_WAY: Final = ("buy", "sail", "pirate_sail", *UNTOLD)  # what only leads to the deed of a turn


@dataclass(frozen=True)
class Story:
    """What somebody did with what came of it at once, and what followed by itself, after the payday if one was held."""

    deeds: list[str]
    afterwards: list[str]


def told(teller: Teller, before: State, after: State, action: int) -> Story:
    """An action of the deciding seat and everything that follows."""
    deeds = [teller.action(before, action), *teller.consequences(before, after, action)]
    return Story(deeds, _afterwards(teller, before, after))


def told_briefly(teller: Teller, before: State, after: State, action: int, untold: Sequence[str] = UNTOLD) -> Story:
    """The same for a turn that people only watch: one line for what is done, without arrivals and new cards."""
    what = family(action)
    deeds = [] if what in untold else [teller.action(before, action)]
    if deeds and what != "sail":
        deeds = [" ".join((*deeds, *teller.consequences(before, after, action)))]
    return Story(deeds, _followed(teller, before, after))


def _afterwards(teller: Teller, before: State, after: State) -> list[str]:
    """What follows once an action is done: loans settled, a new phase, cards turned up."""
    new = plainly(after.display) & ~plainly(before.display)
    return _followed(teller, before, after) + turned_up(teller, new)


def _followed(teller: Teller, before: State, after: State) -> list[str]:
    """What follows by itself but for cards turned up."""
    sentences: list[str] = []
    if plainly(after.stage) in (SETTLING, NAMING, OVER) or plainly(before.stage) == SETTLING:
        sentences += teller.settlements(before, after)
    if plainly(after.phase) > plainly(before.phase):
        sentences.append(teller.translator.text("Phase {phase} begins, with new pieces.", phase=plainly(after.phase)))
    return sentences


def turned_up(teller: Teller, cards: int) -> list[str]:
    """Cards that have appeared on the display."""
    if not cards:
        return []
    names = ", ".join(teller.card(card) for card in bits(cards))
    return [teller.translator.text("New for sale: {cards}.", cards=names)]


def moment_told(teller: Teller, moment: Moment) -> Story:
    """An action of a record, or the deal; cards turned up later are told with `turned_up`."""
    before, after = cached(moment.before), cached(moment.after)
    if not isinstance(moment.event, Act):
        return Story(turned_up(teller, plainly(after.display) & ~plainly(before.display)), [])
    if len(moment.event.numbers) == 1:
        return told(teller, before, after, moment.event.numbers[0])
    return Story([_voyage(teller, before, after, moment.event)], [])


def _voyage(teller: Teller, before: State, after: State, act: Act) -> str:
    """A voyage of the pirate by several cards, or by one, with its landing."""
    cards = [teller.card(card_of(number - PIRATE_SAIL)) for number in act.numbers[:-1]]
    return teller.translator.text(
        "{who} takes the pirate to {city}, harbour {harbour}, with {cards}.",
        who=teller.merchant(plainly(before.seat)),
        city=CITY_NAMES[plainly(after.pirate_city)],
        harbour=interpreted(berthing_space)(act.numbers[-1] - PIRATE_LAND) + 1,
        cards=", ".join(cards),
    )


def verdict(teller: Names, game: Game) -> str:
    """Who has won a game that is over."""
    winners = [teller.merchant(seat) for seat in game.winners]
    if len(winners) == 1:
        return teller.translator.text("{who} wins the game!", who=winners[0])
    return teller.translator.text("{who} share the victory!", who=", ".join(winners))


# ------------------------------------------------------------------------------------------------ the log of a game

DEAL, CARDS, PAYDAY, AFTERWARDS, RESULT = "deal", "cards", "payday", "afterwards", "result"  # kinds besides families


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a game's log."""

    number: int  # of the event, from 0 as in `Game.events`; of several cards turned up that of the last
    kind: str  # the family of an action, or one of the kinds above
    seat: int | None  # whose doing it is
    sentences: tuple[str, ...]
    phase: int
    round: int
    turn: tuple[int, int, int, int]  # what tells one turn from every other
    cards: int = 0  # cards turned up, as bits
    paid: tuple[int, ...] = ()  # by seat, on a payday


@dataclass
class Told:
    """What has been told in one language."""

    players: tuple[str, ...]
    events: list[Event] = field(default_factory=list)
    entries: list[list[Entry]] = field(default_factory=list)  # by event
    log: list[Entry] = field(default_factory=list)  # all of them


class Chronicle:
    """The log of one game as it grows: only what is new is told, and what was taken back is forgotten."""

    def __init__(self) -> None:
        self._told: dict[str, Told] = {}  # by language

    def entries(self, game: Game, teller: Teller, moments: Sequence[Moment] | None = None) -> list[Entry]:
        """Everything that has happened, the first thing first; `moments` are the game's, if they are at hand."""
        told = self._told.setdefault(teller.translator.language, Told(teller.players))
        if told.players != teller.players:
            told = self._told[teller.translator.language] = Told(teller.players)
        moments = list(game.history()) if moments is None else moments
        known = _in_common(told.events, [moment.event for moment in moments])
        if known == len(moments) == len(told.events):
            return list(told.log)
        del told.events[known:], told.entries[known:]
        for number, moment in enumerate(moments[known:], start=known):
            told.events.append(moment.event)
            told.entries.append(list(_entries(teller, number, moment)))
        begin = _begin_of_cards(told.entries, known)
        while told.log and told.log[-1].number >= begin:
            told.log.pop()
        told.log += _merged(teller, (entry for each in told.entries[begin:] for entry in each))
        if game.over:
            told.log.append(_result(teller, game, told.log[-1]))
        return list(told.log)


def entries(game: Game, teller: Teller) -> list[Entry]:
    """The log of a game, the first thing first."""
    return Chronicle().entries(game, teller)


def _in_common(told: Sequence[Event], events: Sequence[Event]) -> int:
    """With how many events both begin."""
    for number, (one, other) in enumerate(zip(told, events, strict=False)):
        if one != other:
            return number
    return min(len(told), len(events))


def _begin_of_cards(entries: Sequence[list[Entry]], event: int) -> int:
    """Where cards turned up just before an event begin: more cards would be told in the same sentence."""
    while event > 0 and (not entries[event - 1] or entries[event - 1][-1].kind == CARDS):
        event -= 1
    return event


def _entries(teller: Teller, number: int, moment: Moment) -> Iterator[Entry]:
    """What there is to tell about an event."""
    before, event = cached(moment.before), moment.event
    blank = Entry(number, CARDS, None, (), plainly(before.phase), plainly(before.round_no), turn_of(before))
    if isinstance(event, Deal):
        yield replace(blank, kind=DEAL, sentences=(_dealt(teller, moment),))
        return
    if isinstance(event, Reveal):
        yield replace(blank, cards=1 << event.card)
        afterwards = _followed(teller, before, cached(moment.after))
    else:
        story = moment_told(teller, moment)
        afterwards, kind = story.afterwards, family(event.numbers[0])
        if kind not in UNTOLD:
            yield replace(blank, kind=kind, seat=event.seat, sentences=tuple(story.deeds))
    if moment.payday:
        paid = tuple(income.total for income in moment.payday.paid)
        yield replace(blank, kind=PAYDAY, sentences=(_paid(teller, moment.payday),), paid=paid)
    if afterwards:
        yield replace(blank, kind=AFTERWARDS, sentences=tuple(afterwards))


def _dealt(teller: Teller, moment: Moment) -> str:
    """The beginning."""
    who = teller.merchant(plainly(moment.after[0].seat))
    return teller.translator.text("The first cards are for sale, and {who} begins.", who=who)


def _paid(teller: Teller, payday: Payday) -> str:
    """What a payday paid everybody."""
    payments = (
        teller.translator.text("{who} {amount}", who=teller.merchant(income.seat), amount=income.total)
        for income in payday.paid
    )
    return teller.translator.text("Payday {number}: {payments}.", number=payday.number, payments=", ".join(payments))


def _merged(teller: Teller, entries: Iterator[Entry]) -> Iterator[Entry]:
    """The entries with cards that were turned up one after another in one of them, and in one sentence."""
    waiting: Entry | None = None
    for entry in entries:
        if entry.kind == CARDS:
            waiting = replace(entry, cards=entry.cards | (waiting.cards if waiting else 0))
            continue
        if waiting:
            yield replace(waiting, sentences=tuple(turned_up(teller, waiting.cards)))
            waiting = None
        yield entry
    if waiting:
        yield replace(waiting, sentences=tuple(turned_up(teller, waiting.cards)))


def _result(teller: Teller, game: Game, last: Entry) -> Entry:
    """How it ended."""
    return replace(last, kind=RESULT, seat=None, sentences=(verdict(teller, game),), cards=0, paid=())
