"""The whole table as the templates draw it; they compute nothing themselves."""

import functools
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from elcapitan.engine.vocabulary import CARDS, MAIN_CITIES, PHASES
from elcapitan.game.game import Game
from elcapitan.records.shuffles import Promise
from elcapitan.service import Table
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
from elcapitan.web.view.guidance import Topic, TurnView, topics, turn
from elcapitan.web.view.history import Journal, Replay, changes, game_at, journal, replay, sentences_before
from elcapitan.web.view.merchants import MerchantView, merchants
from elcapitan.web.view.offers import Offers, offers
from elcapitan.web.view.payday import PaydayView
from elcapitan.web.view.people import ChatView, UndoVoteView, chat, undo_vote
from elcapitan.web.view.previews import NearCity, near_cities
from elcapitan.web.view.result import ResultView, result
from elcapitan.web.viewer import Viewer


@dataclass(frozen=True)
class TableView:
    """Everything that the templates need to draw a table for one viewer."""

    id: str
    title: str
    base: str  # the page of the game as it is now, with which its other addresses begin
    number: int
    phase: int
    phases: int
    round: int
    version: str
    over: bool
    ended: bool  # by the host, before it was over
    live: bool  # the game as it is now, not an earlier moment
    acting: bool
    host: bool  # whether the viewer is the host
    seated: bool  # whether the viewer has a seat; without one they watch
    by_link: bool  # whether a seat of this table is for a friend with a link
    chat: ChatView | None
    undo_vote: UndoVoteView | None
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
    replay: Replay | None
    result: ResultView | None
    undoable: int
    redoable: int
    pace: str
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
    return TableView(
        id=table.id,
        title=table.plan.title,
        base=f"/games/{table.id}" if base is None else base,
        number=table.number,
        phase=game.phase,
        phases=PHASES,
        round=game.round,
        version=table.version,
        over=game.over,
        ended=table.plan.ended,
        live=context.live,
        acting=context.acting,
        host=host,
        seated=bool(context.mine),
        by_link=table.plan.company,
        chat=chat(context, host=host),
        undo_vote=undo_vote(context, sentences_before(context, table.undo_vote.at)) if table.undo_vote else None,
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
        turn=turn(context, offered),
        side=bank_and_chart(context, offered),
        journal=journal(context),
        replay=None if at is None else replay(context, table.game, at),
        result=result(context) if game.over else None,
        undoable=table.undoable + (context.staged is not None) if context.acting else 0,
        redoable=table.redoable if context.acting else 0,
        pace=table.plan.pace,
        forecast=table.plan.forecast,
        hints=table.plan.hints,
        frozen=table.frozen.sentence(viewer.t.template) if table.frozen else "",
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
