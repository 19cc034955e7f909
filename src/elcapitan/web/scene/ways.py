"""The route finder's answer as it is shown: the cheapest ways to a city, each with what can be built at its end."""

from collections.abc import Sequence
from dataclasses import dataclass

from elcapitan.engine.actions import BUILD, REOPEN
from elcapitan.engine.vocabulary import CITY_NAMES, SITES
from elcapitan.routes import Build, Leg, Way, cheapest
from elcapitan.service import Table
from elcapitan.web.scene.cards import CardScene, card_scene
from elcapitan.web.scene.sight import Gain, Sight
from elcapitan.web.scene.words import change, price, warehouse
from elcapitan.web.viewer import Viewer


@dataclass(frozen=True)
class LegScene:
    """A card and where it leads."""

    card: CardScene
    city: str
    route: bool
    price: int  # 0 for a card in the hand


@dataclass(frozen=True)
class BuildScene:
    """What could be built on arrival."""

    actions: str  # the whole way and the build
    words: str
    price: str  # of all of it
    gains: tuple[Gain, ...]


@dataclass(frozen=True)
class WayScene:
    """A way to a city."""

    legs: tuple[LegScene, ...]
    actions: str  # without a build; nothing where the ship stays
    fare: int
    total: int
    harbour: int
    builds: tuple[BuildScene, ...]


@dataclass(frozen=True)
class WaysScene:
    """All that were found."""

    city: int
    name: str
    ways: tuple[WayScene, ...]


@dataclass(frozen=True)
class NearCity:
    """A city where something could be built in this turn."""

    city: int
    name: str
    total: str  # what the way and the cheapest build cost
    gain: int  # what that would change for the one who acts on a payday now
    gain_words: str


def near_cities(sight: Sight, most: int = 3) -> tuple[NearCity, ...]:
    """Where to build for little money: the cheapest cities, of equals those that earn more."""
    seat = sight.game.seat
    if seat is None:
        return ()
    found = [
        (way.total, -way.builds[0].gains[seat], city) for city, way in cheapest(sight.game, most).items() if way.builds
    ]
    return tuple(
        NearCity(city, CITY_NAMES[city], price(total), -loss, change(-loss) if loss else "±0")
        for total, loss, city in sorted(found)[:most]
    )


def ways_scene(table: Table, viewer: Viewer, city: int, ways: Sequence[Way]) -> WaysScene:
    """The ways to a city for the one who decides."""
    sight = Sight.of(table, viewer, table.game, acting=False)
    return WaysScene(city, CITY_NAMES[city], tuple(_way(sight, way) for way in ways))


def _way(sight: Sight, way: Way) -> WayScene:
    """One way."""
    return WayScene(
        legs=tuple(_leg(sight, leg) for leg in way.legs),
        actions=_actions(way.actions),
        fare=way.fare,
        total=way.total,
        harbour=way.berth + 1,
        builds=tuple(_build(sight, way, build) for build in way.builds),
    )


def _actions(actions: Sequence[int]) -> str:
    """Numbers as the form sends them."""
    return " ".join(map(str, actions))


def _leg(sight: Sight, leg: Leg) -> LegScene:
    """A card and where it leads."""
    return LegScene(card_scene(sight, leg.card), CITY_NAMES[leg.city], leg.use == "route", leg.price)


def _build(sight: Sight, way: Way, build: Build) -> BuildScene:
    """What could be built."""
    return BuildScene(
        actions=_actions((*way.actions, build.action)),
        words=_words(sight, build),
        price=price(way.fare + build.cost),
        gains=sight.gains(build.gains),
    )


def _words(sight: Sight, build: Build) -> str:
    """What would be built."""
    if build.family == "fortress":
        return sight.t.text("Fortress")
    reopened = build.family == "reopen"
    neutral, site = divmod(build.action - (REOPEN if reopened else BUILD), SITES)
    return warehouse(sight.t, site, neutral=bool(neutral), reopened=reopened)
