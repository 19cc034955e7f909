"""A plan is made once in a turn and followed to its end, as long as the game goes as it should."""

from collections.abc import Sequence

import pytest
from tests.bots.asked_bots import BOARDS
from tests.playing import random_game

from elcapitan.bots.bot import Budget, Planner, PlanOfTurn, SearchedPlan, Searcher, Style, View
from elcapitan.engine import think
from elcapitan.engine.actions import END, LOAN
from elcapitan.engine.rng import Generators, generator
from elcapitan.engine.search.tree import BY_WORTH
from elcapitan.game.game import Game


class Counting(Searcher):
    """A searching player that counts how often it searches."""

    searches = 0

    def lines(self, view: View, rng: Generators) -> list[SearchedPlan]:
        self.searches += 1
        return super().lines(view, rng)


def counting() -> Counting:
    return Counting(Budget(simulations=3), Style(BY_WORTH, 0))


def view_of(game: Game) -> View:
    return View(game.view_for(0), BOARDS)


def long_plan(game: Game) -> tuple[int, ...]:
    """A way to go through a turn with at least three steps, taken from the plans of a search."""
    plans = counting().lines(view_of(game), generator(1))
    return max((plan.actions for plan in plans), key=len)


@pytest.fixture
def game() -> Game:
    """A turn that is to begin, in which cards have to be bought."""
    game = Game.new(3, seed=11)
    assert len(long_plan(game)) >= 4
    return game


def follow(game: Game, plan: PlanOfTurn) -> int:
    """The next step of the plan, carried out."""
    step = plan.next_step(view_of(game), game.legal())
    assert step is not None
    game.play(step)
    return step


def test_a_plan_is_followed_step_by_step_and_then_forgotten(game: Game) -> None:
    plan, steps = PlanOfTurn(), long_plan(game)
    assert plan.next_step(view_of(game), game.legal()) is None
    game.play(plan.begin(view_of(game), game.legal(), steps))
    assert [follow(game, plan) for _ in steps[1:]] == list(steps[1:])
    assert plan.next_step(view_of(game), game.legal()) is None


def test_a_plan_is_dropped_after_an_undo(game: Game) -> None:
    plan, steps = PlanOfTurn(), long_plan(game)
    game.play(plan.begin(view_of(game), game.legal(), steps))
    follow(game, plan)
    game.undo()
    assert plan.next_step(view_of(game), game.legal()) is None
    game.undo_turn()
    assert plan.next_step(view_of(game), game.legal()) is None
    game.play(steps[0])
    game.play(steps[1])
    assert plan.next_step(view_of(game), game.legal()) == steps[2], "it fits again"


def test_a_plan_is_dropped_when_something_else_was_done(game: Game) -> None:
    plan, steps = PlanOfTurn(), long_plan(game)
    plan.begin(view_of(game), game.legal(), steps)
    other = next(action for action in game.legal() if action != steps[0])
    game.play(other)
    assert plan.next_step(view_of(game), [*game.legal(), steps[1]]) is None


def test_a_step_that_is_not_legal_is_never_taken(game: Game) -> None:
    """Not even where the position looks as it should."""
    plan, steps = PlanOfTurn(), long_plan(game)
    game.play(plan.begin(view_of(game), game.legal(), steps))
    without = [action for action in game.legal() if action != steps[1]]
    assert plan.next_step(view_of(game), without) is None
    impossible = next(action for action in (END, LOAN) if action not in game.legal())
    assert PlanOfTurn().begin(view_of(game), game.legal(), [impossible]) == game.legal()[0]


def _whole_turns(game: Game, choose: Sequence[Planner | Searcher], turns: int) -> list[int]:
    """Let computer players play some turns: the actions in each."""
    dice, lengths = generator(1), []
    for _ in range(turns):
        seat, round_no, length = game.seat or 0, game.round, 0
        while (game.seat, game.round) == (seat, round_no):
            game.play(choose[seat].choose(view_of(game), game.legal(), dice))
            length += 1
        lengths.append(length)
    return lengths


def test_a_search_serves_a_whole_turn() -> None:
    """Also where a single action is legal in between."""
    bots = [counting() for _ in range(3)]
    lengths = _whole_turns(random_game(3, seed=1, most=0), bots, 12)
    assert sum(bot.searches for bot in bots) == 12 and sum(lengths) > 30


def test_planners_think_once_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    thoughts = []
    kernel = think.think

    def counted(*arrays: object) -> int:
        thoughts.append(1)
        return int(kernel(*arrays))  # type: ignore[arg-type]

    monkeypatch.setattr(think, "think", counted)
    lengths = _whole_turns(Game.new(3, seed=2), [Planner("worth") for _ in range(3)], 12)
    assert len(thoughts) == 12 and sum(lengths) > 20


def test_after_an_undo_it_is_thought_about_anew(game: Game) -> None:
    bot, dice = counting(), generator(1)
    for _ in range(2):
        game.play(bot.choose(view_of(game), game.legal(), dice))
    assert bot.searches == 1
    game.undo()
    bot.choose(view_of(game), game.legal(), dice)
    assert bot.searches == 2
