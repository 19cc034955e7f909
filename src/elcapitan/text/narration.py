"""The log of a game in sentences: turns with their effects, cards turned up, phases, paydays and the result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from elcapitan.actions import union as act
from elcapitan.engine.record import cached
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import CITY_NAMES, NAMING, OVER, SETTLING
from elcapitan.game.game import Act, Deal, Event, Game, Moment, Payday, Reveal
from elcapitan.game.history import turn_of
from elcapitan.position.facts import bits
from elcapitan.position.ledger import (
    Investment,
    LargestPayment,
    best_investment,
    best_investments,
    largest_payment,
    largest_payments,
)
from elcapitan.text.consequences import Teller
from elcapitan.text.names import Names
from elcapitan.text.payday import reasons_by_line, title


@dataclass(frozen=True)
class Narration:
    """The sentences about an action and its direct effects, and those about what followed, after a payday if any."""

    deeds: list[str]
    afterwards: list[str]


def narrate(teller: Teller, before: State, after: State, action: int) -> Narration:
    """Narrate an action of the deciding seat and everything that follows."""
    deeds = [teller.action(before, action), *teller.consequences(before, after, action)]
    return Narration(deeds, _afterwards(teller, before, after))


def part_of_turn(action: act.Action) -> Literal["way", "deed", "end"]:
    """Say whether an action only leads to the deed of a turn, is the deed, or ends the turn, which needs no words."""
    match action:
        case act.Buy() | act.Sail() | act.SailPirate():
            return "way"
        case act.Build() | act.Reopen() | act.BuildFortress() | act.TakeLoan() | act.Pass():
            return "deed"
        case act.MovePirateFree() | act.MovePirateForMoney() | act.LandPirate():
            return "deed"
        case act.Repay() | act.Extend() | act.NameStarter():
            return "deed"
        case act.End():
            return "end"
        case _:
            assert_never(action)


def narrate_briefly(teller: Teller, before: State, after: State, action: int, *, only_deeds: bool = False) -> Narration:
    """Narrate an action of a turn that people only watch, in one line and without arrivals and new cards."""
    what = act.decode(action, teller.figures)
    part = part_of_turn(what)
    untold = part == "end" or (only_deeds and part == "way")
    deeds = [] if untold else [teller.action(before, action)]
    if deeds and not isinstance(what, act.Sail):
        deeds = [" ".join((*deeds, *teller.consequences(before, after, action)))]
    return Narration(deeds, _followed(teller, before, after))


def _afterwards(teller: Teller, before: State, after: State) -> list[str]:
    """What follows once an action is done: loans settled, a new phase, cards turned up."""
    new = int(after.display) & ~int(before.display)
    return _followed(teller, before, after) + turned_up(teller, new)


def _followed(teller: Teller, before: State, after: State) -> list[str]:
    """Narrate what follows by itself, except cards turned up."""
    sentences: list[str] = []
    if int(after.stage) in (SETTLING, NAMING, OVER) or int(before.stage) == SETTLING:
        sentences += teller.settlements(before, after)
    if int(after.stage) == NAMING != int(before.stage):
        sentences += teller.money_check(after)
    if int(after.phase) > int(before.phase):
        sentences.append(
            teller.translator.text("Phase {phase} begins. Everyone gets new pieces.", phase=int(after.phase))
        )
    return sentences


def turned_up(teller: Teller, cards: int) -> list[str]:
    """Cards that have appeared on the display."""
    if not cards:
        return []
    names = ", ".join(teller.card(card) for card in bits(cards))
    return [teller.translator.text("New for sale: {cards}.", cards=names)]


def moment_told(teller: Teller, moment: Moment) -> Narration:
    """An action of a record, or the deal; cards turned up later are told with `turned_up`."""
    before, after = cached(moment.before), cached(moment.after)
    if not isinstance(moment.event, Act):
        return Narration(turned_up(teller, int(after.display) & ~int(before.display)), [])
    if len(moment.event.numbers) == 1:
        return narrate(teller, before, after, moment.event.numbers[0])
    return Narration([_voyage(teller, before, after, moment.event.numbers)], [])


def _voyage(teller: Teller, before: State, after: State, numbers: Sequence[int]) -> str:
    """Narrate a voyage of the pirate by several cards, or by one, with its landing."""
    legs, _berth = act.decode_voyage(numbers, teller.figures)
    return teller.translator.text(
        "{who} takes the pirate to {city}, harbour {harbour}, with {cards}.",
        who=teller.merchant(int(before.seat)),
        city=CITY_NAMES[int(after.pirate_city)],
        harbour=int(after.pirate_space) + 1,
        cards=", ".join(teller.card(leg.card) for leg in legs),
    )


def verdict(teller: Names, game: Game) -> str:
    """Who has won a game that is over."""
    winners = [teller.merchant(seat) for seat in game.winners]
    if len(winners) == 1:
        return teller.translator.text("{who} wins the game!", who=winners[0])
    return teller.translator.text("{who} share the victory!", who=", ".join(winners))


# ------------------------------------------------------------------------------------------------ the log of a game

# Kinds of entries.
DEAL, ACTION, CARDS, PAYDAY, AFTERWARDS, RESULT = "deal", "action", "cards", "payday", "afterwards", "result"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a game's log."""

    number: int  # of the event, from 0 as in `Game.events`; of several cards turned up that of the last
    kind: str  # one of the kinds above
    seat: int | None  # who did it
    sentences: tuple[str, ...]
    phase: int
    round: int
    turn: tuple[int, int, int, int]  # what tells one turn from every other
    cards: int = 0  # cards turned up, as bits
    paid: tuple[int, ...] = ()  # by seat, on a payday
    action: act.Action | None = None  # of several numbers the first


