"""The route finder: the cheapest ways to build in a city, with cards of the hand and of the display.

A way is found on a chart and then sailed on a copy of the position, where the engine decides about every purchase and
every leg. The chart comes from the rule that says where a card leads; whether a leg is legal, what it costs, where the
ship comes to lie and what can be built there is measured, never assumed.

The search is exact within its bounds. It looks at ways by their price, then by their legs, then by the cards of the
hand they use up, with a bound from below on what is still to be paid. A way that uses all the cards of another one,
and more, to come to the same place is left out; so is a dearer way that saves no card of the hand. Staying where the
ship lies uses no card: beside it only a cheaper way is offered, which comes back to a better harbour.
"""

import functools
import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from elcapitan.actions import union as act
from elcapitan.board.figures import Figures
from elcapitan.engine import play
from elcapitan.engine.actions import BUY, LEGS, SAIL
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import CITIES, MAIN_CITIES, MOST_FLORINS, PLACES
from elcapitan.game.game import Game
from elcapitan.game.position_queries import legal_in, position
from elcapitan.position.facts import bits
from elcapitan.position.preview import is_legal, totals

MOST_LEGS: Final = 4
MOST_NODES: Final = 4000  # far more than any position has needed
# One number orders ways: by florins, then legs, then cards of the hand.
FLORIN: Final = 10_000
LEG: Final = 100
HAND_CARD: Final = 1
UNREACHABLE: Final = 1 << 50

Edge = tuple[int, int, int]  # a card, what its leg adds to a way, and where it leads
Sketch = tuple[tuple[int, int], ...]  # cards and where each leads
Node = tuple[int, int, int, int, Sketch]  # at least so much in all, so much so far, the place, cards used, the way


@dataclass(frozen=True, slots=True)
class RouteLeg:
    """The journey made with one card."""

    card: int
    use: str  # destination, route or link
    city: int
    price: int  # what the card costs; 0 when it is in the hand


@dataclass(frozen=True, slots=True)
class BuildAtEnd:
    """What could be built or re-opened on arrival."""

    action: int
    what: act.BuildAction
    cost: int  # negative where the city pays more than it takes
    gains: tuple[int, ...]  # change of the payday forecast, every seat


@dataclass(frozen=True, slots=True)
class Way:
    """A voyage at whose end something can be built."""

    legs: tuple[RouteLeg, ...]
    actions: tuple[int, ...]  # every purchase and leg, and a pirate move where nothing can be built before it
    fare: int  # what the cards cost
    berth: int  # the harbour space, from 0
    builds: tuple[BuildAtEnd, ...]  # the cheapest first
    total: int  # the fare and the cheapest build
    hand_cards: int  # cards of the hand that are used up
    charge: int = 0  # protective charge that such a pirate move brings, not counted in the total


def ways_to(game: Game, city: int, most: int = 3) -> list[Way]:
    """The cheapest ways to build something in a city, at most so many, no two with the same cards.

    If the ship lies there already and something can be built at once, that is a way without legs.
    """
    return _Voyages(game).to(city, most) if game.seat is not None else []


def cheapest(game: Game, most: int = CITIES) -> dict[int, Way]:
    """The cheapest way to every city where something can be built in this turn; or only to the cheapest cities.

    Of cities that cost the same all are there, so there may be more than `most`.
    """
    if game.seat is None:
        return {}
    voyages = _Voyages(game)
    found: dict[int, Way] = {}
    for least, city in sorted((voyages.least(city), city) for city in bits(int(voyages.start["in_play"][0]))):
        if len(found) >= most and least > sorted(way.total for way in found.values())[most - 1]:
            break
        for way in voyages.to(city, 1):
            found[city] = way
    return found


AfterPirate = tuple[list[BuildAtEnd], int, int]  # what could be built after a pirate move, its charge, and the move


def _by_charge(after: AfterPirate) -> tuple[bool, int]:
    """Pirate moves compared: something can be built, and the charge."""
    builds, charge, _move = after
    return bool(builds), charge


