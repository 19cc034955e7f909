"""END: the end of the game."""

from tests.drawings import position

from elcapitan.game.game import Game

ENDING = "R 0 houses, 0 fortresses"


def test_the_game_ends_with_the_third_payday() -> None:
    """[END-01, END-02] By the same test as any phase and after a complete round; no decision is left."""
    red = position("4 players, phase 3, R to move \n R 1 house, 0 fortresses \n Marseille [R .]").play("build 1", "end")
    blue = red.play("loan 10", "loan 10")
    assert (blue.seat, blue.stage) == ("B", "start")
    over = blue.play("loan 10")
    assert (over.stage, over.legal()) == ("over", [])
    assert over.cash("R") == 20 - 4 + 4 + 1
    second = position(f"4 players, phase 2, B to move \n {ENDING}").play("loan 10")
    assert second.stage == "settling"


def test_all_loans_are_paid_back_in_the_end() -> None:
    """[END-03, G-29] At the amount now showing, without a decision: 12 and 20, or 16 and 30 if flipped before."""
    over = position(f"4 players, phase 3, B to move \n {ENDING}; owes 10 16 10! 16! \n R 100 florins").play("loan 10")
    assert over.cash("R") == 100 - 12 - 20 - 16 - 30
    assert over.cash("B") == 20 + 10 - 12
    assert "owes" not in over.drawing()


def test_bonus_cards_are_paid_in_the_end() -> None:
    """[END-04] 15, 10 and 5."""
    bonus = "R 1st bonus \n G 2nd bonus \n Y 3rd bonus"
    over = position(f"4 players, phase 3, B to move \n {ENDING} \n {bonus}").play("loan 10")
    assert [over.cash(letter) for letter in "RYG"] == [20 + 15, 20 + 5, 20 + 10]


def test_income_and_bonus_come_before_the_loans_and_a_debt_stands() -> None:
    """[G-29] Nothing flips for want of money: 20 is taken, income and bonus count, and less than zero is a result."""
    drawing = f"4 players, phase 3, B to move \n {ENDING} \n Y 0 florins{{}}; owes 16 \n Marseille R Y"
    poor = position(drawing.format("")).play("loan 10")
    assert poor.cash("Y") == 4 + 1 - 20
    assert Game.at_position(poor.states).ranks == [1, 4, 2, 3]
    assert position(drawing.format(", 1st bonus")).play("loan 10").cash("Y") == 15 + 4 + 1 - 20


def test_the_richest_wins() -> None:
    """[END-05] By money alone; before the end nobody has won."""
    before = position(f"4 players, phase 3, B to move \n {ENDING} \n Y 31 florins \n G 30 florins; hand Tunis/1")
    assert Game.at_position(before.states).winners == []
    assert Game.at_position(before.states).win_shares == [0, 0, 0, 0]
    assert Game.at_position(before.play("loan 10").states).winners == [1]


def test_equals_share_the_victory() -> None:
    """[G-31] There is no tie-break at the end."""
    over = position(f"4 players, phase 3, B to move \n {ENDING} \n Y 30 florins \n G 30 florins").play("loan 10")
    game = Game.at_position(over.states)
    assert (game.winners, game.ranks) == ([1, 2], [3, 1, 1, 4])
    assert game.win_shares == [0, 0.5, 0.5, 0]
