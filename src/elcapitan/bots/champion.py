"""The champion: a network values the position after every plan of the turn, alone or after playing on from it.

With a budget, the best plans are played on for some turns of all players, by the same network and with the face-down
cards dealt anew each time, and valued there. The others draw their turns by temperature: they may think otherwise, and
what a plan is worth should not hang on the very answers of the network. In every round the better half of the plans is
left, so that most of the budget goes to those that are nearly as good as the best. A simulation is one plan played on
once.
"""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import numpy as np

from elcapitan.bots.bot import NO_TREE, Budget, Planner, PlanOfTurn, Progress, SearchedPlan, Searcher, View, weights
from elcapitan.bots.network import Network, packaged_network
from elcapitan.engine import play, think
from elcapitan.engine.network.evaluate import Layers, choose_best, choose_turns, evaluate, liking
from elcapitan.engine.network.turns import (
    MONEY_UNIT,
    NOTHING_CHOSEN,
    OUTCOMES,
    Offer,
    Offering,
    dealing,
    empty_rows,
)
from elcapitan.engine.record import Float32s, Float64s, Int16s, zeros
from elcapitan.engine.rng import Generators
from elcapitan.engine.search.tree import START_OF_SEARCH
from elcapitan.engine.search.worth import PLANS
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import SEATS

MONEY_COUNTS: Final = 0.03  # 100 florins more than the others count as much as this chance to win
CANDIDATES: Final = 12  # the best plans, from which games are played on
ROUNDS: Final = 3  # after each of them half of these plans are left
TURNS: Final = 8  # of all players together, that are played on
GAMES_AT_ONCE: Final = 4  # for each of these plans
OTHERS_TEMPERATURE: Final = 0.04  # at which the others draw their turns meanwhile
WORD_COUNTS: Final = 8  # games: what the network says of a plan, beside what came of it
HOTTEST: Final = 0.15  # temperature at strength 0: about as strong as a wanderer
COLDEST: Final = 0.01  # at strength 100: nearly as strong as the network alone; measured in docs/levels.md


def temperature(strength: int) -> float:
    """Return the temperature at which a helmsman of this strength, from 0 to 100, draws its plans."""
    return HOTTEST * math.pow(COLDEST / HOTTEST, strength / 100)


class ParallelGames:
    """Simulated games of one player, advanced in parallel, turn by turn, by one network."""

    def __init__(self, most: int) -> None:
        """Allocate the arrays for so many games."""
        self._room = play.states(most), zeros(Offer, most), np.zeros(most, np.int16), np.zeros(most, np.int32)
        self.outcomes: Float32s = np.zeros((0, OUTCOMES), np.float32)
        self._lines, self._desks, self._buffers = think.lines(), play.desks(), think.search_buffers()
        self._rows = empty_rows(most * PLANS)  # so that no game has to wait for another

    def begin(self, view: View, layers: Layers, g: Generators, count: int = 1, *, reshuffled: bool = False) -> None:
        """Begin so many games in the position of the view, with nothing chosen yet."""
        games, offers, chosen, best = self._room
        self.games, self.offers, self.chosen, self._best = games[:count], offers[:count], chosen[:count], best[:count]
        self.games[:] = view.states[0]
        self._seat, self.luck = view.seat, np.zeros((count, OUTCOMES))
        self.chosen[:] = NOTHING_CHOSEN
        self._layers = layers
        self._arrays = think.SearchArrays(
            self._lines, view.boards, self._desks, self._buffers, weights("worth"), g, NO_TREE
        )
        self._offering = Offering(
            self.offers, self.chosen, self._lines, self._rows, dealing(count, reshuffled=reshuffled)
        )

    def advance(self) -> None:
        """Carry out what was chosen, value the next turns, and choose."""
        count = think.offer_turns(self.games, self._arrays, self._offering)
        rows = self._rows
        self.outcomes = evaluate(rows.features[:count], self._layers)
        over = rows.over[:count] == 1
        self.outcomes[over] = rows.outcome[:count][over]
        offers, players = self.offers, self.games["players"]
        choose_turns(offers["first"], offers["plans"], players, self.outcomes, MONEY_COUNTS, self.chosen, self._best)

    def let_others_draw(self, dice: np.random.Generator) -> None:
        """Draw the turns of all seats but the one that thinks by temperature, instead of those that were chosen.

        `luck` gets what the draws have changed in the outcome that was to be expected of them: without it, an outcome
        is as right on average, and half as scattered.
        """
        offers, players, seats = self.offers, int(self.games[0].players), self.games["seat"]
        offered = np.flatnonzero(offers["plans"])
        if not offered.size:
            return
        first, plans = offers["first"][offered], offers["plans"]
        liked = liking(self.outcomes, players, MONEY_COUNTS) / OTHERS_TEMPERATURE
        noise = dice.gumbel(size=len(liked)) * np.repeat(seats != self._seat, plans)  # so the highest is one by softmax
        choose_best(offers["first"], plans, liked + noise, self.chosen, self._best)
        odds = np.exp(liked - np.repeat(np.maximum.reduceat(liked, first), plans[offered]))[:, None]
        expected = np.add.reduceat(odds * self.outcomes, first) / np.add.reduceat(odds, first)
        luck = self.outcomes[self._best[offered]] - expected
        for seat in set(range(players)) - {self._seat}:
            theirs = seats[offered] == seat
            self.luck[offered[theirs]] += rotated(luck[theirs], seat, players)

    def seen_from(self, seats: Sequence[int]) -> Float32s:
        """Return the outcome of the first game as it stands, seen from each of these seats; those begin with it."""
        games = cast("States", np.repeat(self.games[:1], len(seats)))
        offering = self._offering._replace(chosen=np.array(seats, np.int16))
        count = think.see_positions(games, self._arrays, offering)
        return evaluate(self._rows.features[:count], self._layers)

    def captains_estimate(self) -> Float64s:
        """Return what each seat of the first game will have by a captain's estimate, after the plan it likes best."""
        self._arrays.lines[START_OF_SEARCH] = self.games[0]
        best = think.think(self._arrays)
        found: Float64s = self._arrays.buffers[0].worth[best].copy()
        return found

    def outcomes_by_seat(self) -> Float32s:
        """Return the outcome of every game: how it has ended, or what is expected of the turn chosen in it."""
        found = np.zeros((len(self.games), OUTCOMES), np.float32)
        ended, outcome = self._offering.dealing.ended, self._offering.dealing.outcome
        for i, best in enumerate(self._best.tolist()):
            if ended[i]:
                found[i] = outcome[i]
            elif best >= 0:
                game = self.games[i]
                found[i] = rotated(self.outcomes[best : best + 1], int(game.seat), int(game.players))[0]
        return found


