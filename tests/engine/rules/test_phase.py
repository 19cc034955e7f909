"""PHASE: when a phase ends; rounds, passes and the display at the end of a turn."""

import pytest
from tests.drawings import position

ALL_LENT = "Y 0 florins; owes 18x10 12x16"  # the bank has no loan cards left


@pytest.mark.parametrize(
    ("stock", "over"),
    [("0 houses, 0 fortresses", True), ("1 house, 0 fortresses", False), ("0 houses, 1 fortress", False)],
)
def test_a_phase_is_over_when_somebody_has_built_everything(stock: str, over: bool) -> None:
    """[PHASE-01, PHASE-04] No warehouse and no fortress in stock: the payday comes. One piece left: it does not."""
    after = position(f"4 players, B to move \n Y {stock} \n Marseille Y").play("loan 10")
    assert after.stage == ("settling" if over else "start")
    assert after.cash("Y") == 20 + (4 + 1 if over else 0)  # first rank in Marseille and one city on the chart


def test_the_running_round_is_finished() -> None:
    """[PHASE-02, G-59] Yellow's last piece: Green and Blue have their turns, Red, who began, has no other."""
    last_piece = position("4 players, Y to move \n Y 1 house, 0 fortresses \n Marseille [Y .]").play("build 1")
    assert last_piece.legal() == ["end"]
    green = last_piece.play("end")
    assert (green.seat, green.stage) == ("G", "start")
    blue = green.play("loan 10")
    assert (blue.seat, blue.stage) == ("B", "start")
    assert blue.play("loan 10").stage == "settling"


def test_the_round_ends_before_whoever_began_the_phase() -> None:
    """[PHASE-02] With Green as starting player the round ends after Yellow's turn, not after Blue's."""
    blue = position("4 players, B to move, G first \n R 0 houses, 0 fortresses")
    red = blue.play("loan 10")
    assert (red.seat, red.stage) == ("R", "start")
    assert red.play("loan 10", "loan 10").stage == "settling"


def test_closed_warehouses_are_built_ones() -> None:
    """[PHASE-03] Yellow's closed house could be re-opened, but the stock is empty: the phase is over."""
    before = position("4 players, B to move \n Y 0 houses, 0 fortresses \n Marseille [Y .] . G R shut(Y)")
    assert before.play("loan 10").stage == "settling"


def test_pieces_left_over_must_be_built_too() -> None:
    """[PHASE-05] One house of the first phase is left: after six in the second, Red's phase is not over."""
    naming = position("""
        4 players, phase 1, B settling
        R 1 house, 0 fortresses
        Y 0 houses, 0 fortresses
        B 20 florins; owes 10
    """).play("repay 10")
    second_phase = naming.play("starter seat 1")
    assert (second_phase.stock("R"), second_phase.stock("Y")) == (7, 6)

    one_left = position("4 players, phase 2, B to move \n R 1 house, 0 fortresses").play("loan 10")
    assert (one_left.stage, one_left.seat) == ("start", "R")


def test_who_has_little_left_goes_on_as_always() -> None:
    """[G-37] With only a fortress left and no money for it Red must borrow; the phase goes on."""
    poor = position("4 players, R to move \n R 3 florins, 0 houses, 1 fortress \n Tunis [R .]")
    assert poor.legal() == ["loan 10", "loan 16"]
    assert poor.play("loan 10", "loan 10", "loan 10", "loan 10").headline() == "4 players, phase 1, round 3, R to move"


def test_whoever_has_emptied_her_stock_has_no_further_turn() -> None:
    """[G-37, PHASE-02] Red began the round and is the first to finish: after Blue's turn comes the payday."""
    finished = position("4 players, R to move \n R 1 house, 0 fortresses \n Marseille [R .]").play("build 1", "end")
    assert finished.play("loan 10", "loan 10", "loan 10").stage == "settling"


