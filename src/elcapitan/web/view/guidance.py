"""The guided turn with its steps and a sentence for newcomers, and the help texts."""

from dataclasses import dataclass
from typing import Final

from elcapitan.engine.vocabulary import CITIES, CITY_NAMES, DONE, NAMING, SETTLING, UNDER_WAY
from elcapitan.text.catalogue import Translator, _
from elcapitan.web.view.context import ViewContext
from elcapitan.web.view.offers import Offer, Offers
from elcapitan.web.view.people import AWAY, presence

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
    if offered.staged:
        sentence = context.t.text("{action}: end the turn, or undo this.", action=offered.staged.words)
    return TurnView(tuple(_steps(context, offered)), sentence, thinking)


def _sentence(context: ViewContext) -> str:
    """Say what is to be decided; to the others only whose turn it is."""
    if context.live and context.table.plan.ended:
        return context.t.text("The host has ended this game.")
    seat = context.table.deciding if context.live else None
    if seat is not None and seat not in context.mine and context.table.human(seat):
        return _waiting(context, context.teller.merchant(seat), here=presence(context, seat) != AWAY)
    return context.teller.prompt(context.state) if context.game.dealt else ""


def _waiting(context: ViewContext, who: str, *, here: bool) -> str:
    """Say whose turn it is."""
    if here:
        return context.t.text("It is the turn of {who}.", who=who)
    return context.t.text("It is the turn of {who}, who is not at the table.", who=who)


def _steps(context: ViewContext, offered: Offers) -> list[TurnStep]:
    """Return the steps that this turn has."""
    stage, t = int(context.state.stage), context.t
    if context.game.seat is None:
        return []
    if stage == SETTLING and not offered.staged:
        return [TurnStep("settle", "coin", t.text("Pay back or extend loans"), NOW)]
    if stage == NAMING and not offered.staged:
        return [TurnStep("name", "helm", t.text("Name the starting player"), NOW)]
    if not context.acting:
        return []
    if offered.staged:
        return [TurnStep("build", "coin", offered.staged.words, PAST), _end(context, offered)]
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


# ----------------------------------------------------------------------------------------------------------------- help


TOPICS: Final = {
    "city": (
        _(
            "A city pays on every payday: first rank the number under the coin, second rank half of it. "
            "Choose it to see the cheapest ways there."
        ),
        "MAJ-02",
    ),
    "tile": (
        _("A city of the expansion: only sea routes lead here, and everybody present earns at least half."),
        "EXP-12",
    ),
    "site": (
        _(
            "A building site. Warehouses are placed one after another along the U; the number is what "
            "first rank earns when it is the next free space."
        ),
        "WARE-05",
    ),
    "dark": (_("A dark site: a warehouse placed here shuts down the front warehouse of the city."), "SHUT-01"),
    "triangle": (
        _("The triangle: with two or three merchants this is a dark site, with four or five an ordinary one."),
        "BOARD-09",
    ),
    "house": (
        _("An open warehouse. Most of them in a city is first rank; among equals the one nearer to S1 leads."),
        "MAJ-04",
    ),
    "front": (_("The front warehouse. The next one placed in this city shuts it down."), "SHUT-01"),
    "vacated": (_("A vacated site. It comes into use again once S12 is taken."), "SHUT-06"),
    "coin": (_("The coin lies on the space that pays now: this is what first rank earns."), "MAJ-02"),
    "last": (_("The last space. Nothing is built here; once S12 is taken, its number stays in force."), "MAJ-06"),
    "harbour": (
        _("A harbour. The number is what a warehouse costs from here; an arriving ship takes the first free one."),
        "SAIL-03",
    ),
    "pirate": (_("The pirate. Nobody can use the harbour where it lies."), "PIRATE-01"),
    "fortress": (_("A fortress earns half of the amount on every payday and can never be shut down."), "FORTPAY-01"),
    "closed": (
        _("Closed warehouses. Their owners may re-open them for nothing when their ship lies here."),
        "REOPEN-01",
    ),
    "pennant": (
        _("The pennant flies where most open warehouses stand: fortresses here earn the full amount."),
        "FORTPAY-02",
    ),
    "card": (
        _("A destination card: sail straight to its city, or use its seals as a sea route of so many steps."),
        "CARD-03",
    ),
    "link": (_("An interconnection card leads from one of its two cities to the other."), "CARD-06"),
    "deck": (_("Face-down cards and discards. The display is filled up when a turn is over."), "CARD-09"),
    "loan": (
        _(
            "A loan is a whole turn: the ship goes to the bank. It is paid back after a payday, or "
            "extended once at a higher price."
        ),
        "LOAN-08",
    ),
    "bank": (_("The bank harbour has room for every ship. A ship leaves it with a destination card."), "SAIL-08"),
    "chart": (
        _("Proliferation: each payday pays for the number of cities in which a merchant has an open warehouse."),
        "PROL-01",
    ),
    "bonus": (
        _("The first three merchants in nine cities take a bonus card. It is paid on the third payday."),
        "PROL-05",
    ),
    "merchant": (
        _(
            "A merchant with everything that is open to all: purse, debt, pieces to build, cards, and "
            "where the ship is."
        ),
        "SET-05",
    ),
    "purse": (_("Florins in the purse. Whoever has most after the third payday wins."), "END-05"),
    "debt": (_("What the loans cost if they are paid back now."), "LOAN-08"),
    "worth": (_("Net worth: cash less what the loans show. After a payday the poorest names who starts."), "AFTER-06"),
    "payday": (_("What a payday now would pay: for cities, for ranks and for fortresses."), "PAY-01"),
    "stock": (_("Pieces still to build. The phase ends with the round in which somebody has none left."), "PHASE-01"),
    "token": (_("El Capitán: this merchant starts every round of the phase."), "AFTER-07"),
    "turn": (
        _(
            "A turn: sail if you like, then place a warehouse, build a fortress or take a loan. Cards can "
            "be bought before and after."
        ),
        "TURN-03",
    ),
    "move_pirate": (_("Once in a turn the pirate can be moved, with cards or for money by the step."), "PIRATE-08"),
}


@dataclass(frozen=True)
class Topic:
    """A help text about one kind of thing, and its rule."""

    name: str
    text: str
    rule: str


def topics(t: Translator) -> list[Topic]:
    """Return all help texts in the reader's language."""
    return [Topic(name, t.template(text), rule) for name, (text, rule) in TOPICS.items()]
