"""What everything on the table is: a few sentences for each kind of thing, with the rule that says it."""

from dataclasses import dataclass
from typing import Final

from elcapitan.text.catalogue import Translator, _

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
    """What a kind of thing is, and the rule about it."""

    name: str
    text: str
    rule: str


def topics(t: Translator) -> list[Topic]:
    """All of them in the reader's language."""
    return [Topic(name, t.template(text), rule) for name, (text, rule) in TOPICS.items()]