def rotated(outcomes: Any, by: int, players: int) -> Any:
    """Rotate the values of all seats by so many seats.

    Rotated by the number of a seat, outcomes as this seat sees them become outcomes by seat.
    """
    found = np.zeros_like(outcomes)
    for begin in (0, SEATS):
        found[:, begin : begin + players] = np.roll(outcomes[:, begin : begin + players], by, axis=1)
    return found


def value_plans(
    game: ParallelGames, view: View, rng: Generators, network: Network
) -> tuple[list[tuple[int, ...]], Float32s]:
    """Return the plans of a turn and the outcome of each as the deciding seat sees it; `game` is for one game."""
    game.begin(view, network.layers, rng)
    game.advance()
    offer = game.offers[0]
    plans = [tuple(offer.steps[k][: offer.length[k]].tolist()) for k in range(int(offer.plans))]
    return plans, game.outcomes[: len(plans)]


class Champion(Searcher):
    """Plays by a network; on a board that it was not trained on, asks the player `instead`."""

    def __init__(
        self,
        instead: Searcher,
        budget: Budget | None = None,
        network: Network | None = None,  # instead of those that come with the package
        progress: Progress | None = None,
    ) -> None:
        self._instead, self._limit, self._progress = instead, budget, progress
        self._given = network
        self._one, self._many = ParallelGames(1), ParallelGames(CANDIDATES * GAMES_AT_ONCE)
        self._plan = PlanOfTurn()
        self._enough: Callable[[], bool] = lambda: False

    def stop_when(self, enough: Callable[[], bool]) -> None:
        """Stop thinking soon after `enough` returns true, even if the budget is not used up."""
        self._enough = enough
        self._instead.stop_when(enough)

    def new_plan(self, view: View, rng: Generators) -> Sequence[int]:
        """Return the actions of the best plan."""
        self.searched = self.lines(view, rng)
        return self.searched[0].actions

    def lines(self, view: View, rng: Generators) -> list[SearchedPlan]:
        """Return the plans for this turn with what is expected of them, the best first."""
        network = self._given or packaged_network(view.players)
        if not network.fits(view.boards):
            return self._instead.lines(view, rng)
        begin = time.perf_counter()
        plans, valued = value_plans(self._one, view, rng, network)
        order = np.argsort(-liking(valued, view.players, MONEY_COUNTS), kind="stable")
        by_seat = rotated(valued, view.seat, view.players)
        found = [_plan(plans[k], 0, by_seat[k], view) for k in order.tolist()]
        most = _most_candidates(self._limit)
        if self._limit is None or len(plans) == 1 or most == 1:
            return found
        spent = SpentBudget(self._limit, begin)
        return self._played_on(view, rng, network, order[:most].astype(np.int16), found, by_seat[order[:most]], spent)

    def _played_on(
        self,
        view: View,
        rng: Generators,
        network: Network,
        order: Int16s,
        found: list[SearchedPlan],
        word: Any,
        spent: "SpentBudget",
    ) -> list[SearchedPlan]:
        """Play on from the best plans until the budget is used up; return them by what came of it, then the others.

        The network's word for a plan counts as much as some games, because a few games alone say less than it does.
        Those from which more was played on come first: they were still the best when the others were left out.
        """
        sums, games = np.zeros((len(order), OUTCOMES)), np.zeros(len(order), np.int64)
        best, left = found[: len(order)], np.arange(len(order))
        for round_number in range(ROUNDS):
            while each := spent.next_batch(len(left), round_number):
                sums[left] += self._outcomes(view, rng, network, order[left], each)
                games[left] += each
                values = (sums + WORD_COUNTS * word) / (games[:, None] + WORD_COUNTS)
                liked = liking(rotated(values, -view.seat, view.players), view.players, MONEY_COUNTS)
                ranked = np.lexsort((-liked, -games))
                best = [_plan(found[k].actions, int(games[k]), values[k], view) for k in ranked.tolist()]
                if self._enough() or (self._progress is not None and not self._progress(spent.games, best)):
                    return [*best, *found[len(order) :]]
            if games.any():
                left = ranked[: max(2, math.ceil(len(left) / 2))]
        return [*best, *found[len(order) :]]

    def _outcomes(self, view: View, rng: Generators, network: Network, order: Int16s, each: int) -> Float64s:
        """Play on from each plan in so many games; return the sum of their outcomes for each plan."""
        many, dice = self._many, np.random.default_rng(rng[0].rng.tolist())
        many.begin(view, network.layers, rng, each * len(order), reshuffled=True)
        many.offers[:] = self._one.offers[0]
        many.chosen[:] = np.repeat(order, each)
        for _ in range(TURNS):
            many.advance()
            many.let_others_draw(dice)
        many.advance()
        found: Float64s = (many.outcomes_by_seat() - many.luck).reshape(len(order), each, -1).sum(axis=1)
        return found


