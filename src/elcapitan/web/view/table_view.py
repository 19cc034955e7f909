"""The whole table as the templates draw it: as it is, at an earlier moment, or on the stage of a payday."""

import functools
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from elcapitan.engine.vocabulary import CARDS, MAIN_CITIES, PHASES
from elcapitan.game.game import Game
from elcapitan.records.shuffles import Promise
from elcapitan.service import PACES, Table
from elcapitan.web.view.away import AwayView, away
from elcapitan.web.view.cards_and_bank import (
    BankAndChart,
    CardView,
    HandCard,
    Pile,
    bank_and_chart,
    card_view,
    display,
    my_hand,
)
from elcapitan.web.view.cities import CityWithActions, cities
from elcapitan.web.view.city_layout import CityLayout, PrintedCity, city_layout, printed_cities
from elcapitan.web.view.context import ViewContext, own_seats
from elcapitan.web.view.help_topics import Topic, topics
from elcapitan.web.view.history import Journal, Replay, changes, game_at, journal, replay, sentences_before
from elcapitan.web.view.merchants import ChatView, MerchantView, UndoVoteView, chat, merchants, undo_vote
from elcapitan.web.view.offers import Offers, offers
from elcapitan.web.view.plans import PLANNING, TurnPlan, plan_view, planned_table, removable, turn_plan, with_plan
from elcapitan.web.view.previews import NearCity, near_cities
from elcapitan.web.view.results import PaydayView, ResultView, payday_view, result_view
from elcapitan.web.view.turn_steps import TurnView, turn
from elcapitan.web.view.waiting import AwaitedView, awaited, left_to_computers
from elcapitan.web.viewer import Viewer


@dataclass(frozen=True)
class TableView:
    """Everything that the templates need to draw a table for one viewer."""

    id: str
    title: str
    base: str  # the page of the game as it is now, with which its other addresses begin
    moves: str  # with which the addresses begin to which actions are sent: the same, or a plan of a turn
    number: int
    phase: int
    phases: int
    round: int
    version: str
    over: bool
    ended: bool  # by the host, before it was over
    live: bool  # the game as it is now, not an earlier moment
    acting: bool
    planning: bool  # whether the viewer prepares a turn, which is shown as if it had gone so
    plan: TurnPlan | None  # the steps of the running turn, or of the next one
    host: bool  # whether the viewer is the host
    seated: bool  # whether the viewer has a seat; without one they watch
    what_if: bool  # whether the viewer may begin a what-if board
    original: str  # the page of the real game, if this is a what-if board
    by_link: bool  # whether a seat of this table is for a friend with a link
    chat: ChatView | None
    undo_vote: UndoVoteView | None
    awaited: AwaitedView | None  # who is absent although it is their turn
    left_to_computers: tuple[int, ...]  # the viewer's seats that they can have back from a computer player
    promises: tuple[Promise, ...]
    point_of_view: int
    layout: CityLayout
    cities: list[CityWithActions]
    merchants: list[MerchantView]
    destinations: Pile
    links: Pile
    hand: tuple[HandCard, ...]
    offers: Offers
    near: tuple[NearCity, ...]  # where one could build, while nothing can be built where the ship lies
    turn: TurnView
    side: BankAndChart
    journal: Journal
    away: AwayView | None
    replay: Replay | None
    result: ResultView | None
    undoable: int
    redoable: int
    pace: str
    turn_shown: int  # milliseconds for which a page shows a turn before the next one
    forecast: str
    hints: bool
    frozen: str  # why this game cannot be played on, or nothing
    voyage: str  # where the pirate is in the middle of a voyage by cards
    pirate_step: int
    paydays: int
    payday: PaydayView | None  # the one that is being told
    context: ViewContext = field(repr=False)

    @functools.cached_property
    def printed_cities(self) -> list[PrintedCity]:
        """The cities as they are printed: needed once for a page."""
        return printed_cities(self.context, self.layout)

    @functools.cached_property
    def deck(self) -> list[CardView]:
        """All sailing cards: needed once for a page."""
        return [card_view(self.context, card) for card in range(CARDS)]

    @functools.cached_property
    def topics(self) -> list[Topic]:
        """All help texts: needed once for a page."""
        return topics(self.context.t)

    @property
    def me(self) -> MerchantView:
        """The merchant from whose point of view the table is shown."""
        return next(each for each in self.merchants if each.seat == self.point_of_view)

    @property
    def deciding(self) -> MerchantView | None:
        """The merchant to move, if there is one."""
        return next((each for each in self.merchants if each.deciding), None)

    @property
    def nine(self) -> bool:
        """Whether only the nine cities of the base game are in play."""
        return len(self.cities) <= MAIN_CITIES


