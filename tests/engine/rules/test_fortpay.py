"""FORTPAY: what fortresses earn."""

import pytest
from tests.drawings import position


def test_a_fortress_earns_half_rounded_down() -> None:
    """[FORTPAY-01] As much as second rank: of 9 florins 4, of 12 florins 6."""
    fuller = "Tunis R Y R Y R Y"
    assert position(f"4 players \n Venezia R Y R forts(G .) \n {fuller}").fortress("Venezia") == {"G": 4}
    assert position(f"4 players \n Venezia R Y R Y forts(G B) \n {fuller}").fortress("Venezia") == {"G": 6, "B": 6}


def test_in_the_fullest_city_it_earns_the_whole_amount() -> None:
    """[FORTPAY-02] One house more than in Tunis, and the fortress in Venezia earns 12 instead of 6."""
    drawing = "4 players \n Venezia R Y R Y forts(G .) \n Tunis {} forts(B .)"
    fullest, not_fullest = position(drawing.format("R Y R")), position(drawing.format("R Y R Y R"))
    assert (fullest.fortress("Venezia"), fullest.fortress("Tunis")) == ({"G": 12}, {"B": 3})
    assert (not_fullest.fortress("Venezia"), not_fullest.fortress("Tunis")) == ({"G": 6}, {"B": 10})


def test_several_fullest_cities_all_pay_in_full() -> None:
    """[FORTPAY-03] Three cities with four houses each."""
    four = position("""
        4 players, phase 2
        Venezia R Y R Y forts(G .)
        Tunis   R Y R Y forts(G B)
        Athina  B G B G forts(R .)
        Napoli  B G B   forts(R .)
    """)
    assert [four.fortress(name) for name in ("Venezia", "Tunis", "Athina")] == [{"G": 12}, {"G": 8, "B": 8}, {"R": 8}]
    assert four.fortress("Napoli") == {"R": 4}


def test_closed_houses_do_not_make_a_city_full() -> None:
    """[FORTPAY-04] Tunis has three open and three closed houses, Athina four open ones."""
    before = position("""
        4 players, phase 2
        Tunis  . . . R Y G shut(R Y G) forts(R .)
        Athina R Y R Y forts(G .)
    """)
    assert before.fortress("Tunis") == {"R": 6}
    assert before.fortress("Athina") == {"G": 8}


def test_the_owners_rank_does_not_matter() -> None:
    """[FORTPAY-05] Red is first, Blue has no house there: both fortresses earn the same, beside any majority."""
    before = position("4 players \n Venezia R Y R forts(R B) \n Tunis Y Y R Y")
    assert before.majority("Venezia") == {"R": 9, "Y": 4}
    assert before.fortress("Venezia") == {"R": 4, "B": 4}
    assert before.income("R") - before.proliferation("R") == 9 + 4 + 4  # and second rank in Tunis


@pytest.mark.parametrize(
    ("chain", "other", "earned"),
    [
        ("R G G B B", "R Y R Y R Y", 10),
        ("R G G B B", "R Y R Y", 20),
        (". . R B Y R B Y G R B Y shut(B)", ". B R G Y R G Y R G R G", 8),
        (". . R B Y R B Y G R B Y shut(B)", "R Y R Y", 16),
    ],
)
def test_the_numbers_of_the_pictures(chain: str, other: str, earned: int) -> None:
    """[G-20] First picture 10, or 20 if fullest; second picture 8, or 16 if fullest."""
    before = position(f"4 players, phase 3 \n Marseille {chain} forts(G R) \n Tunis {other}")
    assert before.fortress("Marseille") == {"G": earned, "R": earned}


def test_a_fortress_is_paid_even_where_nobody_is_second_or_first() -> None:
    """[G-21] By the amount of the city alone; with two players as well; nothing where the amount is 0."""
    alone = position("4 players \n Marseille R forts(R Y) \n Tunis R Y")
    assert alone.majority("Marseille") == {"R": 4}
    assert alone.fortress("Marseille") == {"R": 2, "Y": 2}

    neutral_first = position("2 players \n Marseille r Y forts(R Y) \n Tunis R Y R")
    assert neutral_first.majority("Marseille") == {}
    assert neutral_first.fortress("Marseille") == {"R": 4, "Y": 4}

    empty = position("4 players \n Marseille forts(R Y)")
    assert empty.fortress("Marseille") == {}
