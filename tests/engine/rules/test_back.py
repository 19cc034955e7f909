"""BACK: once the twelfth site is taken, a chain grows towards the first."""

from importlib import resources
from pathlib import Path

import pytest
from tests.drawings import Position, position

from elcapitan.board.figures import Figures, load

NINE = ". . . G B Y G B Y G B Y"  # a chain in its backward stage


def placing(sites: str, *, more: str = "") -> Position:
    """Red is to move in Tunis."""
    return position(f"4 players, phase 2, R to move \n {more} \n Tunis [R .] {sites}")


def next_turn(here: Position) -> Position:
    """Red's turn ends and the others borrow."""
    return here.play("end", "loan 10", "loan 10", "loan 10")


@pytest.fixture
def twelfth_dark(tmp_path: Path) -> Figures:
    """The packaged board, but with dark sites on S7, S9 and S12."""
    packaged = resources.files("elcapitan") / "data" / "mediterranean.toml"
    file = tmp_path / "board.toml"
    file.write_text(packaged.read_text("utf-8").replace("is = [7, 9, 11]", "is = [7, 9, 12]"), "utf-8")
    return load(file)


def test_vacated_sites_are_used_again_once_the_twelfth_is_taken() -> None:
    """[BACK-01] Before that the only way is on."""
    assert placing(". . . G B Y G B Y G B").legal("build") == ["build 12"]
    assert placing(NINE).legal("build") == ["build 3"]


def test_from_the_front_towards_the_first_site() -> None:
    """[BACK-02] Third, second, and the first comes last."""
    here = placing(NINE, more="R 40 florins")
    for site in (3, 2, 1):
        assert here.legal("build") == [f"build {site}"]
        here = next_turn(here.play(f"build {site}"))
    assert here.city("Tunis") == "Tunis [R .] R R R G B Y G B Y G B Y"


@pytest.mark.parametrize(("front", "legal"), [("R R", ["build 3"]), ("R R R", [])])
def test_three_in_a_row_at_the_front(front: str, legal: list[str]) -> None:
    """[BACK-03] A third may be placed before two, a fourth not before three, nor re-opened there."""
    behind = " ".join(["G", "B", "Y", "G", "B", "Y", "G", "B", "Y"][len(front.split()) :])
    before = placing(f". . . {front} {behind} shut(R)")
    assert before.legal("build") == legal
    assert before.legal("reopen") == [text.replace("build", "reopen") for text in legal]


def test_the_last_three_houses_are_no_neighbours_of_the_front() -> None:
    """[BACK-04] Red owns the last three and goes on at the front; even to three in a row there."""
    here = placing(". . . G B Y G B Y R R R", more="R 40 florins")
    for site in (3, 2, 1):
        here = next_turn(here.play(f"build {site}"))
    assert here.city("Tunis") == "Tunis [R .] R R R G B Y G B Y R R R"


def test_no_shut_downs_any_more() -> None:
    """[BACK-05, G-16] A dark site that was vacated is taken again, and nobody loses a house."""
    after = placing(". . . . . . . G B Y G B shut(Y)").play("build 7")
    assert after.city("Tunis") == "Tunis [R .] . . . . . . R G B Y G B shut(Y)"
    reopened = placing(". . . . . . . G B Y G B shut(R)").play("reopen 7")
    assert reopened.city("Tunis") == "Tunis [R .] . . . . . . R G B Y G B"


def test_the_triangle_is_quiet_too() -> None:
    """[BACK-05, G-16] With three players, in the backward stage."""
    before = position("3 players, phase 2, R to move \n Tunis [R .] . . . . . Y G Y G Y G Y")
    assert before.play("build 5").city("Tunis") == "Tunis [R .] . . . . R Y G Y G Y G Y"


def test_in_a_full_city_nothing_can_be_placed() -> None:
    """[BACK-06] Neither built nor re-opened; a fortress still can."""
    before = placing("B G Y G B Y G B Y G B Y shut(R)")
    assert before.legal() == ["fortress", "loan 10", "loan 16"]


def test_the_amount_stays_at_the_last_number() -> None:
    """[BACK-07] 10 is on the twelfth site, 8 on the last space; 8 it remains, whatever is placed."""
    before = placing(". . . G B Y G B Y G G", more="R 40 florins")
    assert before.majority("Tunis") == {"G": 10, "B": 5}
    here = before.play("build 12")
    assert here.majority("Tunis") == {"G": 8, "B": 4}
    for site in (3, 2, 1):
        here = next_turn(here).play(f"build {site}")
        assert sum(here.majority("Tunis").values()) == 8 + 4
    assert here.majority("Tunis") == {"R": 8, "G": 4}


def test_the_twelfth_site_itself_still_shuts_if_it_is_dark(twelfth_dark: Figures) -> None:
    """[G-16] It is placed forward; the stage changes after it."""
    drawing = "4 players, phase 2, R to move \n R 40 florins \n Tunis [R .] . . G B Y G B Y G B Y"
    after = position(drawing, twelfth_dark).play("build 12")
    assert after.city("Tunis") == "Tunis [R .] . . . B Y G B Y G B Y R shut(G)"
    following = next_turn(after)
    assert following.legal("build") == ["build 3"]
    assert following.play("build 3").city("Tunis") == "Tunis [R .] . . R B Y G B Y G B Y R shut(G)"

    usual = position(drawing).play("build 12")
    assert usual.city("Tunis") == "Tunis [R .] . . G B Y G B Y G B Y R"