def table_view(
    table: Table,
    viewer: Viewer,
    at: int | None = None,
    *,
    only: Collection[int] | None = None,
    base: str | None = None,
) -> TableView:
    """Return the table as a viewer sees it; `at` shows an earlier moment, `only` offers no other actions."""
    game = table.game if at is None else game_at(table.game, at)
    context = _context(table, viewer, game, only)
    layout = city_layout(len(context.position.cities))
    offered = offers(context)
    destinations, links = display(context, offered)
    host = viewer.rights is None or viewer.rights.host
    plan = turn_plan(context) if only is None and at is None else None
    return TableView(
        id=table.id,
        title=table.settings.title,
        base=f"/games/{table.id}" if base is None else base,
        moves=f"/games/{table.id}" if base is None else base,
        number=table.number,
        phase=game.phase,
        phases=PHASES,
        round=game.round,
        version=table.version,
        over=game.over,
        ended=table.settings.ended,
        live=context.live,
        acting=context.acting,
        planning=False,
        plan=plan,
        host=host,
        seated=bool(context.mine),
        what_if=base is None and table.settings.what_if and (host or bool(context.mine)) and game.seat is not None,
        original=f"/games/{table.origin[0]}" if table.settings.private_to and table.origin else "",
        by_link=table.settings.company,
        chat=chat(context, host=host),
        undo_vote=undo_vote(context, sentences_before(context, table.undo_vote.at)) if table.undo_vote else None,
        awaited=awaited(context),
        left_to_computers=left_to_computers(context),
        promises=table.promises,
        point_of_view=context.point_of_view,
        layout=layout,
        cities=cities(context, layout, offered, changes(context.moments)),
        merchants=merchants(context, offered),
        destinations=destinations,
        links=links,
        hand=my_hand(context, offered),
        offers=offered,
        near=near_cities(context) if only is None and offered.buys and not (offered.builds or offered.end) else (),
        turn=with_plan(context, turn(context, offered), plan),
        side=bank_and_chart(context, offered),
        journal=journal(context),
        away=away(context),
        replay=None if at is None else replay(context, table.game, at),
        result=result_view(context) if game.over else None,
        undoable=table.undoable + (context.held_action is not None) if context.acting else 0,
        redoable=table.redoable if context.acting else 0,
        pace=table.settings.pace,
        turn_shown=round(1000 * PACES[table.settings.pace]),
        forecast=table.settings.forecast,
        hints=table.settings.hints,
        frozen=table.frozen.sentence(viewer.t.text) if table.frozen else "",
        voyage=_voyage(context),
        pirate_step=int(game.figures.board.pirate_step),
        paydays=len(game.paydays),
        payday=None,
        context=context,
    )


def _context(table: Table, viewer: Viewer, game: Game, only: Collection[int] | None) -> ViewContext:
    """Make the view's context; a viewer who only watches has nothing to decide."""
    seat = table.deciding
    mine = seat is not None and seat in own_seats(table, viewer) and table.human(seat)
    acting = game is table.game and mine and not table.frozen
    context = ViewContext.of(table, viewer, game, acting=acting)
    return context if only is None else replace(context, legal=context.legal & frozenset(only))


def _voyage(context: ViewContext) -> str:
    """Return the city of the pirate in the middle of a voyage by cards."""
    place = int(context.state.pirate_at)
    return context.teller.place(place) if place >= 0 else ""


def planning_view(table: Table, viewer: Viewer) -> TableView | None:
    """Return the table as if the viewer's turn had begun and gone as prepared; None if none can be prepared."""
    found = planned_table(table, viewer)
    if found is None:
        return None
    shown, begun, prepared = found
    seen = table_view(shown, viewer)
    seen.offers.end = None  # the turn is ended when it has come
    own = table.deciding == begun.seat
    sentence = (
        viewer.t.text("You plan this turn. Only you see it.")
        if own
        else viewer.t.text("You plan your next turn. Only you see it.")
    )
    return replace(
        seen,
        moves=f"{seen.base}/plan",
        planning=True,
        plan=replace(removable(plan_view(seen.context, PLANNING, begun, prepared)), own=own),
        turn=replace(seen.turn, steps=seen.turn.steps[:-1], sentence=sentence),
        journal=journal(ViewContext.of(table, viewer, table.game, acting=False)),
    )


def table_at_payday(table: Table, viewer: Viewer, number: int, base: str | None = None) -> TableView | None:
    """Return the table as it was when a payday began, with the payday; None if it has not been held.

    Board, cash and log are those of just before, so that the page shows no result before the payday explains it.
    """
    held = payday_view(table, viewer, number)
    if held is None:
        return None
    seen = table_view(table, viewer, held.event, base=base)
    merchants = [_before(each, held) for each in seen.merchants]
    return replace(seen, merchants=merchants, replay=None, payday=held)


def _before(merchant: MerchantView, held: PaydayView) -> MerchantView:
    """Return a merchant with the cash and debt of when a payday began, and without the forecast of what it pays."""
    seat = merchant.seat
    cash, debt = held.before.purses[seat], held.debts[seat]
    return replace(merchant, cash=cash, debt=debt, earnings=None, deciding=False, thinking=False, next=False)
