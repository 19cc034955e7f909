"""The merchants in order of play: purse, debt, stock, ship, and what a payday now would bring each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from elcapitan.engine.vocabulary import FLIPPED, NEUTRAL
from elcapitan.look import MerchantLook
from elcapitan.report import Income
from elcapitan.text.levels import level_name
from elcapitan.text.names import plainly
from elcapitan.web.scene.cards import CardScene, hand
from elcapitan.web.scene.company import ClockScene, clock, presence
from elcapitan.web.scene.offers import Offers
from elcapitan.web.scene.sight import Sight
from elcapitan.web.scene.words import change, number


@dataclass(frozen=True)
class Prospect:
    """What a payday would pay a merchant after some action."""

    actions: str
    total: int
    change: str
    gain: bool


@dataclass(frozen=True)
class Earnings:
    """What a payday now would pay a merchant."""

    total: int
    cities: int
    proliferation: int
    majority: int
    fortress: int
    bonus: int
    prospects: tuple[Prospect, ...]


@dataclass(frozen=True)
class MerchantScene:
    """A merchant as everybody sees them."""

    seat: int
    name: str
    colour: int  # of the palette
    neutral: int | None  # the second colour with two players
    level: str  # what kind of computer player; nothing for people
    stand_in: str  # what kind of computer player stands in for a person
    presence: str  # whether a person is at the table: here or away; nothing where all sit at one screen
    clock: ClockScene | None
    me: bool
    deciding: bool
    thinking: bool
    starter: bool  # has the token
    next: bool
    place: str
    cash: int
    debt: int
    loans: tuple[str, ...]
    stock: int
    neutral_stock: int | None
    fortresses: int
    cards: tuple[CardScene, ...]
    bonus: int
    earnings: Earnings | None  # nothing where the table shows no forecast
    spending: tuple[tuple[str, int], ...]  # actions and the purse after them
    rank: int | None  # once the game is over

    @property
    def cash_words(self) -> str:
        """The purse, with a proper minus where it is overdrawn."""
        return number(self.cash)


def merchants(sight: Sight, looks: Sequence[MerchantLook], offered: Offers) -> list[MerchantScene]:
    """Everybody, in order of play."""
    first, players = plainly(sight.state.starter), sight.players
    seats = [(first + number) % players for number in range(players)]
    return [_merchant(sight, looks[seat], offered) for seat in seats]


def _merchant(sight: Sight, look: MerchantLook, offered: Offers) -> MerchantScene:
    """One merchant."""
    seat, two = look.seat, sight.players == NEUTRAL
    deciding = sight.table.deciding if sight.live else sight.facts.seat
    player = sight.table.plan.seats[seat]
    return MerchantScene(
        seat=seat,
        name=sight.teller.merchant(seat),
        colour=sight.palette(seat),
        neutral=sight.palette(seat + NEUTRAL) if two else None,
        level="" if player.person else level_name(player.player, sight.t),
        stand_in=level_name(player.stand_in, sight.t) if player.stand_in else "",
        presence=presence(sight, seat),
        clock=clock(sight, seat),
        me=sight.is_me(seat),
        deciding=seat == deciding,
        thinking=seat == deciding and sight.table.thinking,
        starter=seat == plainly(sight.state.starter),
        next=deciding is not None and seat == (deciding + 1) % sight.players,
        place=sight.teller.place(look.place),
        cash=look.cash,
        debt=look.debt,
        loans=tuple(_loan(sight, *loan) for loan in look.loans),
        stock=look.stock[0],
        neutral_stock=look.stock[1] if two else None,
        fortresses=look.fortresses,
        cards=hand(sight, look.hand),
        bonus=look.bonus,
        earnings=_earnings(sight.incomes[seat], offered) if sight.forecast_of(seat) else None,
        spending=_spending(look, offered),
        rank=sight.game.ranks[seat] if sight.game.over else None,
    )


def _loan(sight: Sight, amount: int, side: int, count: int) -> str:
    """So many loans of a kind."""
    words = sight.t.text("extended loan of {amount}", amount=amount) if side == FLIPPED else ""
    words = words or sight.t.text("loan of {amount}", amount=amount)
    return f"{count} \N{MULTIPLICATION SIGN} {words}" if count > 1 else words


def _earnings(income: Income, offered: Offers) -> Earnings:
    """What a payday now would pay, and after each action that changes it."""
    gains = [(offer.actions, offer.preview.gains[income.seat]) for offer in offered.builds if offer.preview]
    prospects = [Prospect(actions, income.total + gain, change(gain), gain > 0) for actions, gain in gains if gain]
    return Earnings(
        total=income.total,
        cities=income.cities,
        proliferation=income.proliferation,
        majority=sum(income.majority.values()),
        fortress=sum(income.fortress.values()),
        bonus=income.bonus,
        prospects=tuple(prospects),
    )


def _spending(look: MerchantLook, offered: Offers) -> tuple[tuple[str, int], ...]:
    """What the purse would hold after each action that is looked at ahead."""
    ahead = [(offer.actions, offer.preview) for offer in (*offered.builds, *offered.loans.values()) if offer.preview]
    found = [(actions, look.cash + seen.money[look.seat]) for actions, seen in ahead if seen.money[look.seat]]
    if offered.seat == look.seat:
        costly = (*offered.buys.values(), *offered.repay)
        found += [(offer.actions, look.cash - offer.cost) for offer in costly if offer.cost]
    return tuple(found)
