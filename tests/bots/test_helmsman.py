"""The helmsman: plans drawn by the network's judgement, more or less closely."""

import math
from collections import Counter

import pytest
from tests.bots.asked_bots import BOARDS, turn, views_of_two_orders
from tests.drawings import position
from tests.playing import other_board, random_game

from elcapitan.bots import champion, registry
from elcapitan.bots.bot import SearchedPlan, View
from elcapitan.bots.champion import MONEY_COUNTS, Champion, Helmsman, temperature
from elcapitan.engine.network.turns import MONEY_UNIT
from elcapitan.engine.rng import generator

pytestmark = pytest.mark.compiled  # the champion's tests cover what is the same interpreted
HERE = "3 players, R to move\n Tunis [R .]"


def helmsman(strength: int) -> Helmsman:
    bot = registry.create(f"helmsman:strength={strength}")
    assert isinstance(bot, Helmsman)
    return bot


def plan(strength: int, view: View, seed: int = 1) -> tuple[int, ...]:
    return tuple(helmsman(strength).new_plan(view, generator(seed)))


def valued(view: View) -> list[SearchedPlan]:
    """The plans as the network alone values them."""
    bot = registry.create("champion:sims=1")
    assert isinstance(bot, Champion)
    return bot.lines(view, generator(1))


def test_equal_steps_of_strength_are_equal_factors_of_temperature() -> None:
    steps = [temperature(strength) / temperature(strength + 10) for strength in range(0, 100, 10)]
    assert steps == pytest.approx([steps[0]] * 10) and steps[0] > 1
    assert (temperature(0), temperature(100)) == pytest.approx((champion.HOTTEST, champion.COLDEST))


@pytest.mark.parametrize("strength", [0, 40, 80])
def test_plans_are_drawn_by_what_the_network_thinks_of_them(strength: int) -> None:
    here = random_game(3, seed=8, most=40)
    assert here.seat is not None
    view, draws = View(here.view_for(here.seat), BOARDS), 1500
    plans, mine = valued(view), here.seat
    liking = [
        each.win[mine] + MONEY_COUNTS * (each.money[mine] - (sum(each.money) - each.money[mine]) / 2) / MONEY_UNIT
        for each in plans
    ]
    weights = [math.exp((each - max(liking)) / temperature(strength)) for each in liking]
    drawn = Counter(plan(strength, view, seed) for seed in range(draws))
    assert len(plans) > 5 and set(drawn) <= {each.actions for each in plans}
    for each, weight in zip(plans, weights, strict=True):
        chance = weight / sum(weights)
        assert drawn[each.actions] / draws == pytest.approx(chance, abs=4 * math.sqrt(chance / draws) + 0.005)


def test_the_seed_decides() -> None:
    view = View(position(HERE).states, BOARDS)
    assert plan(0, view) == plan(0, view)
    assert len({plan(0, view, seed) for seed in range(8)}) > 1
    dice, bot = generator(1), helmsman(0)
    assert len({tuple(bot.new_plan(view, dice)) for _ in range(8)}) > 1, "and the dice go on"


def test_a_turn_is_played_as_it_was_drawn_and_drawn_anew_after_an_undo() -> None:
    done = turn("helmsman:strength=50", HERE)
    assert done[-1] == "end" and done == turn("helmsman:strength=50", HERE)
    half = position(HERE).play(done[0])
    assert turn("helmsman:strength=100", half)[-1] == "end", "another player begins in the middle of the turn"


def test_the_order_of_face_down_cards_makes_no_difference() -> None:
    for seed in range(3):
        one, other = (plan(30, view, seed) for view in views_of_two_orders())
        assert one == other


def test_on_another_board_it_plays_as_the_captain() -> None:
    view = View(position(HERE).states, other_board().boards)
    captain = registry.create("captain")
    assert plan(0, view) == plan(100, view) == tuple(captain.new_plan(view, generator(1)))  # type: ignore[attr-defined]
