"""A turn as a list of steps: whose turn it is, what steps cost and bring, and the first that does not work."""

import pytest
from tests.playing import game_with_voyage, random_game

from elcapitan.actions.text import from_text
from elcapitan.engine.actions import END
from elcapitan.game.game import Game
from elcapitan.game.history import turn_of
from elcapitan.position.planned_turn import planned_turn
from elcapitan.position.routes import cheapest


def way_and_build(game: Game) -> tuple[int, ...]:
    """Purchases, legs and a build that are possible in a turn."""
    way = min(cheapest(game).values(), key=lambda way: way.total)
    return (*way.actions, way.builds[0].action)


def game_in_a_turn(seed: int = 1, players: int = 3) -> Game:
    """A game in whose running turn something can be built."""
    for more in range(100):
        game = random_game(players, seed=seed + more, most=40)
        if game.seat is not None and game.stage == "start" and cheapest(game, 1):
            return game
    raise AssertionError("nobody can build")


# --------------------------------------------------------------------------------------------- a seat's next turn


def test_the_next_turn_of_a_seat_begins_in_the_same_position() -> None:
    game = game_in_a_turn()
    assert game.seat is not None
    before = game.position.tobytes()
    for seat in range(game.players):
        ahead = game.in_turn_of(seat)
        assert ahead is not None and ahead.seat == seat and ahead.stage == "start"
        assert ahead.money == game.money and ahead.view_for(0)["display"] == game.view_for(0)["display"]
        assert ahead.position.hand.tolist() == game.position.hand.tolist()
        assert ahead.legal()
        passed = [(game.seat + step) % game.players for step in range(1, game.players + 1)]
        passed = passed[: passed.index(seat) + 1]
        assert ahead.round == game.round + (int(game.position.starter) in passed)
    assert game.position.tobytes() == before


def test_it_does_not_begin_before_a_payday_or_after_the_end() -> None:
    dice_games = (random_game(2, seed=seed) for seed in range(3))
    for over in dice_games:
        assert over.over and over.in_turn_of(0) is None
        while over.stage not in ("settling", "naming"):
            over.take_back()
        assert over.in_turn_of(0) is None and over.in_turn_of(1) is None
        while over.stage != "done":
            over.take_back()
        # A payday follows this very turn: so no other seat plays before it.
        assert over.seat is not None and over.in_turn_of(1 - over.seat) is None
    assert game_in_a_turn().in_turn_of(7) is None


def test_a_voyage_of_the_pirate_that_has_not_landed_is_left_out() -> None:
    game, voyage = game_with_voyage()
    before = game.position.tobytes()
    assert game.seat is not None
    game.play(voyage[0])
    ahead = game.in_turn_of((game.seat + 1) % game.players)
    assert ahead is not None and int(ahead.position.pirate_at) == -1
    assert ahead.event_count == game.event_count
    game.undo()
    assert game.position.tobytes() == before


# ---------------------------------------------------------------------------------------------------------- steps


def test_steps_cost_and_bring_what_playing_them_does() -> None:
    game = game_in_a_turn()
    assert game.seat is not None
    actions = way_and_build(game)
    plan = planned_turn(game, actions)
    assert plan.problem is None and plan.left == () and plan.actions == actions and plan.ends_with is None
    played = game.copy()
    for step in plan.steps:
        purse = played.money[game.seat]
        assert step.before.position.tobytes() == played.position.tobytes()
        played.play_all(step.actions)
        assert purse - played.money[game.seat] == step.cost
    assert plan.cost == game.money[game.seat] - played.money[game.seat]
    totals = [each.forecast()[game.seat].total for each in (game, played)]
    assert plan.gain == totals[1] - totals[0]
    assert plan.game.position.tobytes() == played.position.tobytes()


def test_the_first_step_that_does_not_work_is_told_with_its_reason() -> None:
    game = game_in_a_turn()
    actions = way_and_build(game)
    plan = planned_turn(game, (*actions, actions[-1], actions[0]))
    assert plan.actions == actions and plan.left == (actions[-1], actions[0])
    assert plan.problem is not None and plan.problem.rule == "TURN-04"


def test_an_action_that_ends_the_turn_comes_last() -> None:
    for seed in range(100):
        game = random_game(3, seed=seed, most=40)
        (loan,) = from_text("loan 10", game.figures)
        if loan in game.legal():
            break
    plan = planned_turn(game, [loan])
    assert plan.ends_with == loan and plan.cost == -10 and plan.problem is None
    assert turn_of(plan.game.position) == turn_of(game.position)
    late = planned_turn(game, [loan, END])
    assert late.left == (END,) and late.problem is not None and late.problem.reason == "after-the-turn"


def test_a_voyage_of_the_pirate_is_one_step() -> None:
    game, voyage = game_with_voyage(cards=2)
    plan = planned_turn(game, voyage)
    assert [step.actions for step in plan.steps] == [tuple(voyage)] and plan.problem is None


@pytest.mark.parametrize("number", [-1, 10**6])
def test_what_is_no_action_does_not_work(number: int) -> None:
    plan = planned_turn(game_in_a_turn(), [number])
    assert plan.problem is not None and plan.left == (number,)
