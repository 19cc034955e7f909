"""What decided a game, in words: the largest payment, the best investment, and the turn that cost most."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from elcapitan.actions import union as act
from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.game.game import Game
from elcapitan.position.turning_points import (
    Investment,
    LargestPayment,
    best_investment,
    best_investments,
    largest_payment,
    largest_payments,
)
from elcapitan.text.narration import part_of_turn
from elcapitan.text.payday import reasons_by_line, title
from elcapitan.text.telling import Teller


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


def mistake_told(
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
        played = _told(then, teller, numbers, only_deeds=only_deeds)
        instead = _told(then, teller, better, only_deeds=only_deeds)
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
    return TurningPoint(t.text("Dearest mistake"), sentence, figure, seat, at=at)


def _told(before: Game, teller: Teller, numbers: Sequence[int], *, only_deeds: bool) -> str:
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
