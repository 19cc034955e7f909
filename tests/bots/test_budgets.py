"""Budgets of searching players, and what they tell while they think."""

import statistics
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from tests.bots.asked_bots import BOARDS, FIGURES, legal_in, walk
from tests.drawings import position
from tests.playing import random_game

from elcapitan.bots import registry
from elcapitan.bots.bot import SLICE, Budget, Progress, SearchedPlan, Searcher, Style, View
from elcapitan.engine.actions import END
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.rng import generator
from elcapitan.engine.search.tree import BY_PLAY, BY_WORTH
from elcapitan.game.position_queries import without_secrets

QUICK = Style(BY_PLAY if COMPILED else BY_WORTH, 0)
HERE = (
    "4 players, R to move \n Tunis [R .] Y \n Display: Tanger/1, Napoli/1, Valencia/1, Napoli-Tunis, Tunis-Alexandria"
)
VIEW = View(without_secrets(position(HERE).states), BOARDS)


def searcher(
    progress: Progress | None = None, simulations: int | None = None, seconds: float | None = None
) -> Searcher:
    return Searcher(Budget(simulations, seconds), QUICK, progress=progress)


@pytest.mark.parametrize("simulations", [1, 2, 3, 17, 64, 400] if COMPILED else [1, 2, 9])
def test_so_many_simulations_and_no_more(simulations: int) -> None:
    """The first one finds the plans, each of the others tries one of them."""
    lines = searcher(simulations=simulations).lines(VIEW, generator(1))
    assert sum(line.visits for line in lines) == simulations - 1


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["navigator", "admiral"])
@pytest.mark.parametrize("milliseconds", [20, 60])
def test_thinking_time_is_kept(name: str, milliseconds: int) -> None:
    """Half of the decisions take no more than 20 ms too long, on a machine that may be busy."""
    over, under = [], []
    for seed in range(10):
        game = random_game(4, seed=seed, most=10 + 5 * seed)
        while len(game.legal()) == 1:
            game.play(game.legal()[0])
        bot = registry.create(f"{name}:ms={milliseconds}")
        began = time.perf_counter()
        bot.choose(View(game.view_for(0), BOARDS), game.legal(), generator(seed))
        elapsed = time.perf_counter() - began
        over.append(elapsed - milliseconds / 1000)
        under.append(milliseconds / 1000 - elapsed)
    assert statistics.median(over) < 0.020
    assert statistics.median(under) < 0.020, "the time is used"


@pytest.mark.compiled
def test_whichever_is_over_first_ends_the_search() -> None:
    few = searcher(simulations=50, seconds=60).lines(VIEW, generator(1))
    assert sum(line.visits for line in few) == 49
    began = time.perf_counter()
    searcher(simulations=10_000_000, seconds=0.05).lines(VIEW, generator(1))
    assert time.perf_counter() - began < 5


@pytest.mark.compiled
def test_progress_is_told_with_growing_numbers_and_the_best_line_first() -> None:
    told: list[tuple[int, list[SearchedPlan]]] = []

    def listen(done: int, lines: list[SearchedPlan]) -> bool:
        told.append((done, lines))
        return True

    final = searcher(listen, simulations=3000).lines(VIEW, generator(1))
    numbers = [done for done, _ in told]
    assert len(told) > 3 and numbers == sorted(set(numbers)) and numbers[0] == 1 and numbers[-1] < 3000
    for done, lines in told:
        assert sum(line.visits for line in lines) == done - 1
        assert [line.visits for line in lines] == sorted((line.visits for line in lines), reverse=True)
    assert sum(line.visits for line in final) == 2999


def test_progress_can_stop_at_once() -> None:
    asked: list[int] = []

    def stop(done: int, lines: list[SearchedPlan]) -> bool:
        asked.append(done)
        return False

    lines = searcher(stop, simulations=1_000_000).lines(VIEW, generator(1))
    assert asked == [1] and lines and sum(line.visits for line in lines) == 0


