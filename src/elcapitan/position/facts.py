"""A position as plain values: cities, merchants, cards and the bank, for those who show it or tell about it.

What the rules say (prices, ranks, next sites, what is paid) comes from the engine's record `PositionFacts`, in one
compiled call. Nothing here knows colours or words.
"""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from elcapitan.board.figures import Figures
from elcapitan.engine import play
from elcapitan.engine.record import Record, Records, as_array, cached
from elcapitan.engine.rules.buildings import FREE_SITE, SHUTTING_SITE, VACATED_SITE
from elcapitan.engine.rules.payday import NEUTRAL_REASON, NO_RANK
from elcapitan.engine.state import Facts, PositionFacts, State, States
from elcapitan.engine.vocabulary import (
    BONUS_CARDS,
    CANARIAS,
    CITY_NAMES,
    DESTINATION_CARDS,
    DESTINATIONS,
    FACE_UP,
    FLIPPED,
    LINK_CARDS,
    LISBOA,
    LOANS,
    MAIN_CITIES,
    NEUTRAL_OFFSET,
    NO_SITE,
    PORTO,
    TRANSIT,
    two_colours,
)
from elcapitan.game.position_queries import Income, forecast_of

FREE, SHUTTING, VACATED = FREE_SITE, SHUTTING_SITE, VACATED_SITE  # what a site without a warehouse is
SPECIAL: Final = {PORTO: "PORTO-04", LISBOA: "LISB-03", CANARIAS: "CANA-02"}  # the rule a tile city is known for


@dataclass(frozen=True)
class Slot:
    """A harbour or a fortress site: who is there, and the printed price."""

    occupant: int  # a seat, PIRATE or NOBODY
    price: int


@dataclass(frozen=True)
class CityRank:
    """A colour with open warehouses in a city."""

    colour: int
    seat: int | None  # nobody for a neutral colour
    houses: int  # open warehouses
    earns: int  # what they would earn on a payday now


@dataclass(frozen=True)
class CityFacts:
    """What there is to see in a city."""

    number: int
    name: str
    row: int  # from 1
    column: int  # from 0, where the expansion lies
    harbours: tuple[Slot, ...]
    fortresses: tuple[Slot, ...]
    sites: tuple[int, ...]  # a colour, FREE, SHUTTING or VACATED
    next: int  # the site the next warehouse goes to, from 0, or NO_SITE
    closed: tuple[int, ...]  # the colours of closed warehouses
    passing: tuple[int, ...]  # ships without a harbour
    coin: int  # the space that pays now
    pays: int
    earners: tuple[tuple[int, int], ...]  # seats and what their warehouses would earn, most first
    order: tuple[CityRank, ...]  # first rank first
    houses: int  # open warehouses of all colours
    fullest: bool  # no city has more open warehouses, and this one has some
    special: str | None  # the rule a tile city is known for
    closes_next: int | None  # the site whose warehouse the next one would close
    after_next: int  # what first rank would earn after the next one


@dataclass(frozen=True)
class HeldLoans:
    """Loan cards of a merchant that are all alike."""

    amount: int
    due: int  # what it costs now to pay one of them back
    extended: bool
    cards: int


@dataclass(frozen=True)
class MerchantFacts:
    """What a merchant has, all of it open to see."""

    seat: int
    cash: int
    debt: int
    loans: tuple[HeldLoans, ...]
    stock: tuple[int, ...]  # main warehouses, with two players also neutral ones
    lost: tuple[int, ...]  # the same for warehouses that have left the game
    fortresses: int
    place: int
    harbour: int  # from 1, or 0
    hand: tuple[int, ...]
    bonus: int  # worth of the bonus card, or 0
    bonus_card: int  # 1 for the first that was taken, or 0 for none

    @property
    def worth(self) -> int:
        """Cash less what the loans show, as the money check counts it."""
        return self.cash - self.debt


@dataclass(frozen=True)
class LoanPile:
    """A pile of loan cards at the bank."""

    amount: int
    due: int  # after the next payday
    later: int  # if it is extended
    left: int  # cards


@dataclass(frozen=True)
class PrintedCard:
    """What is printed on a sailing card."""

    card: int
    cities: tuple[int, ...]  # one of a destination, two of a link
    seals: int  # 0 on a link
    price: int


def facts_of(s: State, figures: Figures) -> PositionFacts:
    """Ask the rules for the facts of a position."""
    return cached(play.facts(as_array(s), 0, figures.boards))


