"""The merchants in order of play and the people behind them: money, pieces, forecast, presence, clocks, chat, votes."""

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from elcapitan.engine.vocabulary import NEUTRAL_OFFSET, two_colours
from elcapitan.game.game import Act
from elcapitan.game.position_queries import Income
from elcapitan.position.facts import HeldLoans, MerchantFacts
from elcapitan.service import Table
from elcapitan.service.decisions import LONGEST_LINE
from elcapitan.service.state import must_agree, persons_since
from elcapitan.service.table_settings import HOST_LABEL, SUBSTITUTE
from elcapitan.text.catalogue import Translator
from elcapitan.text.names import board_note, level_name, number
from elcapitan.web.view.cards_and_bank import CardView, hand
from elcapitan.web.view.context import ViewContext, change, merchant_names
from elcapitan.web.view.offers import Offers

HERE, AWAY = "here", "away"
MINUTE, HOUR, DAY = 60, 3600, 86400
IN_DAYS: Final = 2 * DAY  # from here on clocks show days
NEAR: Final = 10  # seconds before the end from which on it is high time, at least


@dataclass(frozen=True)
class ClockView:
    """The time that a person has left."""

    words: str  # at the moment of drawing
    due: int | None  # when it is out, in milliseconds, if it runs and is to be counted down
    near: int  # seconds before that from which on it is high time
    running: bool
    low: bool


@dataclass(frozen=True)
class ChatLineView:
    """A message of the chat."""

    number: int
    at: str
    name: str
    colour: int | None  # None for a host without a seat
    text: str
    mine: bool


@dataclass(frozen=True)
class ChatView:
    """The last messages of the chat."""

    lines: tuple[ChatLineView, ...]
    most: int = LONGEST_LINE

    @property
    def last(self) -> int:
        """The number of the last message, from which the page knows what is new."""
        return self.lines[-1].number if self.lines else 0


@dataclass(frozen=True)
class UndoVoteView:
    """A vote on going back to an earlier moment."""

    words: str
    colour: int
    at: int
    waiting: str  # those who have not answered
    clock: ClockView | None  # the time until it lapses
    asked: bool  # whether the viewer is among them
    mine: bool  # whether the viewer asked for it


def presence(context: ViewContext, seat: int) -> str:
    """Return whether a person is at the table; empty for computer players, and where all share one screen."""
    if not context.table.settings.company or not context.table.settings.seats[seat].person:
        return ""
    return HERE if seat in context.table.present else AWAY


# ----------------------------------------------------------------------------------------------------------- clocks


def clock(context: ViewContext, seat: int) -> ClockView | None:
    """Return a person's clock: always in a game with a time bank, else while it runs."""
    clocks, agreed = context.table.clocks, context.table.settings.clock
    if not context.live or clocks is None or agreed is None or not context.table.settings.seats[seat].person:
        return None  # an earlier moment has no clocks
    running = clocks.running == seat
    if not running and clocks.kind != "bank":
        return None
    left, near = clocks.left[seat], max(NEAR, min(HOUR, agreed.seconds // 10))
    counted = running and clocks.due is not None and left < IN_DAYS
    return ClockView(
        words=duration_words(left, context.t),
        due=_milliseconds(clocks.due) if counted and clocks.due else None,
        near=near,
        running=running,
        low=left <= near,
    )


def duration_words(seconds: float, t: Translator) -> str:
    """Write a span of time as clocks show it; several days without hours."""
    whole = max(0, math.ceil(seconds))
    if whole >= IN_DAYS:
        return t.plural("{number} day", "{number} days", whole // DAY)
    hours, minutes, rest = whole // HOUR, whole // MINUTE % MINUTE, whole % MINUTE
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _milliseconds(moment: datetime) -> int:
    """Convert a moment to milliseconds, as scripts count."""
    return round(1000 * moment.timestamp())


# ------------------------------------------------------------------------------------------------------------- talk


def chat(context: ViewContext, *, host: bool) -> ChatView | None:
    """Return the chat for players and the host; None where all share one screen, or where chat is off."""
    if not context.table.settings.company or not context.table.settings.chat or not (host or context.mine):
        return None
    return ChatView(chat_lines(context.table, context.t, context.mine, host=host))


def chat_lines(table: Table, t: Translator, mine: frozenset[int], *, host: bool) -> tuple[ChatLineView, ...]:
    """Return the last messages for a viewer with these seats."""
    names = merchant_names(table.settings, t)
    return tuple(
        ChatLineView(
            number=line.number,
            at=line.at.isoformat(timespec="seconds"),
            name=t.text(HOST_LABEL) if line.seat is None else names[line.seat],
            colour=None if line.seat is None else table.colour_of(line.seat),
            text=line.text,
            mine=line.seat in mine if line.seat is not None else host,
        )
        for line in table.chat
    )


# ------------------------------------------------------------------------------------------------------------ wishes


def undo_vote(context: ViewContext, moment: str) -> UndoVoteView | None:
    """Return the running vote; `moment` says what had just happened at the moment to go back to."""
    wanted = context.table.undo_vote
    if wanted is None:
        return None
    who = context.teller.merchant(wanted.seat)
    return UndoVoteView(
        words=context.t.text("{who} asks to go back to: {moment}", who=who, moment=moment),
        colour=context.palette(wanted.seat),
        at=wanted.at,
        waiting=", ".join(context.teller.merchant(seat) for seat in sorted(wanted.waiting)),
        clock=_vote_clock(context, wanted.until) if wanted.until else None,
        asked=bool(wanted.waiting & context.mine),
        mine=wanted.seat in context.mine,
    )


def _vote_clock(context: ViewContext, until: datetime) -> ClockView:
    """Return the clock of a vote."""
    left = (until - context.table.read_at).total_seconds()
    return ClockView(duration_words(left, context.t), _milliseconds(until), NEAR, running=True, low=left <= NEAR)


def may_go_back(context: ViewContext, at: int) -> str:
    """Return "ask" if others must agree to going back to a moment, "back" if none must, or "" if it is not possible."""
    table = context.table
    if table.over or table.undo_vote or table.frozen or not context.mine or not 1 <= at < len(table.game.events):
        return ""
    since = table.game.events[at:]
    acted = {event.seat for event in since if isinstance(event, Act)}
    others = must_agree(since, acted, persons_since(table.table_events, table.settings, at)) - context.mine
    return "ask" if others else "back"


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
    level_note: str  # as what it plays, if it was not trained for the board
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
    earnings: Earnings | None  # nothing where the table shows no forecast, and after the last payday
    spending: tuple[tuple[str, int], ...]  # actions and the purse after them
    rank: int | None  # once the game is over

    @property
    def substitute(self) -> str:
        """The level that stands in for a person unless another is chosen."""
        return SUBSTITUTE

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
    seat, two = merchant.seat, two_colours(context.players)
    deciding = context.table.deciding if context.live else context.game.seat
    player = context.table.settings.seats[seat]
    forecast = context.forecast_of(seat) and not context.game.over
    return MerchantView(
        seat=seat,
        name=context.teller.merchant(seat),
        colour=context.palette(seat),
        neutral=context.palette(seat + NEUTRAL_OFFSET) if two else None,
        level="" if player.person else level_name(player.player, context.t),
        stand_in=level_name(player.stand_in, context.t) if player.stand_in else "",
        level_note=board_note(player.decides, context.players, context.game.figures.boards, context.t),
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
        earnings=_earnings(context.position.incomes[seat], offered) if forecast else None,
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
