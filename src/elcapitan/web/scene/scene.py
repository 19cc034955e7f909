"""The whole table as it is shown: everything that the templates need, and nothing that they would have to work out."""

import functools
from collections.abc import Collection
from dataclasses import dataclass, field

from elcapitan.engine.vocabulary import CARDS, MAIN_CITIES, PHASES
from elcapitan.game import Game
from elcapitan.look import CityLook
from elcapitan.notation.shuffles import Promise
from elcapitan.service import Table
from elcapitan.text.names import plainly
from elcapitan.web.scene.cards import CardScene, InHand, Pile, card_scene, display, my_hand
from elcapitan.web.scene.changes import changes
from elcapitan.web.scene.cities import CityNow, cities
from elcapitan.web.scene.company import Talk, WishScene, talk, wish
from elcapitan.web.scene.ground import Ground, ground
from elcapitan.web.scene.help import Topic, topics
from elcapitan.web.scene.journal import Journal, journal
from elcapitan.web.scene.merchants import MerchantScene, merchants
from elcapitan.web.scene.offers import Offers, offers
from elcapitan.web.scene.plans import Plan, plans
from elcapitan.web.scene.replay import Replay, moment, replay, told_before
from elcapitan.web.scene.result import Result, result
from elcapitan.web.scene.sideboard import Sideboard, sideboard
from elcapitan.web.scene.sight import Sight, own_seats
from elcapitan.web.scene.turn import TurnScene, turn
from elcapitan.web.scene.ways import NearCity, near_cities
from elcapitan.web.viewer import Viewer


@dataclass(frozen=True)
class Scene:
    """A table, ready to be drawn."""

    id: str
    title: str
    base: str  # where its addresses begin
    home: str  # the page of the game as it is now
    number: int
    phase: int
    phases: int
    round: int
    version: str
    over: bool
    ended: bool  # by the host, before it was over
    live: bool  # the game as it is now, not an earlier moment
    acting: bool
    host: bool  # whether whoever looks is the host
    seated: bool  # whether they have a seat; who has none watches
    by_link: bool  # whether somebody comes to this table by link
    talk: Talk | None
    wish: WishScene | None
    promises: tuple[Promise, ...]
    eyes: int
    ground: Ground
    cities: list[CityNow]
    merchants: list[MerchantScene]
    destinations: Pile
    links: Pile
    hand: tuple[InHand, ...]
    offers: Offers
    near: tuple[NearCity, ...]  # where one could build, while nothing can be built where the ship lies
    turn: TurnScene
    side: Sideboard
    journal: Journal
    replay: Replay | None
    result: Result | None
    undoable: int
    redoable: int
    pace: str
    forecast: str
    hints: bool
    frozen: str  # why this game cannot be played on, or nothing
    voyage: str  # where the pirate is in the middle of a voyage by cards
    pirate_step: int
    paydays: int
    sight: Sight = field(repr=False)
    looks: list[CityLook] = field(repr=False)

    @functools.cached_property
    def plans(self) -> list[Plan]:
        """The cities as they are printed: needed once for a page."""
        return plans(self.sight, self.looks, self.ground)

    @functools.cached_property
    def deck(self) -> list[CardScene]:
        """All sailing cards: needed once for a page."""
        return [card_scene(self.sight, card) for card in range(CARDS)]

    @functools.cached_property
    def topics(self) -> list[Topic]:
        """What everything is: needed once for a page."""
        return topics(self.sight.t)

    @property
    def me(self) -> MerchantScene:
        """The merchant through whose eyes the table is seen."""
        return next(each for each in self.merchants if each.seat == self.eyes)

    @property
    def deciding(self) -> MerchantScene | None:
        """The merchant who decides."""
        return next((each for each in self.merchants if each.deciding), None)

    @property
    def nine(self) -> bool:
        """Whether only the cities of the board are in play."""
        return len(self.cities) <= MAIN_CITIES


def scene(
    table: Table,
    viewer: Viewer,
    at: int | None = None,
    *,
    only: Collection[int] | None = None,
    base: str | None = None,
) -> Scene:
    """The table as somebody sees it; `at` shows an earlier moment, `only` offers no other actions than these."""
    game = table.game if at is None else moment(table.game, at)
    sight = _sight(table, viewer, game, live=at is None, only=only)
    looks = sight.facts.cities
    lie = ground(len(looks))
    offered = offers(sight, looks)
    destinations, links = display(sight, offered)
    host = viewer.rights is None or viewer.rights.host
    return Scene(
        id=table.id,
        title=table.plan.title,
        base=f"/games/{table.id}" if base is None else base,
        home=f"/games/{table.id}" if base is None else base,
        number=table.number,
        phase=game.phase,
        phases=PHASES,
        round=game.round,
        version=table.version,
        over=game.over,
        ended=table.plan.ended,
        live=at is None,
        acting=sight.acting,
        host=host,
        seated=bool(sight.mine),
        by_link=table.plan.company,
        talk=talk(sight, host=host),
        wish=wish(sight, told_before(sight, table.wish.at)) if table.wish else None,
        promises=table.promises,
        eyes=sight.eyes,
        ground=lie,
        cities=cities(sight, looks, lie, offered, changes(sight.moments)),
        merchants=merchants(sight, sight.facts.merchants, offered),
        destinations=destinations,
        links=links,
        hand=my_hand(sight, offered),
        offers=offered,
        near=near_cities(sight) if only is None and offered.buys and not (offered.builds or offered.end) else (),
        turn=turn(sight, offered, live=at is None),
        side=sideboard(sight, offered),
        journal=journal(sight),
        replay=None if at is None else replay(sight, table.game, at),
        result=result(sight) if game.over else None,
        undoable=table.undoable if sight.acting else 0,
        redoable=table.redoable if sight.acting else 0,
        pace=table.plan.pace,
        forecast=table.plan.forecast,
        hints=table.plan.hints,
        frozen=table.frozen.sentence(viewer.t.template) if table.frozen else "",
        voyage=_voyage(sight),
        pirate_step=plainly(game.figures.board.pirate_step),
        paydays=len(game.paydays),
        sight=sight,
        looks=looks,
    )


def _sight(table: Table, viewer: Viewer, game: Game, *, live: bool, only: Collection[int] | None) -> Sight:
    """A look at the game; whoever only looks on has nothing to decide."""
    seat = table.deciding
    mine = seat is not None and seat in own_seats(table, viewer) and table.human(seat)
    acting = live and mine and not table.frozen
    sight = Sight.of(table, viewer, game, acting=acting)
    return sight if only is None else sight.narrowed(only)


def _voyage(sight: Sight) -> str:
    """The city of the pirate in the middle of a voyage."""
    place = plainly(sight.state.pirate_at)
    return sight.teller.place(place) if place >= 0 else ""
