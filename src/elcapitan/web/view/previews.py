"""What could be done: places of a city to click, what each action would change, routes, hints, and win chances."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from elcapitan.actions import union as act
from elcapitan.bots.chances import Chances
from elcapitan.engine.actions import END
from elcapitan.engine.vocabulary import CITY_NAMES, TRANSIT
from elcapitan.players.seats import Suggestion, adviser
from elcapitan.position.facts import CityFacts
from elcapitan.position.preview import Preview, preview
from elcapitan.position.routes import BuildAtEnd, Way, cheapest
from elcapitan.service import Table
from elcapitan.text.actions import labels
from elcapitan.text.names import level_name
from elcapitan.web.view.cards_and_bank import CardView, card_view
from elcapitan.web.view.city_layout import Box, CityLayout, berth_boxes, moored, tower_boxes
from elcapitan.web.view.context import Gain, ViewContext, change, price, warehouse_words
from elcapitan.web.view.offers import Offer, Offers
from elcapitan.web.viewer import Viewer

# ----------------------------------------------------------------------------------------------------- in one city


@dataclass(frozen=True)
class Target:
    """A place on the board where a click builds something."""

    offer: Offer
    box: Box
    kind: str  # site or tower
    label: str
    sign: int | None = None  # the colour that would be built, where several share a site


@dataclass(frozen=True)
class ActionPreview:
    """What an action would change in a city, shown while its button is pointed at."""

    actions: str
    title: str
    lines: tuple[str, ...]
    house: tuple[Box, int] | None = None
    tower: tuple[Box, int] | None = None
    ship: tuple[Box, int] | None = None
    coin: tuple[Box, int] | None = None
    closes: tuple[Box, int] | None = None
    gains: tuple[Gain, ...] = ()
    numbers: tuple[int, ...] = ()  # of the sites it means, from 1


class CityPreviews:
    """Makes the targets and previews of one city for the deciding seat."""

    def __init__(self, context: ViewContext, city: CityFacts, layout: CityLayout, offered: Offers) -> None:
        self.context, self.city, self.layout, self.offered = context, city, layout, offered
        self.t = context.t
        self.towers = tower_boxes(layout, len(city.fortresses))
        self.berths = berth_boxes(layout, len(city.harbours), len(city.fortresses))

    def targets(self) -> list[Target]:
        """Return the places of this city where the deciding seat can build."""
        found: list[Target] = []
        by_site: dict[int, list[Offer]] = {}
        for offer in self.offered.builds:
            if offer.city != self.city.number or offer.preview is None:
                continue
            if offer.preview.site is not None:
                by_site.setdefault(offer.preview.site, []).append(offer)
            elif offer.preview.fortress is not None:
                box = self.towers[offer.preview.fortress]
                found.append(Target(offer, box, "tower", self._target_label(offer)))
        for site, here in by_site.items():
            boxes = _split(self.layout.spaces[site], len(here))
            found += [
                Target(offer, box, "site", self._target_label(offer), self._colour(offer) if len(here) > 1 else None)
                for offer, box in zip(here, boxes, strict=True)
            ]
        return found

    def _colour(self, offer: Offer) -> int | None:
        """Return the colour of the warehouse that would be placed."""
        colour = offer.preview.colour if offer.preview else None
        return None if colour is None else self.context.palette(colour)

    def _target_label(self, offer: Offer) -> str:
        """Describe an offer with its price and its change of the payday."""
        ahead = offer.preview
        assert ahead is not None
        words = f"{offer.words}, {offer.price}"
        if not self.context.forecast_of(ahead.seat):
            return words
        return self.t.text("{offer}, payday {change}", offer=words, change=change(ahead.gains[ahead.seat]))

    def ahead(self) -> list[ActionPreview]:
        """Return the previews of all actions that change this city."""
        found = [
            self._build_preview(offer, offer.preview)
            for offer in self.offered.builds
            if offer.city == self.city.number and offer.preview is not None
        ]
        legs = [offer for group in self.offered.sails.values() for offer in group if offer.city == self.city.number]
        if legs:
            found.append(self._sail_preview(legs))
        return found

    def _build_preview(self, offer: Offer, ahead: Preview) -> ActionPreview:
        """Return the preview of a warehouse or a fortress."""
        context, t = self.context, self.t
        lines = []
        numbers = []
        closes = house = tower = coin = None
        if ahead.closes is not None:
            site, colour = ahead.closes
            numbers.append(site + 1)
            closes = (self.layout.houses[site], context.palette(colour))
            lines.append(t.text("closes {owner} on site {site}", owner=context.owner(colour), site=site + 1))
        if ahead.pays is not None and ahead.pays[0] != ahead.pays[1]:
            lines.append(t.text("city pays {after} instead of {before}", before=ahead.pays[0], after=ahead.pays[1]))
        if ahead.site is not None and ahead.colour is not None:
            house = (self.layout.houses[ahead.site], context.palette(ahead.colour))
            numbers.append(ahead.site + 1)
        if ahead.coin is not None and ahead.coin != self.city.coin and ahead.pays is not None:
            coin = (self.layout.spaces[ahead.coin], ahead.pays[1])
        if ahead.fortress is not None:
            tower = (self.towers[ahead.fortress].middle(27.0), context.palette(ahead.seat))
        title = f"{offer.words}, {offer.price}"
        return ActionPreview(
            actions=offer.actions,
            title=title,
            lines=tuple(lines),
            house=house,
            tower=tower,
            coin=coin,
            closes=closes,
            gains=context.gains(ahead.gains),
            numbers=tuple(numbers),
        )

    def _sail_preview(self, legs: Sequence[Offer]) -> ActionPreview:
        """Return the preview of a ship that arrives."""
        ahead = preview(self.context.game, (int(legs[0].actions),))
        actions = " ".join(offer.actions for offer in legs)
        assert ahead.berth is not None
        space = ahead.berth[1]
        if space == TRANSIT:
            return ActionPreview(actions, self.t.text("{city} is full: sail on", city=self.city.name), ())
        berth = self.berths[space]
        ship = (moored(berth), self.context.palette(ahead.seat))
        cost = self.city.harbours[space].price
        title = self.t.text("Harbour {number}: a warehouse costs {price}", number=space + 1, price=cost)
        return ActionPreview(actions, title, (), ship=ship)


def _split(box: Box, count: int) -> list[Box]:
    """Divide a box among several actions at the same place."""
    columns = min(count, 2)
    rows = -(-count // columns)
    w, h = box.w / columns, box.h / rows
    return [
        Box(round(box.x + number % columns * w, 1), round(box.y + number // columns * h, 1), round(w, 1), round(h, 1))
        for number in range(count)
    ]


# ----------------------------------------------------------------------------------------------------------- routes


@dataclass(frozen=True)
class LegView:
    """A card and the city it leads to."""

    card: CardView
    city: str
    route: bool
    price: int  # 0 for a card in the hand


@dataclass(frozen=True)
class RouteBuild:
    """A build that is possible at the end of a route."""

    actions: str  # the whole way and the build
    site: int | None  # of a warehouse, from 1
    words: str
    price: str  # of all of it
    gains: tuple[Gain, ...]


@dataclass(frozen=True)
class RouteView:
    """A route to a city: its cards, its price, and the builds at its end."""

    legs: tuple[LegView, ...]
    actions: str  # without a build; nothing where the ship stays
    fare: int
    total: int
    harbour: int
    builds: tuple[RouteBuild, ...]


@dataclass(frozen=True)
class RoutesView:
    """All routes to a city that were found."""

    city: int
    name: str
    ways: tuple[RouteView, ...]

    @property
    def has_gains(self) -> bool:
        """Whether a build at the end of a route changes a payday that the viewer may see."""
        return any(build.gains for way in self.ways for build in way.builds)


@dataclass(frozen=True)
class NearCity:
    """A city where something could be built in this turn."""

    city: int
    name: str
    total: str  # what the way and the cheapest build cost
    gain: int  # what that would change for the one who acts on a payday now
    gain_words: str


def near_cities(context: ViewContext, most: int = 3) -> tuple[NearCity, ...]:
    """Return the cities where building costs least, among equals those that earn more."""
    seat = context.game.seat
    if seat is None:
        return ()
    found = [
        (way.total, -way.builds[0].gains[seat], city)
        for city, way in cheapest(context.game, most).items()
        if way.builds
    ]
    return tuple(
        NearCity(city, CITY_NAMES[city], price(total), -loss, change(-loss) if loss else "±0")
        for total, loss, city in sorted(found)[:most]
    )


def routes_view(table: Table, viewer: Viewer, city: int, ways: Sequence[Way]) -> RoutesView:
    """Return the routes to a city for the deciding seat."""
    context = ViewContext.of(table, viewer, table.game, acting=False)
    return RoutesView(city, CITY_NAMES[city], tuple(_route_view(context, way) for way in ways))


def _route_view(context: ViewContext, way: Way) -> RouteView:
    """Return the view of one route."""
    return RouteView(
        legs=tuple(
            LegView(card_view(context, leg.card), CITY_NAMES[leg.city], leg.use == "route", leg.price)
            for leg in way.legs
        ),
        actions=_actions(way.actions),
        fare=way.fare,
        total=way.total,
        harbour=way.berth + 1,
        builds=tuple(_route_build(context, way, build) for build in way.builds),
    )


def _actions(actions: Sequence[int]) -> str:
    """Write action numbers as the form sends them."""
    return " ".join(map(str, actions))


def _route_build(context: ViewContext, way: Way, build: BuildAtEnd) -> RouteBuild:
    """Return the view of a build at the end of a route."""
    return RouteBuild(
        actions=_actions((*way.actions, build.action)),
        site=None if isinstance(build.what, act.BuildFortress) else build.what.site + 1,
        words=_build_words(context, build),
        price=price(way.fare + build.cost),
        gains=context.gains(build.gains),
    )


def _build_words(context: ViewContext, build: BuildAtEnd) -> str:
    """Describe what would be built."""
    match what := build.what:
        case act.Build() | act.Reopen():
            return warehouse_words(context.t, what)
        case act.BuildFortress():
            return context.t.text("Fortress")
        case _:
            assert_never(what)


# ---------------------------------------------------------------------------------------------------------------- hints


@dataclass(frozen=True)
class SuggestionView:
    """A suggested move: its actions, how the turn would go on, and the money it brings."""

    actions: str
    words: str
    later: str  # how the turn would go on
    cost: int  # of all of it, now
    gains: tuple[Gain, ...]  # on a payday now
    win: int | None  # percent
    money: tuple[tuple[int, str, int], ...]  # expected at the end: colour, name, florins


@dataclass(frozen=True)
class HintView:
    """The suggestions of a computer player, and its level."""

    level: str
    suggestions: tuple[SuggestionView, ...]


def hint_view(table: Table, viewer: Viewer, suggestions: Sequence[Suggestion]) -> HintView:
    """Return a hint for the deciding seat."""
    context = ViewContext.of(table, viewer, table.game, acting=False)
    return HintView(
        level_name(adviser(table.game), viewer.t), tuple(_suggestion_view(context, each) for each in suggestions)
    )


def _suggestion_view(context: ViewContext, suggestion: Suggestion) -> SuggestionView:
    """Return a suggestion and how the turn would go on."""
    steps = [*suggestion.actions, *(step for step in suggestion.later if step != END)]
    told = labels(context.teller, context.game, steps)
    brings = preview(context.game, steps)
    return SuggestionView(
        actions=_actions(suggestion.actions),
        words=", ".join(told[: len(suggestion.actions)]),
        later=", ".join(told[len(suggestion.actions) :]),
        cost=brings.cost,
        gains=context.gains(brings.gains),
        win=None if suggestion.win is None else round(100 * suggestion.win),
        money=tuple(
            (context.palette(seat), context.teller.merchant(seat), round(money))
            for seat, money in enumerate(suggestion.money or ())
        ),
    )


# ---------------------------------------------------------------------------------------------------------- win chances


@dataclass(frozen=True)
class SeatChancesView:
    """What a merchant can expect."""

    colour: int
    name: str
    win: int  # percent
    money: int
    spread: int  # how far off that usually is


def chances_view(table: Table, viewer: Viewer, chances: Chances | None) -> tuple[SeatChancesView, ...]:
    """Return what every merchant can expect; nothing on a board that the network was not trained on."""
    if chances is None:
        return ()
    context = ViewContext.of(table, viewer, table.game, acting=False)
    return tuple(
        SeatChancesView(
            context.palette(seat), context.teller.merchant(seat), round(100 * win), round(money), round(spread)
        )
        for seat, (win, money, spread) in enumerate(zip(chances.win, chances.money, chances.spread, strict=True))
    )
