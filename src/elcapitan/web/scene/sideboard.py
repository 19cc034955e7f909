"""What lies beside the board: bank and loans, the proliferation chart, the bonus cards."""

from dataclasses import dataclass

from elcapitan import look
from elcapitan.engine.vocabulary import BANK, CITIES_FOR_BONUS
from elcapitan.text.names import plainly
from elcapitan.web.scene.offers import Offer, Offers, Refused
from elcapitan.web.scene.sight import Sight


@dataclass(frozen=True)
class LoanScene:
    """A pile of loan cards at the bank."""

    amount: int
    due: int
    later: int
    left: int
    offer: Offer | None
    refused: Refused | None


@dataclass(frozen=True)
class ChartSpace:
    """A space of the proliferation chart: so many cities pay so much, and who is there."""

    cities: int
    pays: int
    nine: bool  # here bonus cards are won
    merchants: tuple[tuple[str, int], ...]  # name and colour


@dataclass(frozen=True)
class BonusScene:
    """A bonus card, and who has taken it."""

    worth: int
    owner: str
    colour: int | None


@dataclass(frozen=True)
class Sideboard:
    """All of it."""

    loans: tuple[LoanScene, ...]
    moored: tuple[tuple[int, str, int], ...]  # seat, name and colour of ships at the bank
    chart: tuple[ChartSpace, ...]
    bonus: tuple[BonusScene, ...]


def sideboard(sight: Sight, offered: Offers) -> Sideboard:
    """What lies beside the board now."""
    state, figures = sight.state, sight.game.figures
    named = {seat: (sight.teller.merchant(seat), sight.palette(seat)) for seat in range(sight.players)}
    return Sideboard(
        loans=tuple(
            LoanScene(pile.amount, pile.due, pile.later, pile.left, offered.loans.get(kind), offered.unlent.get(kind))
            for kind, pile in enumerate(look.bank(state, figures))
        ),
        moored=tuple((seat, *named[seat]) for seat in named if plainly(state.ship_city[seat]) == BANK),
        chart=tuple(
            ChartSpace(cities, pays, cities == CITIES_FOR_BONUS, tuple(named[seat] for seat in seats))
            for cities, pays, seats in look.chart(state, figures)
        ),
        bonus=tuple(
            BonusScene(worth, "" if seat is None else named[seat][0], None if seat is None else named[seat][1])
            for worth, seat in look.bonus_cards(state, figures)
        ),
    )