@dataclass
class NarratedLog:
    """The entries made so far in one language."""

    players: tuple[str, ...]
    events: list[Event] = field(default_factory=list)
    entries: list[list[Entry]] = field(default_factory=list)  # by event
    log: list[Entry] = field(default_factory=list)  # all of them


class LogNarrator:
    """The log of one game as it grows: only new events are narrated, and those taken back are dropped."""

    def __init__(self) -> None:
        self._narrated: dict[str, NarratedLog] = {}  # by language

    def entries(self, game: Game, teller: Teller, moments: Sequence[Moment] | None = None) -> list[Entry]:
        """Everything that has happened, the first thing first; `moments` are the game's, if they are at hand."""
        told = self._narrated.setdefault(teller.translator.language, NarratedLog(teller.players))
        if told.players != teller.players:
            told = self._narrated[teller.translator.language] = NarratedLog(teller.players)
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
    return LogNarrator().entries(game, teller)


def _in_common(told: Sequence[Event], events: Sequence[Event]) -> int:
    """Count the events with which both begin."""
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
    """Make the entries of one event."""
    before, event = cached(moment.before), moment.event
    blank = Entry(number, CARDS, None, (), int(before.phase), int(before.round_no), turn_of(before))
    if isinstance(event, Deal):
        yield replace(blank, kind=DEAL, sentences=(_dealt(teller, moment),))
        return
    if isinstance(event, Reveal):
        yield replace(blank, cards=1 << event.card)
        afterwards = _followed(teller, before, cached(moment.after))
    else:
        narration = moment_told(teller, moment)
        afterwards = narration.afterwards
        action = act.decode(event.numbers[0], teller.figures)
        if part_of_turn(action) != "end":
            yield replace(blank, kind=ACTION, seat=event.seat, sentences=tuple(narration.deeds), action=action)
    if moment.payday:
        paid = tuple(income.total for income in moment.payday.paid)
        yield replace(blank, kind=PAYDAY, sentences=(_paid(teller, moment.payday),), paid=paid)
    if afterwards:
        yield replace(blank, kind=AFTERWARDS, sentences=tuple(afterwards))


def _dealt(teller: Teller, moment: Moment) -> str:
    """Narrate the opening deal."""
    who = teller.merchant(int(moment.after[0].seat))
    return teller.translator.text("The first cards are for sale, and {who} begins.", who=who)


