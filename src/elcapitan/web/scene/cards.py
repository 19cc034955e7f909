"""The sailing cards: on display, in hands, and how many are face down."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from elcapitan import look
from elcapitan.engine.vocabulary import (
    CITY_NAMES,
    DESTINATIONS,
    DISPLAYED_DESTINATIONS,
    DISPLAYED_LINKS,
)
from elcapitan.figures import Figures
from elcapitan.look import bits
from elcapitan.text.catalogue import Translator
from elcapitan.text.names import plainly
from elcapitan.web.scene.offers import Offer, Offers, Refused
from elcapitan.web.scene.sight import Sight
from elcapitan.web.scene.words import SEAL

MOST_KEPT: Final = 1024  # cards in every language, for some boards

# Where the nine cities are on the small map of a card.
MAP: Final = tuple((14.4 + 15.8 * (city % 3), 14.2 + 13.8 * (city // 3)) for city in range(9))


@dataclass(frozen=True)
class CardScene:
    """A sailing card."""

    card: int
    names: tuple[str, ...]
    seals: int
    price: int
    points: tuple[tuple[float, float], ...]
    label: str

    @property
    def link(self) -> bool:
        """Whether it is an interconnection card."""
        return self.card >= DESTINATIONS

    @property
    def short(self) -> str:
        """Its name on one line."""
        return "\N{EN DASH}".join(self.names)

    @property
    def wax(self) -> str:
        """Its seals as signs."""
        return SEAL * self.seals


@dataclass(frozen=True)
class ForSale:
    """A card on display: to be bought, or why not."""

    card: CardScene
    offer: Offer | None
    refused: Refused | None


@dataclass(frozen=True)
class InHand:
    """A card of one's own, and the voyages it can be used for."""

    card: CardScene
    sails: tuple[Offer, ...]
    pirate: tuple[Offer, ...]


@dataclass(frozen=True)
class Pile:
    """A display with its deck and its discards."""

    cards: tuple[ForSale, ...]
    gaps: int
    deck: int
    discards: int


def card_scene(sight: Sight, card: int) -> CardScene:
    """One card."""
    return _printed(sight.t, sight.game.figures, card)


@functools.lru_cache(maxsize=MOST_KEPT)
def _printed(t: Translator, figures: Figures, card: int) -> CardScene:
    """A card as it is printed."""
    (printed,) = look.card_looks([card], figures)
    cities, wax, price = printed.cities, printed.seals, printed.price
    names = tuple(CITY_NAMES[city] for city in cities)
    if len(names) == 1:
        label = t.plural(
            "Destination {city}, {number} seal, price {price}",
            "Destination {city}, {number} seals, price {price}",
            wax,
            city=names[0],
            price=price,
        )
    else:
        label = t.text("Interconnection {one} and {other}, price {price}", one=names[0], other=names[1], price=price)
    points = tuple((round(x, 1), round(y, 1)) for x, y in (MAP[city] for city in cities))
    return CardScene(card, names, wax, price, points, label)


def hand(sight: Sight, cards: Iterable[int]) -> tuple[CardScene, ...]:
    """The cards of a merchant."""
    return tuple(card_scene(sight, card) for card in cards)


def my_hand(sight: Sight, offered: Offers) -> tuple[InHand, ...]:
    """The cards of the one through whose eyes the table is seen."""
    cards = bits(plainly(sight.state.hand[sight.eyes]))
    return tuple(
        InHand(card_scene(sight, card), offered.sails.get(card, ()), offered.pirate_cards.get(card, ()))
        for card in cards
    )


def display(sight: Sight, offered: Offers) -> tuple[Pile, Pile]:
    """Destination cards and interconnection cards."""
    state, figures = sight.state, sight.game.figures
    destinations, links = (
        Pile(
            cards=tuple(
                ForSale(card_scene(sight, each.card), offered.buys.get(each.card), offered.unsold.get(each.card))
                for each in shown
            ),
            gaps=max(0, room - len(shown)),
            deck=deck,
            discards=len(gone),
        )
        for room, shown, deck, gone in zip(
            (DISPLAYED_DESTINATIONS, DISPLAYED_LINKS),
            look.display(state, figures),
            look.decks(state),
            look.discards(state, figures),
            strict=True,
        )
    )
    return destinations, links
