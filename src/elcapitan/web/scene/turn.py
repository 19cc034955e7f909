"""The guided turn: its steps, which of them is on, and a sentence that helps on."""

from dataclasses import dataclass

from elcapitan.engine.vocabulary import CITIES, CITY_NAMES, DONE, NAMING, SETTLING, UNDER_WAY
from elcapitan.text.names import plainly
from elcapitan.web.scene.company import AWAY, presence
from elcapitan.web.scene.offers import Offer, Offers
from elcapitan.web.scene.sight import Sight

PAST, NOW, OPEN, OFF = "done", "now", "open", "off"


@dataclass(frozen=True)
class Step:
    """One step of a turn."""

    name: str
    icon: str
    words: str
    state: str  # done, now, open or off
    offer: Offer | None = None  # for a step that is a button


@dataclass(frozen=True)
class TurnScene:
    """What is to be decided now."""

    steps: tuple[Step, ...]
    sentence: str
    thinking: str  # who is being waited for, or nothing


def turn(sight: Sight, offered: Offers, *, live: bool = True) -> TurnScene:
    """The steps of the running turn."""
    thinking = ""
    seat = sight.game.seat
    if seat is not None and sight.table.thinking:
        thinking = sight.t.text("{who} is thinking", who=sight.teller.merchant(seat))
    return TurnScene(tuple(_steps(sight, offered)), _sentence(sight, live=live), thinking)


def _sentence(sight: Sight, *, live: bool) -> str:
    """What is to be decided, in a sentence for newcomers; for others only whose turn it is."""
    if live and sight.table.plan.ended:
        return sight.t.text("The host has ended this game.")
    seat = sight.table.deciding if live else None
    if seat is not None and seat not in sight.mine and sight.table.human(seat):
        return _waiting(sight, sight.teller.merchant(seat), here=presence(sight, seat) != AWAY)
    return sight.teller.prompt(sight.state) if sight.game.dealt else ""


def _waiting(sight: Sight, who: str, *, here: bool) -> str:
    """Who is being waited for."""
    if here:
        return sight.t.text("It is the turn of {who}.", who=who)
    return sight.t.text("It is the turn of {who}, who is not at the table.", who=who)


def _steps(sight: Sight, offered: Offers) -> list[Step]:
    """The steps as far as there are any."""
    stage, t = plainly(sight.state.stage), sight.t
    if sight.game.seat is None:
        return []
    if stage == SETTLING:
        return [Step("settle", "coin", t.text("Pay back or extend loans"), NOW)]
    if stage == NAMING:
        return [Step("name", "helm", t.text("Name the starting player"), NOW)]
    if not sight.acting:
        return []
    steps = [_sail(sight, offered, stage), _build(sight, offered, stage)]
    if offered.free_pirate or offered.landings:
        steps.append(
            Step("pirate", "sail", t.text("Move the pirate"), NOW if stage == DONE or offered.landings else OPEN)
        )
    return [*steps, _buy(sight, offered), _end(sight, offered)]


def _sail(sight: Sight, offered: Offers, stage: int) -> Step:
    """Whether to sail, or to sail on."""
    t = sight.t
    if stage == DONE:
        return Step("sail", "sail", t.text("Sail"), PAST)
    if stage == UNDER_WAY and offered.builds:
        return Step("sail", "sail", t.text("Sailed"), PAST)
    if not (offered.sails or offered.buys):
        return Step("sail", "sail", t.text("Sail"), OFF)
    if stage == UNDER_WAY:
        return Step("sail", "sail", t.text("Sail on"), NOW)
    return Step("sail", "sail", t.text("Sail?") if offered.builds else t.text("Sail"), NOW)


def _build(sight: Sight, offered: Offers, stage: int) -> Step:
    """The main action of a turn."""
    t = sight.t
    place = plainly(sight.state.ship_city[plainly(sight.state.seat)])
    words = t.text("Build in {city}", city=CITY_NAMES[place]) if place < CITIES else t.text("Build")
    if offered.loans:
        words = t.text("Build or borrow")
    if stage == DONE:
        return Step("build", "house", t.text("Built"), PAST)
    if not (offered.builds or offered.loans):
        return Step("build", "house", words, OFF)
    first = stage == UNDER_WAY or not (offered.sails or offered.buys)
    return Step("build", "house", words, NOW if first else OPEN)


def _buy(sight: Sight, offered: Offers) -> Step:
    """Cards for later, or for now."""
    return Step("buy", "card", sight.t.text("Buy cards"), OPEN if offered.buys else OFF)


def _end(sight: Sight, offered: Offers) -> Step:
    """The end of a turn is a button."""
    if offered.passing:
        return Step("end", "flag", offered.passing.words, NOW, offered.passing)
    return Step("end", "flag", sight.t.text("End the turn"), NOW if offered.end else OFF, offered.end)
