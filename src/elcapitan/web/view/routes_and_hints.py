"""The cheapest routes to a city, each with what can be built at its end, and hints of a strong computer player."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from elcapitan.actions import union as act
from elcapitan.engine.actions import END
from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.players.hints import Suggestion, adviser
from elcapitan.position.preview import preview
from elcapitan.position.routes import BuildAtEnd, RouteLeg, Way, cheapest
from elcapitan.service import Table
from elcapitan.text.actions import GROUPS, group, label
from elcapitan.text.names import level_name
from elcapitan.web.view.cards_and_bank import CardView, card_view
from elcapitan.web.view.context import Gain, ViewContext, change, price, warehouse
from elcapitan.web.viewer import Viewer


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
    return RoutesView(city, CITY_NAMES[city], tuple(_way(context, way) for way in ways))


def _way(context: ViewContext, way: Way) -> RouteView:
    """Return the view of one route."""
    return RouteView(
        legs=tuple(_leg(context, leg) for leg in way.legs),
        actions=_actions(way.actions),
        fare=way.fare,
        total=way.total,
        harbour=way.berth + 1,
        builds=tuple(_build(context, way, build) for build in way.builds),
    )


def _actions(actions: Sequence[int]) -> str:
    """Write action numbers as the form sends them."""
    return " ".join(map(str, actions))


def _leg(context: ViewContext, leg: RouteLeg) -> LegView:
    """Return the view of one card on a route."""
    return LegView(card_view(context, leg.card), CITY_NAMES[leg.city], leg.use == "route", leg.price)


def _build(context: ViewContext, way: Way, build: BuildAtEnd) -> RouteBuild:
    """Return the view of a build at the end of a route."""
    return RouteBuild(
        actions=_actions((*way.actions, build.action)),
        words=_words(context, build),
        price=price(way.fare + build.cost),
        gains=context.gains(build.gains),
    )


def _words(context: ViewContext, build: BuildAtEnd) -> str:
    """Describe what would be built."""
    match what := build.what:
        case act.Build(site, neutral):
            return warehouse(context.t, site, neutral=neutral, reopened=False)
        case act.Reopen(site, neutral):
            return warehouse(context.t, site, neutral=neutral, reopened=True)
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
    return HintView(level_name(adviser(), viewer.t), tuple(_advice(context, each) for each in suggestions))


def _advice(context: ViewContext, suggestion: Suggestion) -> SuggestionView:
    """Return a suggestion and how the turn would go on."""
    steps = [*suggestion.actions, *(step for step in suggestion.later if step != END)]
    told = _described(context, steps)
    brings = preview(context.game, steps)
    return SuggestionView(
        actions=" ".join(map(str, suggestion.actions)),
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


def _described(context: ViewContext, steps: Sequence[int]) -> list[str]:
    """Describe actions in the words of the menu, each in the position it would be played in."""
    game, told = context.game.copy(), []
    for step in steps:
        title = GROUPS[group(step, game.figures)]
        told.append(f"{context.t.template(title)}: {label(context.teller, game.position, step)}")
        game.play(step)
    return told
