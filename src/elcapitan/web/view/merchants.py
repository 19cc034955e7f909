"""The merchants in order of play: cash, debt, stock, ship, and what a payday now would pay them."""

from dataclasses import dataclass

from elcapitan.engine.vocabulary import NEUTRAL
from elcapitan.game.income import Income
from elcapitan.position.facts import HeldLoans, MerchantFacts
from elcapitan.text.names import level_name
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


def merchants(context: ViewContext, offered: Offers) -> list[MerchantView]:
    """Return all merchants in order of play."""
    first, players = int(context.state.starter), context.players
    seats = [(first + number) % players for number in range(players)]
    return [_merchant(context, context.position.merchants[seat], offered) for seat in seats]


def _merchant(context: ViewContext, merchant: MerchantFacts, offered: Offers) -> MerchantView:
    """Return the view of one merchant."""
    seat, two = merchant.seat, context.players == NEUTRAL
    deciding = context.table.deciding if context.live else context.game.seat
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
        place=context.teller.place(merchant.place),
        cash=merchant.cash,
        debt=merchant.debt,
        worth=merchant.worth,
        loans=tuple(_loans(context, alike) for alike in merchant.loans),
        stock=merchant.stock[0],
        neutral_stock=merchant.stock[1] if two else None,
        fortresses=merchant.fortresses,
        cards=hand(context, merchant.hand),
        bonus=merchant.bonus,
        earnings=_earnings(context.position.incomes[seat], offered) if context.forecast_of(seat) else None,
        spending=_spending(merchant, offered),
        rank=context.game.ranks[seat] if context.game.over else None,
    )


def _loans(context: ViewContext, loans: HeldLoans) -> str:
    """Describe loans that are all alike."""
    words = context.t.text("extended loan of {amount}", amount=loans.amount) if loans.extended else ""
    words = words or context.t.text("loan of {amount}", amount=loans.amount)
    return f"{loans.cards} \N{MULTIPLICATION SIGN} {words}" if loans.cards > 1 else words


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


def _spending(merchant: MerchantFacts, offered: Offers) -> tuple[tuple[str, int], ...]:
    """Return the cash after each action that has a preview or a price."""
    seat, cash = merchant.seat, merchant.cash
    ahead = [(offer.actions, offer.preview) for offer in (*offered.builds, *offered.loans.values()) if offer.preview]
    found = [(actions, cash + seen.money[seat]) for actions, seen in ahead if seen.money[seat]]
    if offered.seat == seat:
        costly = (*offered.buys.values(), *offered.repay)
        found += [(offer.actions, cash - offer.cost) for offer in costly if offer.cost]
    return tuple(found)