def test_pass_where_nothing_is_possible() -> None:
    """[G-09, G-51, D-09] No loan cards and no way to build: the ship goes to the bank and the turn is over."""
    before = position(
        f"4 players, R to move \n R 1 florin \n {ALL_LENT} \n Marseille [R .] \n Display: Marseille-Venezia"
    )
    assert before.legal() == ["pass"]
    after = before.play("pass")
    assert (after.ship("R"), after.cash("R"), after.seat) == ("Bank", 1, "Y")
    assert after.headline() == "4 players, phase 1, round 2, Y to move, 1 pass"


def test_no_pass_while_something_is_possible() -> None:
    """[G-09] A loan card of either kind, or a way to build, and there is no pass."""
    one_card = "4 players, R to move \n R 0 florins \n Y 20 florins; owes 17x10 12x16"
    assert position(one_card).legal() == ["loan 10"]
    able = position(f"4 players, R to move \n R 2 florins \n {ALL_LENT} \n Tunis [R .]")
    assert able.legal() == ["build 1", "build 2"]


def test_a_phase_ends_when_everybody_passes_in_a_round() -> None:
    """[G-10] After the fourth pass of a round comes the payday; in the third phase the game ends."""
    nobody_can = "\n".join(["R 0 florins", ALL_LENT, "G 0 florins", "B 0 florins"])
    before = position(f"4 players, R to move \n {nobody_can}").play("pass", "pass", "pass")
    assert (before.seat, before.stage) == ("B", "start")
    assert before.play("pass").stage == "settling"
    assert position(f"4 players, phase 3, B to move, 3 passes \n {nobody_can}").play("pass").stage == "over"


def test_passes_count_within_one_round() -> None:
    """[G-10] Passes of the round before do not count, nor do three passes and a build."""
    nobody_else = "\n".join(["R 2 florins; hand Tunis/1", ALL_LENT, "G 0 florins", "B 0 florins"])
    built = position(f"4 players, R to move \n {nobody_else}").play("sail Tunis/1", "build 1", "end", *["pass"] * 3)
    assert built.headline() == "4 players, phase 1, round 3, R to move"
    assert built.play("pass").headline() == "4 players, phase 1, round 3, Y to move, 1 pass"


def test_the_skip_of_the_first_round_is_no_pass() -> None:
    """[G-51, G-10] Ships stay off the board, and though everybody skipped, the second round follows."""
    penniless = "R 0 florins \n Y 0 florins \n G 0 florins \n B 0 florins"
    before = position(f"4 players, round 1, R to move \n {penniless}")
    assert before.legal() == ["pass"]
    after = before.play(*["pass"] * 4)
    assert after.headline() == "4 players, phase 1, round 2, R to move"
    assert [after.ship(letter) for letter in "RYGB"] == ["Away"] * 4


def test_a_turn_ends_by_decision_and_rounds_count_from_one() -> None:
    """[G-59] After the main action there is always an explicit end; each phase begins with its round 1."""
    done = position("4 players, round 5, R to move \n Marseille [R .]").play("build 1")
    assert done.legal() == ["end"]
    assert done.play("end").headline() == "4 players, phase 1, round 5, Y to move"
    naming = position("4 players, phase 1, round 5, R naming \n Y 0 houses, 0 fortresses")
    assert naming.play("starter seat 3").headline() == "4 players, phase 2, round 1, G to move, G first"


def test_the_display_is_filled_before_a_payday_but_not_after_the_last_turn() -> None:
    """[G-55] Four and six cards after every turn, also when a phase ends; at the game's end it is left as it is."""
    drawing = "4 players, phase {}, B to move \n R 0 houses, 0 fortresses \n Display: Tunis/1"
    assert len(position(drawing.format(2)).play("loan 10").display()) == 4 + 6
    assert position(drawing.format(3)).play("loan 10").display() == {"Tunis/1"}
    assert len(position("4 players, phase 3, B to move \n Display: Tunis/1").play("loan 10").display()) == 4 + 6
