"""Sailing cards, the bank, the proliferation chart and the bonus cards."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from elcapitan.board.figures import Figures
from elcapitan.engine.vocabulary import (
    BANK,
    CITIES_FOR_BONUS,
    CITY_NAMES,
    DESTINATIONS,
    DISPLAYED_DESTINATIONS,
    DISPLAYED_LINKS,
)
from elcapitan.position.facts import bits, printed_cards
from elcapitan.text.catalogue import Translator
from elcapitan.web.view.context import SEAL, ViewContext
from elcapitan.web.view.offers import Offer, Offers, RefusedOffer

MOST_KEPT: Final = 1024  # cards in every language, for some boards

# Where the nine cities are on the small map of a card.
MAP: Final = tuple((14.4 + 15.8 * (city % 3), 14.2 + 13.8 * (city // 3)) for city in range(9))


@dataclass(frozen=True)
class CardView:
    """A sailing card with its price and its place on the small map."""

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
        """Its seals, one sign for each."""
        return SEAL * self.seals


@dataclass(frozen=True)
class DisplayedCard:
    """A card on display, with the offer to buy it or the reason why not."""

    card: CardView
    offer: Offer | None
    refused: RefusedOffer | None


@dataclass(frozen=True)
class HandCard:
    """A card in the viewer's hand, and the voyages it can be used for."""

    card: CardView
    sails: tuple[Offer, ...]
    pirate: tuple[Offer, ...]


@dataclass(frozen=True)
class Pile:
    """A display with the sizes of its deck and its discards."""

    cards: tuple[DisplayedCard, ...]
    gaps: int
    deck: int
    discards: int


def card_view(context: ViewContext, card: int) -> CardView:
    """Return the view of a card."""
    return _printed(context.t, context.game.figures, card)


@functools.lru_cache(maxsize=MOST_KEPT)
def _printed(t: Translator, figures: Figures, card: int) -> CardView:
    """Return the view of a card, made once for each language and board."""
    (printed,) = printed_cards([card], figures)
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
    return CardView(card, names, wax, price, points, label)


def hand(context: ViewContext, cards: Iterable[int]) -> tuple[CardView, ...]:
    """Return the cards in a merchant's hand."""
    return tuple(card_view(context, card) for card in cards)


def my_hand(context: ViewContext, offered: Offers) -> tuple[HandCard, ...]:
    """Return the cards of the seat from whose point of view the table is shown."""
    sails, pirate = offered.sails, offered.pirate_cards
    return tuple(
        HandCard(card_view(context, card), tuple(sails.get(card, ())), tuple(pirate.get(card, ())))
        for card in bits(int(context.state.hand[context.point_of_view]))
    )


def display(context: ViewContext, offered: Offers) -> tuple[Pile, Pile]:
    """Return the displays of destination cards and interconnection cards."""
    position = context.position
    destinations, links = (
        Pile(
            cards=tuple(
                DisplayedCard(card_view(context, each.card), offered.buys.get(each.card), offered.unsold.get(each.card))
                for each in shown
            ),
            gaps=max(0, room - len(shown)),
            deck=deck,
            discards=len(gone),
        )
        for room, shown, deck, gone in zip(
            (DISPLAYED_DESTINATIONS, DISPLAYED_LINKS),
            position.display,
            position.decks,
            position.discards,
            strict=True,
        )
    )
    return destinations, links


# ------------------------------------------------------------------------------------------------------- bank and chart


@dataclass(frozen=True)
class LoanView:
    """A pile of loan cards at the bank."""

    amount: int
    due: int
    later: int
    left: int
    offer: Offer | None
    refused: RefusedOffer | None


@dataclass(frozen=True)
class ChartSpace:
    """A space of the proliferation chart: a number of cities, what they pay, and the merchants there."""

    cities: int
    pays: int
    nine: bool  # here bonus cards are won
    merchants: tuple[tuple[str, int], ...]  # name and colour


@dataclass(frozen=True)
class BonusView:
    """A bonus card, and who has taken it."""

    worth: int
    owner: str
    colour: int | None


@dataclass(frozen=True)
class BankAndChart:
    """Everything that lies beside the board."""

    loans: tuple[LoanView, ...]
    moored: tuple[tuple[int, str, int], ...]  # seat, name and colour of ships at the bank
    chart: tuple[ChartSpace, ...]
    bonus: tuple[BonusView, ...]


def bank_and_chart(context: ViewContext, offered: Offers) -> BankAndChart:
    """Return bank, chart and bonus cards as they are now."""
    position = context.position
    named = {seat: context.name_and_colour(seat) for seat in range(context.players)}
    return BankAndChart(
        loans=tuple(
            LoanView(pile.amount, pile.due, pile.later, pile.left, offered.loans.get(kind), offered.unlent.get(kind))
            for kind, pile in enumerate(position.bank)
        ),
        moored=tuple((seat, *named[seat]) for seat in named if int(context.state.ship_city[seat]) == BANK),
        chart=tuple(
            ChartSpace(cities, pays, cities == CITIES_FOR_BONUS, tuple(named[seat] for seat in seats))
            for cities, pays, seats in position.chart
        ),
        bonus=tuple(
            BonusView(worth, *(("", None) if seat is None else named[seat])) for worth, seat in position.bonus_cards
        ),
    )
