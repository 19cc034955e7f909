"""What there is to see in a position: plain facts for the painter, without colours and without words."""

from dataclasses import dataclass
from typing import Final

from elcapitan.engine.rules.payday import amount
from elcapitan.engine.rules.warehouses import next_site, shuts_down
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import (
    CITIES,
    CITY_NAMES,
    FACE_UP,
    FLIPPED,
    LOANS,
    MAIN_CITIES,
    NO_SITE,
    NOBODY,
    SITES,
    TRANSIT,
)
from elcapitan.figures import Figures
from elcapitan.report import Income
from elcapitan.text.names import interpreted, plainly

FREE: Final = -1  # a site nobody has built on
SHUTTING: Final = -2  # a free site that shuts the front warehouse down
VACATED: Final = -3  # a site that was built on and is out of use

_amount, _next_site = interpreted(amount), interpreted(next_site)
_shuts_down = interpreted(shuts_down)


@dataclass(frozen=True)
class Slot:
    """A harbour or a fortress site: who is there, and the printed price."""

    occupant: int  # a seat, PIRATE or NOBODY
    price: int


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
    pays: int
    earners: tuple[tuple[int, int], ...]  # seats and what their warehouses would earn, most first


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


def cities(s: State, figures: Figures, incomes: tuple[Income, ...]) -> list[CityLook]:
    """The cities in play, row by row from west to east."""
    numbers = [city for city in range(CITIES) if plainly(s.in_play) >> city & 1]
    looks = [_city(s, figures, incomes, city) for city in numbers]
    return sorted(looks, key=lambda look: (look.row, look.column))


def _city(s: State, figures: Figures, incomes: tuple[Income, ...], city: int) -> CityLook:
    """One city."""
    b = figures.board
    name = CITY_NAMES[city]
    place = figures.printed[f"{'cities' if city < MAIN_CITIES else 'expansion'}.{name}.place"].value
    row, column = place if isinstance(place, tuple) else (0, 0)
    earned = [(income.seat, income.majority[name]) for income in incomes if name in income.majority]
    players = range(plainly(s.players))
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
        pays=_amount(s, b, city),
        earners=tuple(sorted(earned, key=lambda pair: -pair[1])),
    )


def _site(s: State, figures: Figures, city: int, site: int) -> int:
    """What stands on a site, or what kind of free site it is."""
    colour = plainly(s.site[city, site])
    if colour != NOBODY:
        return colour
    backwards = plainly(s.last[city]) == SITES - 1
    front = plainly(s.front[city])
    if front != NO_SITE and site < front:
        return FREE if backwards or site == _next_site(s, city) else VACATED
    return SHUTTING if _shuts_down(s, figures.board, city, site) else FREE


def merchants(s: State, figures: Figures) -> list[MerchantLook]:
    """The merchants by seat."""
    return [_merchant(s, figures, seat) for seat in range(plainly(s.players))]


def _merchant(s: State, figures: Figures, seat: int) -> MerchantLook:
    """One merchant."""
    b = figures.board
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