def _paid(teller: Teller, payday: Payday) -> str:
    """Say what a payday paid each seat."""
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
    """Add who won to the last entry of a log."""
    return replace(last, kind=RESULT, seat=None, sentences=(verdict(teller, game),), cards=0, paid=(), action=None)


# ------------------------------------------------------------------------------------------------- what decided a game


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """One of the things that decided a game."""

    title: str
    sentence: str
    figure: str  # how much it was
    seat: int
    at: int = 0  # how many events had happened, if there is a moment to look at
    payday: int = 0  # the number of the payday, if it happened on one


def turning_points(game: Game, teller: Teller) -> list[TurningPoint]:
    """Return what decided a finished game and can be read off it at once: a payment and an investment."""
    payment, investment = largest_payment(game), best_investment(game)
    found = [_payment(payment, teller)] if payment else []
    return [*found, _investment(investment, teller)] if investment else found


def another_point(game: Game, teller: Teller) -> TurningPoint | None:
    """Return what else decided a finished game, for one without a dear mistake: the next best investment or payment."""
    t = teller.translator
    if rest := best_investments(game)[1:]:
        return replace(_investment(rest[0], teller), title=t.text("Second-best investment"))
    if payments := largest_payments(game)[1:]:
        return replace(_payment(payments[0], teller), title=t.text("Second-largest payment"))
    return None


def _payment(found: LargestPayment, teller: Teller) -> TurningPoint:
    """Tell a large payment."""
    t, line = teller.translator, found.line
    assert line.seat is not None
    reason = reasons_by_line(found.step, teller)[found.place][0].text
    sentence = t.text(
        "Payday {number}, {what}: {reason}", number=found.payday, what=title(found.step, t), reason=reason
    )
    return TurningPoint(
        t.text("Largest payment"), sentence, f"+{line.amount}\N{NO-BREAK SPACE}ƒ", line.seat, payday=found.payday
    )


def _investment(found: Investment, teller: Teller) -> TurningPoint:
    """Tell a good investment."""
    t = teller.translator
    sentence = t.text(
        "{who} pays {spent} ƒ for buildings in {city} and earns {earned} ƒ there.",
        who=teller.merchant(found.seat),
        spent=found.spent,
        earned=found.earned,
        city=CITY_NAMES[found.city],
    )
    return TurningPoint(
        t.text("Best investment"), sentence, f"+{found.profit}\N{NO-BREAK SPACE}ƒ", found.seat, at=found.at
    )


def mistake_point(
    game: Game, teller: Teller, seat: int, turn: tuple[int, int], better: Sequence[int], chances: tuple[float, float]
) -> TurningPoint:
    """Tell a turn that cost much: when it began and how many events it had, and the actions of a better one.

    `chances` are those to win, with the better turn and with the one that was played.
    """
    at, events = turn
    t = teller.translator
    then = game.copy()
    then.take_back(game.event_count - at)
    numbers = [number for event in game.events[at : at + events] for number in getattr(event, "numbers", ())]
    for only_deeds in (True, False):
        played = _narrated(then, teller, numbers, only_deeds=only_deeds)
        instead = _narrated(then, teller, better, only_deeds=only_deeds)
        if played != instead:
            break
    sentence = t.text(
        "Phase {phase}, round {round}: {played} Better by the estimate of the strongest computer player: {better}",
        phase=then.phase,
        round=then.round,
        played=played,
        better=instead,
    )
    before, after = (round(100 * chance) for chance in chances)
    figure = t.text("chance to win {before} % → {after} %", before=before, after=after)
    return TurningPoint(t.text("Costliest mistake"), sentence, figure, seat, at=at)


def _narrated(before: Game, teller: Teller, numbers: Sequence[int], *, only_deeds: bool) -> str:
    """Tell the actions of a turn: what was done, or also the way to it."""
    game, told = before.copy(), []
    for number in numbers:
        part = part_of_turn(act.decode(number, game.figures))
        if part == "deed" or (part == "way" and not only_deeds):
            told.append(teller.action(game.position, number))
        if number not in game.legal():  # a card that the turn turns up is not known here
            break
        game.play(number)
    return " ".join(told)
