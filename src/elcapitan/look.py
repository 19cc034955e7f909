"""What there is to see in a position: plain facts for whoever paints it, without colours and without words."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from elcapitan.engine.record import cached, cached_copy
from elcapitan.engine.rules.payday import amount, most_houses, open_houses, paying_space, ranks_before
from elcapitan.engine.rules.two_players import colours_in_play
from elcapitan.engine.rules.warehouses import cities_with_house, next_site, place, shuts_down
from elcapitan.engine.state import Board, State
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
    NO_SITE,
    NOBODY,
    PORTO,
    SITES,
    TRANSIT,
)
from elcapitan.figures import Figures
from elcapitan.report import Income, position
from elcapitan.text.names import interpreted, plainly

FREE: Final = -1  # a site nobody has built on
SHUTTING: Final = -2  # a free site that shuts the front warehouse down
VACATED: Final = -3  # a site that was built on and is out of use
SPECIAL: Final = {PORTO: "PORTO-04", LISBOA: "LISB-03", CANARIAS: "CANA-02"}  # the rule a tile city is known for

_amount, _paying_space, _next_site = interpreted(amount), interpreted(paying_space), interpreted(next_site)
_shuts_down, _place = interpreted(shuts_down), interpreted(place)
_most_houses, _open_houses = interpreted(most_houses), interpreted(open_houses)
_ranks_before, _colours_in_play = interpreted(ranks_before), interpreted(colours_in_play)
_cities_with_house = interpreted(cities_with_house)


@dataclass(frozen=True)
class Slot:
    """A harbour or a fortress site: who is there, and the printed price."""

    occupant: int  # a seat, PIRATE or NOBODY
    price: int


@dataclass(frozen=True)
class RankLook:
    """A colour with open warehouses in a city."""

    colour: int
    seat: int | None  # nobody for a neutral colour
    houses: int  # open warehouses
    earns: int  # what they would earn on a payday now


@dataclass(frozen=True)
class CityLook:
    """A city as it is seen."""

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
    order: tuple[RankLook, ...]  # first rank first
    houses: int  # open warehouses of all colours
    fullest: bool  # no city has more open warehouses, and this one has some
    special: str | None  # the rule a tile city is known for
    closes_next: int | None  # the site whose warehouse the next one would close
    after_next: int  # what first rank would earn after the next one


@dataclass(frozen=True)
class MerchantLook:
    """A merchant as everybody sees them."""

    seat: int
    cash: int
    debt: int
    loans: tuple[tuple[int, int, int], ...]  # amount, side and how many
    stock: tuple[int, ...]  # main warehouses, with two players also neutral ones
    fortresses: int
    place: int
    harbour: int  # from 1, or 0
    hand: tuple[int, ...]
    bonus: int  # worth of the bonus card, or 0


@dataclass(frozen=True)
class LoanLook:
    """A pile of loan cards at the bank."""

    amount: int
    due: int  # after the next payday
    later: int  # if it is extended
    left: int  # cards


@dataclass(frozen=True)
class CardLook:
    """What is printed on a sailing card."""

    card: int
    cities: tuple[int, ...]  # one of a destination, two of a link
    seals: int  # 0 on a link
    price: int


def cities(s: State, figures: Figures, incomes: tuple[Income, ...]) -> list[CityLook]:
    """The cities in play, row by row from west to east."""
    s = cached_copy(s)
    most = _most_houses(s)
    looks = [_city(s, figures, incomes, most, city) for city in bits(plainly(s.in_play))]
    return sorted(looks, key=lambda look: (look.row, look.column))


@functools.cache
def _board(figures: Figures) -> Board:
    """The board, its fields at hand."""
    return cached(figures.boards)


def _city(s: State, figures: Figures, incomes: tuple[Income, ...], most: int, city: int) -> CityLook:
    """One city."""
    b = _board(figures)
    name = CITY_NAMES[city]
    place = figures.printed[f"{'cities' if city < MAIN_CITIES else 'expansion'}.{name}.place"].value
    row, column = place if isinstance(place, tuple) else (0, 0)
    earned = [(income.seat, income.majority[name]) for income in incomes if name in income.majority]
    players = range(plainly(s.players))
    houses = _open_houses(s, city)
    closes_next, after_next = _next_build(s, figures, city)
    return CityLook(
        number=city,
        name=name,
        row=row,
        column=column,
        harbours=tuple(
            Slot(plainly(s.harbour[city, space]), plainly(b.harbour_price[city, space]))
            for space in range(plainly(b.harbours[city]))
        ),
        fortresses=tuple(
            Slot(plainly(s.fortress[city, site]), plainly(b.fortress_price[city, site]))
            for site in range(plainly(b.fortress_sites[city]))
        ),
        sites=tuple(_site(s, figures, city, site) for site in range(SITES)),
        next=_next_site(s, city),
        closed=tuple(colour for colour, count in enumerate(s.closed[city].tolist()) for _ in range(count)),
        passing=tuple(seat for seat in players if s.ship_city[seat] == city and s.ship_space[seat] == TRANSIT),
        coin=_paying_space(s, city),
        pays=_amount(s, b, city),
        earners=tuple(sorted(earned, key=lambda pair: -pair[1])),
        order=tuple(RankLook(*each, dict(earned).get(each[0], 0)) for each in order(s, city)),
        houses=houses,
        fullest=0 < houses == most,
        special=SPECIAL.get(city),
        closes_next=closes_next,
        after_next=after_next,
    )


def order(s: State, city: int) -> list[tuple[int, int | None, int]]:
    """The colours with an open warehouse in a city by their rank, each with its seat and how many it has.

    A neutral colour of the two-player game belongs to no seat here, since it earns nothing.
    """
    s = cached_copy(s)
    present = [colour for colour in range(_colours_in_play(s)) if s.houses[city, colour]]
    present.sort(key=functools.cmp_to_key(functools.partial(_compared, s, city)))
    return [
        (colour, colour if colour < plainly(s.players) else None, plainly(s.houses[city, colour])) for colour in present
    ]


def _compared(s: State, city: int, one: int, other: int) -> int:
    """Which of two colours ranks before the other: never neither of them."""
    return -1 if _ranks_before(s, city, one, other) else 1


def _next_build(s: State, figures: Figures, city: int) -> tuple[int | None, int]:
    """Which site the next warehouse would clear, and what first rank earns then: it is placed on a copy."""
    site, front = _next_site(s, city), plainly(s.front[city])
    if site == NO_SITE:
        return None, _amount(s, _board(figures), city)
    trial = cached(position(s.tobytes()))
    _place(trial, _board(figures), city, site, 0, True)
    closed = front != NO_SITE and trial.site[city, front] == NOBODY
    return front if closed else None, _amount(trial, _board(figures), city)


def _site(s: State, figures: Figures, city: int, site: int) -> int:
    """What stands on a site, or what kind of free site it is."""
    colour = plainly(s.site[city, site])
    if colour != NOBODY:
        return colour
    backwards = plainly(s.last[city]) == SITES - 1
    front = plainly(s.front[city])
    if front != NO_SITE and site < front:
        return FREE if backwards or site == _next_site(s, city) else VACATED
    return SHUTTING if _shuts_down(s, _board(figures), city, site) else FREE


def merchants(s: State, figures: Figures) -> list[MerchantLook]:
    """The merchants by seat."""
    s = cached_copy(s)
    return [_merchant(s, figures, seat) for seat in range(plainly(s.players))]


def _merchant(s: State, figures: Figures, seat: int) -> MerchantLook:
    """One merchant."""
    b = _board(figures)
    sides = [(kind, side) for kind in range(LOANS) for side in (FACE_UP, FLIPPED)]
    two = plainly(s.players) == 2
    return MerchantLook(
        seat=seat,
        cash=plainly(s.cash[seat]),
        debt=sum(plainly(s.loans[seat, kind, side]) * plainly(b.loan_due[kind, side]) for kind, side in sides),
        loans=tuple(
            (plainly(b.loan_amount[kind]), side, plainly(s.loans[seat, kind, side]))
            for kind, side in sides
            if s.loans[seat, kind, side]
        ),
        stock=(plainly(s.stock[seat]), plainly(s.stock[seat + 2])) if two else (plainly(s.stock[seat]),),
        fortresses=plainly(s.fortresses[seat]),
        place=plainly(s.ship_city[seat]),
        harbour=plainly(s.ship_space[seat]) + 1,
        hand=bits(plainly(s.hand[seat])),
        bonus=plainly(b.bonus[plainly(s.bonus[seat]) - 1]) if s.bonus[seat] else 0,
    )


def bits(cards: int) -> tuple[int, ...]:
    """A set of cards as their numbers, ascending."""
    return tuple(card for card in range(cards.bit_length()) if cards >> card & 1)


# --------------------------------------------------------------------------------------------- beside the board


def chart(s: State, figures: Figures) -> list[tuple[int, int, tuple[int, ...]]]:
    """The proliferation chart: for each number of cities what it pays and which seats stand there, from none on."""
    s = cached_copy(s)
    stand = [_cities_with_house(s, seat) for seat in range(plainly(s.players))]
    return [
        (cities, plainly(_board(figures).chart[cities]), tuple(seat for seat, own in enumerate(stand) if own == cities))
        for cities in range(plainly(s.in_play).bit_count() + 1)
    ]


def bonus_cards(s: State, figures: Figures) -> list[tuple[int, int | None]]:
    """The bonus cards: what each is worth and which seat has it."""
    owners = {plainly(card): seat for seat, card in enumerate(s.bonus)}
    return [(plainly(_board(figures).bonus[card]), owners.get(card + 1)) for card in range(BONUS_CARDS)]


def bank(s: State, figures: Figures) -> list[LoanLook]:
    """The piles of loan cards."""
    b = _board(figures)
    return [
        LoanLook(
            amount=plainly(b.loan_amount[kind]),
            due=plainly(b.loan_due[kind, FACE_UP]),
            later=plainly(b.loan_due[kind, FLIPPED]),
            left=plainly(s.loans_left[kind]),
        )
        for kind in range(LOANS)
    ]


def display(s: State, figures: Figures) -> tuple[list[CardLook], list[CardLook]]:
    """The cards for sale: destinations, links."""
    return _sorted_cards(plainly(s.display), figures)


def discards(s: State, figures: Figures) -> tuple[list[CardLook], list[CardLook]]:
    """The cards that were used and lie apart: destinations, links."""
    return _sorted_cards(plainly(s.discard), figures)


def _sorted_cards(cards: int, figures: Figures) -> tuple[list[CardLook], list[CardLook]]:
    """A set of cards, destinations apart from links."""
    return card_looks(bits(cards & DESTINATION_CARDS), figures), card_looks(bits(cards & LINK_CARDS), figures)


def card_looks(cards: Iterable[int], figures: Figures) -> list[CardLook]:
    """Sailing cards as they are printed."""
    b = _board(figures)
    return [
        CardLook(
            card=card,
            cities=tuple(b.card_city[card].tolist()[: 1 if card < DESTINATIONS else 2]),
            seals=plainly(b.seals[card]),
            price=plainly(b.card_price[card]),
        )
        for card in cards
    ]


def decks(s: State) -> tuple[int, int]:
    """How many destination and link cards are face down."""
    return plainly(s.deck_left[0]), plainly(s.deck_left[1])
