"""AFTER: loans, money check, starting player and new pieces after a payday."""

import pytest
from tests.drawings import Position, position

ENDING = "R 0 houses, 0 fortresses"  # Red has built everything: the payday comes after this round


def merchant(here: Position, letter: str) -> str:
    """A merchant's line of the drawing, with single spaces."""
    (line,) = (line for line in here.drawing().splitlines() if line.startswith(f"{letter} ") and "florin" in line)
    return " ".join(line.split())


def test_loans_are_decided_on_from_the_starting_player_round_the_table() -> None:
    """[AFTER-01, D-13, G-27] Green began the phase, so Green decides first; each decides about all cards at once."""
    here = position("""
        4 players, Y to move, G first
        R 50 florins, 0 houses, 0 fortresses; owes 10
        Y 50 florins; owes 10
        G 50 florins; owes 10 16
        B 50 florins
    """).play("loan 10")
    deciders = []
    while here.stage == "settling":
        deciders.append(here.seat)
        here = here.play("extend 10" if here.offers("extend 10") else "extend 16")
    assert "".join(deciders) == "GGRYY"


def test_paying_back() -> None:
    """[AFTER-02, D-13] The amount on the card is paid, and the card can be borrowed again."""
    settling = position(f"4 players, R settling \n {ENDING}; owes 18x10").play("repay 10")
    assert settling.cash("R") == 20 - 12
    assert merchant(settling, "R").endswith("owes 17x10")
    assert "lends 1x10 12x16" in settling.drawing()


def test_extending_flips_the_card() -> None:
    """[AFTER-03, D-13] Nothing is paid now; after the next payday it is the higher amount."""
    settling = position(f"4 players, R settling \n {ENDING}; owes 16").play("extend 16")
    assert merchant(settling, "R") == "R 20 florins, 0 houses, 0 fortresses, 6 lost; owes 16!"
    next_payday = position(f"4 players, phase 2, B to move \n {ENDING}; owes 16! \n R 50 florins").play("loan 10")
    assert next_payday.cash("R") == 50 - 30


def test_an_extended_loan_cannot_be_extended_again() -> None:
    """[AFTER-04, G-54] It is paid without being asked about, before its owner decides about the others."""
    settling = position(f"4 players, phase 2, B to move \n {ENDING}; owes 10 10! 16! \n R 60 florins").play("loan 16")
    assert (settling.seat, settling.cash("R"), settling.legal()) == ("R", 60 - 16 - 30, ["repay 10", "extend 10"])
    assert merchant(settling, "R").endswith("owes 10")


def test_overdue_loans_are_paid_when_the_turn_to_settle_comes() -> None:
    """[G-54] Yellow's extended loan is still there while Red decides; then it is paid, unasked."""
    red = position(f"4 players, phase 2, B to move \n {ENDING}; owes 10 \n Y 50 florins; owes 16!").play("loan 10")
    assert (red.seat, red.cash("Y")) == ("R", 50)
    blue = red.play("extend 10")
    assert (blue.seat, blue.cash("Y")) == ("B", 50 - 30)


def test_the_ship_need_not_be_at_the_bank() -> None:
    """[AFTER-05] Red pays back from Marseille and stays there."""
    settling = position(f"4 players, B to move \n {ENDING}; owes 10 \n Marseille [R .]").play("loan 10")
    after = settling.play("repay 10")
    assert (after.cash("R"), after.ship("R")) == (20 - 12, "Marseille 1")


def test_repaying_needs_the_full_amount() -> None:
    """[G-27, D-13] With 12 the small loan can be paid, with 11 neither: the extension is forced, yet a decision."""
    assert position(f"4 players, R settling \n {ENDING}; owes 10 16 \n R 12 florins").legal() == [
        "repay 10",
        "extend 10",
        "extend 16",
    ]
    short = position(f"4 players, R settling \n {ENDING}; owes 10 16 \n R 11 florins")
    assert short.legal() == ["extend 10", "extend 16"]
    assert short.play("extend 16").legal() == ["extend 10"]


def test_cards_are_decided_on_one_by_one_in_any_order() -> None:
    """[G-54, G-27] One of two equal cards is paid back, the other extended; a card once extended stays so."""
    one_each = position(f"4 players, R settling \n {ENDING}; owes 2x10 16").play("extend 10", "extend 16")
    assert one_each.legal() == ["repay 10", "extend 10"]
    done = one_each.play("repay 10")
    assert merchant(done, "R").endswith("owes 10! 16!")
    assert done.stage == "naming"


