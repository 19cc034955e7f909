"""What has happened, told in sentences: a single action with all that comes of it, and whole records."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.cli.table.look import bits
from elcapitan.engine.actions import PIRATE_LAND, PIRATE_SAIL, berthing_space, family
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import CITY_NAMES, NAMING, OVER, SETTLING
from elcapitan.game import Act, Moment
from elcapitan.text.names import card_of, interpreted, plainly
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
    before, after = moment.before[0], moment.after[0]
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
