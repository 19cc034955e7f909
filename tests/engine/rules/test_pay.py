"""PAY: what a payday consists of."""

from tests.drawings import position

BEFORE_PAYDAY = """
    4 players, phase {phase}, B to move
    R {red}
    G 0 houses, 0 fortresses
    Marseille Y R R forts(R .)
    Tunis     G R Y Y
"""


def test_proliferation_majorities_and_fortresses_are_paid() -> None:
    """[PAY-01, PAY-02] Each merchant gets the sum of the three from the bank; nobody pays for it."""
    before = position(BEFORE_PAYDAY.format(phase=1, red="20 florins"))
    assert [before.proliferation(letter) for letter in "RYGB"] == [2, 2, 1, 0]
    assert before.majority("Marseille") == {"R": 12, "Y": 6}
    assert before.majority("Tunis") == {"Y": 8, "G": 4}
    assert before.fortress("Marseille") == {"R": 6}
    after = before.play("loan 10")
    assert [after.cash(letter) for letter in "RYGB"] == [20 + 2 + 12 + 6, 20 + 2 + 6 + 8, 20 + 1 + 4, 20 + 10]


def test_payments_come_before_loans() -> None:
    """[PAY-03] Without a florin Red can pay 12 back: the payday has brought 20."""
    after = position(BEFORE_PAYDAY.format(phase=1, red="0 florins; owes 10")).play("loan 10")
    assert (after.seat, after.cash("R"), after.legal()) == ("R", 20, ["repay 10", "extend 10"])


def test_overdue_loans_are_taken_from_the_payments() -> None:
    """[PAY-03] The payday's 20 florins pay for the extended loan as well."""
    after = position(BEFORE_PAYDAY.format(phase=2, red="0 florins; owes 10!")).play("loan 10")
    assert after.cash("R") == 20 - 16


def test_bonus_cards_are_paid_on_the_third_payday() -> None:
    """[PAY-04] The card counts nothing on the second payday and 15 on the third."""
    second = position(BEFORE_PAYDAY.format(phase=2, red="0 florins, 1st bonus"))
    third = position(BEFORE_PAYDAY.format(phase=3, red="0 florins, 1st bonus"))
    assert (second.bonus("R"), second.play("loan 10").cash("R")) == (0, 20)
    assert (third.bonus("R"), third.play("loan 10").cash("R")) == (15, 20 + 15)
