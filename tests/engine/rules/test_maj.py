"""MAJ: who is paid for the warehouses in a city."""

import pytest
from tests.drawings import position


def test_each_city_is_scored_on_its_own() -> None:
    """[MAJ-01] Many houses in Tunis do not help in Marseille."""
    before = position("4 players \n Marseille Y R Y \n Tunis R R Y R")
    assert before.majority("Marseille") == {"Y": 12, "R": 6}
    assert before.majority("Tunis") == {"R": 8, "Y": 4}


def test_closed_warehouses_do_not_count() -> None:
    """[MAJ-01, MAJ-07] Red would be first with the closed houses and Green third; so Yellow is first."""
    before = position("4 players, phase 2 \n Marseille . . R Y Y B B Y R shut(R R G)")
    assert before.majority("Marseille") == {"Y": 28, "R": 14}


@pytest.mark.parametrize(
    ("chain", "amount"),
    [("R", 4), (". R", 8), ("R R", 8), ("R R Y", 12), ("R R Y R R", 20), (". . . R R Y R R B Y", 24)],
)
def test_first_rank_earns_the_number_right_of_the_chain(chain: str, amount: int) -> None:
    """[MAJ-02, G-17] The space after the last house, whatever is vacated at the front."""
    assert position(f"4 players, phase 2 \n Marseille {chain}").majority("Marseille")["R"] == amount


def test_second_rank_earns_half_rounded_down() -> None:
    """[MAJ-03] 9 and 4, 12 and 6."""
    assert position("4 players \n Venezia R Y R").majority("Venezia") == {"R": 9, "Y": 4}
    assert position("4 players \n Venezia R Y R Y").majority("Venezia") == {"R": 12, "Y": 6}


def test_of_equals_the_one_further_forward_ranks_higher() -> None:
    """[MAJ-04] Only the foremost house of each matters."""
    assert position("4 players \n Tunis R Y Y R").majority("Tunis") == {"R": 8, "Y": 4}
    assert position("4 players \n Tunis Y R R Y").majority("Tunis") == {"Y": 8, "R": 4}


def test_position_decides_not_time() -> None:
    """[MAJ-04, G-22] Yellow built first, on S2; Red comes later, on S1, and is before Yellow."""
    after = position("4 players, R to move \n Marseille [R .] . Y").play("build 1")
    assert after.majority("Marseille") == {"R": 8, "Y": 4}


def test_a_house_placed_backward_wins_a_tie() -> None:
    """[MAJ-04, G-22] Blue's third house, at the front, brings Blue from nothing before Yellow and Green."""
    before = position("4 players, phase 2, B to move \n Tunis [B .] . . . Y G B Y G B Y G R shut(R R R)")
    assert before.majority("Tunis") == {"Y": 8, "G": 4}
    assert before.play("build 3").majority("Tunis") == {"B": 8, "Y": 4}


def test_one_first_one_second_and_nobody_else() -> None:
    """[MAJ-05] Three share the second most: only the foremost of them is paid."""
    assert position("4 players \n Marseille R R Y G B").majority("Marseille") == {"R": 20, "Y": 10}
    assert position("5 players \n Marseille P R Y G B").majority("Marseille") == {"P": 20, "R": 10}


def test_from_the_last_site_on_the_amount_stays() -> None:
    """[MAJ-06] 20 before S12 is built on; then 16, also after houses at the front."""
    before = position("4 players, phase 2, Y to move \n Marseille [Y .] . . . R Y R Y G R R B shut(R Y G)")
    assert before.majority("Marseille")["R"] == 20
    last_site = before.play("build 12")
    assert last_site.majority("Marseille")["R"] == 16
    at_the_front = position("4 players, phase 2, Y to move \n Marseille [Y .] . . . R R Y R Y G R R B")
    assert at_the_front.play("build 3").majority("Marseille")["R"] == 16
    assert position("4 players, phase 2 \n Marseille Y G B R R Y R Y G R R B").majority("Marseille")["R"] == 16


def test_alone_in_a_city_nobody_is_second() -> None:
    """[MAJ-07] Neither an absent player nor the owner of a fortress or a closed house takes the second rank."""
    before = position("4 players, phase 2 \n Tunis . R R . . . . shut(G) forts(Y .)")
    assert before.majority("Tunis") == {"R": 6}
    assert position("4 players").majority("Tunis") == {}
