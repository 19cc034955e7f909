"""LOAN: taking loans at the bank."""

import pytest
from tests.drawings import Position, position


def merchant(here: Position, letter: str) -> str:
    """A merchant's line of the drawing, with single spaces."""
    (line,) = (line for line in here.drawing().splitlines() if line.startswith(f"{letter} ") and "florin" in line)
    return " ".join(line.split())


def test_a_loan_brings_ship_card_and_money_to_their_places_at_once() -> None:
    """[LOAN-01, LOAN-04, D-08] From a city into the bank harbour; the card lies open, the money is paid."""
    after = position("4 players, R to move \n Marseille [R .]").play("loan 16")
    assert after.city("Marseille") == "Marseille [. .] . . . . . . . . . . . ."
    assert after.ship("R") == "Bank"
    assert merchant(after, "R") == "R 36 florins, 6 houses, 1 fortress; owes 16"


def test_a_ship_at_the_bank_borrows_where_it_is() -> None:
    """[LOAN-01, LOAN-05] Who is at the bank may remain and take another loan."""
    after = position("4 players, R to move \n R 30 florins; owes 10 \n Bank [R]").play("loan 10")
    assert after.ship("R") == "Bank"
    assert merchant(after, "R") == "R 40 florins, 6 houses, 1 fortress; owes 2x10"


def test_there_are_two_kinds_of_loan_to_choose_from() -> None:
    """[LOAN-02] 10 or 16 florins."""
    before = position("4 players, R to move")
    assert before.legal("loan") == ["loan 10", "loan 16"]
    assert before.play("loan 10").cash("R") == 20 + 10
    assert before.play("loan 16").cash("R") == 20 + 16


def test_one_loan_a_turn() -> None:
    """[LOAN-03] The card taken, the next player follows."""
    after = position("4 players, R to move").play("loan 10")
    assert (after.seat, after.stage) == ("Y", "start")


def test_who_leaves_the_bank_needs_a_destination_card_and_must_build() -> None:
    """[LOAN-05] Neither sea routes nor interconnections begin at the bank, and under way no loan is left."""
    before = position("4 players, R to move \n R hand Tunis/1, Marseille-Napoli \n Bank [R]")
    assert before.legal() == ["sail Tunis/1", "loan 10", "loan 16"]
    under_way = before.play("sail Tunis/1")
    assert under_way.legal() == ["build 1", "build 2", "fortress"]


@pytest.mark.parametrize(
    ("when", "offered"),
    [
        ("phase 1, round 1", []),
        ("phase 1, round 2", ["loan 10", "loan 16"]),
        ("phase 2, round 1", ["loan 10", "loan 16"]),
        ("phase 3, round 1", ["loan 10", "loan 16"]),
    ],
)
def test_no_loan_in_the_first_round_of_the_game_alone(when: str, offered: list[str]) -> None:
    """[LOAN-06] The first rounds of later phases are no exception."""
    before = position(f"4 players, {when}, R to move \n Bank [R] \n Display: Tunis/1")
    assert before.legal("loan") == offered


def test_nobody_holds_too_many_loans() -> None:
    """[LOAN-07] Only the supply of cards limits them: 18 small ones and 12 large ones."""
    most = position("4 players, R to move \n R 0 florins; owes 17x10 11x16")
    assert most.legal("loan") == ["loan 10", "loan 16"]
    assert merchant(most.play("loan 16"), "R").endswith("owes 17x10 12x16")


def test_an_empty_pile_leaves_the_other() -> None:
    """[LOAN-07, G-09] When one kind has run out, the other must do; whose the cards are does not matter."""
    assert position("4 players, R to move \n Y 20 florins; owes 18x10").legal("loan") == ["loan 16"]
    assert position("4 players, R to move \n Y 20 florins; owes 12x16!").legal("loan") == ["loan 10"]


@pytest.mark.parametrize(("loan", "due"), [("10", 12), ("16", 20), ("10!", 16), ("16!", 30)])
def test_what_is_paid_back(loan: str, due: int) -> None:
    """[LOAN-08, G-26] 12 and 20, after an extension 16 and 30; seen at the end, where everything is paid."""
    before = position(f"4 players, phase 3, B to move \n R 0 houses, 0 fortresses \n Y 100 florins; owes {loan}")
    assert before.play("loan 10").cash("Y") == 100 - due


def test_loans_are_paid_back_after_a_payday_only() -> None:
    """[LOAN-09] In a turn there is no way to repay or extend, however rich the debtor is, not even at the bank."""
    before = position("4 players, B to move \n R 0 houses, 0 fortresses \n B 100 florins; owes 10 16! \n Bank [B]")
    assert before.legal() == ["loan 10", "loan 16"]
    after_payday = before.play("loan 10")
    assert after_payday.legal() == ["repay 10", "extend 10"]
    assert after_payday.cash("B") == 100 + 10 - 30


def test_in_debt_only_what_is_free_can_be_done() -> None:
    """[G-28, G-58] With less than nothing: re-open, build from Lisboa's first space, borrow; never pay or buy."""
    debtor = "4 players, phase 2, R to move \n R -1 florin; hand Tunis/1 \n Display: Tanger/1, Tanger-Tunis"
    borrowing = ["loan 10", "loan 16"]
    assert position(f"{debtor} \n Marseille [R .] G shut(R)").legal() == ["reopen 2", *borrowing]
    assert position(f"{debtor} \n Lisboa [R .]").legal() == ["build 1", "build 2", *borrowing]
    assert position(f"{debtor} \n Lisboa [Y R]").legal() == borrowing
    assert position(f"{debtor} \n Marseille [R .]").legal() == borrowing
