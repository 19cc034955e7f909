"""The merchants in order of play: cash, debt, stock, ship, and what a payday now would pay them."""

from collections.abc import Sequence
from dataclasses import dataclass

from elcapitan.engine.vocabulary import FLIPPED, NEUTRAL
from elcapitan.game.income import Income
from elcapitan.position.facts import MerchantLook
from elcapitan.text.levels import level_name
from elcapitan.web.view.cards_and_bank import CardView, hand
from elcapitan.web.view.context import ViewContext, change, number
from elcapitan.web.view.offers import Offers
from elcapitan.web.view.people import ClockView, clock, presence


@dataclass(frozen=True)
class EarningsPreview:
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
    prospects: tuple[EarningsPreview, ...]


@dataclass(frozen=True)
class MerchantView:
    """A merchant as all viewers see them."""

    seat: int
    name: str
    colour: int  # of the palette
    neutral: int | None  # the second colour with two players
    level: str  # what kind of computer player; nothing for people
    stand_in: str  # what kind of computer player stands in for a person
    presence: str  # whether a person is at the table: here or away; nothing where all sit at one screen
    clock: ClockView | None
    me: bool
    deciding: bool
    thinking: bool
    starter: bool  # has the token
    next: bool
    place: str
    cash: int
    debt: int
    worth: int  # cash less debt
    loans: tuple[str, ...]
    stock: int
    neutral_stock: int | None
    fortresses: int
    cards: tuple[CardView, ...]
    bonus: int
    earnings: Earnings | None  # nothing where the table shows no forecast
    spending: tuple[tuple[str, int], ...]  # actions and the purse after them
    rank: int | None  # once the game is over

    @property
    def cash_words(self) -> str:
        """The cash, with a minus sign where it is overdrawn."""
        return number(self.cash)

    @property
    def worth_words(self) -> str:
        """The net worth, with a minus sign where the debt is higher than the cash."""
        return number(self.worth)


def merchants(context: ViewContext, looks: Sequence[MerchantLook], offered: Offers) -> list[MerchantView]:
    """Return all merchants in order of play."""
    first, players = int(context.state.starter), context.players
    seats = [(first + number) % players for number in range(players)]
    return [_merchant(context, looks[seat], offered) for seat in seats]


def _merchant(context: ViewContext, look: MerchantLook, offered: Offers) -> MerchantView:
    """Return the view of one merchant."""
    seat, two = look.seat, context.players == NEUTRAL
    deciding = context.table.deciding if context.live else context.facts.seat
    player = context.table.plan.seats[seat]
    return MerchantView(
        seat=seat,
        name=context.teller.merchant(seat),
        colour=context.palette(seat),
        neutral=context.palette(seat + NEUTRAL) if two else None,
        level="" if player.person else level_name(player.player, context.t),
        stand_in=level_name(player.stand_in, context.t) if player.stand_in else "",
        presence=presence(context, seat),
        clock=clock(context, seat),
        me=context.is_me(seat),
        deciding=seat == deciding,
        thinking=seat == deciding and context.table.thinking,
        starter=seat == int(context.state.starter),
        next=deciding is not None and seat == (deciding + 1) % context.players,
        place=context.teller.place(look.place),
        cash=look.cash,
        debt=look.debt,
        worth=look.worth,
        loans=tuple(_loan(context, *loan) for loan in look.loans),
        stock=look.stock[0],
        neutral_stock=look.stock[1] if two else None,
        fortresses=look.fortresses,
        cards=hand(context, look.hand),
        bonus=look.bonus,
        earnings=_earnings(context.incomes[seat], offered) if context.forecast_of(seat) else None,
        spending=_spending(look, offered),
        rank=context.game.ranks[seat] if context.game.over else None,
    )


def _loan(context: ViewContext, amount: int, side: int, count: int) -> str:
    """Describe the loans of one kind."""
    words = context.t.text("extended loan of {amount}", amount=amount) if side == FLIPPED else ""
    words = words or context.t.text("loan of {amount}", amount=amount)
    return f"{count} \N{MULTIPLICATION SIGN} {words}" if count > 1 else words


def _earnings(income: Income, offered: Offers) -> Earnings:
    """Return what a payday now would pay, and after each action that changes it."""
    gains = [(offer.actions, offer.preview.gains[income.seat]) for offer in offered.builds if offer.preview]
    prospects = [
        EarningsPreview(actions, income.total + gain, change(gain), gain > 0) for actions, gain in gains if gain
    ]
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
    """Return the cash after each action that has a preview or a price."""
    ahead = [(offer.actions, offer.preview) for offer in (*offered.builds, *offered.loans.values()) if offer.preview]
    found = [(actions, look.cash + seen.money[look.seat]) for actions, seen in ahead if seen.money[look.seat]]
    if offered.seat == look.seat:
        costly = (*offered.buys.values(), *offered.repay)
        found += [(offer.actions, look.cash - offer.cost) for offer in costly if offer.cost]
    return tuple(found)