class PlainFields:
    """The fields of a record as plain numbers and lists, each converted once: Python reads these fastest."""

    def __init__(self, records: Records[Record]) -> None:
        self._records = records

    def __getattr__(self, name: str) -> Any:
        value = self._records[name][0].tolist()
        setattr(self, name, value)
        return value


class DecodedPosition:
    """A position whose parts are decoded when they are first asked for, and then kept."""

    def __init__(self, states: States, figures: Figures) -> None:
        self.states = states  # one position, as kernels take it
        self.state = cached(states)
        self.figures = figures
        self.fields = PlainFields(states)
        self._board = _printed(figures)

    @classmethod
    def of(cls, s: State, figures: Figures) -> "DecodedPosition":
        """Decode a record, copied unless it is a cached one."""
        return cls(as_array(s), figures)

    @functools.cached_property
    def _found(self) -> Facts:
        """What the rules say about it, as an array."""
        return play.facts(self.states, 0, self.figures.boards)

    @functools.cached_property
    def facts(self) -> PositionFacts:
        """What the rules say about it."""
        return cached(self._found)

    @functools.cached_property
    def _facts(self) -> PlainFields:
        """The same as lists."""
        return PlainFields(self._found)

    @functools.cached_property
    def incomes(self) -> tuple[Income, ...]:
        """What a payday now would pay each seat."""
        return forecast_of(self.states, self.figures)

    @functools.cached_property
    def in_play(self) -> tuple[int, ...]:
        """The numbers of the cities in play."""
        return bits(int(self.state.in_play))

    @functools.cached_property
    def cities(self) -> list[CityFacts]:
        """The cities in play, row by row from west to east."""
        return sorted(map(self.city, self.in_play), key=lambda look: (look.row, look.column))

    @functools.cached_property
    def merchants(self) -> list[MerchantFacts]:
        """The merchants by seat."""
        return [self._merchant(seat) for seat in range(int(self.state.players))]

    @functools.cached_property
    def chart(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """The proliferation chart from no city on: how many cities, what they pay, and which seats stand there."""
        return [
            (
                cities,
                self._board.chart[cities],
                tuple(income.seat for income in self.incomes if income.cities == cities),
            )
            for cities in range(len(self.in_play) + 1)
        ]

    @functools.cached_property
    def bonus_cards(self) -> list[tuple[int, int | None]]:
        """The bonus cards: what each is worth and which seat has it."""
        owners = {card: seat for seat, card in enumerate(self.fields.bonus)}
        return [(self._board.bonus[card], owners.get(card + 1)) for card in range(BONUS_CARDS)]

    @functools.cached_property
    def bank(self) -> list[LoanPile]:
        """The piles of loan cards."""
        b = self._board
        return [
            LoanPile(
                amount=b.loan_amount[kind],
                due=b.loan_due[kind][FACE_UP],
                later=b.loan_due[kind][FLIPPED],
                left=self.fields.loans_left[kind],
            )
            for kind in range(LOANS)
        ]

    @property
    def display(self) -> tuple[list[PrintedCard], list[PrintedCard]]:
        """The cards for sale: destinations, links."""
        return _sorted_cards(int(self.state.display), self.figures)

    @property
    def discards(self) -> tuple[list[PrintedCard], list[PrintedCard]]:
        """The cards that were used: destinations, links."""
        return _sorted_cards(int(self.state.discard), self.figures)

    @property
    def decks(self) -> tuple[int, int]:
        """How many destination and link cards are face down."""
        return int(self.state.deck_left[0]), int(self.state.deck_left[1])

    def ranks(self, city: int) -> tuple[CityRank, ...]:
        """The colours with an open warehouse in a city, the first rank first.

        A neutral colour of the two-player game belongs to no seat here, since it earns nothing.
        """
        name, houses, why = CITY_NAMES[city], self.fields.houses[city], self._facts.why_ranked[city]
        present = sorted((rank, colour) for colour, rank in enumerate(self._facts.rank[city]) if rank != NO_RANK)
        return tuple(
            CityRank(colour, None, houses[colour], 0)
            if why[colour] == NEUTRAL_REASON
            else CityRank(colour, colour, houses[colour], self.incomes[colour].majority.get(name, 0))
            for _rank, colour in present
        )

    def harbours(self, city: int) -> list[int]:
        """Who lies in each harbour space of a city: a seat, PIRATE or NOBODY."""
        occupants: list[int] = self.fields.harbour[city][: self._board.harbours[city]]
        return occupants

    def fortresses(self, city: int) -> list[int]:
        """Whose fortress stands on each fortress site of a city: a seat or NOBODY."""
        owners: list[int] = self.fields.fortress[city][: self._board.fortress_sites[city]]
        return owners

    def closed(self, city: int) -> list[int]:
        """The colours of the closed warehouses of a city."""
        return [colour for colour, count in enumerate(self.fields.closed[city]) for _ in range(count)]

    def city(self, city: int) -> CityFacts:
        """Decode one city, whether in play or not."""
        s, f, b = self.fields, self._facts, self._board
        name = CITY_NAMES[city]
        row, column = _place(self.figures, city)
        ranks = self.ranks(city)
        houses, closes_next = f.open_houses[city], f.closes_next[city]
        earned = sorted((each.seat, each.earns) for each in ranks if each.seat is not None and each.earns)
        ships = zip(range(s.players), s.ship_city, s.ship_space, strict=False)
        return CityFacts(
            number=city,
            name=name,
            row=row,
            column=column,
            harbours=tuple(map(Slot, self.harbours(city), b.harbour_price[city])),
            fortresses=tuple(map(Slot, self.fortresses(city), b.fortress_price[city])),
            sites=tuple(f.on_site[city]),
            next=f.next_site[city],
            closed=tuple(self.closed(city)),
            passing=tuple(seat for seat, place, space in ships if place == city and space == TRANSIT),
            coin=f.paying_space[city],
            pays=f.pays[city],
            earners=tuple(sorted(earned, key=lambda pair: -pair[1])),
            order=ranks,
            houses=houses,
            fullest=houses > 0 and f.fullest[city] == 1,
            special=SPECIAL.get(city),
            closes_next=None if closes_next == NO_SITE else closes_next,
            after_next=f.pays_next[city],
        )

    def _merchant(self, seat: int) -> MerchantFacts:
        """Decode what one merchant has."""
        s, f, b = self.fields, self._facts, self._board
        cards = s.loans[seat]
        colours = (seat, seat + NEUTRAL_OFFSET) if two_colours(s.players) else (seat,)
        return MerchantFacts(
            seat=seat,
            cash=s.cash[seat],
            debt=f.debt[seat],
            loans=tuple(
                HeldLoans(b.loan_amount[kind], b.loan_due[kind][side], side == FLIPPED, cards[kind][side])
                for kind in range(LOANS)
                for side in (FACE_UP, FLIPPED)
                if cards[kind][side]
            ),
            stock=tuple(s.stock[colour] for colour in colours),
            lost=tuple(s.lost[colour] for colour in colours),
            fortresses=s.fortresses[seat],
            place=s.ship_city[seat],
            harbour=s.ship_space[seat] + 1,
            hand=bits(s.hand[seat]),
            bonus=f.bonus[seat],
            bonus_card=s.bonus[seat],
        )


@functools.cache
def _printed(figures: Figures) -> PlainFields:
    """What is printed on a board."""
    return PlainFields(figures.boards)


@functools.cache
def _place(figures: Figures, city: int) -> tuple[int, int]:
    """The row and column of a city."""
    place = figures.printed[f"{'cities' if city < MAIN_CITIES else 'expansion'}.{CITY_NAMES[city]}.place"].value
    assert isinstance(place, tuple)
    row, column = place
    return row, column


def bits(cards: int) -> tuple[int, ...]:
    """The numbers in a set that is written as bits, ascending."""
    return tuple(card for card in range(cards.bit_length()) if cards >> card & 1)


def _sorted_cards(cards: int, figures: Figures) -> tuple[list[PrintedCard], list[PrintedCard]]:
    """Decode a set of cards, destinations apart from links."""
    return printed_cards(bits(cards & DESTINATION_CARDS), figures), printed_cards(bits(cards & LINK_CARDS), figures)


def printed_cards(cards: Iterable[int], figures: Figures) -> list[PrintedCard]:
    """Return what is printed on some sailing cards."""
    b = _printed(figures)
    return [
        PrintedCard(
            card=card,
            cities=tuple(b.card_city[card][: 1 if card < DESTINATIONS else 2]),
            seals=b.seals[card],
            price=b.card_price[card],
        )
        for card in cards
    ]