def _most_candidates(budget: Budget | None) -> int:
    """Return from how many plans to play on, so that the budget allows one game of each in every round."""
    if budget is None or budget.simulations is None:
        return CANDIDATES
    return max(1, min(CANDIDATES, budget.simulations // ROUNDS))


class Helmsman(Planner):
    """Draws one of its plans, the likelier the more the network likes it; plays like a captain on an unknown board."""

    def __init__(self, strength: int) -> None:
        super().__init__("worth")
        self._game = ParallelGames(1)
        self._temperature = temperature(strength)

    def new_plan(self, view: View, rng: Generators) -> Sequence[int]:
        """Draw a plan and return its actions."""
        network = packaged_network(view.players)
        if not network.fits(view.boards):
            return super().new_plan(view, rng)
        plans, valued = value_plans(self._game, view, rng, network)
        liked = liking(valued, view.players, MONEY_COUNTS)
        chances = np.exp((liked - liked.max()) / self._temperature).cumsum()
        drawn = np.random.default_rng(rng[0].rng.tolist()).random()  # rules cannot be called from here
        return plans[int(np.searchsorted(chances, chances[-1] * drawn, side="right"))]


class SpentBudget:
    """Counts how much of a budget is spent: games played on, one simulation each, and time."""

    def __init__(self, budget: Budget, begin: float) -> None:
        self._budget, self._begin, self.games = budget, begin, 0

    def next_batch(self, plans: int, round_number: int) -> int:
        """Return how many games to play on from each plan now; 0 if a batch would not fit into this round's budget."""
        each, rounds = GAMES_AT_ONCE, round_number + 1
        if self._budget.simulations is not None:
            each = min(each, (self._budget.simulations * rounds // ROUNDS - self.games) // plans)
        if self._budget.seconds is not None and self.games:
            elapsed = time.perf_counter() - self._begin
            if elapsed * (self.games + each * plans) / self.games > self._budget.seconds * rounds / ROUNDS:
                return 0
        self.games += each * plans
        return each


def _plan(actions: tuple[int, ...], visits: int, outcome: Any, view: View) -> SearchedPlan:
    """Combine a plan and its expected outcome."""
    win = tuple(np.clip(outcome[: view.players].astype(float), 0, 1).tolist())  # without luck it may be a bit beyond
    money = tuple(np.round(outcome[SEATS : SEATS + view.players].astype(float) * MONEY_UNIT, 1).tolist())
    return SearchedPlan(actions, visits, win, money)