class _Voyages:
    """Everything there is to know for voyages of the deciding seat."""

    def __init__(self, game: Game) -> None:
        assert game.seat is not None
        self.figures = game.figures
        self.seat = game.seat
        self.start = game.view_for(game.seat)
        self.desks = play.desks()
        self.place = int(self.start["ship_city"][0, self.seat])
        self.cash = int(self.start["cash"][0, self.seat])
        self.hand = int(self.start["hand"][0, self.seat])
        self.incomes = totals(self.start, game.figures)
        self.edges = self._edges(int(self.start["display"][0]), int(self.start["in_play"][0]))

    def to(self, city: int, most: int) -> list[Way]:
        """The cheapest ways to a city; a dearer one is among them only if it saves a card of the hand."""
        ways = self._stay() if self.place == city else []
        arrived: list[Way] = []
        spent: list[int] = []  # cards of the hand that each of them uses up
        for sketch in self._sketches(city):
            cards = self.hand & sum(1 << card for card, _city in sketch)
            if any(cards & fewer == fewer for fewer in spent):
                continue
            way = self._sailed(sketch)
            # What comes later ends in the same harbour with no more money: nothing to build then, or not for less.
            if way is None or (ways and way.total >= ways[0].total):
                break
            arrived.append(way)
            spent.append(cards)
            if len(arrived) == most:
                break
        return sorted(ways + arrived, key=lambda way: (way.total, len(way.legs), way.hand_cards))[:most]

    def least(self, city: int) -> int:
        """What building in a city costs at the least; an outer city may pay for that, so nothing is sure there."""
        if city >= MAIN_CITIES:
            return -MOST_FLORINS
        return 0 if self.place == city else self._bounds(city)[0][self.place] // FLORIN

    # ------------------------------------------------------------------------------------------------ on the chart

    def _edges(self, display: int, in_play: int) -> list[list[Edge]]:
        """From every place, where each card of the hand and of the display leads, and what that adds to a way."""
        chart, prices = _chart(self.figures), self.figures.board.card_price
        cards = [(card, LEG + HAND_CARD) for card in bits(self.hand)]
        cards += [(card, int(prices[card]) * FLORIN + LEG) for card in bits(display)]
        return [
            [(card, weight, target) for card, weight in cards for target in bits(chart[place][card] & in_play)]
            for place in range(PLACES)
        ]

    def _sketches(self, city: int) -> Iterator[Sketch]:
        """Ways to a city on the chart, the best first; whether they can be sailed is for the engine to say."""
        bounds = self._bounds(city)
        waiting = list(self._steps(bounds, 0, self.place, 0, ()))
        heapq.heapify(waiting)
        # The sets of cards with which a place was reached. A ship that comes back may find a better harbour.
        seen: dict[int, list[int]] = defaultdict(list, {} if self.place == city else {self.place: [0]})
        for _node in range(MOST_NODES):
            if not waiting:
                return
            _bound, weight, place, used, legs = heapq.heappop(waiting)
            if any(used & fewer == fewer for fewer in seen[place]):
                continue
            seen[place].append(used)
            if place == city:
                yield legs
            else:
                for step in self._steps(bounds, weight, place, used, legs):
                    heapq.heappush(waiting, step)

    def _steps(
        self, bounds: tuple[list[int], list[int]], weight: int, place: int, used: int, legs: Sketch
    ) -> Iterator[Node]:
        """One leg more, if the goal stays within the purse and within so many legs."""
        dearest, legs_left = (max(self.cash, 0) + 1) * FLORIN, MOST_LEGS - len(legs) - 1
        weights, hops = bounds
        for card, more, target in self.edges[place]:
            bound = weight + more + weights[target]
            if bound < dearest and hops[target] <= legs_left and not used >> card & 1:
                yield bound, weight + more, target, used | 1 << card, (*legs, (card, target))

    def _bounds(self, city: int) -> tuple[list[int], list[int]]:
        """From every place the least a way to the city can add, and the fewest legs, were cards never used up."""
        added, hops = self._all_bounds
        return added[city], hops[city]

    @functools.cached_property
    def _all_bounds(self) -> tuple[list[list[int]], list[list[int]]]:
        """The bounds of all cities at once, city by city."""
        added, hops = (np.where(np.eye(PLACES, dtype=bool), 0, UNREACHABLE) for _ in range(2))
        hop = self._lightest // UNREACHABLE * UNREACHABLE + 1
        for _leg in range(MOST_LEGS):
            added = np.minimum(added, (self._lightest + added[:, np.newaxis]).min(axis=2))
            hops = np.minimum(hops, (hop + hops[:, np.newaxis]).min(axis=2))
        return added.tolist(), hops.tolist()

    @functools.cached_property
    def _lightest(self) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """From each place to each other in one leg: the least that adds, or UNREACHABLE."""
        lightest = np.full((PLACES, PLACES), UNREACHABLE)
        for place, edges in enumerate(self.edges):
            for _card, more, target in edges:
                lightest[place, target] = min(lightest[place, target], more)
        return lightest

    # ------------------------------------------------------------------------------------------------------- at sea

    def _stay(self) -> list[Way]:
        """Building where the ship lies."""
        way = self._arrival(self.start, (), ())
        return [way] if way else []

    def _sailed(self, sketch: Sketch) -> Way | None:
        """A way of the chart, carried out step by step; None if it does not end in building something."""
        states = position(self.start.tobytes())
        actions: list[int] = []
        legs = []
        for card, city in sketch:
            price = 0
            if not self.hand >> card & 1:
                had = self._cash(states)
                if not self._do(states, BUY + card, actions):
                    return None
                price = had - self._cash(states)
            uses = _uses(self.figures)[card, city]
            leg = next((leg for leg in uses if self._do(states, SAIL + leg, actions)), None)
            if leg is None:
                return None
            legs.append(RouteLeg(card, act.decode_leg(leg, self.figures).use, city, price))
        return self._arrival(states, tuple(legs), tuple(actions))

    def _do(self, states: States, action: int, actions: list[int]) -> bool:
        """Carry an action out and note it, if it is legal."""
        if not is_legal(states, self.figures, self.desks, action):
            return False
        play.apply(states, 0, self.figures.boards, action)
        actions.append(action)
        return True

    def _arrival(self, states: States, legs: tuple[RouteLeg, ...], actions: tuple[int, ...]) -> Way | None:
        """A voyage that ends here, if something can be built."""
        legal = legal_in(states, self.figures, self.desks)
        fare = self.cash - self._cash(states)
        builds = self._builds(states, legal)
        charge = 0
        if not builds:
            moves = [each for each in legal if isinstance(act.decode(each, self.figures), act.MovePirateFree)]
            builds, charge, move = max(
                (self._after_pirate(states, move) for move in moves), default=([], 0, 0), key=_by_charge
            )
            actions = (*actions, move)
        if not builds:
            return None
        return Way(
            legs=legs,
            actions=actions,
            fare=fare,
            berth=int(states["ship_space"][0, self.seat]),
            builds=tuple(builds),
            total=fare + builds[0].cost,
            hand_cards=sum(self.hand >> leg.card & 1 for leg in legs),
            charge=charge,
        )

    def _after_pirate(self, states: States, move: int) -> AfterPirate:
        """What can be built after a free move of the pirate, where the purse alone is too light, and its charge."""
        after = self._after(states, move)
        builds = self._builds(after, legal_in(after, self.figures, self.desks))
        return builds, self._cash(after) - self._cash(states), move

    def _builds(self, states: States, legal: Sequence[int]) -> list[BuildAtEnd]:
        """Everything that can be built here, the cheapest first, of equals what earns more."""
        builds = []
        for action in legal:
            what = act.decode(action, self.figures)
            if isinstance(what, act.BuildAction):
                after = self._after(states, action)
                gains = (new - old for old, new in zip(self.incomes, totals(after, self.figures), strict=True))
                cost = self._cash(states) - self._cash(after)
                builds.append(BuildAtEnd(action, what, cost, tuple(gains)))
        return sorted(builds, key=lambda build: (build.cost, -build.gains[self.seat], build.action))

    def _after(self, states: States, action: int) -> States:
        """The position after a legal action."""
        after = position(states.tobytes())
        play.apply(after, 0, self.figures.boards, action)
        return after

    def _cash(self, states: States) -> int:
        """The money of the seat."""
        return int(states["cash"][0, self.seat])


@functools.cache
def _chart(figures: Figures) -> list[list[int]]:
    """From every place the cities that each card leads to, as bits, in play or not."""
    leads: list[list[int]] = figures.board.leads.tolist()
    return leads


@functools.cache
def _uses(figures: Figures) -> dict[tuple[int, int], list[int]]:
    """The legs that take a ship to a city with a card; as a destination comes first."""
    uses = defaultdict(list)
    for number in range(LEGS):
        leg = act.decode_leg(number, figures)
        uses[leg.card, leg.city].append(number)
    return uses