def test_an_overdue_loan_is_paid_below_zero() -> None:
    """[G-28] Red cannot pay 16 and must: 4 florins of debt, and then every other loan has to be extended."""
    settling = position(f"4 players, phase 2, B to move \n {ENDING}; owes 10 10! \n R 12 florins").play("loan 10")
    assert (settling.seat, settling.cash("R"), settling.legal()) == ("R", -4, ["extend 10"])
    extended = settling.play("extend 10")
    assert merchant(extended, "R").startswith("R -4 florins,")


def test_debt_is_carried_into_the_next_phase() -> None:
    """[G-28] In debt Red goes on playing, and a loan counts against the debt."""
    naming = position(f"4 players, phase 2, R naming \n {ENDING} \n R -4 florins \n Marseille [R .]")
    red = naming.play("starter seat 1")
    assert red.legal() == ["loan 10", "loan 16"]
    assert red.play("loan 10").cash("R") == 6


@pytest.mark.parametrize(
    ("red", "yellow", "namer"),
    [
        ("21 florins", "20 florins", "Y"),
        ("20 florins", "21 florins", "R"),
        ("30 florins; owes 10!", "15 florins", "R"),
        ("32 florins; owes 10!", "15 florins", "Y"),
        ("44 florins; owes 16!", "15 florins", "R"),
        ("50 florins, 1st bonus; hand Tunis/3", "20 florins", "Y"),
        ("19 florins, 1st bonus; hand Tunis/3", "20 florins", "R"),
        ("-1 florin", "0 florins", "R"),
    ],
)
def test_money_check(red: str, yellow: str, namer: str) -> None:
    """[AFTER-06, AFTER-07, G-30] The poorest, by cash less what the loans show, names; cards count nothing."""
    checked = position(f"""
        4 players, B settling
        R {red}
        Y {yellow}
        G 90 florins, 0 houses, 0 fortresses
        B 90 florins; owes 10
    """).play("extend 10")
    assert (checked.stage, checked.seat) == ("naming", namer)


def test_the_money_check_follows_the_loan_decisions() -> None:
    """[G-30, AFTER-10] Extended, Blue's loan counts 16, paid back it cost 12: that decides who is poorest."""
    blue = position("""
        4 players, B settling
        R 23 florins, 0 houses, 0 fortresses
        Y 50 florins
        G 50 florins
        B 37 florins; owes 10
    """)
    assert blue.play("extend 10").seat == "B"
    assert blue.play("repay 10").seat == "R"


@pytest.mark.parametrize(("first", "namer"), [("R", "Y"), ("Y", "Y"), ("G", "B"), ("B", "B")])
def test_of_several_poorest_the_first_from_the_starting_player_on_names(first: str, namer: str) -> None:
    """[G-31, AFTER-07] Yellow and Blue have equally little."""
    checked = position(f"""
        4 players, G settling, {first} first
        R 50 florins, 0 houses, 0 fortresses
        Y 2 florins
        G 50 florins; owes 10
        B 2 florins
    """).play("repay 10")
    assert (checked.stage, checked.seat) == ("naming", namer)


def test_the_poorest_may_name_anybody() -> None:
    """[AFTER-07, D-14] Herself or another, who begins the next phase."""
    naming = position(f"4 players, Y naming \n {ENDING} \n Y 3 florins")
    assert naming.legal() == ["starter seat 1", "starter seat 2", "starter seat 3", "starter seat 4"]
    assert naming.play("starter seat 2").headline() == "4 players, phase 2, round 1, Y to move, Y first"
    assert naming.play("starter seat 4").headline() == "4 players, phase 2, round 1, B to move, B first"


def test_new_pieces_are_added_to_the_stock() -> None:
    """[AFTER-08, AFTER-09] Six warehouses and a fortress for everybody, beside what is left."""
    naming = position(f"4 players, Y naming \n {ENDING} \n G 2 houses, 0 fortresses \n B 5 houses, 1 fortress")
    after = naming.play("starter seat 1")
    assert [after.stock(letter) for letter in "RYGB"] == [6, 12, 8, 11]
    assert [after.fortresses(letter) for letter in "RYGB"] == [1, 2, 1, 2]


def test_the_order_of_things() -> None:
    """[AFTER-10] Payday, loans, money check, starting player, new pieces; after the third payday none of them."""
    drawing = f"4 players, phase {{}}, B to move \n {ENDING} \n Marseille R \n B 9 florins"
    settling = position(drawing.format(2)).play("loan 10")
    assert (settling.stage, settling.cash("R"), settling.stock("R")) == ("settling", 20 + 4 + 1, 0)
    naming = settling.play("repay 10")
    assert (naming.stage, naming.seat, naming.stock("R")) == ("naming", "B", 0)
    started = naming.play("starter seat 3")
    assert (started.stage, started.seat, started.stock("R")) == ("start", "G", 6)

    over = position(drawing.format(3)).play("loan 10")
    assert (over.stage, over.stock("R"), over.legal()) == ("over", 0, [])