@pytest.mark.compiled
def test_a_stop_is_heeded_within_a_slice() -> None:
    """Whoever says stop waits for one slice of the search; generously measured."""
    times: list[float] = []

    def clock(done: int, lines: list[SearchedPlan]) -> bool:
        times.append(time.perf_counter())
        return len(times) < 60

    searcher(clock, simulations=10_000_000).lines(VIEW, generator(1))
    assert len(times) == 60
    gaps = [after - before for before, after in pairwise(times)]
    assert statistics.median(gaps) < 5 * SLICE


def test_a_budget_without_an_end_is_refused() -> None:
    with pytest.raises(ValueError, match="neither"):
        Budget()


def test_nobody_listens_means_no_stop() -> None:
    loud, silent = (searcher(each, simulations=5).lines(VIEW, generator(1)) for each in (lambda *_: True, None))
    assert loud == silent


def _check_lines(lines: list[SearchedPlan], view: View, legal: list[int]) -> None:
    keys = [(-line.visits, -line.win[view.seat]) for line in lines]
    assert keys == sorted(keys)
    assert len({line.actions for line in lines}) == len(lines)
    for line in lines:
        assert line.actions[0] in legal
        assert len(line.win) == len(line.money) == view.players
        assert all(0 <= chance <= 1 for chance in line.win) and sum(line.win) == pytest.approx(1)


@pytest.mark.parametrize("players", [2, 5])
def test_lines_are_sorted_and_tell_the_chances_of_everybody(players: int) -> None:
    seen = 0
    for _, states in walk(players, 2, seed=players, of_each=3 if COMPILED else 1):
        legal = legal_in(states)
        view = View(states, FIGURES.boards)
        lines = searcher(simulations=20 if COMPILED else 2).lines(view, generator(1))
        _check_lines(lines, view, legal)
        seen += 1
    assert seen >= (15 if COMPILED else 3)


def test_expected_money_is_in_florins_and_the_most_tried_line_is_played() -> None:
    """Blue moves last in the game: what it has then is what is expected."""
    last = position("""
        4 players, phase 3, R first, B done
        R 50 florins, 0 houses, 0 fortresses
        B 90 florins
        Tunis [B .] B
    """)
    view = View(without_secrets(last.states), BOARDS)
    line, *others = searcher(simulations=30 if COMPILED else 3).lines(view, generator(1))
    ending = next(each for each in (line, *others) if each.actions == (END,))
    assert ending.money == (50, 20, 20, 90 + 2 + 1)
    assert ending.win[3] > 0.9
    chosen = searcher(simulations=30 if COMPILED else 3).choose(view, legal_in(last.states), generator(1))
    assert chosen == line.actions[0]


@pytest.mark.parametrize("make", [lambda: registry.create("navigator:sims=2"), lambda: searcher(simulations=2)])
def test_a_single_legal_action_is_not_thought_about(make: Callable[[], Searcher]) -> None:
    only = position("4 players, R done \n R 0 florins \n Tunis [R .] R")
    dice = generator(1)
    assert make().choose(View(without_secrets(only.states), BOARDS), legal_in(only.states), dice) == END
    assert dice.tobytes() == generator(1).tobytes()


@pytest.mark.compiled
@pytest.mark.parametrize("spec", ["admiral", "admiral:ms=600000", "navigator:sims=10000000"])
def test_a_search_can_be_cut_short(spec: str) -> None:
    """It ends with the slice in which it hears that it is enough, and has a plan, whatever its budget."""
    legal = legal_in(VIEW.states)
    for slices in (1, 4):
        heard = iter([False] * (slices - 1))
        bot = registry.create(spec)
        bot.stop_when(lambda heard=heard: next(heard, True))  # type: ignore[misc]
        began = time.perf_counter()
        assert bot.choose(VIEW, legal, generator(1)) in legal
        assert time.perf_counter() - began < 20, "well under the budget, however busy the machine is"
