"""The steps of the running turn, and a sentence that says what is to be decided."""

from dataclasses import dataclass

from elcapitan.engine.vocabulary import CITIES, CITY_NAMES, DONE, NAMING, SETTLING, UNDER_WAY
from elcapitan.web.view.context import ViewContext
from elcapitan.web.view.merchants import AWAY, presence
from elcapitan.web.view.offers import Offer, Offers

PAST, NOW, OPEN, OFF = "done", "now", "open", "off"


@dataclass(frozen=True)
class TurnStep:
    """One step of a turn."""

    name: str
    icon: str
    words: str
    state: str  # done, now, open or off
    offer: Offer | None = None  # for a step that is a button


@dataclass(frozen=True)
class TurnView:
    """The steps of the running turn and what is to be decided."""

    steps: tuple[TurnStep, ...]
    sentence: str
    thinking: str  # who is being waited for, or nothing


def turn(context: ViewContext, offered: Offers) -> TurnView:
    """Return the steps of the running turn."""
    thinking = ""
    seat = context.game.seat
    if seat is not None and context.table.thinking:
        thinking = context.t.text("{who} is thinking", who=context.teller.merchant(seat))
    sentence = _sentence(context)
    if offered.held:
        sentence = context.t.text("{action}: end the turn, or undo this.", action=offered.held.words)
    return TurnView(tuple(_steps(context, offered)), sentence, thinking)


def _sentence(context: ViewContext) -> str:
    """Say what is to be decided; to the others only whose turn it is."""
    if context.live and context.table.settings.ended:
        return context.t.text("The host has ended this game.")
    seat = context.table.deciding if context.live else None
    if seat is not None and seat not in context.mine and context.table.human(seat):
        return _waiting(context, context.teller.merchant(seat), here=presence(context, seat) != AWAY)
    return context.teller.prompt(context.state) if context.game.dealt else ""


def _waiting(context: ViewContext, who: str, *, here: bool) -> str:
    """Say whose turn it is."""
    if here:
        return context.t.text("{who}'s turn", who=who)
    return context.t.text("{who}'s turn, but not at the table", who=who)


def _steps(context: ViewContext, offered: Offers) -> list[TurnStep]:
    """Return the steps that this turn has."""
    stage, t = int(context.state.stage), context.t
    if context.game.seat is None:
        return []
    if stage == SETTLING and not offered.held:
        return [TurnStep("settle", "coin", t.text("Repay or extend loans"), NOW)]
    if stage == NAMING and not offered.held:
        return [TurnStep("name", "helm", t.text("Name the starting player"), NOW)]
    if not context.acting:
        return []
    if offered.held:
        return [TurnStep("build", "coin", offered.held.words, PAST), _end(context, offered)]
    steps = [_sail(context, offered, stage), _build(context, offered, stage)]
    if offered.free_pirate or offered.landings:
        steps.append(
            TurnStep("pirate", "sail", t.text("Move the pirate"), NOW if stage == DONE or offered.landings else OPEN)
        )
    return [*steps, _buy(context, offered), _end(context, offered)]


def _sail(context: ViewContext, offered: Offers, stage: int) -> TurnStep:
    """Return the step of sailing, or of sailing on."""
    t = context.t
    if stage == DONE:
        return TurnStep("sail", "sail", t.text("Sail"), PAST)
    if stage == UNDER_WAY and offered.builds:
        return TurnStep("sail", "sail", t.text("Sailed"), PAST)
    if not (offered.sails or offered.buys):
        return TurnStep("sail", "sail", t.text("Sail"), OFF)
    if stage == UNDER_WAY:
        return TurnStep("sail", "sail", t.text("Sail on"), NOW)
    return TurnStep("sail", "sail", t.text("Sail?") if offered.builds else t.text("Sail"), NOW)


def _build(context: ViewContext, offered: Offers, stage: int) -> TurnStep:
    """Return the step of building or borrowing."""
    t = context.t
    place = context.anchored
    words = t.text("Build in {city}", city=CITY_NAMES[place]) if place < CITIES else t.text("Build")
    if offered.loans:
        words = t.text("Build or borrow")
    if stage == DONE:
        return TurnStep("build", "house", t.text("Built"), PAST)
    if not (offered.builds or offered.loans):
        return TurnStep("build", "house", words, OFF)
    first = stage == UNDER_WAY or not (offered.sails or offered.buys)
    return TurnStep("build", "house", words, NOW if first else OPEN)


def _buy(context: ViewContext, offered: Offers) -> TurnStep:
    """Return the step of buying cards."""
    return TurnStep("buy", "card", context.t.text("Buy cards"), OPEN if offered.buys else OFF)


def _end(context: ViewContext, offered: Offers) -> TurnStep:
    """Return the step that ends the turn, which is a button."""
    if offered.passing:
        return TurnStep("end", "flag", offered.passing.words, NOW, offered.passing)
    return TurnStep("end", "flag", context.t.text("End the turn"), NOW if offered.end else OFF, offered.end)
